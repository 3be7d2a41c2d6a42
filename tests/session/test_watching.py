"""Watching: every update once, in order, from any version, as far as the watcher may see it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.kit.house import NOBODY, House, Table
from turntable_session.core.answers import GameView, Update
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings, Spectators
from turntable_session.problems import Problem

pytestmark = pytest.mark.tree


async def all_of(stream: AsyncIterator[GameView | Update]) -> list[GameView | Update]:
    return [message async for message in stream]


def versions(messages: list[GameView | Update]) -> list[int]:
    return [message.version for message in messages if isinstance(message, Update)]


async def test_a_watcher_gets_the_view_and_then_every_update_once(house: House, tmp_path: Path) -> None:
    async with House(house.url, tmp_path, front=house.front, secret=house.secret) as other:
        table = await house.table("card")
        watching = [
            asyncio.create_task(all_of(house.sessions.watch(table.caller(0), table.id))),
            asyncio.create_task(all_of(other.sessions.watch(table.caller(1), table.id))),
            asyncio.create_task(all_of(other.sessions.watch(NOBODY, table.id))),
        ]
        await asyncio.sleep(0.3)
        played = await table.play()
        for messages in await asyncio.gather(*(asyncio.wait_for(task, 30) for task in watching)):
            assert isinstance(messages[0], GameView)
            assert versions(messages[1:]) == list(range(4, 4 + played))
            assert len(messages) == played + 1


async def test_a_watch_resumes_after_any_version(house: House) -> None:
    table = await house.table("lyon")
    played = await table.play()
    last = played + 3
    for after in (0, 1, 3, 40, last - 1):
        messages = await asyncio.wait_for(all_of(house.sessions.watch(table.caller(1), table.id, after)), 20)
        assert versions(messages) == list(range(after + 1, last + 1))
    assert await asyncio.wait_for(all_of(house.sessions.watch(NOBODY, table.id, last)), 20) == []


async def test_an_update_tells_each_reader_what_it_may_know(house: House) -> None:
    table = await house.table("usa")
    legal = await house.sessions.legal_moves(table.caller(0), table.id)
    await house.sessions.play_move(table.caller(0), table.id, legal.version, legal.moves[-1]["id"])
    await table.play(1)
    choice = [(await house.sessions.list_updates(caller, table.id, 3, 1)).updates[0] for caller in
              (table.caller(0), table.caller(1), NOBODY)]  # fmt: skip
    assert choice[0].move is not None and choice[0].move["tickets"]
    assert choice[1].move == choice[2].move == {"type": "keep_tickets"}, "INFO-11: at setup not even how many"
    await table.play(1, Random(0))
    game = await house.sessions.get_game(NOBODY, table.id)
    seat = game.active_seats[0]
    if game.phase == "turn_start":
        await house.sessions.play_move(table.caller(seat), table.id, game.version, {"type": "draw_deck"})
        seen = [(await house.sessions.list_updates(caller, table.id, game.version, 1)).updates[0].events for caller in
                (table.caller(seat), table.caller(1 - seat), NOBODY)]  # fmt: skip
        assert "card" in seen[0][0] and "card" not in seen[1][0] and seen[1] == seen[2]


async def test_seats_and_the_start_are_updates_too(house: House) -> None:
    game = (await house.sessions.create_game(NOBODY, GameSettings("usa", 2))).view.game.id
    watching = asyncio.create_task(all_of(house.sessions.watch(NOBODY, game, 0)))
    for name in ("Ann", "Bo"):
        await house.sessions.take_seat(NOBODY, game, name)
    token = (await house.sessions.list_updates(NOBODY, game)).updates
    assert [(update.kind, update.status) for update in token] == [
        ("create", "open"),
        ("sit", "open"),
        ("sit", "running"),
    ]
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def test_a_view_waits_for_the_next_version(house: House, tmp_path: Path) -> None:
    async with House(house.url, tmp_path, front=house.front, secret=house.secret) as other:
        table = await house.table()
        version = (await house.sessions.get_game(NOBODY, table.id)).version
        same = await other.sessions.get_view(table.caller(0), table.id, version, 0.2)
        assert same.game.version == version
        waiting = asyncio.create_task(other.sessions.get_view(table.caller(0), table.id, version, 20.0))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        await table.move(Random(1))
        assert (await asyncio.wait_for(waiting, 5)).game.version == version + 1


async def spectator_versions(table: Table, delay: int) -> list[tuple[int, int]]:
    """What a spectator could see after each move, beside the turn that was being played."""
    seen = []
    random = Random(4)
    for _ in range(60):
        await table.move(random)
        present, late = await table.view(0), await table.view()
        assert present.view is not None
        if late.view is not None:
            seen.append((present.view["turn"], late.view["turn"]))
            assert late.view["turn"] <= max(1, present.view["turn"] - delay)
    return seen


async def test_spectators_lag_behind_by_some_turns_and_see_everything_at_the_end(local: House) -> None:
    table = await local.table("usa", 2, spectators=Spectators(delay_turns=3))
    watching = asyncio.create_task(all_of(local.sessions.watch(NOBODY, table.id, 0)))
    seen = await spectator_versions(table, 3)
    assert seen and max(turn - late for turn, late in seen) == 3
    log = await local.sessions.list_updates(NOBODY, table.id, 0, 1000)
    behind = await table.view()
    assert log.updates[-1].version == behind.game.version < (await table.view(0)).game.version
    await table.play()
    last = (await table.view(0)).game.version
    assert (await table.view()).game.version == last
    assert versions(await asyncio.wait_for(watching, 20)) == list(range(1, last + 1))


async def test_a_watcher_of_a_deleted_game_is_told(house: House) -> None:
    from tests.kit.house import OPERATOR

    table = await house.table()
    watching = asyncio.create_task(all_of(house.sessions.watch(table.caller(0), table.id)))
    await asyncio.sleep(0.3)
    await house.sessions.delete_game(Caller(OPERATOR), table.id)
    with pytest.raises(Problem) as caught:
        await asyncio.wait_for(watching, 20)
    assert caught.value.code == "not_found"
