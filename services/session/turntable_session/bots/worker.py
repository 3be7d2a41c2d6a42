"""A worker: leases bots' turns from every bucket, lets them think, and plays their moves like anybody's."""

import asyncio
import contextlib
import logging
from hashlib import blake2b
from typing import Any, Final

from turntable_rules import Ruleset
from turntable_session.bots.mind import Mind
from turntable_session.bots.thinker import Answer, Question
from turntable_session.core.requests import Request
from turntable_session.core.sessions import CoreSessions
from turntable_session.domain.auto import auto_move
from turntable_session.domain.game import Game
from turntable_session.domain.ids import bucket_of
from turntable_session.forms.boards import board_facts
from turntable_session.json_answers import game_view_form
from turntable_session.problems import Problem
from turntable_session.rules.in_process import LocalRules
from turntable_session.store.port import News

LOGGER = logging.getLogger("turntable.bots")
_LOOK_ANYWAY: Final = 1.0
_MARGIN: Final = 5.0
"""Seconds a lease lasts beyond the budget: for starting a process, and for saving."""


class Worker:
    """One mind, and as many turns as it can think through, one after the other."""

    def __init__(self, core: CoreSessions, budget: float) -> None:
        self.core = core
        self.budget = budget
        self.lease_ms = int((budget + _MARGIN) * 1000)
        self.mind = Mind()
        self._rulesets = LocalRules()
        self._boards: dict[str, dict[str, Any]] = {}
        self._buckets: set[int] = set()
        self._heard = asyncio.Event()

    async def run(self) -> None:
        """Work until cancelled."""
        store = self.core.desk.store
        feed = store.feed(self._hear)
        await self.mind.start()
        try:
            for bucket in range(store.buckets):
                feed.want(bucket)
            while True:
                with contextlib.suppress(Problem):  # the store is away: what is due will still be due
                    while self._buckets:
                        await self._work(self._buckets.pop())
                await self._wait()
        finally:
            await feed.close()
            await self.mind.kill()

    def _hear(self, news: News) -> None:
        if not news.game:
            self._buckets.update(range(self.core.desk.store.buckets))
        elif news.bot:
            self._buckets.add(bucket_of(news.game))
        else:
            return
        self._heard.set()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(_LOOK_ANYWAY):
                await self._heard.wait()
        except TimeoutError:  # news may be lost, and leases of others run out in silence
            self._buckets.update(range(self.core.desk.store.buckets))
        self._heard.clear()

    async def _work(self, bucket: int) -> None:
        """Think through everything due in a bucket, one turn at a time, so that other workers can share it."""
        desk = self.core.desk
        now = desk.now()
        for game in await desk.store.lease(bucket, "bot", now, now + self.lease_ms, 1):
            self._buckets.add(bucket)
            try:
                await self.take_turn(game)
            except Problem as problem:
                if problem.code == "not_found":
                    await desk.store.reset_due(game, 0, "bot", None)
                elif problem.code in ("unavailable", "unconfirmed"):
                    raise
            except Exception:  # one game must not stop the others; the lease brings it back
                LOGGER.exception("a bot's turn failed", extra={"game": game})

    async def take_turn(self, game: str) -> None:
        """Let the first bot that owes a decision make it."""
        table = await self.core.desk.fresh(game)
        seats = [seat for seat in table.active_seats if table.sheet.seats[seat].is_played_by_bot]
        if not table.waits_for_bot() or not seats:
            await self.core.desk.store.reset_due(game, table.sheet.version, "bot", None)
            return
        seat = seats[0]
        assert table.position is not None
        legal = await self.core.desk.rules.legal_moves(table.position, seat)
        answer = await self._think(table, seat, legal)
        name = table.sheet.seats[seat].bot
        self.core.desk.metrics.bot_moves.labels(name, answer.fault or "played").inc()
        if answer.fault:
            LOGGER.warning("a bot failed", extra={"bot": name, "game": game, "fault": answer.fault})
        number = auto_move(legal)["id"] if answer.fault else answer.move
        version = table.sheet.version
        # The same in every worker that thinks about this turn, so that only one of them moves.
        request = Request(f"bot {version} {seat}".encode(), b"bot")
        await self.core.play_for(game, seat, version, number, "bot", request)

    async def _think(self, table: Game, seat: int, legal: list[dict[str, Any]]) -> Answer:
        sheet = table.sheet
        rules: Ruleset = (await self._rulesets.table(sheet.settings)).handle
        key = rules.fingerprint.hex()
        if key not in self._boards:
            self._boards[key] = board_facts(rules)
        view = game_view_form(await self.core.view_of(table, seat), rules)
        seed = blake2b(
            f"{sheet.id} {seat}".encode(), key=self.core.secret, digest_size=32, person=b"turntable-bot"
        )
        question = Question(sheet.seats[seat].bot, seed.digest(), view, legal, key)
        return await self.mind.ask(question, self._boards[key], self.budget)
