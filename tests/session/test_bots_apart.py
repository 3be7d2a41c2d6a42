"""Bot workers as processes of their own: their thinking costs nobody else anything, and their death little."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.house import NOBODY
from tests.kit.redis_servers import running_store
from tools.rules_process import own_build
from tools.session_process import SessionProcess
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings

pytestmark = pytest.mark.tree

SLOW_BOTS = """
import time

class Burns:
    def __init__(self, seed, board): pass
    def decide(self, view, legal_moves):
        end = time.monotonic() + 0.8
        while time.monotonic() < end: pass
        return legal_moves[0]

class Naps(Burns):
    def decide(self, view, legal_moves):
        time.sleep(0.2)
        return legal_moves[0]
"""


@pytest.fixture
def slow_bots(tmp_path: Path) -> Path:
    """Where a distribution of slow bots is installed."""
    site = tmp_path / "site"
    (site / "slow_bots-1.dist-info").mkdir(parents=True)
    (site / "slow_bots.py").write_text(SLOW_BOTS)
    points = "[turntable.bots]\nburns = slow_bots:Burns\nnaps = slow_bots:Naps\n"
    (site / "slow_bots-1.dist-info" / "entry_points.txt").write_text(points)
    (site / "slow_bots-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: slow-bots\nVersion: 1\n"
    )
    return site


class Site:
    """A session process and bot workers on one store, with the slow bots installed."""

    def __init__(self, url: str, directory: Path, site: Path) -> None:
        self.settings = {
            "store": url,
            "secret": secrets.token_hex(16),
            "data": str(directory),
            "bot_budget": "2.0",
            "log_level": "error",
        }
        self.server = SessionProcess(own_build(), self.settings)
        self.server._environment["PYTHONPATH"] += os.pathsep + str(site)

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[str]]:
        """A worker that is at work."""
        process = subprocess.Popen(
            [sys.executable, "-m", "turntable_session.bots"],
            env=self.server._environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "turntable-bots works\n"
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(20)
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def site(tmp_path: Path, slow_bots: Path) -> Iterator[Site]:
    """On a store of its own: workers of other tests must not think for these bots."""
    with running_store("embedded", tmp_path / "store") as store:
        running = Site(store.url, tmp_path, slow_bots)
        with running.server:
            yield running


async def read_p99(sessions: RemoteSessions, game: str, token: str, count: int = 400) -> float:
    """How long the slowest but for one in a hundred reads of a game took."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        await sessions.get_view(Caller(token), game)
        times.append(time.perf_counter() - started)
    return sorted(times)[int(count * 0.99)]


async def test_reading_while_four_slow_bots_think_costs_at_most_twice_as_much(site: Site) -> None:
    sessions = RemoteSessions(f"grpc://{site.server.address}")
    try:
        created = await sessions.create_game(NOBODY, GameSettings("usa", 2, visibility="unlisted"))
        game = created.view.game.id
        token = (await sessions.take_seat(NOBODY, game, "Ann")).token
        await sessions.take_seat(NOBODY, game, "Bo")
        await read_p99(sessions, game, token)  # connect and warm up
        with site.worker():
            for attempt in range(5):  # other tests run beside this one: one fair comparison is enough
                idle = await read_p99(sessions, game, token)
                thinking = []
                for _ in range(4):
                    settings = GameSettings("usa", 2, bots={0: "burns", 1: "burns"}, visibility="unlisted")
                    thinking.append((await sessions.create_game(NOBODY, settings)).view.game.id)
                await moved(sessions, thinking[0], 1)
                busy = await read_p99(sessions, game, token)
                if busy <= 2 * idle or attempt == 4:
                    break
        assert busy <= 2 * idle, (busy, idle)
    finally:
        await sessions.close()


async def moved(sessions: RemoteSessions, game: str, version: int, seconds: float = 30.0) -> int:
    """Wait until a game is past a version; the version it has."""
    async with asyncio.timeout(seconds):
        while (found := (await sessions.get_view(NOBODY, game, version, 10.0)).game.version) <= version:
            pass
    return found


async def test_a_worker_killed_in_mid_game_delays_the_bots_turn_by_one_lease_at_most(site: Site) -> None:
    lease = 2.0 + 5.0
    sessions = RemoteSessions(f"grpc://{site.server.address}")
    try:
        with site.worker() as first:
            settings = GameSettings("card", 2, bots={0: "naps", 1: "naps"}, visibility="unlisted")
            game = (await sessions.create_game(NOBODY, settings)).view.game.id
            version = await moved(sessions, game, 3)
            with site.worker():
                longest = 0.0
                os.kill(first.pid, signal.SIGKILL)
                started = time.monotonic()
                while version < 20:
                    version = await moved(sessions, game, version)
                    longest = max(longest, time.monotonic() - started)
                    started = time.monotonic()
        assert longest < lease + 3.0
    finally:
        await sessions.close()
