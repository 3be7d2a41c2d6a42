"""The port over gRPC: every call arrives as it was made, every answer and every problem comes back as it was given."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

import turntable_rules as engine
from tests.contract.session.fake_sessions import FakeSessions, connected, game, serving, started
from tests.contract.session.samples import SETTINGS
from tests.kit.walks import Walk
from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_proto.session.v1 import session_service_pb2_grpc as pb_grpc
from turntable_session.client.remote import RemoteSessions
from turntable_session.core import answers
from turntable_session.core.port import Caller, Sessions
from turntable_session.problems import CODES, Problem
from turntable_session.server.calls import METHODS

pytestmark = pytest.mark.tree

ANN = Caller("tts_ann", "203.0.113.9")
WALK = Walk("europe", 3, 5).advance(30)
VIEW = answers.GameView(game("g", 9), 1, engine.view(WALK.state, 1), 1_700_000_000_000, None)
RESULT = engine.result_to_json(engine.score(WALK.state))
UPDATE = answers.Update(3, 5, "running", "turn_start", [1], "move", "player", 0, {"type": "draw_deck"}, [])
CLAIM = {"payment": {"wagons": 2, "colour": "brown", "locos": 0}, "route": "a_b", "type": "claim"}
RECORD = {"format": "turntable-record/1", "names": ["Ann", "Bo"], "log": [{"at": "…", "bot": "greedy"}]}

CALLS: list[tuple[str, tuple[Any, ...], Any]] = [
    *(("create_game", (ANN, settings), answers.Created(VIEW, "tth_1", "")) for settings in SETTINGS),
    (
        "create_game",
        (Caller("", "::1"), SETTINGS[0], bytes(32), "key"),
        answers.Created(VIEW, "tth_1", "tti_2"),
    ),
    ("get_game", (ANN, "g"), game("g", 2**40)),
    ("list_games", ("", "", 20, ""), answers.Page([], "")),
    ("list_games", ("open", "usa", 1, "there"), answers.Page([game("a"), game("b")], "further")),
    ("take_seat", (ANN, "g", "Ännchen"), answers.Seated(0, "tts_1", 2)),
    ("take_seat", (ANN, "g", "Bo", 0, "ext", "ab" * 32, "tti_2", "key"), answers.Seated(0, "tts_1", 2)),
    ("leave_seat", (ANN, "g", 0, "key"), answers.Changed(3, 0)),
    ("assign_seat", (ANN, "g", 0, "greedy", "key"), answers.Changed(3, 0)),
    ("assign_seat", (ANN, "g", 2, ""), answers.Changed(3, 2)),
    ("start_game", (ANN, "g", "greedy", "key"), answers.Changed(4)),
    ("reveal_entropy", (ANN, "g", b"\x00\xff", "key"), answers.Changed(4, 0)),
    ("play_move", (ANN, "g", 7, {"type": "draw_deck"}, "key", True), answers.Played(UPDATE, VIEW)),
    ("play_move", (ANN, "g", 7, CLAIM, "", False), answers.Played(UPDATE, None)),
    ("play_move", (ANN, "g", 0, 0, "", True), answers.Played(UPDATE, VIEW)),
    ("play_move", (ANN, "g", -1, 10**12, "", True), answers.Played(UPDATE, VIEW)),
    ("play_move", (ANN, "g", 7, "claim a_b 2brown", "", True), answers.Played(UPDATE, VIEW)),
    ("play_move", (ANN, "g", 7, "", "", True), answers.Played(UPDATE, VIEW)),
    ("play_move", (ANN, "g", 7, {"type": 5, "other": [None, 1.5]}, "", True), answers.Played(UPDATE, VIEW)),
    ("resign", (ANN, "g", "key"), answers.Changed(5, 1)),
    ("return_to_seat", (ANN, "g", "key"), answers.Changed(5, 0)),
    ("legal_moves", (ANN, "g"), answers.LegalMoves(8, [])),
    (
        "legal_moves",
        (ANN, "g"),
        answers.LegalMoves(8, [{"id": 0, "type": "draw_deck"}, {"id": 8, "type": "pass"}]),
    ),
    ("get_view", (ANN, "g", None, 0.0), VIEW),
    ("get_view", (ANN, "g", 8, 0.0), VIEW),
    ("get_view", (ANN, "g", 0, 2.5), VIEW),
    ("list_updates", (ANN, "g", 0, 100), answers.Updates([UPDATE, UPDATE], None)),
    ("list_updates", (ANN, "g", 40, 2), answers.Updates([], 42)),
    ("get_result", (ANN, "g"), RESULT),
    ("get_record", (ANN, "g"), RECORD),
    ("create_rematch", (ANN, "g", "key"), answers.Created(VIEW, "tth_3", "")),
    ("freeze_game", (ANN, "g", "why", "key"), answers.Changed(6)),
    ("resume_game", (ANN, "g", "why", "key"), answers.Changed(6)),
    ("adjudicate_game", (ANN, "g", [1, 0], "why", "key"), answers.Adjudicated(6, RESULT)),
    ("adjudicate_game", (ANN, "g", [], "", ""), answers.Adjudicated(6, {**RESULT, "ending": "adjudicated"})),
    ("delete_game", (ANN, "g", "why", "key"), None),
]


def bound(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call of the port by name, with their defaults."""
    given = inspect.signature(getattr(Sessions, name)).bind(None, *args, **named)
    given.apply_defaults()
    return given.arguments


