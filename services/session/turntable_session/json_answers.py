"""Answers of the core in the JSON forms that clients and bots know."""

from typing import Any

from turntable_rules import Ruleset
from turntable_session.core.answers import GameView, SeatFacts, Update
from turntable_session.core.records import format_time
from turntable_session.forms.events import event_form
from turntable_session.forms.moves import move_form
from turntable_session.forms.views import open_view_form, view_form

Form = dict[str, Any]


def game_view_form(view: GameView, rules: Ruleset) -> Form:
    """A game as its viewer sees it."""
    game = view.game
    seats = [_seat(seat, game.settings.clock is not None) for seat in game.seats]
    facts: dict[str, Any] = {
        "id": game.id,
        "version": game.version,
        "status": game.status,
        "server_time": format_time(view.server_time),
        "seed_commitment": game.seed_commitment,
        "seats": seats,
    }
    if view.view is None:
        return open_view_form(rules, seat=view.seat, **facts)
    return view_form({**view.view, "result": view.result}, rules, **facts)


def _seat(seat: SeatFacts, timed: bool) -> Form:
    clock = None
    if timed:
        deadline = None if seat.deadline is None else format_time(seat.deadline)
        clock = {"bankMs": seat.bank_ms, "deadlineAt": deadline}
    return {
        "name": seat.name,
        "kind": seat.kind,
        "state": seat.state,
        "connected": seat.connected,
        "clock": clock,
    }


def update_form(update: Update) -> Form:
    """One commit as its reader may see it."""
    return {
        "version": update.version,
        "at": format_time(update.at),
        "status": update.status,
        "phase": update.phase or None,
        "activeSeats": update.active_seats,
        "kind": update.kind,
        "by": update.by,
        "seat": update.seat,
        "move": None if update.move is None else move_form(update.move),
        "events": [event_form(event) for event in update.events],
    }
