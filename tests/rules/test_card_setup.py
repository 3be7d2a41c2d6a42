"""The Card Game: the deal, and drawing train cards and tickets."""

from __future__ import annotations

from collections import Counter

import pytest

import turntable_rules as rules_engine
from tests.kit.setting import counts
from tests.kit.table import Table

SIZES = [2, 3, 4]


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def new_table(players: int, number: int = 1) -> Table:
    return Table.new("card", players, seed(number), {"first_player": 0})


def keep(tickets: list[str]) -> str:
    return "keep_tickets " + (",".join(tickets) or "-")


def kinds(moves: list[str]) -> set[str]:
    return {move.split(" ")[0] for move in moves}


@pytest.mark.clause("CARD-SETUP-1")
@pytest.mark.parametrize("players", SIZES)
def test_there_are_96_cards_ten_of_each_colour_and_16_locos(players):
    position = new_table(players).position()
    everywhere: Counter[str] = Counter(position["deck"]) + Counter(position["row"])
    for player in position["players"]:
        everywhere += Counter(player["hand"])
    expected = dict.fromkeys("purple white blue yellow orange black red green".split(), 10) | {"loco": 16}
    assert everywhere == expected
    assert everywhere.total() == 96


@pytest.mark.clause("CARD-SETUP-1", "CARD-SETUP-2", "CARD-SETUP-3", "CARD-SETUP-4")
@pytest.mark.scenario("S-009")
def test_four_players_are_dealt_eight_cards_and_six_tickets_each():
    table = new_table(4)
    position = table.position()
    for player in position["players"]:
        assert sum(player["hand"].values()) == 8 and player["hand"]["loco"] >= 1
        assert len(player["offer"]) == 6
    assert len(position["deck"]) == 59
    assert len(position["row"]) == 5 and None not in position["row"]
    assert len(position["pile"]) == 22


@pytest.mark.clause("CARD-SETUP-2")
@pytest.mark.parametrize("players", SIZES)
def test_everybody_gets_a_loco_first_and_seven_cards_of_the_shuffled_rest(players):
    """The seven hold locos as often as (16 - n) of (96 - n) cards: within four standard deviations."""
    games = 150
    extra = 0
    for number in range(games):
        for player in new_table(players, number).position()["players"]:
            assert sum(player["hand"].values()) == 8 and player["hand"]["loco"] >= 1
            extra += player["hand"]["loco"] - 1
    dealt = games * players * 7
    share = (16 - players) / (96 - players)
    assert abs(extra - dealt * share) < 4 * (dealt * share * (1 - share)) ** 0.5


@pytest.mark.clause("CARD-SETUP-3")
@pytest.mark.parametrize("players", SIZES)
def test_five_cards_lie_face_up_and_all_see_them(players):
    table = new_table(players)
    assert len(table.position()["deck"]) == 91 - 8 * players
    for seat in (0, 1, None):
        row = table.view(seat)["row"]
        assert len(row) == 5 and None not in row


@pytest.mark.clause("CARD-SETUP-3", "CARD-CITY-1")
def test_six_big_city_cards_are_known_to_all():
    """The names are in the rules; the values are card data."""
    cities = rules_engine.builtin_cards().big_cities
    expected = {"Seattle", "Los Angeles", "Chicago", "Dallas", "New York", "Miami"}
    assert {city.name for city in cities} == expected and len(cities) == 6
    assert all(city.bonus > 0 for city in cities)


@pytest.mark.clause("CARD-SETUP-4")
@pytest.mark.parametrize("players", SIZES)
def test_at_least_one_of_six_tickets_is_kept(players):
    table = new_table(players)
    assert len(rules_engine.builtin_cards().destinations) == 46
    assert len(table.position()["pile"]) == 46 - 6 * players
    for seat in range(players):
        offer = table.player(seat)["offer"]
        assert len(offer) == 6
        assert len(table.moves(seat)) == 2**6 - 1
        assert table.refuses(seat, "keep_tickets -", clause="COMMON-TICKET-2")
        assert table.allows(seat, keep(offer[3:4]))


