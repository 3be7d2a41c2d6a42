"""Europe: attempting a tunnel, the extra cards it costs, and giving up."""

from __future__ import annotations

import pytest

from tests.kit.setting import counts
from tests.kit.table import Table

GRAY = "barcelona_pamplona"  # a gray tunnel of 2
BLACK = "madrid_pamplona_1"  # a black tunnel of 3

# 41 wagons, so that 4 are left.
NEARLY_ALL = {
    "petrograd_stockholm": 0,
    "palermo_smyrna": 0,
    "budapest_kyiv": 0,
    "moskva_petrograd": 0,
    "petrograd_riga": 0,
    "kharkov_moskva": 0,
    "kharkov_kyiv": 0,
    "kyiv_warszawa": 0,
    "amsterdam_bruxelles": 0,
}


def attempt(hand: str, revealed: str, payment: str, route: str = GRAY, **facts) -> Table:
    """A table where seat 0 has just attempted a tunnel and these cards were on top of the deck."""
    table = Table.set("europe", 2, hands={0: hand}, deck_top=revealed, row="yyooo", **facts)
    table.play(0, f"claim {route} {payment}")
    return table


def extras(table: Table) -> set[str]:
    return {move.split(" ")[1] for move in table.moves(table.active) if move.startswith("tunnel_pay")}


def due(table: Table) -> int:
    return table.position()["tunnel"]["due"]


@pytest.mark.clause("EUR-TUNNEL-1", "EUR-TUNNEL-2")
@pytest.mark.scenario("S-178")
def test_an_incomplete_base_payment_reveals_nothing_and_a_complete_one_three_cards():
    table = Table.set("europe", 2, hands={0: "kkkL"}, deck_top="rug", row="yyooo")
    deck = table.position()["deck"]
    assert table.refuses(0, f"claim {BLACK} 2black", clause="COMMON-CLAIM-1")
    assert table.refuses(0, f"claim {BLACK} 1black+2loco", code="cards_not_held")
    assert table.refuses(0, f"claim {BLACK} 3white", clause="COMMON-CLAIM-3")
    assert table.position()["deck"] == deck
    events = table.play(0, f"claim {BLACK} 3black")
    revealed = next(event for event in events if event["type"] == "tunnel_revealed")
    assert revealed["revealed"] == ["red", "blue", "green"]
    assert table.position()["deck"] == deck[3:]


@pytest.mark.clause("EUR-TUNNEL-1")
def test_the_base_payment_leaves_the_hand_before_the_reveal():
    table = attempt("rrrg", "ruw", "2red")
    assert table.player(0)["hand"] == counts("rg")
    assert table.position()["tunnel"]["payment"] == {"colour": "red", "wagons": 2, "locos": 0}


@pytest.mark.clause("EUR-TUNNEL-1")
def test_a_tunnel_longer_than_the_reserve_cannot_be_attempted():
    table = Table.set("europe", 2, hands={0: "r" * 6}, routes=NEARLY_ALL | {"budapest_wien_1": 0})
    assert table.player(0)["wagons"] == 3
    assert table.refuses(0, "claim marseille_roma 4red", clause="COMMON-CLAIM-6")


@pytest.mark.clause("EUR-TUNNEL-2")
def test_the_revealed_cards_are_the_top_three_and_face_up_for_all():
    table = attempt("rrr", "rkw", "2red")
    for seat in (0, 1, None):
        assert table.view(seat)["tunnel"]["revealed"] == ["red", "black", "white"]
    public = Table.set("europe", 2, hands={0: "rrr"}, deck_top="rkw", row="yyooo")
    events = [event.public for event in public.play_events(0, f"claim {GRAY} 2red")]
    assert ["red", "black", "white"] in [event.get("revealed") for event in events]


@pytest.mark.clause("EUR-TUNNEL-2", "EUR-TUNNEL-3", "EUR-TUNNEL-7", "EUR-TUNNEL-10")
@pytest.mark.scenario("S-072")
def test_first_example_one_red_card_revealed_after_two_reds():
    table = attempt("rrrLg", "ruw", "2red")
    assert due(table) == 1
    assert extras(table) == {"1red", "1loco"}
    assert table.refuses(0, "tunnel_pay 1green", clause="EUR-TUNNEL-7")
    for extra in ("1red", "1loco"):
        paid = table.copy()
        paid.play(0, f"tunnel_pay {extra}")
        assert paid.position()["routes"] == {GRAY: 0}
        assert (paid.player(0)["score"], paid.player(0)["wagons"], paid.active) == (2, 43, 1)
        assert sum(paid.player(0)["hand"].values()) == 2


@pytest.mark.clause("EUR-TUNNEL-4", "EUR-TUNNEL-7")
@pytest.mark.scenario("S-073")
def test_second_example_a_loco_revealed_after_two_greens():
    table = attempt("gggL", "Lkr", "2green")
    assert due(table) == 1
    assert extras(table) == {"1green", "1loco"}
    table.play(0, "tunnel_pay 1green")
    assert table.position()["routes"] == {GRAY: 0}
    assert table.player(0)["hand"] == counts("L")


