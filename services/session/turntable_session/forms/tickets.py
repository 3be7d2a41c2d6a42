"""Tickets as JSON: where they lead and what they are worth, the same for everybody who may see them."""

from functools import lru_cache
from typing import Any

from turntable_rules import Ruleset
from turntable_rules.engine.board import Destination, Ticket
from turntable_rules.engine.cards import counts_by_name

Form = dict[str, Any]


def ticket_form(rules: Ruleset, ticket: str) -> Form:
    """One ticket's facts by its id."""
    return dict(ticket_forms(rules)[ticket])


@lru_cache(maxsize=64)
def ticket_forms(rules: Ruleset) -> dict[str, Form]:
    """The facts of every ticket by id, made once per ruleset; not to be changed."""
    forms: dict[str, Form] = {}
    if rules.board is not None:
        for ticket in rules.board.tickets:
            forms[ticket.id] = _ticket(ticket)
    if rules.card_set is not None:
        for destination in rules.card_set.destinations:
            forms[destination.id] = _destination(destination)
    return forms


def _ticket(ticket: Ticket) -> Form:
    """A ticket of a board; several targets are alternatives, and each end is a city or a country (SWI-MULTI-1)."""
    return {
        "id": ticket.id,
        "from": ticket.start,
        "targets": [{"to": target.to, "points": target.points} for target in ticket.targets],
        "long": ticket.long,
    }


def _destination(ticket: Destination) -> Form:
    return {
        "id": ticket.id,
        "from": ticket.a,
        "to": ticket.b,
        "points": ticket.points,
        "cards": counts_by_name(list(ticket.cards)),
        "bigCities": list(ticket.big_cities),
    }
