"""The exchange: many calls over one stream, each for itself, whatever happens to the others or to the stream."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from tests.contract.session.fake_sessions import FakeSessions, connected, game, serving, started
from turntable_proto.game.v1 import error_pb2
from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_proto.session.v1 import session_service_pb2_grpc as pb_grpc
from turntable_session.core.answers import Changed
from turntable_session.core.port import Caller
from turntable_session.problems import Problem
from turntable_session.server.app import SessionServer

pytestmark = pytest.mark.tree

ANN = Caller("tts_ann", "10.0.0.7")


def call(number: int, **request: Any) -> pb.Call:
    """A call by hand; `get_game` unless another is named."""
    return pb.Call(correlation_id=number, **request or {"get_game": {"game_id": f"g{number}"}})


class Raw:
    """A stream spoken by hand."""

    def __init__(self, server: SessionServer) -> None:
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
        self.stream: Any = pb_grpc.SessionServiceStub(self.channel).Exchange()

    async def __aenter__(self) -> Raw:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stream.cancel()
        await self.channel.close()

    async def send(self, *calls: pb.Call) -> None:
        await self.stream.write(pb.ExchangeRequest(calls=calls))

    async def answers(self, count: int) -> list[pb.Answer]:
        """The next answers, in the order they come."""
        found: list[pb.Answer] = []
        async with asyncio.timeout(20):
            while len(found) < count:
                found += (await self.stream.read()).answers
        return found


async def test_calls_of_many_callers_share_messages_and_get_their_own_answers() -> None:
    sessions = FakeSessions()
    sessions.answer = lambda _, caller, name: game(name)
    async with serving(sessions) as server, connected(server) as remote:
        callers = [Caller(f"token{number}", f"10.0.0.{number % 200}") for number in range(300)]
        found = await asyncio.gather(*(remote.get_game(one, one.token) for one in callers))
        assert [answer.id for answer in found] == [one.token for one in callers]
        assert sorted(args for _, args, _ in sessions.calls) == sorted((one, one.token) for one in callers)
        assert sum(server.metrics.calls_received.counts) < 20, "calls asked together go out together"
        assert sum(server.metrics.answers_sent.counts) < 100, "answers that are ready go out together"
        assert server.metrics.exchanges == 1


async def test_a_slow_call_holds_nobody_up() -> None:
    sessions = FakeSessions()
    slow = asyncio.Event()

    async def answer(_: str, caller: Caller, name: str) -> Any:
        if name == "g1":
            await slow.wait()
        return game(name)

    sessions.answer = answer
    async with serving(sessions) as server, Raw(server) as raw:
        await raw.send(call(1), call(2), call(3))
        assert [answer.correlation_id for answer in await raw.answers(2)] == [2, 3]
        slow.set()
        (last,) = await raw.answers(1)
        assert (last.correlation_id, last.get_game.game.id) == (1, "g1")


async def test_a_failed_call_spoils_no_other() -> None:
    sessions = FakeSessions()

    def answer(_: str, caller: Caller, name: str) -> Any:
        if name == "g2":
            raise Problem("stale_version", "too late", ["one", "two"], current_version=7, clause="12")
        if name == "g3":
            raise KeyError("the seed is 1234")
        return game(name)

    sessions.answer = answer
    async with serving(sessions) as server, Raw(server) as raw:
        empty = pb.Call(correlation_id=5)
        stranger = call(6, authorization="Basic QQ==", get_game={"game_id": "g6"})
        await raw.send(call(1), call(2), call(3), call(4), empty, stranger)
        found = {answer.correlation_id: answer for answer in await raw.answers(6)}
        assert [found[number].get_game.game.id for number in (1, 4)] == ["g1", "g4"]
        stale, broken, nothing, unknown = (found[number].failure for number in (2, 3, 5, 6))
        assert (stale.code, stale.reason) == (10, error_pb2.ERROR_REASON_STALE_VERSION)
        assert dict(stale.metadata) == {"currentVersion": "7", "clause": "12"}
        assert list(stale.faults) == ["one", "two"]
        assert (broken.code, broken.reason) == (13, error_pb2.ERROR_REASON_UNAVAILABLE)
        assert (nothing.code, nothing.reason) == (3, error_pb2.ERROR_REASON_MALFORMED)
        assert (unknown.code, unknown.reason) == (16, error_pb2.ERROR_REASON_UNAUTHENTICATED)
        assert "1234" not in str(found)


async def test_a_call_that_takes_too_long_is_ended_and_says_whether_it_may_have_been_saved() -> None:
    sessions = FakeSessions()
    sessions.answer = lambda *args: asyncio.sleep(3600)
    soon = {"timeout": {"nanos": 50_000_000}}
    async with serving(sessions) as server, Raw(server) as raw:
        await raw.send(call(1, get_game={"game_id": "g"}, **soon), call(2, resign={"game_id": "g"}, **soon))
        found = {answer.correlation_id: answer.failure for answer in await raw.answers(2)}
        assert {failure.code for failure in found.values()} == {4}
        assert found[1].reason == error_pb2.ERROR_REASON_UNAVAILABLE
        assert found[2].reason == error_pb2.ERROR_REASON_UNCONFIRMED
        assert sorted(sessions.cancelled) == ["get_game", "resign"]


async def test_the_server_has_a_limit_of_its_own_for_calls() -> None:
    sessions = FakeSessions()
    sessions.answer = lambda *args: asyncio.sleep(3600)
    async with serving(sessions, call_seconds=0.1) as server, Raw(server) as raw:
        await raw.send(call(1), call(2, get_game={"game_id": "g"}, timeout={"seconds": 3600}))
        assert {answer.failure.code for answer in await raw.answers(2)} == {4}


async def test_a_cut_stream_ends_what_is_under_way() -> None:
    sessions = FakeSessions()
    sessions.answer = lambda *args: asyncio.sleep(3600)
    async with serving(sessions) as server:
        async with Raw(server) as raw:
            await raw.send(call(1), call(2), call(3))
            await sessions.until(lambda: len(sessions.calls) == 3)
        await sessions.until(lambda: len(sessions.cancelled) == 3)


async def test_a_stream_that_is_closed_in_order_gets_its_last_answers() -> None:
    sessions = FakeSessions()
    go_on = asyncio.Event()

    async def answer(_: str, caller: Caller, name: str) -> Any:
        await go_on.wait()
        return game(name)

    sessions.answer = answer
    async with serving(sessions) as server, Raw(server) as raw:
        await raw.send(call(1), call(2))
        await raw.stream.done_writing()
        await sessions.until(lambda: len(sessions.calls) == 2)
        go_on.set()
        assert len(await raw.answers(2)) == 2
        assert await raw.stream.read() is grpc.aio.EOF
        assert await raw.stream.code() is grpc.StatusCode.OK


async def test_only_so_many_calls_of_a_stream_are_under_way() -> None:
    sessions = FakeSessions()
    turnstile = asyncio.Semaphore(0)

    async def answer(_: str, caller: Caller, name: str) -> Any:
        await turnstile.acquire()
        return game(name)

    sessions.answer = answer
    async with serving(sessions, max_in_flight=4) as server, Raw(server) as raw, Raw(server) as other:
        await raw.send(*(call(number) for number in range(1, 21)))
        await sessions.until(lambda: len(sessions.calls) == 4)
        for passed in range(1, 6):
            turnstile.release()
            await raw.answers(1)
            await sessions.until(lambda passed=passed: len(sessions.calls) == 4 + passed)  # type: ignore[misc]
        await other.send(call(1))
        await sessions.until(lambda: len(sessions.calls) == 10)  # a stream has its own places
        for _ in range(20):
            turnstile.release()
        assert len(await raw.answers(15)) == 15
        assert len(sessions.calls) == 21


async def test_answers_too_large_for_one_message_are_spread_or_refused() -> None:
    sessions = FakeSessions()
    lengths = {"g1": 40_000, "g2": 40_000, "g3": 90_000, "g4": 10}
    sessions.answer = lambda _, caller, name: game("x" * lengths[name])
    async with serving(sessions, max_message_bytes=64 * 1024) as server, Raw(server) as raw:
        await raw.send(*(call(number) for number in range(1, 5)))
        found = {answer.correlation_id: answer for answer in await raw.answers(4)}
        assert [len(found[number].get_game.game.id) for number in (1, 2, 4)] == [40_000, 40_000, 10]
        assert found[3].failure.reason == error_pb2.ERROR_REASON_TOO_LARGE


async def test_bytes_that_are_no_message_end_the_stream_with_a_reason() -> None:
    async with (
        serving(FakeSessions()) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        stream: Any = channel.stream_stream("/turntable.session.v1.SessionService/Exchange")()
        await stream.write(b"\xff\xff\xff")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_calls_that_may_be_repeated_survive_their_server() -> None:
    """Reads and keyed changes are asked again on the next stream; a change without a key is given up."""
    first, second = FakeSessions(), FakeSessions()
    first.answer = lambda *args: asyncio.sleep(3600)

    def answer(name: str, *args: Any) -> Any:
        return game("found") if name == "get_game" else Changed(5, 1)

    second.answer = answer
    server = await started(first, grace_seconds=0)
    async with connected(server) as remote:
        asked = [
            asyncio.ensure_future(remote.get_game(ANN, "g")),
            asyncio.ensure_future(remote.resign(ANN, "g", key="again")),
            asyncio.ensure_future(remote.resign(ANN, "g")),
        ]
        await first.until(lambda: len(first.calls) == 3)
        await server.stop()
        async with serving(second, port=server.port):
            read, keyed, keyless = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(keyless, Problem) and keyless.code == "unavailable"
    assert (read, keyed) == (game("found"), Changed(5, 1))
    assert sorted(name for name, _, _ in second.calls) == ["get_game", "resign"]
    assert [args for name, args, _ in second.calls if name == "resign"] == [(ANN, "g", "again")]


async def test_calls_wait_for_a_server_until_their_time_is_up() -> None:
    async with serving(FakeSessions()) as server:
        port = server.port
    async with connected(server, seconds=0.3) as remote:
        with pytest.raises(Problem) as caught:
            await remote.get_game(ANN, "g")
        assert caught.value.code == "unavailable"
        with pytest.raises(Problem) as caught:
            await remote.resign(ANN, "g", key="k")
        assert caught.value.code == "unconfirmed"
        with pytest.raises(Problem) as caught:
            await remote.resign(ANN, "g")
        assert caught.value.code == "unavailable"
    sessions = FakeSessions()
    sessions.answer = lambda _, caller, name: game(name)
    async with connected(server) as remote:
        asked = asyncio.ensure_future(remote.get_game(ANN, "late"))
        await asyncio.sleep(0)
        async with serving(sessions, port=port):
            assert (await asked).id == "late"


async def test_a_draining_server_answers_what_is_under_way() -> None:
    sessions = FakeSessions()
    go_on = asyncio.Event()

    async def answer(_: str, caller: Caller, name: str) -> Any:
        await go_on.wait()
        return game(name)

    sessions.answer = answer
    async with serving(sessions, grace_seconds=20) as server, Raw(server) as raw:
        await raw.send(call(1))
        await sessions.until(lambda: len(sessions.calls) == 1)
        server.service.drain()
        go_on.set()
        assert [answer.correlation_id for answer in await raw.answers(1)] == [1]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await raw.stream.read()
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
