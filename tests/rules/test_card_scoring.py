"""The Card Game: final scoring, big cities and ties."""

from __future__ import annotations

import random
from typing import Any

import pytest

import turntable_rules as rules_engine
from tests.kit.table import Table

# Card data: the bonus of each city, and a ticket that names this big city alone.
BONUS = {"seattle": 8, "los_angeles": 12, "chicago": 12, "dallas": 10, "new_york": 15, "miami": 8}
ALONE = {
    "seattle": "d14",
    "los_angeles": "d16",
    "chicago": "d05",
    "dallas": "d07",
    "new_york": "d04",
    "miami": "d22",
}
TICKETS = {ticket.id: ticket for ticket in rules_engine.builtin_cards().destinations}


def result(*completed: list[str], tickets: dict[int, list[str]] | None = None) -> dict[str, Any]:
    """The result where each seat has completed these tickets and holds those."""
    done = dict(enumerate(completed))
    return Table.set("card", len(completed), completed=done, tickets=tickets or {}).score()


def cities(seat: dict[str, Any]) -> dict[str, int]:
    return {bonus["city"]: bonus["points"] for bonus in seat["city_bonuses"]}


def reckoned(completed: list[list[str]]) -> tuple[list[int], list[set[str]]]:
    """Totals and cities won, straight from CARD-SCORE-2 and CARD-CITY, with nothing uncompleted."""
    won: list[set[str]] = [set() for _ in completed]
    for city in BONUS:
        named = [sum(city in TICKETS[ticket].big_cities for ticket in done) for done in completed]
        for seat, count in enumerate(named):
            if count and count == max(named):
                won[seat].add(city)
    points = [sum(TICKETS[ticket].points for ticket in done) for done in completed]
    return [p + sum(BONUS[city] for city in own) for p, own in zip(points, won, strict=True)], won


@pytest.mark.clause("CARD-SCORE-1")
def test_each_uncompleted_ticket_costs_its_value():
    seat = result([], [], tickets={0: ["d46", "d01", "d10"]})["seats"][0]
    assert {ticket["id"]: ticket["points"] for ticket in seat["tickets"]} == {
        "d46": -22,
        "d01": -5,
        "d10": -9,
    }
    assert seat["total"] == -36
    assert not any(ticket["completed"] for ticket in seat["tickets"])


@pytest.mark.clause("CARD-SCORE-2")
def test_the_total_is_completed_less_uncompleted_plus_bonuses():
    """d14 (10, Seattle) and d42 (20, Miami) completed, d02 (5) not: 30 - 5 + 8 + 8."""
    seat = result(["d14", "d42"], [], tickets={0: ["d02"]})["seats"][0]
    assert seat["total"] == 10 + 20 - 5 + 8 + 8
    assert cities(seat) == {"seattle": 8, "miami": 8}
    assert (seat["routes"], seat["stations"], seat["longest_path"]["bonus"]) == (0, 0, 0)


