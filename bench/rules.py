"""The rules service beside a bare gRPC echo of the same sizes: calls per core second, and CPU per move in a batch.

The servers are processes of their own, pinned to one core where there are several, and take turns in every round.
A rate "per core" divides by the CPU time the server used, so that a busy machine does not spoil it.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

import grpc

import turntable_rules as engine
from bench.results import Result
from bench.rules_echo import SERVICE as ECHO
from tools.rules_process import RulesProcess, best_build
from turntable_proto.game.v1 import ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_rules.server.metrics import Metrics
from turntable_rules.server.referee import Referee, put_move

ROUNDS = 5
SECONDS = 1.0
CALLERS = (1, 16)
POSITIONS = 128
BATCH = 64
SERVICE = pb.DESCRIPTOR.services_by_name["RulesService"].full_name


Call = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]


class Load(NamedTuple):
    """What is called, with which requests; `work` is how many moves are in one call."""

    name: str
    server: str
    method: str
    requests: Sequence[bytes]
    callers: int
    work: int = 1


class Figure(NamedTuple):
    """What one measurement found, per unit of work."""

    per_core: float
    per_second: float


def tables() -> list[tuple[str, int]]:
    """Every edition with every number of players."""
    return [
        (edition.id, players)
        for edition in engine.EDITIONS.values()
        for players in range(edition.min_players, edition.max_players + 1)
    ]


def positions(at: Sequence[tuple[str, int]], count: int) -> list[pb.ApplyMoveRequest]:
    """Requests for a legal move each, typed, in compact positions of random games at the tables in turn."""
    random = Random(3)
    found: list[pb.ApplyMoveRequest] = []
    while len(found) < count:
        edition, players = at[len(found) % len(at)]
        state = engine.new_game(engine.ruleset(edition, players), random.randbytes(32))
        for _ in range(random.randrange(players, 60 * players)):
            seats = engine.seats_to_act(state)
            if not seats:
                break
            engine.play(state, seats[0], random.choice(engine.legal_actions(state, seats[0])))
        seats = engine.seats_to_act(state)
        if not seats:
            continue
        action = random.choice(engine.legal_actions(state, seats[0]))
        request = pb.ApplyMoveRequest(
            ruleset=ruleset_pb2.Ruleset(edition=edition, player_count=players), seat=seats[0]
        )
        request.position.state = engine.encode(state)
        put_move(request.move.move, engine.move_to_json(engine.to_move(state, seats[0], action)))
        found.append(request)
    return found


def validations(moves: Sequence[pb.ApplyMoveRequest]) -> list[pb.ValidateMoveRequest]:
    """The same questions without playing."""
    return [
        pb.ValidateMoveRequest(ruleset=move.ruleset, position=move.position, seat=move.seat, move=move.move)
        for move in moves
    ]


def batches(omit_events: bool) -> list[bytes]:
    """For each edition a batch of 64 positions of one ruleset."""
    found = []
    for edition in engine.EDITIONS.values():
        moves = positions([(edition.id, edition.min_players)], BATCH)
        request = pb.ApplyMovesRequest(ruleset=moves[0].ruleset, omit_events=omit_events)
        for number, move in enumerate(moves):
            request.items.add(correlation_id=number, position=move.position, seat=move.seat, move=move.move)
        found.append(request.SerializeToString())
    return found


def loads() -> tuple[list[Load], list[str]]:
    """Everything to measure, and the echo's arguments: the mean sizes of the true answers."""
    moves = positions(tables(), POSITIONS)
    asked = validations(moves)
    referee = Referee(Metrics())
    sizes = {
        "validate": statistics.fmean(referee.validate_move(one).ByteSize() for one in asked),
        "apply": statistics.fmean(referee.apply_move(one).ByteSize() for one in moves),
    }
    raw = {
        "validate": ("ValidateMove", [one.SerializeToString() for one in asked]),
        "apply": ("ApplyMove", [one.SerializeToString() for one in moves]),
    }
    found = []
    for callers in CALLERS:
        for name, (method, requests) in raw.items():
            found.append(Load(f"{name}/{callers}", "rules", f"/{SERVICE}/{method}", requests, callers))
            found.append(Load(f"{name}/{callers}", "echo", f"/{ECHO}/{name}", requests, callers))
    for name, omit_events in (("batch-64/omit-events", True), ("batch-64/events", False)):
        requests = batches(omit_events)
        found.append(Load(name, "rules", f"/{SERVICE}/ApplyMoves", requests, 1, BATCH))
    return found, [f"{name}={round(size)}" for name, size in sizes.items()]


