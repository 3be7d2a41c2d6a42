"""Every fault code: a sound board is spoilt in one way, and the fault says what and where."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.unit.boards.small import Json, faults_in, small_board, spread
from turntable_rules.boards import Code, parse_board
from turntable_rules.boards.faults import CLAUSES

Spoil = Callable[[Json], object]


def put(*steps: str | int, value: object) -> Spoil:
    """Sets one value deep in the file."""

    def spoil(data: Json) -> None:
        for step in steps[:-1]:
            data = data[step]  # type: ignore[index]
        data[steps[-1]] = value  # type: ignore[index]

    return spoil


def drop(*steps: str | int) -> Spoil:
    """Removes one key or element."""

    def spoil(data: Json) -> None:
        for step in steps[:-1]:
            data = data[step]  # type: ignore[index]
        del data[steps[-1]]  # type: ignore[arg-type]

    return spoil


def add(key: str, element: Json) -> Spoil:
    """Appends to one of the lists."""
    return lambda data: data[key].append(element)


def all_of(*spoils: Spoil) -> Spoil:
    return lambda data: [spoil(data) for spoil in spoils]


def route(**changes: object) -> Json:
    return {"id": "new", "a": "a", "b": "c", "length": 2, "color": "grey"} | changes


ISLAND: Json = {"id": "island", "x": 1, "y": 1}
ISLE: Json = {"id": "isle", "x": 2, "y": 1}
ISLAND_ROUTE = route(a="island", b="isle")

CASES: list[tuple[Code, str, Spoil]] = [
    (Code.UNKNOWN_FORMAT, "format", put("format", value="turntable-board/2")),
    (Code.UNKNOWN_FORMAT, "format", put("format", value=1)),
    (Code.WRONG_TYPE, "routes[0].length", put("routes", 0, "length", value="2")),
    (Code.WRONG_TYPE, "routes[0].length", put("routes", 0, "length", value=2.0)),
    (Code.WRONG_TYPE, "routes[0].length", put("routes", 0, "length", value=True)),
    (Code.WRONG_TYPE, "routes[0].length", put("routes", 0, "length", value=float("nan"))),
    (Code.WRONG_TYPE, "tickets[0].points", put("tickets", 0, "points", value=float("inf"))),
    (Code.WRONG_TYPE, "tickets[0].points", put("tickets", 0, "points", value=10**30)),
    (Code.WRONG_TYPE, "cities[1]", put("cities", 1, value=[])),
    (Code.WRONG_TYPE, "cities[0].x", put("cities", 0, "x", value=None)),
    (Code.WRONG_TYPE, "cities[0].name", put("cities", 0, "name", value=7)),
    (Code.WRONG_TYPE, "cities[0].label", put("cities", 0, "label", value=7)),
    (Code.WRONG_TYPE, "cities[0].country", put("cities", 0, "country", value=7)),
    (Code.WRONG_TYPE, "routes", put("routes", value={})),
    (Code.WRONG_TYPE, "routes[2].double_group", put("routes", 2, "double_group", value=0)),
    (Code.WRONG_TYPE, "routes[0].color", put("routes", 0, "color", value=None)),
    (Code.WRONG_TYPE, "tickets[2].targets[0]", put("tickets", 2, "targets", 0, value="d")),
    (Code.WRONG_TYPE, "tickets[1].printed", put("tickets", 1, "printed", value=0)),
    (Code.WRONG_TYPE, "reconstructed", put("reconstructed", value="yes")),
    (Code.WRONG_TYPE, "countries[0].exits", put("countries", 0, "exits", value="utopia_a")),
    (Code.WRONG_TYPE, "board", put("board", value=[100, 80])),
    (Code.WRONG_TYPE, "rivers", put("rivers", value=[])),
    (Code.WRONG_TYPE, "rivers.Styx[0][1]", put("rivers", value={"Styx": [[1, 2.5]]})),
    (Code.MISSING_KEY, "id", drop("id")),
    (Code.MISSING_KEY, "tickets", drop("tickets")),
    (Code.MISSING_KEY, "cities[2].x", drop("cities", 2, "x")),
    (Code.MISSING_KEY, "routes[1].length", drop("routes", 1, "length")),
    (Code.MISSING_KEY, "routes[1].color", drop("routes", 1, "color")),
    (Code.MISSING_KEY, "tickets[0].points", drop("tickets", 0, "points")),
    (Code.MISSING_KEY, "tickets[2].from", drop("tickets", 2, "from")),
    (Code.MISSING_KEY, "tickets[2].targets", drop("tickets", 2, "targets")),
    (Code.MISSING_KEY, "countries[0].exits", drop("countries", 0, "exits")),
    (Code.UNKNOWN_KEY, "routes[0].lenght", put("routes", 0, "lenght", value=2)),
    (Code.UNKNOWN_KEY, "theme", put("theme", value="dark")),
    (Code.UNKNOWN_KEY, "tickets[2].points", put("tickets", 2, "points", value=4)),
    (Code.UNKNOWN_KEY, "tickets[2].targets[0].via", put("tickets", 2, "targets", 0, "via", value="a")),
    (Code.DUPLICATE_KEY, "routes[0].colour", put("routes", 0, "colour", value="red")),
    (Code.DUPLICATE_KEY, "routes[2].locos", put("routes", 2, "locos", value=1)),
    (Code.BAD_ID, "id", put("id", value="My Board")),
    (Code.BAD_ID, "tickets[1].id", put("tickets", 1, "id", value="")),
    (Code.BAD_ID, "tickets[1].id", put("tickets", 1, "id", value="-")),
    (Code.BAD_ID, "tickets[1].id", put("tickets", 1, "id", value="a,b")),
    (Code.BAD_ID, "routes[3].id", put("routes", 3, "id", value="c d")),
    (Code.BAD_ID, "routes[3].id", put("routes", 3, "id", value="cd\n")),
    (Code.BAD_ID, "routes[3].id", put("routes", 3, "id", value="c" * 65)),
    (Code.BAD_ID, "routes[3].a", put("routes", 3, "a", value="")),
    (Code.BAD_TEXT, "cities[0].name", put("cities", 0, "name", value=" ")),
    (Code.BAD_TEXT, "cities[0].name", put("cities", 0, "name", value="a\nb")),
    (Code.BAD_TEXT, "name", put("name", value="\ud800")),
    (Code.BAD_TEXT, "name", put("name", value="x" * 81)),
    (Code.DUPLICATE_ID, "cities[6].id", add("cities", {"id": "a", "x": 1, "y": 1})),
    (Code.DUPLICATE_ID, "routes[1].id", put("routes", 1, "id", value="ab1")),
    (Code.DUPLICATE_ID, "tickets[1].id", put("tickets", 1, "id", value="t_ad")),
    (Code.DUPLICATE_ID, "countries[1].id", add("countries", {"id": "utopia", "exits": ["utopia_a"]})),
    (Code.DUPLICATE_ID, "countries[1].id", add("countries", {"id": "a", "exits": ["utopia_a"]})),
    (Code.DUPLICATE_ID, "countries[0].exits[2]", lambda d: d["countries"][0]["exits"].append("utopia_a")),
    (Code.UNKNOWN_PLACE, "routes[0].a", put("routes", 0, "a", value="z")),
    (Code.UNKNOWN_PLACE, "tickets[0].b", put("tickets", 0, "b", value="z")),
    (Code.UNKNOWN_PLACE, "tickets[2].from", put("tickets", 2, "from", value="z")),
    (Code.UNKNOWN_PLACE, "tickets[2].targets[1].to", put("tickets", 2, "targets", 1, "to", value="z")),
    (Code.UNKNOWN_PLACE, "countries[0].exits[0]", put("countries", 0, "exits", 0, value="z")),
    (Code.UNKNOWN_PLACE, "cities[4].attached_to", put("cities", 4, "attached_to", value="z")),
    (Code.UNKNOWN_PLACE, "routes[0].a", put("cities", value=[])),
    (Code.BAD_COORDINATE, "cities[0].x", put("cities", 0, "x", value=-1)),
    (Code.BAD_COORDINATE, "cities[0].x", put("cities", 0, "x", value=101)),
    (Code.BAD_COORDINATE, "cities[0].y", put("cities", 0, "y", value=81)),
    (Code.BAD_COORDINATE, "board.width", put("board", "width", value=0)),
    (Code.BAD_COORDINATE, "rivers.Styx[0]", put("rivers", value={"Styx": [[1, 2, 3]]})),
    (Code.BAD_LABEL, "cities[0].label", put("cities", 0, "label", value="north")),
    (Code.UNKNOWN_COUNTRY, "cities[0].country", put("cities", 0, "country", value="erewhon")),
    (Code.COUNTRY_WITHOUT_EXITS, "countries[0].exits", put("countries", 0, "exits", value=[])),
    (Code.EXIT_MISMATCH, "countries[0].exits[2]", lambda d: d["countries"][0]["exits"].append("b")),
    (Code.EXIT_MISMATCH, "cities[5].country", drop("countries", 0, "exits", 1)),
    (Code.SHARED_EXIT, "cities[4].id", add("routes", route(a="utopia_a", b="b"))),
    (Code.ISOLATED_PLACE, "cities[6].id", add("cities", ISLAND)),
    (Code.NO_ROUTES, "routes", put("routes", value=[])),
    (Code.ROUTE_TO_ITSELF, "routes[3].b", put("routes", 3, "b", value="c")),
    (Code.BAD_LENGTH, "routes[3].length", put("routes", 3, "length", value=0)),
    (Code.BAD_LENGTH, "routes[3].length", put("routes", 3, "length", value=13)),
    (Code.UNKNOWN_COLOUR, "routes[3].color", put("routes", 3, "color", value="pink")),
    (Code.UNKNOWN_COLOUR, "routes[3].color", put("routes", 3, "color", value="Red")),
    (Code.UNKNOWN_KIND, "routes[3].kind", put("routes", 3, "kind", value="ferry+tunnel")),
    (Code.NEGATIVE_LOCOS, "routes[2].locomotives", put("routes", 2, "locomotives", value=-1)),
    (Code.TOO_MANY_LOCOS, "routes[2].locomotives", put("routes", 2, "locomotives", value=4)),
    (Code.FERRY_WITHOUT_LOCOS, "routes[2].locomotives", put("routes", 2, "locomotives", value=0)),
    (Code.FERRY_WITHOUT_LOCOS, "routes[2].locomotives", drop("routes", 2, "locomotives")),
    (Code.COLOURED_FERRY, "routes[2].color", put("routes", 2, "color", value="red")),
    (Code.FERRY_AND_TUNNEL, "routes[3].locomotives", put("routes", 3, "locomotives", value=1)),
    (Code.LOCOS_WITHOUT_FERRY, "routes[0].locomotives", put("routes", 0, "locomotives", value=1)),
    (Code.PARALLEL_WITHOUT_GROUP, "routes[6].double_group", add("routes", route(a="d", b="c"))),
    (Code.PARALLEL_WITHOUT_GROUP, "routes[1].double_group", put("routes", 1, "double_group", value="other")),
    (Code.PARALLEL_WITHOUT_GROUP, "routes[6].double_group", add("routes", route(a="a", b="b"))),
    (Code.GROUP_ENDS_DIFFER, "routes[3].double_group", put("routes", 3, "double_group", value="ab")),
    (Code.NO_TICKETS, "tickets", put("tickets", value=[])),
    (Code.UNKNOWN_DECK, "tickets[0].deck", put("tickets", 0, "deck", value="short")),
    (Code.NO_TARGETS, "tickets[2].targets", put("tickets", 2, "targets", value=[])),
    (Code.TARGET_IS_START, "tickets[0].b", put("tickets", 0, "b", value="a")),
    (Code.TARGET_IS_START, "tickets[2].targets[1].to", put("tickets", 2, "targets", 1, "to", value="b")),
    (
        Code.DUPLICATE_TARGET,
        "tickets[2].targets[1].to",
        put("tickets", 2, "targets", 1, "to", value="utopia"),
    ),
    (Code.TICKET_NAMES_EXIT, "tickets[0].b", put("tickets", 0, "b", value="utopia_d")),
    (Code.BAD_POINTS, "tickets[0].points", put("tickets", 0, "points", value=0)),
    (Code.BAD_POINTS, "tickets[2].targets[0].points", put("tickets", 2, "targets", 0, "points", value=-3)),
    (Code.BAD_POINTS, "tickets[0].points", put("tickets", 0, "points", value=1000)),
    (
        Code.UNREACHABLE_TICKET,
        "tickets[3]",
        all_of(
            add("cities", ISLAND),
            add("cities", ISLE),
            add("routes", ISLAND_ROUTE),
            add("tickets", {"id": "far", "a": "island", "b": "c", "points": 4}),
        ),
    ),
    (Code.TOO_BIG, "cities", lambda d: d["cities"].extend([ISLAND] * 300)),
    (Code.TOO_BIG, "routes", lambda d: d["routes"].extend([ISLAND_ROUTE] * 500)),
    (Code.TOO_BIG, "tickets", lambda d: d["tickets"].extend([d["tickets"][0]] * 500)),
    (Code.TOO_BIG, "countries", lambda d: d["countries"][0]["exits"].extend(["a"] * 300)),
    (Code.TOO_BIG, "", put("name", value="x" * (256 * 1024))),
    (Code.TOO_DEEP, "", lambda d: d.update(rivers=json.loads("[" * 90 + "]" * 90))),
]

# Faults of the text, of card files and of rulesets have tests of their own.
ELSEWHERE = {
    Code.BAD_JSON,
    Code.BAD_ENCODING,
    Code.BAD_COUNT,
    Code.NO_CARDS,
    Code.BIG_CITY_MISMATCH,
    Code.LENGTH_NOT_SCORED,
    Code.TOO_FEW_LONG_TICKETS,
    Code.TOO_FEW_TICKETS,
}


@pytest.mark.clause("COMMON-CLAIM-16", "COMMON-DOUBLE-1", "COMMON-DOUBLE-6", "EUR-FERRY-1", "SWI-COUNTRY-1")
@pytest.mark.parametrize(("code", "path", "spoil"), CASES, ids=[f"{code}-{path}" for code, path, _ in CASES])
def test_fault(code: Code, path: str, spoil: Spoil) -> None:
    """COMMON-CLAIM-16, COMMON-DOUBLE-1, COMMON-DOUBLE-6, EUR-FERRY-1, SWI-COUNTRY-1, SWI-MULTI-1."""
    data = small_board()
    spoil(data)
    faults = faults_in(spread(data))
    found = [fault for fault in faults if (fault.code, fault.path) == (code, path)]
    assert len(found) == 1, faults
    assert found[0].message
    assert str(code) in str(found[0])
    assert CLAUSES.get(code, "") in str(found[0])


@pytest.mark.parametrize(
    ("code", "path", "spoil"),
    [case for case in CASES if case[0] not in (Code.WRONG_TYPE, Code.MISSING_KEY, Code.TOO_BIG)],
    ids=[f"{c}-{p}" for c, p, _ in CASES if c not in (Code.WRONG_TYPE, Code.MISSING_KEY, Code.TOO_BIG)],
)
def test_one_mistake_is_not_reported_as_many(code: Code, path: str, spoil: Spoil) -> None:
    """A mistake may have consequences elsewhere, but few."""
    data = small_board()
    spoil(data)
    faults = faults_in(spread(data))
    emptied = code in (Code.UNKNOWN_PLACE, Code.NO_ROUTES)
    assert len(faults) <= (25 if emptied else 4), faults


def test_every_code_has_a_test() -> None:
    assert {code for code, _, _ in CASES} | ELSEWHERE == set(Code)
    assert all(code == code.lower() and code.isidentifier() for code in Code)


def test_the_board_that_is_spoilt_is_sound() -> None:
    assert faults_in(spread(small_board())) == []


@pytest.mark.clause("COMMON-DOUBLE-1", "COMMON-DOUBLE-5", "COMMON-DOUBLE-7", "SWI-COUNTRY-4")
def test_what_is_not_a_fault() -> None:
    """COMMON-DOUBLE-1, -5, -7, SWI-COUNTRY-4: unequal and triple tracks, side by side but other ends."""
    data = small_board()
    data["routes"] += [
        route(id="ab3", a="a", b="b", length=5, double_group="ab"),
        route(id="ac", a="a", b="c"),
        route(id="ub", a="a", b="utopia_x"),
    ]
    data["cities"].append({"id": "utopia_x", "x": 1, "y": 1, "country": "utopia"})
    data["countries"][0]["exits"].append("utopia_x")
    assert faults_in(spread(data)) == []


@pytest.mark.clause("SWI-COUNTRY-2")
def test_nothing_is_reached_through_a_country() -> None:
    """SWI-COUNTRY-2: two halves that only a country would join are not joined."""
    data = small_board()
    del data["routes"][2]  # b to c
    data["tickets"] = [{"id": "t_ad", "a": "a", "b": "d", "points": 9}]
    faults = faults_in(spread(data))
    assert [(fault.code, fault.path) for fault in faults] == [(Code.UNREACHABLE_TICKET, "tickets[0]")]


@pytest.mark.clause("SWI-COUNTRY-1", "SWI-COUNTRY-2")
def test_nothing_is_reached_through_an_exit() -> None:
    """SWI-COUNTRY-1, -2: an exit that two routes share is refused, and does not join them either."""
    data = small_board()
    data["routes"][2] = route(a="utopia_a", b="d")  # instead of b to c
    data["tickets"] = [{"id": "t_ad", "a": "a", "b": "d", "points": 9}]
    assert {(fault.code, fault.path) for fault in faults_in(spread(data))} == {
        (Code.SHARED_EXIT, "cities[4].id"),
        (Code.UNREACHABLE_TICKET, "tickets[0]"),
    }


@pytest.mark.clause("SWI-MULTI-2")
def test_one_reachable_target_is_enough() -> None:
    """SWI-MULTI-2."""
    data = small_board()
    del data["routes"][2]
    data["tickets"] = [data["tickets"][2]]  # from b to Utopia, by a, or to d
    assert faults_in(spread(data)) == []


def test_spellings() -> None:
    """8.2, USA2004-COLOUR-1: colour, gray, locos and brown are read; the output says orange."""
    plain, other = small_board(), small_board()
    plain["routes"][3]["color"] = "orange"
    for element in other["routes"]:
        element["colour"] = {"grey": "gray"}.get(element["color"], element["color"])
        del element["color"]
    other["routes"][2]["locos"] = other["routes"][2].pop("locomotives")
    other["routes"][3]["colour"] = "brown"
    first, second = parse_board(spread(plain)), parse_board(spread(other))
    assert first == second
    assert first.routes[3].colour == "orange"
    assert first.routes[2].colour is None


def test_defaults() -> None:
    """A file that leaves out format, names, size, kinds and decks is read as version 1."""
    data = small_board()
    for key in ("format", "name", "board"):
        del data[key]
    board = parse_board(spread(data))
    assert (board.name, board.width, board.height) == ("small", 120, 110)
    assert (board.routes[0].kind, board.routes[0].locos, board.routes[2].double_group) == ("rail", 0, None)
    assert [ticket.long for ticket in board.tickets] == [True, False, False]
    assert [ticket.printed for ticket in board.tickets] == [True, False, True]
    assert (board.places[2].label, board.places[3].country) == ("", None)
    assert not board.reconstructed
