"""What the core needs of a store. Every write carries a key, so that repeating it is harmless."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

DueKind = Literal["clock", "bot", "life", "archive"]
DUE_KINDS: Final[tuple[DueKind, ...]] = ("clock", "bot", "life", "archive")


class Append(NamedTuple):
    """One entry to commit, and what goes with it."""

    game: str
    version: int
    """Version and tag the entry follows on; 0 and empty for a new game."""
    tag: bytes
    key: bytes
    digest: bytes
    """Of the request, so that a key used for another one is noticed."""
    entry: bytes
    new_tag: bytes
    snapshot: bytes
    """The game with the entry; empty if none is to be stored."""
    due: Mapping[DueKind, int | None]
    """Times to set, or None to clear; kinds left out stay."""
    member: str
    created: int
    lists_left: Sequence[str] = ()
    lists_entered: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"Append({self.game}, after {self.version})"


class Repeated(NamedTuple):
    """A key is known: the version it led to, and the digest of the request then."""

    version: int
    digest: bytes


class Saved(NamedTuple):
    """The entry is in the log."""

    version: int


class Stale(NamedTuple):
    """The game is elsewhere; 0 if it does not exist."""

    version: int


class Loaded(NamedTuple):
    """What a reader was missing: a snapshot if it is newer than what it knew, and the entries after it."""

    version: int
    repeated: Repeated | None
    is_current: bool
    since: int = 0
    snapshot: bytes | None = None
    entries: Sequence[bytes] = ()
    tag: bytes = b""
    """Of the last entry; a reader who comes to another one has known a log that is no more."""

    def __repr__(self) -> str:
        return f"Loaded(version {self.version}, {len(self.entries)} entries)"


class News(NamedTuple):
    """A game has a new version; version 0 if it was deleted, an empty game if news may have been missed."""

    game: str
    version: int
    bot: bool


class Listed(NamedTuple):
    """A game in a list, and its place."""

    game: str
    edition: str
    created: int


class Feed(Protocol):
    """News of some buckets. After a cut connection it says once that news may have been missed."""

    def want(self, bucket: int) -> None:
        """Listen to a bucket, as often as it is asked for."""

    def unwant(self, bucket: int) -> None:
        """Listen to a bucket once less."""

    async def close(self) -> None:
        """Stop listening."""


class Store(Protocol):
    """Keeps games. Raises `Problem` with `unavailable` or `unconfirmed` where it cannot."""

    buckets: int

    async def append(self, append: Append) -> Saved | Repeated | Stale:
        """Commit one entry."""

    async def load(self, game: str, version: int, tag: bytes, key: bytes = b"") -> Loaded | None:
        """What is new of a game; None if there is none."""

    async def entries(self, game: str, first: int, last: int) -> list[bytes]:
        """Entries of the log by version, both ends included."""

    async def lease(self, bucket: int, kind: DueKind, now: int, until: int, most: int) -> list[str]:
        """Take games for which something is due."""

    async def reset_due(self, game: str, version: int, kind: DueKind, time: int | None) -> None:
        """Set or clear a due time, unless the game has moved on."""

    async def expire(self, game: str, version: int, after_ms: int) -> None:
        """Let a game that is kept elsewhere go."""

    async def delete(self, game: str, member: str, audit: bytes) -> bool:
        """Delete a game; whether there was one."""

    async def newest(self, status: str, before: tuple[int, str] | None, most: int) -> list[Listed]:
        """Public games of a status (`all` for any), newest first, after a place in the list."""

    async def unlist(self, game: str, member: str) -> None:
        """Take a game that is gone out of the lists."""

    def feed(self, tell: Callable[[News], None]) -> "Feed":
        """News of the buckets asked for, from then on."""

    async def ping(self) -> float:
        """Seconds all servers took to answer."""

    async def close(self) -> None:
        """Let go of the servers."""
