"""What a bot is told of the board it plays on: plain facts, fixed for the whole game."""

from typing import Any

from turntable_rules import Ruleset
from turntable_session.forms.tickets import ticket_forms

Form = dict[str, Any]


def board_facts(rules: Ruleset) -> Form:
    """Routes, countries and tickets, and what the ruleset makes of them; without a board, no routes."""
    edition, board = rules.edition, rules.board
    return {
        "routes": [
            {
                "id": route.id,
                "from": route.a,
                "to": route.b,
                "length": route.length,
                "colour": route.colour,
                "kind": route.kind,
                "locos": route.locos,
                "takesLocos": rules.takes_locos[number],
                "points": rules.route_points[number],
                "doubleGroup": route.double_group,
            }
            for number, route in enumerate(board.routes if board else ())
        ],
        "countries": {country.id: list(country.exits) for country in (board.countries if board else ())},
        "tickets": [dict(form) for form in ticket_forms(rules).values()],
        "doubleClosesAll": rules.double_closes_all,
        "faceUpLocoCost": edition.face_up_loco_cost,
        "unusedStationPoints": edition.unused_station_points,
    }
