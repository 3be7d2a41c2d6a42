"""The engine behind a rules service: the same answers as in process, from wherever it runs."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final, NoReturn, TypeVar

import grpc
import msgspec

from turntable_proto.game.v1 import move_pb2, position_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules import BadPosition, Fault, IllegalMove
from turntable_rules.boards.faults import Code
from turntable_rules.engine.rng import SEED_BYTES
from turntable_session.channels.multiplex import Broken, Multiplex, Overfull
from turntable_session.channels.opening import TlsFiles, open_channel
from turntable_session.domain.rules import MoveInput, Outcome, Position, Table
from turntable_session.domain.settings import GameSettings
from turntable_session.problems import Problem
from turntable_session.rules.in_process import LocalRules, refused
from turntable_session.rules.remote_errors import fault_of_error, fault_of_failure, unavailable
from turntable_session.rules.remote_moves import MoveQuestion, answers_in, any_move, packed
from turntable_session.vocabulary.events import event_from_proto
from turntable_session.vocabulary.moves import legal_move_from_proto
from turntable_session.vocabulary.to_proto import typed_options
from turntable_session.vocabulary.views import phase_from_proto, result_from_proto, view_from_proto

_KEPT: Final = 256
_PAUSE: Final = 0.05
"""Seconds before a call that broke is made again."""
_SPECTATOR: Final = -1
_STATE: Final = position_pb2.POSITION_FORM_STATE
_MESSAGE: Final = position_pb2.POSITION_FORM_MESSAGE

T = TypeVar("T")


class Held:
    """The compact bytes of a position and the ruleset they belong to; they hold secrets, so they are never shown."""

    __slots__ = ("ruleset", "state")

    def __init__(self, ruleset: ruleset_pb2.Ruleset, state: bytes) -> None:
        self.ruleset = ruleset
        self.state = state

    @property
    def known(self) -> dict[str, Any]:
        """What every request about the position says."""
        return {"ruleset": self.ruleset, "position": {"state": self.state}}


class RemoteRules:
    """The port's adapter over a rules service; `start` first, `close` in the end.

    Moves and views go over one stream and share its messages; everything else is a call of its own. All of it may be
    repeated.
    """

    def __init__(self, target: str, tls: TlsFiles | None = None, seconds: float = 5.0) -> None:
        self.revision = 0
        self._seconds = seconds
        self._channel = open_channel(f"grpcs://{target}" if tls else f"grpc://{target}", tls, keepalive=False)
        self._stub: pb_grpc.RulesServiceAsyncStub = pb_grpc.RulesServiceStub(self._channel)
        self._moves = Multiplex[MoveQuestion, pb.MoveAnswer](
            lambda: self._stub.StreamMoves(wait_for_ready=True), packed, answers_in
        )
        self._tables: OrderedDict[bytes, Table] = OrderedDict()
        self._engine = LocalRules()
        """Refuses in its own words what no message can say."""

    async def start(self) -> None:
        """Ask for the revision of the engine; raises Problem if nobody answers."""
        answer = await self._ask(self._stub.ListEditions, pb.ListEditionsRequest(page_size=1))
        if not answer.engine_revision:
            raise unavailable("the rules service does not tell the revision of its engine")
        self.revision = answer.engine_revision

    async def close(self) -> None:
        """Close the stream and the channel."""
        await self._moves.close()
        await self._channel.close()

    async def table(self, settings: GameSettings) -> Table:
        """The ruleset of the settings, judged once."""
        key = msgspec.json.encode((settings.edition, settings.seats, settings.options, settings.board))
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = await self._judged(settings)
            if len(self._tables) > _KEPT:
                self._tables.popitem(last=False)
        self._tables.move_to_end(key)
        return found

    async def _judged(self, settings: GameSettings) -> Table:
        options, is_complete = typed_options(settings.options)
        named: dict[str, Any] = {
            "edition": settings.edition,
            "player_count": settings.seats,
            "options": options,
            "board_json": settings.board,
        }
        try:
            ruleset = ruleset_pb2.Ruleset(**named)
        except ValueError as error:
            await self._engine.table(settings)
            raise Problem("malformed", "the settings hold numbers or texts that are none") from error
        if not is_complete or not settings.edition:
            await self._engine.table(settings)
        request = pb.NewGameRequest(
            ruleset=ruleset, seed=bytes(SEED_BYTES), position_form=_MESSAGE, omit_events=True
        )
        try:
            dealt = await self._call(self._stub.NewGame, request)
        except grpc.aio.AioRpcError as error:
            await self._refuse_table(error, ruleset)
        return Table(ruleset, dealt.outcome.position.position.board)

    async def _refuse_table(self, error: grpc.aio.AioRpcError, ruleset: ruleset_pb2.Ruleset) -> NoReturn:
        fault = fault_of_error(error)
        match fault.reason:
            case "unknown_edition" | "unknown_option":
                raise Problem(fault.reason, "; ".join(fault.faults), fault.faults) from error
            case "bad_board":
                raise Problem(
                    "bad_board", "the board is not sound", await self._board_faults(ruleset)
                ) from error
        raise fault.as_problem() from error

    async def _board_faults(self, ruleset: ruleset_pb2.Ruleset) -> list[str]:
        """All faults of a board: a status has room for some only."""
        request = pb.CheckBoardRequest(
            board_json=ruleset.board_json, edition=ruleset.edition, player_count=ruleset.player_count
        )
        checked = await self._ask(self._stub.CheckBoard, request)
        return [
            str(
                Fault(
                    Code(fault.code),
                    fault.path,
                    fault.line if fault.HasField("line") else None,
                    fault.message,
                    fault.column if fault.HasField("column") else None,
                )
            )
            for fault in checked.faults
        ]

    async def deal(self, table: Table, seed: bytes) -> Outcome:
        """The beginning of a game."""
        request = pb.NewGameRequest(ruleset=table.handle, seed=seed, position_form=_STATE)
        return self._outcome(table.handle, (await self._ask(self._stub.NewGame, request)).outcome)

    async def play(self, position: Position, seat: int, move: MoveInput) -> Outcome:
        """Play a move; the position given stays as it is."""
        held: Held = position.handle
        try:
            chosen: move_pb2.AnyMove = any_move(move)
        except IllegalMove as illegal:
            raise refused(illegal.refusal, seat, position.phase) from illegal
        question = MoveQuestion(held.ruleset, held.state, seat, chosen)
        return self._outcome(held.ruleset, await self._stream(question, seat, position.phase))

    async def _stream(self, question: MoveQuestion, seat: int, phase: str) -> pb.MoveOutcome:
        try:
            answer = await self._moves.ask(question, is_repeatable=True, seconds=self._seconds)
        except (TimeoutError, Broken, Overfull) as error:
            raise unavailable("the rules service does not answer") from error
        if answer.HasField("failure"):
            raise fault_of_failure(answer.failure).as_problem(seat, phase)
        return answer.outcome

    async def retire(self, position: Position, seat: int) -> Outcome:
        """Take a seat out of the game; the position given stays as it is."""
        held: Held = position.handle
        request = pb.RetireSeatRequest(**held.known, seat=seat)
        answer = await self._ask(self._stub.RetireSeat, request, seat, position.phase)
        return self._outcome(held.ruleset, answer.outcome)

    async def legal_moves(self, position: Position, seat: int) -> list[dict[str, Any]]:
        """All legal moves of a seat."""
        if seat not in position.active_seats:
            return []
        request = pb.ListLegalMovesRequest(**position.handle.known, seat=seat)
        answer = await self._ask(self._stub.ListLegalMoves, request)
        return [legal_move_from_proto(move) for move in answer.moves]

    async def view(self, position: Position, seat: int | None) -> dict[str, Any]:
        """What a seat, or a spectator, may know."""
        held: Held = position.handle
        viewer = _SPECTATOR if seat is None else seat
        question = MoveQuestion(held.ruleset, held.state, viewer, None)
        return view_from_proto((await self._stream(question, viewer, position.phase)).view)

    async def result(self, position: Position) -> dict[str, Any]:
        """The result as the position stands."""
        request = pb.ScoreGameRequest(**position.handle.known)
        return result_from_proto((await self._ask(self._stub.ScoreGame, request)).result)

    async def pack(self, position: Position) -> bytes:
        """The position as compact bytes."""
        held: Held = position.handle
        return held.state

    async def unpack(self, table: Table, data: bytes) -> Position:
        """The position of compact bytes; raises BadPosition if they are none."""
        held = Held(table.handle, data)
        try:
            seen = (await self._call(self._stub.GetView, pb.GetViewRequest(**held.known))).view
        except grpc.aio.AioRpcError as error:
            fault = fault_of_error(error)
            raise BadPosition(fault.faults or [fault.message]) from error
        phase = phase_from_proto(seen.phase)
        # A view counts the turn that is being played, too.
        turns = seen.turn if phase == "finished" else seen.turn - 1
        return Position(held, phase, tuple(seen.active_seats), turns)

    def _outcome(self, ruleset: ruleset_pb2.Ruleset, outcome: pb.MoveOutcome) -> Outcome:
        if outcome.engine_revision != self.revision:
            raise unavailable("the rules service has another engine than it had")
        position = Position(
            Held(ruleset, outcome.position.state),
            phase_from_proto(outcome.phase),
            tuple(outcome.active_seats),
            outcome.turn_count,
        )
        events = [event_from_proto(event) for event in outcome.events]
        return Outcome(position, events, bytes.fromhex(outcome.state_hash), outcome.move_text)

    async def _ask(
        self, method: Callable[..., Awaitable[T]], request: Any, seat: int = -1, phase: str = ""
    ) -> T:
        try:
            return await self._call(method, request)
        except grpc.aio.AioRpcError as error:
            raise fault_of_error(error).as_problem(seat, phase) from error

    async def _call(self, method: Callable[..., Awaitable[T]], request: Any) -> T:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._seconds
        while True:
            try:
                return await method(request, timeout=end - loop.time(), wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or loop.time() + _PAUSE > end:
                    raise
            await asyncio.sleep(_PAUSE)
