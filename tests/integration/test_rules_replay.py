"""Replaying games: a sound record is told from one with a wrong move, hash, seed, result or engine."""

from __future__ import annotations

from hashlib import sha256

import pytest

import turntable_rules as engine
from tests.kit.messages import move_message, result_facts, to_message
from tests.kit.requests import make
from tests.kit.walks import Walk, seed_of
from turntable_proto.game.v1 import record_pb2, result_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc

Stub = pb_grpc.RulesServiceStub
RETIRED_AT = 40


def played(edition: str, players: int, number: int) -> tuple[record_pb2.GameRecord, engine.State]:
    """The record of a random game in which the last of three or more seats leaves, and its final state."""
    walk = Walk(edition, players, number)
    record: record_pb2.GameRecord = make.GameRecord(
        format="turntable-record/1",
        engine_revision=engine.ENGINE_REVISION,
        ruleset={"edition": edition, "player_count": players},
        board_digest=walk.state.rules.digest,
        seed=seed_of(number),
        seed_commitment=sha256(seed_of(number)).hexdigest(),
    )
    while not walk.finished:
        entry = record.log.add()
        if len(record.log) == RETIRED_AT and players > 2:
            entry.kind, entry.seat = record_pb2.LOG_ENTRY_KIND_RETIRE, players - 1
            engine.retire(walk.state, players - 1)
        else:
            seat, action = walk.choose()
            entry.kind, entry.seat = record_pb2.LOG_ENTRY_KIND_MOVE, seat
            entry.move.CopyFrom(move_message(engine.to_move(walk.state, seat, action)))
            engine.apply(walk.state, seat, action)
        entry.state_hash = engine.state_hash(walk.state)
    to_message(engine.result_to_json(engine.score(walk.state)), record.result)
    record.final_hash = engine.state_hash(walk.state)
    return record, walk.state


@pytest.fixture(scope="module")
def record() -> record_pb2.GameRecord:
    return played("usa", 3, 11)[0]


def replayed(stub: Stub, record: record_pb2.GameRecord) -> pb.ReplayGameResponse:
    return stub.ReplayGame(make.ReplayGameRequest(record=record))


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_sound_record_is_replayed_to_its_end(stub: Stub, edition: str) -> None:
    record, state = played(edition, engine.EDITIONS[edition].max_players, 3)
    answer = replayed(stub, record)
    assert answer.verdict == pb.REPLAY_VERDICT_OK
    assert not answer.HasField("index") and not answer.HasField("refusal")
    assert answer.state_hash == record.final_hash
    assert answer.position.state == engine.encode(state)
    assert result_facts(answer.result) == engine.result_to_json(engine.score(state))
    counted = answer.statistics
    assert [seat.seat for seat in counted.seats] == list(range(state.rules.players))
    assert counted.events["game_finished"] == counted.events["seat_retired"] == 1


def test_the_same_game_as_a_script_of_texts_and_numbers(stub: Stub) -> None:
    walk = Walk("europe", 2, 8)
    script = make.ReplayScript(ruleset={"edition": "europe", "player_count": 2}, seed=seed_of(8))
    while not walk.finished:
        seat, action = walk.choose()
        step = script.steps.add(seat=seat)
        if len(script.steps) % 2:
            step.move.text = engine.format_move(engine.to_move(walk.state, seat, action))
        else:
            step.move.action_id = action
        engine.apply(walk.state, seat, action)
    answer = stub.ReplayGame(make.ReplayGameRequest(script=script))
    assert answer.verdict == pb.REPLAY_VERDICT_OK
    assert answer.state_hash == engine.state_hash(walk.state)
    del script.steps[20:]
    part = stub.ReplayGame(make.ReplayGameRequest(script=script))
    assert part.verdict == pb.REPLAY_VERDICT_OK and not part.HasField("result")


