"""Replaying whole games: is every move legal, every hash right, the result the one recorded?"""

from hashlib import sha256

from turntable_proto.game.v1 import record_pb2, result_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_rules import (
    ENGINE_REVISION,
    RECORD_FORMAT,
    Event,
    IllegalMove,
    State,
    deal_seed,
    new_game,
    play,
    result_to_json,
    retire,
    score,
    state_hash,
    statistics,
)
from turntable_rules.engine.rng import SEED_BYTES
from turntable_rules.engine.state import FINISHED
from turntable_rules.server.errors import malformed, to_refusal
from turntable_rules.server.positions import put_position
from turntable_rules.server.referee import Referee
from turntable_rules.server.to_proto import fill


class Replay:
    """One game replayed step by step; the first thing wrong is its verdict."""

    def __init__(self, referee: Referee, request: pb.ReplayGameRequest) -> None:
        self.referee = referee
        self.request = request
        self.answer = pb.ReplayGameResponse(verdict=pb.REPLAY_VERDICT_OK)
        self.record = request.record if request.WhichOneof("source") == "record" else None
        if request.WhichOneof("source") is None:
            raise malformed("neither a record nor a script is given")
        script = script_of(request.record) if self.record is not None else request.script
        if len(script.seed) != SEED_BYTES:
            raise malformed(f"a seed has {SEED_BYTES} bytes, not {len(script.seed)}")
        self.script = script
        self.events: list[Event] = []
        self.state: State = new_game(referee.rulesets.get(script.ruleset), script.seed, self.events)

    def run(self) -> pb.ReplayGameResponse:
        """Replay everything, as far as it goes."""
        if self._may_begin():
            for index, step in enumerate(self.script.steps):
                if not self._step(index, step):
                    break
            else:
                self._compare_end()
        answer = self.answer
        put_position(answer.position, self.state, self.request.position_form)
        answer.state_hash = state_hash(self.state)
        if self.state.phase == FINISHED:
            fill(answer.result, result_to_json(score(self.state)))
        _fill_statistics(answer, self.state, self.events)
        return answer

    def _may_begin(self) -> bool:
        record = self.record
        if record is None:
            return True
        if record.engine_revision != ENGINE_REVISION:
            self.answer.verdict = pb.REPLAY_VERDICT_ENGINE_UNKNOWN
        elif record.seed_commitment and record.seed_commitment != sha256(record.seed).hexdigest():
            self.answer.verdict = pb.REPLAY_VERDICT_COMMITMENT_BROKEN
        return self.answer.verdict == pb.REPLAY_VERDICT_OK

    def _step(self, index: int, step: pb.ReplayStep) -> bool:
        """Carry out one step; False if it was the first wrong one."""
        try:
            match step.WhichOneof("step"):
                case "move":
                    action = self.referee.action(self.state, step.seat, step.move)
                    play(self.state, step.seat, action, self.events)
                case "retire":
                    self.events += retire(self.state, step.seat)
        except IllegalMove as illegal:
            self.answer.verdict = pb.REPLAY_VERDICT_ILLEGAL_MOVE
            self.answer.index = index
            self.answer.refusal.CopyFrom(to_refusal(illegal.refusal))
            return False
        return not step.state_hash or self._compare_hash(index, step.state_hash)

    def _compare_hash(self, index: int, recorded: str) -> bool:
        if state_hash(self.state) == recorded:
            return True
        self.answer.verdict = pb.REPLAY_VERDICT_HASH_DIVERGED
        self.answer.index = index
        self.answer.recorded_hash = recorded
        return False

    def _compare_end(self) -> None:
        record = self.record
        if record is None:
            return
        if record.final_hash and not self._compare_hash(len(record.log) - 1, record.final_hash):
            return
        adjudicated = record.result.ending == result_pb2.ENDING_ADJUDICATED
        if record.HasField("result") and self.state.phase == FINISHED and not adjudicated:
            found = result_pb2.GameResult()
            fill(found, result_to_json(score(self.state)))
            if found != record.result:
                self.answer.verdict = pb.REPLAY_VERDICT_RESULT_DIVERGED


def script_of(record: record_pb2.GameRecord) -> pb.ReplayScript:
    """A record's ruleset, seed and moves; entries that change no state only carry their hash on."""
    if record.format and record.format != RECORD_FORMAT:
        raise malformed(f"record format {record.format!r} is unknown; this service reads {RECORD_FORMAT}")
    entropies = [(added.seat, added.entropy) for added in record.entropies if added.entropy]
    script = pb.ReplayScript(ruleset=record.ruleset, seed=deal_seed(record.seed, entropies))
    for entry in record.log:
        step = script.steps.add(seat=entry.seat, state_hash=entry.state_hash)
        if entry.kind == record_pb2.LOG_ENTRY_KIND_MOVE:
            step.move.move.CopyFrom(entry.move)
        elif entry.kind == record_pb2.LOG_ENTRY_KIND_RETIRE:
            step.retire = True
    return script


def _fill_statistics(answer: pb.ReplayGameResponse, state: State, events: list[Event]) -> None:
    counted = statistics(state.rules, events)
    found = answer.statistics
    found.flushes, found.reshuffles, found.rounds = counted.flushes, counted.reshuffles, counted.rounds
    found.events.update(counted.events)
    for seat in counted.seats:
        added = found.seats.add()
        for name in added.DESCRIPTOR.fields_by_name:
            setattr(added, name, getattr(seat, name))
