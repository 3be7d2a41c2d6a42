"""Session processes and bot workers are killed or stand still: others go on, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.kit.fault_load import FaultLoad
from tests.kit.fault_processes import BotWorker, Service, settings_for
from tests.kit.house import NOBODY
from tests.kit.house_load import LEASE_SECONDS
from tests.kit.redis_servers import RedisServer, embedded_binary
from tests.kit.stored_logs import LogReader
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.desk import system_clock
from turntable_session.core.keeper import LEASE_MS
from turntable_session.domain.ids import bucket_of
from turntable_session.domain.settings import Clock, GameSettings, Policies
from turntable_session.store.redis_store import RedisStore
from turntable_session.store.servers import StoreSettings

pytestmark = [pytest.mark.tree, pytest.mark.timeout(110)]

BOT_BUDGET = 0.5
BOT_LEASE = BOT_BUDGET + 5.0


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(embedded_binary(), tmp_path / "store", appendfsync="everysec") as running:
        yield running


@pytest.fixture
def settings(redis: RedisServer, tmp_path: Path) -> dict[str, str]:
    return settings_for(redis.url, str(tmp_path), bot_budget=str(BOT_BUDGET))


@asynccontextmanager
async def doors_to(*addresses: str) -> AsyncIterator[list[RemoteSessions]]:
    """Clients that give up soon, so that the load has to settle what they do not know."""
    async with AsyncExitStack() as stack:
        doors = [RemoteSessions(f"grpc://{address}", seconds=1.0) for address in addresses]
        for door in doors:
            stack.push_async_callback(door.close)
        yield doors


async def test_a_process_killed_again_and_again_loses_and_doubles_nothing(
    redis: RedisServer, settings: dict[str, str]
) -> None:
    with Service(settings) as service:
        async with (
            doors_to(service.address) as doors,
            FaultLoad(doors, games=4, idle=1, idle_ms=100, pace=0.0) as load,
        ):
            for _ in range(6):
                await load.progress(20)
                await asyncio.to_thread(service.restart)
            await load.progress(20)
            assert await load.judge(redis.url) == []
        assert load.longest_pause() < LEASE_SECONDS + 5


async def test_when_one_of_two_processes_dies_its_clients_go_on_with_the_other(
    redis: RedisServer, settings: dict[str, str]
) -> None:
    with Service(settings) as one, Service(settings) as other:
        both = (f"ipv4:{one.address},{other.address}", f"ipv4:{other.address},{one.address}")
        async with (
            doors_to(*both) as doors,
            FaultLoad(doors, games=4, idle=2, idle_ms=100, pace=0.0) as load,
        ):
            for victim in (one, other):
                await load.progress(30)
                await asyncio.to_thread(victim.kill)
                await load.progress(60)
                await asyncio.to_thread(victim.start)
            assert await load.judge(redis.url) == []
        assert load.longest_pause() < LEASE_SECONDS + 2


async def test_a_process_that_slept_past_deadlines_moves_nothing_twice_when_it_wakes(
    redis: RedisServer, settings: dict[str, str]
) -> None:
    """The other process enforces them meanwhile; players and watchers are at both."""
    with Service(settings) as sleeper, Service(settings) as other:
        async with (
            doors_to(sleeper.address, other.address) as doors,
            FaultLoad(doors, games=4, idle=3, idle_ms=200, pace=0.0) as load,
        ):
            for _ in range(2):
                await load.progress(20)
                sleeper.pause()
                aim = load.counts["felt"] + 1
                before = await idle_versions(doors[1], load)
                while load.counts["felt"] < aim:
                    await asyncio.sleep(0.02)
                while any(new < old + 2 for old, new in zip(before, await idle_versions(doors[1], load))):
                    await asyncio.sleep(0.1)
                sleeper.resume()
            await load.progress(20)
            assert await load.judge(redis.url) == []
        assert load.longest_pause() < LEASE_SECONDS + 2


async def idle_versions(door: RemoteSessions, load: FaultLoad) -> list[int]:
    """Where the clocks of the idle games are."""
    idle = [table for table in load.tables if table.is_idle]
    return [(await door.get_game(NOBODY, table.id)).version for table in idle]


async def test_a_process_killed_with_a_clock_in_its_hands_delays_it_by_one_lease_at_most(
    redis: RedisServer, settings: dict[str, str]
) -> None:
    store = RedisStore(StoreSettings(redis.url))
    await store.start()
    with Service({**settings, "tick_seconds": "0.2"}) as owner:
        async with doors_to(owner.address) as (door,):
            clock = Clock("move", turn_ms=1000, setup_ms=1000)
            created = await door.create_game(
                NOBODY, GameSettings("usa", 2, clock=clock, policies=Policies(timeout="auto"))
            )
            game = created.view.game.id
            for name in ("Ann", "Bo"):
                await door.take_seat(NOBODY, game, name)
            # What its keeper does first; killed then, it does nothing more.
            now = system_clock()
            leased = await store.lease(bucket_of(game), "clock", now + 1000, now + 1000 + LEASE_MS, 50)
            assert leased == [game]
            await asyncio.to_thread(owner.kill)
            died = time.monotonic()
            await asyncio.to_thread(owner.start)
            async with asyncio.timeout(LEASE_SECONDS + 10):
                while (await door.get_view(NOBODY, game, 3, 10.0)).game.version == 3:
                    pass
            assert LEASE_SECONDS - 1 < time.monotonic() - died < 1 + LEASE_SECONDS + 3
    await store.close()


async def test_a_bot_worker_killed_in_mid_game_delays_a_turn_by_one_lease_at_most(
    redis: RedisServer, settings: dict[str, str]
) -> None:
    with Service(settings) as service, BotWorker(settings) as worker:
        async with doors_to(service.address) as (door,):
            bots = GameSettings("card", 2, bots={0: "random", 1: "greedy"})
            games = [(await door.create_game(NOBODY, bots)).view.game.id for _ in range(4)]
            for version in (5, 25):
                await door.get_view(NOBODY, games[-1], version, 20.0)
                await asyncio.to_thread(worker.restart)
            finished = [asyncio.create_task(until_finished(door, game)) for game in games]
            await asyncio.wait_for(asyncio.gather(*finished), 60)
    store = RedisStore(StoreSettings(redis.url))
    await store.start()
    for game in games:
        log = await LogReader(store).read(game, {})
        assert log.faults == [] and [entry.version for entry in log.entries] == list(
            range(1, log.version + 1)
        )
        assert max(log.pauses()) < BOT_LEASE + 2
    await store.close()


async def until_finished(door: RemoteSessions, game: str) -> None:
    view = await door.get_view(NOBODY, game)
    while view.game.status != "finished":
        view = await door.get_view(NOBODY, game, view.game.version, 10.0)
