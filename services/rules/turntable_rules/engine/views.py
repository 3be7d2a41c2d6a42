"""What a seat or a spectator may know, assembled from an allow-list (rules.md section 6)."""

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, EMPTY, counts_by_name
from turntable_rules.engine.network import completed_by_own_routes
from turntable_rules.engine.position import tunnel_facts, yard_facts
from turntable_rules.engine.result import result_to_json
from turntable_rules.engine.scoring import score
from turntable_rules.engine.state import (
    FINISHED,
    NO_TRIGGER,
    NOT_CHOSEN,
    PHASE_NAMES,
    Ids,
    State,
    seats_to_act,
)
from turntable_rules.engine.ticket_choice import split

View = dict[str, object]


def view(state: State, seat: int | None) -> View:
    """The game as `seat` sees it, or a spectator (None)."""
    rules = state.rules
    if seat is not None and not 0 <= seat < rules.players:
        raise ValueError(f"there is no seat {seat}")
    finished = state.phase == FINISHED
    return {
        "edition": rules.edition.id,
        "options": rules.options.to_json(rules.edition),
        "phase": PHASE_NAMES[state.phase],
        "active_seats": seats_to_act(state),
        "turn": state.turns if finished else state.turns + 1,
        "round": state.round,
        "final_turns_left": None if state.final_left == NO_TRIGGER else state.final_left,
        "you": None if seat is None else _own(state, seat),
        "players": [_player(state, other) for other in range(rules.players)],
        "row": [None if card == EMPTY else CARD_NAMES[card] for card in state.row],
        "deck_size": state.deck_left,
        "discard": counts_by_name(state.discard),
        "ticket_pile_size": len(state.pile),
        "tickets_out": len(state.unseen_out) + sum([len(out) for out in state.out]),
        "routes": {rules.route_ids[r]: owner for r, owner in enumerate(state.owner) if owner != EMPTY},
        "stations": {
            rules.place_ids[city]: owner for owner, built in enumerate(state.stations) for city in built
        },
        "tunnel": tunnel_facts(state),
        "result": result_to_json(score(state)) if finished else None,
        "revealed": _revealed(state) if finished else None,
    }


def _player(state: State, seat: int) -> dict[str, object]:
    """What everybody knows of a player."""
    rules = state.rules
    cards = slice(seat * CARD_TYPES, (seat + 1) * CARD_TYPES)
    return {
        "seat": seat,
        "choosing": seat in seats_to_act(state) and bool(state.offer[seat]),
        "hand_size": sum(state.hands[cards]),
        "hand_at_least": counts_by_name(state.known[cards]),
        "ticket_count": len(state.tickets[seat]),
        "offered_count": len(state.offer[seat]),
        "completed_tickets": _names(state, state.completed[seat]),
        "wagons": state.wagons[seat],
        "stations": rules.edition.stations - len(state.stations[seat]),
        "score": state.score[seat],
        "yard": yard_facts(state, seat),
        "road_pile_size": sum(state.road[cards]),
        "retired": state.is_retired(seat),
    }


def _own(state: State, seat: int) -> dict[str, object]:
    """What a player alone knows."""
    rules = state.rules
    cards = slice(seat * CARD_TYPES, (seat + 1) * CARD_TYPES)
    choice = state.choice[seat]
    own: dict[str, object] = {
        "seat": seat,
        "hand": counts_by_name(state.hands[cards]),
        "tickets": _held_tickets(state, seat),
        "offered": _names(state, state.offer[seat]),
        "chosen": None if choice == NOT_CHOSEN else _names(state, split(state.offer[seat], choice)[0]),
        "out": _names(state, state.out[seat]),
    }
    if seat in rules.options.peek_own_pile:
        own["road_pile"] = counts_by_name(state.road[cards])
    return own


def _held_tickets(state: State, seat: int) -> list[dict[str, object]]:
    """Tickets with their completion by own routes; in the card game that would disclose the road pile (INFO-9)."""
    if state.rules.yards:
        return [{"id": name, "completed": None} for name in _names(state, state.tickets[seat])]
    done = completed_by_own_routes(state, seat)
    names = _names(state, state.tickets[seat])
    return [{"id": name, "completed": completed} for name, completed in zip(names, done, strict=True)]


def _names(state: State, tickets: Ids) -> list[str]:
    return [state.rules.ticket_ids[ticket] for ticket in tickets]


def _revealed(state: State) -> dict[str, object]:
    """What the end of the game lays open to all (INFO-27)."""
    players: list[dict[str, object]] = []
    for seat in range(state.rules.players):
        cards = slice(seat * CARD_TYPES, (seat + 1) * CARD_TYPES)
        players.append(
            {
                "hand": counts_by_name(state.hands[cards]),
                "tickets": _names(state, state.tickets[seat]),
                "offered": _names(state, state.offer[seat]),
                "out": _names(state, state.out[seat]),
                "road_pile": counts_by_name(state.road[cards]),
            }
        )
    return {
        "seed": state.seed.hex(),
        "deck": [CARD_NAMES[card] for card in reversed(state.deck[: state.deck_left])],
        "ticket_pile": _names(state, tuple(reversed(state.pile))),
        "unseen_out": _names(state, state.unseen_out),
        "players": players,
    }
