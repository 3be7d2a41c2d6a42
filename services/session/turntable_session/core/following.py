"""Games that somebody watches: their newest commits, replayed once for all who watch."""

import asyncio

from turntable_session.core.desk import Desk
from turntable_session.domain.entries import decode_entry
from turntable_session.domain.game import Commit, Diverged, Game, advance
from turntable_session.problems import Problem

_KEPT = 200
"""Commits kept for watchers who are a little behind; others have them replayed."""


class Followed:
    """One game that is watched."""

    def __init__(self, desk: Desk, game_id: str) -> None:
        self.desk = desk
        self.id = game_id
        self.wakeups: set[asyncio.Event] = set()
        self._is_stale = True
        self._lock = asyncio.Lock()
        self._game: Game | None = None
        self._commits: list[Commit] = []

    def wake(self) -> None:
        """Something may be new."""
        self._is_stale = True
        for wakeup in self.wakeups:
            wakeup.set()

    async def after(self, version: int) -> tuple[Game, list[Commit]]:
        """The game, and its commits after a version; looked up once for all who were woken together."""
        async with self._lock:
            # Whoever has seen more, at another process, is faster than the news.
            if self._is_stale or self._game is None or version > self._game.sheet.version:
                self._is_stale = False
                try:
                    await self._catch_up()
                except BaseException:
                    self._is_stale = True
                    raise
            assert self._game is not None
            game, commits = self._game, self._commits
        if version >= game.sheet.version:
            return game, []
        if commits and commits[0].version <= version + 1:
            return game, commits[version + 1 - commits[0].version :]
        return await self.desk.history(self.id, game.sheet.version, version + 1)

    async def _catch_up(self) -> None:
        newest = await self.desk.fresh(self.id)
        known = self._game
        if known is None or known.sheet.version > newest.sheet.version:
            self._game, self._commits = newest, []
            return
        game = known.copy()
        commits = self._commits[-_KEPT:]
        try:
            for data in await self.desk.store.entries(self.id, known.sheet.version + 1, newest.sheet.version):
                commits.append(await advance(game, decode_entry(data), self.desk.rules))
        except (Diverged, Problem):
            game = known
        if game.sheet.tag == newest.sheet.tag:
            self._game, self._commits = game, commits
        else:  # what we knew was lost with a server
            self._game, self._commits = newest, []
