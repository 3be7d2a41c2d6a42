"""The table of `tests.kit.table` with the rules service behind it: same questions, same answers, over a channel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any
from zlib import crc32

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

import turntable_rules as rules_engine
from tests.kit import messages
from tests.kit.board_files import board_text
from tests.kit.reserves import with_routes_for_reserves
from tests.kit.rules_server import ServerThread
from tests.kit.setting import setting
from tests.kit.table import Facts, Refused
from turntable_proto.game.v1 import move_pb2, position_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc

FORMS = (
    position_pb2.POSITION_FORM_MESSAGE,
    position_pb2.POSITION_FORM_STATE,
    position_pb2.POSITION_FORM_NOTATION,
)
"""A table takes these in turn for its position, move by move."""


class Service:
    """One server and one channel to it for the whole test process; counts the calls."""

    def __init__(self) -> None:
        self.server = ServerThread()
        self.channel = grpc.insecure_channel(self.server.address)
        self.stub: Any = pb_grpc.RulesServiceStub(self.channel)
        self.calls = 0

    def call(self, method: str, request: Any) -> Any:
        """The answer; a refusal or fault is raised as the engine's own exception."""
        self.calls += 1
        try:
            return getattr(self.stub, method)(request, timeout=60)
        except grpc.RpcError as error:
            raise engine_error(error) from error


@cache
def service() -> Service:
    """The service of this process, started when it is first asked."""
    return Service()


