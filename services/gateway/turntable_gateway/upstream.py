"""Where the gateway's games are: a core in this process with bot workers beside it, or a session service elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

from prometheus_client import CollectorRegistry

from turntable_gateway.settings import Settings
from turntable_gateway.workers import Workers
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.port import Sessions
from turntable_session.problems import Problem
from turntable_session.wiring import open_core, read_core_settings


class Upstream(NamedTuple):
    """The port of the core, whether it answers, what it counts, and where its games are kept, in words."""

    sessions: Sessions
    ready: Callable[[], Awaitable[str | None]]
    registry: CollectorRegistry
    place: str


@asynccontextmanager
async def upstream(settings: Settings, environment: Mapping[str, str]) -> AsyncIterator[Upstream]:
    """Open what the settings name, and close it in the end: the workers first, the store last."""
    if settings.session != "local":
        remote = RemoteSessions(settings.session)
        try:
            yield Upstream(remote, _answers(remote), CollectorRegistry(), settings.session)
        finally:
            await remote.close()
        return
    core_settings = read_core_settings(environment)
    core = await open_core(core_settings)
    try:
        async with Workers(core.address, core.sessions.secret, core_settings, settings.bot_workers):
            yield Upstream(core.sessions, core.ready, core.metrics.registry, core_settings.data)
    finally:
        await core.close()


def _answers(remote: RemoteSessions) -> Callable[[], Awaitable[str | None]]:
    async def ready() -> str | None:
        try:
            async with asyncio.timeout(3.0):
                await remote.list_games(limit=1)
        except (Problem, TimeoutError):
            return "the session service does not answer"
        return None

    return ready
