"""Why a request is refused: one vocabulary of codes from the core to every client."""

from typing import Final

CODES: Final = (
    "malformed",
    "unknown_edition",
    "unknown_option",
    "bad_board",
    "unauthenticated",
    "forbidden",
    "not_found",
    "stale_version",
    "not_your_turn",
    "wrong_phase",
    "illegal_move",
    "seat_taken",
    "game_full",
    "not_started",
    "not_finished",
    "game_frozen",
    "game_finished",
    "idempotency_mismatch",
    "too_large",
    "rate_limited",
    "unconfirmed",
    "unavailable",
)
"""Every code; they never change their meaning."""


class Problem(Exception):
    """A request that is refused and has changed nothing (but see `unconfirmed`)."""

    def __init__(self, code: str, detail: str, faults: list[str] | None = None, **facts: str | int) -> None:
        super().__init__(detail)
        assert code in CODES, code
        self.code = code
        self.detail = detail
        self.faults = faults or []
        """Everything that is wrong, where it is more than one thing."""
        self.facts = facts
        """Such as `clause`, `reason`, `allowed`, `current_version`."""

    def __repr__(self) -> str:
        return f"Problem({self.code!r}, {self.detail!r})"


def malformed(detail: str) -> Problem:
    """A request that makes no sense, whatever the game."""
    return Problem("malformed", detail)


def no_such_game(game_id: str) -> Problem:
    """The same answer for a game that never was, is no more, or is none of the caller's business."""
    return Problem("not_found", f"there is no game {game_id[:40]!r}")
