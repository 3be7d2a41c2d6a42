"""Checks of sets placed in the yard (CARD-YARD)."""

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, COLOUR_COUNT, LOCO
from turntable_rules.engine.check_routes import check_held
from turntable_rules.engine.refusals import Refusal
from turntable_rules.engine.state import State
from turntable_rules.engine.yards import column_size


def check_play_same(state: State, seat: int, colour: int, wagons: int, locos: int) -> Refusal | None:
    """CARD-YARD-1, -5, -6, -7."""
    if wagons < 1:
        return Refusal(
            "locos_only", "CARD-YARD-5", "a set needs a wagon card that gives it its colour", "add one"
        )
    if locos < 0 or wagons + locos < 2:
        return Refusal(
            "set_too_small", "CARD-YARD-1", "a set of one colour has two cards or more", "locos count"
        )
    refusal = check_held(state, seat, colour, wagons, locos, "CARD-YARD-1")
    if refusal is None:
        refusal = _check_column(state, seat, colour, wagons + locos)
    return refusal


def check_play_three(state: State, seat: int, colours: list[int]) -> Refusal | None:
    """CARD-YARD-4, -6, -10."""
    if len(colours) != 3 or len(set(colours)) != 3 or min(colours) < 0 or max(colours) >= COLOUR_COUNT:
        return Refusal(
            "not_three_colours",
            "CARD-YARD-4",
            "this set is three wagon cards of three different colours",
            "or play one colour",
        )
    for colour in colours:
        refusal = check_held(state, seat, colour, 1, 0, "CARD-YARD-4")
        if refusal is None:
            refusal = _check_column(state, seat, colour, 1)
        if refusal is not None:
            return refusal
    return None


def _check_column(state: State, seat: int, colour: int, cards: int) -> Refusal | None:
    name = CARD_NAMES[colour]
    for other in range(state.rules.players):
        size = column_size(state, other, colour)
        if size == 0:
            continue
        if other == seat:
            return Refusal(
                "colour_in_own_yard", "CARD-YARD-6", f"{name} is in your yard", "play another colour"
            )
        if cards <= size:
            clause = "CARD-YARD-10" if cards == 1 else "CARD-YARD-7"
            return Refusal(
                "column_not_beaten",
                clause,
                f"seat {other} has {size} {name} cards",
                f"play at least {size + 1} of {name}",
            )
    return None


def can_place(state: State, seat: int) -> bool:
    """Whether any set can be placed at all."""
    start = seat * CARD_TYPES
    free: list[int] = []
    for colour in range(COLOUR_COUNT):
        wagons = state.hands[start + colour]
        if wagons == 0:
            continue
        if check_play_same(state, seat, colour, wagons, state.hands[start + LOCO]) is None:
            return True
        if _check_column(state, seat, colour, 1) is None:
            free.append(colour)
    return len(free) >= 3
