"""End of a round of the card game: fulfilment, and the second round (CARD-FULFIL, CARD-ROUND2)."""

from turntable_rules.engine.cards import (
    CARD_NAMES,
    CARD_TYPES,
    EMPTY,
    LOCO,
    ROW_SIZE,
    cards_in_order,
    counts_by_name,
)
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.fulfilment import best_fulfilment
from turntable_rules.engine.settle import draw_top, fill_slot, lay_deck
from turntable_rules.engine.state import NO_TRIGGER, State


def fulfil(state: State, log: Log) -> None:
    """Complete every seat's best feasible set of tickets; the cards spent stay in the road pile."""
    state.final_left = NO_TRIGGER
    for seat in range(state.rules.players):
        _fulfil_seat(state, seat, log)


def _fulfil_seat(state: State, seat: int, log: Log) -> None:
    rules = state.rules
    held = sorted(state.tickets[seat], key=lambda ticket: rules.ticket_ids[ticket])
    pile = state.road[seat * CARD_TYPES : (seat + 1) * CARD_TYPES]
    chosen = best_fulfilment(
        [rules.ticket_needs[ticket] for ticket in held],
        [rules.ticket_points[ticket][0] for ticket in held],
        [len(rules.ticket_cities[ticket]) for ticket in held],
        pile[:LOCO],
        pile[LOCO],
    )
    done = tuple([held[index] for index in chosen])
    points = 0
    for ticket in done:
        points += rules.ticket_points[ticket][0]
        state.key ^= rules.zobrist_ticket[ticket * rules.players + seat]
    state.tickets[seat] = tuple([ticket for ticket in state.tickets[seat] if ticket not in done])
    state.completed[seat] = state.completed[seat] + done
    state.score[seat] += points
    if log is not None:
        names = [rules.ticket_ids[ticket] for ticket in done]
        log.append(
            Event(
                "pile_fulfilled",
                {"seat": seat, "pile": counts_by_name(pile), "completed": names, "points": points},
            )
        )


def start_second_round(state: State, resuming: int, log: Log) -> None:
    """Shuffle all cards not in hands, deal, lay the row (CARD-ROUND2-2 to -4, -7 to -9)."""
    rules = state.rules
    state.round = 2
    counts = rules.composition[:]
    for at, held in enumerate(state.hands):
        counts[at % CARD_TYPES] -= held
    state.discard = [0] * CARD_TYPES
    state.row = [EMPTY] * ROW_SIZE
    state.yard_wagons = [0] * len(state.yard_wagons)
    state.yard_locos = [0] * len(state.yard_locos)
    state.road = [0] * len(state.road)
    lay_deck(state, cards_in_order(counts))
    if log is not None:
        log.append(Event("round_started", {"round": 2, "seat": resuming}))
    _deal(state, resuming, log)
    for slot in range(ROW_SIZE):
        if state.deck_left:
            fill_slot(state, slot, log)
    if state.deck_left == 0:
        state.final_left = rules.players
        if log is not None:
            log.append(Event("last_round_started", {"seat": resuming, "turns_left": rules.players}))


def _deal(state: State, resuming: int, log: Log) -> None:
    players, each = state.rules.players, state.rules.edition.second_deal
    dealt: list[list[object]] = [[] for _ in range(players)]
    if state.deck_left >= players * each:
        order = [seat for seat in range(players) for _ in range(each)]
    else:  # CARD-ROUND2-8
        order = [(resuming + turn) % players for turn in range(state.deck_left)]
    for seat in order:
        card = draw_top(state)
        state.hands[seat * CARD_TYPES + card] += 1
        dealt[seat].append(CARD_NAMES[card])
    if log is not None:
        for seat in range(players):
            log.append(
                Event("cards_dealt", {"seat": seat, "count": len(dealt[seat])}, seat, {"cards": dealt[seat]})
            )
