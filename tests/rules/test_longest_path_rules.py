"""The longest path (COMMON-PATH): what counts, in both readings, and who gets the bonus."""

from __future__ import annotations

import random

import pytest

from tests.kit.fan_boards import Json, fan_board, line
from tests.kit.table import Table
from turntable_rules import builtin_board

BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]
TAIL_AND_LOOP = [line("a-b", 6), line("b-c", 4), line("c-d", 3), line("d-b", 2)]
TWO_LOOPS = [line("o-p", 6), line("p-q", 5), line("q-o", 4), line("o-r", 3), line("r-s", 2), line("s-o", 1)]

Edge = tuple[str, str, int]


def paths(table: Table) -> list[int]:
    return [seat["longest_path"]["length"] for seat in table.score()["seats"]]


def bonuses(table: Table) -> list[int]:
    return [seat["longest_path"]["bonus"] for seat in table.score()["seats"]]


def owned_by_first(routes: list[Json], edition: str = "usa", reading: str | None = None) -> Table:
    """A table where seat 0 owns every route of the board."""
    options = {"longest_path": reading} if reading else None
    owners = dict.fromkeys([route["id"] for route in routes], 0)
    return Table.set(edition, 2, board=fan_board(routes), routes=owners, options=options)


def heaviest_trail(edges: list[Edge]) -> int:
    """By trying every walk that uses no edge twice."""

    def walk(here: str, left: list[Edge]) -> int:
        best = 0
        for at, (a, b, weight) in enumerate(left):
            if here in (a, b):
                there = b if here == a else a
                best = max(best, weight + walk(there, left[:at] + left[at + 1 :]))
        return best

    return max((walk(place, edges) for place in {end for a, b, _ in edges for end in (a, b)}), default=0)


def heaviest_line_or_loop(edges: list[Edge]) -> int:
    """By trying every walk that meets no place twice, or closes where it began."""

    def walk(start: str, here: str, seen: frozenset[str], left: list[Edge]) -> int:
        best = 0
        for at, (a, b, weight) in enumerate(left):
            if here in (a, b):
                there = b if here == a else a
                if there == start:
                    best = max(best, weight)
                elif there not in seen:
                    best = max(best, weight + walk(start, there, seen | {there}, left[:at] + left[at + 1 :]))
        return best

    places = {end for a, b, _ in edges for end in (a, b)}
    return max((walk(place, place, frozenset({place}), edges) for place in places), default=0)


@pytest.mark.scenario("S-101")
@pytest.mark.clause("USALATER-PATH-1", "COMMON-PATH-3", "COMMON-PATH-4", "USA2004-PATH-3")
@pytest.mark.parametrize(("reading", "length"), [(None, 15), ("trail", 15), ("no_fork", 13)])
def test_a_tail_and_a_loop(reading, length):
    assert paths(owned_by_first(TAIL_AND_LOOP, "usa", reading)) == [length, 0]


@pytest.mark.scenario("S-102")
@pytest.mark.clause("COMMON-PATH-3", "COMMON-PATH-4")
@pytest.mark.parametrize(("reading", "length"), [("trail", 21), ("no_fork", 16)])
def test_two_loops_that_share_a_city(reading, length):
    assert paths(owned_by_first(TWO_LOOPS, "usa", reading)) == [length, 0]


@pytest.mark.scenario("S-103")
@pytest.mark.clause("USA2004-PATH-2")
def test_the_2004_text_lets_a_line_cross_itself_unless_asked():
    assert paths(owned_by_first(TAIL_AND_LOOP, "usa-2004")) == [15, 0]


@pytest.mark.clause("USA2004-PATH-3", "COMMON-PATH-4")
@pytest.mark.parametrize("edition", BOARDS)
def test_every_board_ruleset_may_choose_the_strict_reading(edition):
    assert paths(owned_by_first(TAIL_AND_LOOP, edition, "no_fork")) == [13, 0]


@pytest.mark.clause("COMMON-PATH-3", "EUR-PATH-1", "SWI-PATH-1", "USALATER-PATH-1", "USA2004-PATH-2")
@pytest.mark.parametrize("edition", BOARDS)
def test_loops_are_allowed_by_default(edition):
    assert paths(owned_by_first(TAIL_AND_LOOP, edition)) == [15, 0]


@pytest.mark.clause("USA2004-PATH-1")
@pytest.mark.parametrize("edition", ["usa-2004", "lyon"])
@pytest.mark.parametrize("reading", ["trail", "no_fork"])
def test_wagons_on_a_branch_do_not_count(edition, reading):
    """Three arms of 4, 3 and 2 wagons meet in one place."""
    arms = [line("o-a", 4), line("o-b", 3), line("o-c", 2)]
    assert paths(owned_by_first(arms, edition, reading)) == [7, 0]


@pytest.mark.clause("COMMON-PATH-3", "USALATER-PATH-1")
def test_no_route_is_counted_twice():
    """From a to the loop and back would be 6 + 9 + 6."""
    assert paths(owned_by_first(TAIL_AND_LOOP)) == [15, 0]
    assert paths(owned_by_first([line("a-b", 6), line("b-c", 6)])) == [12, 0]


@pytest.mark.clause("COMMON-PATH-3")
def test_a_trail_may_end_where_it_began():
    assert paths(owned_by_first([line("a-b", 4), line("b-c", 4), line("c-a", 4)])) == [12, 0]


