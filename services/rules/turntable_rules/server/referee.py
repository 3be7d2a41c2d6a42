"""The calls of the rules service as plain functions of requests: load, ask the engine, answer."""

import secrets
from hashlib import sha256
from typing import Any

from turntable_proto.game.v1 import move_pb2, position_pb2, ruleset_pb2, view_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_rules import (
    EDITIONS,
    ENGINE_REVISION,
    BoardError,
    Event,
    IllegalMove,
    State,
    check,
    format_move,
    legal_actions,
    move_to_json,
    new_game,
    parse_board,
    parse_move,
    play,
    result_to_json,
    retire,
    ruleset,
    score,
    seats_to_act,
    state_hash,
    to_action,
    to_move,
    view,
)
from turntable_rules.engine.rng import SEED_BYTES
from turntable_rules.engine.state import FINISHED, PHASE_NAMES
from turntable_rules.engine.state_hash import hash_of_bytes
from turntable_rules.server.editions import board_statistics, edition_message
from turntable_rules.server.errors import as_service_error, malformed, to_failure, to_refusal
from turntable_rules.server.from_proto import move_from_proto
from turntable_rules.server.metrics import Metrics
from turntable_rules.server.positions import Positions, form_wanted, put_position
from turntable_rules.server.rulesets import Rulesets
from turntable_rules.server.to_proto import add_event, fill