def test_the_adapter_has_exactly_the_methods_of_the_port() -> None:
    wanted = {name: method for name, method in vars(Sessions).items() if not name.startswith("_")}
    found = {name: method for name, method in vars(RemoteSessions).items() if not name.startswith("_")}
    assert set(found) - set(wanted) == {"close"}
    for name, method in wanted.items():
        assert inspect.signature(found[name]) == inspect.signature(method), name
    assert {name for name, _, _ in CALLS} | {"watch"} == set(wanted), "every call is tried here"


def test_the_table_of_calls_has_every_unary_call_of_the_service() -> None:
    service = pb.DESCRIPTOR.services_by_name["SessionService"]
    unary = {method.name for method in service.methods if not method.server_streaming}
    assert {method.name for method in METHODS.values()} == unary
    fields = pb.Call.DESCRIPTOR.oneofs_by_name["request"].fields
    assert {field.name: field.message_type and field.message_type.name for field in fields} == {
        field: f"{method.name}Request" for field, method in METHODS.items()
    }
    keyed = {
        field.name
        for field in fields
        if field.message_type and "request_id" in field.message_type.fields_by_name
    }
    assert {field for field, method in METHODS.items() if method.changes} == keyed


async def test_every_call_arrives_and_its_answer_comes_back() -> None:
    sessions = FakeSessions()
    async with serving(sessions) as server, connected(server) as remote:
        for name, args, answer in CALLS:
            sessions.answer = lambda *_, answer=answer, **__: answer
            found = await getattr(remote, name)(*args)
            assert found == answer, name
            called, given, named = sessions.calls.pop()
            assert called == name
            assert bound(name, given, named) == bound(name, args, {}), name


@pytest.mark.parametrize("code", CODES)
async def test_problems_come_back_with_all_their_facts(code: str) -> None:
    faults = ["routes[3]: wrong", "x" * 3000]
    facts: dict[str, Any] = {
        "current_version": 12,
        "seat": 0,
        "clause": "7",
        "reason": "route_taken",
        "limit": "moves",
    }
    problem = Problem(code, "words " * 200, faults, **facts, phase="action", allowed="1")

    def refuse(*_: object) -> None:
        raise problem

    sessions = FakeSessions()
    sessions.answer = refuse
    async with serving(sessions) as server, connected(server) as remote:
        with pytest.raises(Problem) as caught:
            await remote.get_game(ANN, "g")
        found = caught.value
        assert (found.code, found.detail, found.faults) == (code, problem.detail, faults)
        assert found.facts == problem.facts
        with pytest.raises(Problem) as caught:  # a call of its own has less room
            await remote.get_view(ANN, "g", 1, 1.0)
        assert (caught.value.code, caught.value.facts) == (code, problem.facts)
        assert caught.value.detail.startswith("words words") and caught.value.faults[0] == faults[0]


async def test_what_no_message_can_hold_is_malformed_and_what_is_too_large_is_not_sent() -> None:
    sessions = FakeSessions()
    async with serving(sessions) as server, connected(server) as remote:
        for asked in (
            remote.leave_seat(ANN, "g", 10**12),
            remote.get_game(ANN, "\ud800"),
            remote.list_games("no status"),
            remote.play_move(ANN, "g", 2**70, 1),
            remote.play_move(ANN, "g", 1, {"type": object()}),
        ):
            with pytest.raises(Problem) as caught:
                await asked
            assert caught.value.code == "malformed"
        with pytest.raises(Problem) as caught:
            await remote.freeze_game(ANN, "g", "x" * 5_000_000)
        assert caught.value.code == "too_large"
    assert sessions.calls == []


async def test_the_address_of_a_callers_caller_is_believed_only_from_trusted_peers() -> None:
    sessions = FakeSessions()
    sessions.answer = lambda name, *_: VIEW if name == "get_view" else game("g")
    for trusted, expected in (("127.0.0.0/8", ANN.address), ("10.0.0.0/8", "127.0.0.1"), ("", "127.0.0.1")):
        async with serving(sessions, trusted_peers=trusted) as server, connected(server) as remote:
            await remote.get_game(ANN, "g")
            await remote.get_view(ANN, "g", 1, 1.0)
            assert [args[0] for _, args, _ in sessions.calls] == [Caller(ANN.token, expected)] * 2
            sessions.calls.clear()


