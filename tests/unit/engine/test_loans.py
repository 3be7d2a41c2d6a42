"""Tickets and the routes that stations borrow, against an enumeration of all assignments."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turntable_rules.engine.loans import best_loans
from turntable_rules.engine.tickets import TicketTable, ticket_outcome

Routes = list[tuple[int, int]]
Ticket = tuple[list[int], list[tuple[list[int], int]]]  # start places; per target its places and points


def labels(places: int, routes: Routes) -> list[int]:
    """Equal numbers for places that the routes join: each takes the lower number until nothing changes."""
    label = list(range(places))
    while True:
        before = label.copy()
        for one, two in routes:
            label[one] = label[two] = min(label[one], label[two])
        if label == before:
            return label


def naive_outcome(ticket: Ticket, label: list[int]) -> tuple[bool, int]:
    """SWI-MULTI-2 to -5 word for word."""
    starts, targets = ticket
    reached = [points for ends, points in targets if {label[p] for p in starts} & {label[p] for p in ends}]
    return (True, max(reached)) if reached else (False, -min(points for _, points in targets))


def naive_loans(
    places: int, own: Routes, options: list[list[int]], routes: Routes, tickets: list[Ticket]
) -> list[int]:
    """The best of all combinations of one route or none per station, by EUR-STATION-14; ids are numbers."""

    def order(loans: tuple[int, ...]) -> tuple[int, int, list[int]]:
        label = labels(places, own + [routes[route] for route in loans if route >= 0])
        outcomes = [naive_outcome(ticket, label) for ticket in tickets]
        return -sum(points for _, points in outcomes), -sum(done for done, _ in outcomes), list(loans)

    combinations: list[tuple[int, ...]] = list(
        itertools.product(*[[-1, *candidates] for candidates in options])
    )
    best = min(combinations, key=order)
    return list(best)


def table_of(tickets: list[Ticket]) -> TicketTable:
    return TicketTable(
        [starts for starts, _ in tickets],
        [[ends for ends, _ in targets] for _, targets in tickets],
        [[points for _, points in targets] for _, targets in tickets],
    )


def loans_of(
    places: int, own: Routes, options: list[list[int]], routes: Routes, tickets: list[Ticket]
) -> list[int]:
    return best_loans(
        labels(places, own),
        options,
        [one for one, _ in routes],
        [two for _, two in routes],
        table_of(tickets),
        list(range(len(tickets))),
    )


def plain(one: int, two: int, points: int) -> Ticket:
    return [one], [([two], points)]


def random_ticket(rng: random.Random, places: int) -> Ticket:
    def somewhere() -> list[int]:
        return rng.sample(range(places), rng.choice((1, 1, 2)))

    return somewhere(), [(somewhere(), rng.randint(1, 6)) for _ in range(rng.choice((1, 1, 2, 3)))]


def test_ticket_between_two_cities():
    """COMMON-TICKET-10, COMMON-TICKET-11."""
    table = table_of([plain(0, 2, 7)])
    assert ticket_outcome(table, 0, labels(3, [(0, 1), (1, 2)])) == (True, 7)
    assert ticket_outcome(table, 0, labels(3, [(0, 1)])) == (False, -7)


def test_ticket_with_several_targets():
    """SWI-MULTI-3, SWI-MULTI-4: the best reached is won, else the cheapest lost."""
    table = table_of([([0], [([1], 4), ([2], 9), ([3], 2)])])
    assert ticket_outcome(table, 0, labels(4, [(0, 1), (1, 3)])) == (True, 4)
    assert ticket_outcome(table, 0, labels(4, [(0, 1), (1, 2)])) == (True, 9)
    assert ticket_outcome(table, 0, labels(4, [(1, 2)])) == (False, -2)


def test_ticket_between_two_countries():
    """SWI-MULTI-5: an exit of each in one connected part, not merely one of each reached (SWI-COUNTRY-2)."""
    table = table_of([([0, 1], [([2, 3], 5)])])
    assert ticket_outcome(table, 0, labels(6, [(1, 4), (4, 3)])) == (True, 5)
    assert ticket_outcome(table, 0, labels(6, [(0, 4), (5, 2)])) == (False, -5)


def test_the_dearer_ticket_is_worth_more_than_two():
    """S-094: EUR-STATION-14, EUR-STATION-11."""
    tickets = [plain(0, 1, 20), plain(0, 2, 8), plain(0, 3, 5)]
    own = [(2, 3)]
    assert loans_of(4, own, [[0, 1]], [(0, 1), (0, 2)], tickets) == [0]
    assert loans_of(4, own, [[0, 1]], [(0, 2), (0, 1)], tickets) == [1]


def test_loans_of_two_stations_combine():
    """S-096: EUR-STATION-10, EUR-STATION-13; P, Q, R, S are 0 to 3."""
    routes = [(1, 2), (2, 3)]
    assert loans_of(4, [(0, 1)], [[0], [0, 1]], routes, [plain(0, 3, 5)]) == [0, 1]
    assert loans_of(4, [(0, 1)], [[0]], routes, [plain(0, 3, 5)]) == [-1]


def test_nothing_to_borrow():
    """S-097: EUR-STATION-12; the station's city has no route of an opponent."""
    assert loans_of(3, [(0, 1)], [[]], [], [plain(0, 2, 5)]) == [-1]
    assert loans_of(3, [(0, 1)], [], [], [plain(0, 2, 5)]) == []