def details(error: grpc.RpcError) -> tuple[error_details_pb2.ErrorInfo, list[str]]:
    """The `ErrorInfo` of a failed call, and the faults of its `BadRequest`."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    assert status is not None, f"a bare status: {error}"
    info, faults = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        assert detail.Unpack(info) or detail.Unpack(faults)
    return info, [violation.description for violation in faults.field_violations]


def engine_error(error: grpc.RpcError) -> Exception:
    """What the engine would have raised in process."""
    info, faults = details(error)
    metadata = info.metadata
    if "clause" in metadata:
        said, clause, allowed = str(error.details()), metadata["clause"], metadata.get("allowed", "")
        message = said.removesuffix(f"; {allowed}").removesuffix(f" ({clause})")
        return rules_engine.IllegalMove(rules_engine.Refusal(metadata["reason"], clause, message, allowed))
    if info.reason in ("UNKNOWN_EDITION", "UNKNOWN_OPTION"):
        return rules_engine.OptionError(faults)
    return rules_engine.BadPosition(faults or [str(error.details())])


class RemoteTable:
    """A position held by a client that knows no rules."""

    def __init__(self, state: rules_engine.State) -> None:
        self._rules = state.rules
        self._count = crc32(rules_engine.encode(state))
        self._position = _in_form(state, FORMS[self._count % 3])

    @classmethod
    def set(cls, edition: str, players: int = 2, **facts: Any) -> RemoteTable:
        """A table in the position that `setting` describes; the service takes only sound ones."""
        loose = facts.pop("loose", False)
        position = setting(edition, players, **facts)
        ruleset = rules_engine.ruleset(edition, players, facts.get("options"), facts.get("board"))
        if loose and not ruleset.yards:
            position = with_routes_for_reserves(ruleset, position)
        return cls(rules_engine.from_position(ruleset, position))

    @classmethod
    def new(
        cls,
        edition: str,
        players: int = 2,
        seed: bytes = bytes(32),
        options: Mapping[str, object] | None = None,
        board: rules_engine.Board | None = None,
    ) -> RemoteTable:
        """A new game, in its setup phase."""
        ruleset = ruleset_pb2.Ruleset(edition=edition, player_count=players)
        if options:
            messages.to_message(options, ruleset.options)
        if board is not None:
            ruleset.board_json = _text_of(board)
        count = crc32(seed)
        request = pb.NewGameRequest(ruleset=ruleset, seed=seed, position_form=FORMS[count % 3])
        answer = service().call("NewGame", request)
        assert answer.seed == seed
        table = cls.__new__(cls)
        table._rules = rules_engine.ruleset(edition, players, options, board)
        table._count = count
        table._position = answer.outcome.position
        return table

    def _ask(self, method: str, **fields: Any) -> Any:
        """Call the service about this position, naming the ruleset only where it has to be named."""
        rules = self._rules
        request = getattr(pb, f"{method}Request")(position=self._position, **fields)
        own_board = rules.digest == _own_digest(rules.edition.id, rules.players)
        if self._position.WhichOneof("form") == "state" or not own_board:
            request.ruleset.edition, request.ruleset.player_count = rules.edition.id, rules.players
            messages.to_message(rules.options.to_json(rules.edition), request.ruleset.options)
            if not own_board:
                assert rules.board is not None
                request.ruleset.board_json = _text_of(rules.board)
        return service().call(method, request)

    def moves(self, seat: int) -> list[str]:
        """All legal moves of a seat."""
        try:
            answer = self._ask("ListLegalMoves", seat=seat)
        except rules_engine.BadPosition:
            if 0 <= seat < self._rules.players:
                raise
            return []
        return [messages.move_text(legal.move) for legal in answer.moves]

    def allows(self, seat: int, text: str) -> bool:
        """Whether the move is accepted; being accepted and being listed are the same (FSM-14)."""
        refused = self.refusal(seat, text)
        listed = text.replace("brown", "orange") in self.moves(seat)
        assert listed == (refused is None), f"{text}: listed {listed}, refusal {refused}"
        return listed

    def refusal(self, seat: int, text: str) -> Refused | None:
        """Why the move is refused, or None if it is not."""
        answer = self._ask("ValidateMove", seat=seat, move=self._move(text))
        assert answer.legal != answer.HasField("refusal")
        assert answer.legal == answer.HasField("action_id")
        if answer.legal:
            return None
        refusal = messages.refusal_of(answer.refusal)
        return Refused(refusal.code, refusal.clause, str(refusal))

    def refuses(self, seat: int, text: str, clause: str | None = None, code: str | None = None) -> bool:
        """Whether the move is refused, by playing it for real, and for the reason given, if one is given."""
        try:
            self._ask("ApplyMove", seat=seat, move=self._move(text))
        except rules_engine.IllegalMove as illegal:
            reason = illegal.refusal
            assert clause is None or reason.clause == clause, reason
            assert code is None or reason.code == code, reason
            assert text not in self.moves(seat)
            return True
        return False

    def play(self, seat: int, text: str) -> list[Facts]:
        """Play a legal move; returns its events in full (public and private parts together)."""
        return [event.in_full() for event in self.play_events(seat, text)]

    def play_events(self, seat: int, text: str) -> list[rules_engine.Event]:
        """Play a legal move; returns its events. Every third move goes by its number, which is asked for first."""
        move = self._move(text)
        if self._count % 3 == 2:
            number = self._ask("ValidateMove", seat=seat, move=move).action_id
            if number:
                move = move_pb2.AnyMove(action_id=number)
        return self._become(self._ask("ApplyMove", seat=seat, move=move, position_form=self._next_form()))

    def retire(self, seat: int) -> list[Facts]:
        """Retire a seat."""
        answer = self._ask("RetireSeat", seat=seat, position_form=self._next_form())
        return [event.in_full() for event in self._become(answer)]

    def view(self, seat: int | None) -> Facts:
        """What a seat, or a spectator (None), sees."""
        return messages.view_facts(self._ask("GetView", seat=seat).view)

    def view_text(self, seat: int | None) -> str:
        """The view as canonical JSON, to compare byte by byte."""
        return json.dumps(self.view(seat), sort_keys=True)

    def score(self) -> Facts:
        """The result as the table stands."""
        answer = self._ask("ScoreGame")
        assert answer.finished == (self.phase == "finished")
        return messages.result_facts(answer.result)

    @property
    def state(self) -> rules_engine.State:
        """The position as the engine's state, for tests that make another position of it."""
        rules, position = self._rules, self._position
        match position.WhichOneof("form"):
            case "state":
                return rules_engine.decode(rules, position.state)
            case "notation":
                return rules_engine.from_position(rules, rules_engine.parse_position(position.notation))
            case _:
                return rules_engine.from_position(rules, messages.position_facts(position.position))

    def position(self) -> Facts:
        """The whole position."""
        if self._position.WhichOneof("form") == "position":
            return messages.position_facts(self._position.position)
        return rules_engine.to_position(self.state)

    def player(self, seat: int) -> Facts:
        """A player's part of the position."""
        player: Facts = self.position()["players"][seat]
        return player

    @property
    def phase(self) -> str:
        return str(self.position()["phase"])

    @property
    def active(self) -> int:
        return int(self.position()["active"])

    def copy(self) -> RemoteTable:
        """The same position at another table."""
        table = RemoteTable.__new__(RemoteTable)
        table._rules, table._count = self._rules, self._count
        table._position = position_pb2.AnyPosition()
        table._position.CopyFrom(self._position)
        return table

    def _move(self, text: str) -> move_pb2.AnyMove:
        """The move as text, or typed where it can be; the forms take turns."""
        self._count += 1
        if self._count % 2:
            try:
                return move_pb2.AnyMove(move=messages.move_message(rules_engine.parse_move(text)))
            except (rules_engine.IllegalMove, KeyError):  # only as text can it be said
                pass
        return move_pb2.AnyMove(text=text)

    def _next_form(self) -> position_pb2.PositionForm.ValueType:
        return FORMS[self._count % 3]

    def _become(self, answer: Any) -> list[rules_engine.Event]:
        """Take the new position over; what the answer says beside it has to fit."""
        outcome = answer.outcome
        self._position = outcome.position
        state = self.state
        assert outcome.state_hash == rules_engine.state_hash(state)
        assert list(outcome.active_seats) == rules_engine.seats_to_act(state)
        assert outcome.finished == (not outcome.active_seats)
        assert not rules_engine.invariants(state)
        return [messages.event_of(event) for event in outcome.events]


def _in_form(state: rules_engine.State, form: int) -> position_pb2.AnyPosition:
    """A position as a client would have it in one of the forms."""
    match form:
        case position_pb2.POSITION_FORM_MESSAGE:
            position = position_pb2.Position()
            return position_pb2.AnyPosition(
                position=messages.to_message(rules_engine.to_position(state), position)
            )
        case position_pb2.POSITION_FORM_STATE:
            return position_pb2.AnyPosition(state=rules_engine.encode(state))
        case _:
            return position_pb2.AnyPosition(notation=rules_engine.format_position(state))


@cache
def _own_digest(edition: str, players: int) -> str:
    """Digest of the board or cards that the edition itself is played with."""
    return rules_engine.ruleset(edition, players).digest


@cache
def _text_of(board: rules_engine.Board) -> str:
    return board_text(board)
