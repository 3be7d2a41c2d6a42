"""The list of legal actions, sorted and complete (FSM-14), from tables and bit masks.

Written for speed and independently of `check`, so that "listed if and only if accepted" is a law worth testing.
"""

from typing import Final

from turntable_rules.engine.actions import (
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PASS,
    SMALL_PAYMENTS,
    STOP_DRAWING,
    THREES_WITHIN,
    TUNNEL_ABANDON,
    same_offset,
    small_payment,
)
from turntable_rules.engine.cards import CARD_TYPES, COLOUR_COUNT, EMPTY, LOCO
from turntable_rules.engine.ruleset import Ruleset
from turntable_rules.engine.state import (
    ACTION,
    AFTER_FIRST_CARD,
    FINISHED,
    NOT_CHOSEN,
    SETUP_TICKETS,
    TICKET_CHOICE,
    TURN_START,
    State,
)
from turntable_rules.engine.yards import rival_column

WORD_BITS: Final = 60
WORD_MASK: Final = (1 << 60) - 1
BIT_NUMBER: Final = [0] * 67
for _bit in range(WORD_BITS):
    BIT_NUMBER[pow(2, _bit, 67)] = _bit


def legal_actions(state: State, seat: int = -1) -> list[int]:
    """Legal actions of a seat, ascending; without a seat, of the active one (at setup the first still to choose)."""
    phase = state.phase
    if phase == FINISHED:
        return []
    if phase == SETUP_TICKETS:
        return _setup_choices(state, seat)
    if seat != state.active and seat != -1:
        return []
    if phase == TURN_START:
        return _turn_start(state)
    if phase == AFTER_FIRST_CARD:
        return _second_draws(state)
    if phase == TICKET_CHOICE:
        offered = len(state.offer[state.active])
        return _keeps(offered, min(state.rules.edition.draw_keep, offered))
    if phase == ACTION:
        return _card_actions(state)
    return _tunnel_payments(state)


def _setup_choices(state: State, seat: int) -> list[int]:
    if seat == -1:
        seat = state.choice.index(NOT_CHOSEN)
    if not 0 <= seat < state.rules.players or state.choice[seat] != NOT_CHOSEN:
        return []
    return _keeps(len(state.offer[seat]), state.rules.edition.setup_keep)


def _keeps(offered: int, fewest: int) -> list[int]:
    actions: list[int] = []
    for mask in range(1 << offered):
        bits = mask
        kept = 0
        while bits:
            bits &= bits - 1
            kept += 1
        if kept >= fewest:
            actions.append(KEEP_TICKETS + mask)
    return actions


def _turn_start(state: State) -> list[int]:
    rules = state.rules
    actions = _first_draws(state)
    claims: list[int] = []
    add_claims(state, claims)
    if not actions and not claims:
        actions.append(PASS)  # COMMON-PASS-1
    if rules.edition.stations:
        _add_stations(state, actions)
    actions += claims
    return actions


def _first_draws(state: State) -> list[int]:
    """Train cards, face-up locos included, and tickets."""
    if EMPTY not in state.row and state.deck_left:
        return state.rules.full_start[:] if state.pile else state.rules.full_draw[:]
    actions: list[int] = []
    if state.deck_left:
        actions.append(DRAW_DECK)
    for slot, card in enumerate(state.row):
        if card != EMPTY:
            actions.append(DRAW_ROW + slot)
    if state.pile:
        actions.append(DRAW_TICKETS)
    return actions


def _second_draws(state: State) -> list[int]:
    rules = state.rules
    barred = LOCO if rules.loco_ends_draw else EMPTY
    actions: list[int] = []
    if state.deck_left:
        actions.append(DRAW_DECK)
    action = DRAW_ROW
    for card in state.row:
        if card != EMPTY and card != barred:
            actions.append(action)
        action += 1
    if not rules.must_draw_second:
        actions.append(STOP_DRAWING)
    return actions


def add_claims(state: State, actions: list[int]) -> None:
    """Append every legal claim of the active seat."""
    rules = state.rules
    claims = rules.claims
    seat = state.active
    span = claims.span
    reserve = state.wagons[seat]
    open_routes = state.open[seat] & claims.within[reserve if reserve < span else span - 1]
    if not open_routes:
        return
    hands = state.hands
    start = seat * CARD_TYPES
    locos = hands[start + LOCO]
    if locos >= span:
        locos = span - 1
    at = locos
    for colour in range(COLOUR_COUNT):
        wagons = hands[start + colour]
        if wagons:
            if wagons >= span:
                wagons = span - 1
            mask = open_routes & claims.affordable[at + wagons * span]
            if mask:
                _add_coloured(rules, colour, wagons, locos, mask, actions)
        at += span * span
    if locos:
        mask = open_routes & claims.affordable_locos[locos]
        if mask:
            _add_all_loco(rules, mask, actions)