def test_one_station_lends_one_route_to_all_tickets():
    """EUR-STATION-11: two tickets that need different routes of one station are not both completed."""
    assert loans_of(3, [], [[0, 1]], [(0, 1), (0, 2)], [plain(0, 1, 4), plain(0, 2, 5)]) == [1]


def test_more_completed_tickets_at_equal_value():
    """EUR-STATION-14 (2): a ticket of 6 or two of 3."""
    tickets = [plain(0, 1, 6), plain(0, 2, 3), plain(0, 3, 3)]
    assert loans_of(4, [(2, 3)], [[0, 1]], [(0, 1), (0, 2)], tickets) == [1]


def test_smallest_list_with_none_first():
    """EUR-STATION-14 (3): of equal loans the first route id, of equal stations the later lends."""
    routes = [(0, 1), (0, 1)]
    assert loans_of(2, [], [[0, 1]], routes, [plain(0, 1, 4)]) == [0]
    assert loans_of(2, [], [[0, 1], [0, 1]], routes, [plain(0, 1, 4)]) == [-1, 0]
    assert loans_of(3, [], [[0, 1], [0]], routes, [plain(0, 2, 4)]) == [-1, -1]


def test_loan_betters_a_completed_ticket():
    """SWI-MULTI-3 with EUR-STATION-14: a better target may be worth a loan."""
    assert loans_of(3, [(0, 1)], [[0]], [(1, 2)], [([0], [([1], 4), ([2], 9)])]) == [0]


@pytest.mark.parametrize("seed", range(40))
def test_equals_enumeration(seed: int):
    """EUR-STATION-10 to -14: stations, own routes, opponents' routes and tickets at random."""
    rng = random.Random(seed)
    for _ in range(50):
        places = rng.randint(3, 9)
        own: Routes = [
            (rng.randrange(places), rng.randrange(places)) for _ in range(rng.randint(0, places // 2))
        ]
        routes: Routes = [tuple(rng.sample(range(places), 2)) for _ in range(rng.randint(0, 10))]  # type: ignore[misc]
        cities = rng.sample(range(places), rng.randint(0, 3))
        options = [[r for r, ends in enumerate(routes) if city in ends] for city in cities]
        tickets = [random_ticket(rng, places) for _ in range(rng.randint(0, 6))]
        assert loans_of(places, own, options, routes, tickets) == naive_loans(
            places, own, options, routes, tickets
        )


ROUTE = st.tuples(st.integers(0, 5), st.integers(1, 5)).map(lambda r: (r[0], (r[0] + r[1]) % 6))
TICKET = st.tuples(ROUTE, st.integers(1, 4)).map(lambda t: plain(t[0][0], t[0][1], t[1]))


@given(
    own=st.lists(ROUTE, max_size=3),
    routes=st.lists(ROUTE, max_size=7),
    cities=st.lists(st.integers(0, 5), unique=True, max_size=3),
    tickets=st.lists(TICKET, max_size=5),
)
def test_equals_enumeration_of_any_position(
    own: Routes, routes: Routes, cities: list[int], tickets: list[Ticket]
):
    """EUR-STATION-14."""
    options = [[r for r, ends in enumerate(routes) if city in ends] for city in cities]
    assert loans_of(6, own, options, routes, tickets) == naive_loans(6, own, options, routes, tickets)
