"""What a front may ask: the same calls, whether the core runs beside it or behind gRPC."""

from collections.abc import AsyncGenerator
from typing import Any, NamedTuple, Protocol

from turntable_session.core.answers import (
    Adjudicated,
    Changed,
    Created,
    GameFacts,
    GameView,
    LegalMoves,
    Page,
    Played,
    Seated,
    Update,
    Updates,
)
from turntable_session.domain.rules import MoveInput
from turntable_session.domain.settings import GameSettings


class Caller(NamedTuple):
    """Who asks. Idempotency keys count per token, or per address where there is none."""

    token: str = ""
    """Of a host, a seat or an operator; empty for strangers."""
    address: str = ""

    def __repr__(self) -> str:
        return "Caller(…)"


class Sessions(Protocol):
    """Every call of the session service. Refusals are raised as `Problem`.

    `key` makes a call safe to repeat: the first answer is given again. Empty for a call that is not to be repeated.
    """

    async def create_game(
        self, caller: Caller, settings: GameSettings, seed: bytes | None = None, key: str = ""
    ) -> Created:
        """Create a game; it starts at once if every seat has a bot."""

    async def get_game(self, caller: Caller, game: str) -> GameFacts:
        """A game as everybody sees it."""

    async def list_games(
        self, status: str = "", edition: str = "", limit: int = 20, cursor: str = ""
    ) -> Page:
        """Public games, newest first."""

    async def take_seat(
        self,
        caller: Caller,
        game: str,
        name: str,
        seat: int | None = None,
        external_id: str = "",
        entropy_hash: str = "",
        invite_code: str = "",
        key: str = "",
    ) -> Seated:
        """Sit down, in the lowest free seat unless one is named."""

    async def leave_seat(self, caller: Caller, game: str, seat: int, key: str = "") -> Changed:
        """Leave the seat of an open game: its player, or the host for them."""

    async def assign_seat(self, caller: Caller, game: str, seat: int, bot: str, key: str = "") -> Changed:
        """Give a seat of an open game to a bot, or with an empty name open it; for the host."""

    async def start_game(self, caller: Caller, game: str, fill: str = "", key: str = "") -> Changed:
        """Start an open game, bots in the seats still open; for the host."""

    async def reveal_entropy(self, caller: Caller, game: str, entropy: bytes, key: str = "") -> Changed:
        """Disclose what a seat adds to the seed; the game starts when all have."""

    async def play_move(
        self, caller: Caller, game: str, version: int, move: MoveInput, key: str = "", want_view: bool = True
    ) -> Played:
        """Play a move chosen in a version."""

    async def resign(self, caller: Caller, game: str, key: str = "") -> Changed:
        """Leave a running game for good."""

    async def return_to_seat(self, caller: Caller, game: str, key: str = "") -> Changed:
        """Come back to a seat that a bot has taken over."""

    async def legal_moves(self, caller: Caller, game: str) -> LegalMoves:
        """The legal moves of the caller's seat."""

    async def get_view(
        self, caller: Caller, game: str, after: int | None = None, wait: float = 0.0
    ) -> GameView:
        """What the caller may know; waits for a version after `after` for so many seconds."""

    async def list_updates(self, caller: Caller, game: str, after: int = 0, limit: int = 100) -> Updates:
        """Past updates as the caller may see them."""

    def watch(
        self, caller: Caller, game: str, after: int | None = None
    ) -> AsyncGenerator[GameView | Update, None]:
        """The view and then every update; or every update after a version. Ends when the game is over."""

    async def get_result(self, caller: Caller, game: str) -> dict[str, Any]:
        """The result of a finished game."""

    async def get_record(self, caller: Caller, game: str) -> dict[str, Any]:
        """The record of a finished game, in the form `turntable-record/1`."""

    async def create_rematch(self, caller: Caller, game: str, key: str = "") -> Created:
        """The same table with a new seed; for the host or a player of a game that is over."""

    async def freeze_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> Changed:
        """Let a running game stand still; for the host or an operator."""

    async def resume_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> Changed:
        """Let a frozen game go on; for the host or an operator."""

    async def adjudicate_game(
        self, caller: Caller, game: str, winners: list[int], reason: str = "", key: str = ""
    ) -> Adjudicated:
        """End a game by decision; without winners the position counts as it stands. For an operator."""

    async def delete_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> None:
        """Delete an open game (host) or any game (operator)."""
