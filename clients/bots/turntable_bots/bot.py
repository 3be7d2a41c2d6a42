"""What a bot is."""

from collections.abc import Sequence
from random import Random
from typing import Any

Form = dict[str, Any]
"""A view or a move, as clients get it."""


class Bot:
    """Plays one seat of one game.

    A decision follows from the seed, the board and the view alone: another process may take over in mid-game.
    """

    name: str

    def __init__(self, seed: bytes, board: Form | None = None) -> None:
        """`board` holds the facts that `turntable_bots.board` describes; a bot has to get along without."""
        self._seed = seed

    def decide(self, view: Form, legal_moves: Sequence[Form]) -> Form:
        """One of the legal moves; `view` is that of the bot's own seat."""
        raise NotImplementedError

    def chance(self, view: Form) -> Random:
        """The generator for one decision."""
        return Random(self._seed + int(view["version"]).to_bytes(8, "big"))
