"""Drawing train cards (COMMON-DRAW)."""

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, EMPTY, LOCO
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.settle import draw_top, fill_slot, settle, settle_if_needed
from turntable_rules.engine.state import AFTER_FIRST_CARD, State
from turntable_rules.engine.turn import end_turn


def draw_deck(state: State, seat: int, log: Log) -> None:
    """Draw blind (COMMON-DRAW-2); a loco drawn so counts as one card (COMMON-DRAW-5)."""
    card = draw_top(state)
    state.hands[seat * CARD_TYPES + card] += 1
    if log is not None:
        log.append(Event("card_drawn", {"seat": seat}, seat, {"card": CARD_NAMES[card]}))
    if state.deck_left == 0:
        settle(state, log)
    _after_card(state, False, log)


def draw_row(state: State, seat: int, slot: int, log: Log) -> None:
    """Take a face-up card; it is replaced at once in the same slot (COMMON-ROW-1, -2)."""
    card = state.row[slot]
    state.row[slot] = EMPTY
    state.row_stands = False
    at = seat * CARD_TYPES + card
    state.hands[at] += 1
    state.known[at] += 1
    if log is not None:
        log.append(Event("card_taken", {"seat": seat, "slot": slot, "card": CARD_NAMES[card]}))
    if state.deck_left:
        fill_slot(state, slot, log)
    settle_if_needed(state, log)
    _after_card(state, card == LOCO and state.rules.loco_ends_draw, log)


def stop_drawing(state: State, seat: int, log: Log) -> None:
    """Be content with one card (COMMON-DRAW-6)."""
    if log is not None:
        log.append(Event("drawing_stopped", {"seat": seat}))
    end_turn(state, log)


def _after_card(state: State, counts_as_two: bool, log: Log) -> None:
    """FSM-1 to FSM-5."""
    if counts_as_two or state.phase == AFTER_FIRST_CARD or not second_draw_possible(state):
        end_turn(state, log)
    else:
        state.phase = AFTER_FIRST_CARD


def second_draw_possible(state: State) -> bool:
    """Whether any second card can be taken (COMMON-DRAW-8)."""
    if state.deck_left:
        return True
    barred = LOCO if state.rules.loco_ends_draw else EMPTY
    return any([card != EMPTY and card != barred for card in state.row])
