"""Which opponents' routes a player's stations borrow at the end (EUR-STATION-10 to -16)."""

from turntable_rules.engine.tickets import TicketTable, ticket_outcome


def best_loans(
    label: list[int],
    options: list[list[int]],
    route_a: list[int],
    route_b: list[int],
    table: TicketTable,
    tickets: list[int],
) -> list[int]:
    """Return the route each station borrows, -1 for none, best by EUR-STATION-14.

    Places that the own network joins have equal labels. `options` holds per station, in build order, the opponents'
    routes at its city by ascending route id; `tickets` are the player's, by their number in the table.
    """
    search = LoanSearch(label, options, route_a, route_b)
    for ticket in tickets:
        search.add_ticket(label, table, ticket)
    search.try_station(0, [])
    return search.best


class LoanSearch:
    """All combinations of one useful route or none per station, tried in the order of EUR-STATION-14 (3).

    A part is a set of places joined by the own network. Parts that some loan can join have a bit each.
    """

    def __init__(
        self, label: list[int], options: list[list[int]], route_a: list[int], route_b: list[int]
    ) -> None:
        """Keep per station the routes that join two parts, the first of those that join the same two."""
        self.bit: dict[int, int] = {}
        self.routes: list[list[int]] = []
        self.joins: list[list[int]] = []  # the two parts joined, as bits
        for candidates in options:
            routes: list[int] = []
            joins: list[int] = []
            for route in candidates:
                one, two = label[route_a[route]], label[route_b[route]]
                if one == two:  # helps as much as none, which comes first
                    continue
                join = self.bit.setdefault(one, 1 << len(self.bit)) | self.bit.setdefault(
                    two, 1 << len(self.bit)
                )
                if join not in joins:
                    routes.append(route)
                    joins.append(join)
            self.routes.append(routes)
            self.joins.append(joins)
        self.tickets_open: list[int] = []  # per ticket that loans can change, how many chances it has
        self.own_points: list[int] = []  # and its points without loans, below 0 if lost
        self.own_completed: list[bool] = []
        self.points: list[int] = []  # per chance, best first: points, parts of the start, parts of the target
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.chosen = [-1] * len(options)
        self.best = [-1] * len(options)
        self.best_value = 0
        self.best_completed = -1

    def add_ticket(self, label: list[int], table: TicketTable, ticket: int) -> None:
        """Note the targets by which loans could better the ticket's outcome."""
        completed, points = ticket_outcome(table, ticket, label)
        starts = self._parts_at(label, table.starts, table.start_at[ticket], table.start_at[ticket + 1])
        chances: list[tuple[int, int]] = []
        for target in range(table.target_at[ticket], table.target_at[ticket + 1]):
            ends = self._parts_at(label, table.ends, table.end_at[target], table.end_at[target + 1])
            if starts > 0 and ends > 0 and (not completed or table.points[target] > points):
                chances.append((table.points[target], ends))
        if not chances:
            return
        chances.sort(reverse=True)
        self.tickets_open.append(len(chances))
        self.own_points.append(points)
        self.own_completed.append(completed)
        for worth, ends in chances:
            self.points.append(worth)
            self.starts.append(starts)
            self.ends.append(ends)

    def _parts_at(self, label: list[int], places: list[int], first: int, last: int) -> int:
        parts = 0
        for index in range(first, last):
            parts |= self.bit.get(label[places[index]], 0)
        return parts

    def try_station(self, station: int, joined: list[int]) -> None:
        """Choose for this station and the later ones, `joined` being what the earlier loans join."""
        if station == len(self.routes):
            self._weigh(joined)
            return
        self.chosen[station] = -1
        self.try_station(station + 1, joined)
        for route, join in zip(self.routes[station], self.joins[station]):
            merged = join
            others: list[int] = []
            for parts in joined:
                if parts & join:
                    merged |= parts
                else:
                    others.append(parts)
            if merged in joined:  # joined already: none did as much
                continue
            others.append(merged)
            self.chosen[station] = route
            self.try_station(station + 1, others)
        self.chosen[station] = -1

    def _weigh(self, joined: list[int]) -> None:
        """Keep the choice if it is better than all before; of equals the first is the smallest."""
        value = 0
        completed = 0
        chance = 0
        for ticket in range(len(self.tickets_open)):
            after = chance + self.tickets_open[ticket]
            while chance < after and not self._is_joined(joined, self.starts[chance], self.ends[chance]):
                chance += 1
            if chance < after:
                value += self.points[chance]
                completed += 1
            else:
                value += self.own_points[ticket]
                completed += self.own_completed[ticket]
            chance = after
        if self.best_completed < 0 or (value, completed) > (self.best_value, self.best_completed):
            self.best_value = value
            self.best_completed = completed
            self.best = self.chosen.copy()

    def _is_joined(self, joined: list[int], starts: int, ends: int) -> bool:
        for parts in joined:
            if parts & starts and parts & ends:
                return True
        return False
