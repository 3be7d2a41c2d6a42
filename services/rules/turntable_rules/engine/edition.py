"""An edition: a table of facts (rules.md section 1) and named policies where the rules truly differ."""

from dataclasses import dataclass
from typing import Final

# Where rejected tickets go.
UNDER_PILE: Final = 0
OUT_OF_GAME: Final = 1
SHUFFLED_BACK: Final = 2

# What locomotives may pay for.
LOCOS_ANYWHERE: Final = 0
LOCOS_IN_TUNNELS: Final = 1

# Criteria among players tied on points, in the order an edition lists them.
MOST_TICKETS: Final = 0
LONGEST_PATH: Final = 1
FEWEST_STATIONS: Final = 2
MOST_CITY_BONUSES: Final = 3


@dataclass(frozen=True)
class Edition:
    """The facts and policies of one edition; whether it is played on a board or with yards is one of them."""

    id: str
    name: str
    data: str
    """Id of its board, or of its card set."""
    min_players: int
    max_players: int
    cards_per_colour: int
    locos: int
    hand_locos: int
    hand_cards: int
    tickets_dealt: int
    long_tickets_dealt: int
    setup_keep: int
    setup_rejects: int
    tickets_drawn: int
    draw_keep: int
    draw_rejects: int
    must_draw_second: bool
    face_up_loco_cost: int
    tie_breaks: tuple[int, ...]
    colour_aliases: tuple[tuple[str, str], ...] = ()
    # Board editions.
    wagons: int = 0
    stations: int = 0
    start_score: int = 0
    flushes: bool = False
    reshuffles: bool = False
    loco_use: int = LOCOS_ANYWHERE
    double_closed_up_to: int = 0
    route_points: tuple[tuple[int, int], ...] = ()
    unused_station_points: int = 0
    path_bonus: int = 0
    # Editions with yards and road piles.
    yards: bool = False
    two_rounds_from: int = 0
    """Player count from which two rounds are played; 0 for never."""
    second_deal: int = 0
