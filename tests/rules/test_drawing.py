"""Drawing train cards (COMMON-DRAW)."""

from __future__ import annotations

import pytest

from tests.kit.random_games import ALL
from tests.kit.setting import cards, counts
from tests.kit.table import Table

TWO_CARD_LOCO = ("usa-2004", "usa", "lyon", "europe", "card")
MAY_STOP = ("usa-2004", "usa", "lyon", "europe")


def draws(table: Table, seat: int) -> list[str]:
    """The train-card moves of a seat."""
    return [
        move for move in table.moves(seat) if move.split(" ")[0] in ("draw_deck", "draw_row", "stop_drawing")
    ]


def last_cards(edition: str, row: str, **facts: object) -> Table:
    """Deck and discard are empty; the row is all there is."""
    if edition == "card":
        facts["final_turns_left"] = 2
    return Table.set(edition, 2, deck="", discard="", spare=1, row=row, **facts)


@pytest.mark.clause("COMMON-DRAW-1", "COMMON-ROW-1", "COMMON-ROW-2", "FSM-1", "FSM-5")
@pytest.mark.scenario("S-021")
def test_two_face_up_cards_from_one_slot():
    table = Table.set("usa", 2, row="ruLgw", deck_top="ky")
    table.play(0, "draw_row 0")
    assert table.position()["row"] == cards("kuLgw")
    assert table.phase == "after_first_card" and table.active == 0
    table.play(0, "draw_row 0")
    assert table.player(0)["hand"] == counts("rk")
    assert table.position()["row"] == cards("yuLgw")
    assert table.phase == "turn_start" and table.active == 1


@pytest.mark.clause("COMMON-DRAW-1", "FSM-5")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("first", ["draw_deck", "draw_row 1"])
@pytest.mark.parametrize("second", ["draw_deck", "draw_row 3"])
def test_two_draws_in_any_mix_and_no_third(edition, first, second):
    table = Table.set(edition, 2, row="rugwk", deck_top="ypo")
    expected = ""
    top = iter("ypo")
    for move in (first, second):
        replacement = next(top)
        expected += {"draw_deck": replacement, "draw_row 1": "u", "draw_row 3": "w"}[move]
        table.play(0, move)
    assert table.player(0)["hand"] == counts(expected)
    assert table.active == 1
    assert table.refuses(0, "draw_deck", clause="COMMON-TURN-4")


@pytest.mark.clause("COMMON-DRAW-1")
@pytest.mark.parametrize("edition", ALL)
def test_a_blind_draw_takes_the_top_card_and_leaves_the_row_alone(edition):
    table = Table.set(edition, 2, row="rugwk", deck_top="yp")
    table.play(0, "draw_deck")
    assert table.player(0)["hand"] == counts("y")
    assert table.position()["deck"][0] == "purple" and table.position()["row"] == cards("rugwk")


@pytest.mark.clause("COMMON-DRAW-1")
@pytest.mark.parametrize("slot", [5, 7, 99])
def test_there_are_five_slots(slot):
    assert Table.set("usa", 2).refuses(0, f"draw_row {slot}", clause="COMMON-DRAW-1", code="unknown_slot")


@pytest.mark.clause("COMMON-DRAW-2", "COMMON-DRAW-9")
@pytest.mark.scenario("S-183")
@pytest.mark.parametrize("edition", ALL)
def test_blind_draws_need_a_deck(edition):
    table = last_cards(edition, "ru...")
    assert table.refuses(0, "draw_deck", clause="COMMON-DRAW-2", code="deck_empty")
    assert table.allows(0, "draw_row 1")
    assert draws(table, 0) == ["draw_row 0", "draw_row 1"]


@pytest.mark.clause("COMMON-DRAW-2")
@pytest.mark.parametrize("edition", ALL)
def test_the_last_card_of_the_deck_can_be_drawn_and_then_no_other(edition):
    table = Table.set(edition, 2, deck="y", discard="", spare=1, row="rugwk")
    assert table.allows(0, "draw_deck")
    table.play(0, "draw_deck")
    assert table.refuses(0, "draw_deck", clause="COMMON-DRAW-2")
    assert table.allows(0, "draw_row 0")


