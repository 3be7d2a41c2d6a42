"""Calls to a session service over one long-lived exchange, and those that wait for long over streams of their own."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Final

import grpc

from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_proto.session.v1 import session_service_pb2_grpc as pb_grpc
from turntable_session.channels.multiplex import Asked, Broken, Multiplex, Overfull
from turntable_session.core.port import Caller
from turntable_session.messages.failures import from_error, from_failure
from turntable_session.problems import Problem
from turntable_session.vocabulary.to_proto import Init

_MAX_BYTES: Final = 4 * 1024 * 1024 - 4096
"""Most bytes of one call: a server drops the whole stream for a message beyond its limit."""
_BATCH_BYTES: Final = 1024 * 1024
PAUSE: Final = 0.05
"""Seconds before a call that broke is made again."""


class Calls:
    """Makes the calls of one client."""

    def __init__(self, stub: "pb_grpc.SessionServiceAsyncStub", seconds: float) -> None:
        self.stub = stub
        self.seconds = seconds
        self._exchange = Multiplex[pb.Call, pb.Answer](
            lambda: stub.Exchange(wait_for_ready=True), _packed, _answers_in
        )

    async def close(self) -> None:
        """End the exchange."""
        await self._exchange.close()

    async def read(self, field: str, caller: Caller, init: Init) -> pb.Answer:
        """Ask for something; it is asked for again if the stream breaks."""
        return await self._ask(field, caller, init, is_repeatable=True)

    async def change(self, field: str, caller: Caller, init: Init, key: str) -> pb.Answer:
        """Change something; with a key it is asked for again if the stream breaks."""
        try:
            return await self._ask(field, caller, {**init, "request_id": key}, is_repeatable=bool(key))
        except _TooLate:
            raise Problem(
                "unconfirmed" if key else "unavailable",
                "the session service has not answered in time; whether it was saved is not known",
            ) from None

    async def _ask(self, field: str, caller: Caller, init: Init, *, is_repeatable: bool) -> pb.Answer:
        call = _call(field, caller, init)
        try:
            answer = await self._exchange.ask(call, is_repeatable=is_repeatable, seconds=self.seconds)
        except TimeoutError:
            raise _TooLate from None
        except Broken:
            raise Problem("unavailable", "the connection to the session service broke") from None
        except Overfull:
            raise Problem("unavailable", "too many calls wait for the session service") from None
        if answer.HasField("failure"):
            raise from_failure(answer.failure)
        return answer

    async def wait_for_view(self, caller: Caller, init: Init, wait: float) -> pb.GetViewResponse:
        """A view that is waited for, by a call of its own: it would hold a place in the exchange for too long."""
        request = _call("get_view", caller, init).get_view
        loop = asyncio.get_running_loop()
        end = loop.time() + wait + self.seconds
        while True:
            try:
                return await self.stub.GetView(
                    request, timeout=end - loop.time(), metadata=metadata_of(caller), wait_for_ready=True
                )
            except grpc.aio.AioRpcError as error:
                problem = from_error(error)
                if problem is not None:
                    raise problem from None
                if error.code() is not grpc.StatusCode.UNAVAILABLE or loop.time() + PAUSE > end:
                    raise Problem("unavailable", "the session service does not answer") from error
            await asyncio.sleep(PAUSE)


class _TooLate(Problem):
    """No answer in time."""

    def __init__(self) -> None:
        super().__init__("unavailable", "the session service has not answered in time")


def _call(field: str, caller: Caller, init: Init) -> pb.Call:
    content: Init = {field: init, "authorization": authorization_of(caller), "address": caller.address}
    try:
        call = pb.Call(**content)
    except (ValueError, TypeError):
        raise Problem("malformed", "the request holds numbers or texts that are none") from None
    if call.ByteSize() > _MAX_BYTES:
        raise Problem("too_large", f"a request has at most {_MAX_BYTES} bytes")
    return call


def authorization_of(caller: Caller) -> str:
    """What a caller shows to be recognised."""
    return f"Bearer {caller.token}" if caller.token else ""


def metadata_of(caller: Caller) -> list[tuple[str, str | bytes]]:
    """The caller of a call that does not go over the exchange."""
    if not (caller.token.isascii() and caller.token.isprintable()):
        raise Problem("unauthenticated", "this is not a token")
    metadata: list[tuple[str, str | bytes]] = []
    if caller.token:
        metadata.append(("authorization", authorization_of(caller)))
    if caller.address.isascii() and caller.address.isprintable():
        metadata.append(("turntable-address", caller.address))
    return metadata


def _packed(asked: list[Asked[pb.Call, pb.Answer]]) -> Iterator[pb.ExchangeRequest]:
    """As few messages as are not too large; each call says how much time it has left."""
    now = asyncio.get_running_loop().time()
    calls: list[pb.Call] = []
    size = 0
    for one in asked:
        call = one.question
        call.timeout.FromMilliseconds(max(1, int((one.deadline - now) * 1000)))
        size += call.ByteSize()
        if calls and size > _BATCH_BYTES:
            yield pb.ExchangeRequest(calls=calls)
            calls, size = [], call.ByteSize()
        calls.append(call)
    if calls:
        yield pb.ExchangeRequest(calls=calls)


def _answers_in(message: pb.ExchangeResponse) -> Iterable[tuple[int, pb.Answer]]:
    return [(answer.correlation_id, answer) for answer in message.answers]
