"""Kill session processes, Redis and cluster masters under load, and check the history of every round.

python -m tools.faults KILLS=1000: exit code 1 if anything was lost, doubled, reordered or shown wrongly.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from tests.kit.fault_load import FaultLoad
from tests.kit.redis_servers import RedisCluster, RedisServer, embedded_binary, free_port
from tools.redis_binaries import redis_server
from tools.rules_process import best_build
from tools.session_process import SessionProcess
from turntable_session.client.remote import RemoteSessions

ROUND = 25
"""Kills between two looks at the whole history."""
CLUSTER_ROUND = 4
CLUSTER_EVERY = 6
"""Every sixth round is on a cluster, where a kill means waiting for a failover."""


class Service:
    """A session process that comes back at the same address after every kill."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.port = free_port()
        self._settings = {**settings, "port": str(self.port), "log_level": "error"}
        self._build = best_build()
        self._process: SessionProcess

    def start(self) -> None:
        """Start it and wait until it listens."""
        self._process = SessionProcess(self._build, self._settings)
        self._process.__enter__()

    def kill(self) -> None:
        """End it without a word of warning, and start it again."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.stop()
        self.start()

    def stop(self) -> None:
        """End it for good."""
        self._process.stop()


class Run:
    """Rounds of kills, and what came of them."""

    def __init__(self, kills: int) -> None:
        self.wanted = kills
        self.random = Random(1)
        self.kills: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []
        self.started = time.monotonic()

    async def all_rounds(self) -> None:
        """Round after round until there were enough kills."""
        number = 0
        while self.kills.total() < self.wanted:
            number += 1
            with tempfile.TemporaryDirectory() as place:
                if number % CLUSTER_EVERY == 0:
                    await self._cluster_round(Path(place))
                else:
                    await self._round(Path(place), number % 2 == 0)
            print(f"{self.kills.total()} of {self.wanted} kills: {json.dumps(self.summary())}", flush=True)

    async def _round(self, place: Path, debian: bool) -> None:
        binary = redis_server() if debian else embedded_binary()
        with RedisServer(binary, place / "store", appendfsync="always") as redis:
            await self._kill_under_load(place, redis, {"replicas": "0"}, ROUND)

    async def _cluster_round(self, place: Path) -> None:
        with RedisCluster(embedded_binary(), place / "store", appendfsync="always") as cluster:
            await self._kill_under_load(place, cluster, {"replicas": "1"}, CLUSTER_ROUND)

    async def _kill_under_load(
        self, place: Path, store: RedisServer | RedisCluster, more: dict[str, str], kills: int
    ) -> None:
        settings = {
            "store": store.url,
            "durability": "acknowledged",
            "secret": secrets.token_hex(16),
            "data": str(place),
            "store_timeout": "1.0",
            "store_patience": "2.0",
            "tick_seconds": "0.1",
            **more,
        }
        services = [Service(settings), Service(settings)]
        async with AsyncExitStack() as stack:
            for service in services:
                await asyncio.to_thread(service.start)
                stack.callback(service.stop)
            doors = [RemoteSessions(f"grpc://127.0.0.1:{service.port}", seconds=5.0) for service in services]
            for door in doors:
                stack.push_async_callback(door.close)
            load = await stack.enter_async_context(FaultLoad(doors, games=4, idle=1, pace=0.02))
            await load.progress(10, 60)
            for _ in range(min(kills, self.wanted - self.kills.total())):
                await asyncio.sleep(self.random.random() * 0.3)
                await self._kill(store, services)
                await load.progress(3, 60)
            self.violations += await load.judge(store.url)
            self.counts.update(load.counts)

    async def _kill(self, store: RedisServer | RedisCluster, services: list[Service]) -> None:
        if self.random.random() < 0.4:
            self.kills["session process"] += 1
            await asyncio.to_thread(self.random.choice(services).kill)
        elif isinstance(store, RedisServer):
            self.kills["Redis"] += 1
            await asyncio.to_thread(store.kill)
            await asyncio.to_thread(store.start)
        else:
            self.kills["cluster master"] += 1
            node = await asyncio.to_thread(store.kill_master, self.random.randrange(3))
            await asyncio.sleep(self.random.random() * 4)
            await asyncio.to_thread(store.restart_node, node)
            await asyncio.to_thread(store.wait_ok)

    def summary(self) -> dict[str, object]:
        """Everything counted so far."""
        return {
            "kills": dict(self.kills),
            "moves_acknowledged": self.counts["acknowledged"],
            "games_finished": self.counts["finished"],
            "unknown_outcomes_settled": self.counts["settled"],
            "updates_seen": self.counts["seen"],
            "watchers_came_back": self.counts["reconnects"],
            "violations": len(self.violations),
            "minutes": round((time.monotonic() - self.started) / 60, 1),
        }


def main() -> int:
    """Run, and say what was found."""
    words = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    run = Run(int(words.get("KILLS", "1000")))
    asyncio.run(run.all_rounds())
    for violation in run.violations[:50]:
        print(violation)
    print(json.dumps(run.summary()))
    return 1 if run.violations else 0


if __name__ == "__main__":
    sys.exit(main())