# Masks are read in words of 60 bits, which compiled code handles without allocating. The powers of two up to 2^65
# all differ modulo 67, so that remainder tells which bit is the lowest.


def _add_coloured(
    rules: Ruleset, colour: int, wagons: int, locos: int, mask: int, actions: list[int]
) -> None:
    """Append the claims of these routes with at least one card of the colour."""
    claims = rules.claims
    max_locos = claims.max_locos
    min_locos = rules.route_locos
    length = rules.route_length
    base = claims.base
    first = colour * len(length)
    offset = 0
    while mask:
        word = mask & WORD_MASK
        while word:
            low = word & -word
            word ^= low
            route = offset + BIT_NUMBER[low % 67]
            action = rules.claim + base[first + route]
            if not locos:
                actions.append(action)
                continue
            fewest = length[route] - wagons
            if fewest < min_locos[route]:
                fewest = min_locos[route]
            most = max_locos[route]
            if most > locos:
                most = locos
            while fewest <= most:
                actions.append(action + fewest)
                fewest += 1
        mask >>= WORD_BITS
        offset += WORD_BITS


def _add_all_loco(rules: Ruleset, mask: int, actions: list[int]) -> None:
    """Append the claims of these routes with locos alone."""
    all_loco = rules.claims.all_loco
    offset = 0
    while mask:
        word = mask & WORD_MASK
        while word:
            low = word & -word
            word ^= low
            actions.append(rules.claim + all_loco[offset + BIT_NUMBER[low % 67]])
        mask >>= WORD_BITS
        offset += WORD_BITS


def _add_stations(state: State, actions: list[int]) -> None:
    """Every free city with every payment of as many cards as the next station costs (EUR-STATION-4)."""
    rules = state.rules
    cost = len(state.stations[state.active]) + 1
    if cost > rules.edition.stations:
        return
    payments = _small_payments(state, cost)
    if not payments:
        return
    taken: list[int] = []
    for built in state.stations:
        taken += built
    base = rules.build_station
    for place in rules.cities:
        if place not in taken:
            for payment in payments:
                actions.append(base + payment)
        base += SMALL_PAYMENTS


def _small_payments(state: State, cards: int) -> list[int]:
    """Payments of one to three cards of one colour or locos that the active hand can make, ascending."""
    start = state.active * CARD_TYPES
    locos = state.hands[start + LOCO]
    payments: list[int] = []
    for colour in range(COLOUR_COUNT):
        wagons = min(state.hands[start + colour], cards)
        for count in range(max(1, cards - locos), wagons + 1):
            payments.append(small_payment(colour, count, cards - count))
    if locos >= cards:
        payments.append(small_payment(EMPTY, 0, cards))
    payments.sort()
    return payments


def _tunnel_payments(state: State) -> list[int]:
    """The extra cards due, in the colour used or in locos (EUR-TUNNEL-7, -8), or giving up."""
    start = state.active * CARD_TYPES
    locos = state.hands[start + LOCO]
    colour = state.tunnel_colour
    due = state.due
    actions: list[int] = [TUNNEL_ABANDON]
    if colour != EMPTY:
        held = state.hands[start + colour]
        for wagons in range(max(1, due - locos), min(held, due) + 1):
            actions.append(state.rules.tunnel_pay + small_payment(colour, wagons, due - wagons))
    if locos >= due:
        actions.append(state.rules.tunnel_pay + small_payment(EMPTY, 0, due))
    actions.sort()
    return actions


def _card_actions(state: State) -> list[int]:
    """Step 2 of a turn of the card game (CARD-TURN-2)."""
    actions = _first_draws(state)
    rules = state.rules
    seat = state.active
    start = seat * CARD_TYPES
    locos = state.hands[start + LOCO]
    sets: list[int] = []
    free = 0
    for colour in range(COLOUR_COUNT):
        wagons = state.hands[start + colour]
        if not wagons or state.yard_wagons[seat * COLOUR_COUNT + colour]:
            continue
        rival = rival_column(state, seat, colour)
        if rival == 0:
            free |= 1 << colour
        fewest = max(2, rival + 1)
        for count in range(1, wagons + 1):
            for jokers in range(max(0, fewest - count), locos + 1):
                sets.append(rules.play_same + same_offset(colour, count, jokers))
    for three in THREES_WITHIN[free]:
        sets.append(rules.play_three + three)
    if not actions and not sets:
        actions.append(PASS)
    return actions + sets
