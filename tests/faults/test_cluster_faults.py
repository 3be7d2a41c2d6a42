"""A master of a cluster dies or stands still under load: what was acknowledged is on its replica, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.kit.fault_clients import UNSETTLED
from tests.kit.fault_load import FaultLoad
from tests.kit.house import NOBODY, House
from tests.kit.house_load import BINARIES
from tests.kit.redis_servers import RedisCluster, RedisServer
from turntable_session.core.port import Caller
from turntable_session.domain.ids import bucket_of
from turntable_session.problems import Problem
from turntable_session.store.servers import StoreSettings

pytestmark = [pytest.mark.tree, pytest.mark.timeout(110)]


@pytest.fixture(params=BINARIES)
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisCluster]:
    binary = BINARIES[request.param]()
    with RedisCluster(binary, tmp_path / "store", node_timeout_ms=1000, appendfsync="always") as running:
        yield running


def acknowledged(url: str) -> StoreSettings:
    return StoreSettings(url, "acknowledged", replicas=1, timeout=1.0, patience=1.0)


@asynccontextmanager
async def under_load(cluster: RedisCluster, directory: Path) -> AsyncIterator[FaultLoad]:
    settings = acknowledged(cluster.url)
    async with (
        House(settings.url, directory, store=settings) as one,
        House(settings.url, directory, store=settings, secret=one.secret) as other,
        FaultLoad([one.sessions, other.sessions], games=6, pace=0.0) as load,
    ):
        await load.progress(40)
        yield load


async def test_a_master_killed_under_load_loses_no_acknowledged_move(
    cluster: RedisCluster, tmp_path: Path
) -> None:
    async with under_load(cluster, tmp_path) as load:
        for index in range(2):
            node = await asyncio.to_thread(cluster.kill_master, index)
            await asyncio.to_thread(cluster.wait_ok)
            await asyncio.to_thread(cluster.restart_node, node)
            await load.progress(60)
        assert await load.judge(cluster.url) == []
    assert load.counts["felt"] > 0


async def test_a_master_that_wakes_up_after_its_replica_was_promoted_acknowledges_nothing(
    cluster: RedisCluster, tmp_path: Path
) -> None:
    async with under_load(cluster, tmp_path) as load:
        master = cluster.masters()[1]
        master.pause()
        await asyncio.sleep(4.0)
        master.resume()
        await load.progress(60)
        await asyncio.to_thread(cluster.wait_ok)
        await load.progress(60)
        assert await load.judge(cluster.url) == []
    assert load.counts["felt"] > 0


async def test_a_move_that_only_its_master_has_is_never_acknowledged_by_repeating_it(
    cluster: RedisCluster, tmp_path: Path
) -> None:
    """The retry may come over another connection, or to a process that has the move from the log already."""
    settings = acknowledged(cluster.url)
    async with (
        House(settings.url, tmp_path, store=settings) as one,
        House(settings.url, tmp_path, store=settings, secret=one.secret) as other,
    ):
        table = await one.table("usa")
        await table.play(4)
        master = master_of(cluster, one, table.id)
        replica = replica_of(cluster, master)
        seat = (await one.sessions.get_game(NOBODY, table.id)).active_seats[0]
        legal = await one.sessions.legal_moves(table.caller(seat), table.id)
        asked = (table.caller(seat), table.id, legal.version, legal.moves[0]["id"], "key")
        replica.kill()
        for house in (one, other, one, other):
            with pytest.raises(Problem) as caught:
                await house.sessions.play_move(*asked)
            assert caught.value.code == "unconfirmed"
            # Both have seen it by now, in the master's log.
            assert (await house.sessions.get_game(NOBODY, table.id)).version == legal.version + 1
        master.kill()
        await asyncio.to_thread(replica.start)
        await asyncio.to_thread(cluster.wait_ok)
        assert (await other.sessions.get_game(NOBODY, table.id)).version == legal.version, "it was lost"
        await asyncio.to_thread(cluster.restart_node, master)
        played = await settled(one, asked)
        assert played == legal.version + 1
        assert (await other.sessions.get_game(NOBODY, table.id)).version == legal.version + 1


async def settled(house: House, asked: tuple[Caller, str, int, int, str]) -> int:
    """The version of a move that is repeated until it is confirmed."""
    async with asyncio.timeout(20):
        while True:
            try:
                return (await house.sessions.play_move(*asked)).update.version
            except Problem as problem:
                if problem.code not in UNSETTLED:
                    raise


async def test_confirmations_of_replicas_do_not_take_a_second(cluster: RedisCluster, tmp_path: Path) -> None:
    """A replica asked together with the write said what it had before the write, and nothing more for a second."""
    async with under_load(cluster, tmp_path) as load:
        await load.progress(200, seconds=15)


def master_of(cluster: RedisCluster, house: House, game: str) -> RedisServer:
    _, port = house.store.servers.address_of(bucket_of(game))
    return next(node for node in cluster.nodes if node.port == port)


def replica_of(cluster: RedisCluster, master: RedisServer) -> RedisServer:
    _, _, ((_, port, _),) = master.ask("ROLE")
    return next(node for node in cluster.nodes if node.port == int(port))
