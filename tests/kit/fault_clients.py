"""Clients who live with faults: players who repeat what they do not know the fate of, watchers who come back."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from tests.kit.histories import Request, Sighting
from tests.kit.stored_logs import digest_of
from turntable_rules import format_move, move_from_json
from turntable_session.core.answers import GameView, Update
from turntable_session.core.port import Caller, Sessions
from turntable_session.core.requests import identify
from turntable_session.problems import Problem

T = TypeVar("T")

UNSETTLED = frozenset({"unavailable", "unconfirmed"})
"""Answers after which nobody knows whether the move was played."""
FAILURES = (Problem, OSError, TimeoutError)
ATTEMPT_SECONDS = 20.0
PAUSE = 0.05
STAY = (10, 60)
"""Messages after which a watcher goes to the next door."""
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


class Client:
    """Somebody with several doors to knock at, who keeps to the one that opened last."""

    def __init__(self, doors: Sequence[Sessions], place: int, counts: Counter[str]) -> None:
        self._doors = doors
        self._place = place
        self.counts = counts

    @property
    def door(self) -> Sessions:
        return self._doors[self._place % len(self._doors)]

    async def go_on(self) -> None:
        """Try the next door in a moment."""
        self._place += 1
        await asyncio.sleep(PAUSE)

    async def insist(self, ask: Callable[[Sessions], Awaitable[T]]) -> T:
        """Ask until somebody answers; for calls that may be repeated."""
        while True:
            try:
                async with asyncio.timeout(ATTEMPT_SECONDS):
                    return await ask(self.door)
            except FAILURES as error:
                if is_answer(error):
                    raise
            self.counts["felt"] += 1
            await self.go_on()


def is_answer(error: BaseException) -> bool:
    """Whether a failure is a refusal, and not a sign of trouble on the way."""
    return isinstance(error, Problem) and error.code not in UNSETTLED


def name_of(error: BaseException) -> str:
    return error.code if isinstance(error, Problem) else type(error).__name__


class Player(Client):
    """Plays all seats of one table with random legal moves, each with a key of its own."""

    def __init__(
        self, doors: Sequence[Sessions], counts: Counter[str], table: LoadTable, pace: float, seed: int
    ) -> None:
        super().__init__(doors, table.number, counts)
        self.table = table
        self.requests: list[tuple[Request, int]] = []
        """Attempts, and the seat of each."""
        self.keys: dict[bytes, str] = {}
        """The keys as the store has them, and as they were sent."""
        self._pace = pace
        self._random = Random(f"{seed} {table.number}")

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play until the game ends, or until told that it is over and the last move is settled."""
        table, number = self.table, 0
        active: list[int] = []
        while not is_over():
            if not active:
                game = await self.insist(lambda door: door.get_game(SPECTATOR, table.id))
                if game.status in ("finished", "cancelled"):
                    return
                active = game.active_seats
            caller = table.caller(seat := active[0])
            legal = await self.insist(lambda door, caller=caller: door.legal_moves(caller, table.id))  # type: ignore[misc]
            active = []
            if legal.moves:
                number += 1
                chosen = {k: value for k, value in self._random.choice(legal.moves).items() if k != "id"}
                update = await self._settled(seat, legal.version, chosen, str(number))
                if update is not None and update.status == "finished":
                    return
                active = [] if update is None else update.active_seats
            await asyncio.sleep(self._pace)

    async def _settled(self, seat: int, version: int, move: dict[str, Any], key: str) -> Update | None:
        """Repeat a move until it is certain what became of it; what it did, or None if it was refused."""
        caller, tries = self.table.caller(seat), 0
        self.keys[identify(caller, "move", self.table.id, key).key] = key
        while True:
            tries += 1
            attempt = self._attempt(seat, version, move, key)
            try:
                async with asyncio.timeout(ATTEMPT_SECONDS):
                    played = await self.door.play_move(caller, self.table.id, version, move, key, False)
            except FAILURES as error:
                attempt = replace(attempt, end=time.monotonic(), code=name_of(error))
                self.counts[f"answer {attempt.code}"] += 1
                if is_answer(error):
                    self.requests.append((replace(attempt, outcome="refused"), seat))
                    self.counts["settled"] += tries > 1
                    return None
                self.requests.append((attempt, seat))
                self.counts["felt"] += 1
                await self.go_on()
                continue
            update = played.update
            answer = replace(attempt, end=time.monotonic(), outcome="ok", answered=update.version)
            self.requests.append((replace(answer, digest=digest_of(update)), seat))
            self.counts["acknowledged"] += 1
            self.counts["settled"] += tries > 1
            return update

    def _attempt(self, seat: int, version: int, move: dict[str, Any], key: str) -> Request:
        text, now = format_move(move_from_json(move)), time.monotonic()
        client = f"p{self.table.number}.{seat}"
        return Request(client, self.table.id, key, version, text, now, now, "unknown")


class Watcher(Client):
    """Watches one table as a seat or a spectator, and resumes after the version it has seen last."""

    def __init__(
        self, doors: Sequence[Sessions], counts: Counter[str], table: LoadTable, seat: int | None, name: str
    ) -> None:
        super().__init__(doors, table.number, counts)
        self.table = table
        self.seat = seat
        self.name = name
        self.sightings: list[Sighting] = []
        """With the digests of what the seat was shown."""
        self.last = 0
        self._random = Random(name)

    async def watch(self) -> None:
        """Watch to the end of the game, coming back after every failure, and now and then without one."""
        after: int | None = None
        while True:
            left = self._random.randint(*STAY)
            try:
                stream = self.door.watch(self.table.caller(self.seat), self.table.id, after)
                async with aclosing(stream):
                    async for message in stream:
                        self._note(message)
                        after, left = self.last, left - 1
                        if not left:
                            break
                # A stream may also end because its server is going away.
                game = await self.insist(lambda door: door.get_game(SPECTATOR, self.table.id))
                if game.status in ("finished", "cancelled") and self.last >= game.version:
                    return
            except FAILURES as error:
                self.counts[f"watch {name_of(error)}"] += 1
                if is_answer(error):
                    raise
            self.counts["reconnects"] += 1
            if after is not None:
                self.sightings.append(Sighting(after, time.monotonic(), kind="resumed"))
            await self.go_on()

    def _note(self, message: GameView | Update) -> None:
        now = time.monotonic()
        if isinstance(message, GameView):
            self.last = message.game.version
            self.sightings.append(Sighting(self.last, now, kind="view"))
        else:
            self.last = message.version
            self.sightings.append(Sighting(self.last, now, digest_of(message)))
            self.counts["seen"] += 1
