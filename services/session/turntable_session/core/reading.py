"""Reading games: facts, views, lists, past updates, results and records."""

import base64
import binascii
from typing import Any, Final

from turntable_session.core.answers import GameFacts, GameView, Page, Updates
from turntable_session.core.archive import Archive
from turntable_session.core.office import Office
from turntable_session.core.port import Caller
from turntable_session.core.records import engine_result, record_of
from turntable_session.core.updates import update_for
from turntable_session.domain.game import Commit, Game, result_of
from turntable_session.domain.sheet import STATUSES
from turntable_session.problems import Problem, malformed, no_such_game

MOST_LISTED: Final = 100
_MOST_UPDATES: Final = 1000


class Reading(Office):
    """Everything that changes nothing."""

    archive: Archive

    async def get_game(self, caller: Caller, game: str) -> GameFacts:
        """A game as everybody sees it."""
        table = await self.desk.fresh(game)
        self.access.role(table.sheet, caller)
        return self.facts_of(table)

    async def present_view(self, caller: Caller, game: str) -> GameView:
        """What the caller may know now."""
        table = await self.desk.fresh(game)
        role = self.access.viewer(table.sheet, caller)
        return await self.view_of(await self.shown(table, role.seat), role.seat)

    async def shown(self, table: Game, seat: int | None) -> Game:
        """The game as far as a viewer may see it: spectators may lag behind by some turns."""
        delay = table.sheet.settings.spectators.delay_turns
        if seat is not None or delay == 0 or table.sheet.is_over or table.position is None:
            return table
        _, commits = await self.desk.history(table.sheet.id, table.sheet.version)
        version = shown_version(commits, table.turn, delay)
        delayed, _ = await self.desk.history(table.sheet.id, version, version)
        return delayed

    async def list_updates(self, caller: Caller, game: str, after: int = 0, limit: int = 100) -> Updates:
        """Past updates as the caller may see them."""
        if after < 0 or not 0 < limit <= _MOST_UPDATES:
            raise malformed(f"`after` is at least 0, `limit` 1 to {_MOST_UPDATES}")
        table = await self.desk.fresh(game)
        role = self.access.viewer(table.sheet, caller)
        last = (await self.shown(table, role.seat)).sheet.version
        first, end = after + 1, min(last, after + limit)
        if first > end:
            return Updates([], None)
        _, commits = await self.desk.history(game, end, first)
        return Updates([update_for(commit, role.seat) for commit in commits], end if end < last else None)

    async def list_games(
        self, status: str = "", edition: str = "", limit: int = 20, cursor: str = ""
    ) -> Page:
        """Public games, newest first."""
        if status and status not in STATUSES:
            raise malformed(f"there is no status {status[:40]!r}; there are: {', '.join(STATUSES)}")
        if not 1 <= limit <= MOST_LISTED:
            raise malformed(f"a page has 1 to {MOST_LISTED} games")
        place = _parse_cursor(cursor) if cursor else None
        games: list[GameFacts] = []
        while True:
            found = await self.desk.store.newest(status or "all", place, MOST_LISTED)
            for listed in found:
                if len(games) == limit:
                    assert place is not None
                    return Page(games, _format_cursor(place))
                place = (listed.created, f"{listed.edition}:{listed.game}")
                if edition and listed.edition != edition:
                    continue
                try:
                    table = await self.desk.fresh(listed.game)
                except Problem as problem:
                    if problem.code == "not_found":
                        await self.desk.store.unlist(listed.game, place[1])
                    continue
                if not status or table.sheet.status == status:
                    games.append(self.facts_of(table))
            if len(found) < MOST_LISTED:
                return Page(games, "")

    async def get_result(self, caller: Caller, game: str) -> dict[str, Any]:
        """The result of a finished game, as the engine gives it."""
        table = await self._finished(caller, game)
        if table is None:
            return engine_result((await self._archived(game))["result"])
        assert table.position is not None
        return result_of(await self.desk.rules.result(table.position), table.sheet.verdict)

    async def get_record(self, caller: Caller, game: str) -> dict[str, Any]:
        """The record of a finished game, in the form `turntable-record/1`."""
        table = await self._finished(caller, game)
        if table is None:
            return await self._archived(game)
        last, commits = await self.desk.history(game, table.sheet.version)
        return await record_of(last, commits, self.desk.rules)

    async def _finished(self, caller: Caller, game: str) -> Game | None:
        """The finished game, or None if only the archive has it; a record is open to all who know a game that was."""
        try:
            table = await self.desk.fresh(game)
        except Problem as problem:
            if problem.code == "not_found":
                return None
            raise
        self.access.role(table.sheet, caller)
        if table.sheet.status != "finished":
            raise Problem("not_finished", f"the game is {table.sheet.status}")
        return table

    async def _archived(self, game: str) -> dict[str, Any]:
        record = await self.archive.read(game)
        if record is None:
            raise no_such_game(game)
        return record


def shown_version(commits: list[Commit], turn: int, delay: int) -> int:
    """The last version that somebody `delay` turns behind may see."""
    return max((commit.version for commit in commits if commit.turn + delay <= turn), default=1)


def _format_cursor(place: tuple[int, str]) -> str:
    return base64.urlsafe_b64encode(f"{place[0]} {place[1]}".encode()).decode()


def _parse_cursor(cursor: str) -> tuple[int, str]:
    try:
        created, _, member = base64.urlsafe_b64decode(cursor.encode()).decode().partition(" ")
        return int(created), member
    except (binascii.Error, ValueError) as error:
        raise malformed("the cursor is not one of ours") from error
