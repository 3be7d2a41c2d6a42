"""Whole games refereed over a real channel are the games the engine plays in process."""

from __future__ import annotations

import itertools
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest

import turntable_rules as engine
from tests.kit.messages import event_of, move_text, result_facts, to_message, view_facts
from tests.kit.requests import make
from tests.kit.walks import Walk
from turntable_proto.game.v1 import position_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc

FORMS = {
    "position": position_pb2.POSITION_FORM_MESSAGE,
    "state": position_pb2.POSITION_FORM_STATE,
    "notation": position_pb2.POSITION_FORM_NOTATION,
}
PLAYERS = {"position": 2, "state": 9, "notation": 3}
"""Seats per form, or as many as the edition has."""


def named(rules: engine.Ruleset) -> ruleset_pb2.Ruleset:
    """The ruleset of a built-in board, by name."""
    message = ruleset_pb2.Ruleset(edition=rules.edition.id, player_count=rules.players)
    to_message(rules.options.to_json(rules.edition), message.options)
    return message


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_game_over_the_channel_ends_like_the_one_in_process(
    stub: pb_grpc.RulesServiceStub, edition: str, form: str
) -> None:
    """The client only chooses among the moves listed; the engine beside it plays the same numbers."""
    players = min(PLAYERS[form], engine.EDITIONS[edition].max_players)
    chance = Random(f"{edition} {form}")
    seed = chance.randbytes(32)
    state = engine.new_game(engine.ruleset(edition, players), seed)
    ruleset = ruleset_pb2.Ruleset(edition=edition, player_count=players)
    dealt = stub.NewGame(make.NewGameRequest(ruleset=ruleset, seed=seed, position_form=FORMS[form]))
    outcome = dealt.outcome
    beside = ruleset if form == "state" else None
    while not outcome.finished:
        assert outcome.position.WhichOneof("form") == form
        seat = chance.choice(outcome.active_seats)
        asked = make.ListLegalMovesRequest(ruleset=beside, position=outcome.position, seat=seat)
        legal = stub.ListLegalMoves(asked).moves
        assert [move.action_id for move in legal] == engine.legal_actions(state, seat)
        chosen = choose(legal, chance)
        request = make.ApplyMoveRequest(ruleset=beside, position=outcome.position, seat=seat)
        request.move.move.CopyFrom(chosen.move)
        request.position_form = FORMS[form]
        outcome = stub.ApplyMove(request).outcome
        events = engine.apply(state, seat, chosen.action_id)
        assert outcome.state_hash == engine.state_hash(state)
        assert [event_of(event).in_full() for event in outcome.events] == [
            event.in_full() for event in events
        ]
    assert not engine.seats_to_act(state)
    scored = stub.ScoreGame(make.ScoreGameRequest(ruleset=beside, position=outcome.position))
    assert scored.finished
    assert result_facts(scored.result) == engine.result_to_json(engine.score(state))
    for viewer in (None, 0, 1):
        seen = stub.GetView(make.GetViewRequest(ruleset=beside, position=outcome.position, seat=viewer))
        assert view_facts(seen.view) == engine.view(state, viewer)


def choose(legal: Any, chance: Random) -> Any:
    """A move; stations are left for the case that there is nothing else, as they crowd out the rest."""
    others = [move for move in legal if move.move.WhichOneof("move") != "build_station"]
    return chance.choice(others or legal)


def walked_items(count: int) -> list[tuple[engine.State, int, int]]:
    """Positions of several games, each with a seat to move and an action of it."""
    items = []
    for number in range(count):
        edition = list(engine.EDITIONS)[number % len(engine.EDITIONS)]
        walk = Walk(edition, 2, number).advance(20 + number % 30)
        items.append((walk.state, *walk.choose()))
    return items


def batch_of(items: list[tuple[engine.State, int, int]]) -> list[pb.MoveItem]:
    batch = []
    for number, (state, seat, action) in enumerate(items):
        item = make.MoveItem(correlation_id=number * 7, ruleset=named(state.rules), seat=seat)
        item.position.state = engine.encode(state)
        item.move.action_id = action
        batch.append(item)
    return batch


def compare(answer: pb.MoveAnswer, item: tuple[engine.State, int, int]) -> None:
    state, seat, action = item
    after = state.clone()
    events = engine.apply(after, seat, action)
    assert answer.WhichOneof("answer") == "outcome"
    assert answer.outcome.position.state == engine.encode(after)
    assert answer.outcome.state_hash == engine.state_hash(after)
    assert [event_of(event).in_full() for event in answer.outcome.events] == [
        event.in_full() for event in events
    ]


def test_a_batch_plays_every_item_and_keeps_their_order(stub: pb_grpc.RulesServiceStub) -> None:
    items = walked_items(60)
    answers = stub.ApplyMoves(make.ApplyMovesRequest(items=batch_of(items))).answers
    assert [answer.correlation_id for answer in answers] == [number * 7 for number in range(60)]
    for answer, item in zip(answers, items, strict=True):
        compare(answer, item)