@pytest.mark.clause("COMMON-DRAW-3", "FSM-2")
@pytest.mark.scenario("S-022")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
def test_a_face_up_loco_is_the_whole_turn(edition):
    table = Table.set(edition, 2, row="ruLgw", deck_top="ky")
    table.play(0, "draw_row 2")
    assert table.player(0)["hand"] == counts("L")
    assert table.active == 1 and table.phase != "after_first_card"


@pytest.mark.clause("COMMON-DRAW-4", "COMMON-DRAW-3")
@pytest.mark.scenario("S-023")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
@pytest.mark.parametrize("first", ["draw_row 0", "draw_deck"])
def test_a_face_up_loco_cannot_be_the_second_card(edition, first):
    table = Table.set(edition, 2, row="ruLgw", deck_top="ky")
    table.play(0, first)
    assert table.refuses(0, "draw_row 2", clause="COMMON-DRAW-4", code="loco_barred")
    assert "draw_row 2" not in table.moves(0)


@pytest.mark.clause("COMMON-DRAW-4")
@pytest.mark.scenario("S-024")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
def test_a_loco_that_has_just_replaced_the_first_card_is_barred_too(edition):
    table = Table.set(edition, 2, row="rugwk", deck_top="L")
    table.play(0, "draw_row 0")
    assert table.position()["row"][0] == "loco"
    assert table.refuses(0, "draw_row 0", clause="COMMON-DRAW-4")
    for move in ("draw_deck", "draw_row 1", "draw_row 4"):
        assert table.allows(0, move)


@pytest.mark.clause("COMMON-DRAW-5", "USA2004-DRAW-1", "FSM-3")
@pytest.mark.scenario("S-026")
@pytest.mark.parametrize("edition", ALL)
def test_a_blind_loco_counts_as_one_card(edition):
    table = Table.set(edition, 2, row="rugwk", deck_top="LLy")
    table.play(0, "draw_deck")
    assert table.phase == "after_first_card" and table.active == 0
    assert table.allows(0, "draw_deck") and table.allows(0, "draw_row 3")
    table.play(0, "draw_deck")
    assert table.player(0)["hand"] == counts("LL") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-4", "SWI-LOCO-1", "FSM-2")
@pytest.mark.scenario("S-027")
def test_switzerland_lets_a_player_take_two_face_up_locos():
    table = Table.set("switzerland", 2, row="LLruw", deck_top="gk")
    table.play(0, "draw_row 0")
    assert table.phase == "after_first_card"
    table.play(0, "draw_row 1")
    assert table.player(0)["hand"] == counts("LL") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-6", "FSM-5")
@pytest.mark.scenario("S-029")
@pytest.mark.parametrize("edition", MAY_STOP)
def test_a_player_may_stop_after_one_card(edition):
    table = Table.set(edition, 2, row="rugwk")
    table.play(0, "draw_row 0")
    table.play(0, "stop_drawing")
    assert table.player(0)["hand"] == counts("r") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-6")
@pytest.mark.scenario("S-029")
@pytest.mark.parametrize("edition", ["switzerland", "card"])
@pytest.mark.parametrize("first", ["draw_row 0", "draw_deck"])
def test_in_switzerland_and_the_card_game_the_second_card_has_to_be_drawn(edition, first):
    table = Table.set(edition, 2, row="rugwk")
    table.play(0, first)
    assert table.refuses(0, "stop_drawing", clause="COMMON-DRAW-6", code="must_draw_second")
    assert table.active == 0 and draws(table, 0)


@pytest.mark.clause("COMMON-DRAW-6")
@pytest.mark.parametrize("edition", ALL)
def test_stopping_before_the_first_card_is_refused(edition):
    assert Table.set(edition, 2).refuses(0, "stop_drawing", clause="FSM-13", code="wrong_phase")


