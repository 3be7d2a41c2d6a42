"""The three-loco flush of the row (COMMON-FLUSH)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import BOARDS, random_play, seed_of
from tests.kit.setting import cards, counts, setting
from tests.kit.table import Table


def of_type(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


def can_flush_forever(number: int, options: dict[str, object]) -> Table:
    """All 14 locos and, once slot 2 is taken, three wagon cards are out of the hands; a third loco then shows."""
    return Table.set(
        "usa", 2, seed=seed_of(number), options=options, row="LLrgu", deck="L" * 12, discard="w", spare=1
    )


@pytest.mark.clause("COMMON-FLUSH-1", "COMMON-FLUSH-3", "COMMON-FLUSH-8")
@pytest.mark.scenario("S-030")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon", "europe"])
def test_a_third_loco_flushes_the_row_between_the_two_cards_of_a_draw(edition):
    table = Table.set(edition, 2, row="LLrug", deck_top="LrrwLk")
    events = table.play(0, "draw_row 2")
    position = table.position()
    assert of_type(events, "row_flushed") == [{"type": "row_flushed", "cards": cards("LLLug")}]
    assert position["discard"] == counts("LLLug")
    assert position["row"] == cards("rrwLk")
    assert table.player(0)["hand"] == counts("r")
    assert position["phase"] == "after_first_card" and table.active == 0
    assert table.refuses(0, "draw_row 3", clause="COMMON-DRAW-4")
    for move in ("draw_row 0", "draw_row 4", "draw_deck", "stop_drawing"):
        assert table.allows(0, move)


@pytest.mark.clause("COMMON-FLUSH-1", "SWI-LOCO-3")
@pytest.mark.scenario("S-036")
def test_switzerland_flushes_although_locos_are_cheap():
    table = Table.set("switzerland", 2, row="LLrug", deck_top="Lrrwok")
    table.play(0, "draw_row 2")
    assert table.position()["row"] == cards("rrwok")
    assert table.position()["discard"] == counts("LLLug")
    assert table.phase == "after_first_card"


@pytest.mark.clause("COMMON-FLUSH-1")
@pytest.mark.parametrize("edition", BOARDS)
def test_two_locos_are_no_reason_for_a_flush(edition):
    table = Table.set(edition, 2, row="Lwrug", deck_top="Lk")
    table.play(0, "draw_row 2")
    assert table.position()["row"] == cards("LwLug") and table.position()["discard"] == {}


@pytest.mark.clause("COMMON-FLUSH-2")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("again", ["LLLLw", "LLLLL", "LLLwk"])
def test_four_or_five_locos_count_as_well(edition, again):
    """The fresh row jumps past three."""
    table = Table.set(edition, 2, row="LLrug", deck_top="L" + again + "ypogk")
    events = table.play(0, "draw_row 2")
    assert [event["cards"] for event in of_type(events, "row_flushed")] == [cards("LLLug"), cards(again)]
    assert table.position()["row"] == cards("ypogk")


@pytest.mark.clause("COMMON-FLUSH-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_loco_turned_up_at_the_end_of_a_turn_flushes_before_the_next_player_moves(edition):
    table = Table.set(edition, 2, row="LLrug", deck_top="ywLokpgu")
    table.play(0, "draw_deck")
    assert table.player(0)["hand"] == counts("y")
    table.play(0, "draw_row 2")
    assert table.position()["row"] == cards("LLwug"), "no third loco yet"
    assert table.active == 1
    table.play(1, "draw_row 3")
    assert table.position()["row"] == cards("okpgu")
    assert table.phase == "after_first_card"


@pytest.mark.clause("COMMON-FLUSH-3", "COMMON-FLUSH-6")
@pytest.mark.parametrize("edition", ["usa", "europe"])
def test_a_flush_held_back_happens_as_soon_as_enough_wagon_cards_come_back(edition):
    """The row is not touched: the claim alone brings the third wagon card back."""
    route = {"usa": "dallas_houston_1", "europe": "amsterdam_bruxelles"}[edition]
    table = Table.set(edition, 2, row="LLLrg", deck="LLLLL", discard="", spare=1, hands={0: "k"})
    events = table.play(0, f"claim {route} 1black")
    assert of_type(events, "row_flushed")[0]["cards"] == cards("LLLrg")


@pytest.mark.clause("COMMON-FLUSH-3", "COMMON-FLUSH-6")
def test_a_station_payment_can_bring_a_flush():
    table = Table.set("europe", 2, row="LLLrg", deck="LLLLL", discard="", spare=1, hands={0: "k"})
    assert of_type(table.play(0, "build_station wien 1black"), "row_flushed")


@pytest.mark.clause("COMMON-FLUSH-3")
def test_the_cards_of_an_ended_tunnel_can_bring_a_flush():
    table = Table.set("europe", 2, row="LLLrg", deck="LLLLLLLL", discard="", spare=1, hands={0: "ppLLL"})
    events = table.play(0, "claim marseille_zurich 2purple")
    assert table.phase == "tunnel_pending" and not of_type(events, "row_flushed")
    events = table.play(0, "tunnel_pay 3loco")
    assert of_type(events, "row_flushed")[0]["cards"] == cards("LLLrg")


@pytest.mark.clause("COMMON-FLUSH-4")
@pytest.mark.scenario("S-031")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_flush_is_repeated_until_at_most_two_locos_show(edition):
    table = Table.set(edition, 2, row="LLrug", deck_top="L" + "LLLrr" + "wLLLk" + "gLwLo")
    events = table.play(0, "draw_row 2")
    assert len(of_type(events, "row_flushed")) == 3
    assert table.position()["row"] == cards("gLwLo")
    assert table.position()["discard"] == counts("LLLug" + "LLLrr" + "wLLLk")


@pytest.mark.clause("COMMON-FLUSH-5")
@pytest.mark.scenario("S-035")
@pytest.mark.parametrize("edition", ["usa", "switzerland"])
def test_no_flush_with_fewer_than_five_face_up_cards(edition):
    table = Table.set(edition, 2, deck="", discard="", spare=1, row="LLLrr", hands={0: "kkk"})
    first = table.play(0, "draw_row 3")
    assert table.position()["row"] == [*cards("LLL"), None, "red"] and not of_type(first, "row_flushed")
    table.play(0, "draw_row 4")
    assert table.position()["row"] == [*cards("LLL"), None, None]
    assert table.active == 1


@pytest.mark.clause("COMMON-FLUSH-6")
@pytest.mark.scenario("S-033")
def test_no_flush_that_could_only_show_three_locos_again():
    table = Table.set("usa", 2, row="LLrrr", deck="LLL", discard="", spare=1)
    events = table.play(0, "draw_row 2")
    assert not of_type(events, "row_flushed")
    assert table.position()["row"] == cards("LLLrr") and table.phase == "after_first_card"


@pytest.mark.clause("COMMON-FLUSH-6")
@pytest.mark.parametrize(
    ("row", "deck", "discard", "flushes"),
    [
        ("LLrug", "LL", "", False),
        ("LLrug", "Lk", "", True),
        ("LLrug", "LLLkL", "", True),
        ("LLrug", "LL", "k", True),
        ("LLrug", "LL", "L", False),
        ("LLLrg", "LLL", "", False),
    ],
)
def test_three_wagon_cards_in_row_deck_and_discard_are_enough(row, deck, discard, flushes):
    table = Table.set("usa", 2, row=row, deck=deck, discard=discard, spare=1)
    slot = 2 if row[2] != "L" else 3
    assert bool(of_type(table.play(0, f"draw_row {slot}"), "row_flushed")) == flushes


@pytest.mark.clause("COMMON-FLUSH-7")
@pytest.mark.scenario("S-034")
@pytest.mark.parametrize("limit", [1, 2, 10])
def test_at_most_flush_limit_flushes_and_the_engine_returns(limit):
    """Row, deck and discard hold three wagon cards and all 14 locos; three of these come face up."""
    most = 0
    for number in range(40):
        table = can_flush_forever(number, {"flush_limit": limit})
        events = table.play(0, "draw_row 2")
        flushes = len(of_type(events, "row_flushed"))
        assert 1 <= flushes <= limit
        position = table.position()
        stands = position["row"].count("loco") >= 3
        assert position["row_stands"] == stands
        if stands:
            assert flushes == limit
        most = max(most, flushes)
    assert most == limit or limit == 10


@pytest.mark.clause("COMMON-FLUSH-7")
def test_ten_flushes_are_the_default():
    """Three wagon cards among 17: about nine rows in ten show three locos, so ten flushes do occur."""
    counted = Counter(
        len(of_type(can_flush_forever(number, {}).play(0, "draw_row 2"), "row_flushed"))
        for number in range(300)
    )
    assert max(counted) == 10 and counted[10] > 20


def standing(number: int = 0) -> Table:
    """A row of three locos or more that stands, with seat 0 to draw its second card."""
    while True:
        table = can_flush_forever(number, {"flush_limit": 1})
        table.play(0, "draw_row 2")
        if table.position()["row_stands"]:
            return table
        number += 1


@pytest.mark.clause("COMMON-FLUSH-7", "COMMON-FLUSH-3")
def test_a_row_that_stands_is_not_flushed_by_a_settle_that_leaves_it_alone():
    table = standing()
    row = table.position()["row"]
    table.play(0, "stop_drawing")
    held = table.player(1)["hand"]
    assert held["green"] >= 3
    events = table.play(1, "claim little_rock_new_orleans 3green")
    assert not of_type(events, "row_flushed")
    assert table.position()["row"] == row and table.position()["row_stands"]


@pytest.mark.clause("COMMON-FLUSH-7")
def test_a_row_that_stands_is_flushed_again_once_a_slot_is_emptied_and_filled():
    """With enough wagon cards back, taking a loco that is replaced by a loco brings the next flush."""
    table = Table.set("usa", 2, row="LLLLr", row_stands=True, deck="LLLL", discard="ppwwuu", spare=1)
    events = table.play(0, "draw_row 0")
    assert of_type(events, "row_flushed")[0]["cards"] == cards("LLLLr")


@pytest.mark.clause("COMMON-FLUSH-7")
def test_row_stands_is_part_of_the_state_in_every_notation():
    rules = rules_engine.ruleset("usa", 2)
    for stands in (False, True):
        facts = setting("usa", 2, row="LLLLr" if stands else "rugwk", row_stands=stands)
        state = rules_engine.from_position(rules, facts)
        assert rules_engine.to_position(state)["row_stands"] is stands
        again = rules_engine.decode(rules, rules_engine.encode(state))
        assert rules_engine.to_position(again)["row_stands"] is stands
        text = rules_engine.format_position(state)
        assert rules_engine.parse_position(text)["row_stands"] is stands
    assert not rules_engine.invariants(state), "three face-up locos are sound where the row stands"
    unflushed = rules_engine.from_position(rules, {**facts, "row_stands": False})
    assert rules_engine.invariants(unflushed)


@pytest.mark.clause("COMMON-FLUSH-8")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_flush_costs_nobody_a_card_or_a_turn(edition):
    table = Table.set(edition, 3, row="LLrug", deck_top="Lrrwgk", hands={0: "kk", 1: "yy", 2: "oo"})
    before = [table.player(seat)["hand"] for seat in range(3)]
    table.play(0, "draw_row 2")
    assert [table.player(seat)["hand"] for seat in (1, 2)] == before[1:]
    assert table.player(0)["hand"] == counts("kkr")
    assert table.active == 0 and table.position()["turns"] == 10
    table.play(0, "draw_row 0")
    assert table.player(0)["hand"] == counts("kkrr") and table.active == 1


@pytest.mark.clause("COMMON-FLUSH-1", "COMMON-FLUSH-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_no_decision_is_ever_made_before_three_face_up_locos(edition):
    """In random games, unless the flush is held back or the row stands."""
    for number in range(2):
        for table, _, _ in random_play(edition, 2, number):
            position = table.position()
            if position["row"].count("loco") >= 3 and None not in position["row"]:
                loose = [*position["row"], *position["deck"]]
                wagons = len(loose) - loose.count("loco")
                wagons += sum(n for card, n in position["discard"].items() if card != "loco")
                assert wagons < 3 or position["row_stands"]


@pytest.mark.clause("COMMON-FLUSH-1", "CARD-DRAW-2")
def test_the_card_game_has_no_flush():
    table = Table.set("card", 2, row="LLrug", deck_top="Lk")
    table.play(0, "draw_row 2")
    assert table.position()["row"] == cards("LLLug")
