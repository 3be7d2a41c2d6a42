"""Boards made for one test: a few routes in short notation, the rest filled in so that the board is sound."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import turntable_rules as rules_engine

Json = dict[str, Any]


def route(id: str, ends: str, length: int, colour: str = "grey", **more: object) -> Json:
    """A route between the two places of `ends`, such as `x-y`."""
    a, b = ends.split("-")
    return {"id": id, "a": a, "b": b, "length": length, "color": colour, **more}


def line(ends: str, length: int, **more: object) -> Json:
    """A gray route named after its ends."""
    return route(ends.replace("-", "_"), ends, length, "grey", **more)


def ticket(ends: str, points: int) -> Json:
    """A ticket `t_x_y` between the two places of `ends`."""
    a, b = ends.split("-")
    return {"id": f"t_{a}_{b}", "a": a, "b": b, "points": points}


def choice_ticket(id: str, start: str, **targets: int) -> Json:
    """A ticket with several targets (SWI-MULTI-1)."""
    return {
        "id": id,
        "from": start,
        "targets": [{"to": to, "points": points} for to, points in targets.items()],
    }


def fan_board_text(
    routes: Sequence[Json], tickets: Sequence[Json] = (), countries: Mapping[str, Sequence[str]] | None = None
) -> str:
    """The file of a board. Thirty tickets of one point along its first inland route are added, ten of them long."""
    exits = {exit: country for country, own in (countries or {}).items() for exit in own}
    places = dict.fromkeys(place for one in routes for place in (one["a"], one["b"]))
    inland = next(one for one in routes if one["a"] not in exits and one["b"] not in exits)
    filler = [
        {
            "id": f"filler_{number}",
            "a": inland["a"],
            "b": inland["b"],
            "points": 1,
            "deck": "long" if number < 10 else "regular",
        }
        for number in range(30)
    ]
    return json.dumps(
        {
            "format": "turntable-board/1",
            "id": "fan",
            "name": "Fan",
            "board": {"width": 1000, "height": 100},
            "countries": [
                {"id": country, "name": country, "exits": list(own)}
                for country, own in (countries or {}).items()
            ],
            "cities": [
                {"id": place, "name": place, "x": 10 + 20 * at, "y": 50, "country": exits.get(place)}
                for at, place in enumerate(places)
            ],
            "routes": list(routes),
            "tickets": [*tickets, *filler],
        }
    )


def fan_board(
    routes: Sequence[Json], tickets: Sequence[Json] = (), countries: Mapping[str, Sequence[str]] | None = None
) -> rules_engine.Board:
    """The board itself."""
    return rules_engine.parse_board(fan_board_text(routes, tickets, countries))
