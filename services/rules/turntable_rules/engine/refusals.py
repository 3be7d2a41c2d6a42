"""Refusals: why a move was not accepted, with a stable code, the clause, and what would be allowed."""

from dataclasses import dataclass
from typing import Final

CODES: Final = (
    "game_finished",
    "unknown_seat",
    "seat_retired",
    "not_your_turn",
    "already_chosen",
    "wrong_phase",
    "unknown_action",
    "deck_empty",
    "unknown_slot",
    "slot_empty",
    "loco_barred",
    "must_draw_second",
    "pile_empty",
    "ticket_not_offered",
    "too_few_tickets",
    "other_moves_possible",
    "unknown_route",
    "route_taken",
    "track_closed",
    "own_double_track",
    "not_enough_wagons",
    "payment_missing",
    "malformed_payment",
    "mixed_colours",
    "wrong_card_count",
    "wrong_colour",
    "locos_not_accepted",
    "too_few_locos",
    "cards_not_held",
    "unknown_city",
    "no_station_left",
    "city_occupied",
    "locos_only",
    "set_too_small",
    "not_three_colours",
    "colour_in_own_yard",
    "column_not_beaten",
    "malformed_move",
)
"""Every code a refusal can carry; they never change their meaning."""


@dataclass(frozen=True)
class Refusal:
    """One reason; `allowed` says what would have been accepted instead."""

    code: str
    clause: str
    message: str
    allowed: str = ""

    def __str__(self) -> str:
        text = f"{self.message} ({self.clause})"
        return f"{text}; {self.allowed}" if self.allowed else text


class IllegalMove(ValueError):
    """Raised where a move that is not legal is played; the state is untouched (COMMON-TURN-5)."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
