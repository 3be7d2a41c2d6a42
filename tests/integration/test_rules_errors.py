"""What is wrong with a request comes back as a rich status: which code, which reason, what exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest

import turntable_rules as engine
from tests.kit.fan_boards import fan_board_text, line
from tests.kit.messages import to_message
from tests.kit.remote_table import details
from tests.kit.requests import make
from tests.kit.setting import setting
from tests.kit.walks import Walk
from turntable_proto.game.v1 import cards_pb2, error_pb2, position_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules.boards.faults import Code, Fault
from turntable_rules.engine.refusals import CODES
from turntable_rules.server import errors

Stub = pb_grpc.RulesServiceStub
Edit = Callable[[Any], object]
USA = ruleset_pb2.Ruleset(edition="usa", player_count=2)
MEGABYTE = "ä" * 500_000


def failure(call: Callable[..., object], request: Any) -> tuple[grpc.StatusCode, Any, list[str]]:
    """Status code, `ErrorInfo` and faults of a call that has to fail."""
    return failure_in_full(call, request)[:3]


def failure_in_full(call: Callable[..., object], request: Any) -> tuple[grpc.StatusCode, Any, list[str], str]:
    """The same and the message."""
    with pytest.raises(grpc.RpcError) as caught:
        call(request)
    info, faults = details(caught.value)
    assert info.domain == "rules.turntable"
    assert f"ERROR_REASON_{info.reason}" in error_pb2.ErrorReason.DESCRIPTOR.values_by_name
    error: Any = caught.value
    return error.code(), info, faults, error.details()


def position(**facts: Any) -> position_pb2.Position:
    message = position_pb2.Position()
    to_message(
        setting("usa", 2, routes={"atlanta_nashville": 0}, hands={0: "rrg", 1: "uL"}, **facts), message
    )
    return message


def test_the_position_that_is_spoilt_below_is_sound(stub: Stub) -> None:
    sound = position()
    assert stub.GetView(make.GetViewRequest(position={"position": sound})).view.phase


SPOILT: dict[str, tuple[Edit, str]] = {
    "a card too many": (lambda p: p.deck.append(7), "there are 13 red cards, not 12 (COMMON-DECK-1)"),
    "a card too few": (lambda p: p.deck.pop(), "COMMON-DECK-1"),
    "a count below zero": (lambda p: setattr(p.discard.add(card=7), "count", -1), "discard"),
    "a card counted twice": (lambda p: p.players[0].hand.add(card=7, count=1), "red is counted twice"),
    "a route with two owners": (
        lambda p: p.routes.add(route="atlanta_nashville", seat=1),
        "atlanta_nashville is owned twice",
    ),
    "both tracks of a double route": (
        lambda p: [p.routes.add(route=f"portland_seattle_{n}", seat=n - 1) for n in (1, 2)],
        "portland_seattle",
    ),
    "an owner who is not at the table": (lambda p: setattr(p.routes[0], "seat", 5), "5 is not from 0 to 1"),
    "an unknown route": (lambda p: p.routes.add(route="moon_mars"), "moon_mars"),
    "an unknown ticket": (lambda p: p.pile.append("t_moon_mars"), "t_moon_mars"),
    "a ticket twice": (lambda p: p.players[0].tickets.append(p.pile[0]), "t_"),
    "a ticket missing": (lambda p: p.pile.pop(), "ticket"),
    "an unknown card": (lambda p: p.players[0].hand.add(card=42, count=1), "42 is not a card"),
    "an unknown card in the deck": (lambda p: p.deck.append(42), "42 is not a value of Card"),
    "no card at all counted": (lambda p: p.players[0].hand.add(count=1), "0 is not a card"),
    "an unknown phase": (lambda p: setattr(p, "phase", 77), "77 is not a value of Phase"),
    "no phase": (lambda p: p.ClearField("phase"), "phase"),
    "a phase of another edition": (lambda p: setattr(p, "phase", position_pb2.PHASE_ACTION), "phase"),
    "a tunnel phase without a tunnel": (
        lambda p: setattr(p, "phase", position_pb2.PHASE_TUNNEL_PENDING),
        "tunnel",
    ),
    "finished without an ending": (lambda p: setattr(p, "phase", position_pb2.PHASE_FINISHED), "ending"),
    "a player too few": (lambda p: p.players.pop(), "players"),
    "a row of four": (lambda p: p.row.pop(), "row"),
    "a seat that is not there": (lambda p: setattr(p, "active", 7), "active"),
    "wagons that do not fit the routes": (lambda p: setattr(p.players[0], "wagons", 45), "wagons"),
    "a score that does not fit": (lambda p: setattr(p.players[0], "score", 9), "score"),
    "a seed of the wrong length": (lambda p: setattr(p, "seed", b"short"), "seed"),
    "no seed": (lambda p: p.ClearField("seed"), "seed"),
    "draws below zero": (lambda p: setattr(p, "draws", -1), "draws"),
    "an unknown format": (lambda p: setattr(p, "format", "turntable-position/9"), "turntable-position"),
    "another board": (lambda p: setattr(p, "board", "00" * 32), "board"),
    "a megabyte of format": (lambda p: setattr(p, "format", MEGABYTE), "format"),
    "a megabyte of ticket": (lambda p: p.pile.append(MEGABYTE), "pile"),
    "a hundred thousand routes": (
        lambda p: [p.routes.add(route=f"r{number}") for number in range(100_000)],
        "r0",
    ),
}


@pytest.mark.parametrize("edit", SPOILT)
def test_a_spoilt_position_is_refused_with_what_is_broken(stub: Stub, edit: str) -> None:
    spoil, expected = SPOILT[edit]
    spoilt = position()
    spoil(spoilt)
    code, info, faults, message = failure_in_full(
        stub.GetView, make.GetViewRequest(position={"position": spoilt})
    )
    assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    told = "\n".join([message, *faults])
    assert expected in told, told
    assert bytes(range(32)).hex() not in told, "the seed is nobody's business"


def test_everything_broken_is_told_at_once(stub: Stub) -> None:
    spoilt = position()
    spoilt.deck.append(cards_pb2.CARD_RED)
    spoilt.pile.pop()
    spoilt.players[0].wagons = 3
    _, _, faults = failure(stub.ScoreGame, make.ScoreGameRequest(position={"position": spoilt}))
    assert len(faults) >= 3


def state_of(walk: Walk) -> bytes:
    return engine.encode(walk.state)


STATES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda state: b"",
    "truncated": lambda state: state[:-1],
    "half": lambda state: state[: len(state) // 2],
    "too long": lambda state: state + b"\0",
    "another version": lambda state: b"\xff" + state[1:],
    "junk": lambda state: b"\xa5" * 3_000_000,
    "another ruleset's": lambda state: state_of(Walk("usa", 3, 1)),
}


@pytest.mark.parametrize("edit", STATES)
def test_spoilt_bytes_are_refused(stub: Stub, edit: str) -> None:
    state = STATES[edit](state_of(Walk("usa", 2, 1).advance(20)))
    request = make.ScoreGameRequest(ruleset=USA, position={"state": state})
    code, info, faults = failure(stub.ScoreGame, request)
    assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert faults


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        MEGABYTE,
        "turntable-position/1",
        "turntable-position/9 edition=usa",
        f"turntable-position/1 {MEGABYTE}=1",
        "turntable-position/1 edition=usa edition=usa",
    ],
    ids=lambda text: text[:40],
)
def test_a_spoilt_notation_is_refused(stub: Stub, text: str) -> None:
    code, info, faults = failure(stub.ScoreGame, make.ScoreGameRequest(position={"notation": text}))
    assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert faults


SOUND = {"state": state_of(Walk("usa", 2, 1).advance(20))}
INCOMPLETE: dict[str, tuple[str, Any, str]] = {
    "no position": ("GetView", make.GetViewRequest(ruleset=USA), "MALFORMED"),
    "an empty position": ("GetView", make.GetViewRequest(ruleset=USA, position={}), "MALFORMED"),
    "bytes without a ruleset": ("GetView", make.GetViewRequest(position=SOUND), "MALFORMED"),
    "an empty message": ("GetView", make.GetViewRequest(position={"position": {}}), "MALFORMED"),
    "a ruleset without an edition": ("GetView", make.GetViewRequest(ruleset={}, position=SOUND), "MALFORMED"),
    "an unknown edition": ("GetView", make.GetViewRequest(ruleset={"edition": "x"}), "MALFORMED"),
    "an edition unknown": ("NewGame", make.NewGameRequest(ruleset={"edition": "x"}), "UNKNOWN_EDITION"),
    "a long unknown edition": (
        "NewGame",
        make.NewGameRequest(ruleset={"edition": MEGABYTE}),
        "UNKNOWN_EDITION",
    ),
    "no players": ("NewGame", make.NewGameRequest(ruleset={"edition": "usa"}), "UNKNOWN_OPTION"),
    "no ruleset": ("NewGame", make.NewGameRequest(), "MALFORMED"),
    "a short seed": ("NewGame", make.NewGameRequest(ruleset=USA, seed=b"short"), "MALFORMED"),
    "an empty seed": ("NewGame", make.NewGameRequest(ruleset=USA, seed=b""), "MALFORMED"),
    "a form that is none": ("NewGame", make.NewGameRequest(ruleset=USA, position_form=9), "MALFORMED"),
    "a seat that is none": ("GetView", make.GetViewRequest(ruleset=USA, position=SOUND, seat=2), "MALFORMED"),
    "a seat below zero": (
        "ListLegalMoves",
        make.ListLegalMovesRequest(ruleset=USA, position=SOUND, seat=-1),
        "MALFORMED",
    ),
    "no move": ("ValidateMove", make.ValidateMoveRequest(ruleset=USA, position=SOUND), "MALFORMED"),
    "an empty move": (
        "ApplyMove",
        make.ApplyMoveRequest(ruleset=USA, position=SOUND, move={"move": {}}),
        "MALFORMED",
    ),
    "a move with a card that is none": (
        "ApplyMove",
        make.ApplyMoveRequest(
            ruleset=USA,
            position=SOUND,
            move={"move": {"play_three": {"colours": [99]}}},
        ),
        "MALFORMED",
    ),
    "a foreign option": (
        "NewGame",
        make.NewGameRequest(ruleset={"edition": "card", "player_count": 2, "options": {"flush_limit": 3}}),
        "UNKNOWN_OPTION",
    ),
    "an option's number that is none": (
        "NewGame",
        make.NewGameRequest(ruleset={"edition": "usa", "player_count": 2, "options": {"longest_path": 9}}),
        "MALFORMED",
    ),
    "a bad board": (
        "NewGame",
        make.NewGameRequest(ruleset={"edition": "usa", "player_count": 2, "board_json": "{}"}),
        "BAD_BOARD",
    ),
    "a board for the card game": (
        "NewGame",
        make.NewGameRequest(
            ruleset={"edition": "card", "player_count": 2, "board_json": fan_board_text([line("x-y", 3)])}
        ),
        "UNKNOWN_OPTION",
    ),
    "no such edition to show": ("GetEdition", make.GetEditionRequest(edition="monopoly"), "UNKNOWN_EDITION"),
    "a page before the first": ("ListEditions", make.ListEditionsRequest(page_size=-1), "MALFORMED"),
    "a token of nobody": ("ListEditions", make.ListEditionsRequest(page_token="x"), "MALFORMED"),
    "nothing to replay": ("ReplayGame", make.ReplayGameRequest(), "MALFORMED"),
    "a replay without a seed": ("ReplayGame", make.ReplayGameRequest(script={"ruleset": USA}), "MALFORMED"),
    "a record of another format": (
        "ReplayGame",
        make.ReplayGameRequest(record={"format": "turntable-record/7"}),
        "MALFORMED",
    ),
    "a board checked for no edition": (
        "CheckBoard",
        make.CheckBoardRequest(board_json=fan_board_text([line("x-y", 3)]), edition="monopoly"),
        "UNKNOWN_EDITION",
    ),
}


@pytest.mark.parametrize("case", INCOMPLETE)
def test_an_incomplete_or_senseless_request_is_refused(stub: Stub, case: str) -> None:
    method, request, reason = INCOMPLETE[case]
    code, info, _ = failure(getattr(stub, method), request)
    assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)


@pytest.mark.parametrize(
    ("seat", "move", "reason", "code", "clause"),
    [
        (1, "draw_deck", "NOT_YOUR_TURN", "not_your_turn", "COMMON-TURN-4"),
        (0, "stop_drawing", "WRONG_PHASE", "wrong_phase", "FSM-13"),
        (0, "claim atlanta_nashville 1red", "ILLEGAL_MOVE", "route_taken", "COMMON-CLAIM-11"),
        (0, "pass", "ILLEGAL_MOVE", "other_moves_possible", "COMMON-PASS-1"),
        (0, "claim moon_mars 1red", "ILLEGAL_MOVE", "unknown_route", "COMMON-CLAIM-10"),
    ],
)
def test_an_illegal_move_is_a_failed_precondition_with_clause_seat_and_phase(
    stub: Stub, seat: int, move: str, reason: str, code: str, clause: str
) -> None:
    request = make.ApplyMoveRequest(position={"position": position()}, seat=seat, move={"text": move})
    status, info, faults = failure(stub.ApplyMove, request)
    assert status is grpc.StatusCode.FAILED_PRECONDITION and not faults
    assert info.reason == reason
    metadata = dict(info.metadata)
    metadata.pop("allowed", None)
    assert metadata == {"reason": code, "clause": clause, "seat": str(seat), "phase": "turn_start"}
    answer = stub.ValidateMove(
        make.ValidateMoveRequest(position={"position": position()}, seat=seat, move={"text": move})
    )
    assert (answer.legal, answer.refusal.code, answer.refusal.clause) == (False, code, clause)


def test_a_move_in_a_finished_game_has_a_reason_of_its_own(stub: Stub) -> None:
    walk = Walk("card", 2, 1).advance(10_000)
    request = make.ApplyMoveRequest(
        ruleset={"edition": "card", "player_count": 2},
        position={"state": state_of(walk)},
        move={"text": "draw_deck"},
    )
    code, info, _ = failure(stub.ApplyMove, request)
    assert (code, info.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "GAME_FINISHED")
    assert info.metadata["phase"] == "finished"


@pytest.mark.parametrize("text", ["fly", "", MEGABYTE, f"claim {MEGABYTE} 1red"], ids=lambda text: text[:8])
def test_what_is_no_move_at_all_is_an_invalid_argument_or_refused(stub: Stub, text: str) -> None:
    request = make.ApplyMoveRequest(position={"position": position()}, move={"text": text})
    _, info, _ = failure(stub.ApplyMove, request)
    assert info.reason in ("MALFORMED", "ILLEGAL_MOVE")
    asked = make.ValidateMoveRequest(position={"position": position()}, move={"text": text})
    assert stub.ValidateMove(asked).ByteSize() < 2000, "a megabyte is not sent back"


def test_a_board_with_a_thousand_faults_gets_an_answer_that_fits_a_status(stub: Stub) -> None:
    routes = [line(f"x{number}-y{number}", 99) for number in range(400)]
    request = make.NewGameRequest(ruleset=USA)
    request.ruleset.board_json = fan_board_text(routes)
    code, info, faults = failure(stub.NewGame, request)
    assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_BOARD")
    assert len(faults) > 10 and faults[-1].startswith("and ")


def test_every_refusal_code_has_a_reason_in_the_contract() -> None:
    own = {
        "not_your_turn": "NOT_YOUR_TURN",
        "wrong_phase": "WRONG_PHASE",
        "game_finished": "GAME_FINISHED",
        "malformed_move": "MALFORMED",
        "unknown_seat": "MALFORMED",
    }
    for code in CODES:
        illegal = engine.IllegalMove(engine.Refusal(code, "FSM-13", "why", "what else"))
        error = errors.as_service_error(illegal, seat=1, phase="turn_start")
        assert error is not None
        assert error.reason == own.get(code, "ILLEGAL_MOVE")
        info = errors.to_status(error)
        failed = errors.to_failure(error)
        assert info.code == failed.code
        assert failed.reason == error_pb2.ErrorReason.Value(f"ERROR_REASON_{error.reason}")
        assert failed.metadata["reason"] == code


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (engine.BadPosition(["a fault"]), "MALFORMED"),
        (engine.OptionError(["edition: x"]), "UNKNOWN_EDITION"),
        (engine.OptionError(["flush_limit: 0"]), "UNKNOWN_OPTION"),
        (engine.BoardError([Fault(Code.NO_ROUTES, "routes", 1, "none")]), "BAD_BOARD"),
        (engine.IllegalMove(engine.Refusal("route_taken", "COMMON-CLAIM-11", "taken")), "ILLEGAL_MOVE"),
    ],
)
def test_every_exception_of_the_engine_has_a_reason(error: Exception, reason: str) -> None:
    found = errors.as_service_error(error)
    assert found is not None and found.reason == reason
    assert f"ERROR_REASON_{reason}" in error_pb2.ErrorReason.DESCRIPTOR.values_by_name


def test_no_exception_of_the_engine_is_missing_above() -> None:
    raised = {
        name
        for name in engine.__all__
        if isinstance(value := getattr(engine, name), type) and issubclass(value, Exception)
    }
    assert raised == {"BadPosition", "OptionError", "BoardError", "IllegalMove"}


def test_an_error_nobody_foresaw_is_told_without_details() -> None:
    assert errors.as_service_error(KeyError("secret")) is None
