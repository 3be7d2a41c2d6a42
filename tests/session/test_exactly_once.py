"""Retries, races and caches: every request is applied once, every version has one winner."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.kit.house import NOBODY, House
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings
from turntable_session.problems import Problem

pytestmark = pytest.mark.tree


async def test_a_repeated_move_gives_the_first_answer_as_of_that_version(house: House) -> None:
    table = await house.table("europe")
    random = Random(3)
    answers = []
    for number in range(30):
        game = await house.sessions.get_game(NOBODY, table.id)
        seat = game.active_seats[0]
        legal = await house.sessions.legal_moves(table.caller(seat), table.id)
        asked = (
            table.caller(seat),
            table.id,
            legal.version,
            random.choice(legal.moves)["id"],
            f"key {number}",
        )
        answers.append((asked, await house.sessions.play_move(*asked)))
    for asked, first in answers[::5]:
        again = await house.sessions.play_move(*asked)
        assert again.update == first.update
        assert again.view is not None and first.view is not None
        assert again.view.view == first.view.view
        assert again.view.game.version == first.view.game.version
    assert (await house.sessions.get_game(NOBODY, table.id)).version == 33


async def test_a_key_used_for_another_request_is_refused(house: House) -> None:
    table = await house.table()
    seat = table.caller(0)
    legal = await house.sessions.legal_moves(seat, table.id)
    await house.sessions.play_move(seat, table.id, legal.version, legal.moves[0]["id"], "key")
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(seat, table.id, legal.version, legal.moves[1]["id"], "key")
    assert caught.value.code == "idempotency_mismatch"


async def test_a_refused_request_is_not_remembered(house: House) -> None:
    table = await house.table()
    seat = table.caller(0)
    legal = await house.sessions.legal_moves(seat, table.id)
    with pytest.raises(Problem):
        await house.sessions.play_move(seat, table.id, 1, legal.moves[0]["id"], "key")
    played = await house.sessions.play_move(seat, table.id, legal.version, legal.moves[0]["id"], "key")
    assert played.update.version == legal.version + 1


async def test_keys_count_per_caller(house: House) -> None:
    table = await house.table()
    for seat in (0, 1):
        legal = await house.sessions.legal_moves(table.caller(seat), table.id)
        await house.sessions.play_move(
            table.caller(seat), table.id, legal.version, legal.moves[0]["id"], "same"
        )
    assert (await house.sessions.get_game(NOBODY, table.id)).version == 5


async def test_a_repeated_creation_and_seat_give_the_same_tokens(house: House) -> None:
    here, there = Caller("", "10.0.0.1"), Caller("", "10.0.0.2")
    settings = GameSettings("usa", 3, visibility="private")
    first = await house.sessions.create_game(here, settings, None, "new")
    again = await house.sessions.create_game(here, settings, None, "new")
    assert (again.view.game.id, again.host_token) == (first.view.game.id, first.host_token)
    assert again.invite_code == first.invite_code != ""
    assert again.view.game.seed_commitment == first.view.game.seed_commitment
    other = await house.sessions.create_game(there, settings, None, "new")
    assert other.view.game.id != first.view.game.id
    with pytest.raises(Problem) as caught:
        await house.sessions.create_game(here, GameSettings("usa", 2), None, "new")
    assert caught.value.code == "idempotency_mismatch"
    game = first.view.game.id
    sit = await house.sessions.take_seat(here, game, "Ann", invite_code=first.invite_code, key="sit")
    sit_again = await house.sessions.take_seat(here, game, "Ann", invite_code=first.invite_code, key="sit")
    assert sit_again == sit
    third = await house.sessions.take_seat(there, game, "Bo", invite_code=first.invite_code, key="sit")
    assert (third.seat, third.token != sit.token) == (1, True)


async def test_two_processes_see_each_others_moves_whatever_they_have_in_memory(
    house: House, tmp_path: Path
) -> None:
    async with House(house.url, tmp_path, front=house.front, secret=house.secret) as other:
        table = await house.table("switzerland")
        random = Random(2)
        houses = [house, other]
        for number in range(60):
            played = await table.move(random, house=houses[number % 2 if number < 20 else number // 7 % 2])
            assert played.update.version == number + 4
        one = await house.sessions.get_view(table.caller(0), table.id)
        two = await other.sessions.get_view(table.caller(0), table.id)
        assert one.view == two.view


@pytest.mark.parametrize("kind", ["embedded", "cluster"])
async def test_of_many_racing_writers_one_wins_each_version(store_of, tmp_path: Path, kind: str) -> None:
    """100 writers in 4 processes' worth of cores, 50 rounds: exactly one winner per version."""
    secret = b"r" * 32
    async with (
        House(store_of(kind).url, tmp_path, secret=secret) as one,
        House(store_of(kind).url, tmp_path, secret=secret) as two,
        House(store_of(kind).url, tmp_path, secret=secret) as three,
        House(store_of(kind).url, tmp_path, secret=secret) as four,
    ):
        houses = [one, two, three, four]
        table = await one.table("usa")
        await table.play(2)
        random = Random(9)
        for round_number in range(50):
            game = await one.sessions.get_game(NOBODY, table.id)
            seat = game.active_seats[0]
            legal = await one.sessions.legal_moves(table.caller(seat), table.id)

            async def write(
                number: int, seat: int = seat, version: int = game.version, moves=legal.moves
            ) -> str:
                try:
                    chosen = random.choice(moves)["id"]
                    house = houses[number % 4]
                    key = f"{version} {number}"
                    await house.sessions.play_move(table.caller(seat), table.id, version, chosen, key, False)
                except Problem as problem:
                    return problem.code
                return "won"

            outcomes = await asyncio.gather(*(write(number) for number in range(100)))
            assert outcomes.count("won") == 1, (round_number, outcomes)
            assert set(outcomes) == {"won", "stale_version"}
        updates = await two.sessions.list_updates(NOBODY, table.id, 0, 1000)
        assert [update.version for update in updates.updates] == list(range(1, 56))


async def test_simultaneous_setup_choices_all_count(house: House) -> None:
    table = await house.table("usa", 5)
    started = (await house.sessions.get_game(NOBODY, table.id)).version

    async def choose(seat: int) -> int:
        legal = await house.sessions.legal_moves(table.caller(seat), table.id)
        played = await house.sessions.play_move(table.caller(seat), table.id, started, legal.moves[-1]["id"])
        return played.update.version

    versions = await asyncio.gather(*(choose(seat) for seat in range(5)))
    assert sorted(versions) == list(range(started + 1, started + 6))
    assert (await house.sessions.get_game(NOBODY, table.id)).phase == "turn_start"
