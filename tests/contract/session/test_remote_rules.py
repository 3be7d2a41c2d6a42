"""The rules port has two adapters: in process and over a rules service. Both say the same, word for word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

import pytest
import pytest_asyncio

import turntable_rules as engine
from tests.kit.fan_boards import fan_board_text, line
from tests.kit.rules_server import ServerThread, serving
from turntable_session.domain.rules import MoveInput, Outcome, Position
from turntable_session.domain.settings import GameSettings
from turntable_session.problems import Problem
from turntable_session.rules.in_process import LocalRules
from turntable_session.rules.remote import RemoteRules

pytestmark = pytest.mark.tree

LOCAL = LocalRules()
GAMES = [
    GameSettings(edition.id, players, options)
    for edition in engine.EDITIONS.values()
    for players, options in (
        (edition.min_players, {"max_turns": 40, "first_player": 1}),
        (edition.max_players, {"peek_own_pile": [1]} if edition.yards else {"first_player": "random"}),
    )
]
by_game = pytest.mark.parametrize("settings", GAMES, ids=lambda one: f"{one.edition}-{one.seats}")


@pytest.fixture(scope="module")
def server() -> Iterator[ServerThread]:
    """A rules server with an event loop of its own."""
    with serving() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def remote(server: ServerThread) -> AsyncIterator[RemoteRules]:
    """The adapter under test."""
    rules = RemoteRules(server.address, seconds=30)
    await rules.start()
    yield rules
    await rules.close()


def told(outcome: Outcome) -> dict[str, Any]:
    """Everything an outcome says, but for the handle."""
    position = outcome.position
    return {
        "phase": position.phase,
        "active_seats": position.active_seats,
        "turn": position.turn,
        "is_finished": position.is_finished,
        "events": [vars(event) for event in outcome.events],
        "hash": outcome.hash,
        "move": outcome.move,
    }


async def refusal(asked: Any) -> tuple[str, str, list[str], dict[str, Any]]:
    with pytest.raises(Problem) as caught:
        await asked
    return caught.value.code, caught.value.detail, caught.value.faults, caught.value.facts


async def compare_refusals(
    remote: RemoteRules, here: Position, there: Position, seat: int, moves: list[MoveInput]
) -> None:
    for move in moves:
        try:
            await LOCAL.play(here, seat, move)
        except Problem:
            expected = await refusal(LOCAL.play(here, seat, move))
            assert await refusal(remote.play(there, seat, move)) == expected, move
        else:
            raise AssertionError(f"{move!r} is legal for seat {seat}")


@by_game
async def test_a_game_goes_the_same_way(remote: RemoteRules, settings: GameSettings) -> None:
    """Random moves in all three forms, a resignation, and at every step all that can be asked."""
    chance = Random(settings.edition + str(settings.seats))
    tables = await LOCAL.table(settings), await remote.table(settings)
    assert tables[0].board_digest == tables[1].board_digest
    seed = chance.randbytes(32)
    one, two = await LOCAL.deal(tables[0], seed), await remote.deal(tables[1], seed)
    assert told(one) == told(two)
    step = 0
    while not one.position.is_finished:
        here, there = one.position, two.position
        seat = chance.choice(here.active_seats)
        legal = await LOCAL.legal_moves(here, seat)
        if step % 6 == 0:
            assert await remote.legal_moves(there, seat) == legal
            for viewer in (None, *range(settings.seats)):
                assert await LOCAL.legal_moves(here, viewer or 0) == await remote.legal_moves(
                    there, viewer or 0
                )
                seen = await LOCAL.view(here, viewer)
                assert repr(await remote.view(there, viewer)) == repr(seen)
            assert repr(await remote.result(there)) == repr(await LOCAL.result(here))
            data = await LOCAL.pack(here)
            assert await remote.pack(there) == data
            assert told(Outcome(await remote.unpack(tables[1], data), [], b"", "")) == told(
                Outcome(await LOCAL.unpack(tables[0], data), [], b"", "")
            )
        if settings.seats > 2 and step == 45:
            one, two = await LOCAL.retire(here, seat), await remote.retire(there, seat)
        else:
            move = dict(chance.choice(legal))
            number = move.pop("id")
            text = engine.format_move(engine.move_from_json(move))
            form: MoveInput = (move, number, text)[step % 3]
            one, two = await LOCAL.play(here, seat, form), await remote.play(there, seat, form)
        assert told(one) == told(two)
        step += 1
    assert repr(await remote.result(two.position)) == repr(await LOCAL.result(one.position))
    await compare_refusals(remote, one.position, two.position, 0, ["draw_deck", 0, {"type": "pass"}])
    assert await refusal(remote.retire(two.position, 0)) == await refusal(LOCAL.retire(one.position, 0))


NONSENSE: list[MoveInput] = [
    "",
    "fly to the moon",
    "claim nowhere 1red",
    "claim nowhere 1red+1blue",
    "draw_row 7",
    "keep_tickets nothing",
    10**6,
    -5,
    10**12,
    -(10**12),
    {},
    {"type": "fly"},
    {"type": 7},
    {"type": "pass", "more": 1},
    {"type": "claim", "route": "nowhere"},
    {"type": "claim", "route": "nowhere", "payment": {"colour": "mauve", "wagons": 1, "locos": 0}},
    {"type": "claim", "route": "nowhere", "payment": {"colour": None, "wagons": 1, "locos": 0}},
    {"type": "play_same", "colour": "loco", "wagons": 2, "locos": 0},
    {"type": "play_three", "colours": ["red", "red", "mauve"]},
    {"type": "draw_row", "slot": -1},
    {"type": "build_station", "city": "nowhere", "payment": None},
    {"type": "keep_tickets", "tickets": []},
]


@by_game
async def test_refusals_have_the_same_code_clause_and_words(
    remote: RemoteRules, settings: GameSettings
) -> None:
    chance = Random(settings.edition)
    table, far_table = await LOCAL.table(settings), await remote.table(settings)
    here = (await LOCAL.deal(table, bytes(32))).position
    there = (await remote.deal(far_table, bytes(32))).position
    seen: set[str] = set()
    for step in range(60):
        if here.is_finished:
            break
        seat = chance.choice(here.active_seats)
        legal = await LOCAL.legal_moves(here, seat)
        if step < settings.seats + 12 or here.phase not in seen:
            seen.add(here.phase)
            refused = [move for move in NONSENSE if not is_legal(legal, move)]
            await compare_refusals(remote, here, there, seat, refused)
            others = [other for other in (*range(settings.seats), -1, 9) if other not in here.active_seats]
            for other in others:
                await compare_refusals(remote, here, there, other, ["draw_deck", "fly", legal[0]["id"]])
            assert await refusal(remote.retire(there, 9)) == await refusal(LOCAL.retire(here, 9))
        chosen = chance.choice(legal)["id"]
        here = (await LOCAL.play(here, seat, chosen)).position
        there = (await remote.play(there, seat, chosen)).position


def is_legal(legal: list[dict[str, Any]], move: MoveInput) -> bool:
    try:
        parsed = engine.parse_move(move) if isinstance(move, str) else engine.move_from_json(move)
    except engine.IllegalMove:
        return False
    listed = [{key: value for key, value in one.items() if key != "id"} for one in legal]
    return any(engine.move_from_json(one) == parsed for one in listed)


async def test_a_colour_goes_by_its_other_name_where_the_edition_has_one(remote: RemoteRules) -> None:
    """No message has the word, so it travels as text (USA2004-COLOUR-1)."""
    settings = GameSettings("usa-2004", 2)
    table, far_table = await LOCAL.table(settings), await remote.table(settings)
    here = (await LOCAL.deal(table, bytes(32))).position
    there = (await remote.deal(far_table, bytes(32))).position
    while True:
        seat = here.active_seats[0]
        legal = await LOCAL.legal_moves(here, seat)
        orange = [one for one in legal if one.get("payment", {}).get("colour") == "orange"]
        if orange:
            break
        here = (await LOCAL.play(here, seat, legal[0]["id"])).position
        there = (await remote.play(there, seat, legal[0]["id"])).position
    route, paid = orange[0]["route"], orange[0]["payment"]
    move = {"type": "claim", "route": route, "payment": {**paid, "colour": "brown"}}
    assert told(await remote.play(there, seat, move)) == told(await LOCAL.play(here, seat, move))


GOOD_BOARD = fan_board_text([line("x-y", 3), line("y-z", 2), line("x-z", 1)])
BAD_BOARD = fan_board_text([line("x-y", 99), *(line(f"y-p{number}", 0) for number in range(300))])
REFUSED = [
    GameSettings("no such edition", 2),
    GameSettings("", 2),
    GameSettings("usa", 1),
    GameSettings("usa", 6, {"max_turns": -1, "bogus": 1}),
    GameSettings("usa", -1),
    GameSettings("usa", 2, {f"bogus{number}": number for number in range(12)}),
    GameSettings("usa", 2, {"max_turns": "ten", "longest_path": "upwards", "first_player": True}),
    GameSettings("usa", 2, {"max_turns": True}),
    GameSettings("usa", 2, {"max_turns": 10**7}),
    GameSettings("usa", 2, {"max_turns": 10**15}),
    GameSettings("usa", 2, {"peek_own_pile": []}),
    GameSettings("card", 2, {"peek_own_pile": [0, 7]}),
    GameSettings("card", 2, {"start_score": 3}),
    GameSettings("card", 2, board=GOOD_BOARD),
    GameSettings("usa", 2, board="{"),
    GameSettings("usa", 2, board=BAD_BOARD),
    GameSettings("europe", 5, board=GOOD_BOARD.replace("long", "regular")),
]


@pytest.mark.parametrize("settings", REFUSED, ids=range(len(REFUSED)))
async def test_tables_are_refused_with_all_their_faults(remote: RemoteRules, settings: GameSettings) -> None:
    expected = await refusal(LOCAL.table(settings))
    assert await refusal(remote.table(settings)) == expected


async def test_a_fans_board_is_played_alike(remote: RemoteRules) -> None:
    settings = GameSettings("usa", 3, {}, GOOD_BOARD)
    table, far_table = await LOCAL.table(settings), await remote.table(settings)
    assert far_table.board_digest == table.board_digest
    assert await remote.table(settings) is far_table, "a table is judged once"
    one, two = await LOCAL.deal(table, bytes(32)), await remote.deal(far_table, bytes(32))
    while not one.position.is_finished:
        seat = one.position.active_seats[0]
        number = (await LOCAL.legal_moves(one.position, seat))[-1]["id"]
        one, two = await LOCAL.play(one.position, seat, number), await remote.play(two.position, seat, number)
        assert told(one) == told(two)


async def test_bytes_that_are_no_position_are_refused(remote: RemoteRules) -> None:
    settings = GameSettings("usa", 2)
    for rules in (LOCAL, remote):
        table = await rules.table(settings)
        data = await rules.pack((await rules.deal(table, bytes(32))).position)
        for broken in (b"", b"nonsense", data[:-1]):
            with pytest.raises(engine.BadPosition):
                await rules.unpack(table, broken)


async def test_the_revision_is_the_services(remote: RemoteRules) -> None:
    assert remote.revision == LOCAL.revision == engine.ENGINE_REVISION


async def test_a_service_with_another_engine_is_not_played_with(remote: RemoteRules) -> None:
    """A service may be replaced by a newer one under a game; its cards would fall differently."""
    table = await remote.table(GameSettings("usa", 2))
    position = (await remote.deal(table, bytes(32))).position
    remote.revision += 1
    for asked in (remote.deal(table, bytes(32)), remote.retire(position, 0)):
        assert (await refusal(asked))[:2] == (
            "unavailable",
            "the rules service has another engine than it had",
        )


async def test_moves_of_many_games_share_messages(server: ServerThread, remote: RemoteRules) -> None:
    settings = [GameSettings("usa", 2), GameSettings("europe", 3), GameSettings("card", 4)] * 40
    positions = [(await remote.deal(await remote.table(one), bytes(32))).position for one in settings]
    before = sum(server.server.metrics.batch.counts)
    legal = [(await LOCAL.legal_moves((await dealt(one)), 0))[-1]["id"] for one in settings]
    outcomes = await asyncio.gather(
        *(remote.play(position, 0, number) for position, number in zip(positions, legal, strict=True))
    )
    for one, outcome, number in zip(settings, outcomes, legal, strict=True):
        assert told(outcome) == told(await LOCAL.play(await dealt(one), 0, number))
    assert sum(server.server.metrics.batch.counts) - before < 20


async def dealt(settings: GameSettings) -> Position:
    return (await LOCAL.deal(await LOCAL.table(settings), bytes(32))).position


async def test_a_service_that_comes_back_is_found_again() -> None:
    with serving() as server:
        port = server.server.port
        remote = RemoteRules(server.address, seconds=20)
        await remote.start()
        table = await remote.table(GameSettings("usa", 2))
        position = (await remote.deal(table, bytes(32))).position
    number = (await LOCAL.legal_moves(await dealt(GameSettings("usa", 2)), 0))[-1]["id"]
    asked = asyncio.gather(
        remote.play(position, 0, number), remote.view(position, 0), remote.retire(position, 1)
    )
    await asyncio.sleep(0)
    with serving(port=port):
        played, seen, retired = await asked
        here = await dealt(GameSettings("usa", 2))
        assert told(played) == told(await LOCAL.play(here, 0, number))
        assert seen == await LOCAL.view(here, 0)
        assert told(retired) == told(await LOCAL.retire(here, 1))
        await remote.close()


async def test_a_service_that_stays_away_is_unavailable() -> None:
    with serving() as server:
        remote = RemoteRules(server.address, seconds=0.3)
        await remote.start()
        table = await remote.table(GameSettings("usa", 2))
        position = (await remote.deal(table, bytes(32))).position
    for asked in (
        remote.play(position, 0, 10),
        remote.view(position, 0),
        remote.deal(table, bytes(32)),
        remote.table(GameSettings("europe", 2)),
        remote.start(),
    ):
        assert (await refusal(asked))[0] == "unavailable"
    await remote.close()


async def test_a_position_shows_nobody_its_secrets(remote: RemoteRules) -> None:
    position = (await remote.deal(await remote.table(GameSettings("usa", 2)), bytes(32))).position
    assert repr(await remote.pack(position))[2:40] not in repr(position)
