"""Which train cards bring a seat nearer to the routes it wants."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from turntable_bots.board import Board, Route

ROUTES_IN_MIND: Final = 8
"""How many long routes to collect for when nothing is planned."""


def demand(routes: Iterable[Route]) -> dict[str, int]:
    """Cards of each colour that the coloured routes ask for."""
    needed: dict[str, int] = {}
    for route in routes:
        if route.colour is not None:
            needed[route.colour] = needed.get(route.colour, 0) + route.length - route.locos
    return needed


def wishes(
    board: Board,
    planned: Sequence[Route],
    free: Sequence[Route],
    hand: Mapping[str, int],
    row: Sequence[str | None],
) -> dict[str, float]:
    """What a further card of each kind is worth: the more, the nearer it brings a good route."""
    routes = planned or sorted(free, key=lambda route: -route.points)[:ROUTES_IN_MIND]
    needed = demand(planned)
    wished: dict[str, float] = {}
    for route in routes:
        colour = route.colour or _spare_colour(hand, needed, row)
        short = route.length - hand.get(colour, 0)
        missing = short - (hand.get("loco", 0) if route.takes_locos else 0)
        if short > 0:
            wished[colour] = max(wished.get(colour, 0.0), (route.points + 1) / max(1, missing))
        if route.takes_locos and missing > 0:
            if board.face_up_loco_cost == 1:
                wished["loco"] = float("inf")
            elif missing == 1:
                wished["loco"] = 0.5  # rather than two cards from the deck, but not than one that is wanted
    return wished


def _spare_colour(hand: Mapping[str, int], needed: Mapping[str, int], row: Sequence[str | None]) -> str:
    """The colour for a gray route: the one with most cards beyond what coloured routes need."""
    choice = [card for card in (*hand, *row) if card is not None and card != "loco"]
    if not choice:
        return ""
    return max(choice, key=lambda colour: (hand.get(colour, 0) - needed.get(colour, 0), row.count(colour)))
