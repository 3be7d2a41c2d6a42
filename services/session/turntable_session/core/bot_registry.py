"""Which bots are installed: whatever offers itself under the entry point group `turntable.bots`."""

from importlib.metadata import entry_points
from typing import Any, Final, Protocol

GROUP: Final = "turntable.bots"


class Bot(Protocol):
    """Plays one seat of one game: sees its view and the legal moves, and nothing else."""

    def decide(self, view: dict[str, Any], legal_moves: list[dict[str, Any]]) -> dict[str, Any]:
        """One of the legal moves."""


def installed_bots() -> frozenset[str]:
    """Names of the bots that may sit down."""
    return frozenset(point.name for point in entry_points(group=GROUP))


def make_bot(name: str, seed: bytes, board: dict[str, Any]) -> Bot:
    """A bot for one decision."""
    (point,) = entry_points(group=GROUP, name=name)
    bot: Bot = point.load()(seed, board)
    return bot
