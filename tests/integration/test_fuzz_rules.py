"""Spoiled requests, in short; `make fuzz` sends twenty thousand to every method."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_status import rpc_status

import turntable_rules as engine
from tests.kit.requests import make
from tests.kit.rules_server import ServerThread
from tests.kit.walks import walked
from tools.fuzz_mutations import inside, spoiled
from tools.fuzz_requests import SOUND
from tools.fuzz_rules import SERVICE, run
from tools.rules_process import own_build
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc


def send(channel: Any, method: str, data: bytes) -> Iterator[bytes]:
    """The first answer to raw bytes."""
    path = f"/{SERVICE.full_name}/{method}"
    if method == "StreamMoves":
        yield from channel.stream_stream(path)(iter([data]), timeout=10)
    else:
        yield channel.unary_unary(path)(data, timeout=10)


def test_no_spoiled_request_upsets_the_service() -> None:
    report = run(150, seed=2, build=own_build())
    assert report["faults"] == []
    assert {facts["requests"] for facts in report["methods"].values()} == {150}


def test_every_method_is_fuzzed() -> None:
    assert set(SOUND) == {method.name for method in SERVICE.methods}


@pytest.mark.parametrize("method", SOUND)
def test_the_same_seed_spoils_alike(method: str) -> None:
    made = [[spoiled(SOUND[method](random), random) for _ in range(5)] for random in (Random(4), Random(4))]
    assert made[0] == made[1]


def test_edits_reach_every_depth() -> None:
    """Between a sound move and its spoiled copies every message inside differs at least once."""
    sound = SOUND["ApplyMove"](Random(5))
    random = Random(6)
    changed: set[str] = set()
    for _ in range(500):
        copy = type(sound)()
        try:
            copy.ParseFromString(spoiled(sound, random))
        except DecodeError:
            continue
        before = {message.DESCRIPTOR.name: message for message in inside(sound)}
        changed |= {m.DESCRIPTOR.name for m in inside(copy) if before.get(m.DESCRIPTOR.name) != m}
    assert {"ApplyMoveRequest", "Ruleset", "AnyPosition", "AnyMove"} <= changed


@pytest.mark.parametrize("method", SOUND)
def test_bytes_that_are_no_request_are_refused_like_other_nonsense(
    rules_server: ServerThread, method: str
) -> None:
    with grpc.insecure_channel(rules_server.address) as channel:
        answer = send(channel, method, b"\xff\xff")
        with pytest.raises(grpc.RpcError) as refused:
            next(answer)
    error: Any = refused.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    status = rpc_status.from_call(error)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info) and info.reason == "MALFORMED"


def test_a_batch_of_bytes_that_are_none_is_counted(rules_server: ServerThread) -> None:
    requests = rules_server.server.metrics.registry
    labels = {"method": "ApplyMoves", "code": "INVALID_ARGUMENT"}
    before = requests.get_sample_value("turntable_rules_requests_total", labels) or 0
    with grpc.insecure_channel(rules_server.address) as channel:
        with pytest.raises(grpc.RpcError):
            next(send(channel, "ApplyMoves", b"\xff"))
        assert next(send(channel, "ApplyMoves", b"")) == b""
    assert requests.get_sample_value("turntable_rules_requests_total", labels) == before + 1


@pytest.mark.parametrize("counter", ["turns", "draws"])
def test_counters_at_the_end_of_their_numbers_are_refused(
    stub: pb_grpc.RulesServiceStub, counter: str
) -> None:
    """Found by fuzzing: one more turn did not fit into the answer."""
    walk = walked(("lyon", 3), 1, 20)
    seat, action = walk.choose()
    setattr(walk.state, counter, 2**31)
    request = make.ApplyMoveRequest(ruleset={"edition": "lyon", "player_count": 3}, seat=seat)
    request.position.state = engine.encode(walk.state)
    request.move.action_id = action
    with pytest.raises(grpc.RpcError) as refused:
        stub.ApplyMove(request)
    error: Any = refused.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