async def measure(load: Load, server: RulesProcess, seconds: float) -> Figure:
    """Keep the callers busy for a while; every caller waits for its answer before it asks again."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        call: Call = channel.unary_unary(load.method)
        answered = 0

        async def caller(first: int, until: float) -> None:
            nonlocal answered
            at = first
            while time.perf_counter() < until:
                await call(load.requests[at % len(load.requests)])
                at += load.callers
                answered += 1

        async def run(duration: float) -> None:
            until = time.perf_counter() + duration
            await asyncio.gather(*(caller(number, until) for number in range(load.callers)))

        await run(seconds / 5)  # connect and warm up
        answered = 0
        cpu, clock = server.cpu_seconds(), time.perf_counter()
        await run(seconds)
        used, passed = server.cpu_seconds() - cpu, time.perf_counter() - clock
    done = answered * load.work
    return Figure(done / used, done / passed)


def pin(*servers: RulesProcess) -> None:
    """The servers on one core, this process on the others, where that is possible."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        for server in servers:
            os.sched_setaffinity(server.pid, cores[:1])
        os.sched_setaffinity(0, cores[1:])


def run() -> Iterable[Result]:
    """Medians over the rounds; `ratio` is to the echo's rate in the same run."""
    wanted, sizes = loads()
    build = best_build()
    rounds: dict[tuple[str, str], list[Figure]] = {}
    cores = os.sched_getaffinity(0)
    with (
        RulesProcess(build, {"log_level": "error"}) as rules,
        RulesProcess(build, module=("bench.rules_echo", *sizes)) as echo,
    ):
        pin(rules, echo)
        for number in range(ROUNDS):
            print(f"rules: round {number + 1} of {ROUNDS}, {build.name}", file=sys.stderr, flush=True)
            for load in wanted:
                figure = asyncio.run(measure(load, rules if load.server == "rules" else echo, SECONDS))
                rounds.setdefault((load.name, load.server), []).append(figure)
        os.sched_setaffinity(0, cores)
    results: list[Result] = []
    for name in dict.fromkeys(load.name for load in wanted):
        own = rounds[name, "rules"]
        if name.startswith("batch"):
            micros = statistics.median(1e6 / figure.per_core for figure in own)
            results.append(Result(name=f"rules/{name}/{build.name}", value=round(micros, 2), unit="µs/move"))
        else:
            results += compared(name, build.name, own, rounds[name, "echo"])
    return results


def compared(name: str, build: str, own: Sequence[Figure], echo: Sequence[Figure]) -> list[Result]:
    """The rates of the service and of the echo, per core second and by the clock."""
    results: list[Result] = []
    for at, (suffix, unit) in enumerate((("", "calls/s/core"), ("/wall", "calls/s"))):
        mine = statistics.median(figure[at] for figure in own)
        peer = statistics.median(figure[at] for figure in echo)
        results.append(
            Result(
                name=f"rules/{name}/{build}{suffix}",
                value=round(mine, 1),
                unit=unit,
                peer="grpc echo",
                ratio=round(mine / peer, 3),
            )
        )
        results.append(Result(name=f"rules/{name}/echo{suffix}", value=round(peer, 1), unit=unit))
    return results
