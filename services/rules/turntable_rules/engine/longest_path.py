"""The longest continuous path of one player's routes, exact (COMMON-PATH-1 to -4, -7)."""

from turntable_rules.engine.frontier import heaviest_set


def trail_length(a: list[int], b: list[int], weight: list[int]) -> int:
    """Return the wagons on the heaviest trail: no route twice, places at will (COMMON-PATH-3)."""
    return LongestPath(a, b, weight, False).length


def line_length(a: list[int], b: list[int], weight: list[int]) -> int:
    """Return the wagons on the heaviest line or loop that meets no place with three routes (COMMON-PATH-4)."""
    return LongestPath(a, b, weight, True).length


def trail(a: list[int], b: list[int], weight: list[int]) -> list[int]:
    """Return the routes of one heaviest trail in walking order."""
    return walk(a, b, LongestPath(a, b, weight, False).routes())


def line(a: list[int], b: list[int], weight: list[int]) -> list[int]:
    """Return the routes of one heaviest line or loop in walking order."""
    return walk(a, b, LongestPath(a, b, weight, True).routes())


class LongestPath:
    """One search: branches with an open end are folded into their root, then what has loops is searched."""

    def __init__(self, a: list[int], b: list[int], weight: list[int], no_fork: bool) -> None:
        """Find the length and remember how it was reached."""
        self.a = a
        self.b = b
        self.weight = weight
        self.no_fork = no_fork
        places = max(max(a), max(b)) + 1 if a else 0
        self.degree = [0] * places  # after folding: the routes of a place that lie on or between loops
        # Per place the heaviest branch folded into it and the second: wagons, and first route (-1: none).
        self.depth = [0] * places
        self.via = [-1] * places
        self.depth2 = [0] * places
        self.via2 = [-1] * places
        self.length = 0
        self.looped: list[int] = []  # the routes of the path that lie on or between loops
        self.roots: list[int] = []  # where its branches begin, and the first route of each
        self.heads: list[int] = []
        self._fold_branches()
        self._search_loops()

    def routes(self) -> list[int]:
        """Return the routes of the path, in no order."""
        result = self.looped.copy()
        for place, route in zip(self.roots, self.heads):
            while route >= 0:
                result.append(route)
                place = self.a[route] + self.b[route] - place
                route = self.via[place]
        return result

    def _fold_branches(self) -> None:
        """Take off one by one the routes with an open end; in a tree this finds the heaviest path."""
        a, b, weight, degree = self.a, self.b, self.weight, self.degree
        depth, via, depth2, via2 = self.depth, self.via, self.depth2, self.via2
        link = [0] * len(degree)  # exclusive or of a place's routes: when one is left, that one
        for route in range(len(a)):
            one, two = a[route], b[route]
            degree[one] += 1
            degree[two] += 1
            link[one] ^= route
            link[two] ^= route
        best = 0
        for leaf in a + b:
            while degree[leaf] == 1:
                route = link[leaf]
                inner = a[route] + b[route] - leaf
                degree[leaf] = 0
                degree[inner] -= 1
                link[inner] ^= route
                reach = depth[leaf] + weight[route]
                if reach + depth[inner] > best:
                    best = reach + depth[inner]
                    self.roots = [inner, inner]
                    self.heads = [route, via[inner]]
                if reach > depth[inner]:
                    depth2[inner] = depth[inner]
                    via2[inner] = via[inner]
                    depth[inner] = reach
                    via[inner] = route
                elif reach > depth2[inner]:
                    depth2[inner] = reach
                    via2[inner] = route
                leaf = inner
        self.length = best

    def _search_loops(self) -> None:
        routes_at: dict[int, list[int]] = {}
        for route in range(len(self.a)):
            one, two = self.a[route], self.b[route]
            if self.degree[one] and self.degree[two]:
                routes_at.setdefault(one, []).append(route)
                routes_at.setdefault(two, []).append(route)
        number: dict[int, int] = {}
        for start in routes_at:
            if start not in number:
                self._search_part(start, routes_at, number)

    def _search_part(self, start: int, routes_at: dict[int, list[int]], number: dict[int, int]) -> None:
        """Search one connected part: its loops, what lies between them, and two branches of each place at most."""
        first = len(number)
        number[start] = first
        part = [start]
        routes: list[int] = []
        for place in part:
            for route in routes_at[place]:
                other = self.a[route] + self.b[route] - place
                if other not in number:
                    number[other] = len(number)
                    part.append(other)
                if place == self.a[route]:
                    routes.append(route)
        wagons = 0
        for route in routes:
            wagons += self.weight[route]
        longest, second = 0, 0  # a path has two ends, so it runs into two branches at most
        for place in part:
            for reach in (self.depth[place], self.depth2[place]):
                if reach > longest:
                    longest, second = reach, longest
                elif reach > second:
                    second = reach
        if wagons + longest + second <= self.length:
            return
        one = [number[self.a[route]] - first for route in routes]
        two = [number[self.b[route]] - first for route in routes]
        weight = [self.weight[route] for route in routes]
        roots = [-1] * len(routes)
        places = len(part)
        for place in part:
            for head, reach in ((self.via[place], self.depth[place]), (self.via2[place], self.depth2[place])):
                if head >= 0:
                    routes.append(head)
                    roots.append(place)
                    one.append(number[place] - first)
                    two.append(places)
                    weight.append(reach)
                    places += 1
        self._keep_better(routes, roots, weight, self._best_of(places, one, two, weight))

    def _best_of(self, places: int, one: list[int], two: list[int], weight: list[int]) -> list[int]:
        """Return a path heavier than the one found before, all routes at once if they are a path."""
        degree = [0] * places
        for place in one + two:
            degree[place] += 1
        obstacles = 0
        for count in degree:
            if count > 2 if self.no_fork else count & 1:
                obstacles += 1
        if obstacles <= (0 if self.no_fork else 2):
            return list(range(len(one)))
        return heaviest_set(places, one, two, weight, self.no_fork, self.length)

    def _keep_better(self, routes: list[int], roots: list[int], weight: list[int], chosen: list[int]) -> None:
        wagons = 0
        for index in chosen:
            wagons += weight[index]
        if wagons <= self.length:
            return
        self.length = wagons
        self.looped = []
        self.roots = []
        self.heads = []
        for index in chosen:
            if roots[index] < 0:
                self.looped.append(routes[index])
            else:
                self.roots.append(roots[index])
                self.heads.append(routes[index])


def walk(a: list[int], b: list[int], routes: list[int]) -> list[int]:
    """Order the routes of a path as they are walked, from the lower of its ends (or places, if closed)."""
    routes_at: dict[int, list[int]] = {}
    for route in sorted(routes, reverse=True):
        routes_at.setdefault(a[route], []).append(route)
        routes_at.setdefault(b[route], []).append(route)
    ends = [place for place in routes_at if len(routes_at[place]) % 2 == 1]
    if not routes:
        return []
    walked: set[int] = set()
    places = [min(ends) if ends else min(routes_at)]
    into: list[int] = []  # the route into each place but the first
    result: list[int] = []
    while places:
        place = places[-1]
        left = routes_at[place]
        while left and left[-1] in walked:
            left.pop()
        if left:
            route = left.pop()
            walked.add(route)
            into.append(route)
            places.append(a[route] + b[route] - place)
        else:  # stuck: everything from here on is walked after what is still to be spliced in
            places.pop()
            if into:
                result.append(into.pop())
    result.reverse()
    return result
