"""Playing an action: the one place where a move becomes a change of state."""

from turntable_rules.engine.actions import (
    DRAW_ROW,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PASS,
    SMALL_PAYMENTS,
    STOP_DRAWING,
    THREE_SETS,
    same_cards,
    small_payment_cards,
)
from turntable_rules.engine.cards import CARD_NAMES
from turntable_rules.engine.check import check
from turntable_rules.engine.drawing import draw_deck, draw_row, stop_drawing
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.refusals import IllegalMove
from turntable_rules.engine.routes import abandon_tunnel, claim, pay_tunnel
from turntable_rules.engine.state import SETUP_TICKETS, State
from turntable_rules.engine.stations import build_station
from turntable_rules.engine.ticket_choice import draw_tickets, keep_at_setup, keep_drawn
from turntable_rules.engine.turn import end_turn, end_turn_by_pass
from turntable_rules.engine.yards import place


def apply(state: State, seat: int, action: int) -> list[Event]:
    """Check, then play; returns what happened. Raises IllegalMove and changes nothing if it is refused."""
    refusal = check(state, seat, action)
    if refusal is not None:
        raise IllegalMove(refusal)
    log: list[Event] = []
    play(state, seat, action, log)
    return log


def play(state: State, seat: int, action: int, log: Log = None) -> None:
    """Play an action known to be legal; `log`, if given, receives the events."""
    rules = state.rules
    if action >= rules.claim:
        if rules.yards:
            _place(state, seat, action, log)
        else:
            number = action - rules.claim
            claims = rules.claims
            claim(state, seat, claims.route[number], claims.colour[number], claims.locos[number], log)
    elif action < DRAW_ROW:
        draw_deck(state, seat, log)
    elif action < DRAW_TICKETS:
        draw_row(state, seat, action - DRAW_ROW, log)
    elif action < KEEP_TICKETS:
        _play_wordless(state, seat, action, log)
    elif action < rules.tunnel_pay:
        if state.phase == SETUP_TICKETS:
            keep_at_setup(state, seat, action - KEEP_TICKETS, log)
        else:
            keep_drawn(state, seat, action - KEEP_TICKETS, log)
    elif action < rules.build_station:
        _, wagons, locos = small_payment_cards(action - rules.tunnel_pay)
        pay_tunnel(state, seat, wagons, locos, log)
    else:
        offset = action - rules.build_station
        colour, wagons, locos = small_payment_cards(offset % SMALL_PAYMENTS)
        build_station(state, seat, rules.cities[offset // SMALL_PAYMENTS], colour, wagons, locos, log)


def _play_wordless(state: State, seat: int, action: int, log: Log) -> None:
    if action == DRAW_TICKETS:
        draw_tickets(state, seat, log)
    elif action == STOP_DRAWING:
        stop_drawing(state, seat, log)
    elif action == PASS:
        if log is not None:
            log.append(Event("passed", {"seat": seat}))
        end_turn_by_pass(state, log)
    else:
        abandon_tunnel(state, seat, log)


def _place(state: State, seat: int, action: int, log: Log) -> None:
    """Place one column, or three of one card (FSM-11)."""
    rules = state.rules
    columns: list[tuple[int, int, int]] = []
    if action >= rules.play_three:
        for colour in THREE_SETS[action - rules.play_three]:
            columns.append((colour, 1, 0))
    else:
        columns.append(same_cards(action - rules.play_same))
    if log is not None:
        shown = [{"colour": CARD_NAMES[c], "wagons": wagons, "locos": locos} for c, wagons, locos in columns]
        log.append(Event("trains_placed", {"seat": seat, "columns": shown}))
    for colour, wagons, locos in columns:
        place(state, seat, colour, wagons, locos, log)
    end_turn(state, log)
