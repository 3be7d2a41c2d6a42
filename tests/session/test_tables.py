"""Sitting down, leaving, bots in seats, private games, lists, and what hosts and operators may do."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.kit.house import NOBODY, OPERATOR, House
from turntable_rules import verify_record
from turntable_session.core.desk import system_clock
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings, Policies, Spectators
from turntable_session.problems import Problem

pytestmark = pytest.mark.tree


async def refusal(awaitable) -> Problem:
    with pytest.raises(Problem) as caught:
        await awaitable
    return caught.value


async def test_seats_are_taken_in_order_and_the_last_starts_the_game(house: House) -> None:
    sessions = house.sessions
    created = await sessions.create_game(NOBODY, GameSettings("usa", 3, bots={1: "random"}))
    game = created.view.game.id
    assert (created.view.game.status, created.view.game.version, created.view.view) == ("open", 1, None)
    ann = await sessions.take_seat(NOBODY, game, " Ann ")
    assert (ann.seat, ann.version) == (0, 2)
    assert (await refusal(sessions.take_seat(NOBODY, game, "Bo", 1))).code == "seat_taken"
    assert (await refusal(sessions.take_seat(NOBODY, game, "Bo", 3))).code == "malformed"
    assert (await refusal(sessions.take_seat(NOBODY, game, "  "))).code == "malformed"
    bo = await sessions.take_seat(NOBODY, game, "Bo")
    assert bo.seat == 2
    facts = await sessions.get_game(NOBODY, game)
    assert (facts.status, facts.active_seats) == ("running", [0, 1, 2])
    assert [(seat.name, seat.kind) for seat in facts.seats] == [
        ("Ann", "player"),
        ("random", "bot"),
        ("Bo", "player"),
    ]
    assert (await refusal(sessions.take_seat(NOBODY, game, "Cy"))).code in ("wrong_phase", "game_full")


async def test_a_player_leaves_an_open_game_and_the_seat_is_free_again(house: House) -> None:
    sessions = house.sessions
    game = (await sessions.create_game(NOBODY, GameSettings("usa", 2))).view.game.id
    ann = await sessions.take_seat(NOBODY, game, "Ann")
    assert (await refusal(sessions.leave_seat(NOBODY, game, 0))).code == "unauthenticated"
    assert (await refusal(sessions.leave_seat(Caller("tts_wrong"), game, 0))).code == "unauthenticated"
    await sessions.leave_seat(Caller(ann.token), game, 0)
    assert (await refusal(sessions.legal_moves(Caller(ann.token), game))).code == "unauthenticated"
    again = await sessions.take_seat(NOBODY, game, "Bo")
    assert (again.seat, again.version) == (0, 4)


async def test_the_host_puts_bots_into_seats_and_starts(house: House) -> None:
    sessions = house.sessions
    created = await sessions.create_game(NOBODY, GameSettings("europe", 4))
    game, host = created.view.game.id, Caller(created.host_token)
    assert (await refusal(sessions.assign_seat(NOBODY, game, 0, "random"))).code == "unauthenticated"
    assert (await refusal(sessions.assign_seat(host, game, 0, "nobody"))).code == "malformed"
    await sessions.assign_seat(host, game, 0, "random")
    await sessions.assign_seat(host, game, 1, "greedy")
    await sessions.assign_seat(host, game, 1, "")
    assert (await refusal(sessions.start_game(host, game))).code == "not_started"
    changed = await sessions.start_game(host, game, "greedy")
    facts = await sessions.get_game(NOBODY, game)
    assert (facts.version, facts.status) == (changed.version, "running")
    assert [seat.bot for seat in facts.seats] == ["random", "greedy", "greedy", "greedy"]


async def test_a_private_game_does_not_exist_for_strangers(house: House) -> None:
    sessions = house.sessions
    created = await sessions.create_game(NOBODY, GameSettings("usa", 2, visibility="private"))
    game, host = created.view.game.id, Caller(created.host_token)
    for caller in (NOBODY, Caller("tts_wrong"), Caller(created.host_token + "x")):
        for call in (sessions.get_game, sessions.get_view, sessions.legal_moves, sessions.resign):
            assert (await refusal(call(caller, game))).code == "not_found"
        assert (await refusal(sessions.take_seat(caller, game, "Eve"))).code == "not_found"
        assert (
            await refusal(sessions.take_seat(caller, game, "Eve", invite_code="tti_wrong"))
        ).code == "not_found"
    await sessions.take_seat(NOBODY, game, "Ann", invite_code=created.invite_code)
    await sessions.take_seat(host, game, "Bo")
    assert (await sessions.get_game(host, game)).status == "running"
    page = await sessions.list_games(limit=100)
    assert game not in [facts.id for facts in page.games]


async def test_lists_are_newest_first_paged_and_filtered(house: House) -> None:
    sessions = house.sessions
    made = []
    for number in range(7):
        house.now = system_clock() + number  # so that no two are made in one millisecond
        edition = "lyon" if number % 2 else "switzerland"
        made.append((await sessions.create_game(NOBODY, GameSettings(edition, 2))).view.game.id)
    hidden = await sessions.create_game(NOBODY, GameSettings("lyon", 2, visibility="unlisted"))
    found: list[str] = []
    cursor = ""
    while len(found) < 7:
        page = await sessions.list_games("open", "", 3, cursor)
        found += [facts.id for facts in page.games]
        cursor = page.next_cursor
        assert len(page.games) == 3 or not cursor
    assert found[:7] == made[::-1] and len(set(found)) == len(found)
    lyon = await sessions.list_games("open", "lyon", 3)
    assert [facts.id for facts in lyon.games] == [made[5], made[3], made[1]]
    everything = await sessions.list_games(limit=100)
    assert hidden.view.game.id not in [facts.id for facts in everything.games]
    assert (await refusal(sessions.list_games("asleep"))).code == "malformed"
    assert (await refusal(sessions.list_games(limit=101))).code == "malformed"
    assert (await refusal(sessions.list_games(cursor="nonsense!"))).code == "malformed"


async def test_resigning_retires_the_seat_or_leaves_it_to_a_bot(house: House) -> None:
    sessions = house.sessions
    table = await house.table("usa", 3)
    await sessions.resign(table.caller(1), table.id)
    facts = await sessions.get_game(NOBODY, table.id)
    assert facts.seats[1].state == "retired" and facts.status == "running"
    await sessions.resign(table.caller(2), table.id)
    result = await sessions.get_result(NOBODY, table.id)
    assert (result["ending"], result["winners"]) == ("forfeit", [0])
    assert verify_record(await sessions.get_record(NOBODY, table.id)).valid

    other = await house.table("usa", 2, policies=Policies(resign="bot"))
    await sessions.resign(other.caller(0), other.id)
    facts = await sessions.get_game(NOBODY, other.id)
    assert (facts.seats[0].state, facts.seats[0].bot, facts.status) == ("away", "random", "running")
    assert (await refusal(sessions.return_to_seat(other.caller(0), other.id))).code == "unauthenticated"


async def test_a_frozen_game_stands_still_until_it_is_resumed(house: House) -> None:
    sessions = house.sessions
    table = await house.table()
    await table.play(3)
    assert (await refusal(sessions.freeze_game(table.caller(0), table.id))).code == "forbidden"
    await sessions.freeze_game(table.host, table.id, "lunch")
    facts = await sessions.get_game(NOBODY, table.id)
    assert facts.status == "frozen"
    assert (await sessions.legal_moves(table.caller(facts.active_seats[0]), table.id)).moves == []
    caller = table.caller(facts.active_seats[0])
    refused = await refusal(sessions.play_move(caller, table.id, facts.version, {"type": "draw_deck"}))
    assert refused.code == "game_frozen"
    assert (await refusal(sessions.freeze_game(table.host, table.id))).code == "game_frozen"
    await sessions.resume_game(Caller(OPERATOR), table.id)
    assert (await refusal(sessions.resume_game(table.host, table.id))).code == "wrong_phase"
    await table.play()
    assert verify_record(await sessions.get_record(NOBODY, table.id)).valid


async def test_an_operator_decides_a_game(house: House) -> None:
    sessions = house.sessions
    table = await house.table("europe", 3)
    await table.play(20)
    assert (await refusal(sessions.adjudicate_game(table.host, table.id, [1]))).code == "forbidden"
    assert (await refusal(sessions.adjudicate_game(Caller(OPERATOR), table.id, [5]))).code == "malformed"
    decided = await sessions.adjudicate_game(Caller(OPERATOR), table.id, [1], "the others cheated")
    assert (decided.result["ending"], decided.result["winners"]) == ("adjudicated", [1])
    facts = await sessions.get_game(NOBODY, table.id)
    assert (facts.status, facts.active_seats) == ("finished", [])
    verdict = verify_record(await sessions.get_record(NOBODY, table.id))
    assert verdict.valid, verdict


async def test_a_host_deletes_an_open_game_and_an_operator_any(house: House) -> None:
    sessions = house.sessions
    created = await sessions.create_game(NOBODY, GameSettings("usa", 2))
    game = created.view.game.id
    assert (await refusal(sessions.delete_game(NOBODY, game))).code == "unauthenticated"
    await sessions.delete_game(Caller(created.host_token), game)
    assert (await refusal(sessions.get_game(NOBODY, game))).code == "not_found"
    table = await house.table()
    assert (await refusal(sessions.delete_game(table.host, table.id))).code == "wrong_phase"
    await sessions.delete_game(Caller(OPERATOR), table.id, "spam")
    assert (await refusal(sessions.get_view(table.caller(0), table.id))).code == "not_found"
    assert table.id not in [facts.id for facts in (await sessions.list_games(limit=100)).games]


async def test_a_game_without_spectators_shows_itself_to_its_players_only(house: House) -> None:
    table = await house.table("usa", 2, spectators=Spectators(allowed=False))
    assert (await refusal(house.sessions.get_view(NOBODY, table.id))).code == "forbidden"
    assert (await refusal(house.sessions.list_updates(NOBODY, table.id))).code == "forbidden"
    assert (await table.view(0)).view is not None


async def test_a_rematch_has_the_same_table_and_another_seed(house: House) -> None:
    sessions = house.sessions
    table = await house.table("card", 2)
    assert (await refusal(sessions.create_rematch(table.host, table.id))).code == "not_finished"
    await table.play()
    old = await sessions.get_game(NOBODY, table.id)
    assert (await refusal(sessions.create_rematch(NOBODY, table.id))).code == "unauthenticated"
    new = await sessions.create_rematch(table.caller(1), table.id, "again")
    same = await sessions.create_rematch(table.caller(1), table.id, "again")
    assert new.view.game.id == same.view.game.id != old.id
    assert new.view.game.settings == old.settings
    assert new.view.game.seed_commitment != old.seed_commitment


async def test_players_mix_their_own_chance_into_the_deal(house: House) -> None:
    sessions = house.sessions
    seed, entropies = bytes(32), [b"seven of hearts", b"a cold morning"]
    game = (await sessions.create_game(NOBODY, GameSettings("usa", 2), seed)).view.game.id
    tokens = []
    for entropy in entropies:
        promise = sha256(entropy).hexdigest()
        tokens.append((await sessions.take_seat(NOBODY, game, "Ann", entropy_hash=promise)).token)
    assert (await sessions.get_game(NOBODY, game)).status == "open"
    assert (await refusal(sessions.reveal_entropy(Caller(tokens[0]), game, b"other"))).code == "malformed"
    for token, entropy in zip(tokens, entropies, strict=True):
        await sessions.reveal_entropy(Caller(token), game, entropy)
    mixed = await sessions.get_view(Caller(tokens[0]), game)
    plain = await house.table("usa", 2, seed)
    assert mixed.game.status == "running"
    assert mixed.view is not None and mixed.view["you"] != ((await plain.view(0)).view or {})["you"]
    await sessions.resign(Caller(tokens[1]), game)
    record = await sessions.get_record(NOBODY, game)
    assert verify_record(record).valid
    record["entropies"][0]["entropy"] = b"another".hex()
    assert not verify_record(record).valid
