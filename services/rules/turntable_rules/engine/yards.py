"""Marshalling yards and road piles of the card game (CARD-ROAD, CARD-YARD)."""

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, COLOUR_COUNT, LOCO
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.hand import spend
from turntable_rules.engine.state import State


def depart(state: State, seat: int, log: Log) -> None:
    """Step 1: the top card of every own column goes to the road pile, locos first (CARD-ROAD-1, -3)."""
    moved: list[object] = []
    for colour in range(COLOUR_COUNT):
        column = seat * COLOUR_COUNT + colour
        if state.yard_locos[column]:
            state.yard_locos[column] -= 1
            card = LOCO
        elif state.yard_wagons[column]:
            state.yard_wagons[column] -= 1
            card = colour
        else:
            continue
        state.road[seat * CARD_TYPES + card] += 1
        moved.append(CARD_NAMES[card])
    if moved and log is not None:
        log.append(Event("trains_departed", {"seat": seat, "cards": moved}))


def place(state: State, seat: int, colour: int, wagons: int, locos: int, log: Log) -> None:
    """Place one column from the hand and rob the rival's column of that colour, if any (CARD-YARD-8)."""
    for rival in range(state.rules.players):
        column = rival * COLOUR_COUNT + colour
        if rival != seat and state.yard_wagons[column]:
            _rob(state, rival, seat, colour, log)
    spend(state, seat, colour, wagons, locos)
    column = seat * COLOUR_COUNT + colour
    state.yard_wagons[column] = wagons
    state.yard_locos[column] = locos


def _rob(state: State, loser: int, by: int, colour: int, log: Log) -> None:
    column = loser * COLOUR_COUNT + colour
    wagons, locos = state.yard_wagons[column], state.yard_locos[column]
    state.discard[colour] += wagons
    state.discard[LOCO] += locos
    state.yard_wagons[column] = 0
    state.yard_locos[column] = 0
    if log is not None:
        log.append(
            Event(
                "column_robbed",
                {"seat": loser, "by": by, "colour": CARD_NAMES[colour], "wagons": wagons, "locos": locos},
            )
        )


def column_size(state: State, seat: int, colour: int) -> int:
    """Cards in a seat's column, locos counted (CARD-YARD-9)."""
    column = seat * COLOUR_COUNT + colour
    return state.yard_wagons[column] + state.yard_locos[column]


def rival_column(state: State, seat: int, colour: int) -> int:
    """The size of the column of that colour in another seat's yard; there is at most one (CARD-YARD-11)."""
    size = 0
    for rival in range(state.rules.players):
        if rival != seat:
            size = max(size, column_size(state, rival, colour))
    return size
