"""Spoiled requests to every method of a rules server: python -m tools.fuzz_rules REQUESTS=20000 [SEED=1] [METHOD ...]

Every answer has to be OK or a rich status with a known reason; no call may take more than ten seconds; the server
has to live on without having grown. An offending request is saved below build/. The last line printed is the result
as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from tools.fuzz_mutations import spoiled
from tools.fuzz_requests import SOUND
from tools.rules_process import Build, RulesProcess
from turntable_proto.game.v1 import error_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["RulesService"]
ALLOWED = ("INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "RESOURCE_EXHAUSTED")
ALLOWED_NUMBERS = tuple(grpc.StatusCode[name].value[0] for name in ALLOWED)
REASONS = {name.removeprefix("ERROR_REASON_") for name, _ in error_pb2.ErrorReason.items()} - {"UNSPECIFIED"}
OFFENDERS = Path(__file__).resolve().parent.parent / "build" / "fuzz"
CALLERS = 8
CORPUS = 80
SLICE = 500
TIMEOUT = 10.0
MAX_BYTES = 4 * 1024 * 1024
MAX_GROWTH = 0.05
MEASURABLE = 5000
"""Requests per method from which on the growth of memory says something."""


@dataclass
class Tally:
    """What became of the requests of one method."""

    method: str
    random: Random
    sound: list[Message] = field(default_factory=list)
    requests: int = 0
    ok: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    slowest_ms: float = 0.0
    violations: list[str] = field(default_factory=list)

    def make(self) -> bytes:
        """The next request; the sound ones it is made from are few and made once."""
        if len(self.sound) < CORPUS:
            self.sound.append(SOUND[self.method](self.random))
        return spoiled(self.random.choice(self.sound), self.random)


class Violation(Exception):
    """An answer that the service must not give."""


def judged(error: grpc.aio.AioRpcError, data: bytes, kind: type[Message]) -> str:
    """The reason of a refusal, or in brackets what was wrong before the service could look; raises Violation."""
    code = error.code()
    status = rpc_status.from_call(error)  # type: ignore[arg-type] # an aio error has what it needs
    if status is None:
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED and len(data) > MAX_BYTES:
            return "(too large for gRPC)"
        raise Violation(f"{code.name} without details: {error.details()}")
    info = error_details_pb2.ErrorInfo()
    if not any(detail.Unpack(info) for detail in status.details):
        raise Violation(f"{code.name} without ErrorInfo: {error.details()}")
    if code.name not in ALLOWED or info.reason not in REASONS:
        raise Violation(f"{code.name} for the reason {info.reason}: {error.details()}")
    return str(info.reason) if readable(data, kind) else "(undecodable)"


def readable(data: bytes, kind: type[Message]) -> bool:
    """Whether the bytes are a request at all."""
    try:
        kind.FromString(data)
    except DecodeError:
        return False
    return True


def judge_items(answer: pb.ApplyMovesResponse | pb.StreamMovesResponse) -> None:
    """Every item of a batch has an outcome or a failure with a known reason and code."""
    for item in answer.answers:
        match item.WhichOneof("answer"):
            case "failure":
                if item.failure.code not in ALLOWED_NUMBERS or not item.failure.reason:
                    raise Violation(f"an item failed with {item.failure.code}, reason {item.failure.reason}")
            case None:
                raise Violation("an item has no answer")


class Fuzzer:
    """Sends the requests of all methods to one server, several at a time."""

    def __init__(self, channel: grpc.aio.Channel, tallies: Sequence[Tally]) -> None:
        self.channel = channel
        self.tallies = tallies

    async def send(self, tally: Tally, count: int) -> None:
        """So many requests to one method."""
        method = SERVICE.methods_by_name[tally.method]
        path = f"/{SERVICE.full_name}/{tally.method}"
        if method.client_streaming:
            call: Any = self.channel.stream_stream(path)
        else:
            call = self.channel.unary_unary(path)
        left = count

        async def caller() -> None:
            nonlocal left
            while left > 0:
                left -= 1
                await self.one(tally, call, tally.make())

        await asyncio.gather(*(caller() for _ in range(CALLERS)))

    async def one(self, tally: Tally, call: Any, data: bytes) -> None:
        """One request, timed and judged."""
        method = SERVICE.methods_by_name[tally.method]
        kind: type[Message] = getattr(pb, method.input_type.name)
        tally.requests += 1
        started = time.perf_counter()
        try:
            if method.client_streaming:
                sound = tally.random.choice(tally.sound).SerializeToString()
                answers = await in_turn(call(timeout=TIMEOUT), (sound, data, sound))
            else:
                answers = [await call(data, timeout=TIMEOUT)]
            if tally.method in ("ApplyMoves", "StreamMoves"):
                for answer in answers:
                    judge_items(getattr(pb, method.output_type.name).FromString(answer))
            tally.ok += 1
        except grpc.aio.AioRpcError as error:
            try:
                tally.refused[judged(error, data, kind)] += 1
            except Violation as violation:
                self.complain(tally, str(violation), data)
        except Violation as violation:
            self.complain(tally, str(violation), data)
        tally.slowest_ms = max(tally.slowest_ms, (time.perf_counter() - started) * 1000)

    def complain(self, tally: Tally, fault: str, data: bytes) -> None:
        """Note a violation and keep the request that caused it."""
        OFFENDERS.mkdir(parents=True, exist_ok=True)
        path = OFFENDERS / f"{tally.method}-{tally.requests}.bin"
        path.write_bytes(data)
        tally.violations.append(fault)
        if len(tally.violations) <= 5:
            place = path.relative_to(OFFENDERS.parent.parent)
            print(f"{tally.method}: {fault}\n  request of {len(data)} bytes: {place}", flush=True)

    async def slices(self, count: int) -> None:
        """So many requests to every method, in slices by turns."""
        for start in range(0, count, SLICE):
            for tally in self.tallies:
                await self.send(tally, min(SLICE, count - start))
            if sys.stderr.isatty():
                print(
                    f"\r{self.tallies[0].requests} requests per method", end="", file=sys.stderr, flush=True
                )


async def in_turn(stream: Any, messages: Sequence[bytes]) -> list[bytes]:
    """The answers of a stream, each awaited before the next message: a write to a stream just refused fails oddly."""
    answers = []
    for message in messages:
        await stream.write(message)
        answers.append(await stream.read())
    await stream.done_writing()
    return answers


async def fuzz(server: RulesProcess, tallies: Sequence[Tally], requests: int) -> dict[str, Any]:
    """Warm up, measure, go on, measure again."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        fuzzer = Fuzzer(channel, tallies)
        warm = requests // 4
        await fuzzer.slices(warm)
        before = server.rss_kib()
        await fuzzer.slices(requests - warm)
        alive = server.alive
        after = server.rss_kib() if alive else 0
    return {
        "alive": alive,
        "rss_warm_kib": before,
        "rss_end_kib": after,
        "growth": round(after / before - 1, 4),
    }