@pytest.mark.clause("COMMON-DRAW-7", "COMMON-DRAW-8", "FSM-4")
@pytest.mark.scenario("S-040")
@pytest.mark.parametrize("edition", ALL)
def test_a_single_card_that_can_be_taken_is_the_whole_turn(edition):
    table = last_cards(edition, "..r..")
    assert draws(table, 0) == ["draw_row 2"]
    table.play(0, "draw_row 2")
    assert table.player(0)["hand"] == counts("r") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-8", "FSM-4")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
def test_after_the_last_card_of_the_deck_barred_locos_are_no_second_draw(edition):
    table = Table.set(edition, 2, deck="y", discard="", spare=1, row="LLLLL")
    table.play(0, "draw_deck")
    assert table.player(0)["hand"] == counts("y") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-4", "COMMON-DRAW-8", "FSM-4")
@pytest.mark.scenario("S-041")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
def test_with_only_a_barred_loco_left_the_turn_ends_by_itself(edition):
    table = last_cards(edition, "Lr...")
    table.play(0, "draw_row 1")
    assert table.player(0)["hand"] == counts("r")
    assert table.position()["row"] == ["loco", None, None, None, None]
    assert table.active == 1 and table.phase != "after_first_card"


@pytest.mark.clause("COMMON-DRAW-8", "SWI-LOCO-1")
def test_in_switzerland_that_loco_is_the_second_card():
    table = last_cards("switzerland", "Lr...")
    table.play(0, "draw_row 1")
    assert table.phase == "after_first_card" and table.moves(0) == ["draw_row 0"]
    table.play(0, "draw_row 0")
    assert table.player(0)["hand"] == counts("rL") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-8")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
def test_a_barred_loco_beside_a_wagon_card_does_not_end_the_turn(edition):
    table = last_cards(edition, "LrL.u")
    table.play(0, "draw_row 1")
    assert table.phase == "after_first_card"
    assert [move for move in draws(table, 0) if move != "stop_drawing"] == ["draw_row 4"]


@pytest.mark.clause("COMMON-DRAW-9")
@pytest.mark.parametrize("edition", ALL)
def test_the_action_is_unavailable_only_when_deck_and_row_are_empty(edition):
    assert draws(last_cards(edition, "....."), 0) == []
    assert draws(last_cards(edition, "....g"), 0) == ["draw_row 4"]
    assert draws(Table.set(edition, 2), 0) == ["draw_deck", *[f"draw_row {slot}" for slot in range(5)]]


@pytest.mark.clause("COMMON-DRAW-9", "COMMON-DRAW-10")
@pytest.mark.scenario("S-042")
@pytest.mark.parametrize("edition", TWO_CARD_LOCO)
def test_a_lone_face_up_loco_can_be_taken_as_the_whole_turn(edition):
    table = last_cards(edition, "L....")
    table.play(0, "draw_row 0")
    assert table.player(0)["hand"] == counts("L") and table.active == 1


@pytest.mark.clause("COMMON-DRAW-10")
def test_of_a_row_of_locos_one_is_taken_or_in_switzerland_two():
    for edition in ALL:
        table = last_cards(edition, "LLLL.")
        table.play(0, "draw_row 3")
        if edition == "switzerland":
            assert table.active == 0 and table.moves(0) == ["draw_row 0", "draw_row 1", "draw_row 2"]
            table.play(0, "draw_row 0")
        assert table.active == 1
        assert table.player(0)["hand"] == counts("LL" if edition == "switzerland" else "L")


@pytest.mark.clause("COMMON-DRAW-11", "INFO-8")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("top", "kL")
def test_the_drawer_sees_a_blind_card_before_choosing_the_second(edition, top):
    table = Table.set(edition, 2, row="rugwk", deck_top=top)
    (event,) = table.play_events(0, "draw_deck")
    assert table.phase == "after_first_card"
    assert event.seen_by(0) == {"type": "card_drawn", "seat": 0, "card": cards(top)[0]}
    assert table.view(0)["you"]["hand"] == counts(top)
    assert event.seen_by(1) == event.seen_by(None) == {"type": "card_drawn", "seat": 0}
