"""Putting a core together from settings: store, rules, archive, secret; the one place that knows all adapters."""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Final

from turntable_session.core.access import Access
from turntable_session.core.archive import DirectoryArchive, sync_directory
from turntable_session.core.bot_registry import installed_bots
from turntable_session.core.desk import Desk, Lifetimes
from turntable_session.core.metrics import Metrics
from turntable_session.core.sessions import CoreSessions
from turntable_session.domain.rules import Rules
from turntable_session.domain.tokens import token_hash
from turntable_session.problems import Problem
from turntable_session.rules.in_process import LocalRules
from turntable_session.store.embedded import EmbeddedStore, EmbeddedStoreError
from turntable_session.store.redis_store import RedisStore
from turntable_session.store.servers import StoreError, StoreSettings

PREFIX: Final = "TURNTABLE_SESSION_"
_HOUR: Final = 3600 * 1000
_SHORTEST_SECRET: Final = 16
_SECRET_BYTES: Final = 32


class CoreSettingsError(ValueError):
    """Settings that make no sense; all of them, in words."""


@dataclass(frozen=True)
class CoreSettings:
    """One value per environment variable `TURNTABLE_SESSION_<NAME>`."""

    store: str = "embedded"
    """`embedded`, or the address of a Redis 7+, Valkey or cluster: redis://host:port/0, rediss://…, unix://…."""
    data: str = "data"
    """Directory of the embedded store, the archive and the secret."""
    durability: str = "everysec"
    """`everysec`, or `acknowledged`: a move is answered when it is on disk, and on the replicas asked for."""
    replicas: int = 0
    """Replicas that have to confirm in `acknowledged`."""
    buckets: int = 16
    """Parts the games are spread over; may grow later, never shrink."""
    store_timeout: float = 3.0
    store_patience: float = 10.0
    secret: str = ""
    """What tokens are derived from, the same in every process; with the embedded store made and kept by itself."""
    secret_hex: str = ""
    """The same as 64 hex digits, for workers beside a service that has made it itself."""
    operator_token: str = ""
    """Lets its holder freeze, adjudicate and delete any game."""
    rules: str = "local"
    """`local`, or a rules service: grpc://host:port."""
    fallback_bot: str = "greedy"
    """Plays for the absent."""
    bot_budget: float = 5.0
    """Seconds a bot may think."""
    open_hours: float = 24.0
    abandoned_hours: float = 720.0
    finished_hours: float = 168.0
    """How long open, untouched and finished games stay in the store."""
    tick_seconds: float = 0.25
    """How often a process looks for clocks that have run out."""


CORE_NAMES: Final = frozenset(field.name for field in fields(CoreSettings))


def read_core_settings(environment: Mapping[str, str]) -> CoreSettings:
    """Settings from environment variables; names that are not the core's are left to others."""
    faults: list[str] = []
    values: dict[str, object] = {}
    for field in fields(CoreSettings):
        text = environment.get(PREFIX + field.name.upper())
        if text is None:
            continue
        kind = {"str": str, "int": int, "float": float}[getattr(field.type, "__name__", str(field.type))]
        try:
            values[field.name] = kind(text)
        except ValueError:
            faults.append(f"{PREFIX}{field.name.upper()}: {text!r} is not a number")
    settings = CoreSettings(**values)  # type: ignore[arg-type]
    faults += _faults(settings)
    if faults:
        raise CoreSettingsError("; ".join(faults))
    return settings


def _faults(settings: CoreSettings) -> list[str]:
    faults: list[str] = []
    if settings.durability not in ("everysec", "acknowledged"):
        faults.append(f"{PREFIX}DURABILITY is not everysec or acknowledged")
    if settings.store != "embedded" and "://" not in settings.store:
        faults.append(f"{PREFIX}STORE is neither `embedded` nor an address")
    if settings.store != "embedded" and not settings.secret and not settings.secret_hex:
        faults.append(
            f"{PREFIX}SECRET is missing: several processes may share this store, so it cannot be made up"
        )
    if settings.secret and len(settings.secret) < _SHORTEST_SECRET:
        faults.append(f"{PREFIX}SECRET has fewer than {_SHORTEST_SECRET} characters")
    if settings.operator_token and len(settings.operator_token) < _SHORTEST_SECRET:
        faults.append(f"{PREFIX}OPERATOR_TOKEN has fewer than {_SHORTEST_SECRET} characters")
    if settings.rules != "local" and not settings.rules.startswith("grpc://"):
        faults.append(f"{PREFIX}RULES is neither `local` nor grpc://host:port")
    if settings.bot_budget <= 0 or settings.tick_seconds <= 0:
        faults.append("a bot's budget and a tick are more than 0 seconds")
    return faults


