"""Clocks: absolute deadlines, enforced by whichever process looks, with the policy of the game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.kit.house import NOBODY, House, Table
from turntable_session.core.desk import system_clock
from turntable_session.domain.settings import Clock, Policies
from turntable_session.problems import Problem

pytestmark = pytest.mark.tree

BANK = Clock("bank", bank_ms=60_000, increment_ms=5_000, setup_ms=30_000)
MOVE = Clock("move", turn_ms=20_000, setup_ms=30_000)


async def timed_table(house: House, clock: Clock, policy: str, seats: int = 2) -> Table:
    """A table whose clocks begin to run at a known moment."""
    house.now = system_clock()
    return await house.table("usa", seats, clock=clock, policies=Policies(timeout=policy))  # type: ignore[arg-type]


async def choose_all(table: Table) -> None:
    for seat in table.tokens:
        sessions = table.house.sessions
        legal = await sessions.legal_moves(table.caller(seat), table.id)
        await sessions.play_move(table.caller(seat), table.id, legal.version, legal.moves[0]["id"])


def at(house: House, ms: int) -> None:
    assert house.now is not None
    house.now += ms


async def test_a_bank_is_charged_for_the_turn_and_gets_its_increment_at_the_end(local: House) -> None:
    table = await timed_table(local, BANK, "auto")
    await choose_all(table)
    start = local.now
    facts = await local.sessions.get_game(NOBODY, table.id)
    first = facts.active_seats[0]
    assert start is not None and facts.seats[first].deadline == start + 60_000
    assert facts.seats[1 - first].deadline is None
    at(local, 10_000)
    caller = table.caller(first)
    await local.sessions.play_move(caller, table.id, facts.version, {"type": "draw_deck"})
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert facts.seats[first].bank_ms == 50_000, "the second card belongs to the same turn"
    at(local, 7_000)
    await local.sessions.play_move(caller, table.id, facts.version, {"type": "draw_deck"})
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert facts.seats[first].bank_ms == 43_000 + 5_000
    assert facts.seats[1 - first].deadline == start + 17_000 + 60_000


async def test_a_clock_per_turn_runs_through_all_decisions_of_the_turn(local: House) -> None:
    table = await timed_table(local, MOVE, "auto")
    await choose_all(table)
    start = local.now or 0
    facts = await local.sessions.get_game(NOBODY, table.id)
    first = facts.active_seats[0]
    at(local, 8_000)
    await local.sessions.play_move(table.caller(first), table.id, facts.version, {"type": "draw_deck"})
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert facts.seats[first].deadline == start + 20_000
    await local.sessions.play_move(table.caller(first), table.id, facts.version, {"type": "draw_deck"})
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert facts.seats[1 - first].deadline == start + 28_000


async def test_nothing_happens_before_a_deadline(local: House) -> None:
    table = await timed_table(local, BANK, "auto")
    version = (await local.sessions.get_game(NOBODY, table.id)).version
    at(local, 29_999)
    await local.core.keep_once()
    assert (await local.sessions.get_game(NOBODY, table.id)).version == version


async def test_auto_plays_the_plainest_move_for_every_seat_that_is_late(local: House) -> None:
    table = await timed_table(local, BANK, "auto", 3)
    at(local, 30_000)
    await local.core.keep_once()
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert facts.phase == "turn_start" or facts.phase == "action"
    updates = (await local.sessions.list_updates(NOBODY, table.id, 4)).updates
    assert [(update.by, update.seat) for update in updates] == [("clock", 0), ("clock", 1), ("clock", 2)]
    view = await table.view(0)
    assert view.view is not None and len(view.view["you"]["tickets"]) == 2, (
        "COMMON-RESIGN-2: only the minimum"
    )
    at(local, 60_000)
    await local.core.keep_once()
    updates = (await local.sessions.list_updates(NOBODY, table.id, 7)).updates
    assert updates[0].move == {"type": "draw_deck"} and updates[0].by == "clock"


async def test_forfeit_retires_the_seat(local: House) -> None:
    table = await timed_table(local, MOVE, "forfeit")
    await choose_all(table)
    facts = await local.sessions.get_game(NOBODY, table.id)
    first = facts.active_seats[0]
    at(local, 20_000)
    await local.core.keep_once()
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert (facts.status, facts.seats[first].state) == ("finished", "retired")
    result = await local.sessions.get_result(NOBODY, table.id)
    assert (result["ending"], result["winners"]) == ("forfeit", [1 - first])


async def test_a_bot_takes_the_seat_over_until_its_player_returns(local: House) -> None:
    table = await timed_table(local, BANK, "bot")
    await choose_all(table)
    first = (await local.sessions.get_game(NOBODY, table.id)).active_seats[0]
    at(local, 60_000)
    await local.core.keep_once()
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert (facts.seats[first].state, facts.seats[first].bot) == ("away", "random")
    assert facts.seats[first].deadline is None
    with pytest.raises(Problem) as caught:
        await local.sessions.play_move(table.caller(first), table.id, facts.version, {"type": "draw_deck"})
    assert caught.value.code == "forbidden"
    await local.sessions.return_to_seat(table.caller(first), table.id)
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert (facts.seats[first].state, facts.seats[first].bot) == ("active", "")
    assert facts.seats[first].deadline == (local.now or 0) + 60_000
    await local.sessions.play_move(table.caller(first), table.id, facts.version, {"type": "draw_deck"})


async def test_a_frozen_game_has_no_deadline_and_loses_no_time(local: House) -> None:
    table = await timed_table(local, BANK, "forfeit")
    await choose_all(table)
    first = (await local.sessions.get_game(NOBODY, table.id)).active_seats[0]
    at(local, 50_000)
    await local.sessions.freeze_game(table.host, table.id)
    at(local, 1_000_000)
    await local.core.keep_once()
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert (facts.status, facts.seats[first].deadline) == ("frozen", None)
    await local.sessions.resume_game(table.host, table.id)
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert facts.seats[first].deadline == (local.now or 0) + 10_000


async def test_another_process_enforces_the_clock_and_only_one_does(local: House, tmp_path: Path) -> None:
    table = await timed_table(local, MOVE, "auto")
    await choose_all(table)
    async with House(local.url, tmp_path, secret=local.secret) as other:
        other.now = (local.now or 0) + 20_000
        local.now = other.now
        await asyncio.gather(local.core.keep_once(), other.core.keep_once(), other.core.keep_once())
        updates = (await other.sessions.list_updates(NOBODY, table.id, 5)).updates
        assert [update.by for update in updates] == ["clock", "clock"], "both cards of the one turn, once"


async def test_a_player_who_is_faster_than_the_clock_wins_the_race(local: House) -> None:
    table = await timed_table(local, MOVE, "forfeit")
    await choose_all(table)
    facts = await local.sessions.get_game(NOBODY, table.id)
    first = facts.active_seats[0]
    at(local, 20_000)
    for version in (facts.version, facts.version + 1):
        await local.sessions.play_move(table.caller(first), table.id, version, {"type": "draw_deck"})
    await local.core.keep_once()
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert (facts.seats[first].state, facts.active_seats) == ("active", [1 - first])
