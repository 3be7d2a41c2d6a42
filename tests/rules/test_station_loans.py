"""Europe: what a station borrows at the end, against a search of all combinations."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

import turntable_rules as rules_engine
from tests.kit.table import Table


def own_board(lines: dict[str, int], tickets: dict[str, int]) -> rules_engine.Board:
    """Gray rail routes `p-q` with their lengths, tickets `p-s` with their values; a far corner holds the rest."""
    far = {"x-y": 1, "y-z": 1, "x-z": 1}
    routes: list[dict[str, Any]] = []
    for name, length in (lines | far).items():
        a, b = name.split("-")
        routes.append({"id": name, "a": a, "b": b, "length": length, "color": "grey"})
    places = sorted({end for route in routes for end in (route["a"], route["b"])})
    spare = [("x", "y"), ("y", "z"), ("x", "z")] * 3
    data = {
        "format": "turntable-board/1",
        "id": "own",
        "name": "Own",
        "board": {"width": 100, "height": 100},
        "cities": [{"id": name, "name": name, "x": 10, "y": 10} for name in places],
        "routes": routes,
        "tickets": [
            {
                "id": name,
                "a": name.split("-")[0],
                "b": name.split("-")[1],
                "points": points,
                "deck": "regular",
            }
            for name, points in tickets.items()
        ]
        + [
            {"id": f"{deck}{n}", "a": a, "b": b, "points": 3, "deck": deck}
            for deck in ("long", "regular")
            for n, (a, b) in enumerate(spare)
        ],
    }
    return rules_engine.parse_board(json.dumps(data))


def result_of(seat: int = 0, players: int = 2, **facts: Any) -> dict[str, Any]:
    return Table.set("europe", players, **facts).score()["seats"][seat]


def loans(result: dict[str, Any]) -> dict[str, str | None]:
    return {loan["city"]: loan["route"] for loan in result["loans"]}


def outcomes(result: dict[str, Any]) -> dict[str, int]:
    return {ticket["id"]: ticket["points"] for ticket in result["tickets"]}


@pytest.mark.clause("EUR-STATION-11", "EUR-STATION-14")
@pytest.mark.scenario("S-094")
def test_the_loan_worth_most_is_taken_even_if_another_completes_more_tickets():
    tickets = {"q-r": 20, "q-s": 8, "p-s": 5}
    board = own_board({"p-q": 1, "q-r": 2, "q-s": 2}, tickets)
    facts: dict[str, Any] = {"board": board, "stations": {0: ["q"]}, "tickets": {0: list(tickets)}}
    result = result_of(routes={"p-q": 0, "q-r": 1, "q-s": 1}, **facts)
    assert loans(result) == {"q": "q-r"}
    assert outcomes(result) == {"q-r": 20, "q-s": -8, "p-s": -5}
    assert sum(outcomes(result).values()) == 7


@pytest.mark.clause("EUR-STATION-10", "EUR-STATION-13")
@pytest.mark.scenario("S-096")
def test_two_stations_lend_one_route_each_and_the_loans_combine():
    board = own_board({"p-q": 1, "q-r": 2, "r-s": 2}, {"p-s": 9})
    facts: dict[str, Any] = {
        "board": board,
        "tickets": {0: ["p-s"]},
        "routes": {"p-q": 0, "q-r": 1, "r-s": 1},
    }
    both = result_of(stations={0: ["q", "r"]}, **facts)
    assert loans(both) == {"q": "q-r", "r": "r-s"}
    assert outcomes(both) == {"p-s": 9}
    one = result_of(stations={0: ["q"]}, **facts)
    assert outcomes(one) == {"p-s": -9}
    assert loans(one) == {"q": None}


@pytest.mark.clause("EUR-STATION-10")
def test_a_station_lends_only_a_route_that_ends_at_its_city():
    board = own_board({"p-q": 1, "q-r": 2, "r-s": 2}, {"p-r": 9})
    facts: dict[str, Any] = {
        "board": board,
        "tickets": {0: ["p-r"]},
        "routes": {"p-q": 0, "q-r": 1, "r-s": 1},
    }
    for city, expected in (("q", 9), ("r", 9), ("p", -9), ("s", -9)):
        assert outcomes(result_of(stations={0: [city]}, **facts)) == {"p-r": expected}


@pytest.mark.clause("EUR-STATION-10")
def test_only_the_owner_of_the_station_uses_the_loan():
    board = own_board({"p-q": 1, "q-r": 2}, {"p-r": 9, "p-q": 2})
    facts: dict[str, Any] = {"board": board, "routes": {"q-r": 1, "p-q": 2}, "tickets": {2: ["p-r"]}}
    assert outcomes(result_of(2, 3, stations={0: ["q"]}, **facts)) == {"p-r": -9}
    assert outcomes(result_of(2, 3, stations={2: ["q"]}, **facts)) == {"p-r": 9}


@pytest.mark.clause("EUR-STATION-11")
def test_one_station_lends_the_same_single_route_to_all_tickets():
    """q-r serves two tickets; a third, over q-s, cannot be served by the same station."""
    tickets = {"p-r": 6, "q-r": 5, "p-s": 7}
    board = own_board({"p-q": 1, "q-r": 2, "q-s": 2}, tickets)
    facts: dict[str, Any] = {"board": board, "stations": {0: ["q"]}, "tickets": {0: list(tickets)}}
    result = result_of(routes={"p-q": 0, "q-r": 1, "q-s": 1}, **facts)
    assert outcomes(result) == {"p-r": 6, "q-r": 5, "p-s": -7}
    assert loans(result) == {"q": "q-r"}


@pytest.mark.clause("EUR-STATION-12")
@pytest.mark.scenario("S-097")
def test_unclaimed_and_own_routes_are_not_borrowed():
    board = own_board({"p-q": 1, "q-r": 2}, {"p-r": 9})
    facts: dict[str, Any] = {"board": board, "tickets": {0: ["p-r"]}, "stations": {0: ["q"]}}
    result = result_of(routes={"p-q": 0}, **facts)
    assert loans(result) == {"q": None}
    assert outcomes(result) == {"p-r": -9}
    assert loans(result_of(routes={"p-q": 0, "q-r": 0}, **facts)) == {"q": None}
    assert loans(result_of(routes={"p-q": 0, "q-r": 1}, **facts)) == {"q": "q-r"}


@pytest.mark.clause("EUR-STATION-13")
def test_loans_of_three_stations_make_one_chain_without_any_own_route():
    lines = {"p-q": 1, "q-r": 1, "r-s": 1}
    board = own_board(lines, {"p-s": 9})
    facts: dict[str, Any] = {
        "board": board,
        "routes": {"p-q": 1, "q-r": 2, "r-s": 1},
        "tickets": {0: ["p-s"]},
    }
    assert outcomes(result_of(0, 3, stations={0: ["r", "p", "s"]}, **facts)) == {"p-s": 9}
    assert outcomes(result_of(0, 3, stations={0: ["r", "s"]}, **facts)) == {"p-s": -9}


@pytest.mark.clause("EUR-STATION-14")
def test_of_equal_values_the_loan_with_more_completed_tickets_is_taken():
    """The ticket of 8, or those of 5 and 3; the route id alone would prefer q-r."""
    tickets = {"q-r": 8, "q-s": 5, "p-s": 3}
    board = own_board({"p-q": 1, "q-r": 2, "q-s": 2}, tickets)
    facts: dict[str, Any] = {"board": board, "stations": {0: ["q"]}, "tickets": {0: list(tickets)}}
    result = result_of(routes={"p-q": 0, "q-r": 1, "q-s": 1}, **facts)
    assert outcomes(result) == {"q-r": -8, "q-s": 5, "p-s": 3}


@pytest.mark.clause("EUR-STATION-14")
def test_of_equal_loans_the_list_of_route_ids_is_the_smallest_and_none_comes_first():
    lines = {"p-r": 2, "p-q": 2, "q-s": 2, "r-s": 2}
    board = own_board(lines, {"p-s": 9})
    facts: dict[str, Any] = {"board": board, "tickets": {0: ["p-s"]}}
    ways = result_of(stations={0: ["p", "s"]}, routes=dict.fromkeys(lines, 1), **facts)
    assert loans(ways) == {"p": "p-q", "s": "q-s"}
    # Either station alone could lend the missing route: the first built lends none.
    alone = result_of(stations={0: ["q", "s"]}, routes={"p-q": 0, "q-s": 1}, **facts)
    assert [loan["route"] for loan in alone["loans"]] == [None, "q-s"]
    turned = result_of(stations={0: ["s", "q"]}, routes={"p-q": 0, "q-s": 1}, **facts)
    assert turned["loans"] == [{"city": "s", "route": None}, {"city": "q", "route": "q-s"}]


@pytest.mark.clause("EUR-STATION-14")
def test_a_loan_that_serves_no_ticket_is_not_taken():
    board = own_board({"p-q": 1, "q-r": 2}, {"p-q": 4})
    facts: dict[str, Any] = {"board": board, "routes": {"p-q": 0, "q-r": 1}, "stations": {0: ["q"]}}
    assert loans(result_of(tickets={0: ["p-q"]}, **facts)) == {"q": None}
    assert loans(result_of(**facts)) == {"q": None}


@pytest.mark.clause("EUR-STATION-15")
def test_two_players_borrow_one_route_and_its_owner_loses_nothing():
    board = own_board({"p-q": 1, "q-r": 4, "s-q": 1}, {"p-r": 9, "s-r": 7, "q-r": 3})
    facts: dict[str, Any] = {
        "board": board,
        "routes": {"p-q": 0, "s-q": 1, "q-r": 2},
        "stations": {0: ["q"], 1: ["r"]},
        "tickets": {0: ["p-r"], 1: ["s-r"], 2: ["q-r"]},
    }
    seats = Table.set("europe", 3, **facts).score()["seats"]
    assert loans(seats[0]) == {"q": "q-r"} and loans(seats[1]) == {"r": "q-r"}
    assert [outcomes(seat) for seat in seats] == [{"p-r": 9}, {"s-r": 7}, {"q-r": 3}]
    assert (seats[2]["routes"], seats[2]["longest_path"]["length"]) == (7, 4)
    assert seats[2]["longest_path"]["bonus"] == 10
    assert seats[2]["total"] == 7 + 3 + 10 + 12


@pytest.mark.clause("EUR-STATION-16")
@pytest.mark.scenario("S-099")
def test_a_borrowed_route_does_not_lengthen_the_path():
    lines = {"k-l": 8, "l-m": 4, "m-n": 3, "n-o": 6, "o-p": 3}
    board = own_board(lines, {"k-p": 15})
    routes = dict.fromkeys(lines, 0) | {"m-n": 1}
    result = result_of(board=board, routes=routes, stations={0: ["m"]}, tickets={0: ["k-p"]})
    assert loans(result) == {"m": "m-n"}
    assert outcomes(result) == {"k-p": 15}
    assert result["longest_path"]["length"] == 12


def best_by_trying_all(
    routes: dict[str, tuple[str, str]],
    owners: dict[str, int],
    stations: list[str],
    tickets: list[tuple[str, str, int]],
    seat: int,
) -> tuple[list[str | None], int, int]:
    """The loans of EUR-STATION-14 with their value and number of tickets, by trying every combination."""
    choices: list[list[str]] = []
    for city in stations:
        at = [r for r, owner in owners.items() if owner != seat and city in routes[r]]
        choices.append(["", *sorted(at)])
    best: tuple[int, int, list[str]] | None = None
    for chosen in sorted(itertools.product(*choices)):
        used = [r for r, owner in owners.items() if owner == seat] + [r for r in chosen if r]
        part = {end: {end} for r in used for end in routes[r]}
        for r in used:
            one, two = (part[end] for end in routes[r])
            if one is not two:
                one |= two
                for end in two:
                    part[end] = one
        done = [a in part and b in part[a] for a, b, _ in tickets]
        value = sum(points if ok else -points for (_, _, points), ok in zip(tickets, done, strict=True))
        if best is None or (value, sum(done)) > best[:2]:
            best = (value, sum(done), list(chosen))
    assert best is not None
    return [route or None for route in best[2]], best[0], best[1]


@pytest.mark.clause("EUR-STATION-10", "EUR-STATION-11", "EUR-STATION-12", "EUR-STATION-13", "EUR-STATION-14")
@pytest.mark.parametrize("number", range(60))
def test_loans_on_random_positions_are_those_of_an_exhaustive_search(number):
    chance = random.Random(number)
    board = rules_engine.builtin_board("europe")
    lengths = {route.id: route.length for route in board.routes}
    reserve = [45, 45, 45]
    owners: dict[str, int] = {}
    groups: set[str] = set()
    for route in chance.sample(board.routes, len(board.routes)):
        owner = chance.choice([0, 0, 0, 1, 2])
        if reserve[owner] < lengths[route.id] or route.double_group in groups:
            continue
        reserve[owner] -= lengths[route.id]
        owners[route.id] = owner
        if route.double_group:
            groups.add(route.double_group)
    ends = [{end for r in board.routes if owners.get(r.id) == s for end in (r.a, r.b)} for s in range(3)]
    stations = chance.sample(sorted(ends[0] & (ends[1] | ends[2])), 3)
    tickets = chance.sample(board.tickets, chance.randint(10, 46))
    facts: dict[str, Any] = {
        "routes": owners,
        "stations": {0: stations},
        "tickets": {0: [ticket.id for ticket in tickets]},
    }
    result = result_of(0, 3, **facts)
    expected, value, completed = best_by_trying_all(
        {route.id: (route.a, route.b) for route in board.routes},
        owners,
        stations,
        [(ticket.start, ticket.targets[0].to, ticket.targets[0].points) for ticket in tickets],
        0,
    )
    assert [loan["route"] for loan in result["loans"]] == expected
    assert sum(outcomes(result).values()) == value
    assert len([ticket for ticket in result["tickets"] if ticket["completed"]]) == completed


@pytest.mark.clause("EUR-STATION-14")
@pytest.mark.parametrize("number", range(60))
def test_loans_with_many_equal_ways_are_those_of_an_exhaustive_search(number):
    """A dense board of one's own with tickets of few points, so that ties decide by (2) and (3)."""
    chance = random.Random(number)
    pairs = list(itertools.combinations("abcdefg", 2))
    lines = {f"{a}-{b}": 1 for a, b in pairs}
    tickets = {f"{a}-{b}": chance.randint(1, 4) for a, b in pairs}
    board = own_board(lines, tickets)
    owners = {line: chance.choice([1, 1, 2]) for line in chance.sample(sorted(lines), 9)}
    owners |= dict.fromkeys(chance.sample(sorted(set(lines) - set(owners)), 2), 0)
    stations = chance.sample("abcdefg", 3)
    held = chance.sample(sorted(tickets), 5)
    facts: dict[str, Any] = {
        "board": board,
        "routes": owners,
        "stations": {0: stations},
        "tickets": {0: held},
    }
    result = result_of(0, 3, **facts)
    ends = {line: (line[0], line[2]) for line in lines}
    wanted = [(ticket[0], ticket[2], tickets[ticket]) for ticket in held]
    expected, value, completed = best_by_trying_all(ends, owners, stations, wanted, 0)
    assert [loan["route"] for loan in result["loans"]] == expected
    assert sum(outcomes(result).values()) == value
    assert len([ticket for ticket in result["tickets"] if ticket["completed"]]) == completed
