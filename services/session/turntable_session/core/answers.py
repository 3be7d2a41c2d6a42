"""What the core answers, as plain data; each front puts it into its own form."""

from typing import Any

import msgspec

from turntable_session.domain.settings import GameSettings


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat as everybody sees it."""

    seat: int
    name: str
    kind: str
    """`open`, `player` or `bot`."""
    state: str
    """`active`, `away` or `retired`."""
    bot: str
    connected: bool
    entropy_hash: str
    bank_ms: int | None
    deadline: int | None
    """Milliseconds since 1970; None if no time is running."""


class GameFacts(msgspec.Struct, frozen=True):
    """A game as everybody sees it from outside."""

    id: str
    version: int
    status: str
    settings: GameSettings
    seats: list[SeatFacts]
    seed_commitment: str
    seed_given: bool
    created: int
    updated: int
    active_seats: list[int]
    phase: str
    """Empty before the start."""


class GameView(msgspec.Struct, frozen=True):
    """A game as one seat or a spectator sees it."""

    game: GameFacts
    seat: int | None
    """The viewer's seat; None for a spectator."""
    view: dict[str, Any] | None
    """The engine's view; None before the start."""
    server_time: int
    result: dict[str, Any] | None
    """When the game is finished, an operator's decision included."""


class Update(msgspec.Struct, frozen=True):
    """One commit as one seat or a spectator may see it."""

    version: int
    at: int
    status: str
    phase: str
    active_seats: list[int]
    kind: str
    by: str
    seat: int | None
    move: dict[str, Any] | None
    """As plain data; for a choice of tickets only as much as the viewer may know."""
    events: list[dict[str, Any]]


class Created(msgspec.Struct, frozen=True):
    """A game was created."""

    view: GameView
    host_token: str
    invite_code: str
    """Empty unless the game is private."""

    def __repr__(self) -> str:
        return f"Created({self.view.game.id})"


class Seated(msgspec.Struct, frozen=True):
    """A seat was taken."""

    seat: int
    token: str
    version: int

    def __repr__(self) -> str:
        return f"Seated({self.seat}, version {self.version})"


class Changed(msgspec.Struct, frozen=True):
    """Something was committed."""

    version: int
    seat: int | None = None


class Played(msgspec.Struct, frozen=True):
    """A move was played and saved."""

    update: Update
    view: GameView | None


class LegalMoves(msgspec.Struct, frozen=True):
    """The legal moves of a seat; empty when it owes no decision."""

    version: int
    moves: list[dict[str, Any]]
    """As plain data, each with its number as `id`."""


class Page(msgspec.Struct, frozen=True):
    """Some games, newest first."""

    games: list[GameFacts]
    next_cursor: str


class Updates(msgspec.Struct, frozen=True):
    """Some past updates, oldest first."""

    updates: list[Update]
    next_after: int | None
    """Version to go on after; None on the last page."""


class Adjudicated(msgspec.Struct, frozen=True):
    """A game was ended by decision."""

    version: int
    result: dict[str, Any]