@pytest.mark.clause("EUR-TUNNEL-6", "EUR-TUNNEL-8")
@pytest.mark.scenario("S-074")
def test_third_example_after_two_locos_only_locos_cost_and_only_locos_pay():
    table = attempt("LLLrrgg", "rgL", "2loco")
    assert due(table) == 1
    assert extras(table) == {"1loco"}
    for extra in ("1red", "1green"):
        assert table.refuses(0, f"tunnel_pay {extra}", clause="EUR-TUNNEL-8")


@pytest.mark.clause("EUR-TUNNEL-6", "EUR-TUNNEL-9")
@pytest.mark.scenario("S-074")
def test_third_example_without_a_loco_revealed_the_tunnel_is_claimed_at_once():
    table = attempt("LLLrrgg", "rgu", "2loco")
    assert table.position()["routes"] == {GRAY: 0}
    assert (table.active, table.phase) == (1, "turn_start")


@pytest.mark.clause("EUR-TUNNEL-3", "EUR-TUNNEL-4", "EUR-TUNNEL-5", "EUR-TUNNEL-7")
@pytest.mark.scenario("S-075")
def test_locos_in_the_base_stand_for_its_colour():
    table = attempt("rrrLLLg", "rLu", "1red+1loco")
    assert due(table) == 2
    assert extras(table) == {"2red", "1red+1loco", "2loco"}
    assert table.refuses(0, "tunnel_pay 1red+1green", clause="COMMON-CLAIM-2")


@pytest.mark.clause("EUR-TUNNEL-3", "EUR-TUNNEL-5")
@pytest.mark.parametrize(
    ("route", "hand", "payment", "revealed", "extra"),
    [
        (BLACK, "kkkk", "3black", "kkk", 3),
        (BLACK, "kLLL", "1black+2loco", "kwk", 2),
        (BLACK, "kkkk", "3black", "wwr", 0),
        ("madrid_pamplona_2", "wwww", "3white", "kkw", 1),
        (GRAY, "pppp", "2purple", "ppL", 3),
        (GRAY, "pprr", "2purple", "rrg", 0),
    ],
)
def test_each_revealed_card_of_the_colour_used_costs_one_card(route, hand, payment, revealed, extra):
    table = attempt(hand, revealed, payment, route)
    if extra:
        assert (table.phase, due(table)) == ("tunnel_pending", extra)
    else:
        assert table.position()["routes"] == {route: 0}


@pytest.mark.clause("EUR-TUNNEL-4")
@pytest.mark.parametrize(("revealed", "extra"), [("Lgu", 1), ("LgL", 2), ("LLL", 3)])
def test_each_revealed_loco_costs_one_card(revealed, extra):
    assert due(attempt("rrr", revealed, "2red")) == extra


@pytest.mark.clause("EUR-TUNNEL-6")
@pytest.mark.scenario("S-076")
def test_three_locos_on_a_black_tunnel_owe_nothing_to_black_cards():
    table = attempt("LLL", "kkk", "3loco", BLACK)
    assert table.position()["routes"] == {BLACK: 0}
    assert table.player(0)["score"] == 4


@pytest.mark.clause("EUR-TUNNEL-7")
@pytest.mark.parametrize("extra", ["3red", "2red+1loco", "1red+2loco", "3loco"])
def test_extra_cards_mix_the_colour_and_locos_freely(extra):
    table = attempt("rrrrrLLL", "rrL", "2red")
    table.play(0, f"tunnel_pay {extra}")
    assert table.position()["routes"] == {GRAY: 0}
    assert sum(table.player(0)["hand"].values()) == 3


@pytest.mark.clause("EUR-TUNNEL-8")
def test_after_an_all_loco_base_on_a_coloured_tunnel_its_colour_does_not_pay():
    table = attempt("LLLkkk", "Lrg", "3loco", BLACK)
    assert table.refuses(0, "tunnel_pay 1black", clause="EUR-TUNNEL-8")
    assert table.moves(0) == ["tunnel_abandon"]


@pytest.mark.clause("EUR-TUNNEL-9")
def test_with_nothing_due_there_is_no_abandoning():
    table = attempt("rrr", "ugw", "2red")
    assert table.position()["tunnel"] is None
    assert table.active == 1
    assert table.refuses(0, "tunnel_abandon")
    assert (table.player(0)["score"], table.player(0)["wagons"]) == (2, 43)


@pytest.mark.clause("EUR-TUNNEL-10", "EUR-TUNNEL-19")
@pytest.mark.scenario("S-079")
def test_while_the_tunnel_is_pending_only_exact_payment_or_abandoning_is_possible():
    table = attempt("rrrrrrLLgg", "rru", "2red", pile=["t_amsterdam_pamplona"])
    assert due(table) == 2
    for move in (
        "draw_deck",
        "draw_row 0",
        "claim wien_zagrab 2red",
        "draw_tickets",
        "build_station wien 1red",
    ):
        assert table.refuses(0, move, clause="COMMON-TURN-6")
    for payment in ("3red", "1red", "1loco", "2red+1loco"):
        assert table.refuses(0, f"tunnel_pay {payment}", clause="EUR-TUNNEL-10")
    for payment in ("2green", "2red", "1red+1loco"):
        assert table.refuses(0, f"claim {GRAY} {payment}", clause="COMMON-TURN-6")
    assert sorted(table.moves(0)) == [
        "tunnel_abandon",
        "tunnel_pay 1red+1loco",
        "tunnel_pay 2loco",
        "tunnel_pay 2red",
    ]


