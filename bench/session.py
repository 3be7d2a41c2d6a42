"""The session service: moves per core through gRPC beside a bare echo and the raw commit, and what games cost to hold.

The servers are processes of their own on one core where there are several; this process, the client, has the others.
Games have known seeds, so that the client knows every legal move beforehand and only asks.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

import grpc

import turntable_rules as engine
from bench.results import Result
from bench.rules_echo import SERVICE as ECHO
from tests.kit.redis_servers import RedisServer, embedded_binary
from tools.rules_process import RulesProcess, best_build
from tools.session_process import SessionProcess
from turntable_proto.game.v1.move_pb2 import AnyMove
from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_proto.session.v1 import session_service_pb2_grpc as pb_grpc
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings
from turntable_session.store.port import Append
from turntable_session.store.redis_store import RedisStore
from turntable_session.store.servers import StoreSettings

ROUNDS = 4
SECONDS = 1.5
MOVERS = 32
HELD = 10_000
PLAYED = 300
NOBODY = Caller()


class Figure(NamedTuple):
    """One measurement: work per core second of its server, per second, and how long one piece took."""

    per_core: float
    per_second: float
    p50: float
    p99: float


class Script:
    """A whole random game of two, known beforehand."""

    def __init__(self, number: int) -> None:
        random = Random(number)
        self.seed = random.randbytes(32)
        self.moves: list[tuple[int, int]] = []
        state = engine.new_game(engine.ruleset("usa", 2), self.seed)
        while seats := engine.seats_to_act(state):
            action = random.choice(engine.legal_actions(state, seats[0]))
            self.moves.append((seats[0], action))
            engine.play(state, seats[0], action)


class Seated(NamedTuple):
    """A game that can be played by its script."""

    id: str
    tokens: list[str]
    moves: list[tuple[int, int]]


async def seated(sessions: RemoteSessions, script: Script) -> Seated:
    """Create a game and sit down in both seats."""
    settings = GameSettings("usa", 2, visibility="unlisted")
    created = await sessions.create_game(NOBODY, settings, script.seed, secrets.token_hex(8))
    game = created.view.game.id
    tokens = [(await sessions.take_seat(NOBODY, game, f"player {seat}")).token for seat in range(2)]
    return Seated(game, tokens, script.moves)


Play = Callable[[str, str, int, int], Awaitable[object]]
"""Token, game, version and action."""


async def movers(games: list[Seated], play: Play, count: int, seconds: float) -> list[float]:
    """Some movers, each with a game at a time, until the time is over; how long each move took."""
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def mover(mine: list[Seated]) -> None:
        for game in mine:
            for number, (seat, action) in enumerate(game.moves):
                started = time.perf_counter()
                if started > until:
                    return
                await play(game.tokens[seat], game.id, 3 + number, action)
                times.append(time.perf_counter() - started)

    await asyncio.gather(*(mover(games[number::count]) for number in range(count)))
    return times


def figure(times: list[float], cpu: float, passed: float) -> Figure:
    times = sorted(times)
    return Figure(
        len(times) / cpu, len(times) / passed, times[len(times) // 2], times[int(len(times) * 0.99)]
    )


async def moves_by(server: RulesProcess, scripts: list[Script], way: str, count: int) -> Figure:
    """Moves through one way of asking."""
    sessions = RemoteSessions(f"grpc://{server.address}")
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub: pb_grpc.SessionServiceAsyncStub = pb_grpc.SessionServiceStub(channel)

        async def unary(token: str, game: str, version: int, action: int) -> object:
            request = pb.PlayMoveRequest(
                game_id=game,
                version=version,
                move=AnyMove(action_id=action),
                request_id=str(version),
                omit_view=True,
            )
            return await stub.PlayMove(request, metadata=(("authorization", f"Bearer {token}"),))

        async def exchanged(token: str, game: str, version: int, action: int) -> object:
            return await sessions.play_move(Caller(token), game, version, action, str(version), False)

        games = await asyncio.gather(*(seated(sessions, script) for script in scripts[: count * 3]))
        cpu, clock = server.cpu_seconds(), time.perf_counter()
        times = await movers(games, unary if way == "unary" else exchanged, count, SECONDS)
        used, passed = server.cpu_seconds() - cpu, time.perf_counter() - clock
    await sessions.close()
    return figure(times, used, passed)


async def echoes(server: RulesProcess, size: int, count: int) -> Figure:
    """A bare gRPC echo of a move's size."""
    request = bytes(size)
    async with grpc.aio.insecure_channel(server.address) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{ECHO}/move")
        metadata = (("authorization", "Bearer tts_" + "x" * 32),)
        times: list[float] = []

        async def caller(until: float) -> None:
            while (started := time.perf_counter()) < until:
                await call(request, metadata=metadata)
                times.append(time.perf_counter() - started)

        await asyncio.gather(*(caller(time.perf_counter() + 0.3) for _ in range(count)))
        times.clear()
        cpu, clock = server.cpu_seconds(), time.perf_counter()
        await asyncio.gather(*(caller(clock + SECONDS) for _ in range(count)))
        return figure(times, server.cpu_seconds() - cpu, time.perf_counter() - clock)


