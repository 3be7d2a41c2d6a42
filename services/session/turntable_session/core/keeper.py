"""What happens by itself: clocks run out, games are given up, finished ones are archived. Any process may do it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from turntable_session.core.desk import Decision
from turntable_session.core.playing import Playing
from turntable_session.core.reading import Reading
from turntable_session.core.records import record_of
from turntable_session.core.requests import Request
from turntable_session.domain.auto import auto_move
from turntable_session.domain.clocks import deadline
from turntable_session.domain.game import Game
from turntable_session.problems import Problem
from turntable_session.store.port import DueKind

LOGGER = logging.getLogger("turntable.session")
LEASE_MS: Final = 10_000
_MOST: Final = 50


class Keeper(Playing, Reading):
    """Takes what is due, bucket by bucket, under a lease. Doing it twice is harmless: versions are compared."""

    tick_seconds: float = 0.25

    async def keep(self) -> None:
        """Look for what is due until cancelled; a bucket whose server is away holds up no other."""
        looking: dict[int, asyncio.Task[None]] = {}
        try:
            while True:
                await asyncio.sleep(self.tick_seconds)
                for bucket in range(self.desk.store.buckets):
                    if bucket not in looking or looking[bucket].done():
                        looking[bucket] = asyncio.create_task(self._look(bucket))
        finally:
            for task in looking.values():
                task.cancel()
            await asyncio.gather(*looking.values(), return_exceptions=True)

    async def _look(self, bucket: int) -> None:
        with contextlib.suppress(Problem):  # the store is away: the next look may find it
            await self._keep_bucket(bucket)

    async def keep_once(self) -> None:
        """Do everything that is due now."""
        await asyncio.gather(*(self._keep_bucket(bucket) for bucket in range(self.desk.store.buckets)))

    async def _keep_bucket(self, bucket: int) -> None:
        duties: tuple[tuple[DueKind, Callable[[str], Awaitable[None]]], ...] = (
            ("clock", self._clock_ran_out),
            ("life", self._give_up),
            ("archive", self._archive),
        )
        for kind, duty in duties:
            now = self.desk.now()
            for game in await self.desk.store.lease(bucket, kind, now, now + LEASE_MS, _MOST):
                await self._do(duty, kind, game)

    async def _do(self, duty: Callable[[str], Awaitable[None]], kind: DueKind, game: str) -> None:
        try:
            await duty(game)
        except Problem as problem:
            # One game, stopped because it diverged, must not stop the others; the lease brings it back.
            if problem.code == "not_found":
                await self.desk.store.reset_due(game, 0, kind, None)
        except Exception:
            LOGGER.exception("a duty failed", extra={"duty": kind, "game": game})

    async def _clock_ran_out(self, game: str) -> None:
        """Act for every seat whose time is over; then the next deadline counts."""
        while True:
            table = await self.desk.fresh(game)
            now = self.desk.now()
            late = [
                (time, seat)
                for seat in table.active_seats
                if (time := deadline(table.sheet, table.phase, seat)) is not None and time <= now
            ]
            if not late:
                await self.desk.store.reset_due(game, table.sheet.version, "clock", table.next_deadline())
                return
            time, seat = min(late)
            policy = table.sheet.settings.policies.timeout
            request = _own_request("clock", game, table, seat)
            try:
                await self._enforce(policy, game, table, seat, request)
            except Problem as problem:
                if problem.code in ("unavailable", "unconfirmed"):
                    raise
                continue  # the player was faster
            self.desk.metrics.deadlines.labels(policy).inc()
            self.desk.metrics.deadline_lag.observe((now - time) / 1000)

    async def _enforce(self, policy: str, game: str, table: Game, seat: int, request: Request) -> None:
        version = table.sheet.version
        if policy == "auto":
            assert table.position is not None
            legal = await self.desk.rules.legal_moves(table.position, seat)
            await self.play_for(game, seat, version, auto_move(legal)["id"], "clock", request)
            return

        async def decide(newest: Game) -> Decision:
            if newest.sheet.version != version:
                raise Problem(
                    "stale_version", "the game has moved on", None, current_version=newest.sheet.version
                )
            if policy == "bot":
                return Decision(
                    self.entry(newest.sheet, "takeover", "clock", seat, facts={"bot": self.fallback_bot})
                )
            return await self._decide_retirement(newest, seat, "clock")

        await self.desk.change(game, request, decide)

    async def _give_up(self, game: str) -> None:
        """Cancel a game that nobody has touched for too long."""
        table = await self.desk.fresh(game)
        sheet = table.sheet
        end = self.desk.end_of_life(sheet)
        if sheet.is_over or end > self.desk.now():
            due = None if sheet.is_over else end
            await self.desk.store.reset_due(game, sheet.version, "life", due)
            return
        version = sheet.version

        async def decide(newest: Game) -> Decision:
            if newest.sheet.version != version:
                raise Problem(
                    "stale_version", "the game has moved on", None, current_version=newest.sheet.version
                )
            return Decision(self.entry(newest.sheet, "cancel", "clock"))

        await self.desk.change(game, _own_request("life", game, table, 0), decide)

    async def _archive(self, game: str) -> None:
        """Write the record, and only then let the store forget the game. Killed in between, it is done again."""
        table = await self.desk.fresh(game)
        sheet = table.sheet
        if not sheet.is_over:
            await self.desk.store.reset_due(game, sheet.version, "archive", None)
            return
        if sheet.status == "finished":
            last, commits = await self.desk.history(game, sheet.version)
            await self.archive.write(game, await record_of(last, commits, self.desk.rules))
            self.desk.metrics.archived.inc()
        await self.desk.store.expire(game, sheet.version, self.desk.lifetimes.finished_ms)


def _own_request(purpose: str, game: str, table: Game, seat: int) -> Request:
    """The identity of an act of the server's own: the same in every process that tries it."""
    text = f"{purpose} {game} {table.sheet.version} {seat}"
    return Request(text.encode(), purpose.encode())
