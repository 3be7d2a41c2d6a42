"""Seats that leave the game for good (COMMON-RESIGN)."""

from turntable_rules.engine.actions import DRAW_DECK, DRAW_ROW, KEEP_TICKETS, STOP_DRAWING, TUNNEL_ABANDON
from turntable_rules.engine.cards import EMPTY, LOCO
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.play import play
from turntable_rules.engine.refusals import IllegalMove, Refusal
from turntable_rules.engine.state import (
    AFTER_FIRST_CARD,
    FINISHED,
    FORFEIT,
    NOT_CHOSEN,
    SETUP_TICKETS,
    TICKET_CHOICE,
    TUNNEL_PENDING,
    State,
)
from turntable_rules.engine.ticket_choice import carry_out_choices
from turntable_rules.engine.turn import finish, one_seat_left, pass_on


def retire(state: State, seat: int) -> list[Event]:
    """Retire a seat; returns what happened. Raises IllegalMove if the seat cannot be retired."""
    if state.phase == FINISHED:
        raise IllegalMove(Refusal("game_finished", "COMMON-END-5", "the game is finished"))
    if not 0 <= seat < state.rules.players:
        raise IllegalMove(Refusal("unknown_seat", "COMMON-TURN-4", f"there is no seat {seat}"))
    if state.is_retired(seat):
        raise IllegalMove(
            Refusal("seat_retired", "COMMON-RESIGN-2", f"seat {seat} has left the game already")
        )
    log: list[Event] = []
    state.retired |= 1 << seat
    log.append(Event("seat_retired", {"seat": seat}))
    if state.phase == SETUP_TICKETS:
        _retire_at_setup(state, seat, log)
    elif seat == state.active:
        _leave_turn(state, seat, log)
    elif one_seat_left(state):
        finish(state, FORFEIT, log)
    return log


def _retire_at_setup(state: State, seat: int, log: Log) -> None:
    """A seat still to choose keeps the first tickets offered; the game may be over before it began."""
    chosen = state.choice[seat] != NOT_CHOSEN
    if one_seat_left(state):
        if not chosen:
            state.choice[seat] = _first_ones(state.rules.edition.setup_keep)
        carry_out_choices(state, log)
        finish(state, FORFEIT, log)
    elif not chosen:
        play(state, seat, pending_choice(state, seat), log)


def _leave_turn(state: State, seat: int, log: Log) -> None:
    """Settle what is pending, or skip the turn; with one seat left the game ends (COMMON-RESIGN-4)."""
    pending = pending_choice(state, seat)
    if pending != -1:
        play(state, seat, pending, log)
    elif one_seat_left(state):
        finish(state, FORFEIT, log)
    else:
        if log is not None:
            log.append(Event("turn_skipped", {"seat": seat}))
        pass_on(state, log)


def _first_ones(count: int) -> int:
    return (1 << count) - 1


def pending_choice(state: State, seat: int) -> int:
    """The action that settles a pending choice without its player (COMMON-RESIGN-2), or -1 if none is pending."""
    if state.phase == SETUP_TICKETS:
        return KEEP_TICKETS + _first_ones(state.rules.edition.setup_keep)
    if state.phase == TICKET_CHOICE:
        return KEEP_TICKETS + _first_ones(min(state.rules.edition.draw_keep, len(state.offer[seat])))
    if state.phase == TUNNEL_PENDING:
        return TUNNEL_ABANDON
    if state.phase != AFTER_FIRST_CARD:
        return -1
    if not state.rules.must_draw_second:
        return STOP_DRAWING
    if state.deck_left:
        return DRAW_DECK
    barred = LOCO if state.rules.loco_ends_draw else EMPTY
    return DRAW_ROW + [card not in (EMPTY, barred) for card in state.row].index(True)
