"""What watchers hear when the news fails them: nothing is missed, and nobody is told of a loss that there was not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from redis.crc import key_slot

from tests.kit.fault_proxy import FaultProxy
from tests.kit.house import House, Table
from tests.kit.redis_servers import RedisCluster, RedisServer, embedded_binary
from turntable_session.core.following import Followed
from turntable_session.domain.ids import bucket_of
from turntable_session.problems import Problem
from turntable_session.store import names
from turntable_session.store.servers import StoreSettings

pytestmark = [pytest.mark.tree, pytest.mark.timeout(100)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(embedded_binary(), tmp_path / "store") as running:
        yield running


async def test_a_watcher_who_has_seen_more_elsewhere_is_not_told_of_a_loss(
    server: RedisServer, tmp_path: Path
) -> None:
    """The news of a version may reach a process later than a watcher who saw it at another one."""
    async with House(server.url, tmp_path) as one, House(server.url, tmp_path, secret=one.secret) as other:
        table = await one.table()
        followed = Followed(other.core.desk, table.id)
        known, _ = await followed.after(0)
        played = await table.move(Random(1))
        assert played.update.version == known.sheet.version + 1
        newest, commits = await followed.after(played.update.version)
        assert newest.sheet.version == played.update.version and commits == []


async def test_a_look_that_failed_is_made_again(server: RedisServer, tmp_path: Path) -> None:
    async with FaultProxy(server.port) as proxy:
        settings = StoreSettings(proxy.url, timeout=0.5, patience=0.0)
        async with House(proxy.url, tmp_path, store=settings) as house:
            table = await house.table()
            followed = Followed(house.core.desk, table.id)
            known, _ = await followed.after(0)
            await table.move(Random(1))
            followed.wake()
            await proxy.cut()
            with pytest.raises(Problem, match="does not answer"):
                await followed.after(known.sheet.version)
            await proxy.heal()
            _, commits = await followed.after(known.sheet.version)
            assert [commit.version for commit in commits] == [known.sheet.version + 1]


def move_slot(cluster: RedisCluster, slot: int, source: RedisServer, target: RedisServer) -> None:
    """As an operator who adds a server does."""
    new = target.ask("CLUSTER", "MYID")
    target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.ask("CLUSTER", "MYID"))
    source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", new)
    keys = source.ask("CLUSTER", "GETKEYSINSLOT", slot, 1000)
    source.ask("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
    for node in (target, source):
        node.ask("CLUSTER", "SETSLOT", slot, "NODE", new)


async def seconds_until_seen(table: Table, seen: dict[int, float], random: Random) -> float:
    """How long after a move a watcher sees it."""
    version = (await table.move(random)).update.version
    played = time.monotonic()
    async with asyncio.timeout(20):
        while version not in seen:
            await asyncio.sleep(0.01)
    return max(0.0, seen[version] - played)


async def test_watchers_hear_of_a_bucket_that_has_moved_to_another_server(tmp_path: Path) -> None:
    with RedisCluster(embedded_binary(), tmp_path / "store", replicas=0) as cluster:
        async with (
            House(cluster.url, tmp_path) as one,
            House(cluster.url, tmp_path, secret=one.secret) as other,
        ):
            table = await one.table()
            seen: dict[int, float] = {}

            async def watch() -> None:
                async for message in other.sessions.watch(table.caller(0), table.id, 0):
                    seen[message.version] = time.monotonic()  # type: ignore[union-attr]

            watching = asyncio.create_task(watch())
            random = Random(1)
            await seconds_until_seen(table, seen, random)
            bucket = bucket_of(table.id)
            _, port = one.store.servers.address_of(bucket)
            masters = sorted(cluster.masters(), key=lambda node: node.port != port)
            slot = key_slot(names.news(bucket).encode())
            await asyncio.to_thread(move_slot, cluster, slot, masters[0], masters[1])
            await seconds_until_seen(table, seen, random)
            late = [await seconds_until_seen(table, seen, random) for _ in range(3)]
            # Who hears nothing looks anyway, but only every five seconds.
            assert max(late) < 2.0, late
            assert sorted(seen) == list(range(1, max(seen) + 1))
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
