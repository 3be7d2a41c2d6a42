"""The numbering of actions (docs/engine.md): fixed numbers, and the payments of one to three cards."""

from typing import Final

from turntable_rules.engine.cards import COLOUR_COUNT, EMPTY

DRAW_DECK: Final = 0
DRAW_ROW: Final = 1
DRAW_TICKETS: Final = 6
STOP_DRAWING: Final = 7
PASS: Final = 8
TUNNEL_ABANDON: Final = 9
KEEP_TICKETS: Final = 10

# Kinds of action, for the checks and for typed moves.
KIND_DRAW_DECK: Final = 0
KIND_DRAW_ROW: Final = 1
KIND_DRAW_TICKETS: Final = 2
KIND_STOP_DRAWING: Final = 3
KIND_PASS: Final = 4
KIND_TUNNEL_ABANDON: Final = 5
KIND_KEEP_TICKETS: Final = 6
KIND_TUNNEL_PAY: Final = 7
KIND_BUILD_STATION: Final = 8
KIND_CLAIM: Final = 9
KIND_PLAY_SAME: Final = 10
KIND_PLAY_THREE: Final = 11

KIND_NAMES: Final = (
    "draw_deck",
    "draw_row",
    "draw_tickets",
    "stop_drawing",
    "pass",
    "tunnel_abandon",
    "keep_tickets",
    "tunnel_pay",
    "build_station",
    "claim",
    "play_same",
    "play_three",
)

SMALL_PAYMENTS: Final = 51
"""Payments of one to three cards: six per colour, then one to three locos."""

_MIXES: Final = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)]
_MIX_INDEX: Final = {10: 0, 11: 1, 12: 2, 20: 3, 21: 4, 30: 5}


def small_payment(colour: int, wagons: int, locos: int) -> int:
    """The number of a payment of one to three cards, or -1 if it is not one."""
    if wagons == 0:
        return 8 * len(_MIXES) + locos - 1 if 1 <= locos <= 3 else -1
    if locos > 2 or locos < 0:
        return -1
    mix = _MIX_INDEX.get(10 * wagons + locos, -1)
    return -1 if mix < 0 else colour * len(_MIXES) + mix


def small_payment_cards(payment: int) -> tuple[int, int, int]:
    """Colour (EMPTY for locos alone), wagons and locos of a small payment."""
    colour = payment // len(_MIXES)
    if colour >= COLOUR_COUNT:
        return (EMPTY, 0, payment - COLOUR_COUNT * len(_MIXES) + 1)
    wagons, locos = _MIXES[payment % len(_MIXES)]
    return (colour, wagons, locos)


MAX_SAME_WAGONS: Final = 10
MAX_SAME_LOCOS: Final = 16
SAME_PER_COLOUR: Final = MAX_SAME_WAGONS * (MAX_SAME_LOCOS + 1) - 1
"""Sets of one colour with at least one wagon card; one wagon card alone is not a set (CARD-YARD-1)."""


def same_offset(colour: int, wagons: int, locos: int) -> int:
    """Where a `play_same` set stands in its block."""
    return colour * SAME_PER_COLOUR + (wagons - 1) * (MAX_SAME_LOCOS + 1) + locos - 1


def same_cards(offset: int) -> tuple[int, int, int]:
    """Colour, wagons and locos of a `play_same` set."""
    colour = offset // SAME_PER_COLOUR
    rest = offset % SAME_PER_COLOUR + 1
    return (colour, rest // (MAX_SAME_LOCOS + 1) + 1, rest % (MAX_SAME_LOCOS + 1))


def _three_sets() -> list[tuple[int, int, int]]:
    sets: list[tuple[int, int, int]] = []
    for first in range(COLOUR_COUNT):
        for second in range(first + 1, COLOUR_COUNT):
            for third in range(second + 1, COLOUR_COUNT):
                sets.append((first, second, third))
    return sets


THREE_SETS: Final = _three_sets()
"""The sets of `play_three`, ascending."""

THREE_INDEX: Final = {100 * a + 10 * b + c: index for index, (a, b, c) in enumerate(THREE_SETS)}


def _threes_within() -> list[list[int]]:
    within: list[list[int]] = []
    for mask in range(1 << COLOUR_COUNT):
        within.append([i for i, (a, b, c) in enumerate(THREE_SETS) if mask >> a & mask >> b & mask >> c & 1])
    return within


THREES_WITHIN: Final = _threes_within()
"""For every set of colours, as a mask, the numbers of the `play_three` sets inside it."""
