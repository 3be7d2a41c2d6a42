"""Completed and failed tickets, and what a total is made of (COMMON-TICKET-10 to -12, COMMON-SCORE)."""

from __future__ import annotations

import random

import pytest

from tests.kit.fan_boards import fan_board, line, ticket
from tests.kit.table import Table
from turntable_rules import builtin_board

BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}
CHAIN = fan_board(
    [line("x-y", 3), line("y-z", 2), line("z-w", 1), line("p-q", 4)],
    [ticket("x-z", 9), ticket("x-y", 5), ticket("x-w", 20), ticket("p-q", 6)],
)


def outcomes(table: Table, seat: int = 0) -> dict[str, int]:
    """Ticket id to points, checked against the outcome said beside it."""
    found = table.score()["seats"][seat]["tickets"]
    assert all(entry["completed"] == (entry["points"] > 0) for entry in found)
    return {entry["id"]: entry["points"] for entry in found}


@pytest.mark.scenario("S-117")
@pytest.mark.clause("COMMON-TICKET-10", "COMMON-TICKET-11", "COMMON-TICKET-12")
@pytest.mark.parametrize("edition", BOARDS)
def test_one_chain_serves_several_tickets(edition):
    t = Table.set(
        edition,
        2,
        board=CHAIN,
        routes={"x_y": 0, "y_z": 0},
        tickets={0: ["t_x_z", "t_x_y"]},
    )
    assert outcomes(t) == {"t_x_z": 9, "t_x_y": 5}


@pytest.mark.scenario("S-118")
@pytest.mark.clause("COMMON-TICKET-10", "COMMON-TICKET-11")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_rivals_route_does_not_help(edition):
    t = Table.set(edition, 2, board=CHAIN, routes={"x_y": 0, "y_z": 1}, tickets={0: ["t_x_z"]})
    assert outcomes(t) == {"t_x_z": -9}


@pytest.mark.clause("COMMON-TICKET-10")
@pytest.mark.parametrize(
    ("owned", "won"),
    [
        (["x_y", "y_z", "z_w"], True),
        (["x_y", "z_w"], False),
        (["y_z", "z_w"], False),
        (["x_y", "p_q"], False),
        ([], False),
    ],
)
def test_the_chain_has_to_be_continuous(owned, won):
    t = Table.set("usa", 2, board=CHAIN, routes=dict.fromkeys(owned, 0), tickets={0: ["t_x_w"]})
    assert outcomes(t) == {"t_x_w": 20 if won else -20}


@pytest.mark.clause("COMMON-TICKET-10")
def test_random_networks_complete_what_a_flood_fill_reaches():
    """On the USA board, against a search written for this test."""
    board = builtin_board("usa")
    chance = random.Random(5)
    for _ in range(25):
        owned: dict[str, int] = {}
        groups: set[str | None] = set()
        wagons = 0
        for route in chance.sample(board.routes, len(board.routes)):
            if route.double_group in groups - {None} or wagons + route.length > 45:
                continue
            owned[route.id] = 0
            groups.add(route.double_group)
            wagons += route.length
        reached = {}
        for place in board.places:
            seen, frontier = {place.id}, [place.id]
            while frontier:
                here = frontier.pop()
                for route in board.routes:
                    if route.id in owned and here in (route.a, route.b):
                        there = route.b if here == route.a else route.a
                        if there not in seen:
                            seen.add(there)
                            frontier.append(there)
            reached[place.id] = seen
        held = [one.id for one in board.tickets]
        expected = {
            one.id: one.targets[0].points * (1 if one.targets[0].to in reached[one.start] else -1)
            for one in board.tickets
        }
        assert outcomes(Table.set("usa", 2, routes=owned, tickets={0: held})) == expected


@pytest.mark.clause("COMMON-TICKET-11")
@pytest.mark.parametrize("edition", BOARDS)
def test_tickets_count_at_the_end_and_not_before(edition):
    t = Table.set(
        edition, 2, board=CHAIN, hands={0: "rr"}, row="uuugg", routes={"x_y": 0}, tickets={0: ["t_x_z"]}
    )
    before = t.player(0)["score"]
    t.play(0, "claim y_z 2red")
    assert t.player(0)["score"] == before + 2
    result = t.score()["seats"][0]
    # Routes 4 + 2, the ticket 9, the longest path 10; three stations in europe, 100 to start with in switzerland.
    assert result["total"] == 25 + {"europe": 12, "switzerland": 100}.get(edition, 0)


@pytest.mark.clause("COMMON-SCORE-1")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon", "switzerland"])
def test_a_total_is_the_sum_of_its_parts(edition):
    t = Table.set(
        edition,
        2,
        board=CHAIN,
        routes={"x_y": 0, "y_z": 0, "p_q": 1},
        tickets={0: ["t_x_z", "t_p_q"], 1: ["t_x_w"]},
        options={"start_score": 7},
    )
    first, second = t.score()["seats"]
    # 7 + (4 + 2) + 9 − 6 + 10 and 7 + 7 − 20.
    assert (first["start"], first["routes"], first["longest_path"]["bonus"], first["total"]) == (7, 6, 10, 26)
    assert (second["start"], second["routes"], second["longest_path"]["bonus"], second["total"]) == (
        7,
        7,
        0,
        -6,
    )


