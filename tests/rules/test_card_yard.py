"""The Card Game: placing trains in the yard, and robbing others of theirs."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.kit.setting import counts
from tests.kit.table import Table

QUIET = {"row": "yyyoo"}


def yard(table: Table, seat: int) -> dict[str, tuple[int, int]]:
    return {c["colour"]: (c["wagons"], c["locos"]) for c in table.player(seat)["yard"]}


def sets(table: Table, colour: str) -> set[str]:
    moves = [move.split(" ") for move in table.moves(table.active) if move.startswith("play_same")]
    return {cards for _, name, cards in moves if name == colour}


@pytest.mark.clause("CARD-YARD-1", "CARD-YARD-3", "CARD-YARD-5")
@pytest.mark.scenario("S-130")
def test_one_wagon_card_and_a_loco_are_a_set_but_neither_is_alone():
    table = Table.set("card", 2, hands={0: "gLL", 1: "ww"}, **QUIET)
    assert table.refuses(0, "play_same green 0+2", clause="CARD-YARD-5")
    assert table.refuses(0, "play_same green 1+0", clause="CARD-YARD-1", code="set_too_small")
    table.play(0, "play_same green 1+1")
    assert yard(table, 0) == {"green": (1, 1)}
    assert table.player(0)["hand"] == counts("L")
    table.play(1, "play_same white 2+0")
    assert yard(table, 0) == {"green": (1, 0)}  # the loco lay on top
    assert table.player(0)["road"] == counts("L")


@pytest.mark.clause("CARD-YARD-1")
def test_every_mix_of_two_or_more_cards_with_a_wagon_card_is_a_set():
    table = Table.set("card", 2, hands={0: "gggLL"}, **QUIET)
    expected = {"1+1", "1+2", "2+0", "2+1", "2+2", "3+0", "3+1", "3+2"}
    assert sets(table, "green") == expected
    assert table.refuses(0, "play_same green 4+0", code="cards_not_held")
    assert table.refuses(0, "play_same green 3+3", code="cards_not_held")


@pytest.mark.clause("CARD-YARD-2")
@pytest.mark.scenario("S-131")
def test_seven_cards_may_be_placed_at_once():
    table = Table.set("card", 2, hands={0: "wwwwwLL"}, **QUIET)
    table.play(0, "play_same white 5+2")
    assert yard(table, 0) == {"white": (5, 2)}


@pytest.mark.clause("CARD-YARD-2")
def test_all_cards_of_a_colour_and_all_locos_may_be_placed_at_once():
    table = Table.set("card", 2, hands={0: "w" * 10 + "L" * 16}, **QUIET)
    assert table.allows(0, "play_same white 10+16")
    table.play(0, "play_same white 10+16")
    assert yard(table, 0) == {"white": (10, 16)}
    assert table.player(0)["hand"] == {}


@pytest.mark.clause("CARD-YARD-3")
def test_all_locos_of_a_column_lie_above_its_wagon_cards():
    """Step 1 takes from the top, turn by turn."""
    table = Table.set("card", 2, yards={0: {"green": (2, 2)}}, active=1, **QUIET)
    seen = []
    for _ in range(4):
        table.play(1, "draw_tickets")
        table.play(1, "keep_tickets -")
        seen.append(yard(table, 0).get("green"))
        table.play(0, "draw_tickets")
        table.play(0, "keep_tickets -")
    assert seen == [(2, 1), (2, 0), (1, 0), None]


@pytest.mark.clause("CARD-YARD-4")
@pytest.mark.scenario("S-132")
def test_three_wagon_cards_of_three_colours_make_three_columns():
    table = Table.set("card", 2, hands={0: "gwkkrL"}, **QUIET)
    refused = ("green,white", "green,white,black,red", "black,black,green", "white,black,loco")
    for colours in refused:
        assert table.refuses(0, f"play_three {colours}", clause="CARD-YARD-4")
    assert table.refuses(0, "play_three green,white,blue", code="cards_not_held")
    table.play(0, "play_three white,black,green")
    assert yard(table, 0) == {"white": (1, 0), "black": (1, 0), "green": (1, 0)}
    assert table.player(0)["hand"] == counts("krL")


@pytest.mark.clause("CARD-YARD-4")
def test_the_threes_listed_are_all_combinations_of_the_colours_in_hand():
    table = Table.set("card", 2, hands={0: "gggwkrL"}, **QUIET)
    threes = {move.split(" ")[1] for move in table.moves(0) if move.startswith("play_three")}
    assert threes == {"white,black,red", "white,black,green", "white,red,green", "black,red,green"}


@pytest.mark.clause("CARD-YARD-5")
@pytest.mark.parametrize("hand", ["LL", "LLLLL", "L" * 16])
def test_locos_alone_are_never_a_set(hand):
    table = Table.set("card", 2, hands={0: hand}, **QUIET)
    assert not [move for move in table.moves(0) if move.startswith("play_")]
    for colour in ("red", "green"):
        assert table.refuses(0, f"play_same {colour} 0+{len(hand)}", clause="CARD-YARD-5")


@pytest.mark.clause("CARD-YARD-6")
def test_a_colour_in_the_own_yard_is_not_played_in_either_form():
    hands = {0: "rrrrrgwk"}
    table = Table.set("card", 2, hands=hands, yards={0: {"red": (1, 0)}}, **QUIET)
    assert sets(table, "red") == set()
    for cards in ("2+0", "5+0"):
        assert table.refuses(0, f"play_same red {cards}", clause="CARD-YARD-6")
    assert table.refuses(0, "play_three white,red,green", clause="CARD-YARD-6")
    assert table.allows(0, "play_three white,black,green")


@pytest.mark.clause("CARD-YARD-7", "CARD-YARD-9")
@pytest.mark.parametrize("column", [(1, 0), (3, 0), (2, 1), (1, 2)])
def test_a_rivals_colour_needs_strictly_more_cards_locos_counted_on_both_sides(column):
    size = sum(column)
    facts: dict[str, Any] = {"yards": {1: {"blue": column}}, "hands": {0: "uuuuuLLLL"}, **QUIET}
    table = Table.set("card", 2, **facts)
    expected = {f"{a}+{b}" for a in range(1, 6) for b in range(5) if a + b >= max(2, size + 1)}
    assert sets(table, "blue") == expected
    for wagons in range(1, size + 1):
        if size > 1:
            assert table.refuses(0, f"play_same blue {wagons}+{size - wagons}", clause="CARD-YARD-7")


@pytest.mark.clause("CARD-YARD-7", "CARD-YARD-10")
@pytest.mark.scenario("S-134")
def test_three_colours_do_not_rob_a_column_of_one_but_two_cards_do():
    facts: dict[str, Any] = {"yards": {1: {"blue": (1, 0)}}, "hands": {0: "uugw"}, **QUIET}
    table = Table.set("card", 2, **facts)
    assert table.refuses(0, "play_three white,blue,green", clause="CARD-YARD-10")
    table.play(0, "play_same blue 2+0")
    assert (yard(table, 0), yard(table, 1)) == ({"blue": (2, 0)}, {})
    assert table.position()["discard"] == counts("u")


@pytest.mark.clause("CARD-YARD-10")
def test_three_colours_are_listed_only_where_no_yard_has_them():
    yards = {1: {"blue": (1, 0)}, 2: {"red": (4, 0)}}
    table = Table.set("card", 3, yards=yards, hands={0: "urgwk"}, **QUIET)
    threes = {move.split(" ")[1] for move in table.moves(0) if move.startswith("play_three")}
    assert threes == {"white,black,green"}


@pytest.mark.clause("CARD-YARD-8")
def test_the_robbed_player_discards_the_whole_column_locos_included():
    yards = {1: {"blue": (2, 2), "red": (2, 1)}}
    table = Table.set("card", 3, yards=yards, hands={0: "uuuuL", 1: "gg"}, **QUIET)
    events = table.play(0, "play_same blue 4+1")
    assert table.position()["discard"] == counts("uuLL")
    robbed = next(event for event in events if event["type"] == "column_robbed")
    assert (robbed["seat"], robbed["by"], robbed["colour"]) == (1, 0, "blue")
    assert (robbed["wagons"], robbed["locos"]) == (2, 2)
    assert yard(table, 0) == {"blue": (4, 1)}
    assert yard(table, 1) == {"red": (2, 0)}  # after step 1 of its own turn
    assert table.player(1)["hand"] == counts("gg") and table.player(1)["road"] == counts("L")


@pytest.mark.clause("CARD-YARD-8")
def test_the_column_is_gone_at_once_before_the_robbed_player_can_move_it():
    """Seat 1 plays next: its step 1 finds nothing."""
    table = Table.set("card", 2, yards={1: {"blue": (2, 0)}}, hands={0: "uuu"}, **QUIET)
    events = table.play(0, "play_same blue 3+0")
    assert not [event for event in events if event["type"] == "trains_departed"]
    assert table.player(1)["road"] == {}


@pytest.mark.clause("CARD-YARD-9")
def test_locos_help_to_rob_and_to_resist():
    facts: dict[str, Any] = {"yards": {1: {"blue": (1, 2)}}, "hands": {0: "uuuLLL"}, **QUIET}
    table = Table.set("card", 2, **facts)
    assert table.refuses(0, "play_same blue 3+0", clause="CARD-YARD-7")
    table.play(0, "play_same blue 1+3")
    assert yard(table, 0) == {"blue": (1, 3)}
    assert table.position()["discard"] == counts("uLL")


@pytest.mark.clause("CARD-YARD-11")
@pytest.mark.scenario("S-135")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_random_games_a_colour_is_in_one_yard_at_most_and_cards_are_conserved(players):
    composition = dict.fromkeys("purple white blue yellow orange black red green".split(), 10) | {"loco": 16}
    chance = random.Random(players)
    robbed = 0
    for number in range(3):
        table = Table.new("card", players, bytes([number]) * 32, {"max_turns": 90})
        for seat in range(players):
            table.play(seat, chance.choice(table.moves(seat)))
        while table.phase != "finished":
            moves = table.moves(table.active)
            trains = [move for move in moves if move.startswith("play_")]
            move = chance.choice(trains if trains and chance.random() < 0.5 else moves)
            robbed += "column_robbed" in [event["type"] for event in table.play(table.active, move)]
            position = table.position()
            columns = [column for player in position["players"] for column in player["yard"]]
            assert len({column["colour"] for column in columns}) == len(columns)
            total: Counter[str] = Counter(position["deck"]) + Counter(position["discard"])
            total += Counter(card for card in position["row"] if card)
            for player in position["players"]:
                total += Counter(player["hand"]) + Counter(player["road"])
            for column in columns:
                total += Counter({column["colour"]: column["wagons"], "loco": column["locos"]})
            assert total == composition
    assert robbed > 3


@pytest.mark.clause("CARD-YARD-12")
@pytest.mark.scenario("S-136")
def test_road_piles_and_hands_are_not_robbed():
    facts: dict[str, Any] = {"roads": {1: "rrL"}, "hands": {0: "rr", 1: "rrr"}, **QUIET}
    table = Table.set("card", 2, **facts)
    table.play(0, "play_same red 2+0")
    assert table.player(1)["road"] == counts("rrL")
    assert table.player(1)["hand"] == counts("rrr")
    assert table.position()["discard"] == {}


@pytest.mark.clause("CARD-YARD-13")
@pytest.mark.scenario("S-137")
@pytest.mark.parametrize("second", ["play_same white 2+0", "play_three blue,black,red"])
def test_one_set_is_placed_per_turn(second):
    table = Table.set("card", 2, hands={0: "ggwwukr"}, **QUIET)
    assert table.allows(0, second)
    table.play(0, "play_same green 2+0")
    assert table.active == 1
    assert table.refuses(0, second, clause="COMMON-TURN-4")
    assert yard(table, 0) == {"green": (2, 0)}
