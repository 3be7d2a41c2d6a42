"""The Card Game: step 1, the road pile, and the end of a round."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.setting import counts
from tests.kit.table import Table


def idle(table: Table, seat: int) -> list[dict[str, Any]]:
    """A turn in which the seat draws tickets and keeps none."""
    return table.play(seat, "draw_tickets") + table.play(seat, "keep_tickets -")


def yard(table: Table, seat: int) -> dict[str, tuple[int, int]]:
    return {c["colour"]: (c["wagons"], c["locos"]) for c in table.player(seat)["yard"]}


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


@pytest.mark.clause("CARD-ROAD-1", "CARD-TURN-1")
def test_at_the_start_of_a_turn_one_card_of_every_own_column_moves_to_the_road_pile():
    yards = {0: {"red": (3, 0), "blue": (1, 0), "green": (2, 2)}, 1: {"white": (2, 0)}}
    table = Table.set("card", 2, yards=yards, roads={0: "y"}, active=1)
    idle(table, 1)
    assert (table.active, table.phase) == (0, "action")
    assert yard(table, 0) == {"red": (2, 0), "green": (2, 1)}
    assert table.player(0)["road"] == counts("yruL")
    assert yard(table, 1) == {"white": (2, 0)} and table.player(1)["road"] == {}


@pytest.mark.clause("CARD-TURN-1", "CARD-ROAD-1")
@pytest.mark.scenario("S-181")
def test_others_see_the_column_and_which_card_left_it():
    table = Table.set("card", 2, hands={0: "uu"}, row="yyyoo")
    table.play(0, "play_same blue 2+0")
    assert table.view(1)["players"][0]["yard"] == [{"colour": "blue", "wagons": 2, "locos": 0}]
    table.play(1, "draw_tickets")
    events = [event.public for event in table.play_events(1, "keep_tickets -")]
    assert {"seat": 0, "cards": ["blue"]} in [
        {key: event[key] for key in ("seat", "cards")} for event in events if "cards" in event
    ]
    assert table.view(1)["players"][0]["yard"] == [{"colour": "blue", "wagons": 1, "locos": 0}]
    assert table.view(1)["players"][0]["road_pile_size"] == 1


@pytest.mark.clause("CARD-ROAD-2")
@pytest.mark.scenario("S-128")
def test_with_an_empty_yard_step_one_is_skipped():
    table = Table.set("card", 2, active=1)
    events = idle(table, 1)
    assert "trains_departed" not in kinds(events)
    assert (table.active, table.phase, table.player(0)["road"]) == (0, "action", {})


@pytest.mark.clause("CARD-ROAD-2")
def test_step_one_is_skipped_on_the_first_turn():
    table = Table.new("card", 2, options={"first_player": 0})
    table.play(0, table.moves(0)[0])
    events = table.play(1, table.moves(1)[0])
    assert "trains_departed" not in kinds(events)
    assert (table.active, table.phase) == (0, "action")


@pytest.mark.clause("CARD-ROAD-2")
def test_step_one_cannot_be_declined():
    """It happens on the way into the turn, whatever the player then does; no move keeps a card back."""
    table = Table.set("card", 2, yards={0: {"red": (2, 0)}}, hands={0: "gg"}, active=1)
    events = idle(table, 1)
    assert kinds(events)[-2:] == ["turn_started", "trains_departed"]
    for move in table.moves(0):
        after = table.copy()
        after.play(0, move)
        assert after.player(0)["road"] == counts("r")


@pytest.mark.clause("CARD-ROAD-3")
@pytest.mark.parametrize(
    ("column", "after", "moved"),
    [((2, 1), (2, 0), "L"), ((1, 3), (1, 2), "L"), ((2, 0), (1, 0), "r"), ((1, 0), None, "r")],
)
def test_locos_leave_before_the_wagon_cards_beneath_them(column, after, moved):
    table = Table.set("card", 2, yards={0: {"red": column}}, active=1)
    idle(table, 1)
    assert yard(table, 0).get("red") == after
    assert table.player(0)["road"] == counts(moved)


@pytest.mark.clause("CARD-ROAD-4")
@pytest.mark.scenario("S-129")
def test_a_colour_whose_last_card_has_just_left_may_be_played_again():
    yards = {0: {"blue": (1, 0), "red": (3, 0)}}
    table = Table.set("card", 2, yards=yards, hands={0: "uurrr"}, active=1)
    idle(table, 1)
    assert yard(table, 0) == {"red": (2, 0)}
    assert table.refuses(0, "play_same red 3+0", clause="CARD-YARD-6")
    table.play(0, "play_same blue 2+0")
    assert yard(table, 0) == {"blue": (2, 0), "red": (2, 0)}


@pytest.mark.clause("CARD-ROAD-5", "CARD-ROAD-6")
@pytest.mark.scenario("S-138")
def test_a_road_pile_shows_its_size_and_no_content():
    facts: dict[str, Any] = {"tickets": {0: ["d08"]}, "row": "yyyoo"}
    table = Table.set("card", 2, roads={0: "rrgguL"}, **facts)
    other = Table.set("card", 2, roads={0: "kkwwpp"}, **facts)
    for seat in (0, 1, None):
        assert table.view(seat)["players"][0]["road_pile_size"] == 6
        assert table.view_text(seat) == other.view_text(seat)
    assert "road_pile" not in table.view(0)["you"]


@pytest.mark.clause("CARD-ROAD-6")
@pytest.mark.scenario("S-138")
def test_with_peek_own_pile_the_owner_alone_sees_the_content():
    facts: dict[str, Any] = {"options": {"peek_own_pile": [0]}, "row": "yyyoo"}
    table = Table.set("card", 3, roads={0: "rrgguL", 1: "pp"}, **facts)
    other = Table.set("card", 3, roads={0: "kkwwpp", 1: "pp"}, **facts)
    assert table.view(0)["you"]["road_pile"] == counts("rrgguL")
    for seat in (1, 2, None):
        assert table.view_text(seat) == other.view_text(seat)
    assert "road_pile" not in table.view(1)["you"]
    table.play(0, "draw_row 0")  # at any time, not on the own turn alone
    table.play(0, "draw_row 0")
    assert table.view(0)["you"]["road_pile"] == counts("rrgguL")


LAST = {"row": ".....", "deck": "", "spare": "discard"}


@pytest.mark.clause("CARD-ROAD-7")
def test_a_loco_serves_any_colour_whichever_column_it_came_from():
    """A loco off a green column and a blue card complete d13, blue and red."""
    facts: dict[str, Any] = {"yards": {0: {"green": (1, 1)}}, "roads": {0: "u"}, "tickets": {0: ["d13"]}}
    table = Table.set("card", 2, active=1, final_turns_left=2, **facts, **LAST)
    idle(table, 1)
    assert table.player(0)["road"] == counts("uL")
    idle(table, 0)
    assert (table.phase, table.player(0)["completed"]) == ("finished", ["d13"])


@pytest.mark.clause("CARD-ROAD-8", "CARD-END-4")
@pytest.mark.scenario("S-142")
def test_step_one_takes_place_on_the_last_turn_and_what_stays_in_the_yard_is_lost():
    """d02 asks for a blue card, d04 for a yellow and a blue one; only one blue card gets onto the road."""
    facts: dict[str, Any] = {
        "yards": {0: {"blue": (2, 0)}},
        "roads": {0: "y"},
        "tickets": {0: ["d02", "d04"]},
    }
    table = Table.set("card", 2, active=1, final_turns_left=2, **facts, **LAST)
    idle(table, 1)
    assert table.player(0)["road"] == counts("yu") and yard(table, 0) == {"blue": (1, 0)}
    idle(table, 0)
    assert table.phase == "finished"
    assert (table.player(0)["completed"], table.player(0)["tickets"]) == (["d04"], ["d02"])


@pytest.mark.clause("CARD-END-4")
def test_cards_in_hand_serve_no_ticket():
    facts: dict[str, Any] = {"hands": {0: "uuuLLL"}, "tickets": {0: ["d02"]}}
    table = Table.set("card", 2, final_turns_left=1, **facts, **LAST)
    idle(table, 0)
    assert table.player(0)["completed"] == []
    assert table.score()["seats"][0]["total"] == -5


@pytest.mark.clause("CARD-END-1", "CARD-END-2", "CARD-END-3", "CARD-DRAW-4")
@pytest.mark.scenario("S-139")
def test_turning_up_the_last_card_starts_the_last_turns_after_this_one():
    table = Table.set("card", 3, row="rugwk", deck="y", spare=2)
    table.play(0, "draw_row 0")
    assert table.position()["row"][0] == "yellow" and table.position()["deck"] == []
    assert (table.active, table.position()["final_turns_left"]) == (0, None)
    assert table.refuses(0, "draw_deck", clause="COMMON-DRAW-2")
    table.play(0, "draw_row 0")
    assert table.position()["row"][0] is None
    assert table.player(0)["hand"] == counts("ry")
    assert (table.active, table.position()["final_turns_left"]) == (1, 3)
    for seat in (1, 2, 0):
        assert (table.active, table.phase) == (seat, "action")
        idle(table, seat)
    assert table.phase == "finished"


@pytest.mark.clause("CARD-END-2")
def test_if_only_locos_are_left_face_up_the_trigger_players_turn_ends():
    table = Table.set("card", 2, row="rLLLL", deck="L", spare=1)
    table.play(0, "draw_row 0")
    assert (table.active, table.position()["final_turns_left"]) == (1, 2)


@pytest.mark.clause("CARD-END-1", "CARD-END-3")
@pytest.mark.parametrize(
    ("deck", "moves"),
    [
        ("y", ["draw_deck", "draw_row 1"]),
        ("yk", ["draw_deck", "draw_deck"]),
        ("yk", ["draw_deck", "draw_row 1"]),
        ("yk", ["draw_row 1", "draw_deck"]),
        ("y", ["draw_row 4"]),
    ],
)
def test_the_last_turns_begin_when_the_last_card_is_drawn_or_turned_up(deck, moves):
    table = Table.set("card", 2, row="rugwL", deck=deck, spare=1)
    for move in moves:
        events = table.play(0, move)
    assert table.position()["deck"] == []
    assert "last_round_started" in kinds(events)
    assert (table.active, table.position()["final_turns_left"]) == (1, 2)
    idle(table, 1)
    assert (table.active, table.position()["final_turns_left"]) == (0, 1)
    idle(table, 0)
    assert table.phase == "finished"


@pytest.mark.clause("CARD-END-1")
def test_while_a_card_is_left_no_last_turns_begin():
    table = Table.set("card", 2, row="rugwk", deck="ykp", spare=1)
    table.play(0, "draw_deck")
    table.play(0, "draw_row 1")
    assert len(table.position()["deck"]) == 1
    assert table.position()["final_turns_left"] is None


@pytest.mark.clause("CARD-END-3")
def test_taking_more_cards_in_the_last_turns_prolongs_nothing():
    table = Table.set("card", 3, row="rugwk", deck="y", spare="discard", active=1)
    table.play(1, "draw_deck")
    table.play(1, "draw_row 0")
    for seat, slot in ((2, 1), (2, 2), (0, 3), (0, 4)):
        table.play(seat, f"draw_row {slot}")
    assert (table.active, table.position()["final_turns_left"]) == (1, 1)
    idle(table, 1)
    assert table.phase == "finished"
