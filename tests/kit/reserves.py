"""Routes that account for a reserve: a test may name a number of wagons left and no routes they lie on."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import turntable_rules as rules_engine


def with_routes_for_reserves(rules: rules_engine.Ruleset, position: dict[str, Any]) -> dict[str, Any]:
    """The same position with unclaimed routes given to the seats whose wagons are missing, long ones first."""
    position = copy.deepcopy(position)
    owners = position["routes"]
    for seat, player in enumerate(position["players"]):
        placed = sum(
            rules.route_length[rules.route_index[route]] for route in owners if owners[route] == seat
        )
        missing = rules.edition.wagons - placed - player["wagons"]
        for route in _of_length(rules, _free(rules, owners), missing):
            owners[rules.route_ids[route]] = seat
            player["score"] += rules.route_points[route]
    return position


def _free(rules: rules_engine.Ruleset, owners: dict[str, int]) -> list[int]:
    """Routes with no track claimed, one track of each; the shortest are left for the tests to claim."""
    assert rules.board is not None
    routes = rules.board.routes
    used = {route.double_group or route.id for route in routes if route.id in owners}
    first = {route.double_group or route.id: number for number, route in reversed([*enumerate(routes)])}
    free = [number for group, number in first.items() if group not in used and routes[number].length > 1]
    return sorted(free, key=lambda number: (-routes[number].length, number))


def _of_length(rules: rules_engine.Ruleset, routes: Sequence[int], length: int) -> list[int]:
    """Some of the routes, together exactly so long."""
    for at, route in enumerate(routes):
        rest = length - rules.route_length[route]
        if rest == 0:
            return [route]
        if rest > 0 and (more := _of_length(rules, routes[at + 1 :], rest)):
            return [route, *more]
    return []