class Referee:
    """Answers requests; keeps nothing but the rulesets it has built."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.rulesets = Rulesets()
        self.positions = Positions(self.rulesets)

    def list_editions(self, request: pb.ListEditionsRequest) -> pb.ListEditionsResponse:
        """One page of the editions; the token is the id of the first on the next."""
        names = list(EDITIONS)
        if request.page_size < 0 or (request.page_token and request.page_token not in names):
            raise malformed("page_size or page_token make no sense")
        start = names.index(request.page_token) if request.page_token else 0
        end = start + (request.page_size or len(names))
        return pb.ListEditionsResponse(
            editions=[edition_message(name, False) for name in names[start:end]],
            next_page_token=names[end] if end < len(names) else "",
            engine_revision=ENGINE_REVISION,
        )

    def get_edition(self, request: pb.GetEditionRequest) -> pb.GetEditionResponse:
        """One edition, complete."""
        self._known(request.edition)
        return pb.GetEditionResponse(edition=edition_message(request.edition, True))

    def _known(self, edition: str) -> None:
        if edition not in EDITIONS:
            ruleset(edition, 0)  # raises the engine's own words

    def new_game(self, request: pb.NewGameRequest) -> pb.NewGameResponse:
        """Deal a game from the seed given, or from a fresh one."""
        if not request.HasField("ruleset"):
            raise malformed("the ruleset is missing")
        rules = self.rulesets.get(request.ruleset)
        seed = request.seed if request.HasField("seed") else secrets.token_bytes(SEED_BYTES)
        if len(seed) != SEED_BYTES:
            raise malformed(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        events: list[Event] = []
        state = new_game(rules, seed, events)
        answer = pb.NewGameResponse(seed=seed, seed_commitment=sha256(seed).hexdigest())
        self._put_outcome(answer.outcome, state, events, request.position_form, request.omit_events, False)
        return answer

    def list_legal_moves(self, request: pb.ListLegalMovesRequest) -> pb.ListLegalMovesResponse:
        """All legal moves of a seat."""
        state = self._load(request)
        self._seat(state, request.seat)
        answer = pb.ListLegalMovesResponse()
        groups: dict[tuple[str, str], move_pb2.MoveGroup] = {}
        for action in legal_actions(state, request.seat):
            facts: dict[str, Any] = move_to_json(to_move(state, request.seat, action))
            kind = str(facts["type"])
            if request.grouped and kind in ("claim", "build_station"):
                subject = str(facts["route" if kind == "claim" else "city"])
                group = groups.get((kind, subject))
                if group is None:
                    group = groups[kind, subject] = answer.groups.add(**{kind: subject})
                added = group.payments.add(action_id=action)
                fill(added.payment, facts["payment"])
            else:
                put_move(answer.moves.add(action_id=action).move, facts)
        return answer

    def validate_move(self, request: pb.ValidateMoveRequest) -> pb.ValidateMoveResponse:
        """Legal, or the refusal; an illegal move is an answer here, not an error."""
        state = self._load(request)
        try:
            action = self.action(state, request.seat, request.move)
        except IllegalMove as illegal:
            self.metrics.refused(illegal.refusal.code, illegal.refusal.clause)
            return pb.ValidateMoveResponse(legal=False, refusal=to_refusal(illegal.refusal))
        return pb.ValidateMoveResponse(legal=True, action_id=action)

    def apply_move(self, request: pb.ApplyMoveRequest) -> pb.ApplyMoveResponse:
        """Play one move."""
        answer = pb.ApplyMoveResponse()
        self._play(answer.outcome, request, None, request)
        return answer

    def _play(
        self,
        outcome: pb.MoveOutcome,
        item: pb.ApplyMoveRequest | pb.MoveItem,
        shared: ruleset_pb2.Ruleset | None,
        wanted: pb.ApplyMoveRequest | pb.ApplyMovesRequest | pb.StreamMovesRequest,
    ) -> None:
        named = item.ruleset if item.HasField("ruleset") else shared
        state = self.positions.load(item.position, named)
        phase = PHASE_NAMES[state.phase]
        try:
            action = self.action(state, item.seat, item.move)
        except IllegalMove as illegal:
            self.metrics.refused(illegal.refusal.code, illegal.refusal.clause)
            error = as_service_error(illegal, item.seat, phase)
            assert error is not None
            raise error from illegal
        events: list[Event] = []
        if not wanted.omit_events:
            outcome.move_text = format_move(to_move(state, item.seat, action))
        play(state, item.seat, action, None if wanted.omit_events else events)
        form = form_wanted(wanted.position_form, item.position)
        self._put_outcome(outcome, state, events, form, wanted.omit_events, wanted.omit_state_hash)

    def answer_item(
        self,
        answer: pb.MoveAnswer,
        item: pb.MoveItem,
        shared: ruleset_pb2.Ruleset | None,
        wanted: pb.ApplyMovesRequest | pb.StreamMovesRequest,
    ) -> None:
        """Play one item of a batch; what goes wrong becomes its answer and spoils no other."""
        answer.correlation_id = item.correlation_id
        try:
            if item.view_only:
                named = item.ruleset if item.HasField("ruleset") else shared
                state = self.positions.load(item.position, named)
                self._show(answer.outcome.view, state, None if item.seat == -1 else item.seat)
            else:
                self._play(answer.outcome, item, shared, wanted)
        except Exception as error:
            known = as_service_error(error, item.seat)
            if known is None:
                raise
            answer.failure.CopyFrom(to_failure(known))

    def get_view(self, request: pb.GetViewRequest) -> pb.GetViewResponse:
        """What a seat or a spectator may know."""
        state = self._load(request)
        answer = pb.GetViewResponse()
        self._show(answer.view, state, request.seat if request.HasField("seat") else None)
        return answer

    def _show(self, message: view_pb2.View, state: State, seat: int | None) -> None:
        if seat is not None:
            self._seat(state, seat)
        fill(message, view(state, seat))

    def score_game(self, request: pb.ScoreGameRequest) -> pb.ScoreGameResponse:
        """The result as the position stands."""
        state = self._load(request)
        answer = pb.ScoreGameResponse(finished=state.phase == FINISHED)
        fill(answer.result, result_to_json(score(state)))
        return answer

    def retire_seat(self, request: pb.RetireSeatRequest) -> pb.RetireSeatResponse:
        """Take a seat out of the game."""
        state = self._load(request)
        phase = PHASE_NAMES[state.phase]
        try:
            events = retire(state, request.seat)
        except IllegalMove as illegal:
            error = as_service_error(illegal, request.seat, phase)
            assert error is not None
            raise error from illegal
        answer = pb.RetireSeatResponse()
        form = form_wanted(request.position_form, request.position)
        self._put_outcome(answer.outcome, state, events, form, request.omit_events, request.omit_state_hash)
        return answer

    def check_board(self, request: pb.CheckBoardRequest) -> pb.CheckBoardResponse:
        """All faults of a board, or its digest and counts; with an edition, whether it plays under it."""
        answer = pb.CheckBoardResponse()
        try:
            board = parse_board(request.board_json)
            if request.edition:
                self._known(request.edition)
                ruleset(
                    request.edition,
                    request.player_count or EDITIONS[request.edition].max_players,
                    None,
                    board,
                )
        except BoardError as bad:
            for fault in bad.faults:
                added = answer.faults.add(code=fault.code, path=fault.path, message=fault.message)
                added.clause = fault.clause or ""
                if fault.line is not None:
                    added.line = fault.line
                if fault.column is not None:
                    added.column = fault.column
            return answer
        answer.digest = board.digest
        answer.statistics.CopyFrom(board_statistics(board))
        return answer

    def _load(
        self,
        request: pb.ListLegalMovesRequest
        | pb.ValidateMoveRequest
        | pb.GetViewRequest
        | pb.ScoreGameRequest
        | pb.RetireSeatRequest,
    ) -> State:
        named = request.ruleset if request.HasField("ruleset") else None
        return self.positions.load(request.position, named)

    def _seat(self, state: State, seat: int) -> None:
        if not 0 <= seat < state.rules.players:
            raise malformed(f"there is no seat {seat}; seats are 0 to {state.rules.players - 1}")

    def action(self, state: State, seat: int, move: move_pb2.AnyMove) -> int:
        """The number of a legal move in any of its forms; raises IllegalMove with the reason if it is not legal."""
        match move.WhichOneof("form"):
            case "action_id":
                refusal = check(state, seat, move.action_id)
                if refusal is not None:
                    raise IllegalMove(refusal)
                return move.action_id
            case "text":
                return to_action(state, seat, parse_move(move.text))
            case "move":
                return to_action(state, seat, move_from_proto(move.move))
            case _:
                raise malformed("the move is missing")

    def _put_outcome(
        self,
        outcome: pb.MoveOutcome,
        state: State,
        events: list[Event],
        form: int,
        omit_events: bool,
        omit_hash: bool,
    ) -> None:
        put_position(outcome.position, state, form)
        if not omit_events:
            for event in events:
                add_event(outcome.events, event)
        if not omit_hash:
            encoded = outcome.position.state  # empty in the other forms
            outcome.state_hash = hash_of_bytes(encoded) if encoded else state_hash(state)
        outcome.active_seats.extend(seats_to_act(state))
        outcome.finished = state.phase == FINISHED
        outcome.phase = position_pb2.Phase.ValueType(state.phase + 1)  # zero is "not said"
        outcome.turn_count = state.turns
        outcome.engine_revision = ENGINE_REVISION


def put_move(message: move_pb2.Move, facts: dict[str, object]) -> None:
    """A typed move as a message."""
    kind = str(facts["type"])
    inner = getattr(message, "pass_turn" if kind == "pass" else kind)
    inner.SetInParent()
    fields = {key: value for key, value in facts.items() if key != "type"}
    fill(inner, fields)