@pytest.mark.clause("COMMON-PATH-4")
def test_a_closed_loop_is_a_line_too():
    loop = [line("a-b", 4), line("b-c", 4), line("c-a", 4), line("a-d", 3)]
    assert paths(owned_by_first(loop, "usa", "no_fork")) == [12, 0]


@pytest.mark.clause("COMMON-PATH-1")
@pytest.mark.parametrize("reading", ["trail", "no_fork"])
def test_wagons_are_counted_not_routes(reading):
    small = [line("a-b", 1), line("b-c", 1), line("c-d", 1), line("d-e", 1), line("e-f", 1)]
    board = fan_board([*small, line("x-y", 6)])
    owners = {**dict.fromkeys([route["id"] for route in small], 0), "x_y": 1}
    t = Table.set("usa", 2, board=board, routes=owners, options={"longest_path": reading})
    assert paths(t) == [5, 6] and bonuses(t) == [0, 10]


@pytest.mark.clause("COMMON-PATH-2")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_rivals_route_does_not_join_two_paths(edition):
    board = fan_board([line("a-b", 4), line("b-c", 2), line("c-d", 3)])
    t = Table.set(edition, 2, board=board, routes={"a_b": 0, "b_c": 1, "c_d": 0})
    assert paths(t) == [4, 2]


@pytest.mark.scenario("S-104")
@pytest.mark.clause("COMMON-PATH-5", "EUR-PATH-1")
def test_all_tied_for_the_longest_path_get_the_bonus():
    first = [line("a-b", 8), line("b-c", 8), line("c-d", 6), line("d-e", 6)]
    second = [line("k-l", 6), line("l-m", 6), line("m-n", 8), line("n-o", 8)]
    third = [line("s-t", 8), line("t-u", 8), line("u-v", 4)]
    owners = {route["id"]: seat for seat, own in enumerate((first, second, third)) for route in own}
    t = Table.set("europe", 3, board=fan_board([*first, *second, *third]), routes=owners)
    assert paths(t) == [28, 28, 20] and bonuses(t) == [10, 10, 0]


@pytest.mark.clause("COMMON-PATH-5", "SWI-PATH-1")
@pytest.mark.parametrize("edition", BOARDS)
def test_ten_points_for_the_longest_and_for_all_who_share_it(edition):
    board = fan_board([line("a-b", 4), line("c-d", 3), line("e-f", 4)])
    t = Table.set(edition, 3, board=board, routes={"a_b": 0, "c_d": 1, "e_f": 2})
    assert bonuses(t) == [10, 0, 10]
    t = Table.set(edition, 3, board=board, routes={"a_b": 0, "c_d": 1})
    assert bonuses(t) == [10, 0, 0]


@pytest.mark.scenario("S-105")
@pytest.mark.clause("COMMON-PATH-6")
@pytest.mark.parametrize("edition", BOARDS)
def test_without_routes_nobody_gets_the_bonus(edition):
    t = Table.set(edition, 3)
    assert paths(t) == [0, 0, 0] and bonuses(t) == [0, 0, 0]


@pytest.mark.clause("COMMON-PATH-7", "COMMON-PATH-3", "COMMON-PATH-4")
@pytest.mark.parametrize("edition", ["usa", "europe", "switzerland"])
@pytest.mark.parametrize("reading", ["trail", "no_fork"])
def test_random_networks_against_trying_every_walk(edition, reading):
    """Networks of up to twelve routes grown in one region, so that they have loops and forks."""
    board = builtin_board(edition)
    chance = random.Random(f"{edition} {reading}")
    search = heaviest_trail if reading == "trail" else heaviest_line_or_loop
    for _ in range(30):
        places = {chance.choice(board.places).id}
        owned: list = []
        for _ in range(60):
            route = chance.choice(board.routes)
            twins = [one for one in owned if {one.a, one.b} == {route.a, route.b}]
            wagons = sum(one.length for one in owned) + route.length
            if places & {route.a, route.b} and not twins and wagons <= 40 and len(owned) < 8:
                owned.append(route)
                places |= {route.a, route.b}
        for route in chance.sample(board.routes, len(board.routes)):  # close loops
            twins = [one for one in owned if {one.a, one.b} == {route.a, route.b}]
            wagons = sum(one.length for one in owned) + route.length
            if {route.a, route.b} <= places and not twins and wagons <= 40 and len(owned) < 12:
                owned.append(route)
        edges = [(route.a, route.b, route.length) for route in owned]
        owners = dict.fromkeys([route.id for route in owned], 0)
        t = Table.set(edition, 2, routes=owners, options={"longest_path": reading})
        assert paths(t)[0] == search(edges), edges


@pytest.mark.clause("COMMON-PATH-7")
def test_a_greedy_walk_would_miss_it():
    """The heaviest route at every fork leads astray: 1 + 6 ends at once, 1 + 2 + 5 + 5 does not."""
    routes = [line("a-b", 1), line("b-c", 6), line("b-d", 2), line("d-e", 5), line("e-f", 5)]
    assert paths(owned_by_first(routes)) == [18, 0]
    grid = [line(f"g{x}{y}-g{x + 1}{y}", 2) for x in range(2) for y in range(3)]
    grid += [line(f"g{x}{y}-g{x}{y + 1}", 1) for x in range(3) for y in range(2)]
    edges = [(route["a"], route["b"], route["length"]) for route in grid]
    assert paths(owned_by_first(grid)) == [heaviest_trail(edges), 0]
    assert paths(owned_by_first(grid, "usa", "no_fork")) == [heaviest_line_or_loop(edges), 0]
