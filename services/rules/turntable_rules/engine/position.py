"""Positions in their readable form, `turntable-position/1` (docs/engine.md): everything, secrets included."""

from typing import Final

from turntable_rules.engine.cards import (
    CARD_NAMES,
    CARD_TYPES,
    COLOUR_COUNT,
    COLOUR_NAMES,
    EMPTY,
    counts_by_name,
)
from turntable_rules.engine.hand import payment_facts
from turntable_rules.engine.state import (
    ENDING_NAMES,
    NO_TRIGGER,
    NO_TUNNEL,
    NOT_CHOSEN,
    PHASE_NAMES,
    RUNNING,
    Ids,
    State,
)
from turntable_rules.engine.ticket_choice import split

POSITION_FORMAT: Final = "turntable-position/1"

Position = dict[str, object]


def to_position(state: State) -> Position:
    """The whole state by names."""
    rules = state.rules
    seats = range(rules.players)
    return {
        "format": POSITION_FORMAT,
        "edition": rules.edition.id,
        "player_count": rules.players,
        "options": rules.options.to_json(rules.edition),
        "board": rules.digest,
        "seed": state.seed.hex(),
        "draws": state.draws,
        "phase": PHASE_NAMES[state.phase],
        "active": state.active,
        "first": state.first,
        "turns": state.turns,
        "round": state.round,
        "final_turns_left": None if state.final_left == NO_TRIGGER else state.final_left,
        "passed": [seat for seat in seats if state.passed >> seat & 1],
        "row_stands": state.row_stands,
        "ending": None if state.ending == RUNNING else ENDING_NAMES[state.ending],
        "deck": [CARD_NAMES[card] for card in reversed(state.deck[: state.deck_left])],
        "row": [None if card == EMPTY else CARD_NAMES[card] for card in state.row],
        "discard": counts_by_name(state.discard),
        "pile": _names(state, tuple(reversed(state.pile))),
        "unseen_out": _names(state, state.unseen_out),
        "routes": {rules.route_ids[r]: owner for r, owner in enumerate(state.owner) if owner != EMPTY},
        "tunnel": tunnel_facts(state),
        "players": [_player(state, seat) for seat in seats],
    }


def _names(state: State, tickets: Ids) -> list[str]:
    return [state.rules.ticket_ids[ticket] for ticket in tickets]


def _player(state: State, seat: int) -> dict[str, object]:
    rules = state.rules
    cards = slice(seat * CARD_TYPES, (seat + 1) * CARD_TYPES)
    choice = state.choice[seat]
    return {
        "hand": counts_by_name(state.hands[cards]),
        "hand_at_least": counts_by_name(state.known[cards]),
        "tickets": _names(state, state.tickets[seat]),
        "offer": _names(state, state.offer[seat]),
        "choice": None if choice == NOT_CHOSEN else _names(state, split(state.offer[seat], choice)[0]),
        "out": _names(state, state.out[seat]),
        "completed": _names(state, state.completed[seat]),
        "wagons": state.wagons[seat],
        "score": state.score[seat],
        "stations": [rules.place_ids[place] for place in state.stations[seat]],
        "retired": state.is_retired(seat),
        "yard": yard_facts(state, seat),
        "road": counts_by_name(state.road[cards]),
    }


def tunnel_facts(state: State) -> dict[str, object] | None:
    """The pending tunnel attempt, all of it public (INFO-18)."""
    if state.tunnel_route == NO_TUNNEL:
        return None
    return {
        "route": state.rules.route_ids[state.tunnel_route],
        "payment": payment_facts(state.tunnel_colour, state.tunnel_wagons, state.tunnel_locos),
        "revealed": [CARD_NAMES[card] for card in state.revealed],
        "due": state.due,
    }


def yard_facts(state: State, seat: int) -> list[dict[str, object]]:
    """A seat's columns, in colour order; locos lie on top (CARD-YARD-3)."""
    columns: list[dict[str, object]] = []
    if not state.rules.yards:
        return columns
    for colour in range(COLOUR_COUNT):
        column = seat * COLOUR_COUNT + colour
        if state.yard_wagons[column] or state.yard_locos[column]:
            columns.append(
                {
                    "colour": COLOUR_NAMES[colour],
                    "wagons": state.yard_wagons[column],
                    "locos": state.yard_locos[column],
                }
            )
    return columns
