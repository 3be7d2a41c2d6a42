"""The end of a game: totals, ranks and winners (COMMON-SCORE, COMMON-TIE, CARD-SCORE, CARD-CITY)."""

from turntable_rules.engine.edition import FEWEST_STATIONS, LONGEST_PATH, MOST_CITY_BONUSES, MOST_TICKETS
from turntable_rules.engine.loans import best_loans
from turntable_rules.engine.longest_path import LongestPath, walk
from turntable_rules.engine.network import join_places, own_routes
from turntable_rules.engine.result import CityBonus, Loan, Result, SeatResult, TicketResult
from turntable_rules.engine.state import ENDING_NAMES, State
from turntable_rules.engine.tickets import ticket_outcome


class Tally:
    """The figures of one seat, as numbers."""

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.retired = state.is_retired(seat)
        self.start = 0 if state.rules.yards else state.rules.options.start_score
        self.routes = 0
        self.tickets: list[int] = []
        """Tickets in the order of the result, then whether completed and the points, side by side."""
        self.done: list[bool] = []
        self.points: list[int] = []
        self.completed = 0
        self.stations = 0
        self.built = len(state.stations[seat])
        self.loans: list[int] = []
        self.path_routes: list[int] = []
        """The routes of one longest path, in no order."""
        self.path_length = 0
        self.path_bonus = 0
        self.cities: list[int] = []
        self.city_points = 0
        self.total = 0
        self.rank = 0

    def add_ticket(self, ticket: int, done: bool, points: int) -> None:
        """Note one ticket's outcome."""
        self.tickets.append(ticket)
        self.done.append(done)
        self.points.append(points)
        if done:
            self.completed += 1

    def add_up(self) -> None:
        """COMMON-SCORE-1, CARD-SCORE-2."""
        self.total = (
            self.start + self.routes + sum(self.points) + self.stations + self.path_bonus + self.city_points
        )


def tallies(state: State) -> list[Tally]:
    """The figures of all seats, ranked; in numbers only, for those who play millions of games."""
    rules = state.rules
    seats = [Tally(state, seat) for seat in range(rules.players)]
    for tally in seats:
        if rules.yards:
            _count_destinations(state, tally)
        else:
            _count_board(state, tally)
    if rules.yards:
        _award_cities(state, seats)
    else:
        _award_longest_path(state, seats)
    for tally in seats:
        tally.add_up()
    _rank(state, seats)
    return seats


def _count_board(state: State, tally: Tally) -> None:
    rules = state.rules
    seat = tally.seat
    routes = own_routes(state, seat)
    for route in routes:
        tally.routes += rules.route_points[route]
    label = join_places(state, routes)
    held = state.tickets[seat]
    if state.stations[seat]:
        tally.loans = best_loans(
            label, _loan_options(state, seat), rules.route_a, rules.route_b, rules.ticket_table, list(held)
        )
        lent = [route for route in tally.loans if route >= 0]
        if lent:
            label = join_places(state, routes + lent)
    for ticket in held:
        done, points = ticket_outcome(rules.ticket_table, ticket, label)
        tally.add_ticket(ticket, done, points)
    tally.stations = (rules.edition.stations - tally.built) * rules.edition.unused_station_points
    _find_path(state, tally, routes)


def _find_path(state: State, tally: Tally, routes: list[int]) -> None:
    """COMMON-PATH-1 to -4; borrowed routes do not count (EUR-STATION-16)."""
    rules = state.rules
    a = [rules.route_a[route] for route in routes]
    b = [rules.route_b[route] for route in routes]
    found = LongestPath(a, b, [rules.route_length[route] for route in routes], rules.options.no_fork)
    tally.path_length = found.length
    tally.path_routes = [routes[edge] for edge in found.routes()]


