"""A port `Sessions` whose answers a test decides, and a server in front of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from prometheus_client import CollectorRegistry

from turntable_session.client.remote import RemoteSessions
from turntable_session.core.answers import GameFacts
from turntable_session.domain.settings import GameSettings
from turntable_session.server.app import SessionServer
from turntable_session.server.settings import Settings

ANY_PORT = Settings(port=0, log_level="error", grace_seconds=5)


def game(name: str, version: int = 1) -> GameFacts:
    """Some game."""
    settings = GameSettings("usa", 2)
    return GameFacts(name, version, "open", settings, [], "ab" * 32, False, 1000, 1001, [], "")


class FakeSessions:
    """Every call is noted, then answered by `answer`, which may be slow or raise."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.cancelled: list[str] = []
        self.changed = asyncio.Condition()
        self.answer: Callable[..., Any] = lambda name, *args, **named: None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)

        async def call(*args: Any, **named: Any) -> Any:
            self.calls.append((name, args, named))
            await self._tell()
            try:
                answer = self.answer(name, *args, **named)
                return await answer if asyncio.iscoroutine(answer) else answer
            except asyncio.CancelledError:
                self.cancelled.append(name)
                await asyncio.shield(self._tell())
                raise

        return call

    async def watch(self, *args: Any) -> AsyncGenerator[Any, None]:
        """Whatever `answer` iterates over."""
        self.calls.append(("watch", args, {}))
        await self._tell()
        async for item in self.answer("watch", *args):
            yield item

    async def _tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that calls bring about."""
        async with asyncio.timeout(20), self.changed:
            await self.changed.wait_for(condition)


async def ready() -> str | None:
    """Always."""
    return None


async def started(sessions: Any, **changes: Any) -> SessionServer:
    """A server on a free port, or on the one given, for a test to stop."""
    server = SessionServer(replace(ANY_PORT, **changes), sessions, ready, CollectorRegistry())
    await server.start()
    return server


@asynccontextmanager
async def serving(sessions: Any, **changes: Any) -> AsyncIterator[SessionServer]:
    """A server for the time of a `with`."""
    server = await started(sessions, **changes)
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def connected(server: SessionServer, seconds: float = 20.0) -> AsyncIterator[RemoteSessions]:
    """A client of it."""
    remote = RemoteSessions(f"grpc://127.0.0.1:{server.port}", seconds=seconds)
    try:
        yield remote
    finally:
        await remote.close()
