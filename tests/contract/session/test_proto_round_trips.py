"""Whatever the core says comes back from the messages as it went in, in every edition."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any, get_args

import pytest

import turntable_rules as engine
from tests.contract.session.samples import SETTINGS, through
from tests.kit.walks import Walk
from turntable_proto.game.v1 import event_pb2, move_pb2, record_pb2, result_pb2, view_pb2
from turntable_proto.rules.v1 import rules_service_pb2
from turntable_proto.session.v1 import game_pb2
from turntable_rules.engine.state import PHASE_NAMES
from turntable_rules.server.metrics import Metrics
from turntable_rules.server.referee import Referee
from turntable_rules.server.replay import Replay
from turntable_rules.server.to_proto import add_event
from turntable_session.core.answers import GameFacts, GameView, SeatFacts, Update
from turntable_session.domain.entries import Actor, Kind
from turntable_session.forms.results import result_form
from turntable_session.messages.games import (
    game_from_proto,
    game_to_proto,
    game_view_from_proto,
    game_view_to_proto,
    update_from_proto,
    update_to_proto,
)
from turntable_session.messages.records import record_to_proto
from turntable_session.vocabulary.events import event_from_proto, seen_event_from_proto, seen_event_to_proto
from turntable_session.vocabulary.moves import (
    legal_move_from_proto,
    legal_move_to_proto,
    move_from_proto,
    move_to_proto,
)
from turntable_session.vocabulary.views import (
    result_from_proto,
    result_to_proto,
    view_from_proto,
    view_to_proto,
)
from turntable_session.vocabulary.words import words_of

pytestmark = pytest.mark.tree

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    (edition.id, players, options)
    for edition in engine.EDITIONS.values()
    for players, options in (
        (edition.min_players, {"first_player": 1, "max_turns": 60}),
        (edition.max_players, {"peek_own_pile": [0, 1]} if edition.yards else {"longest_path": "no_fork"}),
    )
]
names = pytest.mark.parametrize(("edition", "players", "options"), GAMES, ids=lambda value: str(value)[:12])


def steps(
    edition: str, players: int, options: dict[str, object]
) -> Iterator[tuple[Walk, list[engine.Event]]]:
    """A whole random game; one seat leaves on the way if others are left."""
    walk = Walk(edition, players, 7, options)
    while not walk.finished:
        yield walk, walk.step()
        if players > 2 and len(walk.moves) == 50:
            yield walk, engine.retire(walk.state, engine.seats_to_act(walk.state)[0])


def same(found: Any, given: Any) -> None:
    """Equal, key order and types included: so that the JSON made of both is the same."""
    assert found == given
    assert repr(found) == repr(given)


@names
def test_views_come_back(edition: str, players: int, options: dict[str, object]) -> None:
    for count, (walk, _) in enumerate(steps(edition, players, options)):
        if count % 5 == 0 or walk.finished:
            for seat in (None, *range(players)):
                seen = engine.view(walk.state, seat)
                same(view_from_proto(through(view_pb2.View, view_to_proto(seen))), seen)


@names
def test_events_come_back_with_what_a_reader_may_know(
    edition: str, players: int, options: dict[str, object]
) -> None:
    for _, events in steps(edition, players, options):
        for event in events:
            for seat in (None, *range(players)):
                seen = event.seen_by(seat)
                same(seen_event_from_proto(through(event_pb2.Event, seen_event_to_proto(seen))), seen)


@names
def test_events_of_the_rules_service_come_back_with_both_parts(
    edition: str, players: int, options: dict[str, object]
) -> None:
    for _, events in steps(edition, players, options):
        outcome = rules_service_pb2.MoveOutcome()
        for event in events:
            add_event(outcome.events, event)
        for event, message in zip(events, outcome.events, strict=True):
            found = event_from_proto(message)
            assert vars(found) == vars(event)


@names
def test_moves_and_legal_moves_come_back(edition: str, players: int, options: dict[str, object]) -> None:
    for count, (walk, _) in enumerate(steps(edition, players, options)):
        if count % 7:
            continue
        for seat in engine.seats_to_act(walk.state):
            for action in engine.legal_actions(walk.state, seat):
                move = engine.move_to_json(engine.to_move(walk.state, seat, action))
                same(move_from_proto(through(move_pb2.Move, move_to_proto(move))), move)
                legal = {"id": action, **move}
                same(legal_move_from_proto(through(move_pb2.LegalMove, legal_move_to_proto(legal))), legal)


@names
def test_results_come_back(edition: str, players: int, options: dict[str, object]) -> None:
    for count, (walk, _) in enumerate(steps(edition, players, options)):
        if count % 40 == 0 or walk.finished:
            result = engine.result_to_json(engine.score(walk.state))
            same(result_from_proto(through(result_pb2.GameResult, result_to_proto(result))), result)
    assert result["ending"] != "running"
    decided = {**result, "winners": [0], "ending": "adjudicated"}
    same(result_from_proto(through(result_pb2.GameResult, result_to_proto(decided))), decided)


def facts(chance: Random, status: str, phase: str) -> GameFacts:
    clocks = [(None, None), (0, None), (60_001, 1_700_000_000_999), (None, 1_700_000_000_000)]
    seats = [
        SeatFacts(seat, name, kind, state, bot, connected, digest, *clocks[seat])
        for seat, (name, kind, state, bot, connected, digest) in enumerate(
            [
                ("Ann", "player", "active", "", True, "ab" * 32),
                ("", "open", "active", "", False, ""),
                ("greedy", "bot", "active", "greedy", False, ""),
                ("Bo", "player", chance.choice(["away", "retired"]), "planner", False, ""),
            ]
        )
    ]
    return GameFacts(
        id="0007abcdefghijklmnopqrstuvwx",
        version=2**40,
        status=status,
        settings=chance.choice(SETTINGS),
        seats=seats,
        seed_commitment="cd" * 32,
        seed_given=True,
        created=1_700_000_000_001,
        updated=1_700_000_000_999,
        active_seats=[0, 3],
        phase=phase,
    )


@pytest.mark.parametrize("status", ["open", "running", "frozen", "finished", "cancelled"])
def test_games_come_back_from_outside_and_inside(status: str) -> None:
    walk = Walk("europe", 4, 3).advance(40)
    for number, phase in enumerate(("", *PHASE_NAMES)):
        game = facts(Random(number), status, phase)
        assert game_from_proto(through(game_pb2.Game, game_to_proto(game))) == game
        result = engine.result_to_json(engine.score(walk.state)) if number % 2 else None
        for seat, view in ((None, None), (0, None), (2, engine.view(walk.state, 2))):
            seen = GameView(game, seat, view, 1_700_000_000_123, result)
            assert game_view_from_proto(through(game_pb2.GameView, game_view_to_proto(seen))) == seen


MOVES: list[dict[str, Any] | None] = [
    None,
    {"type": "keep_tickets"},
    {"type": "keep_tickets", "count": 0},
    {"type": "keep_tickets", "count": 2},
    {"type": "keep_tickets", "tickets": []},
    {"type": "keep_tickets", "tickets": ["t_boston_miami"]},
    {"type": "pass"},
    {"type": "claim", "route": "a_b", "payment": None},
    {"type": "claim", "route": "a_b", "payment": {"colour": None, "wagons": 0, "locos": 3}},
]


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_updates_come_back_with_as_much_of_a_choice_as_may_be_known(move: dict[str, Any] | None) -> None:
    events = [event.seen_by(0) for event in Walk("card", 2, 1).step()]
    for kind in get_args(Kind):
        for seat, phase, by in ((None, "", "host"), (0, "setup_tickets", "player"), (1, "finished", "clock")):
            update = Update(5, 1_700_000_000_007, "running", phase, [1], kind, by, seat, move, events)
            same(update_from_proto(through(game_pb2.Update, update_to_proto(update))), update)


def test_every_kind_of_entry_and_actor_has_its_word() -> None:
    for closed, enum in ((Kind, record_pb2.LogEntryKind), (Actor, record_pb2.Actor)):
        assert set(get_args(closed)) | {None} == set(words_of(enum.DESCRIPTOR).values())


@names
def test_a_record_as_a_message_replays(edition: str, players: int, options: dict[str, object]) -> None:
    """The record of a finished game, put into the message, is found sound by the rules service."""
    seed = bytes(range(32))
    rules = engine.ruleset(edition, players, options)
    state = engine.new_game(rules, seed)
    chance = Random(2)
    log: list[dict[str, Any]] = []
    while seats := engine.seats_to_act(state):
        seat = chance.choice(seats)
        action = chance.choice(engine.legal_actions(state, seat))
        typed = engine.to_move(state, seat, action)
        move = engine.move_to_json(typed) if len(log) % 2 else engine.format_move(typed)
        engine.play(state, seat, action)
        entry = {"kind": "move", "seat": seat, "by": "bot", "at": "2026-11-18T12:00:00.250Z", "move": move}
        log.append({**entry, "stateHash": engine.state_hash(state)})
        if len(log) == 9:
            log.append({"kind": "freeze", "by": "operator", "at": "2026-11-18T12:00:01.000Z"})
    record = {
        "format": "turntable-record/1",
        "id": "0001",
        "engine": engine.ENGINE_REVISION,
        "edition": edition,
        "options": rules.options.to_json(rules.edition),
        "players": players,
        "names": ["a"] * players,
        "boardDigest": rules.digest,
        "seed": seed.hex(),
        "seedCommitment": sha256(seed).hexdigest(),
        "log": log,
        "result": result_form(engine.result_to_json(engine.score(state))),
        "finalHash": engine.state_hash(state),
    }
    message = through(record_pb2.GameRecord, record_to_proto(record))
    assert message.log[0].commit_time.nanos == 250_000_000
    found = Replay(Referee(Metrics()), rules_service_pb2.ReplayGameRequest(record=message)).run()
    assert found.verdict == rules_service_pb2.REPLAY_VERDICT_OK, (found.verdict, found.index)