def faults_of(report: dict[str, Any], tallies: Sequence[Tally], requests: int) -> list[str]:
    """Everything that must not have happened."""
    faults = [f"{tally.method}: {fault}" for tally in tallies for fault in tally.violations]
    if not report["alive"]:
        faults.append("the server died")
    if report["logged_errors"]:
        faults.append(f"the server logged {report['logged_errors']} errors")
    if requests >= MEASURABLE and report["growth"] > MAX_GROWTH:
        faults.append(f"the server grew by {report['growth']:.1%}")
    return faults


def run(requests: int, seed: int, methods: Sequence[str] = (), build: Build | None = None) -> dict[str, Any]:
    """Fuzz a fresh server; the report's `faults` are empty if all went well."""
    tallies = [Tally(method, Random(f"{seed} {method}")) for method in methods or SOUND]
    started = time.monotonic()
    with RulesProcess(build, {"log_level": "error"}) as server:
        report = asyncio.run(fuzz(server, tallies, requests))
        logged = [line for line in server.log().splitlines() if line.startswith('{"time"')]
        report["logged_errors"] = len(logged)
    report |= {"build": server.build.name, "requests": requests, "seed": seed}
    report["seconds"] = round(time.monotonic() - started, 1)
    report["methods"] = {
        tally.method: {
            "requests": tally.requests,
            "ok": tally.ok,
            "refused": dict(tally.refused.most_common()),
            "slowest_ms": round(tally.slowest_ms, 1),
            "violations": len(tally.violations),
        }
        for tally in tallies
    }
    report["faults"] = faults_of(report, tallies, requests)
    return report


def print_table(report: dict[str, Any]) -> None:
    """A line per method."""
    for method, facts in report["methods"].items():
        refused = ", ".join(f"{reason} {count}" for reason, count in facts["refused"].items())
        counts = f"{facts['requests']:7} requests {facts['ok']:7} ok  slowest {facts['slowest_ms']:8.1f} ms"
        print(f"{method:15} {counts}  {refused or '-'}")
    memory = f"{report['rss_warm_kib']} KiB warm, {report['rss_end_kib']} KiB at the end"
    print(f"memory {memory}: {report['growth']:+.1%}; {report['seconds']} s")
    for fault in report["faults"][:20]:
        print(f"FAULT {fault}")


def main() -> int:
    """Fuzz the methods asked for, or all."""
    requests, seed = 20_000, 1
    methods = []
    for argument in sys.argv[1:]:
        if argument.startswith("REQUESTS="):
            requests = int(argument.removeprefix("REQUESTS="))
        elif argument.startswith("SEED="):
            seed = int(argument.removeprefix("SEED="))
        elif argument in SOUND:
            methods.append(argument)
        else:
            sys.exit(f"{argument} is neither REQUESTS=, SEED= nor one of {', '.join(SOUND)}")
    print(f"fuzz: {requests} requests per method, seed {seed}", flush=True)
    report = run(requests, seed, methods)
    print_table(report)
    print(json.dumps(report))
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
