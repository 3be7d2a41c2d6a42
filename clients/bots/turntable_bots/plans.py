"""Which routes a seat should claim for its tickets: cheapest paths, the tickets that pay best first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from turntable_bots.board import Board, Route
from turntable_bots.bot import Form

CLOSED: Final = -1
PER_WAGON: Final = 10
PER_ROUTE: Final = 6
"""Every route costs a turn as well, so few long ones are better than many short ones."""


@dataclass
class Plan:
    """Routes still to be claimed, and the tickets they would or could not complete."""

    routes: list[Route] = field(default_factory=list)
    wagons: int = 0
    """What the routes take."""
    won: int = 0
    lost: int = 0
    """Points of the tickets within reach, and of the others."""
    blocked: list[Form] = field(default_factory=list)
    """Tickets that no open routes complete."""


def prices(board: Board, owners: Mapping[str, int], seat: int, stations: Iterable[str] = ()) -> list[int]:
    """Per route what it would cost the seat: nothing if it is its own, or can be borrowed at one of its stations."""
    price = [route.length * PER_WAGON + PER_ROUTE for route in board.routes]
    borrowing = {place for city in stations for place in board.ends(city)}
    for name, owner in owners.items():
        route = board.by_id.get(name)
        if route is None:
            continue
        mine = owner == seat
        lent = route.a in borrowing or route.b in borrowing
        price[route.number] = 0 if mine or lent else CLOSED
        if mine or board.double_closes_all:
            for twin in board.twins[route.number]:
                if price[twin] > 0:
                    price[twin] = CLOSED
    return price


def distances(
    board: Board, price: Sequence[int], starts: Iterable[int]
) -> tuple[dict[int, int], dict[int, Route]]:
    """The least price from any of the starts to every place in reach, and the route by which it is reached."""
    reached = dict.fromkeys(starts, 0)
    came_by: dict[int, Route] = {}
    queue = [(0, place) for place in reached]
    while queue:
        so_far, place = heappop(queue)
        if so_far > reached[place]:
            continue
        for route in board.at[place]:
            if price[route.number] == CLOSED:
                continue
            other = route.b if route.a == place else route.a
            total = so_far + price[route.number]
            if other not in reached or total < reached[other]:
                reached[other] = total
                came_by[other] = route
                heappush(queue, (total, other))
    return reached, came_by


def path_to(place: int, came_by: Mapping[int, Route]) -> list[Route]:
    """The routes from a start to the place, last first."""
    path: list[Route] = []
    while place in came_by:
        route = came_by[place]
        path.append(route)
        place = route.b if route.a == place else route.a
    return path


@dataclass
class _Way:
    """The best way to complete one ticket."""

    points: int
    wagons: int
    routes: list[Route]


def _best_way(board: Board, price: Sequence[int], ticket: Form) -> _Way | None:
    reached, came_by = distances(board, price, board.ends(ticket["from"]))
    best: _Way | None = None
    for target in ticket["targets"]:
        near = [(reached[place], place) for place in board.ends(target["to"]) if place in reached]
        if near:
            missing = [route for route in path_to(min(near)[1], came_by) if price[route.number] > 0]
            wagons = sum(route.length for route in missing)
            if best is None or target["points"] - wagons > best.points - best.wagons:
                best = _Way(target["points"], wagons, missing)
    return best


def plan(board: Board, price: Sequence[int], tickets: Iterable[Form], wagons: int) -> Plan:
    """Plan for tickets not yet completed; a route planned for one costs the next nothing."""
    price = list(price)
    found = Plan()
    left = list(tickets)
    while left:
        ways = [(_best_way(board, price, ticket), ticket) for ticket in left]
        best: _Way | None = None
        chosen: Form | None = None
        for way, ticket in ways:
            if way is None or way.wagons > wagons - found.wagons:
                continue
            if best is None or way.points * (best.wagons + 1) > best.points * (way.wagons + 1):
                best, chosen = way, ticket
        if best is None:
            found.blocked = [ticket for way, ticket in ways if way is None]
            found.lost = sum(min(target["points"] for target in ticket["targets"]) for ticket in left)
            break
        found.routes += best.routes
        found.wagons += best.wagons
        found.won += best.points
        for route in best.routes:
            price[route.number] = 0
        left = [ticket for ticket in left if ticket is not chosen]
    return found
