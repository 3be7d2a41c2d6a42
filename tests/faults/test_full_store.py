"""The store has no memory or no disk left: moves are refused, nothing changes, and it goes on when there is room."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.house import NOBODY, House, Table
from tests.kit.house_load import (
    BINARIES,
    LEASE_SECONDS,
    eventually,
    first_move,
    impatient,
    killed_and_restarted,
    under_load,
)
from tests.kit.redis_servers import RedisServer, embedded_binary
from turntable_session.problems import Problem

pytestmark = [pytest.mark.tree, pytest.mark.timeout(100)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(embedded_binary(), tmp_path / "store", appendfsync="everysec") as running:
        yield running


async def refused(table: Table, key: str) -> Problem:
    """The problem of a move that the store cannot save, with nothing changed by it."""
    seat, version, number = await first_move(table)
    with pytest.raises(Problem) as caught:
        await table.house.sessions.play_move(table.caller(seat), table.id, version, number, key)
    assert (await table.house.sessions.get_game(NOBODY, table.id)).version == version
    return caught.value


async def test_a_full_store_refuses_and_goes_on_when_it_has_room(server: RedisServer, tmp_path: Path) -> None:
    async with under_load(impatient(server.url), tmp_path) as load, House(server.url, tmp_path) as house:
        table = await house.table("lyon")
        await table.play(5)
        server.ask("CONFIG", "SET", "maxmemory", 1)
        problem = await refused(table, "key")
        assert (problem.code, problem.detail) == ("unavailable", "the store is full")
        aim = load.counts["answer unavailable"] + 20
        await eventually(lambda: load.counts["answer unavailable"] > aim)
        acknowledged = load.counts["acknowledged"]
        server.ask("CONFIG", "SET", "maxmemory", 0)
        seat, version, number = await first_move(table)
        played = await house.sessions.play_move(table.caller(seat), table.id, version, number, "key")
        assert played.update.version == version + 1
        await load.progress(20)
        assert load.counts["acknowledged"] > acknowledged
        assert await load.judge(server.url) == []
    assert load.longest_pause() < LEASE_SECONDS + 2


@contextmanager
def full_disk(server: RedisServer, room: int) -> Iterator[None]:
    """No file of the server can grow by more than some bytes: its writes fail as on a full disk."""
    soft, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in server.directory.rglob("*") if path.is_file())
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size + room, hard))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("kind", BINARIES)
async def test_a_full_disk_refuses_moves_and_the_game_goes_on_when_there_is_space(
    kind: str, tmp_path: Path
) -> None:
    with RedisServer(BINARIES[kind](), tmp_path / "store", appendfsync="everysec") as server:
        async with under_load(impatient(server.url), tmp_path) as load, House(server.url, tmp_path) as house:
            table = await house.table("lyon")
            with full_disk(server, 2000):
                await eventually(lambda: load.counts["answer unavailable"] > 5)
                problem = await refused(table, "key")
                assert (problem.code, problem.detail) == ("unavailable", "the store refuses: MISCONF")
            seat, version, number = await first_move(table)
            await load.progress(20)
            played = await house.sessions.play_move(table.caller(seat), table.id, version, number, "key")
            assert played.update.version == version + 1
            await killed_and_restarted(server)
            await load.progress(20)
            assert await load.judge(server.url) == []
        assert load.longest_pause() < LEASE_SECONDS + 3
