"""The longest path, against an enumeration of all sets of routes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turntable_rules.engine.longest_path import line, line_length, trail, trail_length

Network = tuple[list[int], list[int], list[int]]


def is_connected(network: Network, routes: list[int]) -> bool:
    """Whether every place of the routes can be reached from one of them."""
    a, b, _ = network
    reached = {a[routes[0]]}
    while True:
        touching = {i for i in routes if a[i] in reached or b[i] in reached}
        further = {place for i in touching for place in (a[i], b[i])}
        if further <= reached:
            return len(touching) == len(routes)
        reached |= further


def routes_per_place(network: Network, routes: list[int]) -> list[int]:
    ends = [place for i in routes for place in (network[0][i], network[1][i])]
    return [ends.count(place) for place in set(ends)]


def naive_length(network: Network, no_fork: bool) -> int:
    """The heaviest of all sets of routes that are a path.

    A connected set can be walked without using a route twice iff at most two places have an odd number of its routes
    (Euler); it has no fork iff no place has more than two (COMMON-PATH-4).
    """
    best = 0
    for chosen in range(1, 1 << len(network[0])):
        routes = [i for i in range(len(network[0])) if chosen >> i & 1]
        wagons = sum(network[2][i] for i in routes)
        if wagons > best and is_connected(network, routes):
            counts = routes_per_place(network, routes)
            if max(counts) <= 2 if no_fork else sum(count % 2 for count in counts) <= 2:
                best = wagons
    return best


def places_walked(network: Network, routes: list[int]) -> list[int]:
    """The places in the order in which the routes lead through them; fails if they do not join."""
    a, b, _ = network
    for start in (a[routes[0]], b[routes[0]]):
        places = [start]
        for i in routes:
            if places[-1] not in (a[i], b[i]):
                break
            places.append(a[i] + b[i] - places[-1])
        if len(places) == len(routes) + 1:
            return places
    raise AssertionError(f"{routes} is no walk")


def check_path(network: Network, routes: list[int], length: int, no_fork: bool) -> None:
    assert sum(network[2][i] for i in routes) == length
    assert len(set(routes)) == len(routes)
    if routes:
        places = places_walked(network, routes)
        if no_fork:
            inner = places[:-1] if places[0] == places[-1] else places
            assert len(set(inner)) == len(inner)


def check(network: Network, trail_wagons: int, line_wagons: int) -> None:
    assert trail_length(*network) == trail_wagons
    assert line_length(*network) == line_wagons
    check_path(network, trail(*network), trail_wagons, no_fork=False)
    check_path(network, line(*network), line_wagons, no_fork=True)


def named(*routes: tuple[str, int]) -> Network:
    """A network of routes between places of one letter, such as ("AB", 6)."""
    return (
        [ord(name[0]) for name, _ in routes],
        [ord(name[1]) for name, _ in routes],
        [wagons for _, wagons in routes],
    )


def random_network(rng: random.Random, places: int, routes: int) -> Network:
    names = rng.sample(range(300), places)
    ends = [rng.sample(names, 2) for _ in range(routes)]
    lengths = rng.choice(((1,), (1, 2), (1, 1, 2, 3, 8), (2, 3, 8)))
    return [one for one, _ in ends], [two for _, two in ends], [rng.choice(lengths) for _ in ends]


def grid(rows: int, columns: int) -> Network:
    across = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    down = [(r * columns + c, r * columns + c + columns) for r in range(rows - 1) for c in range(columns)]
    ends = across + down
    return [one for one, _ in ends], [two for _, two in ends], [1] * len(ends)


def test_no_route_no_path():
    """COMMON-PATH-6."""
    check(([], [], []), 0, 0)


def test_wagons_count_and_not_routes():
    """COMMON-PATH-1: one route of 6 beats four of 1."""
    check(named(("AB", 6), ("CD", 1), ("DE", 1), ("EF", 1), ("FG", 1)), 6, 6)


def test_loop_with_a_tail():
    """S-101: COMMON-PATH-3, COMMON-PATH-4, USA2004-PATH-3."""
    check(named(("AB", 6), ("BC", 4), ("CD", 3), ("DB", 2)), 15, 13)


def test_two_loops_sharing_one_city():
    """S-102: COMMON-PATH-3, COMMON-PATH-4."""
    check(named(("AB", 6), ("BC", 5), ("CA", 4), ("AD", 3), ("DE", 2), ("EA", 1)), 21, 16)


def test_closed_path():
    """COMMON-PATH-3, COMMON-PATH-4: a path may end where it began."""
    check(named(("AB", 2), ("BC", 2), ("CA", 2)), 6, 6)


def test_both_tracks_of_a_double_route_are_a_loop():
    """COMMON-PATH-4: no place meets more than two routes."""
    check(named(("AB", 3), ("AB", 3)), 6, 6)
    check(named(("AB", 3), ("AB", 3), ("AB", 3)), 9, 6)
    check(named(("AB", 3), ("AB", 3), ("BC", 2)), 8, 6)


def test_two_branches_of_one_place_with_its_loop():
    """COMMON-PATH-3: in by one branch, round the loop, out by the other."""
    check(named(("AB", 1), ("BC", 1), ("CA", 1), ("AX", 4), ("AY", 5), ("AZ", 3)), 12, 9)


def test_two_parts_ending_in_one_step_are_not_one_path():
    """Regression: two separate parts that lost their last undecided places at once were taken for one path."""
    network = [48, 16, 16, 47, 43, 47, 16], [43, 48, 48, 43, 13, 14, 43], [1, 6, 4, 6, 2, 1, 2]
    check(network, 19, naive_length(network, True))


@pytest.mark.parametrize("seed", range(30))
def test_equals_enumeration(seed: int):
    """COMMON-PATH-7, on networks of a few routes with many loops, parallel routes and separate parts."""
    rng = random.Random(seed)
    for _ in range(80):
        network = random_network(rng, rng.randint(2, 9), rng.randint(0, 10))
        check(network, naive_length(network, False), naive_length(network, True))


@pytest.mark.parametrize("seed", range(20))
def test_equals_enumeration_on_larger_networks(seed: int):
    """COMMON-PATH-7, with loops some way apart, so that long and short ways compete."""
    rng = random.Random(1000 + seed)
    for _ in range(15):
        network = random_network(rng, rng.randint(6, 10), 10)
        check(network, naive_length(network, False), naive_length(network, True))
    network = random_network(rng, rng.randint(6, 10), 13)
    check(network, naive_length(network, False), naive_length(network, True))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6), st.integers(1, 9)), max_size=8))
def test_equals_enumeration_of_any_network(routes: list[tuple[int, int, int]]):
    """COMMON-PATH-7."""
    a = [place for place, _, _ in routes]
    b = [(place + away) % 7 for place, away, _ in routes]
    network = a, b, [wagons for _, _, wagons in routes]
    check(network, naive_length(network, False), naive_length(network, True))


@pytest.mark.parametrize("seed", range(20))
def test_order_and_names_do_not_matter(seed: int):
    """COMMON-PATH-7, with 45 wagons: the length is one of the network, not of how it is written down."""
    rng = random.Random(seed)
    places = rng.randint(10, 24)
    a = [rng.randrange(places) for _ in range(34)]
    b = [(place + rng.randint(1, 4)) % places for place in a]
    weight = [rng.choice((1, 1, 2)) for _ in a]
    lengths = (trail_length(a, b, weight), line_length(a, b, weight))
    check((a, b, weight), *lengths)
    for _ in range(3):
        names = rng.sample(range(300), places)
        order = rng.sample(range(len(a)), len(a))
        turned = [rng.random() < 0.5 for _ in a]
        one = [names[b[i] if turned[i] else a[i]] for i in order]
        two = [names[a[i] if turned[i] else b[i]] for i in order]
        wagons = [weight[i] for i in order]
        assert (trail_length(one, two, wagons), line_length(one, two, wagons)) == lengths


@pytest.mark.parametrize(("rows", "columns"), [(2, 16), (3, 10), (4, 7), (5, 5), (5, 6)])
def test_grid(rows: int, columns: int):
    """COMMON-PATH-7: grids, whose longest paths are known.

    A place on the border, corners aside, has three routes. All but two such places have to lose one, at best one
    route for two neighbours on a side. Places without such a neighbour are left on two opposite sides if these are
    odd, and are the ends; if all sides are odd two more are left, round a corner, which costs two routes.
    A line visits every place, or all but one if they are odd in number, and then is a loop.
    """
    network = grid(rows, columns)
    odd = 2 * (rows - 2) + 2 * (columns - 2)
    lost = (odd - 2) // 2 + (1 if rows % 2 == 1 and columns % 2 == 1 else 0)
    places = rows * columns
    check(network, len(network[0]) - lost, places if places % 2 == 0 else places - 1)


def test_complete_network_of_ten_places():
    """COMMON-PATH-7: ten odd places, of which four pairs lose the route between them; a loop through all ten."""
    ends = [(one, two) for one in range(10) for two in range(one)]
    check(([one for one, _ in ends], [two for _, two in ends], [1] * 45), 41, 10)


def test_one_network_gives_one_path():
    """The same routes give the same path, whichever is asked first."""
    network = grid(4, 6)
    assert trail(*network) == trail(*network)
    assert line(*network) == line(*network)
