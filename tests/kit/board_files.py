"""The file of a board that a test has only as an object."""

from __future__ import annotations

import json

import turntable_rules as rules_engine


def board_text(board: rules_engine.Board) -> str:
    """A board file that is read as this very board."""
    text = json.dumps(
        {
            "format": "turntable-board/1",
            "id": board.id,
            "name": board.name,
            "board": {"width": board.width, "height": board.height},
            "countries": [
                {"id": country.id, "name": country.name, "exits": country.exits}
                for country in board.countries
            ],
            "cities": [
                {"id": place.id, "name": place.name, "x": place.x, "y": place.y, "country": place.country}
                for place in board.places
            ],
            "routes": [
                {
                    "id": route.id,
                    "a": route.a,
                    "b": route.b,
                    "length": route.length,
                    "color": route.colour or "gray",
                    "kind": route.kind,
                    "locomotives": route.locos,
                    "double_group": route.double_group,
                }
                for route in board.routes
            ],
            "tickets": [
                {
                    "id": ticket.id,
                    "from": ticket.start,
                    "targets": [{"to": target.to, "points": target.points} for target in ticket.targets],
                    "deck": "long" if ticket.long else "regular",
                }
                for ticket in board.tickets
            ],
        }
    )
    assert rules_engine.parse_board(text).digest == board.digest
    return text
