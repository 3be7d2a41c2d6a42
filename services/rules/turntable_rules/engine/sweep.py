"""The order in which the routes of a network are decided, so that few places are undecided at a time."""

from typing import Final

STARTS: Final = 6  # places tried as the first of the sweep


class Sweep:
    """Routes in the order of their decision, each end known by its slot in the frontier."""

    def __init__(self, places: int, a: list[int], b: list[int], weight: list[int]) -> None:
        """Order the routes of a connected network whose places are numbered from 0."""
        self.order = route_order(places, a, b)
        self.a = [a[route] for route in self.order]
        self.b = [b[route] for route in self.order]
        self.weight = [weight[route] for route in self.order]
        self.first: list[int] = []  # slot of one end, per step
        self.second: list[int] = []
        self.first_leaves: list[bool] = []  # this is the last route of that place
        self.second_leaves: list[bool] = []
        self.width = self._assign_slots(places, a, b)

    def _assign_slots(self, places: int, a: list[int], b: list[int]) -> int:
        undecided = [0] * places
        for route in self.order:
            undecided[a[route]] += 1
            undecided[b[route]] += 1
        slot = [-1] * places
        used: list[bool] = []
        for route in self.order:
            for place in (a[route], b[route]):
                if slot[place] < 0:
                    slot[place] = take_slot(used)
                undecided[place] -= 1
            one, two = a[route], b[route]
            self.first.append(slot[one])
            self.second.append(slot[two])
            self.first_leaves.append(undecided[one] == 0)
            self.second_leaves.append(undecided[two] == 0)
            used[slot[one]] = undecided[one] > 0
            used[slot[two]] = undecided[two] > 0
        return len(used)


def take_slot(used: list[bool]) -> int:
    """Return the lowest free slot, now used."""
    for slot in range(len(used)):
        if not used[slot]:
            used[slot] = True
            return slot
    used.append(True)
    return len(used) - 1


def route_order(places: int, a: list[int], b: list[int]) -> list[int]:
    """Order the routes by the later of their ends, in the narrowest place order found."""
    routes_at: list[list[int]] = [[] for _ in range(places)]
    for route in range(len(a)):
        routes_at[a[route]].append(route)
        routes_at[b[route]].append(route)
    starts = sorted([(len(routes_at[place]), place) for place in range(places)])
    best: list[int] = []
    limit = 0
    for _, start in starts[:STARTS]:
        order: list[int] = []
        cost = sweep_from(start, routes_at, a, b, limit, order)
        if cost > 0:
            limit = cost
            best = order
    return best


def sweep_from(
    start: int, routes_at: list[list[int]], a: list[int], b: list[int], limit: int, order: list[int]
) -> int:
    """Append the routes in the order met; return the sum of 2^frontier, or 0 once a positive `limit` is reached."""
    met = [False] * len(routes_at)
    undecided = [len(routes) for routes in routes_at]
    frontier: list[int] = []
    cost = 0
    place = start
    while place >= 0:
        met[place] = True
        frontier.append(place)
        cost += 1 << len(frontier)
        if 0 < limit <= cost:
            return 0
        for route in routes_at[place]:
            other = a[route] + b[route] - place
            if met[other]:
                order.append(route)
                undecided[place] -= 1
                undecided[other] -= 1
        frontier = [other for other in frontier if undecided[other] > 0]
        place = next_place(frontier, routes_at, a, b, met, undecided)
    return cost


def next_place(
    frontier: list[int],
    routes_at: list[list[int]],
    a: list[int],
    b: list[int],
    met: list[bool],
    undecided: list[int],
) -> int:
    """Return the neighbour that widens the frontier least, of equals one next to the oldest place; -1 if none."""
    best = -1
    best_growth = 0
    weighed = met.copy()
    for place in frontier:
        for route in routes_at[place]:
            candidate = a[route] + b[route] - place
            if weighed[candidate]:
                continue
            weighed[candidate] = True
            growth = frontier_growth(candidate, routes_at[candidate], a, b, met, undecided)
            if best < 0 or growth < best_growth:
                best = candidate
                best_growth = growth
    return best


def frontier_growth(
    place: int, routes: list[int], a: list[int], b: list[int], met: list[bool], undecided: list[int]
) -> int:
    """Return by how many places the frontier grows when `place` is met."""
    growth = 0
    for route in routes:
        other = a[route] + b[route] - place
        if met[other]:
            undecided[other] -= 1
            if undecided[other] == 0:
                growth -= 1
    outward = False
    for route in routes:
        other = a[route] + b[route] - place
        if met[other]:
            undecided[other] += 1
        else:
            outward = True
    return growth + 1 if outward else growth