def _loan_options(state: State, seat: int) -> list[list[int]]:
    """Per station, the opponents' routes at its city, by route id (EUR-STATION-10, -12)."""
    rules = state.rules
    options: list[list[int]] = []
    for city in state.stations[seat]:
        found: list[int] = []
        for route in rules.loan_order:
            owner = state.owner[route]
            if (
                owner >= 0
                and owner != seat
                and (rules.route_a[route] == city or rules.route_b[route] == city)
            ):
                found.append(route)
        options.append(found)
    return options


def _award_longest_path(state: State, seats: list[Tally]) -> None:
    """COMMON-PATH-5, -6."""
    longest = max([tally.path_length for tally in seats])
    for tally in seats:
        if longest > 0 and tally.path_length == longest:
            tally.path_bonus = state.rules.edition.path_bonus


def _count_destinations(state: State, tally: Tally) -> None:
    """CARD-FULFIL-8, CARD-SCORE-1."""
    points = state.rules.ticket_points
    for ticket in state.completed[tally.seat]:
        tally.add_ticket(ticket, True, points[ticket][0])
    for ticket in state.tickets[tally.seat]:
        tally.add_ticket(ticket, False, -points[ticket][0])


def _award_cities(state: State, seats: list[Tally]) -> None:
    """CARD-CITY-2 to -5."""
    rules = state.rules
    for city in range(len(rules.city_bonus)):
        named: list[int] = []
        for tally in seats:
            named.append(len([t for t in state.completed[tally.seat] if city in rules.ticket_cities[t]]))
        most = max(named)
        for tally in seats:
            if most > 0 and named[tally.seat] == most:
                tally.cities.append(city)
                tally.city_points += rules.city_bonus[city]


def _standing(state: State, tally: Tally) -> list[int]:
    """What ranks a seat: not retired (COMMON-RESIGN-3), total, then the edition's tie-breaks (COMMON-TIE)."""
    standing = [0 if tally.retired else 1, tally.total]
    for criterion in state.rules.edition.tie_breaks:
        if criterion == MOST_TICKETS:
            standing.append(tally.completed)
        elif criterion == LONGEST_PATH:
            standing.append(tally.path_length)
        elif criterion == FEWEST_STATIONS:
            standing.append(-tally.built)
        elif criterion == MOST_CITY_BONUSES:
            standing.append(len(tally.cities))
    return standing


def _rank(state: State, seats: list[Tally]) -> None:
    """Equal standings share a rank (COMMON-TIE-4)."""
    standings = [_standing(state, tally) for tally in seats]
    for tally in seats:
        tally.rank = 1 + len([other for other in standings if other > standings[tally.seat]])


def score(state: State) -> Result:
    """The result as the table stands; final once the game is finished."""
    seats = tallies(state)
    return Result(
        seats=tuple([_seat_result(state, tally) for tally in seats]),
        winners=tuple([tally.seat for tally in seats if tally.rank == 1]),
        ending=ENDING_NAMES[state.ending],
    )


def _seat_result(state: State, tally: Tally) -> SeatResult:
    rules = state.rules
    tickets = [
        TicketResult(rules.ticket_ids[ticket], tally.done[at], tally.points[at])
        for at, ticket in enumerate(tally.tickets)
    ]
    loans = [
        Loan(rules.place_ids[city], rules.route_ids[tally.loans[at]] if tally.loans[at] >= 0 else None)
        for at, city in enumerate(state.stations[tally.seat])
    ]
    path = walk(
        [rules.route_a[route] for route in tally.path_routes],
        [rules.route_b[route] for route in tally.path_routes],
        list(range(len(tally.path_routes))),
    )
    bonuses = [CityBonus(rules.city_names[city], rules.city_bonus[city]) for city in tally.cities]
    return SeatResult(
        seat=tally.seat,
        start=tally.start,
        routes=tally.routes,
        tickets=tuple(tickets),
        stations=tally.stations,
        loans=tuple(loans),
        path_length=tally.path_length,
        path_routes=tuple([rules.route_ids[tally.path_routes[step]] for step in path]),
        path_bonus=tally.path_bonus,
        city_bonuses=tuple(bonuses),
        total=tally.total,
        rank=tally.rank,
        retired=tally.retired,
    )
