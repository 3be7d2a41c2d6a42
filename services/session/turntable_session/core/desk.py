"""Where games are loaded, changed and saved: decide, save, then show."""

import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from turntable_session.core.metrics import Metrics
from turntable_session.core.requests import Request, check_same
from turntable_session.domain.entries import Entry, UnknownFormat, decode_entry, encode_entry
from turntable_session.domain.game import (
    Commit,
    Diverged,
    Game,
    UnknownRevision,
    advance,
    created,
)
from turntable_session.domain.ids import is_game_id
from turntable_session.domain.rules import Outcome, Rules
from turntable_session.domain.sheet import Sheet
from turntable_session.domain.snapshots import pack_game, unpack_game
from turntable_session.problems import Problem, no_such_game
from turntable_session.store.port import Append, DueKind, Loaded, Repeated, Saved, Stale, Store

LOGGER = logging.getLogger("turntable.session")
SNAPSHOT_EVERY: Final = 16
_TRIES: Final = 50


class Lifetimes(NamedTuple):
    """How long games are kept, in milliseconds."""

    open_ms: int = 24 * 3600 * 1000
    """An open game that nobody starts is cancelled."""
    abandoned_ms: int = 30 * 24 * 3600 * 1000
    """A running game that nobody touches is cancelled."""
    finished_ms: int = 7 * 24 * 3600 * 1000
    """A game that is over goes from the store; its record stays in the archive."""


class Decision(NamedTuple):
    """What to append; `outcome` is what the rules have said of it already."""

    entry: Entry
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        return f"Decision({self.entry!r})"


class Change(NamedTuple):
    """A change that is saved: the game with it, and what it brought about."""

    game: Game
    commit: Commit
    is_repeated: bool


Decide = Callable[[Game], Awaitable[Decision]]