def test_the_first_illegal_move_is_named_with_its_clause(stub: Stub, record: record_pb2.GameRecord) -> None:
    spoilt = record_pb2.GameRecord()
    spoilt.CopyFrom(record)
    spoilt.log[25].seat = 7
    spoilt.log[30].seat = 7
    answer = replayed(stub, spoilt)
    assert answer.verdict == pb.REPLAY_VERDICT_ILLEGAL_MOVE
    assert answer.index == 25
    assert (answer.refusal.code, answer.refusal.clause) == ("unknown_seat", "COMMON-TURN-4")
    assert answer.state_hash == record.log[24].state_hash, "as far as it went"
    assert not answer.HasField("result")


@pytest.mark.parametrize("index", [0, 17, -1])
def test_the_first_hash_that_differs_is_named(stub: Stub, record: record_pb2.GameRecord, index: int) -> None:
    spoilt = record_pb2.GameRecord()
    spoilt.CopyFrom(record)
    spoilt.log[index].state_hash = "0" * 32
    answer = replayed(stub, spoilt)
    assert answer.verdict == pb.REPLAY_VERDICT_HASH_DIVERGED
    assert answer.index == index % len(record.log)
    assert answer.recorded_hash == "0" * 32
    assert answer.state_hash == record.log[index].state_hash


def test_another_final_hash_is_a_divergence_at_the_last_entry(
    stub: Stub, record: record_pb2.GameRecord
) -> None:
    spoilt = record_pb2.GameRecord()
    spoilt.CopyFrom(record)
    spoilt.final_hash = "1" * 32
    answer = replayed(stub, spoilt)
    assert answer.verdict == pb.REPLAY_VERDICT_HASH_DIVERGED
    assert answer.index == len(record.log) - 1


def test_a_seed_that_was_not_the_one_promised(stub: Stub, record: record_pb2.GameRecord) -> None:
    spoilt = record_pb2.GameRecord()
    spoilt.CopyFrom(record)
    spoilt.seed = bytes(32)
    assert replayed(stub, spoilt).verdict == pb.REPLAY_VERDICT_COMMITMENT_BROKEN


@pytest.mark.parametrize("what", ["total", "winner"])
def test_another_result(stub: Stub, record: record_pb2.GameRecord, what: str) -> None:
    spoilt = record_pb2.GameRecord()
    spoilt.CopyFrom(record)
    if what == "total":
        spoilt.result.seats[0].total += 1
    else:
        spoilt.result.winners[:] = [2]
    answer = replayed(stub, spoilt)
    assert answer.verdict == pb.REPLAY_VERDICT_RESULT_DIVERGED
    assert answer.result == record.result


def test_a_game_that_an_operator_decided_keeps_that_result(stub: Stub, record: record_pb2.GameRecord) -> None:
    spoilt = record_pb2.GameRecord()
    spoilt.CopyFrom(record)
    spoilt.log.add(kind=record_pb2.LOG_ENTRY_KIND_ADJUDICATE)
    spoilt.result.winners[:] = [2]
    spoilt.result.ending = result_pb2.ENDING_ADJUDICATED
    assert replayed(stub, spoilt).verdict == pb.REPLAY_VERDICT_OK


def test_another_revision_of_the_engine(stub: Stub, record: record_pb2.GameRecord) -> None:
    other = record_pb2.GameRecord()
    other.CopyFrom(record)
    other.engine_revision += 1
    assert replayed(stub, other).verdict == pb.REPLAY_VERDICT_ENGINE_UNKNOWN


def test_another_ruleset_than_the_game_was_played_with(stub: Stub, record: record_pb2.GameRecord) -> None:
    other = record_pb2.GameRecord()
    other.CopyFrom(record)
    other.ruleset.CopyFrom(ruleset_pb2.Ruleset(edition="usa", player_count=4))
    assert replayed(stub, other).verdict in (
        pb.REPLAY_VERDICT_ILLEGAL_MOVE,
        pb.REPLAY_VERDICT_HASH_DIVERGED,
    )