def test_an_item_that_fails_spoils_no_other(stub: pb_grpc.RulesServiceStub) -> None:
    items = walked_items(6)
    batch = batch_of(items)
    batch[1].position.state = batch[1].position.state[:-3]
    batch[3].move.text = "fly"
    batch[4].seat = 1 - batch[4].seat
    answers = stub.ApplyMoves(make.ApplyMovesRequest(items=batch)).answers
    assert [answer.WhichOneof("answer") for answer in answers] == [
        "outcome",
        "failure",
        "outcome",
        "failure",
        "failure",
        "outcome",
    ]
    assert answers[1].failure.faults
    assert answers[3].failure.metadata["reason"] == "malformed_move"
    assert answers[4].failure.refusal.clause == "COMMON-TURN-4"
    for number in (0, 2, 5):
        compare(answers[number], items[number])


def test_a_stream_answers_as_it_goes_with_the_ruleset_said_once(stub: pb_grpc.RulesServiceStub) -> None:
    """A whole game as a conversation: the next question needs the answer to the last."""
    rules = engine.ruleset("europe", 3)
    walk = Walk("europe", 3, 5)
    questions: SimpleQueue[pb.StreamMovesRequest | None] = SimpleQueue()
    answers = stub.StreamMoves(iter(questions.get, None))
    position = engine.encode(walk.state)
    first: ruleset_pb2.Ruleset | None = named(rules)
    for number in itertools.count():
        seat, action = walk.choose()
        item = make.MoveItem(correlation_id=number, seat=seat)
        item.position.state, item.move.action_id = position, action
        questions.put(make.StreamMovesRequest(ruleset=first, items=[item], omit_events=True))
        (answer,) = next(answers).answers
        engine.apply(walk.state, seat, action)
        assert answer.correlation_id == number and not answer.outcome.events
        assert answer.outcome.state_hash == engine.state_hash(walk.state)
        if answer.outcome.finished:
            break
        first, position = None, answer.outcome.position.state
    questions.put(None)
    assert walk.finished and list(answers) == []


@pytest.mark.parametrize("form", FORMS)
def test_the_answer_comes_in_the_form_of_the_question_unless_another_is_asked_for(
    stub: pb_grpc.RulesServiceStub, form: str
) -> None:
    ruleset = ruleset_pb2.Ruleset(edition="usa", player_count=2)
    dealt = stub.NewGame(make.NewGameRequest(ruleset=ruleset, position_form=FORMS[form])).outcome
    offer = stub.ListLegalMoves(make.ListLegalMovesRequest(ruleset=ruleset, position=dealt.position)).moves
    request = make.ApplyMoveRequest(ruleset=ruleset, position=dealt.position)
    request.move.action_id = offer[0].action_id
    assert stub.ApplyMove(request).outcome.position.WhichOneof("form") == form
    for other, number in FORMS.items():
        request.position_form = number
        assert stub.ApplyMove(request).outcome.position.WhichOneof("form") == other
    retire = make.RetireSeatRequest(ruleset=ruleset, position=dealt.position, seat=1)
    assert stub.RetireSeat(retire).outcome.position.WhichOneof("form") == form
    without = stub.NewGame(make.NewGameRequest(ruleset=ruleset)).outcome
    assert without.position.WhichOneof("form") == "state"


def test_what_is_not_wanted_is_left_out(stub: pb_grpc.RulesServiceStub) -> None:
    walk = Walk("usa", 2, 1).advance(30)
    seat, action = walk.choose()
    request = make.ApplyMoveRequest(ruleset=named(walk.state.rules), seat=seat)
    request.position.state = engine.encode(walk.state)
    request.move.action_id = action
    full = stub.ApplyMove(request).outcome
    request.omit_events = request.omit_state_hash = True
    short = stub.ApplyMove(request).outcome
    assert full.events and full.state_hash
    assert not short.events and not short.state_hash
    assert short.position == full.position


def test_grouped_moves_are_the_same_moves(stub: pb_grpc.RulesServiceStub) -> None:
    walk = Walk("europe", 2, 4).advance(80)
    seat = engine.seats_to_act(walk.state)[0]
    while engine.to_position(walk.state)["phase"] != "turn_start":
        walk.step()
        seat = engine.seats_to_act(walk.state)[0]
    request = make.ListLegalMovesRequest(ruleset=named(walk.state.rules), seat=seat)
    request.position.state = engine.encode(walk.state)
    single = stub.ListLegalMoves(request)
    request.grouped = True
    grouped = stub.ListLegalMoves(request)
    numbers = [move.action_id for move in grouped.moves]
    numbers += [payment.action_id for group in grouped.groups for payment in group.payments]
    assert sorted(numbers) == [move.action_id for move in single.moves]
    subjects = [(group.WhichOneof("subject"), group.claim, group.build_station) for group in grouped.groups]
    assert len(set(subjects)) == len(subjects) > 1
    texts = {move.action_id: move_text(move.move) for move in single.moves}
    for group in grouped.groups:
        for payment in group.payments:
            assert f" {group.claim or group.build_station} " in texts[payment.action_id]


def test_a_game_without_a_seed_gets_one_that_gives_the_same_game_again(
    stub: pb_grpc.RulesServiceStub,
) -> None:
    ruleset = ruleset_pb2.Ruleset(edition="card", player_count=4)
    first = stub.NewGame(make.NewGameRequest(ruleset=ruleset))
    other = stub.NewGame(make.NewGameRequest(ruleset=ruleset))
    again = stub.NewGame(make.NewGameRequest(ruleset=ruleset, seed=first.seed))
    assert len(first.seed) == 32 and first.seed != other.seed
    assert again == first
