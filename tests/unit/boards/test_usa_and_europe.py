"""The USA and Europe boards against the figures of data/PROVENANCE.md and the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.unit.boards.small import board_distances
from turntable_rules.boards import builtin_board
from turntable_rules.engine.board import COLOURS, Board, Route

USA = builtin_board("usa")
EUROPE = builtin_board("europe")


def pairs_of(board: Board) -> Counter[frozenset[str]]:
    return Counter(frozenset((route.a, route.b)) for route in board.routes)


def between(board: Board, a: str, b: str) -> list[Route]:
    return [route for route in board.routes if {route.a, route.b} == {a, b}]


def spaces(board: Board, colour: str | None) -> tuple[int, int]:
    lengths = [route.length for route in board.routes if route.colour == colour]
    return len(lengths), sum(lengths)


@pytest.mark.parametrize(
    ("board", "places", "tracks", "pairs", "doubles", "total"),
    [(USA, 36, 100, 78, 22, 309), (EUROPE, 47, 101, 90, 11, 300)],
    ids=["usa", "europe"],
)
def test_counts(board: Board, places: int, tracks: int, pairs: int, doubles: int, total: int) -> None:
    """8.4: places, tracks, pairs, double pairs and spaces."""
    joined = pairs_of(board)
    assert (len(board.places), len(board.routes), len(joined)) == (places, tracks, pairs)
    assert Counter(joined.values()) == {1: pairs - doubles, 2: doubles}
    assert sum(route.length for route in board.routes) == total
    assert not board.countries
    assert not board.reconstructed


def test_lengths() -> None:
    """8.4: histograms of track lengths."""
    assert Counter(r.length for r in USA.routes) == {1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9}
    assert Counter(r.length for r in EUROPE.routes) == {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1}


def test_usa_colours_are_balanced() -> None:
    """8.4: each colour has 7 tracks and 27 spaces, gray 44 and 93."""
    assert {spaces(USA, colour) for colour in COLOURS} == {(7, 27)}
    assert spaces(USA, None) == (44, 93)


def test_europe_colours_pair_off() -> None:
    """8.4: 8 tracks each; 22 spaces, blue and green 23; gray 37 and 122; four pairs of equal histograms."""
    assert {colour: spaces(EUROPE, colour) for colour in COLOURS} == {
        colour: (8, 23 if colour in ("blue", "green") else 22) for colour in COLOURS
    }
    assert spaces(EUROPE, None) == (37, 122)
    for one, other in (("black", "red"), ("blue", "green"), ("orange", "yellow"), ("purple", "white")):
        assert Counter(r.length for r in EUROPE.routes if r.colour == one) == Counter(
            r.length for r in EUROPE.routes if r.colour == other
        )


@pytest.mark.clause("EUR-FERRY-1", "COMMON-CLAIM-16")
def test_kinds() -> None:
    """EUR-FERRY-1, COMMON-CLAIM-16: only ferries have loco symbols, and they are gray."""
    assert Counter(r.kind for r in USA.routes) == {"rail": 100}
    assert Counter(r.kind for r in EUROPE.routes) == {"rail": 70, "tunnel": 18, "ferry": 13}
    for route in (*USA.routes, *EUROPE.routes):
        assert (route.locos > 0) == (route.kind == "ferry")
        assert route.kind != "ferry" or route.colour is None


def test_ferries() -> None:
    """8.4: the loco symbols of each ferry, as counted on the board."""
    ferries = Counter((r.a, r.b, r.locos) for r in EUROPE.routes if r.kind == "ferry")
    assert ferries == {
        ("amsterdam", "london", 2): 1,
        ("dieppe", "london", 1): 2,
        ("essen", "kobenhavn", 1): 2,
        ("palermo", "roma", 1): 1,
        ("brindisi", "palermo", 1): 1,
        ("athina", "brindisi", 1): 1,
        ("athina", "smyrna", 1): 1,
        ("palermo", "smyrna", 2): 1,
        ("constantinople", "sevastopol", 2): 1,
        ("erzurum", "sevastopol", 2): 1,
        ("sevastopol", "sochi", 1): 1,
    }


def test_tunnels() -> None:
    """8.4: the 18 tunnel tracks, as read off the board."""
    tunnels = Counter((r.a, r.b) for r in EUROPE.routes if r.kind == "tunnel")
    assert tunnels == {
        ("madrid", "pamplona"): 2,
        ("barcelona", "pamplona"): 1,
        ("paris", "zurich"): 1,
        ("marseille", "zurich"): 1,
        ("munchen", "zurich"): 1,
        ("munchen", "venezia"): 1,
        ("venezia", "zurich"): 1,
        ("marseille", "roma"): 1,
        ("budapest", "kyiv"): 1,
        ("bucuresti", "budapest"): 1,
        ("bucuresti", "sofia"): 1,
        ("sarajevo", "sofia"): 1,
        ("angora", "constantinople"): 1,
        ("constantinople", "smyrna"): 1,
        ("angora", "smyrna"): 1,
        ("erzurum", "sochi"): 1,
        ("petrograd", "stockholm"): 1,
    }


@pytest.mark.clause("USA-CLAIM-1", "USA-CLAIM-2", "EUR-FERRY-5", "EUR-DOUBLE-1")
def test_routes_named_by_the_rules() -> None:
    """USA-CLAIM-1, USA-CLAIM-2, EUR-FERRY-5, EUR-DOUBLE-1."""
    assert [(r.length, r.colour) for r in between(USA, "montreal", "new_york")] == [(3, "blue")]
    assert [(r.length, r.colour) for r in between(USA, "montreal", "toronto")] == [(3, None)]
    assert [(r.length, r.locos) for r in between(EUROPE, "palermo", "smyrna")] == [(6, 2)]
    madrid = between(EUROPE, "madrid", "pamplona")
    assert [(r.length, r.kind) for r in madrid] == [(3, "tunnel")] * 2
    assert {r.colour for r in madrid} == {"black", "white"}
    assert madrid[0].double_group == madrid[1].double_group is not None


@pytest.mark.clause("COMMON-DOUBLE-1", "COMMON-DOUBLE-6")
@pytest.mark.parametrize("board", [USA, EUROPE], ids=["usa", "europe"])
def test_doubles_share_ends_length_and_group(board: Board) -> None:
    """COMMON-DOUBLE-1, COMMON-DOUBLE-6."""
    for pair in pairs_of(board):
        tracks = between(board, *pair)
        assert len({(r.length, r.double_group) for r in tracks}) == 1
        assert (tracks[0].double_group is not None) == (len(tracks) == 2)


def test_tickets() -> None:
    """Section 1: 30 tickets; 46 = 6 long + 40 regular; values and sums of PROVENANCE.md."""
    usa = [ticket.targets[0].points for ticket in USA.tickets]
    assert (len(usa), min(usa), max(usa), sum(usa)) == (30, 4, 22, 349)
    long = [ticket.targets[0].points for ticket in EUROPE.tickets if ticket.long]
    regular = [ticket.targets[0].points for ticket in EUROPE.tickets if not ticket.long]
    assert (len(long), min(long), max(long)) == (6, 20, 21)
    assert (len(regular), min(regular), max(regular)) == (40, 5, 13)
    assert sum(long) + sum(regular) == 444
    for ticket in (*USA.tickets, *EUROPE.tickets):
        assert len(ticket.targets) == 1
        assert ticket.printed


@pytest.mark.parametrize(
    ("board", "deviations"),
    [
        (
            USA,
            {
                ("los_angeles", "chicago"): (16, 15),
                ("los_angeles", "miami"): (20, 19),
                ("los_angeles", "new_york"): (21, 20),
                ("sault_st_marie", "oklahoma_city"): (9, 8),
                ("seattle", "new_york"): (22, 20),
            },
        ),
        (EUROPE, {("edinburgh", "athina"): (21, 20), ("london", "wien"): (10, 9)}),
    ],
    ids=["usa", "europe"],
)
def test_ticket_values_are_shortest_paths(
    board: Board, deviations: dict[tuple[str, str], tuple[int, int]]
) -> None:
    """8.4: every ticket is worth the shortest path, but for the deviations printed on the cards."""
    shortest = board_distances(board)
    found = {
        (ticket.start, ticket.targets[0].to): (
            ticket.targets[0].points,
            shortest[ticket.start, ticket.targets[0].to],
        )
        for ticket in board.tickets
    }
    assert {pair: values for pair, values in found.items() if values[0] != values[1]} == deviations


def test_coordinates_lie_in_the_stated_boxes() -> None:
    for board, box in ((USA, (51, 939, 41, 600)), (EUROPE, (45, 948, 38, 610))):
        xs, ys = [p.x for p in board.places], [p.y for p in board.places]
        assert (min(xs), max(xs), min(ys), max(ys)) == box
        assert all(p.label for p in board.places)
        assert max(xs) < board.width
        assert max(ys) < board.height