@pytest.mark.clause("CARD-SCORE-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_totals_of_random_results(players):
    chance = random.Random(players)
    for _ in range(15):
        names = chance.sample(sorted(TICKETS), 46)
        done = [[names.pop() for _ in range(chance.randint(0, 7))] for _ in range(players)]
        held = {seat: [names.pop() for _ in range(chance.randint(0, 3))] for seat in range(players)}
        totals, won = reckoned(done)
        for seat in range(players):
            totals[seat] -= sum(TICKETS[ticket].points for ticket in held[seat])
        seats = result(*done, tickets=held)["seats"]
        assert [seat["total"] for seat in seats] == totals
        assert [set(cities(seat)) for seat in seats] == won


@pytest.mark.clause("CARD-CITY-1")
@pytest.mark.parametrize("city", sorted(BONUS))
def test_each_big_city_has_a_bonus_of_its_own(city):
    ticket = ALONE[city]
    assert TICKETS[ticket].big_cities == (city,)
    seat = result([ticket], [])["seats"][0]
    assert cities(seat) == {city: BONUS[city]}
    assert seat["total"] == TICKETS[ticket].points + BONUS[city]


@pytest.mark.clause("CARD-CITY-2", "CARD-CITY-3")
@pytest.mark.scenario("S-148")
def test_all_players_tied_for_most_tickets_of_a_city_score_its_full_bonus():
    done = [["d05", "d06", "d10"], ["d01", "d02", "d28"], ["d35"]]  # Chicago 3, 3 and 1
    seats = result(*done)["seats"]
    assert [cities(seat).get("chicago") for seat in seats] == [12, 12, None]


@pytest.mark.clause("CARD-CITY-2")
def test_the_bonus_goes_to_the_most_tickets_not_to_the_most_points():
    """Chicago: 7 + 7 points on two tickets against 16 on one."""
    seats = result(["d35"], ["d05", "d06"])["seats"]
    assert [cities(seat).get("chicago") for seat in seats] == [None, 12]


@pytest.mark.clause("CARD-CITY-2")
def test_uncompleted_tickets_name_no_city():
    seats = result(["d05"], [], tickets={1: ["d06", "d10"]})["seats"]
    assert [cities(seat) for seat in seats] == [{"chicago": 12}, {}]


@pytest.mark.clause("CARD-CITY-2")
def test_tickets_of_both_rounds_count_for_a_city():
    """Seat 0 has a Chicago ticket of round 1 and completes another now; seat 1 has one."""
    facts: dict[str, Any] = {
        "row": ".....",
        "deck": "",
        "spare": "discard",
        "final_turns_left": 1,
        "round": 2,
    }
    done = {0: ["d05"], 1: ["d10"]}
    table = Table.set("card", 4, roads={0: "yr"}, tickets={0: ["d06"]}, completed=done, **facts)
    assert [cities(seat).get("chicago") for seat in table.score()["seats"]] == [12, 12, None, None]
    table.play(0, "draw_tickets")
    table.play(0, "keep_tickets -")
    assert [cities(seat).get("chicago") for seat in table.score()["seats"]] == [12, None, None, None]


@pytest.mark.clause("CARD-CITY-5")
@pytest.mark.scenario("S-149")
def test_nobody_scores_a_city_nobody_has_named():
    seats = result(["d05"], ["d14"], [])["seats"]
    assert [cities(seat) for seat in seats] == [{"chicago": 12}, {"seattle": 8}, {}]
    assert [cities(seat) for seat in result([], [])["seats"]] == [{}, {}]


@pytest.mark.clause("CARD-CITY-1", "CARD-CITY-4")
@pytest.mark.scenario("S-150")
def test_a_ticket_naming_two_big_cities_counts_for_both():
    assert {TICKETS["d43"].a, TICKETS["d43"].b} == {"seattle", "new_york"}
    seat = result(["d43"], [])["seats"][0]
    assert cities(seat) == {"seattle": 8, "new_york": 15}
    assert seat["total"] == 20 + 23


def tied(number: int, size: tuple[int, int], won: tuple[int, int], shared: bool = False) -> list[list[str]]:
    """Completed tickets of three players: the first two have equal totals, so many tickets and so many bonuses.

    The third has completed eight. With `shared` the first player's cities are all tied with the third and the second
    player's are not.
    """
    chance = random.Random(number)
    while True:
        names = chance.sample(sorted(TICKETS), sum(size) + 8)
        done = [names[: size[0]], names[size[0] : sum(size)], names[sum(size) :]]
        totals, own = reckoned(done)
        if totals[0] != totals[1] or (len(own[0]), len(own[1])) != won:
            continue
        if not shared or (own[0] <= own[2] and not own[1] & (own[0] | own[2])):
            return done


def with_the_third_behind(done: list[list[str]]) -> dict[str, Any]:
    """The result where the third player has failed every other ticket of the box."""
    rest = sorted(set(TICKETS) - {ticket for tickets in done for ticket in tickets})
    found = result(*done, tickets={2: rest})
    first, second, third = (seat["total"] for seat in found["seats"])
    assert first == second > third
    return found


@pytest.mark.clause("CARD-TIE-1")
@pytest.mark.scenario("S-156")
@pytest.mark.parametrize("number", range(4))
def test_with_equal_points_and_tickets_the_most_city_bonuses_win(number):
    found = with_the_third_behind(tied(number, (6, 6), (2, 1)))
    assert (found["winners"], [seat["rank"] for seat in found["seats"]]) == ([0], [1, 2, 3])
    found = with_the_third_behind(tied(number, (6, 6), (1, 2)))
    assert (found["winners"], [seat["rank"] for seat in found["seats"]]) == ([1], [2, 1, 3])


@pytest.mark.clause("CARD-TIE-1")
@pytest.mark.scenario("S-156")
@pytest.mark.parametrize("bonuses", [1, 2])
def test_with_equal_bonuses_too_both_win(bonuses):
    found = with_the_third_behind(tied(1, (6, 6), (bonuses, bonuses)))
    assert (found["winners"], [seat["rank"] for seat in found["seats"]]) == ([0, 1], [1, 1, 3])


@pytest.mark.clause("CARD-TIE-1")
@pytest.mark.parametrize("number", range(4))
def test_completed_tickets_come_before_city_bonuses(number):
    found = with_the_third_behind(tied(number, (5, 6), (2, 1)))
    assert found["winners"] == [1]


@pytest.mark.clause("CARD-TIE-1")
@pytest.mark.parametrize("number", range(2))
def test_a_tied_city_counts_for_each(number):
    """Two bonuses shared with the third player beat one held alone."""
    found = with_the_third_behind(tied(number, (6, 6), (2, 1), shared=True))
    assert found["winners"] == [0]