@pytest.mark.clause("EUR-TUNNEL-10")
def test_extra_cards_come_from_the_hand_not_from_the_base():
    """Of four red cards two are committed, so three due cannot be paid with the two left."""
    table = attempt("rrrr", "rrr", "2red")
    assert table.refuses(0, "tunnel_pay 3red", clause="EUR-TUNNEL-10", code="cards_not_held")


@pytest.mark.clause("EUR-TUNNEL-11", "EUR-TUNNEL-13", "EUR-TUNNEL-14")
@pytest.mark.scenario("S-077")
def test_a_player_able_to_pay_may_abandon():
    table = attempt("rrrrgL", "rLu", "1red+1loco")
    assert due(table) == 2 and "2red" in extras(table)
    assert table.allows(0, "tunnel_abandon")
    table.play(0, "tunnel_abandon")
    player = table.player(0)
    assert player["hand"] == counts("rrrrgL")
    assert (player["wagons"], player["score"]) == (45, 0)
    assert table.position()["routes"] == {}
    assert table.position()["discard"] == counts("rLu")
    assert (table.active, table.phase) == (1, "turn_start")


@pytest.mark.clause("EUR-TUNNEL-12")
@pytest.mark.scenario("S-078")
def test_a_player_unable_to_pay_can_only_abandon_and_others_cannot_tell():
    poor = attempt("rrrggg", "rru", "2red")
    rich = attempt("rrrrrg", "rru", "2red")
    assert poor.moves(0) == ["tunnel_abandon"]
    assert (poor.phase, poor.active) == ("tunnel_pending", 0)
    assert "tunnel_pay 2red" in rich.moves(0)
    for seat in (1, None):
        assert poor.view_text(seat) == rich.view_text(seat)
    poor.play(0, "tunnel_abandon")
    assert poor.player(0)["hand"] == counts("rrrggg")


@pytest.mark.clause("EUR-TUNNEL-14")
@pytest.mark.scenario("S-084")
def test_after_success_base_extra_and_revealed_cards_are_all_discarded():
    table = attempt("rrrLg", "ruw", "1red+1loco")
    table.play(0, "tunnel_pay 1red")
    assert table.position()["discard"] == counts("rL" + "r" + "ruw")
    assert table.player(0)["hand"] == counts("rg")
    assert table.position()["row"] == ["yellow", "yellow", "orange", "orange", "orange"]


@pytest.mark.clause("EUR-TUNNEL-14")
def test_revealed_cards_stay_out_of_the_discard_until_the_turn_ends():
    table = attempt("rrr", "rLu", "2red", discard="gg")
    assert table.position()["discard"] == counts("gg")
    assert table.position()["tunnel"]["revealed"] == ["red", "loco", "blue"]


@pytest.mark.clause("EUR-TUNNEL-18")
@pytest.mark.scenario("S-083")
def test_extra_cards_need_no_wagons():
    table = attempt("rrrrr", "rug", "4red", "marseille_roma", routes=NEARLY_ALL)
    assert (table.player(0)["wagons"], due(table)) == (4, 1)
    before = table.player(0)["score"]
    table.play(0, "tunnel_pay 1red")
    assert (table.player(0)["wagons"], table.player(0)["score"]) == (0, before + 7)
    assert table.position()["final_turns_left"] == 2


@pytest.mark.clause("EUR-TUNNEL-19")
def test_the_base_stands_after_the_reveal():
    """Neither other cards nor another colour can replace it, and paying takes nothing of it back."""
    table = attempt("rrrggLLL", "rug", "2red")
    for payment in ("2loco", "1red+1loco", "2green"):
        assert table.refuses(0, f"claim {GRAY} {payment}")
    table.play(0, "tunnel_pay 1loco")
    assert table.player(0)["hand"] == counts("rggLL")


@pytest.mark.clause("EUR-TUNNEL-20")
@pytest.mark.scenario("S-085")
def test_an_abandoned_tunnel_may_be_attempted_again_by_anyone():
    facts = {"hands": {0: "rr", 1: "gg"}, "deck_top": "rrrkpukpu", "row": "yyooo"}
    table = Table.set("europe", 2, **facts)
    table.play(0, f"claim {GRAY} 2red")
    table.play(0, "tunnel_abandon")
    other = table.copy()
    other.play(1, f"claim {GRAY} 2green")
    assert other.position()["routes"] == {GRAY: 1}
    table.play(1, "draw_row 0")
    table.play(1, "stop_drawing")
    assert table.allows(0, f"claim {GRAY} 2red")
