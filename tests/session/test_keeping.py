"""What happens by itself: archiving, expiry, and games that diverge or are too new."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.house import NOBODY, House
from turntable_rules import verify_record
from turntable_session.core.desk import Desk, Lifetimes, system_clock
from turntable_session.domain.settings import GameSettings
from turntable_session.problems import Problem
from turntable_session.store import names

pytestmark = pytest.mark.tree


async def test_a_finished_game_is_archived_once_and_served_from_the_archive(house: House) -> None:
    table = await house.table("card")
    await table.play()
    record = await house.sessions.get_record(NOBODY, table.id)
    result = await house.sessions.get_result(NOBODY, table.id)
    await house.core.keep_once()
    (path,) = (house.directory / "archive").rglob(f"{table.id}.json")
    assert json.loads(path.read_text()) == record and verify_record(record).valid
    written = path.stat().st_mtime_ns
    await house.core.keep_once()
    assert path.stat().st_mtime_ns == written
    await house.store.delete(table.id, f"card:{table.id}", b"")
    house.core.desk.forget(table.id)
    assert await house.sessions.get_record(NOBODY, table.id) == record
    assert await house.sessions.get_result(NOBODY, table.id) == result


async def test_a_record_is_written_before_the_store_lets_go(
    local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after writing and before marking, the game is archived again, to the same file."""
    table = await local.table("card")
    await table.play()

    async def killed(*_: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(local.store, "expire", killed)
    await local.core.keep_once()
    assert await local.core.archive.read(table.id) is not None
    assert await local.store.servers.lane(0).call(("PING",)) == b"PONG"
    monkeypatch.undo()
    local.now = system_clock() + 60_000
    await local.core.keep_once()
    bucket = int(table.id[:4])
    assert await local.store.servers.lane(bucket).call(("PTTL", names.log(table.id))) > 0


async def test_an_archive_write_that_was_cut_short_leaves_no_record(local: House) -> None:
    table = await local.table("card")
    await table.play()
    folder = local.directory / "archive" / table.id[:4]
    folder.mkdir(parents=True)
    (folder / f"{table.id}.4711.part").write_text('{"format": "turntable-re')
    assert await local.core.archive.read(table.id) is None
    await local.core.keep_once()
    assert verify_record(await local.core.archive.read(table.id)).valid


async def test_an_open_game_is_cancelled_after_a_day(local: House) -> None:
    game = (await local.sessions.create_game(NOBODY, GameSettings("usa", 2))).view.game.id
    local.now = system_clock() + 24 * 3600 * 1000 - 5_000
    await local.core.keep_once()
    assert (await local.sessions.get_game(NOBODY, game)).status == "open"
    local.now += 10_000
    await local.core.keep_once()
    assert (await local.sessions.get_game(NOBODY, game)).status == "cancelled"
    with pytest.raises(Problem) as caught:
        await local.sessions.take_seat(NOBODY, game, "Ann")
    assert caught.value.code == "game_finished"


async def test_a_game_nobody_touches_is_given_up_but_one_move_keeps_it(store_of, tmp_path: Path) -> None:
    lifetimes = Lifetimes(abandoned_ms=100_000)
    async with House(store_of("embedded").url, tmp_path, lifetimes=lifetimes) as house:
        house.now = system_clock()
        table = await house.table()
        house.now += 90_000
        await table.play(1)
        house.now += 20_000
        await house.core.keep_once()
        assert (await house.sessions.get_game(NOBODY, table.id)).status == "running"
        house.now += 80_000
        await house.core.keep_once()
        assert (await house.sessions.get_game(NOBODY, table.id)).status == "cancelled"


async def test_a_log_that_does_not_replay_stops_the_game_with_an_alert(local: House) -> None:
    table = await local.table("usa")
    await table.play(5)
    bucket, log = int(table.id[:4]), names.log(table.id)
    lane = local.store.servers.lane(bucket)
    entries = await local.store.entries(table.id, 1, 8)
    forged = [*entries[:6], entries[5], entries[7]]  # the move of version 6 once more in place of version 7
    await lane.call(("DEL", log))
    for version, entry in enumerate(forged, 1):
        await lane.call(("XADD", log, f"{version}-0", "e", entry))
    local.core.desk.forget(table.id)
    for _ in range(2):
        with pytest.raises(Problem) as caught:
            await local.sessions.get_view(table.caller(0), table.id)
        assert caught.value.code == "unavailable" and "does not replay" in caught.value.detail
    assert local.metrics.divergences._value.get() == 2


async def test_a_process_with_another_engine_refuses_the_game(local: House) -> None:
    table = await local.table("usa")

    class Newer(type(local.core.desk.rules)):  # type: ignore[misc]
        revision = 99

    desk = Desk(local.store, Newer(), local.metrics)
    with pytest.raises(Problem) as caught:
        await desk.fresh(table.id)
    assert caught.value.code == "unavailable"


async def test_refusals_commits_and_games_are_counted(local: House) -> None:
    table = await local.table("card")
    await table.play()
    with pytest.raises(Problem):
        await local.sessions.play_move(table.caller(0), table.id, 3, {"type": "draw_deck"})

    def counted(name: str, **labels: str) -> float:
        return local.metrics.registry.get_sample_value(f"turntable_session_{name}_total", labels) or 0.0

    version = (await local.sessions.get_game(NOBODY, table.id)).version
    assert counted("moves", edition="card") == counted("commits", kind="move", by="player") == version - 3
    assert counted("refusals", code="game_finished", clause="") == 1
    assert [
        counted("games", status=status, edition="card") for status in ("open", "running", "finished")
    ] == [1, 1, 1]
