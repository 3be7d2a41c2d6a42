"""The gRPC face of the core: measures each call, and turns every problem into a status or a failure."""

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import Any, Final, NoReturn, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status import rpc_status

from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_session.core.answers import GameView, Update
from turntable_session.core.port import Caller, Sessions
from turntable_session.logs import LOGGER
from turntable_session.messages.failures import GRPC_CODES, to_failure, to_status
from turntable_session.messages.games import game_view_to_proto, update_to_proto
from turntable_session.messages.times import seconds_from_proto
from turntable_session.problems import Problem, malformed
from turntable_session.server.callers import Peer, parse_networks
from turntable_session.server.calls import METHODS, Method
from turntable_session.server.exchange import Exchange
from turntable_session.server.metrics import Metrics
from turntable_session.server.settings import Settings
from turntable_session.server.watches import until
from turntable_session.vocabulary.to_proto import Init

Context = grpc.aio.ServicerContext[Any, Any]

SERVICE: Final = pb.DESCRIPTOR.services_by_name["SessionService"]
_OVERHEAD: Final = 1024
"""Bytes of a message besides its answers."""


class SessionService:
    """Every call between a clock and an error handler."""

    def __init__(self, sessions: Sessions, metrics: Metrics, settings: Settings) -> None:
        self.sessions = sessions
        self.metrics = metrics
        self.settings = settings
        self._trusted = parse_networks(settings.trusted_peers)
        self._draining = asyncio.Event()
        self._exchanges: set[Exchange] = set()

    def drain(self) -> None:
        """Send watchers elsewhere, and let exchanges end when their calls are answered."""
        self._draining.set()
        for exchange in self._exchanges:
            exchange.drain()

    async def unary(self, method: Method, request: Message | None, context: Context) -> Init:
        """One call of its own."""
        started = time.perf_counter()
        reason = "CANCELLED"  # unless it comes to an end
        try:
            if request is None:
                raise _unreadable()
            init = await method.run(self.sessions, self._caller(context), request)
            reason = "OK"
            return init
        except Exception as error:
            problem, code = self._told(method.name, error)
            reason = problem.code.upper()
            await _fail(context, problem, code)
        finally:
            self.metrics.answered(method.name, reason, time.perf_counter() - started)

    async def watch(self, request: pb.WatchGameRequest | None, context: Context) -> None:
        """One watch, until the game is over or the service drains."""
        started = time.perf_counter()
        reason = "CANCELLED"
        self.metrics.watches += 1
        try:
            if request is None:
                raise _unreadable()
            after = request.after_version if request.HasField("after_version") else None
            updates = self.sessions.watch(self._caller(context), request.game_id, after)
            await self._send_updates(updates, context)
            reason = "OK"
        except Exception as error:
            problem, code = self._told("WatchGame", error)
            reason = problem.code.upper()
            await _fail(context, problem, code)
        finally:
            self.metrics.watches -= 1
            self.metrics.answered("WatchGame", reason, time.perf_counter() - started)
        if self._draining.is_set():
            await _go_elsewhere(context)

    async def _send_updates(self, updates: AsyncIterator[GameView | Update], context: Context) -> None:
        async for item in until(self._draining, updates):
            if isinstance(item, GameView):
                seen: Init = {"view": game_view_to_proto(item)}
            else:
                seen = {"update": update_to_proto(item)}
            await context.write(pb.WatchGameResponse(**seen))

    async def exchange(self, requests: AsyncIterable[pb.ExchangeRequest | None], context: Context) -> None:
        """One exchange, until its client ends it or the service drains."""
        peer = Peer(context.peer(), self._trusted)
        largest = self.settings.max_message_bytes - _OVERHEAD

        async def answer(call: pb.Call) -> pb.Answer:
            return await self._answer(call, peer, largest)

        exchange = Exchange(answer, self.metrics, self.settings.max_in_flight, largest)
        self._exchanges.add(exchange)
        self.metrics.exchanges += 1
        try:
            await exchange.run(requests, context)
        except Exception as error:
            problem, code = self._told("Exchange", error)
            await _fail(context, problem, code)
        finally:
            self.metrics.exchanges -= 1
            self._exchanges.discard(exchange)
        if self._draining.is_set():
            await _go_elsewhere(context)

    async def _answer(self, call: pb.Call, peer: Peer, largest: int) -> pb.Answer:
        """One call of an exchange; whatever goes wrong is its answer and spoils no other."""
        started = time.perf_counter()
        method = METHODS.get(call.WhichOneof("request") or "")
        name = "other" if method is None else method.name
        reason = "CANCELLED"
        try:
            if method is None:
                raise malformed("the call is empty, or of a kind that is not known here")
            caller = peer.caller(call.authorization, call.address)
            async with asyncio.timeout(self._seconds(call)):
                init = await method.run(self.sessions, caller, getattr(call, method.field))
            answer = _answer_of(call, method.field, init)
            if answer.ByteSize() > largest:
                raise Problem("too_large", f"the answer has more than {largest} bytes")
            reason = "OK"
            return answer
        except TimeoutError:
            problem = _late(method)
            reason = problem.code.upper()
            return _answer_of(call, "failure", to_failure(problem, grpc.StatusCode.DEADLINE_EXCEEDED))
        except Exception as error:
            problem, code = self._told(name, error)
            reason = problem.code.upper()
            return _answer_of(call, "failure", to_failure(problem, code))
        finally:
            self.metrics.answered(name, reason, time.perf_counter() - started)

    def _seconds(self, call: pb.Call) -> float:
        longest = self.settings.call_seconds
        return min(longest, seconds_from_proto(call.timeout)) if call.HasField("timeout") else longest

    def _caller(self, context: Context) -> Caller:
        metadata = {str(key): value for key, value in context.invocation_metadata() or ()}
        authorization, forwarded = metadata.get("authorization", ""), metadata.get("turntable-address", "")
        return Peer(context.peer(), self._trusted).caller(str(authorization), str(forwarded))

    def _told(self, method: str, error: Exception) -> tuple[Problem, grpc.StatusCode]:
        """What the caller is told; an error that nobody foresaw is logged and told without details."""
        if isinstance(error, Problem):
            LOGGER.debug("refused", extra={"method": method, "reason": error.code})
            return error, GRPC_CODES[error.code]
        LOGGER.error("a call failed", exc_info=error, extra={"method": method})
        return Problem("unavailable", "the service failed; the fault is logged"), grpc.StatusCode.INTERNAL


