"""The session service in this process: a core behind gRPC, asked through the remote adapter."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry

from turntable_session.client.remote import RemoteSessions
from turntable_session.core.port import Sessions
from turntable_session.server.app import SessionServer
from turntable_session.server.settings import Settings


async def always_ready() -> str | None:
    return None


@asynccontextmanager
async def served(core: Sessions) -> AsyncIterator[Sessions]:
    """The same core through gRPC."""
    server = SessionServer(Settings(port=0, grace_seconds=0.2), core, always_ready, CollectorRegistry())
    await server.start()
    remote = RemoteSessions(f"grpc://127.0.0.1:{server.port}")
    try:
        yield remote
    finally:
        await remote.close()
        await server.stop()
