"""What an outcome says beside the position, so that nobody has to decode it."""

from __future__ import annotations

import pytest

import turntable_rules as engine
from tests.kit.messages import view_facts
from tests.kit.requests import make
from tests.kit.walks import Walk
from turntable_proto.game.v1 import error_pb2, position_pb2
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules.engine.state import PHASE_NAMES


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_an_outcome_says_phase_turns_move_and_revision(stub: pb_grpc.RulesServiceStub, edition: str) -> None:
    players = engine.EDITIONS[edition].min_players
    walk = Walk(edition, players, 11, {"max_turns": 12})
    known = {"ruleset": {"edition": edition, "player_count": players, "options": {"max_turns": 12}}}
    while not walk.finished:
        seat, action = walk.choose()
        before = engine.encode(walk.state)
        text = engine.format_move(engine.to_move(walk.state, seat, action))
        engine.apply(walk.state, seat, action)
        asked = {**known, "position": {"state": before}, "seat": seat, "move": {"action_id": action}}
        outcome = stub.ApplyMove(make.ApplyMoveRequest(**asked)).outcome
        assert position_pb2.Phase.Name(outcome.phase) == f"PHASE_{PHASE_NAMES[walk.state.phase].upper()}"
        assert outcome.turn_count == walk.state.turns
        assert outcome.move_text == text
        assert outcome.engine_revision == engine.ENGINE_REVISION
    assert outcome.phase == position_pb2.PHASE_FINISHED
    quiet = stub.ApplyMove(make.ApplyMoveRequest(**asked, omit_events=True)).outcome
    assert (quiet.move_text, quiet.phase) == ("", outcome.phase)


def test_a_deal_and_a_retirement_have_no_move(stub: pb_grpc.RulesServiceStub) -> None:
    known = {"ruleset": {"edition": "usa", "player_count": 3}}
    dealt = stub.NewGame(make.NewGameRequest(**known, seed=bytes(32))).outcome
    retired = stub.RetireSeat(make.RetireSeatRequest(**known, position=dealt.position, seat=1)).outcome
    assert [outcome.move_text for outcome in (dealt, retired)] == ["", ""]
    assert {outcome.phase for outcome in (dealt, retired)} == {position_pb2.PHASE_SETUP_TICKETS}


def test_a_batch_gives_views_among_its_moves(stub: pb_grpc.RulesServiceStub) -> None:
    walk = Walk("card", 3, 4).advance(30)
    position = {"state": engine.encode(walk.state)}
    seat, action = walk.choose()
    items = [
        {"correlation_id": 1, "position": position, "seat": 2, "view_only": True},
        {"correlation_id": 2, "position": position, "seat": -1, "view_only": True},
        {"correlation_id": 3, "position": position, "seat": seat, "move": {"action_id": action}},
        {"correlation_id": 4, "position": position, "seat": 7, "view_only": True},
    ]
    known = {"ruleset": {"edition": "card", "player_count": 3}}
    own, public, played, nobody = stub.ApplyMoves(make.ApplyMovesRequest(**known, items=items)).answers
    assert view_facts(own.outcome.view) == engine.view(walk.state, 2)
    assert view_facts(public.outcome.view) == engine.view(walk.state, None)
    assert not own.outcome.HasField("position") and not played.outcome.HasField("view")
    assert played.outcome.position.state
    assert nobody.failure.reason == error_pb2.ERROR_REASON_MALFORMED


def test_the_list_of_editions_says_the_revision_of_the_engine(stub: pb_grpc.RulesServiceStub) -> None:
    answer = stub.ListEditions(make.ListEditionsRequest(page_size=1))
    assert answer.engine_revision == engine.ENGINE_REVISION
