"""A rules server under constant mixed load: python -m tools.load_rules MINUTES=30

Eight callers, each waiting for its answers; every call has to succeed and memory has to stay flat: the median of the
last third of the samples may exceed that of the second sixth by five per cent. The last line printed is the result as
JSON.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grpc
from google.protobuf.message import Message

import turntable_rules as engine
from tools.fuzz_requests import SOUND, Game
from tools.rules_process import Build, RulesProcess
from turntable_proto.rules.v1 import rules_service_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["RulesService"].full_name
MIX = {"ValidateMove": 6, "ApplyMove": 6, "GetView": 3, "ListLegalMoves": 3, "ApplyMoves": 1}
"""Calls of each method among nineteen."""
CALLERS = 8
CORPUS = 120
BATCH = 64
SAMPLE_SECONDS = 10.0
TIMEOUT = 10.0
MAX_GROWTH = 0.05
KEPT_TIMES = 200_000


@dataclass
class Load:
    """What the callers have seen."""

    calls: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    milliseconds: dict[str, list[float]] = field(default_factory=lambda: {method: [] for method in MIX})
    rss_kib: list[int] = field(default_factory=list)


def corpus(random: Random) -> dict[str, list[bytes]]:
    """Requests that succeed, per method."""
    found: dict[str, list[bytes]] = {}
    for method in MIX:
        if method == "ApplyMoves":
            found[method] = [batch(random) for _ in range(4)]
        else:
            found[method] = [sound(method, random).SerializeToString() for _ in range(CORPUS)]
    return found


def running(random: Random) -> Game:
    """A game that is not over."""
    while not engine.seats_to_act((game := Game(random)).state):
        pass
    return game


def sound(method: str, random: Random) -> Message:
    """A request that succeeds."""
    if method != "ApplyMove":
        return SOUND[method](random)
    game = running(random)
    request = pb.ApplyMoveRequest(ruleset=game.ruleset)
    game.put_position(request.position)
    game.put_move(request)
    return request


def batch(random: Random) -> bytes:
    """A batch of compact positions."""
    request = pb.ApplyMovesRequest(omit_events=random.random() < 0.5)
    for number in range(BATCH):
        game = running(random)
        item = request.items.add(correlation_id=number, ruleset=game.ruleset)
        item.position.state = engine.encode(game.state)
        game.put_move(item)
    return request.SerializeToString()


class Callers:
    """Keeps the server busy until a given time."""

    def __init__(self, channel: grpc.aio.Channel, load: Load, until: float) -> None:
        self.load = load
        self.until = until
        self.calls: dict[str, Any] = {
            method: channel.unary_unary(f"/{SERVICE}/{method}", response_deserializer=_reader(method))
            for method in MIX
        }

    async def call(self, number: int, requests: dict[str, list[bytes]]) -> None:
        """One caller, choosing by the mix."""
        random = Random(number)
        methods, weights = list(MIX), list(MIX.values())
        while time.monotonic() < self.until:
            method = random.choices(methods, weights)[0]
            started = time.perf_counter()
            try:
                answer = await self.calls[method](random.choice(requests[method]), timeout=TIMEOUT)
                failed = [item for item in getattr(answer, "answers", ()) if item.HasField("failure")]
                if failed:
                    self.load.errors.append(f"{method}: {failed[0].failure.message}")
            except grpc.aio.AioRpcError as error:
                self.load.errors.append(f"{method}: {error.code().name} {error.details()}")
            taken = self.load.milliseconds[method]
            if len(taken) < KEPT_TIMES:
                taken.append((time.perf_counter() - started) * 1000)
            else:  # a uniform sample of all that came so far
                at = random.randrange(self.load.calls[method] + 1)
                if at < KEPT_TIMES:
                    taken[at] = (time.perf_counter() - started) * 1000
            self.load.calls[method] += 1


def _reader(method: str) -> Any:
    if method != "ApplyMoves":
        return None  # its own decoding would only load the client
    return pb.ApplyMovesResponse.FromString


async def watch(server: RulesProcess, load: Load, until: float, seconds: float) -> None:
    """Sample the server's memory at fixed intervals."""
    started = time.monotonic()
    while time.monotonic() < until and server.alive:
        load.rss_kib.append(server.rss_kib())
        if sys.stderr.isatty():
            passed = time.monotonic() - started
            done = f"{sum(load.calls.values())} calls, {len(load.errors)} errors, {load.rss_kib[-1]} KiB"
            print(f"\r{passed:6.0f} s  {done}", end="", file=sys.stderr, flush=True)
        await asyncio.sleep(max(0.0, min(seconds, until - time.monotonic())))


