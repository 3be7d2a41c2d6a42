"""Deck, discard and row: conservation, reshuffling, settling and refilling (COMMON-DECK, COMMON-ROW)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.kit.random_games import ALL, BOARDS, MOST_PLAYERS, begun, random_play, seed_of
from tests.kit.setting import cards, counts
from tests.kit.table import Table

COLOURS = "purple white blue yellow orange black red green".split()


def all_cards(position: dict[str, Any]) -> Counter[str]:
    """Every train card of every zone, counted from the position."""
    found: Counter[str] = Counter(position["deck"])
    found.update(card for card in position["row"] if card)
    found.update(position["discard"])
    if position["tunnel"]:
        found.update(position["tunnel"]["revealed"])
        payment = position["tunnel"]["payment"]
        found.update({payment["colour"]: payment["wagons"], "loco": payment["locos"]})
    for player in position["players"]:
        found.update(player["hand"])
        found.update(player["road"])
        for column in player["yard"]:
            found.update({column["colour"]: column["wagons"], "loco": column["locos"]})
    return +found


@pytest.mark.clause("COMMON-DECK-1")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_the_train_cards_of_all_zones_add_up_to_the_box(edition, number):
    colours, locos = (10, 16) if edition == "card" else (12, 14)
    box = Counter({**dict.fromkeys(COLOURS, colours), "loco": locos})
    players = MOST_PLAYERS[edition] if number else 2
    table = None
    for table, _, _ in random_play(edition, players, number):
        assert all_cards(table.position()) == box
    assert table is not None and table.phase == "finished"
    assert all_cards(table.position()) == box


@pytest.mark.clause("COMMON-DECK-1")
def test_spent_cards_stay_in_the_road_piles_after_the_last_fulfilment():
    table = Table.set(
        "card",
        2,
        hands={0: "r", 1: "u"},
        roads={0: "rrrruuuugggg", 1: "wwwwkkkkyyyy"},
        tickets={0: ["d01", "d02", "d03"], 1: ["d04", "d05"]},
        deck="",
        row=".....",
        discard="",
        spare="discard",
        final_turns_left=1,
    )
    roads = [table.player(seat)["road"] for seat in range(2)]
    move = table.moves(0)[0]
    assert move == "draw_tickets"
    table.play(0, move)
    table.play(0, "keep_tickets -")
    assert table.phase == "finished"
    assert [table.player(seat)["road"] for seat in range(2)] == roads
    assert table.player(0)["completed"] or table.player(1)["completed"]


@pytest.mark.clause("COMMON-DECK-2")
@pytest.mark.scenario("S-048")
@pytest.mark.parametrize("edition", ALL)
def test_a_hand_of_thirty_may_grow(edition):
    table = Table.set(edition, 2, hands={0: "ppppwwwwuuuuyyyyookkkkrrrrgggg"}, row="wkyup")
    table.play(0, "draw_deck")
    table.play(0, "draw_row 1")
    assert sum(table.player(0)["hand"].values()) == 32


@pytest.mark.clause("COMMON-DECK-2")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_hand_may_hold_nearly_the_whole_box(edition):
    table = Table.set(edition, 2, row="rugwk", deck="ppp", discard="", spare=0)
    assert sum(table.player(0)["hand"].values()) == 110 - 8
    table.play(0, "draw_deck")
    table.play(0, "draw_deck")
    assert sum(table.player(0)["hand"].values()) == 110 - 6


@pytest.mark.clause("COMMON-DECK-3")
@pytest.mark.scenario("S-038")
@pytest.mark.parametrize("edition", BOARDS)
def test_an_emptied_deck_is_made_anew_at_once_even_between_two_cards(edition):
    table = Table.set(edition, 2, deck="k", discard="pppppwwwwwuuuuuyyyyy", spare=1, row="rgorg")
    events = table.play(0, "draw_deck")
    assert {"type": "deck_reshuffled", "count": 20} in events
    position = table.position()
    assert (len(position["deck"]), position["discard"]) == (20, {})
    assert position["phase"] == "after_first_card"
    assert Counter(position["deck"]) == dict.fromkeys(["purple", "white", "blue", "yellow"], 5)
    top = position["deck"][0]
    table.play(0, "draw_deck")
    assert table.player(0)["hand"] == {top: 1, "black": 1}


@pytest.mark.clause("COMMON-DECK-3", "COMMON-DECK-6")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_replacement_that_empties_the_deck_reshuffles_too(edition):
    table = Table.set(edition, 2, deck="k", discard="ppwwu", spare=1, row="rgorg")
    table.play(0, "draw_row 2")
    position = table.position()
    assert position["row"] == cards("rgkrg")
    assert (sorted(position["deck"]), position["discard"]) == (sorted(cards("ppwwu")), {})


@pytest.mark.clause("COMMON-DECK-3", "CARD-DRAW-3")
def test_the_card_game_does_not_reshuffle():
    table = Table.set("card", 2, deck="k", discard="ppwwu", spare=1, row="rgorg")
    table.play(0, "draw_deck")
    assert table.position()["deck"] == [] and table.position()["discard"] == counts("ppwwu")


@pytest.mark.clause("COMMON-DECK-4", "COMMON-DECK-6", "COMMON-ROW-4")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "europe"])
def test_with_nothing_to_reshuffle_the_deck_stays_empty_until_cards_are_discarded(edition):
    route = "essen_frankfurt" if edition == "europe" else "chicago_saint_louis_1"
    table = Table.set(edition, 2, deck="k", discard="", spare=1, row="rgorg", hands={0: "ggu"})
    table.play(0, "draw_deck")
    table.play(0, "draw_row 0")
    assert table.position()["deck"] == [] and table.position()["row"] == [None, *cards("gorg")]
    table.play(1, "draw_row 1")
    table.play(1, "stop_drawing")
    assert table.position()["row"] == [None, None, *cards("org")]
    events = table.play(0, f"claim {route} 2green")
    assert {"type": "deck_reshuffled", "count": 2} in events
    position = table.position()
    assert position["row"] == cards("ggorg")
    assert (position["deck"], position["discard"]) == ([], {})


@pytest.mark.clause("COMMON-DECK-4", "COMMON-DECK-6")
def test_cards_discarded_onto_an_empty_deck_become_the_deck_at_the_end_of_that_step():
    table = Table.set("usa", 2, deck="", discard="", spare=1, row="rgorg", hands={0: "uuu"})
    table.play(0, "claim montreal_new_york 3blue")
    position = table.position()
    assert (position["deck"], position["discard"]) == (cards("uuu"), {})
    assert table.allows(1, "draw_deck")


@pytest.mark.clause("COMMON-DECK-5", "EUR-TUNNEL-17")
@pytest.mark.parametrize("edition", ["europe", "switzerland"])
def test_committed_and_revealed_cards_take_no_part_in_a_reshuffle(edition):
    route = {"europe": "marseille_zurich", "switzerland": "chur-davos"}[edition]
    table = Table.set(edition, 2, hands={0: "ppp"}, deck="pw", discard="kkkkkkkkk", spare=1, row="rugyo")
    events = table.play(0, f"claim {route} 2purple")
    assert [event["type"] for event in events][:2] == ["deck_reshuffled", "tunnel_revealed"]
    assert events[1]["revealed"] == cards("pwk")
    position = table.position()
    assert position["phase"] == "tunnel_pending"
    assert (position["deck"], position["discard"]) == (cards("kkkkkkkk"), {})


@pytest.mark.clause("COMMON-DECK-5", "COMMON-TURN-7")
@pytest.mark.parametrize("end", ["tunnel_pay 1purple", "tunnel_pay 1loco", "tunnel_abandon"])
def test_the_cards_of_a_tunnel_enter_the_discard_together_when_the_attempt_ends(end):
    """The deck was used up by the reveal, so the one settle shuffles all of them into the new deck."""
    table = Table.set("europe", 2, hands={0: "pppL"}, deck="pwk", discard="", spare=1, row="rugyo")
    table.play(0, "claim marseille_zurich 2purple")
    assert table.position()["deck"] == [] and table.position()["discard"] == {}
    events = table.play(0, end)
    base = "" if end == "tunnel_abandon" else "pp" + ("L" if "loco" in end else "p")
    together = cards("pwk" + base)
    assert [event["count"] for event in events if event["type"] == "deck_reshuffled"] == [len(together)]
    assert sorted(table.position()["deck"]) == sorted(together)
    assert table.position()["discard"] == {}


@pytest.mark.clause("COMMON-DECK-6", "COMMON-ROW-4")
def test_empty_slots_are_filled_lowest_first_reshuffling_whenever_the_deck_runs_out():
    """Three green cards come back: the new deck fills slots 0, 2 and 4 and is then empty again."""
    table = Table.set("usa", 2, deck="", discard="", spare=1, row=".r.u.", hands={0: "ggggg"})
    events = table.play(0, "claim little_rock_new_orleans 3green")
    filled = [event["slot"] for event in events if event["type"] == "row_filled"]
    assert filled == [0, 2, 4]
    assert table.position()["row"] == cards("grgug")


@pytest.mark.clause("COMMON-DECK-6")
def test_with_fewer_cards_than_empty_slots_the_lowest_slots_are_filled():
    table = Table.set("usa", 2, deck="", discard="", spare=1, row=".r.u.", hands={0: "ggL"})
    table.play(0, "claim chicago_saint_louis_1 2green")
    assert table.position()["row"] == [*cards("grgu"), None]


@pytest.mark.clause("COMMON-DECK-6", "COMMON-FLUSH-4")
def test_a_settle_goes_on_until_nothing_changes():
    """A payment is reshuffled and fills the row; where that shows a third loco, the row is flushed and filled again."""
    flushed = 0
    for number in range(30):
        table = Table.set(
            "usa", 2, seed=seed_of(number), deck="", discard="", spare=1, row="LLru.", hands={0: "gLL"}
        )
        events = table.play(0, "claim montreal_toronto 1green+2loco")
        kinds = [event["type"] for event in events]
        assert kinds[:3] == ["route_claimed", "deck_reshuffled", "row_filled"]
        assert ("row_flushed" in kinds) == (events[2]["card"] == "loco")
        if "row_flushed" in kinds:
            flushed += 1
            assert kinds[3] == "row_flushed" and kinds[4:6] == ["row_filled", "row_filled"]
            assert kinds[6] == "deck_reshuffled"
        position = table.position()
        assert position["row"].count("loco") <= 2 or position["row_stands"]
        assert None not in position["row"] and len(position["deck"]) == 2
    assert 0 < flushed < 30


@pytest.mark.clause("COMMON-DECK-7")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("number", range(2))
def test_at_every_decision_an_empty_deck_means_an_empty_discard_and_a_short_row_an_empty_deck(
    edition, number
):
    for table, _, _ in random_play(edition, 2, number):
        position = table.position()
        if not position["deck"]:
            assert not position["discard"]
        if None in position["row"]:
            assert not position["deck"]


@pytest.mark.clause("COMMON-DECK-7", "COMMON-DECK-3", "COMMON-ROW-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_the_same_where_cards_run_out(edition):
    """Two players hoard every card, then pay now and then."""
    table = begun(edition, 2, 1, {"first_player": 0, "second_card": "may"})
    short = 0
    for turn in range(260):
        if table.phase == "finished":
            break
        seat, moves = table.active, table.moves(table.active)
        draws = [move for move in moves if move.startswith(("draw_row", "draw_deck"))]
        claims = [move for move in moves if move.startswith("claim")]
        if claims and (turn % 9 == 8 or not draws):
            table.play(seat, claims[turn % len(claims)])
        else:
            table.play(seat, (draws or moves)[turn % len(draws or moves)])
        while table.phase in ("after_first_card", "tunnel_pending", "ticket_choice"):
            table.play(seat, table.moves(seat)[0])
        position = table.position()
        short += None in position["row"]
        assert position["deck"] or not position["discard"]
        assert None not in position["row"] or not position["deck"]
    assert short


@pytest.mark.clause("COMMON-ROW-1", "COMMON-ROW-2")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("slot", range(5))
def test_a_card_taken_is_replaced_at_once_in_its_slot(edition, slot):
    table = Table.set(edition, 2, row="rugwk", deck_top="yo")
    events = table.play(0, f"draw_row {slot}")
    expected = cards("rugwk")
    expected[slot] = "yellow"
    assert table.phase == "after_first_card"
    assert table.position()["row"] == expected
    assert table.position()["deck"][0] == "orange"
    assert [event["type"] for event in events] == ["card_taken", "row_filled"]


@pytest.mark.clause("COMMON-ROW-1", "COMMON-ROW-2")
@pytest.mark.parametrize("edition", ALL)
def test_the_second_card_and_the_loco_are_replaced_too(edition):
    table = Table.set(edition, 2, row="rugwk", deck_top="yo")
    table.play(0, "draw_row 4")
    table.play(0, "draw_row 4")
    assert table.player(0)["hand"] == counts("ky")
    assert table.position()["row"] == cards("rugwo")
    table = Table.set(edition, 2, row="rugwL", deck_top="yo")
    table.play(0, "draw_row 4")
    assert table.position()["row"] == cards("rugwy")


@pytest.mark.clause("COMMON-ROW-3", "COMMON-DRAW-9")
@pytest.mark.scenario("S-039")
def test_the_row_may_run_empty():
    table = Table.set("usa", 2, deck="", discard="", spare=1, row="ru...")
    table.play(0, "draw_row 0")
    table.play(0, "draw_row 1")
    assert table.player(0)["hand"] == counts("ru")
    assert table.position()["row"] == [None] * 5
    assert table.active == 1
    assert table.refuses(1, "draw_deck", clause="COMMON-DRAW-2")
    for slot in range(5):
        assert table.refuses(1, f"draw_row {slot}", clause="COMMON-ROW-3", code="slot_empty")
    assert not [move for move in table.moves(1) if move.startswith(("draw_deck", "draw_row"))]


@pytest.mark.clause("COMMON-ROW-3")
@pytest.mark.parametrize("edition", ALL)
def test_a_slot_that_cannot_be_refilled_stays_empty_and_play_goes_on(edition):
    table = Table.set(edition, 2, deck="", discard="", spare=1, row="rugwk", final_turns_left=2)
    table.play(0, "draw_row 2")
    assert table.position()["row"] == ["red", "blue", None, "white", "black"]
    assert table.phase == "after_first_card"
    assert table.refuses(0, "draw_row 2", clause="COMMON-ROW-3")
    table.play(0, "draw_row 0")
    assert table.active == 1 and table.allows(1, "draw_row 4")


@pytest.mark.clause("COMMON-ROW-4")
def test_a_station_payment_fills_the_row_without_anyone_acting():
    table = Table.set("europe", 2, deck="", discard="", spare=1, row="ru..w", hands={0: "g"})
    table.play(0, "build_station wien 1green")
    assert table.position()["row"] == ["red", "blue", "green", None, "white"]


@pytest.mark.clause("CARD-ROUND2-9", "CARD-ROUND2-3", "CARD-ROUND2-4")
@pytest.mark.scenario("S-185")
def test_a_second_round_with_eighteen_cards_deals_sixteen_and_lays_two():
    table = Table.set(
        "card",
        4,
        hands={0: "p" * 10 + "w" * 9, 1: "u" * 10 + "y" * 10, 2: "o" * 10 + "k" * 10, 3: "r" * 10 + "g" * 9},
        deck="",
        row=".....",
        discard="",
        spare="discard",
        final_turns_left=1,
        turns=40,
        active=3,
    )
    assert sum(sum(player["hand"].values()) for player in table.position()["players"]) == 78
    events = table.play(3, "draw_tickets") + table.play(3, "keep_tickets -")
    dealt = [event["count"] for event in events if event["type"] == "cards_dealt"]
    assert dealt == [4, 4, 4, 4]
    position = table.position()
    assert (position["round"], position["phase"]) == (2, "action")
    assert [card is None for card in position["row"]] == [False, False, True, True, True]
    assert (position["deck"], position["final_turns_left"]) == ([], 4)
    for seat in range(4):
        assert table.active == seat
        table.play(seat, "draw_tickets")
        table.play(seat, "keep_tickets -")
    assert table.phase == "finished"
