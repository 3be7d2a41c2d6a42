"""Watching games: news wakes a watcher, the log tells it what happened."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator

from turntable_session.core.answers import GameView, Update
from turntable_session.core.following import Followed
from turntable_session.core.port import Caller
from turntable_session.core.reading import Reading, shown_version
from turntable_session.core.updates import update_for
from turntable_session.domain.game import Commit, Game
from turntable_session.domain.ids import bucket_of
from turntable_session.problems import Problem, malformed
from turntable_session.store.port import Feed, News

LONGEST_WAIT = 60.0
_LOOK_ANYWAY = 5.0
"""Seconds after which a watcher looks without having heard anything: news may be lost, the log is not."""


class Watching(Reading):
    """Streams of updates, and views that wait for one."""

    feed: Feed

    def start_watching(self) -> None:
        """Begin to listen to the news."""
        self._followed: dict[str, Followed] = {}
        self.feed = self.desk.store.feed(self._hear)
        self.desk.on_commit.append(self._saved)

    async def stop_watching(self) -> None:
        """Stop listening."""
        await self.feed.close()

    def _hear(self, news: News) -> None:
        if not news.game:
            for followed in self._followed.values():
                followed.wake()
        elif news.game in self._followed:
            self._followed[news.game].wake()

    def _saved(self, game: Game, commit: Commit) -> None:
        followed = self._followed.get(game.sheet.id)
        if followed is not None:
            followed.wake()

    @contextlib.contextmanager
    def _following(self, game: str) -> Iterator[tuple[Followed, asyncio.Event]]:
        """A game's commits, and an event that is set whenever something may be new."""
        followed = self._followed.get(game)
        if followed is None:
            followed = self._followed[game] = Followed(self.desk, game)
        wakeup = asyncio.Event()
        followed.wakeups.add(wakeup)
        self.feed.want(bucket_of(game))
        try:
            yield followed, wakeup
        finally:
            self.feed.unwant(bucket_of(game))
            followed.wakeups.discard(wakeup)
            if not followed.wakeups:
                self._followed.pop(game, None)

    async def get_view(
        self, caller: Caller, game: str, after: int | None = None, wait: float = 0.0
    ) -> GameView:
        """What the caller may know; waits for a version after `after` for so many seconds."""
        view = await self.present_view(caller, game)
        if after is None or wait <= 0 or not _waits(view, after):
            return view
        with self._following(game) as (followed, wakeup), contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(wait, LONGEST_WAIT)):
                while _waits(view := await self.present_view(caller, game), after):
                    await _woken(followed, wakeup)
        return view

    async def watch(
        self, caller: Caller, game: str, after: int | None = None
    ) -> AsyncGenerator[GameView | Update, None]:
        """The view and then every update; or every update after a version. Ends when the game is over."""
        if after is not None and after < 0:
            raise malformed("`after` is at least 0")
        table = await self.desk.fresh(game)
        seat = self.access.viewer(table.sheet, caller).seat
        with self._following(game) as (followed, wakeup), self._present(game, seat):
            shown = await self.shown(table, seat)
            if after is None or after > table.sheet.version:
                # Whoever knows more than there is has seen what was lost with a server, and begins again.
                yield await self.view_of(shown, seat)
                after = shown.sheet.version
            while True:
                newest, commits = await followed.after(after)
                if newest.sheet.version < after:
                    raise Problem("unavailable", "the store has lost the newest versions: begin again")
                for commit in await self._visible(newest, commits, seat):
                    self.desk.metrics.stream_lag.observe(max(0, self.desk.now() - commit.entry.at) / 1000)
                    yield update_for(commit, seat)
                    after = commit.version
                if newest.sheet.is_over and after >= newest.sheet.version:
                    return
                await _woken(followed, wakeup)

    async def _visible(self, newest: Game, commits: list[Commit], seat: int | None) -> list[Commit]:
        """The commits that a viewer may see by now."""
        delay = newest.sheet.settings.spectators.delay_turns
        if seat is not None or delay == 0 or newest.sheet.is_over:
            return commits
        last = shown_version(commits, newest.turn, delay)
        return [commit for commit in commits if commit.version <= last]

    @contextlib.contextmanager
    def _present(self, game: str, seat: int | None) -> Iterator[None]:
        self.desk.metrics.watchers.inc()
        if seat is not None:
            self.presence.enter(game, seat)
        try:
            yield
        finally:
            self.desk.metrics.watchers.dec()
            if seat is not None:
                self.presence.leave(game, seat)


def _waits(view: GameView, after: int) -> bool:
    return view.game.version <= after and view.game.status not in ("finished", "cancelled")


async def _woken(followed: Followed, wakeup: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(_LOOK_ANYWAY):
            await wakeup.wait()
    except TimeoutError:
        followed.wake()
    wakeup.clear()
