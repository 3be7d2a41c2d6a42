"""What is known of a game at one version, apart from the position on the board."""

from typing import Any, Final, Literal

import msgspec

from turntable_session.domain.settings import GameSettings

Status = Literal["open", "running", "frozen", "finished", "cancelled"]
STATUSES: Final[tuple[Status, ...]] = ("open", "running", "frozen", "finished", "cancelled")


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits in a seat. A token is kept as its hash only."""

    kind: Literal["open", "player", "bot"] = "open"
    name: str = ""
    state: Literal["active", "away", "retired"] = "active"
    bot: str = ""
    """The bot that decides for the seat; empty if its player does."""
    token: bytes = b""
    external_id: str = ""
    entropy_hash: str = ""
    entropy: bytes = b""
    bank_ms: int = 0

    def __repr__(self) -> str:
        return f"Seat({self.kind}, {self.state})"

    @property
    def is_timed(self) -> bool:
        """Whether a clock runs for the seat when it owes a decision."""
        return self.kind == "player" and self.state == "active"

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot decides for it."""
        return self.bot != "" and self.state != "retired"


class Sheet(msgspec.Struct, omit_defaults=True):
    """The facts of a game. A change is made on a copy; seats are replaced, never changed."""

    id: str
    settings: GameSettings
    seed: bytes
    host: bytes
    """Hash of the host's token."""
    created: int
    updated: int
    engine: int
    """Revision of the engine the game is played with."""
    seats: list[Seat]
    version: int = 0
    tag: bytes = b""
    status: Status = "open"
    seed_given: bool = False
    invite: bytes = b""
    started: int = 0
    """Version in which play began; 0 before."""
    since: int = 0
    """When the time of the decision now owed began to run."""
    turn_began: int = 0
    frozen_at: int = 0
    verdict: dict[str, Any] | None = None
    """An operator's decision: winners and reason."""

    def __repr__(self) -> str:
        return f"Sheet({self.id}, version {self.version}, {self.status})"

    def copy(self) -> "Sheet":
        """A copy that may be changed."""
        return msgspec.structs.replace(self, seats=self.seats[:])

    def change_seat(self, seat: int, **changes: Any) -> None:
        """Replace facts of one seat."""
        self.seats[seat] = msgspec.structs.replace(self.seats[seat], **changes)

    @property
    def is_over(self) -> bool:
        """Whether nothing can happen any more."""
        return self.status in ("finished", "cancelled")

    @property
    def is_listed(self) -> bool:
        """Whether strangers find it in lists."""
        return self.settings.visibility == "public"
