"""Setting a game up (COMMON-SETUP), in the order of random events of docs/engine.md."""

from turntable_rules.engine.cards import CARD_TYPES, LOCO, ROW_SIZE, cards_in_order
from turntable_rules.engine.events import Log
from turntable_rules.engine.options import RANDOM
from turntable_rules.engine.rng import SEED_BYTES, below, shuffle
from turntable_rules.engine.ruleset import Ruleset
from turntable_rules.engine.settle import draw_top, fill_slot, lay_deck, settle
from turntable_rules.engine.state import Ids, State
from turntable_rules.engine.ticket_choice import offer, take_from_pile


def new_game(rules: Ruleset, seed: bytes, log: Log = None) -> State:
    """A game in its setup phase, every seat with tickets to choose from."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    state = State(rules, bytes(seed))
    _deal_cards(state, log)
    _deal_tickets(state, log)
    _draw_first_player(state)
    return state


def _deal_cards(state: State, log: Log) -> None:
    rules = state.rules
    edition = rules.edition
    cards = rules.composition[:]
    for seat in range(rules.players):  # CARD-SETUP-2; everybody knows of these locos
        cards[LOCO] -= edition.hand_locos
        state.hands[seat * CARD_TYPES + LOCO] += edition.hand_locos
        state.known[seat * CARD_TYPES + LOCO] += edition.hand_locos
    lay_deck(state, cards_in_order(cards))
    for seat in range(rules.players):
        for _ in range(edition.hand_cards):
            state.hands[seat * CARD_TYPES + draw_top(state)] += 1
    for slot in range(ROW_SIZE):
        fill_slot(state, slot, log)
    settle(state, log)


def _deal_tickets(state: State, log: Log) -> None:
    rules = state.rules
    edition = rules.edition
    seats = range(rules.players)
    every = range(len(rules.ticket_ids))
    offers: list[Ids] = [() for _ in seats]
    if edition.long_tickets_dealt:
        state.pile = _shuffled(state, [ticket for ticket in every if rules.ticket_long[ticket]])
        for seat in seats:
            offers[seat] = take_from_pile(state, edition.long_tickets_dealt)
        state.unseen_out = tuple(reversed(state.pile))  # EUR-SETUP-3
        state.pile = _shuffled(state, [ticket for ticket in every if not rules.ticket_long[ticket]])
    else:
        state.pile = _shuffled(state, list(every))
    for seat in seats:
        offers[seat] = offers[seat] + take_from_pile(state, edition.tickets_dealt)
    for seat in seats:
        offer(state, seat, offers[seat], log)


def _shuffled(state: State, tickets: list[int]) -> Ids:
    shuffle(state.seed, state.draws, tickets)
    state.draws += 1
    return tuple(tickets)


def _draw_first_player(state: State) -> None:
    """COMMON-TURN-3."""
    first = state.rules.options.first_player
    if first == RANDOM:
        first = below(state.seed, state.draws, state.rules.players)
        state.draws += 1
    state.first = first
    state.active = first
