"""Countries and tickets with several targets (SWI-COUNTRY, SWI-MULTI)."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import choice_ticket, fan_board, fan_board_text, line, ticket
from tests.kit.table import Table
from turntable_rules import BoardError, builtin_board, parse_board

# From Schaffhausen's exit to Germany down to Lugano, and on to Italy.
GERMANY_TO_LUGANO = [
    "schaffhausen-germany_schaffhausen",
    "schaffhausen-winterthur-1",
    "winterthur-zurich-1",
    "zug-zurich-1",
    "schwyz-zug-1",
    "schwyz-wassen-1",
    "bellinzona-wassen-1",
    "bellinzona-lugano-1",
]
LUGANO_TO_ITALY = "lugano-italy_lugano"
# Austria and France are far off: Vaduz by Sargans and Pfäffikon from Schwyz.
SCHWYZ_TO_AUSTRIA = ["pfaffikon-schwyz", "pfaffikon-sargans", "sargans-vaduz", "vaduz-austria_vaduz"]

COUNTRIES = {"germany": ["g1", "g2"], "italy": ["i1"], "france": ["f1", "f2"]}
SPLIT = fan_board(
    [
        line("z-g1", 1),
        line("k-g2", 1),
        line("k-i1", 2),
        line("u-f1", 4),
        line("v-f2", 5),
        line("z-k", 3),
    ],
    [
        choice_ticket("z_italy", "z", italy=9),
        choice_ticket("germany_italy", "germany", italy=6),
        choice_ticket("any", "z", germany=3, italy=9, k=5),
        ticket("z-k", 5),
    ],
    COUNTRIES,
)


def outcome(routes: list[str], name: str, board=None) -> int:
    """What the ticket brings to an owner of these routes."""
    t = Table.set("switzerland", 2, board=board, routes=dict.fromkeys(routes, 0), tickets={0: [name]})
    (entry,) = t.score()["seats"][0]["tickets"]
    assert entry["completed"] == (entry["points"] > 0)
    return entry["points"]


def faults(text: str) -> list[str]:
    with pytest.raises(BoardError) as refused:
        parse_board(text)
    return [fault.clause or fault.code for fault in refused.value.faults]


@pytest.mark.clause("SWI-MULTI-1")
def test_tickets_have_a_start_and_valued_targets():
    """The tickets of the board: a city or a country to start from, cities or countries to reach."""
    board = builtin_board("switzerland")
    countries = {country.id for country in board.countries}
    cities = {place.id for place in board.places if place.country is None}
    assert len(board.tickets) == 46
    assert {one.start for one in board.tickets} & countries == countries
    for one in board.tickets:
        assert one.start in cities | countries and len(one.targets) >= 1
        assert all(target.to in cities | countries and target.points > 0 for target in one.targets)
    bern = next(one for one in board.tickets if one.id == "bern-countries")
    assert {target.to: target.points for target in bern.targets} == {
        "germany": 6,
        "austria": 11,
        "italy": 8,
        "france": 5,
    }


@pytest.mark.clause("SWI-MULTI-1")
def test_a_ticket_without_targets_or_to_an_exit_is_refused():
    routes = [line("x-e", 1), line("x-y", 2)]
    no_targets = {"id": "t", "from": "x", "targets": []}
    assert faults(fan_board_text(routes, [no_targets], {"elsewhere": ["e"]})) == ["SWI-MULTI-1"]
    to_exit = choice_ticket("t", "y", e=4)
    assert faults(fan_board_text([line("x-y", 2), line("x-e", 1)], [to_exit], {"elsewhere": ["e"]})) == [
        "SWI-MULTI-1"
    ]


@pytest.mark.clause("SWI-MULTI-2", "SWI-MULTI-3", "SWI-MULTI-4")
@pytest.mark.parametrize(
    ("owned", "points"),
    [
        (["z_g1"], 3),
        (["z_k"], 5),
        (["z_k", "z_g1"], 5),
        (["z_k", "k_i1"], 9),
        (["z_k", "k_i1", "z_g1", "k_g2"], 9),
        (["k_i1", "k_g2"], -3),
        ([], -3),
    ],
)
def test_the_best_target_reached_counts_and_the_cheapest_is_lost(owned, points):
    """Zero targets, one, two or all three of: Germany 3, Italy 9, city k 5."""
    assert outcome(owned, "any", SPLIT) == points


@pytest.mark.clause("SWI-MULTI-3")
def test_lugano_reaches_more_and_more():
    assert outcome([LUGANO_TO_ITALY], "lugano-countries") == 2
    assert outcome([*GERMANY_TO_LUGANO, LUGANO_TO_ITALY], "lugano-countries") == 12
    assert outcome([*GERMANY_TO_LUGANO, *SCHWYZ_TO_AUSTRIA, LUGANO_TO_ITALY], "lugano-countries") == 13


@pytest.mark.scenario("S-121")
@pytest.mark.clause("SWI-MULTI-4")
def test_no_exit_reached_costs_the_lowest_value():
    assert outcome([], "lugano-countries") == -2
    assert outcome(GERMANY_TO_LUGANO[1:], "lugano-countries") == -2


@pytest.mark.scenario("S-122")
@pytest.mark.clause("SWI-MULTI-5", "SWI-COUNTRY-3")
def test_from_country_to_country():
    joined = [*GERMANY_TO_LUGANO, LUGANO_TO_ITALY]
    assert outcome(joined, "germany-countries-1") == 13
    assert outcome(joined, "italy-countries-2") == 13
    assert outcome([one for one in joined if one != "schwyz-wassen-1"], "germany-countries-1") == -5


@pytest.mark.clause("SWI-COUNTRY-3")
@pytest.mark.parametrize(
    "exit_route", ["kreuzlingen-germany_kreuzlingen_east", "kreuzlingen-germany_kreuzlingen_west"]
)
def test_any_exit_reaches_the_country(exit_route):
    way = ["winterthur-zurich-1", "kreuzlingen-winterthur"]
    assert outcome([*way, exit_route], "zurich-countries") == 3
    assert outcome(way, "zurich-countries") == -3


@pytest.mark.clause("SWI-COUNTRY-1")
def test_each_exit_ends_one_route_and_the_countries_have_the_published_number_of_exits():
    board = builtin_board("switzerland")
    assert {country.id: len(country.exits) for country in board.countries} == {
        "austria": 3,
        "france": 4,
        "germany": 5,
        "italy": 5,
    }
    for country in board.countries:
        for way_out in country.exits:
            assert len([one for one in board.routes if way_out in (one.a, one.b)]) == 1


@pytest.mark.clause("SWI-COUNTRY-1")
def test_a_board_whose_exit_ends_two_routes_is_refused():
    routes = [line("x-e", 1), line("y-e", 1), line("x-y", 2)]
    assert faults(fan_board_text(routes[::-1], (), {"elsewhere": ["e"]})) == ["SWI-COUNTRY-1"]


@pytest.mark.scenario("S-123")
@pytest.mark.clause("SWI-COUNTRY-1", "SWI-COUNTRY-2", "SWI-COUNTRY-3")
def test_no_ticket_passes_through_a_country():
    """z has one German exit; another German exit, in another component, is joined to Italy."""
    assert outcome(["z_g1", "k_g2", "k_i1"], "z_italy", SPLIT) == -9
    assert outcome(["z_g1", "k_g2", "k_i1"], "t_z_k", SPLIT) == -5
    assert outcome(["z_g1", "k_g2", "k_i1"], "germany_italy", SPLIT) == 6
    assert outcome(["z_k", "k_i1"], "z_italy", SPLIT) == 9


@pytest.mark.scenario("S-124")
@pytest.mark.clause("SWI-COUNTRY-2", "SWI-PATH-1")
@pytest.mark.parametrize("reading", ["trail", "no_fork"])
def test_no_path_passes_through_a_country(reading):
    t = Table.set(
        "switzerland", 2, board=SPLIT, routes={"u_f1": 0, "v_f2": 0}, options={"longest_path": reading}
    )
    path = t.score()["seats"][0]["longest_path"]
    assert (path["length"], path["bonus"]) == (5, 10)


@pytest.mark.clause("SWI-MULTI-5", "SWI-COUNTRY-2")
def test_exits_in_different_components_do_not_join_two_countries():
    assert outcome(["z_g1", "k_i1"], "germany_italy", SPLIT) == -6
    assert outcome(["z_g1", "z_k", "k_i1"], "germany_italy", SPLIT) == 6


@pytest.mark.scenario("S-125")
@pytest.mark.clause("SWI-MULTI-6", "SWI-TIE-1")
@pytest.mark.parametrize("many", [0, 1])
def test_however_many_targets_it_is_one_ticket(many):
    """One seat reaches three targets with one ticket, the other completes two small tickets; equal totals."""
    other = 1 - many
    first = [line("a-g1", 1), line("a-i1", 1), line("a-f1", 1)]
    second = [line("b-c", 1), line("c-d", 1), line("e-h", 1)]
    board = fan_board(
        [*first, *second],
        [choice_ticket("three", "a", germany=2, italy=9, france=4), ticket("b-c", 4), ticket("c-d", 5)],
        {"germany": ["g1"], "italy": ["i1"], "france": ["f1"]},
    )
    owners = {**{one["id"]: many for one in first}, **{one["id"]: other for one in second}}
    t = Table.set(
        "switzerland", 2, board=board, routes=owners, tickets={many: ["three"], other: ["t_b_c", "t_c_d"]}
    )
    result = t.score()
    assert [seat["total"] for seat in result["seats"]] == [122, 122]
    assert result["winners"] == [other]