def system_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Desk:
    """Loads and commits. What it keeps in memory is only for speed: every commit compares it with the store."""

    def __init__(
        self,
        store: Store,
        rules: Rules,
        metrics: Metrics,
        lifetimes: Lifetimes | None = None,
        clock: Callable[[], int] = system_clock,
        kept: int = 20_000,
    ) -> None:
        self.store = store
        self.rules = rules
        self.metrics = metrics
        self.lifetimes = lifetimes or Lifetimes()
        self.clock = clock
        self._kept = kept
        self._games: OrderedDict[str, Game] = OrderedDict()
        self.on_commit: list[Callable[[Game, Commit], None]] = []
        """Called with what this process has saved."""

    def now(self, sheet: Sheet | None = None) -> int:
        """The time for a new entry; never before the last one, whatever the clocks of other machines say."""
        now = self.clock()
        return now if sheet is None else max(now, sheet.updated)

    # Loading

    async def fresh(self, game_id: str) -> Game:
        """The game as it is in the store now."""
        game, _ = await self._load(game_id, b"")
        return game

    async def _load(self, game_id: str, key: bytes) -> tuple[Game, Repeated | None]:
        if not is_game_id(game_id):
            raise no_such_game(game_id)
        known = self._games.get(game_id)
        try:
            if known is not None:
                loaded = await self._read(game_id, known.sheet.version, known.sheet.tag, key)
                game = await self._caught_up(known, loaded)
                if game is not None:
                    self.metrics.hit.inc()
                    return self._keep(game), loaded.repeated
            self.metrics.miss.inc()
            loaded = await self._read(game_id, 0, b"", key)
            game = await self._caught_up(None, loaded, game_id)
            if game is None:
                raise Diverged("the log has another tag than its entries")
            return self._keep(game), loaded.repeated
        except Diverged as error:
            self.metrics.divergences.inc()
            LOGGER.error(
                "a game does not replay and is stopped", extra={"game": game_id, "fault": str(error)}
            )
            raise Problem("unavailable", "the game is stopped: its log does not replay") from error
        except (UnknownFormat, UnknownRevision) as error:
            LOGGER.error("a game needs another program", extra={"game": game_id, "fault": str(error)})
            raise Problem("unavailable", "the game needs another version of the server") from error

    async def _read(self, game_id: str, version: int, tag: bytes, key: bytes) -> Loaded:
        loaded = await self.store.load(game_id, version, tag, key)
        if loaded is None:
            self._games.pop(game_id, None)
            raise no_such_game(game_id)
        return loaded

    async def _caught_up(self, known: Game | None, loaded: Loaded, game_id: str = "") -> Game | None:
        """The game with what was loaded; None if what was known is not its past."""
        if loaded.is_current:
            return known
        entries = [decode_entry(data) for data in loaded.entries]
        if loaded.snapshot is not None:
            game = await unpack_game(loaded.snapshot, self.rules)
        elif known is not None and loaded.since == known.sheet.version:
            game = known.copy()
        elif loaded.since == 0 and entries:
            game, _ = await created(game_id or (known.sheet.id if known else ""), entries.pop(0), self.rules)
        else:
            return None
        try:
            for entry in entries:
                await advance(game, entry, self.rules)
        except (Diverged, Problem) as error:
            if known is None:
                raise Diverged(str(error)) from error
            return None  # entries were lost with a server, and what we knew with them
        return game if game.sheet.tag == loaded.tag else None

    def _keep(self, game: Game) -> Game:
        games = self._games
        games[game.sheet.id] = game
        games.move_to_end(game.sheet.id)
        if len(games) > self._kept:
            games.popitem(last=False)
        return game

    async def history(self, game_id: str, last: int, first: int = 1) -> tuple[Game, list[Commit]]:
        """The game at a version, and its commits from another one on, replayed from the log."""
        commits: list[Commit] = []
        game: Game | None = None
        for data in await self.store.entries(game_id, 1, last):
            entry = decode_entry(data)
            if game is None:
                game, commit = await created(game_id, entry, self.rules)
            else:
                commit = await advance(game, entry, self.rules)
            if commit.version >= first:
                commits.append(commit)
        if game is None or game.sheet.version != last:
            raise no_such_game(game_id)
        return game, commits

    # Changing

    async def create(self, game_id: str, entry: Entry, request: Request) -> Change:
        """Save a new game, or find it again."""
        game, commit = await created(game_id, entry, self.rules)
        reply = await self._append(None, game, entry, request)
        match reply:
            case Saved():
                return self._saved(None, game, commit)
            case Repeated():
                return await self._again(game_id, request, reply)
            case Stale():
                raise Problem("unavailable", "the game exists already")

    async def change(self, game_id: str, request: Request, decide: Decide) -> Change:
        """Decide on a game and save the decision; again on the newest version if another was faster."""
        game = self._games.get(game_id)
        is_fresh = game is None
        if game is None:
            game, repeated = await self._load(game_id, request.key)
            if repeated is not None:
                return await self._again(game_id, request, repeated)
        else:
            self.metrics.hit.inc()
        for _ in range(_TRIES):
            try:
                decision = await decide(game)
            except Problem as problem:
                # What is in memory may be old, and an honest retry is never refused.
                if is_fresh:
                    self.metrics.refusals.labels(problem.code, str(problem.facts.get("clause", ""))).inc()
                    raise
                game, repeated = await self._load(game_id, request.key)
                if repeated is not None:
                    return await self._again(game_id, request, repeated)
                is_fresh = True
                continue
            after = game.copy()
            commit = await advance(after, decision.entry, self.rules, decision.outcome)
            match await self._append(game, after, decision.entry, request):
                case Saved():
                    return self._saved(game, after, commit)
                case Repeated() as repeated:
                    return await self._again(game_id, request, repeated)
                case Stale():
                    self.metrics.conflicts.inc()
                    game, repeated = await self._load(game_id, request.key)
                    if repeated is not None:
                        return await self._again(game_id, request, repeated)
                    is_fresh = True
        raise Problem("unavailable", "too many others are changing the game")

    def _saved(self, before: Game | None, game: Game, commit: Commit) -> Change:
        self._keep(game)
        edition = game.sheet.settings.edition
        if before is None or before.sheet.status != commit.status:
            self.metrics.games.labels(commit.status, edition).inc()
        self.metrics.commits.labels(commit.entry.kind, commit.entry.by).inc()
        if commit.entry.kind == "move":
            self.metrics.moves.labels(edition).inc()
        for tell in self.on_commit:
            tell(game, commit)
        return Change(game, commit, False)

    async def _again(self, game_id: str, request: Request, repeated: Repeated) -> Change:
        """The first answer to a request, rebuilt from the log."""
        check_same(request, repeated.digest)
        self.metrics.repeats.inc()
        game, commits = await self.history(game_id, repeated.version, repeated.version)
        return Change(game, commits[-1], True)

    async def _append(
        self, before: Game | None, after: Game, entry: Entry, request: Request
    ) -> Saved | Repeated | Stale:
        sheet = after.sheet
        snapshot = b""
        if sheet.version % SNAPSHOT_EVERY == 0:
            snapshot = await pack_game(after, self.rules)
        left, entered = _lists(before, after)
        append = Append(
            game=sheet.id,
            version=0 if before is None else before.sheet.version,
            tag=b"" if before is None else before.sheet.tag,
            key=request.key,
            digest=request.digest,
            entry=encode_entry(entry),
            new_tag=sheet.tag,
            snapshot=snapshot,
            due=self._dues(before, after),
            member=member_of(sheet),
            created=sheet.created,
            lists_left=left,
            lists_entered=entered,
        )
        started = time.perf_counter()
        reply = await self.store.append(append)
        self.metrics.commit_seconds.observe(time.perf_counter() - started)
        return reply

    def _dues(self, before: Game | None, after: Game) -> dict[DueKind, int | None]:
        """Only what the entry changes; a bot's turn always, because a lease may have put it off."""
        sheet = after.sheet
        dues: dict[DueKind, int | None] = {}
        deadline = after.next_deadline()
        if deadline != (None if before is None else before.next_deadline()):
            dues["clock"] = deadline
        if after.waits_for_bot():
            dues["bot"] = sheet.updated
        elif before is not None and before.waits_for_bot():
            dues["bot"] = None
        if before is None or before.sheet.status != sheet.status:
            dues["life"] = None if sheet.is_over else self.end_of_life(sheet)
            if sheet.is_over:
                dues["archive"] = sheet.updated
        return dues

    def end_of_life(self, sheet: Sheet) -> int:
        """When a game that nobody touches any more is given up."""
        if sheet.status == "open":
            return sheet.created + self.lifetimes.open_ms
        return sheet.updated + self.lifetimes.abandoned_ms

    def forget(self, game_id: str) -> None:
        """Drop a game from memory."""
        self._games.pop(game_id, None)


def member_of(sheet: Sheet) -> str:
    """The name of a game in lists."""
    return f"{sheet.settings.edition}:{sheet.id}"


def _lists(before: Game | None, after: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not after.sheet.is_listed:
        return (), ()
    if before is None:
        return (), ("all", after.sheet.status)
    if before.sheet.status == after.sheet.status:
        return (), ()
    return (before.sheet.status,), (after.sheet.status,)