async def press(server: RulesProcess, minutes: float) -> Load:
    """All callers for so many minutes."""
    requests = corpus(Random(1))
    load = Load()
    seconds = minutes * 60
    until = time.monotonic() + seconds
    async with grpc.aio.insecure_channel(server.address) as channel:
        callers = Callers(channel, load, until)
        await asyncio.gather(
            watch(server, load, until, min(SAMPLE_SECONDS, seconds / 60)),
            *(callers.call(number, requests) for number in range(CALLERS)),
        )
    if server.alive:
        load.rss_kib.append(server.rss_kib())
    else:
        load.errors.append("the server died")
    return load


def growth_of(samples: list[int]) -> float:
    """How much the median of the last third exceeds that of the second sixth."""
    sixth = max(1, len(samples) // 6)
    early, late = samples[sixth : 2 * sixth] or samples, samples[-2 * sixth :]
    return statistics.median(late) / statistics.median(early) - 1


def report_of(load: Load, minutes: float, build: str) -> dict[str, Any]:
    """The result, for the last line."""
    growth = growth_of(load.rss_kib)
    faults = [f"{len(load.errors)} errors, the first: {load.errors[0]}"] if load.errors else []
    if growth > MAX_GROWTH:
        faults.append(f"memory grew by {growth:.1%}")
    calls = sum(load.calls.values())
    return {
        "build": build,
        "minutes": minutes,
        "calls": calls,
        "calls_per_second": round(calls / (minutes * 60), 1),
        "methods": {
            method: {
                "calls": load.calls[method],
                "p50_ms": quantile(taken, 0.5),
                "p99_ms": quantile(taken, 0.99),
            }
            for method, taken in load.milliseconds.items()
        },
        "errors": len(load.errors),
        "rss_start_kib": load.rss_kib[0],
        "rss_end_kib": load.rss_kib[-1],
        "rss_most_kib": max(load.rss_kib),
        "growth": round(growth, 4),
        "faults": faults,
    }


def quantile(values: list[float], part: float) -> float:
    """A quantile of some times, 0 if there are none."""
    ordered = sorted(values)
    return round(ordered[int(part * (len(ordered) - 1))], 2) if ordered else 0.0


def run(minutes: float, build: Build | None = None) -> dict[str, Any]:
    """Load a fresh server; the report's `faults` are empty if all went well."""
    with RulesProcess(build, {"log_level": "error"}) as server:
        load = asyncio.run(press(server, minutes))
    return report_of(load, minutes, server.build.name)


def main() -> int:
    """Load for the time asked for."""
    minutes = 30.0
    for argument in sys.argv[1:]:
        if not argument.startswith("MINUTES="):
            sys.exit(f"{argument} is not MINUTES=")
        minutes = float(argument.removeprefix("MINUTES="))
    print(f"load: {CALLERS} callers for {minutes:g} minutes", flush=True)
    report = run(minutes)
    print(f"{report['calls']} calls, {report['calls_per_second']} per second, {report['errors']} errors")
    for method, facts in report["methods"].items():
        print(f"{method:15} {facts['calls']:9} calls  p50 {facts['p50_ms']} ms  p99 {facts['p99_ms']} ms")
    memory = f"{report['rss_start_kib']} KiB at the start, {report['rss_end_kib']} KiB at the end"
    print(f"memory {memory}; last third against second sixth {report['growth']:+.1%}")
    for fault in report["faults"]:
        print(f"FAULT {fault}")
    print(json.dumps(report))
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
