"""Games under load while something is broken: players who retry, watchers who come back, and all they were told.

Works over the port `Sessions`: a core in this process, or clients of session processes; with several, whoever gets no
answer from one goes to the next.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.kit.histories import History, Request, Sighting, Watch, violations
from tests.kit.stored_logs import LogReader, StoredLog, digest_of
from turntable_rules import EDITIONS, format_move, move_from_json
from turntable_session.core.answers import GameView, Update
from turntable_session.core.port import Caller, Sessions
from turntable_session.core.requests import identify
from turntable_session.domain.settings import Clock, GameSettings, Policies
from turntable_session.problems import Problem
from turntable_session.store.redis_store import RedisStore
from turntable_session.store.servers import StoreSettings

T = TypeVar("T")

UNSETTLED = frozenset({"unavailable", "unconfirmed"})
"""Answers after which nobody knows whether the move was played."""
ATTEMPT_SECONDS = 20.0
PAUSE = 0.05
SPECTATOR = Caller("", "watcher")


@dataclass
class LoadTable:
    """A game of the load; `is_idle` if nobody moves in it but its clock."""

    number: int
    id: str
    seats: int
    is_idle: bool
    tokens: list[str] = field(default_factory=list, repr=False)

    def caller(self, seat: int | None) -> Caller:
        return SPECTATOR if seat is None else Caller(self.tokens[seat])


@dataclass
class Seen:
    """One watcher of one table, and the digests of what it saw as its seat sees it."""

    table: LoadTable
    name: str
    seat: int | None
    sightings: list[Sighting] = field(default_factory=list)
    last: int = 0
    """The version it has seen last, and resumes after."""
    is_over: bool = False


class FaultLoad:
    """Players and watchers while the `async with` lasts; `judge` in the end."""

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
        self.requests: list[tuple[Request, int]] = []
        """Attempts, and the seat of each."""
        self.watches: list[Seen] = []
        self.logs: dict[str, StoredLog] = {}
        """As they were stored when the load was judged."""
        self._games, self._idle, self._idle_ms = games, idle, idle_ms
        self._watchers = watchers
        self._pace = pace
        self._seed = seed
        self._run = secrets.token_hex(4)
        self._keys: dict[bytes, str] = {}
        self._is_over = False
        self._playing: list[asyncio.Task[None]] = []
        self._watching: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        opened = [self._open(number, number >= self._games) for number in range(self._games + self._idle)]
        tables = await asyncio.gather(*opened)
        self._playing = [asyncio.create_task(self._play_on(table)) for table in tables if not table.is_idle]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over = True
        for task in (*self._playing, *self._watching):
            task.cancel()
        await asyncio.gather(*self._playing, *self._watching, return_exceptions=True)

    async def progress(self, moves: int, seconds: float = 30.0) -> None:
        """Wait until so many more moves were acknowledged."""
        aim = self.counts["acknowledged"] + moves
        await self._until(
            lambda: self.counts["acknowledged"] >= aim, seconds, f"no {moves} moves in {seconds:.0f} s"
        )

    async def settle(self, seconds: float = 40.0) -> None:
        """Let every player learn what became of its last move, and every watcher see the end of what there is."""
        self._is_over = True
        async with asyncio.timeout(seconds):
            await asyncio.gather(*self._playing)

    async def judge(self, url: str, *, lossy_since: float | None = None, lossy_until: float = 0.0) -> list[str]:
        """Everything that is wrong; settles first. `lossy_…` as of the checker of histories."""
        await self.settle()
        store = RedisStore(StoreSettings(url))
        try:
            await store.start()
            reader = LogReader(store)
            await self._read_logs(reader, self.tables)
            await self._watchers_at_the_end()
            # The clock of an idle game goes on while we look.
            await self._read_logs(reader, [table for table in self.tables if table.is_idle])
        finally:
            await store.close()
        found = [f"{log.game}: {fault}" for log in self.logs.values() for fault in log.faults]
        if lossy_since is None:
            return found + violations(self.history())
        return found + violations(self.history(), lossy_since=lossy_since, lossy_until=lossy_until)

    def longest_pause(self) -> float:
        """The longest time in seconds for which no clock has moved in an idle game that was not over."""
        pauses = [0.0]
        for table in self.tables:
            if table.is_idle:
                pauses += self.logs[table.id].pauses()
        return max(pauses)

    async def _read_logs(self, reader: LogReader, tables: Sequence[LoadTable]) -> None:
        for table in tables:
            self.logs[table.id] = await reader.read(table.id, self._keys)

    def history(self) -> History:
        """What was told and shown, and the logs as they were read last."""
        logs = self.logs
        requests = [
            replace(request, digest=_public(logs[request.game], request.answered, request.digest, seat))
            for request, seat in self.requests
        ]
        watches = []
        for seen in self.watches:
            log = logs[seen.table.id]
            sightings = [
                replace(one, digest=_public(log, one.version, one.digest, seen.seat))
                for one in seen.sightings
            ]
            watches.append(Watch(seen.name, seen.table.id, sightings, to_end=not seen.table.is_idle))
        return History(requests, watches, {game: log.entries for game, log in logs.items()})

    # Tables

    async def _open(self, number: int, is_idle: bool) -> LoadTable:
        edition = list(EDITIONS)[number % len(EDITIONS)]
        clock = Clock("move", turn_ms=self._idle_ms, setup_ms=self._idle_ms) if is_idle else None
        settings = GameSettings(edition, 2 + number % 2, clock=clock, policies=Policies(timeout="auto"))
        host, name = Caller("", f"host {self._run}"), f"{self._run} {len(self.tables)} {number}"
        made = await self._insist(lambda door: door.create_game(host, settings, None, name))
        table = LoadTable(number, made.view.game.id, settings.seats, is_idle)
        self.tables.append(table)
        for seat in range(table.seats):
            taken = await self._insist(
                lambda door, seat=seat: door.take_seat(  # type: ignore[misc]
                    host, table.id, f"player {seat}", seat, key=f"{name} {seat}"
                )
            )
            table.tokens.append(taken.token)
        for place in range(self._watchers):
            viewer = None if place == 0 else (place - 1) % table.seats
            seen = Seen(table, f"w{len(self.watches)}", viewer)
            self.watches.append(seen)
            self._watching.append(asyncio.create_task(self._watch(seen)))
        return table

    async def _insist(self, ask: Callable[[Sessions], Awaitable[T]]) -> T:
        """Ask one door after the other until one answers; for calls that may be repeated."""
        place = len(self.tables)
        while True:
            try:
                async with asyncio.timeout(ATTEMPT_SECONDS):
                    return await ask(self.doors[place % len(self.doors)])
            except (Problem, OSError, TimeoutError) as error:
                if isinstance(error, Problem) and error.code not in UNSETTLED:
                    raise
            self.counts["felt"] += 1
            place += 1
            await asyncio.sleep(PAUSE)

    # Players

    async def _play_on(self, table: LoadTable) -> None:
        """Play a game, and another one after it, until told to stop."""
        while not self._is_over:
            await self._play(table)
            if not self._is_over:
                self.counts["finished"] += 1
                table = await self._open(table.number + self._games, False)

    async def _play(self, table: LoadTable) -> None:
        random = Random(f"{self._seed} {table.number}")
        active: list[int] = []
        number = 0
        while not self._is_over:
            if not active:
                game = await self._insist(lambda door: door.get_game(SPECTATOR, table.id))
                if game.status in ("finished", "cancelled"):
                    return
                active = game.active_seats
            seat = active[0]
            legal = await self._insist(
                lambda door, seat=seat: door.legal_moves(table.caller(seat), table.id)  # type: ignore[misc]
            )
            active = []
            if legal.moves:
                number += 1
                chosen = {key: value for key, value in random.choice(legal.moves).items() if key != "id"}
                update = await self._settled(table, seat, legal.version, chosen, str(number))
                if update is not None and update.status == "finished":
                    return
                active = [] if update is None else update.active_seats
            await asyncio.sleep(self._pace)

    async def _settled(
        self, table: LoadTable, seat: int, version: int, move: dict[str, Any], key: str
    ) -> Update | None:
        """Ask until it is certain what became of a move; what it did, or None if it was refused."""
        caller = table.caller(seat)
        self._keys[identify(caller, "move", table.id, key).key] = key
        place, tries = table.number, 0
        while True:
            tries += 1
            start = time.monotonic()
            attempt = Request(
                f"p{table.number}.{seat}",
                table.id,
                key,
                version,
                format_move(move_from_json(move)),
                start,
                start,
                "unknown",
            )
            try:
                async with asyncio.timeout(ATTEMPT_SECONDS):
                    door = self.doors[place % len(self.doors)]
                    played = await door.play_move(caller, table.id, version, move, key, want_view=False)
            except (Problem, OSError, TimeoutError) as error:
                code = error.code if isinstance(error, Problem) else type(error).__name__
                attempt = replace(attempt, end=time.monotonic(), code=code)
                self.counts[f"answer {code}"] += 1
                if isinstance(error, Problem) and code not in UNSETTLED:
                    self.requests.append((replace(attempt, outcome="refused"), seat))
                    self.counts["settled"] += tries > 1
                    return None
                self.requests.append((attempt, seat))
                self.counts["felt"] += 1
                place += 1
                await asyncio.sleep(PAUSE)
                continue
            update = played.update
            answer = replace(attempt, end=time.monotonic(), outcome="ok", answered=update.version)
            self.requests.append((replace(answer, digest=digest_of(update)), seat))
            self.counts["acknowledged"] += 1
            self.counts["settled"] += tries > 1
            return update

    # Watchers

    async def _watch(self, seen: Seen) -> None:
        """Watch to the end of the game, coming back after every failure."""
        place = seen.table.number
        after: int | None = None
        while not seen.is_over:
            door = self.doors[place % len(self.doors)]
            try:
                stream = door.watch(seen.table.caller(seen.seat), seen.table.id, after)
                async for message in stream:
                    self._note(seen, message)
                    after = seen.last
                # A stream may also end because its server is going away.
                seen.is_over = await self._is_finished(seen)
            except (Problem, OSError, TimeoutError) as error:
                code = error.code if isinstance(error, Problem) else type(error).__name__
                self.counts[f"watch {code}"] += 1
                if isinstance(error, Problem) and code not in UNSETTLED:
                    raise
            if not seen.is_over:
                self.counts["reconnects"] += 1
                place += 1
                if after is not None:
                    seen.sightings.append(Sighting(after, time.monotonic(), kind="resumed"))
                await asyncio.sleep(PAUSE)

    def _note(self, seen: Seen, message: GameView | Update) -> None:
        if isinstance(message, GameView):
            seen.last = message.game.version
            seen.sightings.append(Sighting(seen.last, time.monotonic(), kind="view"))
        else:
            seen.last = message.version
            seen.sightings.append(Sighting(seen.last, time.monotonic(), digest_of(message)))
            self.counts["seen"] += 1

    async def _is_finished(self, seen: Seen) -> bool:
        game = await self._insist(lambda door: door.get_game(SPECTATOR, seen.table.id))
        return game.status in ("finished", "cancelled") and seen.last >= game.version

    async def _watchers_at_the_end(self, seconds: float = 20.0) -> None:
        """Wait until everybody has seen the last version; who has not by then is found by the checker."""

        def all_there() -> bool:
            for task in self._watching:
                if task.done() and task.exception() is not None:
                    task.result()
            return all(seen.last >= self.logs[seen.table.id].version for seen in self.watches)

        await self._until(all_there, seconds)
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)

    async def _until(self, holds: Callable[[], bool], seconds: float, complaint: str = "") -> None:
        end = time.monotonic() + seconds
        while not holds():
            for task in self._playing:
                if task.done():
                    task.result()
            if time.monotonic() > end:
                if complaint:
                    raise TimeoutError(f"{complaint}: {dict(self.counts)}")
                return
            await asyncio.sleep(0.02)


def _public(log: StoredLog, version: int | None, digest: str | None, seat: int | None) -> str | None:
    """The digest of the public part, if the viewer was told exactly what its seat may know; else what it was told."""
    if digest is None or version is None or log.shown(version, seat) != digest:
        return digest
    return log.shown(version, None)
