"""A game server in miniature: a core on a store, with a clock of its own, asked directly or through gRPC."""

from __future__ import annotations

import secrets
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from turntable_session.core.access import Access
from turntable_session.core.answers import GameView, Played
from turntable_session.core.archive import DirectoryArchive
from turntable_session.core.desk import Desk, Lifetimes, system_clock
from turntable_session.core.metrics import Metrics
from turntable_session.core.port import Caller, Sessions
from turntable_session.core.sessions import CoreSessions
from turntable_session.domain.rules import Rules
from turntable_session.domain.settings import GameSettings
from turntable_session.domain.tokens import token_hash
from turntable_session.rules.in_process import LocalRules
from turntable_session.store.redis_store import RedisStore
from turntable_session.store.servers import StoreSettings

OPERATOR = "operator-token-of-the-tests"
NOBODY = Caller()


class House:
    """One core. `now` is its clock while it is set; several houses on one store are several processes."""

    def __init__(
        self,
        url: str,
        directory: Path,
        *,
        front: str = "core",
        secret: bytes = b"",
        rules: Rules | None = None,
        lifetimes: Lifetimes | None = None,
        store: StoreSettings | None = None,
    ) -> None:
        self.url = url
        self.directory = directory
        self.front = front
        self.secret = secret or secrets.token_bytes(32)
        self.now: int | None = None
        self._rules = rules
        self._lifetimes = lifetimes
        self._settings = store or StoreSettings(url, patience=5.0)
        self._stack = AsyncExitStack()
        self.sessions: Sessions

    def time(self) -> int:
        return system_clock() if self.now is None else self.now

    async def __aenter__(self) -> Self:
        self.store = RedisStore(self._settings)
        await self.store.start()
        self._stack.push_async_callback(self.store.close)
        self.metrics = Metrics()
        desk = Desk(self.store, self._rules or LocalRules(), self.metrics, self._lifetimes, self.time)
        self.core = CoreSessions(
            desk,
            Access(token_hash(OPERATOR)),
            DirectoryArchive(self.directory / "archive"),
            self.secret,
            frozenset({"random", "greedy"}),
            "random",
        )
        self._stack.push_async_callback(self.core.close)
        self.sessions = self.core
        if self.front == "grpc":
            from tests.kit.session_server import served

            self.sessions = await self._stack.enter_async_context(served(self.core))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def table(
        self, edition: str = "usa", seats: int = 2, seed: bytes | None = None, **facts: Any
    ) -> Table:
        """A new game with a player in every seat."""
        settings = GameSettings(edition, seats, **facts)
        created = await self.sessions.create_game(NOBODY, settings, seed)
        table = Table(self, created.view.game.id, created.host_token, created.invite_code)
        for seat in range(seats):
            if seat not in settings.bots:
                seated = await self.sessions.take_seat(
                    NOBODY, table.id, f"player {seat}", seat, invite_code=created.invite_code
                )
                table.tokens[seat] = seated.token
        return table


class Table:
    """A game and the tokens of all who sit there."""

    def __init__(self, house: House, game: str, host: str, invite: str = "") -> None:
        self.house = house
        self.id = game
        self.host = Caller(host)
        self.invite = invite
        self.tokens: dict[int, str] = {}

    def caller(self, seat: int) -> Caller:
        return Caller(self.tokens[seat])

    async def view(self, seat: int | None = None) -> GameView:
        caller = NOBODY if seat is None else self.caller(seat)
        return await self.house.sessions.get_view(caller, self.id)

    async def move(self, random: Random, key: str = "", house: House | None = None) -> Played:
        """A random legal move of the first seat that owes a decision."""
        sessions = (house or self.house).sessions
        game = await sessions.get_game(NOBODY if not self.invite else self.host, self.id)
        seat = game.active_seats[0]
        legal = await sessions.legal_moves(self.caller(seat), self.id)
        chosen = random.choice(legal.moves)["id"]
        return await sessions.play_move(self.caller(seat), self.id, legal.version, chosen, key)

    async def play(self, moves: int = 10_000, random: Random | None = None) -> int:
        """Random moves until the game is over or so many were played; how many were."""
        random = random or Random(1)
        for played in range(moves):
            if (await self.move(random)).update.status == "finished":
                return played + 1
        return moves