async def commits(url: str, count: int) -> Figure:
    """The commit script alone, as the store sends it, from one process."""
    store = RedisStore(StoreSettings(url))
    await store.start()
    times: list[float] = []
    entry, tag = secrets.token_bytes(60), b"12345678"

    async def committer(number: int, until: float) -> None:
        game = f"{number % store.buckets:04d}" + secrets.token_hex(12)
        version = 0
        while (started := time.perf_counter()) < until:
            key = version.to_bytes(12, "big")
            await store.append(
                Append(game, version, tag if version else b"", key, key, entry, tag, b"", {"clock": 1}, "", 0)
            )
            times.append(time.perf_counter() - started)
            version += 1

    cpu, clock = time.process_time(), time.perf_counter()
    await asyncio.gather(*(committer(number, clock + SECONDS) for number in range(count)))
    found = figure(times, time.process_time() - cpu, time.perf_counter() - clock)
    await store.close()
    return found


async def held(server: RulesProcess, redis: RedisServer, scripts: list[Script]) -> list[Result]:
    """What many games cost: memory of the store and of the server, and their views."""
    sessions = RemoteSessions(f"grpc://{server.address}", seconds=60.0)
    before = int(redis.ask("INFO", "memory")["used_memory"])
    games: list[Seated] = []
    for start in range(0, HELD, 200):
        games += await asyncio.gather(
            *(seated(sessions, scripts[n % len(scripts)]) for n in range(start, start + 200))
        )
    opened = int(redis.ask("INFO", "memory")["used_memory"])
    times: list[float] = []

    async def viewer(mine: list[Seated]) -> None:
        for game in mine:
            started = time.perf_counter()
            view = await sessions.get_view(Caller(game.tokens[0]), game.id)
            times.append(time.perf_counter() - started)
            assert view.view is not None and view.view["you"]["offered"]

    clock = time.perf_counter()
    await asyncio.gather(*(viewer(games[number::MOVERS]) for number in range(MOVERS)))
    passed = time.perf_counter() - clock
    rss = server.rss_kib() / 1024
    full = int(redis.ask("INFO", "memory")["used_memory"])

    async def play(token: str, game: str, version: int, action: int) -> object:
        return await sessions.play_move(Caller(token), game, version, action, "", False)

    await movers(games[:PLAYED], play, MOVERS, 600.0)
    played = int(redis.ask("INFO", "memory")["used_memory"]) - full
    await sessions.close()
    times.sort()
    return [
        Result(name="session/memory/new-game", value=round((opened - before) / HELD), unit="bytes of Redis"),
        Result(
            name="session/memory/whole-game",
            value=round((opened - before) / HELD + played / PLAYED),
            unit="bytes of Redis",
        ),
        Result(name=f"session/held/{HELD}/views", value=round(HELD / passed), unit="views/s"),
        Result(
            name=f"session/held/{HELD}/views/p99",
            value=round(times[int(len(times) * 0.99)] * 1e3, 2),
            unit="ms",
        ),
        Result(name=f"session/held/{HELD}/server", value=round(rss), unit="MB resident"),
    ]


async def measured(
    server: RulesProcess,
    echo: RulesProcess,
    redis: RedisServer,
    scripts: list[Script],
    rounds: dict[str, list[Figure]],
) -> list[Result]:
    """Everything in turn, round by round; then what games cost to hold."""
    works: tuple[tuple[str, Callable[[], Awaitable[Figure]]], ...] = (
        ("unary/1", lambda: moves_by(server, scripts, "unary", 1)),
        (f"unary/{MOVERS}", lambda: moves_by(server, scripts, "unary", MOVERS)),
        (f"exchange/{MOVERS}", lambda: moves_by(server, scripts, "exchange", MOVERS)),
        ("echo/1", lambda: echoes(echo, 150, 1)),
        (f"echo/{MOVERS}", lambda: echoes(echo, 150, MOVERS)),
        ("commit/1", lambda: commits(redis.url, 1)),
        (f"commit/{MOVERS}", lambda: commits(redis.url, MOVERS)),
    )
    for number in range(ROUNDS):
        print(f"session: round {number + 1} of {ROUNDS}, {server.build.name}", file=sys.stderr, flush=True)
        for name, work in works:
            rounds.setdefault(name, []).append(await work())
    return await held(server, redis, scripts)


def run() -> Iterable[Result]:
    """Medians over the rounds."""
    build = best_build()
    scripts = [Script(number) for number in range(MOVERS * 3)]
    cores = sorted(os.sched_getaffinity(0))
    rounds: dict[str, list[Figure]] = {}
    with (
        tempfile.TemporaryDirectory() as place,
        RedisServer(embedded_binary(), Path(place) / "redis", appendfsync="everysec") as redis,
        SessionProcess(
            build,
            {"store": redis.url, "secret": secrets.token_hex(16), "data": place, "log_level": "error"},
        ) as server,
        RulesProcess(build, module=("bench.rules_echo", "move=250")) as echo,
    ):
        for pid in (server.pid, echo.pid, redis.pid):
            os.sched_setaffinity(pid, cores[:1])
        os.sched_setaffinity(0, cores[1:] or cores)
        holding = asyncio.run(measured(server, echo, redis, scripts, rounds))
        os.sched_setaffinity(0, cores)
    results: list[Result] = []
    for name, figures in rounds.items():
        kind, _, count = name.partition("/")
        per_core = statistics.median(one.per_core for one in figures)
        result = Result(name=f"session/{name}/{build.name}", value=round(per_core), unit="1/s/core")
        if kind in ("unary", "exchange"):
            slower = min(
                statistics.median(one.per_core for one in rounds[f"{peer}/{count}"])
                for peer in ("echo", "commit")
            )
            result["peer"] = "slower of echo and commit"
            result["ratio"] = round(per_core / slower, 2)
        results.append(result)
        for quantile in ("p50", "p99"):
            value = statistics.median(getattr(one, quantile) for one in figures)
            results.append(Result(name=f"session/{name}/{quantile}", value=round(value * 1e3, 2), unit="ms"))
    return [*results, *holding]
