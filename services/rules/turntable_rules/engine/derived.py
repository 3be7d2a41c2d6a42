"""What follows from the rest of a state and is kept only for speed: open routes and the Zobrist key."""

from turntable_rules.engine.cards import EMPTY
from turntable_rules.engine.state import State


def zobrist_key(state: State) -> int:
    """The key of routes, stations and tickets held, from scratch."""
    rules = state.rules
    key = 0
    for route, owner in enumerate(state.owner):
        if owner != EMPTY:
            key ^= rules.zobrist_route[route * rules.players + owner]
    for seat in range(rules.players):
        for place in state.stations[seat]:
            key ^= rules.zobrist_station[place * rules.players + seat]
        for ticket in state.tickets[seat]:
            key ^= rules.zobrist_ticket[ticket * rules.players + seat]
    return key


def open_routes(state: State) -> list[int]:
    """Per seat the mask of routes it may still claim, from scratch (COMMON-DOUBLE-2, -3, -4)."""
    rules = state.rules
    closed = 0
    own = [0] * rules.players
    for route, owner in enumerate(state.owner):
        if owner == EMPTY:
            continue
        if rules.double_closes_all:
            closed |= rules.group[route]
        else:
            closed |= rules.bit[route]
            own[owner] |= rules.group[route]
    return [rules.all_routes & ~(closed | mask) for mask in own]


def derive(state: State) -> None:
    """Fill in what follows from the rest."""
    state.key = zobrist_key(state)
    state.open = open_routes(state)
