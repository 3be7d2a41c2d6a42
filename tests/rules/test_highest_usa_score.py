"""A published figure: 285 is the most that 45 wagons can earn from routes and tickets on the USA board.

E. J. and A. J. Schaefer, "Maximizing the Score in Ticket to Ride" (arXiv 2511.08441): 62 points for routes and 223 for
tickets. The network below, found by a search of our own, reaches it.
"""

from __future__ import annotations

import pytest

from tests.kit.table import Table

ROUTES = [
    "seattle_vancouver_1",
    "portland_seattle_1",
    "portland_san_francisco_1",
    "los_angeles_san_francisco_1",
    "los_angeles_phoenix",
    "phoenix_santa_fe",
    "denver_santa_fe",
    "denver_kansas_city_1",
    "kansas_city_saint_louis_1",
    "chicago_saint_louis_1",
    "chicago_pittsburgh_1",
    "new_york_pittsburgh_1",
    "boston_new_york_1",
    "boston_montreal_1",
    "pittsburgh_toronto",
    "nashville_saint_louis",
    "atlanta_nashville",
    "atlanta_miami",
]
TICKETS = {
    "t_boston_miami": 12,
    "t_chicago_santa_fe": 9,
    "t_denver_pittsburgh": 11,
    "t_los_angeles_chicago": 16,
    "t_los_angeles_miami": 20,
    "t_los_angeles_new_york": 21,
    "t_montreal_atlanta": 9,
    "t_new_york_atlanta": 6,
    "t_portland_nashville": 17,
    "t_portland_phoenix": 11,
    "t_san_francisco_atlanta": 17,
    "t_seattle_los_angeles": 9,
    "t_seattle_new_york": 22,
    "t_toronto_miami": 10,
    "t_vancouver_montreal": 20,
    "t_vancouver_santa_fe": 13,
}


@pytest.mark.clause("USA-SCORE-1", "COMMON-TICKET-10", "COMMON-TICKET-11", "COMMON-SCORE-1")
@pytest.mark.parametrize("edition", ["usa-2004", "usa"])
def test_the_highest_score_from_routes_and_tickets(edition):
    t = Table.set(edition, 2, routes=dict.fromkeys(ROUTES, 0), tickets={0: list(TICKETS)})
    result = t.score()["seats"][0]
    assert t.player(0)["wagons"] == 0
    assert result["routes"] == 62
    assert {ticket["id"]: ticket["points"] for ticket in result["tickets"]} == TICKETS
    assert sum(ticket["points"] for ticket in result["tickets"]) == 223
    assert result["total"] - result["longest_path"]["bonus"] == 285


@pytest.mark.clause("COMMON-TICKET-11")
def test_it_completes_no_other_ticket():
    every = Table.set("usa", 2).position()["pile"]
    t = Table.set("usa", 2, routes=dict.fromkeys(ROUTES, 0), tickets={0: every})
    completed = {ticket["id"] for ticket in t.score()["seats"][0]["tickets"] if ticket["completed"]}
    assert len(every) == 30 and completed == set(TICKETS)
