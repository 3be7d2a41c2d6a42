"""Deck, row and discard: drawing, reshuffling and settling (COMMON-DECK, COMMON-ROW, COMMON-FLUSH)."""

from typing import Final

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, EMPTY, LOCO, ROW_SIZE, cards_in_order
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.rng import shuffle
from turntable_rules.engine.state import State

_FLUSH_LOCOS: Final = 3
_FLUSH_WAGONS: Final = 3


def lay_deck(state: State, cards: list[int]) -> None:
    """Shuffle cards, sorted by number, into a new deck."""
    shuffle(state.seed, state.draws, cards)
    state.draws += 1
    state.deck = bytes(cards)
    state.deck_left = len(cards)


def reshuffle(state: State, log: Log) -> None:
    """COMMON-DECK-3: an empty deck is made anew from the discard as soon as that is possible."""
    if state.deck_left or not state.rules.reshuffles or not any(state.discard):
        return
    cards = cards_in_order(state.discard)
    state.discard = [0] * CARD_TYPES
    lay_deck(state, cards)
    if log is not None:
        log.append(Event("deck_reshuffled", {"count": len(cards)}))


def draw_top(state: State) -> int:
    """Take the top card of a deck that is not empty."""
    left = state.deck_left - 1
    state.deck_left = left
    return state.deck[left]


def fill_slot(state: State, slot: int, log: Log) -> None:
    """Turn the top card of the deck up into an empty slot."""
    card = draw_top(state)
    state.row[slot] = card
    state.row_stands = False
    if log is not None:
        log.append(Event("row_filled", {"slot": slot, "card": CARD_NAMES[card]}))


def settle(state: State, log: Log) -> None:
    """COMMON-DECK-6: reshuffle, fill the row, flush, until nothing changes."""
    flushes = 0
    while True:
        reshuffle(state, log)
        _fill_row(state, log)
        if not flush_due(state):
            return
        if flushes == state.rules.flush_limit:
            state.row_stands = True  # COMMON-FLUSH-7
            return
        _flush(state, log)
        flushes += 1


def settle_if_needed(state: State, log: Log) -> None:
    """Settle, skipping the work in the common case where nothing can change."""
    if state.deck_left == 0 or EMPTY in state.row or state.row.count(LOCO) >= _FLUSH_LOCOS:
        settle(state, log)


def _fill_row(state: State, log: Log) -> None:
    for slot in range(ROW_SIZE):
        if state.row[slot] == EMPTY and state.deck_left:
            fill_slot(state, slot, log)
            reshuffle(state, log)


def flush_due(state: State) -> bool:
    """COMMON-FLUSH-1, -2, -5, -6, -7."""
    row = state.row
    if not state.rules.flushes or state.row_stands or row.count(LOCO) < _FLUSH_LOCOS or EMPTY in row:
        return False
    wagons = ROW_SIZE - row.count(LOCO) + sum(state.discard[:LOCO])
    if wagons < _FLUSH_WAGONS:
        wagons += state.deck_left - state.deck[: state.deck_left].count(LOCO)
    return wagons >= _FLUSH_WAGONS


def _flush(state: State, log: Log) -> None:
    if log is not None:
        log.append(Event("row_flushed", {"cards": [CARD_NAMES[card] for card in state.row]}))
    for slot in range(ROW_SIZE):
        state.discard[state.row[slot]] += 1
        state.row[slot] = EMPTY
