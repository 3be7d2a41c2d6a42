"""The Card Game: one round or two, and how the second begins."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.kit.setting import cards, counts
from tests.kit.table import Table
from tests.oracle.naive_random import shuffled

ALL = [card for letter in "pwuyokrg" for card in cards(letter * 10)] + cards("L" * 16)


def idle(table: Table, seat: int) -> list[dict[str, Any]]:
    """A turn in which the seat draws tickets and keeps none."""
    return table.play(seat, "draw_tickets") + table.play(seat, "keep_tickets -")


def before_round_two(last: int = 2, **facts: Any) -> Table:
    """Four players, and only the last turn of the first round is left."""
    facts = {"row": ".....", "deck": "", "spare": "discard", "final_turns_left": 1, **facts}
    return Table.set("card", 4, active=last, **facts)


def hoarded(others: int) -> dict[str, Any]:
    """Hands of 96 - `others` cards in all; the others, white and black first, lie in the discard."""
    return {"discard": ("wk" * 10 + "up" * 10)[:others], "spare": 1}


def sizes(table: Table) -> list[int]:
    return [sum(player["hand"].values()) for player in table.position()["players"]]


def held(table: Table, seat: int) -> Counter[str]:
    return Counter(table.player(seat)["hand"])


@pytest.mark.clause("CARD-SETUP-5")
@pytest.mark.scenario("S-155")
@pytest.mark.parametrize("players", [2, 3])
def test_two_and_three_players_play_one_round(players):
    table = Table.set("card", players, row="rugwk", deck="y", spare="discard")
    table.play(0, "draw_deck")
    table.play(0, "draw_row 0")
    for seat in [*range(1, players), 0]:
        assert table.phase == "action"
        idle(table, seat)
    assert (table.phase, table.position()["ending"], table.position()["round"]) == ("finished", "normal", 1)
    assert all(table.moves(seat) == [] for seat in range(players))


@pytest.mark.clause("CARD-SETUP-5")
def test_four_players_play_two_rounds():
    table = before_round_two()
    events = idle(table, 2)
    assert "round_started" in [event["type"] for event in events]
    assert (table.phase, table.position()["round"]) == ("action", 2)
    end = before_round_two(round=2)
    idle(end, 2)
    assert end.phase == "finished"


@pytest.mark.clause("CARD-ROUND2-1")
def test_uncompleted_tickets_and_hands_are_kept_without_penalty_yet():
    hands = {0: "rrL", 1: "g"}
    tickets = {0: ["d02", "d46", "d44"], 1: ["d01"]}
    table = before_round_two(hands=hands, tickets=tickets, roads={0: "u"})
    idle(table, 2)
    assert table.player(0)["tickets"] == ["d46", "d44"] and table.player(0)["score"] == 5
    assert table.player(1)["tickets"] == ["d01"] and table.player(1)["score"] == 0
    assert held(table, 0) >= Counter(cards("rrL")) and held(table, 1) >= Counter(cards("g"))
    assert sizes(table) == [7, 5, 4, 4]


@pytest.mark.clause("CARD-ROUND2-2", "CARD-ROUND2-7")
def test_all_cards_not_in_hand_make_the_new_deck():
    """Road piles spent and unspent, yards, discards and the rest of the row."""
    table = before_round_two(
        row="LL.ry",
        hands={0: "rrrrr", 3: "LLLL"},
        roads={0: "uuu", 1: "ggL", 2: "y"},
        yards={1: {"black": (3, 2)}, 3: {"purple": (1, 0)}},
        tickets={0: ["d02"]},
    )
    idle(table, 2)
    position = table.position()
    assert position["discard"] == {}
    for player in position["players"]:
        assert (player["road"], player["yard"]) == ({}, [])
    total: Counter[str] = Counter(position["deck"]) + Counter(position["row"])
    for player in position["players"]:
        total += Counter(player["hand"])
    assert total == Counter(ALL)
    assert sizes(table) == [9, 4, 4, 8]
    assert len(position["deck"]) == 96 - 9 - 16 - 5


@pytest.mark.clause("CARD-ROUND2-2", "CARD-ROUND2-3", "CARD-ROUND2-4")
@pytest.mark.parametrize("last", [0, 1, 2, 3])
def test_four_cards_each_are_dealt_seat_by_seat_from_seat_0_then_five_are_turned_up(last):
    """The shuffle is that of docs/engine.md; whoever resumes, seat 0 gets the top four cards."""
    hands = {0: "rrL", 1: "gggg", 2: "L", 3: "pw"}
    table = before_round_two(last, hands=hands, roads={0: "uuu", 3: "kL"}, row="y.o.L")
    before = table.position()
    idle(table, last)
    left = Counter(ALL) - Counter(cards("".join(hands.values())))
    deck = shuffled(before, [card for card in dict.fromkeys(ALL) for _ in range(left[card])])[::-1]
    for seat in range(4):
        dealt = held(table, seat) - Counter(cards(hands[seat]))
        assert dealt == Counter(deck[4 * seat : 4 * seat + 4])
    assert table.position()["row"] == deck[16:21]
    assert table.position()["deck"] == deck[21:]


@pytest.mark.clause("CARD-ROUND2-3")
def test_no_loco_is_given_out():
    """All locos are in the hand of seat 1, so the others get none."""
    table = before_round_two(hands={1: "L" * 16})
    idle(table, 2)
    for seat in (0, 2, 3):
        assert held(table, seat)["loco"] == 0
    assert sizes(table) == [4, 20, 4, 4]


@pytest.mark.clause("CARD-ROUND2-4")
def test_five_cards_lie_face_up_in_the_second_round():
    table = before_round_two()
    idle(table, 2)
    assert None not in table.position()["row"]
    assert len(table.position()["deck"]) == 96 - 16 - 5


@pytest.mark.clause("CARD-ROUND2-5")
@pytest.mark.scenario("S-158")
def test_the_ticket_pile_is_left_as_it_is_and_others_see_only_what_was_completed():
    table = before_round_two(tickets={0: ["d02", "d46", "d44"]}, roads={0: "u"})
    pile = table.position()["pile"]
    events = idle(table, 2)
    assert table.position()["pile"] == pile[4:] + pile[:4]  # of the last turn
    assert not [e for e in events[1:] if e["type"] == "tickets_offered"]
    assert all(player["offer"] == [] for player in table.position()["players"])
    for seat in (1, 3, None):
        seen = table.view(seat)["players"][0]
        assert (seen["completed_tickets"], seen["score"], seen["ticket_count"]) == (["d02"], 5, 2)
        assert "d46" not in table.view_text(seat) and "d44" not in table.view_text(seat)
        assert table.view(seat)["ticket_pile_size"] == len(pile)


@pytest.mark.clause("CARD-ROUND2-6", "CARD-ROUND2-7")
@pytest.mark.scenario("S-152")
def test_the_left_neighbour_of_the_last_player_resumes():
    yards = {0: {"red": (3, 1)}, 3: {"blue": (5, 0)}}
    table = Table.set(
        "card", 4, row="rugwk", deck="y", spare="discard", active=2, yards=yards, roads={1: "pp"}
    )
    table.play(2, "draw_deck")
    table.play(2, "draw_row 0")
    for seat in (3, 0, 1, 2):
        assert (table.active, table.position()["round"]) == (seat, 1)
        idle(table, seat)
    assert (table.active, table.position()["round"], table.phase) == (3, 2, "action")
    assert table.position()["final_turns_left"] is None
    for player in table.position()["players"]:
        assert (player["yard"], player["road"]) == ([], {})


@pytest.mark.clause("CARD-ROUND2-6")
@pytest.mark.parametrize("last", [0, 1, 2, 3])
def test_whoever_played_last_the_next_seat_resumes(last):
    table = before_round_two(last)
    idle(table, last)
    assert table.active == (last + 1) % 4


@pytest.mark.clause("CARD-ROUND2-8", "CARD-ROUND2-9")
@pytest.mark.scenario("S-153")
def test_eight_cards_are_dealt_one_by_one_twice_round_and_the_last_turns_start():
    table = before_round_two(**hoarded(8))
    before = sizes(table)
    assert sum(before) == 88
    idle(table, 2)
    assert [now - then for now, then in zip(sizes(table), before, strict=True)] == [2, 2, 2, 2]
    position = table.position()
    assert (position["row"], position["deck"]) == ([None] * 5, [])
    assert (position["final_turns_left"], table.active) == (4, 3)
    for seat in (3, 0, 1, 2):
        assert (table.active, table.phase) == (seat, "action")
        events = idle(table, seat)
    assert table.phase == "finished"
    assert [e["type"] for e in events].count("pile_fulfilled") == 4


@pytest.mark.clause("CARD-ROUND2-8")
@pytest.mark.parametrize("others", [1, 3, 10, 15])
@pytest.mark.parametrize("last", [0, 2])
def test_a_short_deck_is_dealt_one_at_a_time_from_the_resuming_player(others, last):
    table = before_round_two(last, **hoarded(others))
    position, hands = table.position(), [held(table, seat) for seat in range(4)]
    idle(table, last)
    lying = [card for card in dict.fromkeys(ALL) for _ in range(position["discard"].get(card, 0))]
    deck = shuffled(position, lying)[::-1]
    for seat in range(4):
        turn = (seat - last - 1) % 4
        assert held(table, seat) - hands[seat] == Counter(deck[turn::4])
    assert table.position()["row"] == [None] * 5 and table.position()["deck"] == []
    assert table.position()["final_turns_left"] == 4


@pytest.mark.clause("CARD-ROUND2-9")
@pytest.mark.scenario("S-185")
def test_eighteen_cards_leave_two_face_up_and_one_turn_each():
    table = before_round_two(**hoarded(18))
    before = sizes(table)
    idle(table, 2)
    assert [now - then for now, then in zip(sizes(table), before, strict=True)] == [4, 4, 4, 4]
    position = table.position()
    assert [card is None for card in position["row"]] == [False, False, True, True, True]
    assert (position["deck"], position["final_turns_left"]) == ([], 4)
    for seat in (3, 0, 1, 2):
        assert table.active == seat
        idle(table, seat)
    assert table.phase == "finished"


@pytest.mark.clause("CARD-ROUND2-9")
@pytest.mark.parametrize(("others", "last_turns"), [(16, 4), (20, 4), (21, 4), (22, None), (23, None)])
def test_the_last_turns_start_at_once_only_if_the_deck_is_empty(others, last_turns):
    table = before_round_two(**hoarded(others))
    idle(table, 2)
    assert len(table.position()["deck"]) == max(0, others - 21)
    assert table.position()["final_turns_left"] == last_turns


@pytest.mark.clause("CARD-ROUND2-9")
def test_with_nothing_left_to_deal_the_last_turns_start_too():
    table = before_round_two(**hoarded(0))
    idle(table, 2)
    assert (sum(sizes(table)), table.position()["final_turns_left"]) == (96, 4)


@pytest.mark.clause("CARD-ROUND2-10", "CARD-SCORE-2")
@pytest.mark.scenario("S-154")
def test_points_of_both_rounds_are_added_up():
    """Seat 0 completes d42 (20) with its first pile, then places the cards of d33 (15) it has kept in hand.

    d04 (6) stays uncompleted. Seat 1 has more tickets with Los Angeles and Chicago, so Miami (8) is the only bonus.
    """
    table = before_round_two(
        3,
        row="r....",
        hands={0: "wyo"},
        roads={0: "wrpo", 1: "wyp" + "wro" + "kyp" + "yu"},
        tickets={0: ["d42", "d33", "d04"], 1: ["d31", "d30", "d28", "d05"]},
        discard="kkkkgggg",
        spare=2,
    )
    table.play(3, "draw_row 0")
    assert (table.player(0)["completed"], table.player(0)["score"]) == (["d42"], 20)
    assert len(table.player(1)["completed"]) == 4
    assert (table.active, len(table.position()["deck"])) == (0, 2)
    table.play(0, "play_three white,yellow,orange")
    table.play(1, "draw_deck")
    table.play(1, "draw_deck")
    assert table.position()["final_turns_left"] == 4
    for seat in (2, 3, 0, 1):
        assert table.active == seat
        idle(table, seat)
    assert table.phase == "finished"
    assert (table.player(0)["completed"], table.player(0)["score"]) == (["d42", "d33"], 35)
    seat = table.score()["seats"][0]
    assert seat["city_bonuses"] == [{"city": "miami", "points": 8}]
    assert seat["total"] == 20 + 15 - 6 + 8 == 37


@pytest.mark.clause("CARD-ROUND2-10")
def test_the_second_deck_used_up_starts_the_last_turns_again():
    table = Table.set("card", 4, round=2, row="rugwk", deck="y", spare="discard", active=1)
    table.play(1, "draw_deck")
    table.play(1, "draw_row 0")
    assert table.position()["final_turns_left"] == 4
    for seat in (2, 3, 0, 1):
        assert table.active == seat
        idle(table, seat)
    assert (table.phase, table.position()["ending"]) == ("finished", "normal")


@pytest.mark.clause("CARD-ROUND2-10")
def test_in_the_second_round_nothing_is_reshuffled_and_no_loco_row_is_flushed():
    table = Table.set("card", 4, round=2, row="LLrgw", deck="Lk", spare="discard")
    table.play(0, "draw_row 2")
    assert table.position()["row"][2] == "loco"
    table.play(0, "draw_deck")
    assert table.position()["deck"] == [] and table.position()["discard"] != {}
    assert table.position()["row"] == cards("LLLgw")
    assert table.player(0)["hand"] == counts("rk")
