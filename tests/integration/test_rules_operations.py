"""The service as a process: health, reflection, draining, deadlines, limits, metrics and a log without secrets."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import turntable_rules as engine
from tests.kit.remote_table import details
from tests.kit.requests import make
from tests.kit.rules_process import RulesProcess
from tests.kit.rules_server import serving
from tests.kit.walks import Walk
from turntable_proto.game.v1 import ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules.server.logs import LOGGER, start_logging

SERVICE = "turntable.rules.v1.RulesService"
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
EUROPE = ruleset_pb2.Ruleset(edition="europe", player_count=3)


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RulesProcess]:
    log = tmp_path_factory.mktemp("rules") / "log"
    with RulesProcess(log, metrics_port=0, log_level="debug", max_message_bytes=2_000_000) as running:
        yield running


@pytest.fixture(scope="module")
def channel(process: RulesProcess) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(process.address) as opened:
        yield opened


def items(count: int) -> list[pb.MoveItem]:
    """Many times the same question."""
    walk = Walk("europe", 3, 1).advance(30)
    seat, action = walk.choose()
    position = {"state": engine.encode(walk.state)}
    return [make.MoveItem(position=position, seat=seat, move={"action_id": action}) for _ in range(count)]


def page(address: str) -> str:
    """The Prometheus page."""
    with urlopen(f"http://{address}/metrics", timeout=20) as answer:
        return str(answer.read().decode())


def code_of(call: Any, *arguments: Any, **options: Any) -> grpc.StatusCode:
    """The status of a call that has to fail."""
    with pytest.raises(grpc.RpcError) as caught:
        call(*arguments, **options)
    error: Any = caught.value
    return error.code()


@pytest.mark.parametrize("name", ["", SERVICE])
def test_the_service_says_that_it_serves(channel: grpc.Channel, name: str) -> None:
    health: Any = health_pb2_grpc.HealthStub(channel)
    assert health.Check(health_pb2.HealthCheckRequest(service=name)).status == SERVING


def test_the_health_of_another_service_is_not_known(channel: grpc.Channel) -> None:
    health: Any = health_pb2_grpc.HealthStub(channel)
    asked = health_pb2.HealthCheckRequest(service="monopoly.v1.Bank")
    assert code_of(health.Check, asked) is grpc.StatusCode.NOT_FOUND
    watch = health.Watch(asked)
    assert next(watch).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
    watch.cancel()


def test_reflection_lists_the_service_and_describes_its_messages(channel: grpc.Channel) -> None:
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE),
    ]
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    listed, file = stub.ServerReflectionInfo(iter(asked))
    names = {service.name for service in listed.list_services_response.service}
    assert names >= {SERVICE, "grpc.health.v1.Health"}
    assert b"ValidateMoveRequest" in file.file_descriptor_response.file_descriptor_proto[0]


def test_a_message_beyond_the_limit_is_refused_and_the_next_call_served(channel: grpc.Channel) -> None:
    stub = pb_grpc.RulesServiceStub(channel)
    large = make.CheckBoardRequest(board_json="x" * 2_100_000)
    assert code_of(stub.CheckBoard, large) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert stub.ListEditions(make.ListEditionsRequest()).editions


def test_a_batch_beyond_the_limit_is_too_large() -> None:
    with serving(max_batch=3) as server, grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.RulesServiceStub(channel)
        assert len(stub.ApplyMoves(make.ApplyMovesRequest(ruleset=EUROPE, items=items(3))).answers) == 3
        with pytest.raises(grpc.RpcError) as caught:
            stub.ApplyMoves(make.ApplyMovesRequest(ruleset=EUROPE, items=items(4)))
        assert details(caught.value)[0].reason == "TOO_LARGE"
        with pytest.raises(grpc.RpcError) as caught:
            list(stub.StreamMoves(iter([make.StreamMovesRequest(ruleset=EUROPE, items=items(4))])))
        assert details(caught.value)[0].reason == "TOO_LARGE"
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_an_answer_beyond_the_limit_is_refused_with_its_reason() -> None:
    asked = make.ApplyMovesRequest(ruleset=EUROPE, items=items(100))
    limit = asked.ByteSize() + 1000  # the answer has the positions too, and events besides
    with serving(max_message_bytes=limit) as server, grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.RulesServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.ApplyMoves(asked)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details(caught.value)[0].reason == "TOO_LARGE"
        asked.omit_events = asked.omit_state_hash = True
        del asked.items[50:]
        assert len(stub.ApplyMoves(asked).answers) == 50


def test_a_batch_stops_when_its_deadline_has_passed(process: RulesProcess, channel: grpc.Channel) -> None:
    """The caller hears at once, and the server does not work on for nobody."""
    stub = pb_grpc.RulesServiceStub(channel)
    batch = make.ApplyMovesRequest(ruleset=EUROPE, items=items(4000))
    cancelled = re.compile(r'turntable_rules_requests_total\{code="CANCELLED",method="ApplyMoves"\} [1-9]')
    # A deadline may pass before the batch has arrived or after it is done; one that passes in between has to come.
    for attempt in range(60):
        call = stub.ApplyMoves.future(batch, timeout=0.03 * (1 + attempt % 12))
        assert call.code() in (grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED)
        begun = time.monotonic()
        assert stub.ListEditions(make.ListEditionsRequest(), timeout=10).editions
        assert time.monotonic() - begun < 5
        if cancelled.search(page(process.metrics_address)):
            return
    raise AssertionError("no batch was ever stopped at its deadline")


def test_a_game_leaves_no_secret_in_errors_log_or_metrics(
    process: RulesProcess, channel: grpc.Channel
) -> None:
    stub = pb_grpc.RulesServiceStub(channel)
    chance = Random(4)
    seed = chance.randbytes(32)
    told: list[str] = []

    def fails(call: Any, request: Any) -> None:
        with pytest.raises(grpc.RpcError) as caught:
            call(request)
        told.append(f"{caught.value} {details(caught.value)}")

    secrets = {seed.hex(), seed.hex().upper(), repr(seed)[2:-1], base64.b64encode(seed).decode()}
    outcome = stub.NewGame(make.NewGameRequest(ruleset=EUROPE, seed=seed)).outcome
    for _ in range(80):
        seat = chance.choice(outcome.active_seats)
        known = {"ruleset": EUROPE, "position": outcome.position}
        state = outcome.position.state
        facts: dict[str, Any] = engine.to_position(engine.decode(engine.ruleset("europe", 3), state))
        secrets |= {state.hex(), repr(state)[2:-1]}
        secrets |= {*facts["pile"], *(ticket for player in facts["players"] for ticket in player["tickets"])}
        legal = stub.ListLegalMoves(make.ListLegalMovesRequest(**known, seat=seat)).moves
        fails(stub.ApplyMove, make.ApplyMoveRequest(**known, seat=seat, move={"text": "claim nowhere 1red"}))
        fails(stub.ApplyMove, make.ApplyMoveRequest(**known, seat=seat, move={"text": "keep_tickets -"}))
        fails(stub.ApplyMove, make.ApplyMoveRequest(**known, seat=(seat + 1) % 3, move={"action_id": 10**6}))
        fails(stub.GetView, make.GetViewRequest(ruleset=EUROPE, position={"state": state[:-2]}))
        move = {"action_id": chance.choice(legal).action_id}
        outcome = stub.ApplyMove(make.ApplyMoveRequest(**known, seat=seat, move=move)).outcome
    texts = {
        "errors": "\n".join(told),
        "log": process.log_file.read_text(),
        "metrics": page(process.metrics_address),
    }
    for place, text in texts.items():
        assert len(text) > 1000
        assert not [secret for secret in secrets if secret in text], place
    assert {line["level"] for line in process.log()} <= {"info", "debug"}, "nothing was unforeseen"
    assert {line.get("reason") for line in process.log()} >= {"ILLEGAL_MOVE", "MALFORMED", "WRONG_PHASE"}


def test_the_prometheus_page_has_what_operators_need(process: RulesProcess, channel: grpc.Channel) -> None:
    stub = pb_grpc.RulesServiceStub(channel)
    stub.ApplyMoves(make.ApplyMovesRequest(ruleset=EUROPE, items=items(5)))
    walk = Walk("europe", 3, 1).advance(30)
    stub.ValidateMove(
        make.ValidateMoveRequest(
            ruleset=EUROPE, position={"state": engine.encode(walk.state)}, seat=7, move={"text": "pass"}
        )
    )
    code_of(stub.NewGame, make.NewGameRequest(ruleset={"edition": "a word of a stranger"}))
    text = page(process.metrics_address)
    for _ in range(100):  # a refusal is told before it is counted
        if 'code="INVALID_ARGUMENT",method="NewGame"' in text:
            break
        time.sleep(0.05)
        text = page(process.metrics_address)
    for wanted in (
        r'turntable_rules_request_seconds_bucket\{edition="europe",le="0.001",method="ApplyMoves"\} \d',
        r'turntable_rules_requests_total\{code="INVALID_ARGUMENT",method="NewGame"\} \d',
        r'turntable_rules_refusals_total\{clause="COMMON-TURN-4",code="unknown_seat"\} \d',
        r'turntable_rules_batch_positions_bucket\{le="8.0"\} \d',
        rf'turntable_rules_engine\{{build="(compiled|interpreted)",revision="{engine.ENGINE_REVISION}"\}} 1.0',
    ):
        assert re.search(wanted, text), wanted
    assert "stranger" not in text


def test_two_servers_count_for_themselves() -> None:
    with serving(metrics_port=0) as one, serving(metrics_port=0) as other:
        assert one.address != other.address
        with grpc.insecure_channel(one.address) as channel:
            pb_grpc.RulesServiceStub(channel).ListEditions(make.ListEditionsRequest())
        asked = 'method="ListEditions"'
        assert asked in page(f"127.0.0.1:{one.server.metrics_port}")
        assert asked not in page(f"127.0.0.1:{other.server.metrics_port}")


def test_a_stopping_service_ends_what_is_under_way_and_takes_nothing_new(tmp_path: Path) -> None:
    """The stream goes on after SIGTERM until its client closes it; watchers hear of the end and are let go."""
    with RulesProcess(tmp_path / "log", grace_seconds=60) as process:
        channel = grpc.insecure_channel(process.address)
        health: Any = health_pb2_grpc.HealthStub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
        assert next(watch).status == SERVING
        questions: SimpleQueue[pb.StreamMovesRequest | None] = SimpleQueue()
        answers = pb_grpc.RulesServiceStub(channel).StreamMoves(iter(questions.get, None))
        questions.put(make.StreamMovesRequest(ruleset=EUROPE, items=items(1)))
        assert len(next(answers).answers) == 1
        questions.put(make.StreamMovesRequest(items=items(1500)))
        process.terminate()
        assert [status.status for status in watch] == [NOT_SERVING]
        with grpc.insecure_channel(process.address) as other:
            late = pb_grpc.RulesServiceStub(other).ListEditions
            assert code_of(late, make.ListEditionsRequest()) is grpc.StatusCode.UNAVAILABLE
        assert len(next(answers).answers) == 1500
        questions.put(make.StreamMovesRequest(items=items(2)))
        assert len(next(answers).answers) == 2
        assert process.process.poll() is None, "it waits for the stream"
        questions.put(None)
        assert list(answers) == []
        assert process.wait() == 0
        assert [line["message"] for line in process.log()] == ["serving", "stopped"]
        channel.close()


def test_a_client_that_never_ends_is_cut_off_after_the_grace(tmp_path: Path) -> None:
    with RulesProcess(tmp_path / "log", grace_seconds=0.3) as process:
        channel = grpc.insecure_channel(process.address)
        questions: SimpleQueue[pb.StreamMovesRequest | None] = SimpleQueue()
        answers = pb_grpc.RulesServiceStub(channel).StreamMoves(iter(questions.get, None))
        questions.put(make.StreamMovesRequest(ruleset=EUROPE, items=items(1)))
        assert len(next(answers).answers) == 1
        process.terminate()
        with pytest.raises(grpc.RpcError):
            next(answers)
        assert process.wait() == 0
        questions.put(None)
        channel.close()


def test_an_error_nobody_foresaw_is_logged_by_type_and_place_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("the seed is 1234")

    monkeypatch.setattr(LOGGER, "handlers", [])
    monkeypatch.setattr(LOGGER, "propagate", False)
    monkeypatch.setattr("turntable_rules.server.referee.view", broken)
    start_logging("info")
    walk = Walk("europe", 3, 1)
    with serving() as server, grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.RulesServiceStub(channel)
        asked = make.GetViewRequest(ruleset=EUROPE, position={"state": engine.encode(walk.state)})
        with pytest.raises(grpc.RpcError) as caught:
            stub.GetView(asked)
        info, faults = details(caught.value)
        assert code_of(stub.GetView, asked) is grpc.StatusCode.INTERNAL
    assert (info.reason, faults) == ("UNAVAILABLE", [])
    log = capsys.readouterr().err
    assert '"error": "KeyError"' in log and "test_rules_operations.py:" in log
    assert "1234" not in log and "1234" not in str(caught.value)
