"""Clocks go on whatever else is broken."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.house import NOBODY, House
from tests.kit.house_load import LEASE_SECONDS, keeping
from tests.kit.redis_servers import RedisCluster, RedisServer, embedded_binary
from turntable_session.core.desk import system_clock
from turntable_session.domain.ids import bucket_of
from turntable_session.domain.settings import Clock, Policies
from turntable_session.store import names
from turntable_session.store.servers import StoreSettings

pytestmark = [pytest.mark.tree, pytest.mark.timeout(100)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(embedded_binary(), tmp_path / "store", appendfsync="everysec") as running:
        yield running


async def test_a_game_that_is_stopped_stops_no_other_clock(server: RedisServer, tmp_path: Path) -> None:
    """Clocks that run out together are leased together: one game that diverged kept all those behind it waiting."""
    settings = StoreSettings(server.url, buckets=1)
    async with House(server.url, tmp_path, store=settings) as house:
        clock = Clock("move", turn_ms=1000, setup_ms=1000)
        tables = [await house.table("usa", clock=clock, policies=Policies(timeout="auto")) for _ in range(6)]
        lane = house.store.servers.lane(0)
        stopped = sorted(table.id for table in tables)[0]
        await lane.call(("XDEL", names.log(stopped), "2-0"))
        house.core.desk.forget(stopped)
        house.now = system_clock() + 10_000
        await house.core.keep_once()
        versions = [(await house.sessions.get_game(NOBODY, table.id)).version
                    for table in tables if table.id != stopped]  # fmt: skip
        assert min(versions) > 3, versions


async def test_a_server_that_is_away_stops_no_clock_of_another(tmp_path: Path) -> None:
    with RedisCluster(embedded_binary(), tmp_path / "store", replicas=0) as cluster:
        # The others go on serving what they have.
        for node in cluster.nodes:
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
        async with House(cluster.url, tmp_path) as house, keeping(house):
            clock = Clock("move", turn_ms=300, setup_ms=300)
            tables = [
                await house.table("usa", clock=clock, policies=Policies(timeout="auto")) for _ in range(12)
            ]
            lost = cluster.masters()[1]
            living = [
                table
                for table in tables
                if house.store.servers.address_of(bucket_of(table.id))[1] != lost.port
            ]
            assert living
            await asyncio.to_thread(lost.kill)
            for table in living:
                version = (await house.sessions.get_game(NOBODY, table.id)).version
                end = time.monotonic() + LEASE_SECONDS + 2
                while (await house.sessions.get_game(NOBODY, table.id)).version < version + 2:
                    assert time.monotonic() < end, "a clock stands still"
                    await asyncio.sleep(0.05)
