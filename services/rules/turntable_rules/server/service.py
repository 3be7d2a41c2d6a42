"""The gRPC face of the referee: measures each call, and turns every error into a status."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, NoReturn, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status import rpc_status

from turntable_proto.game.v1 import ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules import EDITIONS
from turntable_rules.server.errors import ServiceError, as_service_error, malformed, to_status
from turntable_rules.server.logs import LOGGER
from turntable_rules.server.metrics import Metrics
from turntable_rules.server.referee import Referee
from turntable_rules.server.replay import Replay

_YIELD_EVERY = 32
"""Items of a batch between two chances for other calls, and for a deadline to be noticed."""

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
Context = grpc.aio.ServicerContext[Any, Any]


class RulesService(pb_grpc.RulesServiceServicer):
    """Every call is one function of the referee, between a clock and an error handler."""

    def __init__(self, metrics: Metrics, max_batch: int, max_message_bytes: int) -> None:
        self.metrics = metrics
        self.max_batch = max_batch
        self.max_message_bytes = max_message_bytes
        self.referee = Referee(metrics)

    async def _answer(
        self, context: Context, method: str, request: Request | None, call: Callable[[Request], Response]
    ) -> Response:
        started = time.perf_counter()
        code = "OK"
        try:
            if request is None:
                raise unreadable()
            return call(request)
        except Exception as error:
            status = self._status(method, error)
            code = status.code.name
            await fail(context, status)
        finally:
            self.metrics.answered(method, edition_of(request), code, time.perf_counter() - started)

    def _status(self, method: str, error: Exception) -> ServiceError:
        """The error to answer with; one that nobody foresaw is logged and told without details."""
        known = as_service_error(error)
        if known is not None:
            LOGGER.debug("refused", extra={"method": method, "reason": known.reason, "code": known.code.name})
            return known
        LOGGER.error("a call failed", exc_info=error, extra={"method": method})
        return ServiceError(
            grpc.StatusCode.INTERNAL, "UNAVAILABLE", "the service failed; the fault is logged"
        )

    async def ListEditions(
        self, request: pb.ListEditionsRequest, context: Context
    ) -> pb.ListEditionsResponse:
        return await self._answer(context, "ListEditions", request, self.referee.list_editions)

    async def GetEdition(self, request: pb.GetEditionRequest, context: Context) -> pb.GetEditionResponse:
        return await self._answer(context, "GetEdition", request, self.referee.get_edition)

    async def NewGame(self, request: pb.NewGameRequest, context: Context) -> pb.NewGameResponse:
        return await self._answer(context, "NewGame", request, self.referee.new_game)

    async def ListLegalMoves(
        self, request: pb.ListLegalMovesRequest, context: Context
    ) -> pb.ListLegalMovesResponse:
        return await self._answer(context, "ListLegalMoves", request, self.referee.list_legal_moves)

    async def ValidateMove(
        self, request: pb.ValidateMoveRequest, context: Context
    ) -> pb.ValidateMoveResponse:
        return await self._answer(context, "ValidateMove", request, self.referee.validate_move)

    async def ApplyMove(self, request: pb.ApplyMoveRequest, context: Context) -> pb.ApplyMoveResponse:
        return await self._answer(context, "ApplyMove", request, self.referee.apply_move)

    async def GetView(self, request: pb.GetViewRequest, context: Context) -> pb.GetViewResponse:
        return await self._answer(context, "GetView", request, self.referee.get_view)

    async def ScoreGame(self, request: pb.ScoreGameRequest, context: Context) -> pb.ScoreGameResponse:
        return await self._answer(context, "ScoreGame", request, self.referee.score_game)

    async def RetireSeat(self, request: pb.RetireSeatRequest, context: Context) -> pb.RetireSeatResponse:
        return await self._answer(context, "RetireSeat", request, self.referee.retire_seat)

    async def CheckBoard(self, request: pb.CheckBoardRequest, context: Context) -> pb.CheckBoardResponse:
        return await self._answer(context, "CheckBoard", request, self.referee.check_board)

    async def ReplayGame(self, request: pb.ReplayGameRequest, context: Context) -> pb.ReplayGameResponse:
        return await self._answer(
            context, "ReplayGame", request, lambda given: Replay(self.referee, given).run()
        )

    async def ApplyMoves(
        self, request: pb.ApplyMovesRequest | None, context: Context
    ) -> pb.ApplyMovesResponse:
        started = time.perf_counter()
        answer = pb.ApplyMovesResponse()
        code = "CANCELLED"  # unless it comes to an end
        try:
            if request is None:
                raise unreadable()
            shared = request.ruleset if request.HasField("ruleset") else None
            await self._batch(request, shared, answer)
            code = "OK"
        except Exception as error:
            status = self._status("ApplyMoves", error)
            code = status.code.name
            await fail(context, status)
        finally:
            self.metrics.answered("ApplyMoves", edition_of(request), code, time.perf_counter() - started)
        return answer

    async def StreamMoves(
        self, request_iterator: AsyncIterator[pb.StreamMovesRequest | None], context: Context
    ) -> AsyncIterator[pb.StreamMovesResponse]:
        shared: ruleset_pb2.Ruleset | None = None
        async for request in request_iterator:
            if request is not None and request.HasField("ruleset"):
                shared = request.ruleset
            yield await self._part(request, shared, context)

    async def _part(
        self, request: pb.StreamMovesRequest | None, shared: ruleset_pb2.Ruleset | None, context: Context
    ) -> pb.StreamMovesResponse:
        started = time.perf_counter()
        answer = pb.StreamMovesResponse()
        code = "CANCELLED"
        try:
            if request is None:
                raise unreadable()
            await self._batch(request, shared, answer)
            code = "OK"
        except Exception as error:
            status = self._status("StreamMoves", error)
            code = status.code.name
            await fail(context, status)
        finally:
            edition = shared.edition if shared is not None else ""
            self.metrics.answered("StreamMoves", known(edition), code, time.perf_counter() - started)
        return answer

    async def _batch(
        self,
        request: pb.ApplyMovesRequest | pb.StreamMovesRequest,
        shared: ruleset_pb2.Ruleset | None,
        answer: pb.ApplyMovesResponse | pb.StreamMovesResponse,
    ) -> None:
        count = len(request.items)
        self.metrics.batch.observe(count)
        if count > self.max_batch:
            raise ServiceError(
                grpc.StatusCode.INVALID_ARGUMENT,
                "TOO_LARGE",
                f"{count} positions in one message; {self.max_batch} at most",
            )
        for number, item in enumerate(request.items):
            if number % _YIELD_EVERY == _YIELD_EVERY - 1:
                await asyncio.sleep(0)  # a call whose deadline has passed is cancelled here
            self.referee.answer_item(answer.answers.add(), item, shared, request)
        if answer.ByteSize() > self.max_message_bytes:
            raise ServiceError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_LARGE",
                f"the answer has more than {self.max_message_bytes} bytes; send fewer positions or omit the events",
            )


def add_to_server(service: RulesService, server: grpc.aio.Server) -> None:
    """Register the methods. Bytes that are no request reach them as None, to be refused like any other nonsense."""
    handlers: dict[str, Any] = {}
    for method in pb.DESCRIPTOR.services_by_name["RulesService"].methods:
        handler: Any = (
            grpc.stream_stream_rpc_method_handler
            if method.client_streaming
            else grpc.unary_unary_rpc_method_handler
        )
        handlers[method.name] = handler(
            getattr(service, method.name),
            request_deserializer=_reader(GetMessageClass(method.input_type)),
            response_serializer=GetMessageClass(method.output_type).SerializeToString,
        )
    name = pb.DESCRIPTOR.services_by_name["RulesService"].full_name
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))


def _reader(kind: type[Message]) -> Callable[[bytes], Message | None]:
    parse = kind.FromString

    def read(data: bytes) -> Message | None:
        try:
            return parse(data)
        except DecodeError:
            return None

    return read


def unreadable() -> ServiceError:
    """The error for bytes that are no request."""
    return malformed("the bytes sent are not a request of this method")


async def fail(context: Context, error: ServiceError) -> NoReturn:
    """End a call with a rich status."""
    await context.abort_with_status(rpc_status.to_status(to_status(error)))
    raise AssertionError("abort returns never")


def known(edition: str) -> str:
    """A label that strangers cannot fill with words of their own."""
    return edition if edition in EDITIONS else "other"


def edition_of(request: Message | None) -> str:
    """The edition a request is about, as a metric's label."""
    named = getattr(request, "ruleset", None)
    if named is not None and named.edition:
        return known(named.edition)
    position = getattr(request, "position", None)
    if position is not None and position.WhichOneof("form") == "position":
        return known(position.position.edition)
    return "other"
