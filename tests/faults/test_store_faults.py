"""The store is killed, paused, cut off or slow under load: what was answered stays, once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.kit.fault_proxy import FaultProxy
from tests.kit.house import NOBODY, House
from tests.kit.house_load import (
    BINARIES,
    LEASE_SECONDS,
    first_move,
    impatient,
    killed_and_restarted,
    killed_now,
    under_load,
)
from tests.kit.redis_servers import RedisServer, embedded_binary
from turntable_session.problems import Problem
from turntable_session.store.scripts import COMMIT

pytestmark = [pytest.mark.tree, pytest.mark.timeout(100)]

EVERYSEC_LOSS = 2.0
"""Seconds that `everysec` may lose when the server is killed: it puts writes off while the disk is busy syncing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(embedded_binary(), tmp_path / "store", appendfsync="everysec") as running:
        yield running


@pytest.fixture
async def proxy(server: RedisServer) -> AsyncIterator[FaultProxy]:
    async with FaultProxy(server.port) as running:
        yield running


@pytest.mark.parametrize("kind", BINARIES)
async def test_a_store_killed_again_and_again_loses_nothing_acknowledged(kind: str, tmp_path: Path) -> None:
    with RedisServer(BINARIES[kind](), tmp_path / "store", appendfsync="always") as server:
        async with under_load(impatient(server.url, "acknowledged"), tmp_path) as load:
            for _ in range(5):
                await killed_and_restarted(server)
                await load.progress(20)
            assert await load.judge(server.url) == []
        assert load.counts["felt"] > 0 and load.longest_pause() < LEASE_SECONDS + 2


@pytest.mark.parametrize("kind", BINARIES)
async def test_a_store_killed_between_syncs_loses_no_more_than_declared(kind: str, tmp_path: Path) -> None:
    with RedisServer(BINARIES[kind](), tmp_path / "store", appendfsync="everysec") as server:
        async with under_load(impatient(server.url), tmp_path) as load:
            since = time.monotonic() - EVERYSEC_LOSS
            killed = await killed_and_restarted(server)
            await load.progress(40)
            assert await load.judge(server.url, lossy_since=since, lossy_until=killed) == []


def newest_log(server: RedisServer) -> Path:
    (path,) = (server.directory / "appendonlydir").glob("*.incr.aof")
    return path


async def test_a_store_that_lost_its_last_moves_goes_on_from_those_it_has(
    server: RedisServer, tmp_path: Path
) -> None:
    """Whoever knew the lost moves, in memory or on a screen, begins again; and the loss is not overlooked."""
    async with under_load(impatient(server.url), tmp_path) as load:
        log = newest_log(server)
        since, size = time.monotonic(), log.stat().st_size
        await load.progress(30)
        killed = await killed_now(server)
        with log.open("r+b") as file:
            file.truncate(size + 2000)
        await asyncio.to_thread(server.start)
        await load.progress(60)
        assert await load.judge(server.url, lossy_since=since, lossy_until=killed) == []
    assert any(": lost: " in undeclared for undeclared in load.violations())


async def test_a_store_that_stood_still_and_wakes_up_late_applies_nothing_twice(
    server: RedisServer, tmp_path: Path
) -> None:
    async with under_load(impatient(server.url), tmp_path) as load:
        for _ in range(2):
            server.pause()
            await asyncio.sleep(1.5)
            server.resume()
            await load.progress(20)
        assert await load.judge(server.url) == []
    assert load.counts["felt"] > 0 and load.longest_pause() < LEASE_SECONDS + 2


BROKEN = ["cut", "refused", "hung", "answers hung", "too slow"]


@pytest.mark.parametrize("kind", [*BROKEN, "slow", "trickling"])
async def test_a_bad_connection_loses_and_doubles_nothing(
    kind: str, server: RedisServer, proxy: FaultProxy, tmp_path: Path
) -> None:
    async with under_load(impatient(proxy.url), tmp_path) as load:
        match kind:
            case "cut" | "refused":
                await proxy.cut(refuse=kind == "refused")
            case "hung" | "answers hung":
                proxy.hang(requests=kind == "hung")
            case "too slow" | "slow":
                proxy.slow(delay=0.5 if kind == "too slow" else 0.1)
            case "trickling":
                proxy.slow(bytes_per_second=4000)
        await asyncio.sleep(1.2)
        await proxy.heal()
        await load.progress(40)
        assert await load.judge(server.url) == []
    assert load.longest_pause() < LEASE_SECONDS + 2
    if kind in BROKEN:
        assert load.counts["felt"] > 0


async def test_a_move_whose_answer_was_lost_is_found_by_the_core_itself(
    proxy: FaultProxy, tmp_path: Path
) -> None:
    async with House(proxy.url, tmp_path) as house:
        table = await house.table("europe")
        for lost in range(1, 6):
            seat, version, number = await first_move(table)
            proxy.lose_answers(to=COMMIT.digest.encode())
            played = await house.sessions.play_move(table.caller(seat), table.id, version, number)
            assert proxy.answers_lost == lost and counted(house) == lost
            assert played.update.version == version + 1
            assert (await house.sessions.get_game(NOBODY, table.id)).version == version + 1


async def test_a_retry_after_a_lost_answer_gets_the_first_answer(proxy: FaultProxy, tmp_path: Path) -> None:
    settings = impatient(proxy.url)
    async with (
        House(proxy.url, tmp_path, store=settings) as one,
        House(proxy.url, tmp_path, store=settings, secret=one.secret) as other,
    ):
        table = await one.table("europe")
        for house in (one, other, one, other):
            seat, version, number = await first_move(table)
            asked = (table.caller(seat), table.id, version, number, f"key {version}")
            proxy.lose_answers(to=COMMIT.digest.encode())
            with pytest.raises(Problem, match="does not answer"):
                await one.sessions.play_move(*asked)
            before = counted(house)
            played = await house.sessions.play_move(*asked)
            assert played.update.version == version + 1 and counted(house) == before + 1
            assert (await one.sessions.get_game(NOBODY, table.id)).version == version + 1


def counted(house: House) -> float:
    """How many requests were answered again from the log."""
    return house.metrics.repeats._value.get()


async def test_lost_answers_under_load_double_nothing(
    server: RedisServer, proxy: FaultProxy, tmp_path: Path
) -> None:
    async with under_load(impatient(proxy.url), tmp_path) as load:
        for after in (0, 1, 5):
            proxy.lose_answers(to=COMMIT.digest.encode(), after=after, times=15)
            await asyncio.wait_for(proxy.all_lost.wait(), 20)
        await load.progress(20)
        assert await load.judge(server.url) == []
    assert load.counts["settled"] > 5
