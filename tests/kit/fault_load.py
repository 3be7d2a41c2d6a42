"""Games under load while something is broken, and a judgement of all that players and watchers were told.

Works over the port `Sessions`: a core in this process, or clients of session processes; with several, whoever gets no
answer from one goes to the next.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from tests.kit.fault_clients import Client, LoadTable, Player, Watcher
from tests.kit.histories import History, Watch, violations
from tests.kit.stored_logs import LogReader, StoredLog
from turntable_rules import EDITIONS
from turntable_session.core.port import Caller, Sessions
from turntable_session.domain.settings import Clock, GameSettings, Policies
from turntable_session.store.redis_store import RedisStore
from turntable_session.store.servers import StoreSettings


class FaultLoad:
    """Players and watchers while the `async with` lasts; `judge` before it ends.

    `games` are played at any time, of all editions in turn; in `idle` further ones only the clock moves.
    """

    def __init__(
        self,
        doors: Sequence[Sessions],
        *,
        games: int = 6,
        watchers: int = 2,
        idle: int = 0,
        idle_ms: int = 400,
        pace: float = 0.01,
        seed: int = 1,
    ) -> None:
        self.doors = list(doors)
        self.counts: Counter[str] = Counter()
        """Moves acknowledged, moves settled by repeating them, faults felt by players, and so on."""
        self.tables: list[LoadTable] = []
        self.logs: dict[str, StoredLog] = {}
        """As they were stored when the load was judged."""
        self._games, self._idle, self._idle_ms = games, idle, idle_ms
        self._seen_by = watchers
        self._pace, self._seed = pace, seed
        self._run = secrets.token_hex(4)
        self._is_over = False
        self._players: list[Player] = []
        self._watchers: list[Watcher] = []
        self._playing: list[asyncio.Task[None]] = []
        self._watching: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        opened = [self._open(number, number >= self._games) for number in range(self._games + self._idle)]
        try:
            tables = await asyncio.gather(*opened)
        except BaseException:
            await self._end(self._watching)
            raise
        self._playing = [asyncio.create_task(self._play_on(table)) for table in tables if not table.is_idle]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over = True
        await self._end([*self._playing, *self._watching])

    async def progress(self, moves: int, seconds: float = 30.0) -> None:
        """Wait until so many more moves were acknowledged."""
        aim = self.counts["acknowledged"] + moves
        if not await self._comes_true(lambda: self.counts["acknowledged"] >= aim, seconds):
            raise TimeoutError(f"no {moves} moves in {seconds:.0f} s: {dict(self.counts)}")

    async def judge(
        self, url: str, *, lossy_since: float | None = None, lossy_until: float = 0.0, seconds: float = 40.0
    ) -> list[str]:
        """Everything that is wrong, when each player has learnt what became of its last move.

        `lossy_…` as of the checker of histories.
        """
        self._is_over = True
        async with asyncio.timeout(seconds):
            await asyncio.gather(*self._playing)
        store = RedisStore(StoreSettings(url))
        try:
            await store.start()
            reader = LogReader(store)
            await self._read_logs(reader, self.tables)
            # Who has not seen the end by then is found by the checker.
            await self._comes_true(self._all_have_seen_the_end, seconds / 2)
            await self._end(self._watching)
            # The clock of an idle game goes on while we look.
            await self._read_logs(reader, [table for table in self.tables if table.is_idle])
        finally:
            await store.close()
        return self.violations(lossy_since, lossy_until)

    def violations(self, lossy_since: float | None = None, lossy_until: float = 0.0) -> list[str]:
        """Everything that is wrong with what was judged."""
        found = [f"{log.game}: {fault}" for log in self.logs.values() for fault in log.faults]
        if lossy_since is None:
            return found + violations(self.history())
        return found + violations(self.history(), lossy_since=lossy_since, lossy_until=lossy_until)

    def history(self) -> History:
        """What was told and shown, and the logs."""
        requests = [
            replace(one, digest=_public(self.logs[one.game], one.answered, one.digest, seat))
            for player in self._players
            for one, seat in player.requests
        ]
        watches = []
        for watcher in self._watchers:
            log, seat = self.logs[watcher.table.id], watcher.seat
            seen = [
                replace(one, digest=_public(log, one.version, one.digest, seat)) for one in watcher.sightings
            ]
            watches.append(Watch(watcher.name, watcher.table.id, seen, to_end=not watcher.table.is_idle))
        return History(requests, watches, {game: log.entries for game, log in self.logs.items()})

    def longest_pause(self) -> float:
        """The longest time in seconds for which a clock that ran has not moved."""
        idle = [self.logs[table.id] for table in self.tables if table.is_idle]
        return max((pause for log in idle for pause in log.pauses()), default=0.0)

    async def _open(self, number: int, is_idle: bool) -> LoadTable:
        edition = list(EDITIONS)[number % len(EDITIONS)]
        clock = Clock("move", turn_ms=self._idle_ms, setup_ms=self._idle_ms) if is_idle else None
        settings = GameSettings(edition, 2 + number % 2, clock=clock, policies=Policies(timeout="auto"))
        host, key = Caller("", f"host {self._run}"), f"{self._run} {number}"
        client = Client(self.doors, number, self.counts)
        made = await client.insist(lambda door: door.create_game(host, settings, None, key))
        table = LoadTable(number, made.view.game.id, settings.seats, is_idle)
        self.tables.append(table)
        for seat in range(table.seats):
            sitting = {"name": f"player {seat}", "seat": seat, "key": f"{key} {seat}"}
            taken = await client.insist(lambda door, facts=sitting: door.take_seat(host, table.id, **facts))  # type: ignore[misc]
            table.tokens.append(taken.token)
        for place in range(self._seen_by):
            seat_seen = None if place == 0 else (place - 1) % table.seats
            watcher = Watcher(self.doors, self.counts, table, seat_seen, f"w{len(self._watchers)}")
            self._watchers.append(watcher)
            self._watching.append(asyncio.create_task(watcher.watch()))
        return table

    async def _play_on(self, table: LoadTable) -> None:
        """Play a game, and another one after it, until told to stop."""
        while True:
            player = Player(self.doors, self.counts, table, self._pace, self._seed)
            self._players.append(player)
            await player.play(lambda: self._is_over)
            if self._is_over:
                return
            self.counts["finished"] += 1
            table = await self._open(table.number + self._games + self._idle, False)

    async def _read_logs(self, reader: LogReader, tables: Sequence[LoadTable]) -> None:
        keys = {game: player.keys for player in self._players for game in (player.table.id,)}
        for table in tables:
            self.logs[table.id] = await reader.read(table.id, keys.get(table.id, {}))

    def _all_have_seen_the_end(self) -> bool:
        return all(watcher.last >= self.logs[watcher.table.id].version for watcher in self._watchers)

    async def _comes_true(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Whether something becomes true in time; a client that fails is an error at once."""
        end = time.monotonic() + seconds
        while not holds():
            for task in (*self._playing, *self._watching):
                if task.done():
                    task.result()
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.02)
        return True

    async def _end(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _public(log: StoredLog, version: int | None, digest: str | None, seat: int | None) -> str | None:
    """The digest of the public part, if the viewer was told exactly what its seat may know; else what it was told."""
    if digest is None or version is None or log.shown(version, seat) != digest:
        return digest
    return log.shown(version, None)