@pytest.mark.clause("COMMON-SCORE-1", "EUR-STATION-9")
def test_unused_stations_are_part_of_the_total():
    t = Table.set(
        "europe",
        2,
        board=CHAIN,
        routes={"x_y": 0, "y_z": 0, "p_q": 1},
        tickets={0: ["t_x_z"], 1: ["t_p_q"]},
        stations={0: ["p"], 1: ["x", "y", "z"]},
    )
    first, second = t.score()["seats"]
    assert (first["stations"], first["total"]) == (8, 6 + 9 + 8 + 10)
    assert (second["stations"], second["total"]) == (0, 7 + 6)


@pytest.mark.clause("COMMON-SCORE-2")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_running_score_is_that_of_the_routes_owned(edition, seed):
    """Random games that claim when they can, recounted from the board after every move."""
    board = builtin_board("usa" if edition == "usa-2004" else edition)
    length = {route.id: route.length for route in board.routes}
    chance = random.Random(seed)
    t = Table.new(edition, 3, bytes([seed]) * 32, options={"max_turns": 150})
    for seat in range(3):
        t.play(seat, t.moves(seat)[0])
    while t.phase != "finished":
        moves = t.moves(t.active)
        claims = [move for move in moves if move.startswith(("claim", "tunnel_pay"))]
        t.play(t.active, chance.choice(claims or [move for move in moves if move != "stop_drawing"]))
        position = t.position()
        for seat, player in enumerate(position["players"]):
            recount = sum(POINTS[length[one]] for one, owner in position["routes"].items() if owner == seat)
            assert player["score"] == recount + (100 if edition == "switzerland" else 0)
    assert len(t.position()["routes"]) > 10
    for seat, result in enumerate(t.score()["seats"]):
        assert result["start"] + result["routes"] == t.player(seat)["score"]


@pytest.mark.scenario("S-116")
@pytest.mark.clause("COMMON-SCORE-3")
@pytest.mark.parametrize(("rival", "total"), [("p_q", -59), (None, -49)])
def test_a_total_may_be_negative(rival, total):
    board = fan_board(
        [line("a-b", 1), line("p-q", 2), line("q-r", 2), line("r-s", 2)],
        [ticket("p-r", 20), ticket("p-s", 20), ticket("q-s", 20)],
    )
    routes = {"a_b": 0} if rival is None else {"a_b": 0, rival: 1}
    t = Table.set("usa", 2, board=board, routes=routes, tickets={0: ["t_p_r", "t_p_s", "t_q_s"]})
    assert t.score()["seats"][0]["total"] == total


@pytest.mark.clause("COMMON-SCORE-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_nothing_stops_at_zero(edition):
    pile = Table.set(edition, 2).position()["pile"]
    t = Table.set(edition, 2, tickets={0: pile}, options={"start_score": 0})
    lost = sum(min(target.points for target in one.targets) for one in builtin_of(edition) if one.id in pile)
    assert t.score()["seats"][0]["total"] == -lost + (12 if edition == "europe" else 0) < 0


def builtin_of(edition: str):
    return builtin_board("usa" if edition == "usa-2004" else edition).tickets


@pytest.mark.clause("COMMON-SCORE-4")
@pytest.mark.parametrize("edition", [*BOARDS, "card"])
def test_the_result_lists_every_component_and_every_ticket(edition):
    pile = Table.set(edition, 2).position()["pile"]
    t = Table.set(edition, 2, tickets={0: pile[:5], 1: pile[5:6]})
    t.retire(1)
    result = t.view(None)["result"]
    for seat, tickets in enumerate((pile[:5], pile[5:6])):
        parts = result["seats"][seat]
        assert [entry["id"] for entry in parts["tickets"]] == tickets
        assert all(set(entry) == {"id", "completed", "points"} for entry in parts["tickets"])
        assert {"start", "routes", "stations", "longest_path", "total", "rank"} <= set(parts)
        total = parts["start"] + parts["routes"] + parts["stations"] + parts["longest_path"]["bonus"]
        total += sum(entry["points"] for entry in parts["tickets"])
        total += sum(bonus["points"] for bonus in parts["city_bonuses"])
        assert parts["total"] == total


@pytest.mark.clause("COMMON-SCORE-4")
def test_the_result_names_the_routes_of_the_longest_path():
    t = Table.set("usa", 2, board=CHAIN, routes={"x_y": 0, "y_z": 0, "p_q": 0})
    path = t.score()["seats"][0]["longest_path"]
    assert path["length"] == 5 and sorted(path["routes"]) == ["x_y", "y_z"]