class Core:
    """A core with everything it runs on; `close` in the end."""

    def __init__(self, sessions: CoreSessions, store: RedisStore, metrics: Metrics) -> None:
        self.sessions = sessions
        self.store = store
        self.metrics = metrics
        self.closing = contextlib.AsyncExitStack()
        self.address = ""
        """Where the store is reached, for workers beside this process."""

    async def ready(self) -> str | None:
        """None, or why no game can be served now."""
        try:
            async with asyncio.timeout(self.store.settings.timeout):
                await self.store.ping()
        except (Problem, TimeoutError):
            return "the store does not answer"
        return None

    async def close(self) -> None:
        """Stop what happens by itself, then let go of everything."""
        await self.closing.aclose()


async def open_core(settings: CoreSettings, *, keeping: bool = True) -> Core:
    """Start a core; raises StoreError. `keeping`: whether it enforces clocks and archives."""
    async with contextlib.AsyncExitStack() as stack:
        address = await _store_address(settings, stack)
        store = RedisStore(
            StoreSettings(
                address,
                settings.durability,
                settings.replicas,
                settings.store_timeout,
                settings.store_patience,
                settings.buckets,
            )
        )
        stack.push_async_callback(store.close)
        await store.start()
        metrics = Metrics()
        rules = await _rules(settings, stack)
        lifetimes = Lifetimes(
            int(settings.open_hours * _HOUR),
            int(settings.abandoned_hours * _HOUR),
            int(settings.finished_hours * _HOUR),
        )
        operator = token_hash(settings.operator_token) if settings.operator_token else b""
        sessions = CoreSessions(
            Desk(store, rules, metrics, lifetimes),
            Access(operator),
            DirectoryArchive(Path(settings.data) / "archive"),
            await asyncio.to_thread(_secret, settings),
            installed_bots(),
            settings.fallback_bot,
        )
        sessions.tick_seconds = settings.tick_seconds
        stack.push_async_callback(sessions.close)
        if keeping:
            stack.push_async_callback(_stopped, asyncio.create_task(sessions.keep()))
        core = Core(sessions, store, metrics)
        core.address = address
        core.closing = stack.pop_all()
        return core


async def _store_address(settings: CoreSettings, stack: contextlib.AsyncExitStack) -> str:
    if settings.store != "embedded":
        return settings.store
    embedded = EmbeddedStore(Path(settings.data) / "store", settings.durability)
    try:
        address = await embedded.start()
    except EmbeddedStoreError as error:
        raise StoreError(str(error)) from error
    stack.push_async_callback(embedded.stop)
    return address


async def _rules(settings: CoreSettings, stack: contextlib.AsyncExitStack) -> Rules:
    if settings.rules == "local":
        return LocalRules()
    from turntable_session.rules.remote import RemoteRules

    remote = RemoteRules(settings.rules.removeprefix("grpc://"))
    await remote.start()
    stack.push_async_callback(remote.close)
    return remote


async def _stopped(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _secret(settings: CoreSettings) -> bytes:
    """The secret given, or the one kept in the data directory, made at the first start."""
    if settings.secret_hex:
        return bytes.fromhex(settings.secret_hex)
    if settings.secret:
        return sha256(settings.secret.encode()).digest()
    path = Path(settings.data) / "secret"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # Complete or absent: tokens of a secret cut short by a kill could be guessed.
        draft = path.with_suffix(".new")
        draft.touch(mode=0o600)
        with draft.open("w") as file:
            file.write(secrets.token_hex(_SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_directory(path.parent)
    secret = bytes.fromhex(path.read_text())
    if len(secret) != _SECRET_BYTES:
        raise StoreError(f"{path} does not hold a secret of {_SECRET_BYTES} bytes")
    return secret
