"""Moves as JSON: read from clients, and listed for them one by one or grouped by what they pay for."""

from collections.abc import Iterable
from typing import Any, Final

from turntable_rules import Move, State, legal_actions, move_from_json, move_to_json, to_move
from turntable_rules.engine.actions import SMALL_PAYMENTS, small_payment_cards
from turntable_rules.engine.cards import COLOUR_NAMES

Form = dict[str, Any]

_COLOURS: Final = (*COLOUR_NAMES, None)
"""Colours by number; -1, the colour of locos alone, finds None."""
_GROUPED: Final = {"claim": "route", "build_station": "city"}
"""The moves that are grouped, and by which field."""


def move_form(move: Form) -> Form:
    """A move of the engine's as clients know it: the words are the same, so it is only copied."""
    return {key: value.copy() if isinstance(value, (dict, list)) else value for key, value in move.items()}


def parse_move_form(form: object) -> Move:
    """Read a client's move; raises IllegalMove with `malformed_move` for anything that is not one."""
    return move_from_json(form)


def legal_forms(state: State, seat: int) -> list[Form]:
    """The legal moves of a seat, each with an `id` that is valid in this position only."""
    rules = state.rules
    claims, first_station, first_claim, after_claims = (
        rules.claims,
        rules.build_station,
        rules.claim,
        rules.play_same,
    )
    forms: list[Form] = []
    for action in legal_actions(state, seat):
        # There may be hundreds of claims and stations, so they are read from the tables at once.
        if first_claim <= action < after_claims:
            claim = action - first_claim
            route, locos = claims.route[claim], claims.locos[claim]
            payment = _payment(claims.colour[claim], rules.route_length[route] - locos, locos)
            forms.append({"id": action, "type": "claim", "route": rules.route_ids[route], "payment": payment})
        elif first_station <= action < first_claim:
            city, small = divmod(action - first_station, SMALL_PAYMENTS)
            payment, name = _payment(*small_payment_cards(small)), rules.place_ids[rules.cities[city]]
            forms.append({"id": action, "type": "build_station", "city": name, "payment": payment})
        else:
            forms.append({"id": action, **move_to_json(to_move(state, seat, action))})
    return forms


def _payment(colour: int, wagons: int, locos: int) -> Form:
    return {"colour": _COLOURS[colour], "wagons": wagons, "locos": locos}


def grouped_forms(state: State, seat: int) -> list[Form]:
    """The legal moves of a seat, grouped."""
    return group_forms(legal_forms(state, seat))


def group_forms(moves: Iterable[Form]) -> list[Form]:
    """Legal moves with claims and stations once per route or city, and all the payments for it."""
    forms: list[Form] = []
    payments: dict[tuple[str, str], list[list[object]]] = {}
    for move in moves:
        kind = move["type"]
        field = _GROUPED.get(kind)
        if field is None:
            forms.append(move)
            continue
        place, paid = move[field], move["payment"]
        group = payments.get((kind, place))
        if group is None:
            group = payments[kind, place] = []
            forms.append({"type": kind, field: place, "payments": group})
        group.append([move["id"], paid["colour"], paid["wagons"], paid["locos"]])
    return forms
