"""Connection and longest path in one player's network (COMMON-TICKET-10, COMMON-PATH, SWI-COUNTRY)."""

from typing import Any

from .naive_rules import Board

Route = dict[str, Any]


def places_of(board: Board, place: str) -> set[str]:
    """Give a city as itself and a country as its exits (SWI-COUNTRY-1)."""
    for country in board.get("countries", []):
        if country["id"] == place:
            return set(country["exits"])
    return {place}


def reachable(routes: list[Route], start: str) -> set[str]:
    """Give every place joined to `start` by a chain of these routes."""
    found = {start}
    grown = True
    while grown:
        grown = False
        for route in routes:
            if (route["a"] in found) != (route["b"] in found):
                found |= {route["a"], route["b"]}
                grown = True
    return found


def joined(board: Board, routes: list[Route], start: str, target: str) -> bool:
    """Tell whether routes join a place of `start` to a place of `target` (SWI-COUNTRY-2, -3)."""
    targets = places_of(board, target)
    return any(reachable(routes, place) & targets for place in places_of(board, start))


def other_end(route: Route, place: str) -> str:
    """Give the far end of a route."""
    return str(route["b"] if route["a"] == place else route["a"])


def longest_trail(routes: list[Route]) -> int:
    """Try every trail: no route twice, places may repeat (COMMON-PATH-3)."""
    best = 0

    def walk(place: str, length: int, unused: list[Route]) -> None:
        nonlocal best
        best = max(best, length)
        if length + sum(route["length"] for route in unused) <= best:  # cannot become longer
            return
        for route in unused:
            if place in (route["a"], route["b"]):
                rest = [other for other in unused if other is not route]
                walk(other_end(route, place), length + route["length"], rest)

    for start in sorted({end for route in routes for end in (route["a"], route["b"])}):
        component = reachable(routes, start)
        walk(start, 0, [route for route in routes if route["a"] in component])
    return best


def longest_without_fork(routes: list[Route]) -> int:
    """Try every simple path and every simple closed loop (COMMON-PATH-4)."""
    best = 0

    def walk(path: list[str], used: list[Route]) -> None:
        nonlocal best
        length = sum(route["length"] for route in used)
        best = max(best, length)
        for route in routes:
            if path[-1] not in (route["a"], route["b"]) or any(route is other for other in used):
                continue
            ahead = other_end(route, path[-1])
            if ahead == path[0]:
                best = max(best, length + route["length"])
            elif ahead not in path:
                walk([*path, ahead], [*used, route])

    for start in {end for route in routes for end in (route["a"], route["b"])}:
        walk([start], [])
    return best


def longest_path(routes: list[Route], option: str) -> int:
    """Give the length of the longest path under the `longest_path` option."""
    return longest_trail(routes) if option == "trail" else longest_without_fork(routes)