def later(update: int) -> answers.Update:
    return answers.Update(update, 5, "running", "turn_start", [1], "sit", "player", 0, None, [])


async def test_a_watch_gives_the_view_and_the_updates_and_ends_with_the_game() -> None:
    async def items(*_: Any) -> AsyncIterator[Any]:
        for item in (VIEW, later(10), later(11)):
            yield item

    sessions = FakeSessions()
    sessions.answer = items
    async with serving(sessions) as server, connected(server) as remote:
        assert [item async for item in remote.watch(ANN, "g")] == [VIEW, later(10), later(11)]
        assert [item async for item in remote.watch(ANN, "g", 0)] == [VIEW, later(10), later(11)]
    assert [args for _, args, _ in sessions.calls] == [(ANN, "g", None), (ANN, "g", 0)]


async def test_a_watch_goes_on_with_the_next_server_after_the_last_version() -> None:
    """A server that drains sends its watchers elsewhere; nothing is missed or told twice."""

    async def waiting(_: str, caller: Caller, name: str, after: int | None) -> AsyncIterator[Any]:
        yield VIEW
        yield later(10)
        await asyncio.Event().wait()

    async def ending(_: str, caller: Caller, name: str, after: int | None) -> AsyncIterator[Any]:
        for version in range((after or 0) + 1, 13):
            yield later(version)

    first, second = FakeSessions(), FakeSessions()
    first.answer, second.answer = waiting, ending
    server = await started(first)
    async with connected(server) as remote:
        watch = remote.watch(ANN, "g")
        found = [await anext(watch), await anext(watch)]
        assert server.metrics.watches == 1
        async with asyncio.timeout(4):  # well before the grace is over
            await server.stop()
        async with serving(second, port=server.port):
            found += [item async for item in watch]
    assert found == [VIEW, later(10), later(11), later(12)]
    assert second.calls == [("watch", (ANN, "g", 10), {})]


async def test_a_watch_that_is_refused_or_fails_says_so() -> None:
    async def refused(*_: Any) -> AsyncIterator[Any]:
        yield VIEW
        raise Problem("unavailable", "the store has lost the newest versions", current_version=4)

    sessions = FakeSessions()
    sessions.answer = refused
    async with serving(sessions) as server, connected(server) as remote:
        watch = remote.watch(ANN, "g")
        assert await anext(watch) == VIEW
        with pytest.raises(Problem) as caught:
            await anext(watch)
        assert (caught.value.code, caught.value.facts) == ("unavailable", {"current_version": 4})
        assert len(sessions.calls) == 1, "a problem of the core is not tried again"


async def test_a_watch_left_by_its_watcher_ends_in_the_core() -> None:
    ended = asyncio.Event()

    async def waiting(*_: Any) -> AsyncIterator[Any]:
        try:
            yield VIEW
            await asyncio.Event().wait()
        finally:
            ended.set()

    sessions = FakeSessions()
    sessions.answer = waiting
    async with serving(sessions) as server, connected(server) as remote:
        watch: Any = remote.watch(ANN, "g")
        await anext(watch)
        await watch.aclose()
        async with asyncio.timeout(20):
            await ended.wait()


async def test_a_call_of_its_own_is_answered_and_refused_alike() -> None:
    """A client that knows nothing of the exchange."""
    sessions = FakeSessions()
    sessions.answer = lambda *_: answers.LegalMoves(
        4,
        [
            {"id": 3, "type": "claim", "route": "a_b", "payment": {"colour": "red", "wagons": 2, "locos": 0}},
            {"id": 4, "type": "claim", "route": "a_b", "payment": {"colour": None, "wagons": 0, "locos": 2}},
            {"id": 9, "type": "draw_deck"},
        ],
    )
    async with serving(sessions) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub: Any = pb_grpc.SessionServiceStub(channel)
        metadata = [("authorization", "bearer tts_ann")]
        request = pb.ListLegalMovesRequest(game_id="g", grouped=True)
        grouped = await stub.ListLegalMoves(request, metadata=metadata)
        assert [move.action_id for move in grouped.moves] == [9]
        (group,) = grouped.groups
        assert group.claim == "a_b" and [payment.action_id for payment in group.payments] == [3, 4]
        assert sessions.calls[-1][1][0] == Caller("tts_ann", "127.0.0.1")
        for bad in ([("authorization", "tts_ann")], [("authorization", "Basic abc")]):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.ListLegalMoves(request, metadata=bad)
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        for message in (
            pb.PlayMoveRequest(game_id="g"),
            pb.PlayMoveRequest(game_id="g", move_json="[1]"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.PlayMove(message)
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
