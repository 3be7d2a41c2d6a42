"""Europe: tunnels when the deck runs short, and what may and may not be reshuffled."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.kit.setting import cards, counts
from tests.kit.table import Table

GRAY = "barcelona_pamplona"  # a gray tunnel of 2
SEEDS = [bytes([number]) * 32 for number in range(8)]


def scarce(hand: str, deck: str, discard: str, seed: bytes = SEEDS[0], **facts) -> Table:
    """A table with exactly this deck and discard; all other cards are in the hand of seat 1."""
    facts = {"row": "yyooo", "spare": 1, **facts}
    return Table.set("europe", 2, hands={0: hand}, deck=deck, discard=discard, seed=seed, **facts)


def all_of(table: Table) -> Counter[str]:
    """Deck and discard together."""
    position = table.position()
    return Counter(position["deck"]) + Counter(position["discard"])


@pytest.mark.clause("EUR-TUNNEL-15", "EUR-TUNNEL-17")
@pytest.mark.scenario("S-080")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_short_deck_is_renewed_from_the_discard_during_the_reveal(seed):
    table = scarce("ggr", "gk", "uuuwwwppp", seed)
    events = table.play(0, f"claim {GRAY} 2green")
    assert [event["type"] for event in events] == ["deck_reshuffled", "tunnel_revealed"]
    assert events[0]["count"] == 9
    position = table.position()
    revealed = position["tunnel"]["revealed"]
    assert revealed[:2] == ["green", "black"] and len(revealed) == 3
    assert len(position["deck"]) == 8 and position["discard"] == {}
    assert Counter(position["deck"] + revealed[2:]) == Counter(cards("uuuwwwppp"))
    assert position["tunnel"]["payment"] == {"colour": "green", "wagons": 2, "locos": 0}


@pytest.mark.clause("EUR-TUNNEL-15")
@pytest.mark.parametrize(
    ("deck", "discard", "revealed"),
    [("g", "", 1), ("gk", "", 2), ("g", "k", 2), ("g", "ku", 3), ("g", "kuw", 3)],
)
def test_only_the_cards_that_exist_are_revealed(deck, discard, revealed):
    table = scarce("ggg", deck, discard)
    table.play(0, f"claim {GRAY} 2green")
    tunnel = table.position()["tunnel"]
    assert len(tunnel["revealed"]) == revealed
    assert tunnel["due"] == 1  # for the green card on top
    left = len(deck + discard) - revealed
    assert len(table.position()["deck"]) == left


@pytest.mark.clause("EUR-TUNNEL-15", "EUR-TUNNEL-17")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_deck_emptied_by_the_third_card_is_renewed_without_the_revealed_cards(seed):
    table = scarce("gggg", "gLk", "uuuwww", seed)
    table.play(0, f"claim {GRAY} 2green")
    position = table.position()
    assert position["tunnel"]["revealed"] == ["green", "loco", "black"]
    assert Counter(position["deck"]) == Counter(cards("uuuwww"))
    assert position["discard"] == {}


@pytest.mark.clause("EUR-TUNNEL-16")
@pytest.mark.scenario("S-082")
def test_with_nothing_to_reveal_the_tunnel_costs_the_base_payment():
    table = scarce("ggr", "", "")
    events = table.play(0, f"claim {GRAY} 2green")
    assert events[0]["revealed"] == [] and events[0]["due"] == 0
    assert table.position()["routes"] == {GRAY: 0}
    assert table.player(0)["hand"] == counts("r")
    assert (table.player(0)["score"], table.active) == (2, 1)
    assert all_of(table) == Counter(cards("gg"))


@pytest.mark.clause("EUR-TUNNEL-17")
def test_the_base_cards_are_not_reshuffled_to_be_revealed():
    """Deck of one, empty discard: the two green cards just laid down stay where they are."""
    table = scarce("gggg", "g", "")
    table.play(0, f"claim {GRAY} 2green")
    position = table.position()
    assert position["tunnel"]["revealed"] == ["green"]
    assert position["deck"] == [] and position["discard"] == {}


@pytest.mark.clause("EUR-TUNNEL-14", "EUR-TUNNEL-17")
def test_after_the_attempt_all_its_cards_make_the_new_deck():
    table = scarce("gggg", "g", "")
    table.play(0, f"claim {GRAY} 2green")
    table.play(0, "tunnel_pay 1green")
    assert table.position()["routes"] == {GRAY: 0}
    assert Counter(table.position()["deck"]) == Counter(cards("gggg"))
    assert table.position()["discard"] == {}


@pytest.mark.clause("EUR-TUNNEL-13", "EUR-TUNNEL-14")
def test_abandoning_on_an_empty_deck_leaves_only_the_revealed_cards_as_the_new_deck():
    table = scarce("gggg", "gk", "")
    table.play(0, f"claim {GRAY} 2green")
    table.play(0, "tunnel_abandon")
    assert table.player(0)["hand"] == counts("gggg")
    assert Counter(table.position()["deck"]) == Counter(cards("gk"))


@pytest.mark.clause("EUR-TUNNEL-14")
def test_revealed_cards_fill_a_short_row_only_by_way_of_the_discard():
    """An empty row slot waits for the end of the attempt, then takes a card of the reshuffled deck."""
    table = scarce("gggg", "g", "", row="yyooo")
    table.play(0, f"claim {GRAY} 2green")
    assert table.position()["row"] == cards("yyooo")
    empty = scarce("gggg", "", "", row="yyo..")
    events = empty.play(0, f"claim {GRAY} 2green")
    kinds = [event["type"] for event in events]
    order = ["tunnel_revealed", "route_claimed", "deck_reshuffled", "row_filled", "row_filled"]
    assert kinds[:5] == order
    assert empty.position()["row"] == cards("yyogg")


@pytest.mark.clause("EUR-TUNNEL-6", "EUR-TUNNEL-15")
def test_an_all_loco_base_is_checked_against_a_short_reveal():
    table = scarce("LLL", "gL", "")
    table.play(0, f"claim {GRAY} 2loco")
    assert table.position()["tunnel"]["revealed"] == ["green", "loco"]
    assert table.position()["tunnel"]["due"] == 1
    assert sorted(table.moves(0)) == ["tunnel_abandon", "tunnel_pay 1loco"]


@pytest.mark.clause("EUR-TUNNEL-15")
def test_the_renewed_deck_is_shuffled():
    """Over many seeds each card of the discard comes up third at times."""
    seen = set()
    for number in range(40):
        table = scarce("ggr", "gk", "uwpr", bytes([number]) * 32)
        table.play(0, f"claim {GRAY} 2green")
        seen.add(table.position()["tunnel"]["revealed"][2])
    assert seen == set(cards("uwpr"))


@pytest.mark.clause("COMMON-END-8")
@pytest.mark.scenario("S-119")
def test_a_game_of_failed_tunnels_ends_after_max_turns():
    """The deck is three locos for ever: they are revealed, discarded and reshuffled each turn."""
    facts = {"hands": {0: "rr"}, "deck": "LLL", "spare": 1, "row": "yyooo", "turns": 0}
    table = Table.set("europe", 2, options={"max_turns": 50}, **facts)
    for turn in range(50):
        assert (table.phase, table.active) == ("turn_start", turn % 2)
        table.play(turn % 2, f"claim {GRAY} 2red")
        assert table.position()["tunnel"]["due"] == 3
        table.play(turn % 2, "tunnel_abandon")
    assert (table.phase, table.position()["turns"]) == ("finished", 50)
    assert table.position()["ending"] == "max_turns"
    assert table.moves(0) == table.moves(1) == []
