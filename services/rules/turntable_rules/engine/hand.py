"""Cards entering and leaving a hand, with the public lower bound kept beside it (INFO-INFER-2)."""

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, EMPTY, LOCO
from turntable_rules.engine.state import State


def spend(state: State, seat: int, colour: int, wagons: int, locos: int) -> None:
    """Take a payment out of a hand; where it goes is the caller's business."""
    start = seat * CARD_TYPES
    if wagons:
        _lower(state, start + colour, wagons)
    if locos:
        _lower(state, start + LOCO, locos)


def _lower(state: State, at: int, count: int) -> None:
    state.hands[at] -= count
    bound = state.known[at] - count
    state.known[at] = bound if bound > 0 else 0


def give_back(state: State, seat: int, colour: int, wagons: int, locos: int) -> None:
    """Return committed cards to a hand; everybody has seen them."""
    start = seat * CARD_TYPES
    if wagons:
        state.hands[start + colour] += wagons
        state.known[start + colour] += wagons
    if locos:
        state.hands[start + LOCO] += locos
        state.known[start + LOCO] += locos


def discard(state: State, colour: int, wagons: int, locos: int) -> None:
    """Put a payment on the discard, without settling."""
    if wagons:
        state.discard[colour] += wagons
    if locos:
        state.discard[LOCO] += locos


def payment_facts(colour: int, wagons: int, locos: int) -> dict[str, object]:
    """A payment by name, as events and positions show it."""
    return {"colour": None if colour == EMPTY else CARD_NAMES[colour], "wagons": wagons, "locos": locos}
