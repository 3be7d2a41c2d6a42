"""Views as JSON: a game as one seat or a spectator may know it, the rules' facts and the table's together."""

from collections.abc import Mapping, Sequence
from typing import Any

from turntable_rules import Ruleset
from turntable_rules.engine.cards import ROW_SIZE
from turntable_session.forms.results import result_form
from turntable_session.forms.tickets import ticket_forms

Form = dict[str, Any]
Seats = Sequence[Mapping[str, Any]]
"""What the table knows of each seat: `name`, `kind`, `state`, `connected`, `clock`."""


def view_form(
    view: Form,
    rules: Ruleset,
    *,
    id: str,
    version: int,
    status: str,
    server_time: str,
    seed_commitment: str,
    seats: Seats,
) -> Form:
    """A game that has begun, from the engine's view of it; parts of that view are shared, not copied."""
    you, result = view["you"], view["result"]
    return {
        "id": id,
        "edition": view["edition"],
        "options": view["options"],
        "version": version,
        "status": status,
        "phase": view["phase"],
        "activeSeats": view["active_seats"],
        "turn": view["turn"],
        "round": view["round"],
        "serverTime": server_time,
        "you": None if you is None else _own(you, rules),
        "players": [_player(player, seat) for player, seat in zip(view["players"], seats, strict=True)],
        "row": view["row"],
        "deckSize": view["deck_size"],
        "discard": view["discard"],
        "ticketPileSize": view["ticket_pile_size"],
        "ticketsOut": view["tickets_out"],
        "routes": view["routes"],
        "stations": view["stations"],
        "tunnel": view["tunnel"],
        "finalTurnsLeft": view["final_turns_left"],
        "seedCommitment": seed_commitment,
        "result": None if result is None else result_form(result),
    }


def _own(you: Form, rules: Ruleset) -> Form:
    facts = ticket_forms(rules)
    own: Form = {
        "seat": you["seat"],
        "hand": you["hand"],
        "tickets": [{**facts[held["id"]], "completed": held["completed"]} for held in you["tickets"]],
        "offered": [dict(facts[ticket]) for ticket in you["offered"]],
    }
    if "road_pile" in you:  # only with the option `peek_own_pile` (CARD-ROAD-6)
        own["roadPile"] = you["road_pile"]
    return own


def _player(player: Form, seat: Mapping[str, Any]) -> Form:
    return {
        "seat": player["seat"],
        "name": seat["name"],
        "kind": seat["kind"],
        "state": "retired" if player["retired"] else seat["state"],
        "choosing": player["choosing"],
        "handSize": player["hand_size"],
        "handAtLeast": player["hand_at_least"],
        "ticketCount": player["ticket_count"],
        "offeredCount": player["offered_count"],
        "wagons": player["wagons"],
        "stations": player["stations"],
        "score": player["score"],
        "completedTickets": player["completed_tickets"],
        "yard": player["yard"],
        "roadPileSize": player["road_pile_size"],
        "connected": seat["connected"],
        "clock": seat["clock"],
    }


def open_view_form(
    rules: Ruleset,
    *,
    id: str,
    version: int,
    status: str,
    server_time: str,
    seed_commitment: str,
    seats: Seats,
    seat: int | None = None,
) -> Form:
    """A game that has not begun, or never will, with the same keys; `seat` is the reader's."""
    return {
        "id": id,
        "edition": rules.edition.id,
        "options": rules.options.to_json(rules.edition),
        "version": version,
        "status": status,
        "phase": None,
        "activeSeats": [],
        "turn": 0,
        "round": 0,
        "serverTime": server_time,
        "you": None if seat is None else {"seat": seat, "hand": {}, "tickets": [], "offered": []},
        "players": [_waiting(number, sitting) for number, sitting in enumerate(seats)],
        "row": [None] * ROW_SIZE,
        "deckSize": 0,
        "discard": {},
        "ticketPileSize": 0,
        "ticketsOut": 0,
        "routes": {},
        "stations": {},
        "tunnel": None,
        "finalTurnsLeft": None,
        "seedCommitment": seed_commitment,
        "result": None,
    }


def _waiting(number: int, seat: Mapping[str, Any]) -> Form:
    return {
        "seat": number,
        "name": seat["name"],
        "kind": seat["kind"],
        "state": seat["state"],
        "choosing": False,
        "handSize": 0,
        "handAtLeast": {},
        "ticketCount": 0,
        "offeredCount": 0,
        "wagons": 0,
        "stations": 0,
        "score": 0,
        "completedTickets": [],
        "yard": [],
        "roadPileSize": 0,
        "connected": seat["connected"],
        "clock": seat["clock"],
    }
