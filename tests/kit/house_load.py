"""Cores in this process under load, on a store that a test breaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.kit.fault_load import FaultLoad
from tests.kit.house import NOBODY, House, Table
from tests.kit.redis_servers import RedisServer, embedded_binary
from tools.redis_binaries import redis_server
from turntable_session.core.keeper import LEASE_MS
from turntable_session.store.servers import StoreSettings

BINARIES = {"embedded": embedded_binary, "redis": redis_server}
LEASE_SECONDS = LEASE_MS / 1000


def impatient(url: str, durability: str = "everysec") -> StoreSettings:
    """Settings with which a fault reaches the players soon."""
    return StoreSettings(url, durability, timeout=0.5, patience=0.0)


@asynccontextmanager
async def keeping(house: House) -> AsyncIterator[House]:
    """The house with its clocks running."""
    house.core.tick_seconds = 0.05
    task = asyncio.create_task(house.core.keep())
    try:
        yield house
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def under_load(settings: StoreSettings, directory: Path) -> AsyncIterator[FaultLoad]:
    """Two cores on one store, players and watchers at both, and a game that only its clock plays."""
    async with (
        House(settings.url, directory, store=settings) as one,
        House(settings.url, directory, store=settings, secret=one.secret) as other,
        keeping(one),
        FaultLoad([one.sessions, other.sessions], games=4, idle=1, idle_ms=100, pace=0.0) as running,
    ):
        await running.progress(20)
        yield running


async def killed_and_restarted(server: RedisServer) -> float:
    """Kill a server and start it again; a time between the two when all its answers had arrived."""
    killed = await killed_now(server)
    await asyncio.to_thread(server.start)
    return killed


async def killed_now(server: RedisServer) -> float:
    """Kill a server; a time when it was dead and all its answers had arrived."""
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(0.1)
    return time.monotonic()


async def eventually(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


async def first_move(table: Table) -> tuple[int, int, int]:
    """Seat, version and number of the first legal move."""
    game = await table.house.sessions.get_game(NOBODY, table.id)
    seat = game.active_seats[0]
    legal = await table.house.sessions.legal_moves(table.caller(seat), table.id)
    return seat, legal.version, legal.moves[0]["id"]
