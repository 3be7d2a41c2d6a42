"""Europe: the longest path and the tie-breaks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.table import Table

# A loop Paris–Brest–Dieppe–Paris with a tail to Frankfurt: 3 + 2 + 1, and 3.
LOOP_AND_TAIL = {"brest_paris": 0, "brest_dieppe": 0, "dieppe_paris": 0, "frankfurt_paris_1": 0}


def path_lengths(players: int = 2, **facts: Any) -> list[int]:
    seats = Table.set("europe", players, **facts).score()["seats"]
    return [seat["longest_path"]["length"] for seat in seats]


@pytest.mark.clause("EUR-PATH-1")
@pytest.mark.scenario("S-104")
def test_all_players_tied_for_the_longest_path_get_ten_points():
    first = {
        "petrograd_stockholm": 8,
        "moskva_petrograd": 4,
        "kharkov_moskva": 4,
        "kharkov_kyiv": 4,
        "budapest_kyiv": 6,
        "budapest_zagrab": 2,
    }
    second = {
        "munchen_venezia": 2,
        "frankfurt_munchen": 2,
        "amsterdam_frankfurt": 2,
        "amsterdam_london": 2,
        "dieppe_london_1": 2,
        "brest_dieppe": 2,
        "brest_pamplona": 4,
        "marseille_pamplona": 4,
        "marseille_roma": 4,
        "palermo_roma": 4,
    }
    third = {
        "bucuresti_sevastopol": 4,
        "erzurum_sevastopol": 4,
        "angora_erzurum": 3,
        "angora_smyrna": 3,
        "athina_smyrna": 2,
        "athina_brindisi": 4,
    }
    assert [sum(line.values()) for line in (first, second, third)] == [28, 28, 20]
    routes = dict.fromkeys(first, 0) | dict.fromkeys(second, 1) | dict.fromkeys(third, 2)
    seats = Table.set("europe", 3, routes=routes).score()["seats"]
    assert [seat["longest_path"]["length"] for seat in seats] == [28, 28, 20]
    assert [seat["longest_path"]["bonus"] for seat in seats] == [10, 10, 0]


@pytest.mark.clause("EUR-PATH-1")
def test_by_default_the_path_may_pass_through_a_city_twice():
    """Frankfurt–Paris–Brest–Dieppe–Paris, all nine wagons."""
    assert path_lengths(routes=LOOP_AND_TAIL) == [9, 0]


@pytest.mark.clause("EUR-PATH-1")
def test_the_option_no_fork_changes_the_path():
    """Frankfurt–Paris–Brest–Dieppe is 8; the loop alone is 6."""
    assert path_lengths(routes=LOOP_AND_TAIL, options={"longest_path": "no_fork"}) == [8, 0]


@pytest.mark.clause("EUR-PATH-1")
def test_no_wagon_is_counted_twice():
    """Of three arms from Paris, 3, 3 and 4 long, a path takes two."""
    routes = {"brest_paris": 0, "frankfurt_paris_1": 0, "marseille_paris": 0}
    assert path_lengths(routes=routes) == [7, 0]


# Seat 0: 15 points, path 6. Seat 1: 4 + 4 + 1 = 9 points, path 3 + 3 + 1 = 7, hence the bonus.
SIX = {"budapest_kyiv": 0}
SEVEN = {"berlin_frankfurt_1": 1, "frankfurt_paris_1": 1, "dieppe_paris": 1}


@pytest.mark.clause("EUR-TIE-1")
@pytest.mark.scenario("S-114")
def test_of_players_tied_on_points_and_tickets_the_one_with_fewer_stations_wins():
    stations = {0: ["wien"], 1: ["roma", "madrid"]}
    result = Table.set("europe", 2, routes=SIX | SEVEN, stations=stations).score()
    seats = result["seats"]
    assert [seat["total"] for seat in seats] == [15 + 8, 9 + 4 + 10]
    assert seats[0]["longest_path"]["length"] < seats[1]["longest_path"]["length"]
    assert result["winners"] == [0]
    assert [seat["rank"] for seat in seats] == [1, 2]


@pytest.mark.clause("EUR-TIE-1")
def test_completed_tickets_come_before_stations():
    """Seat 1 has completed a ticket of 7 and failed another; seat 0 has none but built fewer stations."""
    london = {"edinburgh_london_1": 1, "dieppe_london_1": 1}  # 7 + 2 points
    balance = {"petrograd_riga": 0, "amsterdam_bruxelles": 0, "budapest_wien_1": 0}  # 7 + 1 + 1 points
    facts = {
        "routes": SIX | SEVEN | london | balance,
        "stations": {0: ["wien"], 1: ["roma", "madrid"]},
        "tickets": {1: ["t_edinburgh_paris", "t_amsterdam_pamplona"]},
    }
    result = Table.set("europe", 2, **facts).score()
    assert [seat["total"] for seat in result["seats"]] == [15 + 9 + 8, 9 + 9 + 4 + 10]
    assert result["winners"] == [1]


@pytest.mark.clause("EUR-TIE-1")
def test_tickets_completed_through_a_station_count():
    """Seat 0 completes a ticket of 7 by a loan and fails another; seat 1 leads in stations and path."""
    own = {"dieppe_paris": 0, "edinburgh_london_1": 0, "budapest_kyiv": 0, "berlin_essen": 0}
    other = {"dieppe_london_1": 1, "brest_dieppe": 1, "brest_pamplona": 1}
    facts = {
        "routes": own | other,
        "stations": {0: ["london"]},
        "tickets": {0: ["t_edinburgh_paris", "t_amsterdam_pamplona"]},
    }
    result = Table.set("europe", 2, **facts).score()
    assert [ticket["completed"] for ticket in result["seats"][0]["tickets"]] == [True, False]
    assert [seat["total"] for seat in result["seats"]] == [1 + 7 + 15 + 2 + 8, 2 + 2 + 7 + 12 + 10]
    assert result["winners"] == [0]


@pytest.mark.clause("EUR-TIE-1")
def test_with_equal_tickets_and_stations_the_longer_path_wins():
    """15 points by one route of 6, or by 7 + 4 + 4 on a line of 4 + 3 + 3; seat 2 has the bonus."""
    line = {"berlin_warszawa_1": 1, "berlin_frankfurt_1": 1, "frankfurt_paris_1": 1}
    longest = {"petrograd_stockholm": 2, "petrograd_riga": 2}
    failed = {2: ["t_berlin_moskva", "t_lisboa_danzig"]}
    result = Table.set("europe", 3, routes=SIX | line | longest, tickets=failed).score()
    seats = result["seats"]
    assert [seat["total"] for seat in seats] == [27, 27, 21 + 7 + 10 + 12 - 12 - 20]
    assert [seat["longest_path"]["length"] for seat in seats] == [6, 10, 12]
    assert result["winners"] == [1]


@pytest.mark.clause("EUR-TIE-1")
def test_equal_in_everything_both_win():
    routes = {"berlin_frankfurt_1": 0, "brest_paris": 1}
    result = Table.set("europe", 2, routes=routes).score()
    assert result["winners"] == [0, 1]
    assert [seat["rank"] for seat in result["seats"]] == [1, 1]
