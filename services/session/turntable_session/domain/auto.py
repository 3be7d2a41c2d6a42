"""The move that is played for a player who does not (COMMON-RESIGN-2, then the plainest)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

# Legal moves are sorted, so the first choice of tickets is the smallest, and the first slot the lowest.
_ORDER: Final = (
    "keep_tickets",
    "tunnel_abandon",
    "stop_drawing",
    "draw_deck",
    "draw_row",
    "draw_tickets",
    "pass",
)


def auto_move(legal: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The plainest of the legal moves."""
    for kind in _ORDER:
        for move in legal:
            if move["type"] == kind:
                return move
    return legal[0]
