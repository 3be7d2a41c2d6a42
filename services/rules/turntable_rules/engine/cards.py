"""Train cards as small integers, and their names."""

from typing import Final

PURPLE: Final = 0
WHITE: Final = 1
BLUE: Final = 2
YELLOW: Final = 3
ORANGE: Final = 4
BLACK: Final = 5
RED: Final = 6
GREEN: Final = 7
LOCO: Final = 8

COLOUR_COUNT: Final = 8
CARD_TYPES: Final = 9
EMPTY: Final = -1
"""An empty row slot, or the colour of a payment made of locos alone."""

COLOUR_NAMES: Final = ("purple", "white", "blue", "yellow", "orange", "black", "red", "green")
CARD_NAMES: Final = (*COLOUR_NAMES, "loco")
CARD_LETTERS: Final = "pwuyokrgL"

ROW_SIZE: Final = 5


def counts_by_name(counts: list[int]) -> dict[str, int]:
    """Card name to count, zero counts left out; `counts` holds one number per card type."""
    return {CARD_NAMES[card]: count for card, count in enumerate(counts) if count}


def cards_in_order(counts: list[int]) -> list[int]:
    """The cards of a multiset, sorted by number: how cards enter a shuffle."""
    cards: list[int] = []
    for card, count in enumerate(counts):
        cards += [card] * count
    return cards
