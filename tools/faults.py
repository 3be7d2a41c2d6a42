"""Kill session processes, Redis and cluster masters under load, and check the history of every round.

python -m tools.faults KILLS=1000: exit code 1 if anything was lost, doubled, reordered or shown wrongly, or if a clock
stood still. The last line printed is the result as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.kit.fault_load import FaultLoad
from tests.kit.fault_processes import Service, settings_for
from tests.kit.redis_servers import RedisCluster, RedisServer, embedded_binary
from tools.redis_binaries import redis_server
from tools.rules_process import best_build
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.keeper import LEASE_MS

EVERYSEC_LOSS = 2.0
"""Seconds that `everysec` may lose with a killed server."""
CLOCK_SECONDS = 2 * LEASE_MS / 1000 + 10
"""A clock may be late by one lease for the process that was killed with it, and one for the next."""
CALL_SECONDS = 0.8
"""After that a client gives up, and the load has to find out what became of its move."""
CLUSTER_OUTAGE = 4.0
SHOWN = 50


class Kind(NamedTuple):
    """A kind of round: the store, what it promises, and how many kills there are before the history is checked."""

    name: str
    server: str
    durability: str
    appendfsync: str
    kills: int
    is_cluster: bool = False
    store_share: float = 0.5
    """How often the store is to be the next victim; a cluster takes long to be whole again."""


KINDS = (
    Kind("everysec", "embedded", "everysec", "everysec", 25),
    Kind("acknowledged", "redis", "acknowledged", "always", 25),
    Kind("everysec", "redis", "everysec", "everysec", 25),
    Kind("acknowledged", "embedded", "acknowledged", "always", 25),
    Kind("cluster", "embedded", "acknowledged", "always", 8, is_cluster=True, store_share=0.85),
)
BINARIES = {"embedded": embedded_binary, "redis": redis_server}


class Round:
    """Kills under one load. What was killed comes back by itself, so several may be away at the same time."""

    def __init__(self, kind: Kind, random: Random, kills: int) -> None:
        self.kind = kind
        self.kills: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []
        self.excused = 0
        """Losses of an `everysec` store within the time it may lose."""
        self.longest_pause = 0.0
        self._random = random
        self._left = min(kills, kind.kills)
        self._away: set[str] = set()
        self._returning: set[asyncio.Task[None]] = set()
        self._store_died: tuple[float, float] | None = None

    async def run(self, place: Path) -> None:
        """Load, kill, wait until all are back, and judge."""
        binary = BINARIES[self.kind.server]()
        fsync = self.kind.appendfsync
        store: RedisServer | RedisCluster
        if self.kind.is_cluster:
            store = RedisCluster(binary, place / "store", node_timeout_ms=1000, appendfsync=fsync)
        else:
            store = RedisServer(binary, place / "store", appendfsync=fsync)
        async with AsyncExitStack() as stack:
            await asyncio.to_thread(store.start)
            stack.callback(store.kill)
            replicas = "1" if self.kind.is_cluster else "0"
            settings = settings_for(store.url, str(place), durability=self.kind.durability, replicas=replicas)
            services = [Service(settings, best_build()) for _ in range(2)]
            doors = []
            for service in services:
                await asyncio.to_thread(service.start)
                stack.callback(service.kill)
                doors.append(RemoteSessions(f"grpc://{service.address}", seconds=CALL_SECONDS))
                stack.push_async_callback(doors[-1].close)
            load = await stack.enter_async_context(FaultLoad(doors, games=4, idle=1, pace=0.01))
            await load.progress(10, 60)
            while self._left:
                await self._kill_one(store, services)
                await asyncio.sleep(self._random.random() * 0.5)
            await asyncio.gather(*self._returning)
            await load.progress(10, 60)
            await self._judge(load, store.url)

    async def _kill_one(self, store: RedisServer | RedisCluster, services: list[Service]) -> None:
        """Kill something that lives; the server of an `everysec` store once, as the last."""
        if self.kind.durability == "everysec":
            wants_store = self._left == 1
        else:
            wants_store = self._random.random() < self.kind.store_share
        living = [service for service in services if service.address not in self._away]
        if wants_store:
            if "store" not in self._away:
                self._left -= 1
                await self._kill_store(store)
        elif living:
            self._left -= 1
            service = self._random.choice(living)
            self._away.add(service.address)
            self.kills["session process"] += 1
            await asyncio.to_thread(service.kill)
            self._return(service.address, service.start, self._random.random())

    async def _kill_store(self, store: RedisServer | RedisCluster) -> None:
        self._away.add("store")
        before = time.monotonic()
        if isinstance(store, RedisCluster):
            self.kills["cluster master"] += 1
            node = await asyncio.to_thread(store.kill_master, self._random.randrange(3))
            outage = self._random.random() * CLUSTER_OUTAGE
            self._return("store", lambda: store.restart_node(node), outage)
        else:
            self.kills["Redis"] += 1
            await asyncio.to_thread(store.kill)
            await asyncio.sleep(0.1)
            self._store_died = before, time.monotonic()
            self._return("store", store.start, self._random.random() * 0.5)

    def _return(self, name: str, start: Callable[[], None], outage: float) -> None:
        async def come_back() -> None:
            await asyncio.sleep(outage)
            await asyncio.to_thread(start)
            self._away.discard(name)

        self._returning.add(asyncio.create_task(come_back()))

    async def _judge(self, load: FaultLoad, url: str) -> None:
        found = await load.judge(url)
        if found and self.kind.durability == "everysec" and self._store_died is not None:
            died, dead = self._store_died
            excused = load.violations(lossy_since=died - EVERYSEC_LOSS, lossy_until=dead)
            self.excused = len(found) - len(excused)
            found = excused
        self.longest_pause = load.longest_pause()
        if self.longest_pause > CLOCK_SECONDS:
            found.append(f"clock: one stood still for {self.longest_pause:.1f} s")
        self.violations = [f"{self.kind.name} on {self.kind.server}: {violation}" for violation in found]
        self.counts = load.counts


class Run:
    """Rounds of kills, and what came of them."""

    def __init__(self, kills: int) -> None:
        self.wanted = kills
        self.random = Random(1)
        self.kills: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []
        self.rounds = self.excused = 0
        self.longest_pause = 0.0
        self.started = time.monotonic()

    async def all_rounds(self) -> None:
        """Round after round until there were enough kills."""
        for kind in cycle(KINDS):
            if self.kills.total() >= self.wanted:
                return
            one = Round(kind, self.random, self.wanted - self.kills.total())
            with tempfile.TemporaryDirectory() as place:
                await one.run(Path(place))
            self.rounds += 1
            self.kills += one.kills
            self.counts += one.counts
            self.violations += one.violations
            self.excused += one.excused
            self.longest_pause = max(self.longest_pause, one.longest_pause)
            done = f"{self.kills.total()} of {self.wanted} kills, {self.counts['acknowledged']} moves"
            print(f"{kind.name} on {kind.server}: {done}, {len(self.violations)} violations", flush=True)

    def summary(self) -> dict[str, object]:
        """Everything counted."""
        return {
            "kills": dict(self.kills),
            "rounds": self.rounds,
            "moves_acknowledged": self.counts["acknowledged"],
            "games_finished": self.counts["finished"],
            "faults_felt_by_players": self.counts["felt"],
            "unknown_outcomes_settled": self.counts["settled"],
            "updates_seen": self.counts["seen"],
            "watcher_reconnects": self.counts["reconnects"],
            "longest_clock_pause_seconds": round(self.longest_pause, 1),
            "losses_within_what_everysec_declares": self.excused,
            "violations": len(self.violations),
            "minutes": round((time.monotonic() - self.started) / 60, 1),
        }


def main() -> int:
    """Kill as often as asked for."""
    kills = 1000
    for argument in sys.argv[1:]:
        if not argument.startswith("KILLS="):
            sys.exit(f"{argument} is not KILLS=")
        kills = int(argument.removeprefix("KILLS="))
    run = Run(kills)
    asyncio.run(run.all_rounds())
    for violation in run.violations[:SHOWN]:
        print(f"VIOLATION {violation}")
    print(json.dumps(run.summary()))
    return 1 if run.violations else 0


if __name__ == "__main__":
    sys.exit(main())