def _answer_of(call: pb.Call, field: str, init: Init) -> pb.Answer:
    return pb.Answer(correlation_id=call.correlation_id, **cast(Any, {field: init}))


def _late(method: Method | None) -> Problem:
    """A change that took too long may still have been saved."""
    if method is not None and method.changes:
        return Problem("unconfirmed", "the call took too long; whether it was saved is not known")
    return Problem("unavailable", "the call took too long")


def _unreadable() -> Problem:
    return malformed("the bytes sent are not a request of this method")


async def _fail(context: Context, problem: Problem, code: grpc.StatusCode) -> NoReturn:
    """End a call with a rich status."""
    await context.abort_with_status(rpc_status.to_status(to_status(problem, code)))
    raise AssertionError("abort returns never")


async def _go_elsewhere(context: Context) -> None:
    """End a stream so that its client opens it again with another server; it is no problem, so it has no details."""
    await context.abort(grpc.StatusCode.UNAVAILABLE, "the server is going away")


def add_to_server(service: SessionService, server: grpc.aio.Server) -> None:
    """Register the methods. Bytes that are no request reach them as None, to be refused like any other nonsense."""
    handlers: dict[str, Any] = {}
    for field, method in METHODS.items():
        assert field == method.field
        described = SERVICE.methods_by_name[method.name]
        handlers[method.name] = grpc.unary_unary_rpc_method_handler(
            _answering(service, method, GetMessageClass(described.output_type)),
            request_deserializer=_reader(GetMessageClass(described.input_type)),
            response_serializer=GetMessageClass(described.output_type).SerializeToString,
        )
    handlers["WatchGame"] = grpc.unary_stream_rpc_method_handler(
        service.watch,
        request_deserializer=_reader(pb.WatchGameRequest),
        response_serializer=pb.WatchGameResponse.SerializeToString,
    )
    handlers["Exchange"] = grpc.stream_stream_rpc_method_handler(
        service.exchange,
        request_deserializer=_reader(pb.ExchangeRequest),
        response_serializer=pb.ExchangeResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE.full_name, handlers),))


def _answering(
    service: SessionService, method: Method, response: type[Message]
) -> Callable[[Message | None, Context], Awaitable[Message]]:
    async def answer(request: Message | None, context: Context) -> Message:
        return response(**await service.unary(method, request, context))

    return answer


def _reader(kind: type[Message]) -> Callable[[bytes], Message | None]:
    parse = kind.FromString

    def read(data: bytes) -> Message | None:
        try:
            return parse(data)
        except DecodeError:
            return None

    return read