@pytest.mark.clause("CARD-SETUP-4")
@pytest.mark.scenario("S-010")
def test_rejected_tickets_are_shuffled_back_into_the_pile():
    """Over many games each reject is equally likely at each of the 27 places: chi-squared over three thirds."""
    thirds = [0, 0, 0]
    for number in range(80):
        table = new_table(4, number)
        offer = table.player(0)["offer"]
        before = table.position()["pile"]
        table.play(0, keep(offer[:1]))
        for seat in (1, 2, 3):
            table.play(seat, keep(table.player(seat)["offer"]))
        pile = table.position()["pile"]
        assert sorted(pile) == sorted(before + offer[1:]) and len(pile) == 27
        for ticket in offer[1:]:
            thirds[pile.index(ticket) // 9] += 1
    expected = 80 * 5 / 3
    assert sum((count - expected) ** 2 / expected for count in thirds) < 13.8  # one in a thousand


@pytest.mark.clause("CARD-TURN-1", "CARD-TURN-2")
def test_step_two_offers_cards_trains_and_tickets():
    table = Table.set("card", 2, hands={0: "rrgwL"})
    expected = {"draw_deck", "draw_row", "draw_tickets", "play_same", "play_three"}
    assert kinds(table.moves(0)) == expected
    assert table.refuses(0, "pass", clause="COMMON-PASS-1")


@pytest.mark.clause("CARD-TURN-2")
@pytest.mark.parametrize(
    "moves",
    [
        ["draw_deck", "draw_deck"],
        ["draw_row 0", "draw_row 1"],
        ["play_same red 2+0"],
        ["play_three white,red,green"],
        ["draw_tickets", "keep_tickets -"],
    ],
)
def test_exactly_one_action_is_done(moves):
    table = Table.set("card", 2, hands={0: "rrgwL"}, row="uuuuu")
    for number, move in enumerate(moves):
        assert table.active == 0
        table.play(0, move)
        if number == 0 and len(moves) == 2:
            assert not kinds(table.moves(0)) & {"play_same", "play_three", "pass"}
    assert (table.active, table.phase) == (1, "action")


@pytest.mark.clause("CARD-DRAW-1")
@pytest.mark.scenario("S-157")
def test_a_face_up_loco_ends_the_turn_and_a_blind_one_does_not():
    table = Table.set("card", 2, row="Lruuu", deck_top="Lg")
    blind = table.copy()
    table.play(0, "draw_row 0")
    assert (table.active, table.player(0)["hand"]) == (1, {"loco": 1})
    blind.play(0, "draw_deck")
    assert (blind.active, blind.player(0)["hand"]) == (0, {"loco": 1})
    assert blind.phase == "after_first_card"
    assert blind.refuses(0, "draw_row 0", clause="COMMON-DRAW-4")
    assert blind.refuses(0, "stop_drawing", clause="COMMON-DRAW-6")
    blind.play(0, "draw_row 1")
    assert (blind.active, blind.player(0)["hand"]) == (1, counts("Lr"))


@pytest.mark.clause("CARD-DRAW-2")
@pytest.mark.parametrize(("row", "top"), [("LLrru", "L"), ("LLLru", "L"), ("LLLLr", "L")])
def test_three_or_more_face_up_locos_are_not_flushed(row, top):
    table = Table.set("card", 2, row=row, deck_top=top)
    slot = row.index("r")
    events = table.play(0, f"draw_row {slot}")
    assert not [event for event in events if event["type"] == "row_flushed"]
    expected = ["loco" if letter == "L" else {"r": "red", "u": "blue"}[letter] for letter in row]
    expected[slot] = "loco"
    assert table.position()["row"] == expected
    assert table.position()["discard"] == {}


@pytest.mark.clause("CARD-DRAW-2")
def test_no_flush_at_setup_either():
    """Among many deals some show three locos at once; they stand."""
    rows = [new_table(2, number).position() for number in range(400)]
    assert all(sum(Counter(p["row"]).values()) == 5 and len(p["deck"]) == 75 for p in rows)
    assert any(p["row"].count("loco") >= 3 for p in rows)


@pytest.mark.clause("CARD-DRAW-3", "CARD-DRAW-4")
def test_an_empty_deck_is_not_renewed_and_the_row_not_refilled():
    table = Table.set("card", 2, row="rugwk", deck="y", discard="rrrrr", spare=1)
    table.play(0, "draw_deck")
    assert table.position()["deck"] == [] and table.position()["discard"] == counts("rrrrr")
    table.play(0, "draw_row 1")
    assert table.position()["row"] == ["red", None, "green", "white", "black"]
    assert table.position()["discard"] == counts("rrrrr")
    table.play(1, "draw_row 0")
    assert table.refuses(1, "draw_deck", clause="COMMON-DRAW-2")
    table.play(1, "draw_row 4")
    assert table.position()["row"] == [None, None, "green", "white", None]
    assert table.position()["deck"] == []


@pytest.mark.clause("CARD-DRAW-5", "CARD-DRAW-6")
@pytest.mark.scenario("S-141")
def test_the_last_face_up_card_is_a_whole_action_and_then_only_trains_and_tickets_remain():
    facts = {"row": "r....", "deck": "", "spare": "discard", "final_turns_left": 2}
    table = Table.set("card", 2, hands={1: "gg"}, **facts)
    table.play(0, "draw_row 0")
    assert (table.active, table.player(0)["hand"]) == (1, counts("r"))
    assert kinds(table.moves(1)) == {"draw_tickets", "play_same"}
    for move in ("draw_deck", "draw_row 0"):
        assert table.refuses(1, move)


@pytest.mark.clause("CARD-DRAW-5")
@pytest.mark.parametrize("row", ["L....", "..L..", "Lr...", "LLLr."])
def test_one_card_that_can_be_taken_is_enough(row):
    """A loco counts as two, yet may be the only one; after a wagon card only locos are left."""
    facts = {"row": row, "deck": "", "spare": "discard", "final_turns_left": 2}
    table = Table.set("card", 2, **facts)
    slot = row.index("r") if "r" in row else row.index("L")
    table.play(0, f"draw_row {slot}")
    assert (table.active, table.phase) == (1, "action")
    assert sum(table.player(0)["hand"].values()) == 1


@pytest.mark.clause("CARD-DRAW-6")
def test_with_nothing_at_all_to_do_a_player_passes():
    facts = {"row": ".....", "deck": "", "spare": "discard", "final_turns_left": 2}
    table = Table.set("card", 2, hands={0: "r"}, pile=[], out_rest=True, **facts)
    assert table.moves(0) == ["pass"]
    table.play(0, "pass")
    assert table.active == 1


@pytest.mark.clause("CARD-TICKET-1", "CARD-TICKET-2")
@pytest.mark.scenario("S-019")
def test_four_tickets_are_drawn_and_none_need_be_kept():
    table = Table.set("card", 2)
    pile = table.position()["pile"]
    table.play(0, "draw_tickets")
    assert table.player(0)["offer"] == pile[:4]
    assert len(table.moves(0)) == 16
    table.play(0, "keep_tickets -")
    assert table.position()["pile"] == pile[4:] + pile[:4]
    assert (table.player(0)["tickets"], table.active) == ([], 1)


@pytest.mark.clause("CARD-TICKET-1", "CARD-TICKET-2")
@pytest.mark.parametrize("kept", [1, 2, 3, 4])
def test_any_number_may_be_kept(kept):
    table = Table.set("card", 2)
    pile = table.position()["pile"]
    table.play(0, "draw_tickets")
    table.play(0, keep(pile[4 - kept : 4]))
    assert table.player(0)["tickets"] == pile[4 - kept : 4]
    assert table.position()["pile"] == pile[4:] + pile[: 4 - kept]


@pytest.mark.clause("CARD-TICKET-1")
@pytest.mark.parametrize("left", [1, 2, 3])
def test_a_short_pile_offers_what_is_left(left):
    pile = ["d10", "d20", "d30"][:left]
    table = Table.set("card", 2, pile=pile, out_rest=True)
    table.play(0, "draw_tickets")
    assert table.player(0)["offer"] == pile
    table.play(0, "keep_tickets -")
    assert table.position()["pile"] == pile
