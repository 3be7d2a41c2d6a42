"""Which server holds which bucket: one server, or the masters of a cluster as they are now."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import RedisError

from turntable_session.store import names
from turntable_session.store.lanes import Command, Confirmation, Lane, connected

Address = tuple[str, int]
ALONE: Final[Address] = ("", 0)
"""Stands for the one server there is."""
_CONFIRMATION_MS: Final = 50
"""How long a server waits for its copies before it is asked again."""


class StoreSettings(NamedTuple):
    """How the store is reached and how sure it has to be."""

    url: str
    durability: str = "everysec"
    """`everysec`, or `acknowledged`: answered only when it is on disk, and on the replicas asked for."""
    replicas: int = 0
    """Replicas that have to confirm a commit in `acknowledged`."""
    timeout: float = 3.0
    """Seconds a server has to answer."""
    patience: float = 10.0
    """Seconds after which a request that the store cannot answer is given up."""
    buckets: int = 16
    """Buckets for new games; may grow, never shrink."""


class StoreError(Exception):
    """The store cannot be used; the message says why."""


class Servers:
    """The lanes to all servers, and the map of a cluster."""

    def __init__(self, settings: StoreSettings) -> None:
        self.settings = settings
        self._pool = ConnectionPool.from_url(settings.url, protocol=2, socket_timeout=None)
        self._lanes: dict[Address, Lane] = {}
        self._slots: list[Address] | None = None
        self._known: list[Address] = []
        self._confirmation: Confirmation | None = None
        self._refreshing = asyncio.Lock()

    def connection(self, address: Address) -> AbstractConnection:
        """A fresh connection to a server."""
        options: dict[str, Any] = dict(self._pool.connection_kwargs)
        if address != ALONE:
            options.update(host=address[0], port=address[1])
            options.pop("path", None)
        options["socket_connect_timeout"] = self.settings.timeout
        made: AbstractConnection = self._pool.connection_class(**options)
        return made

    async def start(self) -> None:
        """Look at what is there; raises StoreError if it cannot be used."""
        try:
            async with asyncio.timeout(self.settings.timeout):
                await self._look()
        except (RedisError, OSError, TimeoutError) as error:
            raise StoreError(f"the store does not answer: {str(error) or type(error).__name__}") from error

    async def _look(self) -> None:
        connection = self.connection(ALONE)
        try:
            await connected(connection)
            info = _facts(await _ask(connection, "INFO"))
            if int(info.get("redis_version", "0").split(".")[0]) < 7:
                raise StoreError(f"the store is version {info.get('redis_version')}; 7 or newer is needed")
            if info.get("cluster_enabled") == "1":
                self._slots = _slot_map(await _ask(connection, "CLUSTER", "SLOTS"), _host(connection))
                self._known = sorted(set(self._slots))
            if self.settings.durability == "acknowledged":
                await self._check_durability(connection)
        finally:
            await connection.disconnect()

    async def _check_durability(self, connection: AbstractConnection) -> None:
        found = await _ask(connection, "CONFIG", "GET", "append*")
        values = {_text(name): _text(value) for name, value in zip(found[::2], found[1::2], strict=True)}
        if values.get("appendonly") != "yes" or values.get("appendfsync") != "always":
            raise StoreError(
                "durability is `acknowledged`, but the server does not run with appendonly yes and appendfsync always"
            )
        wait, seconds = str(_CONFIRMATION_MS), self.settings.timeout / 2
        if await _ask(connection, "COMMAND", "INFO", "WAITAOF") != [None]:
            command: Command = ("WAITAOF", "1", str(self.settings.replicas), wait)
            self._confirmation = Confirmation(command, (1, self.settings.replicas), seconds)
        elif self.settings.replicas:
            command = ("WAIT", str(self.settings.replicas), wait)
            self._confirmation = Confirmation(command, (self.settings.replicas,), seconds)

    @property
    def is_cluster(self) -> bool:
        """Whether there are several masters."""
        return self._slots is not None

    def address_of(self, bucket: int) -> Address:
        """The server that holds a bucket."""
        return ALONE if self._slots is None else self._slots[key_slot(names.news(bucket).encode())]

    def lane(self, bucket: int) -> Lane:
        """The lane to the server that holds a bucket."""
        address = self.address_of(bucket)
        lane = self._lanes.get(address)
        if lane is None:
            lane = Lane(self.connection(address), self.settings.timeout, self._confirmation)
            self._lanes[address] = lane
        return lane

    async def refresh(self) -> None:
        """Ask whichever server answers for the map as it is now; once for all who ask at the same time."""
        if self._slots is None:
            return
        if self._refreshing.locked():
            async with self._refreshing:
                return
        async with self._refreshing:
            for address in [ALONE, *self._known]:
                with contextlib.suppress(RedisError, OSError, TimeoutError, StoreError):
                    async with asyncio.timeout(self.settings.timeout):
                        await self._ask_for_map(address)
                        return

    async def _ask_for_map(self, address: Address) -> None:
        connection = self.connection(address)
        try:
            await connected(connection)
            self._slots = _slot_map(await _ask(connection, "CLUSTER", "SLOTS"), _host(connection))
            self._known = sorted({*self._known, *self._slots})
        finally:
            await connection.disconnect()

    async def close(self) -> None:
        """Close all lanes."""
        for lane in self._lanes.values():
            await lane.close()
        self._lanes.clear()
        await self._pool.disconnect()


async def _ask(connection: AbstractConnection, *command: str) -> Any:
    await connection.send_command(*command)
    return await connection.read_response()


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _facts(info: Any) -> Mapping[str, str]:
    if isinstance(info, dict):
        return {str(key): str(value) for key, value in info.items()}
    lines = _text(info).splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _host(connection: AbstractConnection) -> str:
    return str(getattr(connection, "host", ""))


def _slot_map(answer: Any, asked: str) -> list[Address]:
    """The master of each slot; a server that does not know its own name is the one that was asked."""
    slots: list[Address | None] = [None] * 16384
    for start, end, master, *_ in answer:
        address = (_text(master[0] or b"") or asked, int(master[1]))
        slots[int(start) : int(end) + 1] = [address] * (int(end) - int(start) + 1)
    if any(address is None for address in slots):
        raise StoreError("the cluster does not cover all slots")
    return [address for address in slots if address is not None]
