"""The Card Game: which tickets a road pile completes, against a search of all sets."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

import turntable_rules as rules_engine
from tests.kit.setting import cards, counts
from tests.kit.table import Table
from turntable_rules.engine.fulfilment import best_fulfilment

COLOURS = cards("pwuyokrg")
LETTER = dict(zip(cards("pwuyokrgL"), "pwuyokrgL", strict=True))
TICKETS = {ticket.id: ticket for ticket in rules_engine.builtin_cards().destinations}


def fulfilled(road: str, *tickets: str, **facts: Any) -> Table:
    """A game of two that seat 0 has just ended, with this road pile and these tickets."""
    facts = {"row": ".....", "deck": "", "spare": "discard", "final_turns_left": 1, **facts}
    table = Table.set("card", 2, roads={0: road}, tickets={0: tickets}, **facts)
    table.play(0, "draw_tickets")
    table.play(0, "keep_tickets -")
    assert table.phase == "finished"
    return table


def completed(road: str, *tickets: str, **facts: Any) -> list[str]:
    return sorted(fulfilled(road, *tickets, **facts).player(0)["completed"])


def literal(pile: str, *tickets: tuple[str, int, int]) -> list[int]:
    """Tickets made up for a scenario, as (cards, value, big-city names): which of them are completed."""
    return best_fulfilment(
        [[shown.count(LETTER[colour]) for colour in COLOURS] for shown, _, _ in tickets],
        [value for _, value, _ in tickets],
        [names for _, _, names in tickets],
        [pile.count(LETTER[colour]) for colour in COLOURS],
        pile.count("L"),
    )


def best_by_trying_all(
    tickets: list[tuple[str, Counter[str], int, int]], pile: Counter[str]
) -> tuple[int, int, int, list[str]]:
    """Value, number, names and ids of the set of CARD-FULFIL-5; tickets are (id, cards, value, names)."""
    best: tuple[int, int, int, list[str]] = (0, 0, 0, [])

    def beats(one: tuple[int, int, int, list[str]], two: tuple[int, int, int, list[str]]) -> bool:
        return one[:3] > two[:3] or (one[:3] == two[:3] and one[3] < two[3])

    def decide(at: int, need: Counter[str], found: tuple[int, int, int, list[str]]) -> None:
        nonlocal best
        if sum(max(0, need[colour] - pile[colour]) for colour in COLOURS) > pile["loco"]:
            return  # no larger set is feasible either (CARD-FULFIL-4)
        if at == len(tickets):
            if beats(found, best):
                best = found
            return
        name, shown, value, names = tickets[at]
        decide(at + 1, need, found)
        more = (found[0] + value, found[1] + 1, found[2] + names, [*found[3], name])
        decide(at + 1, need + shown, more)

    decide(0, Counter(), (0, 0, 0, []))
    return best


@pytest.mark.clause("CARD-FULFIL-1", "CARD-FULFIL-3")
@pytest.mark.scenario("S-143")
def test_los_angeles_pittsburgh_with_three_of_its_cards_and_a_loco():
    ticket = TICKETS["d39"]
    assert (ticket.a, ticket.b) == ("los_angeles", "pittsburgh") and sum(ticket.cards) == 4
    assert (
        dict(zip(COLOURS, ticket.cards, strict=True)).items() >= {"white": 1, "blue": 2, "purple": 1}.items()
    )
    assert completed("wupL", "d39") == ["d39"]
    assert completed("wup", "d39") == []


@pytest.mark.clause("CARD-FULFIL-1")
@pytest.mark.parametrize(
    ("road", "expected"),
    [("wwuu", ["d44"]), ("wwuuuu", ["d44"]), ("wwu", []), ("wuuu", []), ("wwuy", []), ("wwwuyyrg", [])],
)
def test_cards_match_in_colour_and_number(road, expected):
    """d44 shows two white and two blue cards."""
    assert completed(road, "d44") == expected


@pytest.mark.clause("CARD-FULFIL-2")
def test_each_card_serves_one_ticket_only():
    """d01 shows yellow, d02 blue, d04 both: one yellow and one blue card do not serve all three."""
    assert completed("yu", "d01", "d02", "d04") == ["d01", "d02"]
    assert completed("yyuu", "d01", "d02", "d04") == ["d01", "d02", "d04"]


@pytest.mark.clause("CARD-FULFIL-2", "CARD-FULFIL-4", "CARD-FULFIL-5")
@pytest.mark.scenario("S-144")
def test_a_pile_that_completes_either_ticket_but_not_both():
    assert literal("rruL", ("rru", 7, 0), ("ug", 5, 0)) == [0]


@pytest.mark.clause("CARD-FULFIL-2", "CARD-FULFIL-5", "CARD-SCORE-1")
@pytest.mark.scenario("S-144")
def test_the_ticket_completed_counts_and_the_other_is_lost():
    """The same with tickets of the box: d24 (blue, red, orange) 12 and d11 (green, blue) 9."""
    table = fulfilled("urroL", "d24", "d11")
    assert table.player(0)["completed"] == ["d24"]
    seat = table.score()["seats"][0]
    assert {ticket["id"]: ticket["points"] for ticket in seat["tickets"]} == {"d24": 12, "d11": -9}


@pytest.mark.clause("CARD-FULFIL-3")
@pytest.mark.parametrize("missing", "kwro")
def test_a_loco_replaces_a_wagon_of_any_colour(missing):
    """d46 shows black, white, two red and orange."""
    pile = "kwrro".replace(missing, "", 1)
    assert completed(pile, "d46") == []
    assert completed(pile + "L", "d46") == ["d46"]


@pytest.mark.clause("CARD-FULFIL-3")
def test_locos_alone_complete_a_ticket():
    assert completed("LLLLL", "d46") == ["d46"]
    assert completed("LLLL", "d46") == []


@pytest.mark.clause("CARD-FULFIL-4")
def test_locos_are_shared_among_all_tickets_of_the_set():
    """d09 black and white, d13 blue and red: one card missing from each."""
    assert completed("kuLL", "d09", "d13") == ["d09", "d13"]
    assert completed("kuL", "d09", "d13") == ["d13"]
    assert completed("kkuuL", "d09", "d13") == ["d13"]  # spare black and blue cards replace nothing


@pytest.mark.clause("CARD-FULFIL-5")
def test_the_greatest_value_comes_first():
    """d02 and d01 are two tickets of 5; d40 alone is worth 19."""
    assert completed("wroo", "d40") == ["d40"]
    assert completed("LLLL", "d01", "d02", "d40") == ["d40"]


@pytest.mark.clause("CARD-FULFIL-5")
@pytest.mark.scenario("S-146")
def test_of_equal_values_more_tickets_are_completed():
    assert literal("ru", ("ru", 5, 0), ("r", 2, 0), ("u", 3, 0)) == [1, 2]


@pytest.mark.clause("CARD-FULFIL-5")
@pytest.mark.scenario("S-146")
def test_of_equal_values_two_tickets_of_ten_go_before_one_of_twenty():
    """d16 black and white, d19 blue and red, d42 white, red, purple and orange."""
    assert completed("wrLL", "d42") == ["d42"]
    assert completed("wrLL", "d16", "d19", "d42") == ["d16", "d19"]


@pytest.mark.clause("CARD-FULFIL-5", "CARD-FULFIL-6")
@pytest.mark.scenario("S-159")
def test_of_equal_values_and_numbers_more_big_city_names_are_completed():
    """d14 names Seattle; d15 names Los Angeles and Dallas. Both are worth 10 and fit green and a loco."""
    assert completed("gL", "d14", "d15") == ["d15"]
    assert literal("L", ("r", 5, 0), ("u", 5, 1)) == [1]


@pytest.mark.clause("CARD-FULFIL-5")
@pytest.mark.parametrize("held", list(itertools.permutations(["d14", "d17", "d18"])))
def test_equal_in_all_else_the_smallest_ids_are_completed_in_whatever_order_they_are_held(held):
    """All worth 10 and naming one big city; green and a loco fit any one of them."""
    assert completed("gL", *held) == ["d14"]


@pytest.mark.clause("CARD-FULFIL-6")
def test_the_bonuses_themselves_do_not_matter():
    """d14 is worth 10 and 8 for Seattle; d03 is worth 6 but 22 for Chicago and Dallas."""
    assert completed("gL", "d03", "d14") == ["d14"]


@pytest.mark.clause("CARD-FULFIL-6")
def test_what_the_others_complete_does_not_matter():
    """d14 (Seattle) goes before d17 (Dallas) though seat 1 has Seattle twice."""
    facts: dict[str, Any] = {"completed": {1: ["d25", "d29"]}}
    table = fulfilled("gL", "d14", "d17", **facts)
    assert table.player(0)["completed"] == ["d14"]
    assert table.score()["seats"][0]["city_bonuses"] == []


@pytest.mark.clause("CARD-FULFIL-7")
def test_taking_the_most_valuable_ticket_first_would_be_wrong():
    """d45 takes all five cards for 21; d38 and d01 share them for 17 + 5."""
    assert completed("kyupp", "d01", "d38", "d45") == ["d01", "d38"]
    assert completed("kyupp", "d45") == ["d45"]


@pytest.mark.clause("CARD-FULFIL-4", "CARD-FULFIL-5", "CARD-FULFIL-7")
@pytest.mark.scenario("S-184")
@pytest.mark.parametrize("number", range(30))
def test_with_twenty_tickets_the_set_is_that_of_an_exhaustive_search(number):
    chance = random.Random(number)
    held = chance.sample(sorted(TICKETS), 20)
    weights = [10] * 8 + [chance.choice([4, 16, 30])]
    pile: Counter[str] = Counter()
    for card in chance.choices([*COLOURS, "loco"], weights, k=chance.randint(6, 17)):
        pile[card] += pile[card] < 10
    table = fulfilled("".join(LETTER[card] * count for card, count in pile.items()), *held)
    listed = []
    for name in sorted(held):
        ticket = TICKETS[name]
        shown = Counter(dict(zip(COLOURS, ticket.cards, strict=True)))
        listed.append((name, shown, ticket.points, len(ticket.big_cities)))
    value, _, _, ids = best_by_trying_all(listed, pile)
    assert sorted(table.player(0)["completed"]) == ids
    assert table.player(0)["score"] == value


@pytest.mark.clause("CARD-FULFIL-4", "CARD-FULFIL-5", "CARD-FULFIL-7")
@pytest.mark.parametrize("number", range(150))
def test_with_many_equal_sets_the_ties_are_broken_as_by_an_exhaustive_search(number):
    """Made-up tickets of one to three cards and one to four points, so that all four criteria decide at times."""
    chance = random.Random(number)
    colours = "rug" if number % 2 else "rugk"
    tickets = [
        ("".join(chance.choices(colours, k=chance.randint(1, 3))), chance.randint(1, 4), chance.randint(0, 2))
        for _ in range(9)
    ]
    pile = "".join(chance.choices(colours + "L", k=chance.randint(2, 9)))
    listed = [
        (f"{index}", Counter(cards(shown)), value, names)
        for index, (shown, value, names) in enumerate(tickets)
    ]
    expected = best_by_trying_all(listed, Counter(cards(pile)))[3]
    assert literal(pile, *tickets) == [int(index) for index in expected]


@pytest.mark.clause("CARD-FULFIL-8")
def test_completed_tickets_score_their_value_and_are_laid_aside():
    facts: dict[str, Any] = {"row": ".....", "deck": "", "spare": "discard", "final_turns_left": 1}
    table = Table.set("card", 4, roads={0: "yu"}, tickets={0: ["d01", "d02", "d04"]}, **facts)
    table.play(0, "draw_tickets")
    events = table.play(0, "keep_tickets -")
    own = next(event for event in events if event["type"] == "pile_fulfilled" and event["seat"] == 0)
    assert (own["pile"], own["points"]) == (counts("yu"), 10)
    assert sorted(own["completed"]) == ["d01", "d02"]
    player = table.player(0)
    assert (sorted(player["completed"]), player["tickets"]) == (["d01", "d02"], ["d04"])
    assert player["score"] == 10


@pytest.mark.clause("CARD-FULFIL-8")
def test_a_ticket_completed_in_the_first_round_is_neither_lost_nor_completed_again():
    """The second road pile would fit d02 again, and fits d04 not at all."""
    facts: dict[str, Any] = {"row": ".....", "deck": "", "spare": "discard", "final_turns_left": 1}
    ticket_facts: dict[str, Any] = {"completed": {0: ["d02"]}, "tickets": {0: ["d04"]}}
    table = Table.set("card", 4, round=2, roads={0: "uuu"}, **ticket_facts, **facts)
    assert table.player(0)["score"] == 5
    table.play(0, "draw_tickets")
    table.play(0, "keep_tickets -")
    assert table.phase == "finished"
    assert (table.player(0)["completed"], table.player(0)["score"]) == (["d02"], 5)
    tickets = table.score()["seats"][0]["tickets"]
    assert {ticket["id"]: ticket["points"] for ticket in tickets} == {"d02": 5, "d04": -6}
