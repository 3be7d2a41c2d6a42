"""Whole games, versions and refusals, the same on every store and behind every front."""

from __future__ import annotations

from random import Random

import pytest

from tests.kit.house import NOBODY, House
from turntable_rules import EDITIONS, verify_record
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings
from turntable_session.problems import Problem

pytestmark = pytest.mark.tree


@pytest.mark.parametrize("edition", EDITIONS)
async def test_a_game_is_played_to_its_end_and_its_record_is_valid(house: House, edition: str) -> None:
    table = await house.table(edition, 2)
    await table.play()
    game = await house.sessions.get_game(NOBODY, table.id)
    assert game.status == "finished"
    record = await house.sessions.get_record(NOBODY, table.id)
    verdict = verify_record(record)
    assert verdict.valid, verdict
    result = await house.sessions.get_result(NOBODY, table.id)
    assert result["winners"] == record["result"]["winners"]
    view = await table.view(0)
    assert view.result == result
    assert view.view is not None and view.view["revealed"]["seed"] == record["seed"]


async def test_versions_have_no_gaps_and_every_commit_has_its_update(house: House) -> None:
    table = await house.table("europe", 3)
    await table.play(40)
    updates = await house.sessions.list_updates(NOBODY, table.id, 0, 1000)
    assert [update.version for update in updates.updates] == list(range(1, 45))
    assert [update.kind for update in updates.updates[:4]] == ["create", "sit", "sit", "sit"]
    page = await house.sessions.list_updates(table.caller(1), table.id, 40, 2)
    assert [update.version for update in page.updates] == [41, 42] and page.next_after == 42


async def test_a_stale_version_is_refused_with_the_current_one(house: House) -> None:
    table = await house.table()
    await table.play(4)
    game = await house.sessions.get_game(NOBODY, table.id)
    seat = game.active_seats[0]
    legal = await house.sessions.legal_moves(table.caller(seat), table.id)
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(table.caller(seat), table.id, game.version - 1, legal.moves[0]["id"])
    assert caught.value.code == "stale_version"
    assert caught.value.facts["current_version"] == game.version
    assert (await house.sessions.get_game(NOBODY, table.id)).version == game.version


async def test_setup_choices_do_not_make_each_other_stale(house: House) -> None:
    table = await house.table("europe", 4)
    started = (await house.sessions.get_game(NOBODY, table.id)).version
    for seat in (2, 0, 3, 1):
        legal = await house.sessions.legal_moves(table.caller(seat), table.id)
        await house.sessions.play_move(table.caller(seat), table.id, started, legal.moves[0]["id"])
    assert (await house.sessions.get_game(NOBODY, table.id)).phase != "setup_tickets"


async def test_an_illegal_move_names_its_clause_and_changes_nothing(house: House) -> None:
    table = await house.table()
    await table.play(2)
    game = await house.sessions.get_game(NOBODY, table.id)
    seat = game.active_seats[0]
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(
            table.caller(seat), table.id, game.version, {"type": "keep_tickets", "tickets": []}
        )
    assert caught.value.code == "wrong_phase" and caught.value.facts["clause"]
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(table.caller(1 - seat), table.id, game.version, {"type": "draw_deck"})
    assert caught.value.code == "not_your_turn"
    route = {"type": "claim", "route": "nowhere", "payment": {"colour": "red", "wagons": 1, "locos": 0}}
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(table.caller(seat), table.id, game.version, route)
    assert (caught.value.code, caught.value.facts["reason"]) == ("illegal_move", "unknown_route")
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(table.caller(seat), table.id, game.version, {"type": "jump"})
    assert caught.value.code == "malformed"
    assert (await house.sessions.get_game(NOBODY, table.id)).version == game.version


async def test_moves_may_be_named_by_number_by_words_or_in_notation(house: House) -> None:
    table = await house.table()
    await table.play(2)
    for _ in range(2):
        game = await house.sessions.get_game(NOBODY, table.id)
        seat = game.active_seats[0]
        await house.sessions.play_move(table.caller(seat), table.id, game.version, {"type": "draw_deck"})
    game = await house.sessions.get_game(NOBODY, table.id)
    legal = await house.sessions.legal_moves(table.caller(game.active_seats[0]), table.id)
    assert all({"id", "type"} <= set(move) for move in legal.moves)
    other = 1 - game.active_seats[0]
    assert (await house.sessions.legal_moves(table.caller(other), table.id)).moves == []


async def test_nothing_can_be_played_before_the_start_and_after_the_end(house: House) -> None:
    created = await house.sessions.create_game(NOBODY, GameSettings("usa", 2))
    game = created.view.game.id
    seated = await house.sessions.take_seat(NOBODY, game, "Ann")
    caller = Caller(seated.token)
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(caller, game, seated.version, {"type": "draw_deck"})
    assert caught.value.code == "not_started"
    with pytest.raises(Problem) as caught:
        await house.sessions.get_result(NOBODY, game)
    assert caught.value.code == "not_finished"
    table = await house.table("card")
    await table.play()
    version = (await house.sessions.get_game(NOBODY, table.id)).version
    with pytest.raises(Problem) as caught:
        await house.sessions.play_move(table.caller(0), table.id, version, {"type": "draw_deck"})
    assert caught.value.code == "game_finished"


async def test_a_given_seed_gives_the_same_game_and_is_shown_as_given(house: House) -> None:
    seed = bytes(range(32))
    first = await house.table("lyon", 2, seed)
    second = await house.table("lyon", 2, seed)
    for table in (first, second):
        await table.play(30, Random(5))
    one, two = await first.view(0), await second.view(0)
    assert one.view == two.view and one.game.seed_given
    assert one.game.seed_commitment == two.game.seed_commitment


async def test_unknown_games_editions_and_options_are_refused(house: House) -> None:
    for game in ("", "nonsense", "0000" + "a" * 24, "9999" + "a" * 24, "0000{}" + "a" * 22):
        with pytest.raises(Problem) as caught:
            await house.sessions.get_game(NOBODY, game)
        assert caught.value.code == "not_found"
    for settings, code in (
        (GameSettings("atlantis", 2), "unknown_edition"),
        (GameSettings("usa", 2, {"speed": 3}), "unknown_option"),
        (GameSettings("usa", 9), "unknown_option"),
        (GameSettings("usa", 2, {"max_turns": 10**30}), "unknown_option"),
        (GameSettings("usa", 2, board="{}"), "bad_board"),
        (GameSettings("usa", 2, bots={0: "nobody"}), "malformed"),
        (GameSettings("usa", 2, bots={7: "random"}), "malformed"),
        (GameSettings("usa", 2, board=" " * 300_000), "too_large"),
    ):
        with pytest.raises(Problem) as caught:
            await house.sessions.create_game(NOBODY, settings)
        assert caught.value.code == code, (settings.edition, caught.value)
