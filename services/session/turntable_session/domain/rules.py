"""What the core needs of the rules, wherever they run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from turntable_rules import Event
from turntable_session.domain.settings import GameSettings

MoveInput = Mapping[str, Any] | int | str
"""A move as plain data, as a number valid in its position, or in the engine's notation."""


@dataclass(frozen=True, slots=True)
class Position:
    """One position; `handle` belongs to the adapter that made it and is never changed."""

    handle: Any
    phase: str
    active_seats: tuple[int, ...]
    turn: int
    """Turns played so far."""

    def __repr__(self) -> str:
        return f"Position({self.phase}, {self.active_seats}, turn {self.turn})"

    @property
    def is_finished(self) -> bool:
        """Whether the game is over by the rules."""
        return self.phase == "finished"


class Outcome(NamedTuple):
    """What a move led to. `hash` depends on secrets and is never shown before the end."""

    position: Position
    events: list[Event]
    hash: bytes
    move: str
    """The move in the engine's notation; empty where none was played."""

    def __repr__(self) -> str:
        return f"Outcome({self.position!r})"


@dataclass(frozen=True, slots=True)
class Table:
    """A ruleset; `handle` belongs to the adapter that made it."""

    handle: Any
    board_digest: str
    """Digest of the board or card set, hex."""


class Rules(Protocol):
    """The rules as the core asks for them. Refusals are raised as `Problem`."""

    revision: int
    """Games of another revision cannot be continued here."""

    async def table(self, settings: GameSettings) -> Table:
        """The ruleset of the settings; refuses an edition, option or board that is none."""

    async def deal(self, table: Table, seed: bytes) -> Outcome:
        """The beginning of a game."""

    async def play(self, position: Position, seat: int, move: MoveInput) -> Outcome:
        """Play a move; refuses an illegal one with its clause."""

    async def retire(self, position: Position, seat: int) -> Outcome:
        """Take a seat out of the game."""

    async def legal_moves(self, position: Position, seat: int) -> list[dict[str, Any]]:
        """All legal moves of a seat as plain data, each with its number as `id`."""

    async def view(self, position: Position, seat: int | None) -> dict[str, Any]:
        """What a seat, or a spectator, may know."""

    async def result(self, position: Position) -> dict[str, Any]:
        """The result as the position stands."""

    async def pack(self, position: Position) -> bytes:
        """The position as compact bytes."""

    async def unpack(self, table: Table, data: bytes) -> Position:
        """The position of compact bytes."""
