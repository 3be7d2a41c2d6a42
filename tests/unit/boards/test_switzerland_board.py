"""The Swiss board against the figures of data/PROVENANCE.md and the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.unit.boards.small import distances
from turntable_rules.boards import builtin_board
from turntable_rules.engine.board import COLOURS

BOARD = builtin_board("switzerland")
COUNTRIES = {country.id for country in BOARD.countries}


@pytest.mark.clause("SWI-COUNTRY-1")
def test_countries_and_exits() -> None:
    """SWI-COUNTRY-1: Austria 3, France 4, Germany 5, Italy 5; each exit ends one route."""
    assert {country.id: len(country.exits) for country in BOARD.countries} == {
        "austria": 3,
        "france": 4,
        "germany": 5,
        "italy": 5,
    }
    places = Counter(place.country is not None for place in BOARD.places)
    assert places == {False: 34, True: 17}
    ends = Counter(end for route in BOARD.routes for end in (route.a, route.b))
    exits = {name: country.id for country in BOARD.countries for name in country.exits}
    assert {name: ends[name] for name in exits} == dict.fromkeys(exits, 1)
    assert {place.id: place.country for place in BOARD.places if place.country} == exits


def test_counts() -> None:
    """8.4: 88 tracks over 76 pairs, 42 tunnels, no ferry, 205 spaces."""
    pairs = Counter(frozenset((route.a, route.b)) for route in BOARD.routes)
    assert (len(BOARD.routes), len(pairs)) == (88, 76)
    assert Counter(r.kind for r in BOARD.routes) == {"tunnel": 42, "rail": 46}
    assert Counter(r.length for r in BOARD.routes) == {1: 31, 2: 21, 3: 18, 4: 14, 5: 2, 6: 2}
    assert sum(r.length for r in BOARD.routes) == 205
    assert {r.locos for r in BOARD.routes} == {0}
    spaces = {colour: sum(r.length for r in BOARD.routes if r.colour == colour) for colour in COLOURS}
    assert all(18 <= total <= 20 for total in spaces.values())
    assert 205 - sum(spaces.values()) == 56
    assert (BOARD.width, BOARD.height) == (1000, 645)


@pytest.mark.clause("COMMON-DOUBLE-6")
def test_double_pairs() -> None:
    """COMMON-DOUBLE-6: the twelve pairs of the published map, and no other group."""
    doubles: dict[frozenset[str], list[str | None]] = {}
    for route in BOARD.routes:
        if route.double_group is not None:
            doubles.setdefault(frozenset((route.a, route.b)), []).append(route.colour)
    names = """bellinzona-lugano bellinzona-wassen bern-fribourg bern-luzern fribourg-lausanne geneve-lausanne
    luzern-zug schaffhausen-winterthur schwyz-wassen schwyz-zug winterthur-zurich zug-zurich""".split()
    assert set(doubles) == {frozenset(name.split("-")) for name in names}
    assert {len(colours) for colours in doubles.values()} == {2}
    gray = {pair for pair, colours in doubles.items() if colours == [None, None]}
    assert gray == {frozenset(("bellinzona", "wassen")), frozenset(("bern", "luzern"))}


@pytest.mark.clause("SWI-COUNTRY-4", "COMMON-DOUBLE-5")
def test_routes_to_two_exits_are_not_double() -> None:
    """SWI-COUNTRY-4, COMMON-DOUBLE-5: Kreuzlingen's two German exits, Davos's two countries."""
    for city, countries, colours in (
        ("kreuzlingen", ["germany", "germany"], {"white", "orange"}),
        ("davos", ["austria", "italy"], {None}),
    ):
        country_of = {place.id: place.country for place in BOARD.places}
        out = [
            (country, route)
            for route in BOARD.routes
            if city in (route.a, route.b)
            for country in [country_of[route.b if route.a == city else route.a]]
            if country
        ]
        assert sorted(country for country, _ in out) == countries
        assert {route.double_group for _, route in out} == {None}
        assert {route.colour for _, route in out} == colours


@pytest.mark.clause("SWI-MULTI-1")
def test_tickets() -> None:
    """SWI-MULTI-1: 34 between cities, 4 from a city and 8 from a country to countries; values 2 to 15."""
    plain = [t for t in BOARD.tickets if t.targets[0].to not in COUNTRIES]
    from_city = [t for t in BOARD.tickets if t.targets[0].to in COUNTRIES and t.start not in COUNTRIES]
    from_country = [t for t in BOARD.tickets if t.start in COUNTRIES]
    assert (len(plain), len(from_city), len(from_country), len(BOARD.tickets)) == (34, 4, 8, 46)
    assert {len(t.targets) for t in plain} == {1}
    assert {(t.start, len(t.targets)) for t in from_city} == {
        ("bern", 4), ("chur", 4), ("lugano", 4), ("zurich", 4)
    }  # fmt: skip
    assert Counter((t.start, len(t.targets)) for t in from_country) == {(name, 3): 2 for name in COUNTRIES}
    copies = Counter((t.start, t.targets) for t in from_country)
    assert set(copies.values()) == {2}
    points = [target.points for t in BOARD.tickets for target in t.targets]
    assert (min(points), max(points)) == (2, 15)
    assert not any(t.long for t in BOARD.tickets)


@pytest.mark.clause("SWI-COUNTRY-2", "SWI-COUNTRY-3")
def test_ticket_values_are_shortest_paths() -> None:
    """SWI-COUNTRY-2, -3: to the nearest exit, never through a country; three printed values deviate."""
    shortest = distances((route.a, route.b, route.length) for route in BOARD.routes)
    members: dict[str, tuple[str, ...]] = {place.id: (place.id,) for place in BOARD.places}
    members |= {country.id: country.exits for country in BOARD.countries}
    deviations = set()
    for ticket in BOARD.tickets:
        for target in ticket.targets:
            near = min(shortest[a, b] for a in members[ticket.start] for b in members[target.to])
            if near != target.points:
                deviations.add((frozenset((ticket.start, target.to)), target.points, near))
    assert deviations == {
        (frozenset(("chur", "france")), 12, 13),
        (frozenset(("germany", "italy")), 13, 11),
        (frozenset(("france", "italy")), 11, 10),
    }
