"""Europe: payments for plain, gray and double routes, and the locos that a ferry demands."""

from __future__ import annotations

import json

import pytest

import turntable_rules as rules_engine
from tests.kit.setting import cards, counts
from tests.kit.table import Table
from tests.unit.boards.small import small_board

# Loco symbols of every ferry of the published map.
SYMBOLS = {
    "amsterdam_london": 2,
    "athina_brindisi": 1,
    "athina_smyrna": 1,
    "brindisi_palermo": 1,
    "constantinople_sevastopol": 2,
    "dieppe_london_1": 1,
    "dieppe_london_2": 1,
    "erzurum_sevastopol": 2,
    "essen_kobenhavn_1": 1,
    "essen_kobenhavn_2": 1,
    "palermo_roma": 1,
    "palermo_smyrna": 2,
    "sevastopol_sochi": 1,
}


def payments(table: Table, route: str) -> set[str]:
    claims = [move.split(" ") for move in table.moves(table.active) if move.startswith("claim ")]
    return {payment for _, name, payment in claims if name == route}


@pytest.mark.clause("EUR-CLAIM-1")
@pytest.mark.scenario("S-052")
def test_a_blue_route_of_three_takes_these_four_payments_and_no_other():
    table = Table.set("europe", 2, hands={0: "uuuuLLLLrrrr"}, row="ggwww")
    expected = {"3blue", "2blue+1loco", "1blue+2loco", "3loco"}
    assert payments(table, "constantinople_sofia") == expected
    for payment in expected:
        assert table.allows(0, f"claim constantinople_sofia {payment}")
    for payment in ("2blue", "4blue", "3blue+1loco", "4loco", "3red", "2red+1loco", "2blue+1red"):
        assert table.refuses(0, f"claim constantinople_sofia {payment}")


@pytest.mark.clause("EUR-CLAIM-2")
def test_a_gray_route_of_two_takes_any_one_colour():
    table = Table.set("europe", 2, hands={0: "rrryLLg"}, row="kkwww")
    expected = {"2red", "1red+1loco", "1yellow+1loco", "1green+1loco", "2loco"}
    assert payments(table, "wien_zagrab") == expected
    assert table.refuses(0, "claim wien_zagrab 1red+1yellow", clause="COMMON-CLAIM-2")
    assert table.refuses(0, "claim wien_zagrab 2yellow", code="cards_not_held")
    assert table.refuses(0, "claim wien_zagrab 3red", code="wrong_card_count")


@pytest.mark.clause("EUR-CLAIM-2")
@pytest.mark.parametrize("payment", ["2red", "1yellow+1loco", "2loco"])
def test_the_examples_of_the_gray_route_claim_it(payment):
    table = Table.set("europe", 2, hands={0: "rryLL"}, row="kkwww")
    table.play(0, f"claim wien_zagrab {payment}")
    assert table.position()["routes"] == {"wien_zagrab": 0}
    assert sum(table.player(0)["hand"].values()) == 3


@pytest.mark.clause("EUR-DOUBLE-1")
def test_madrid_pamplona_is_a_double_route_of_a_black_and_a_white_tunnel():
    routes = {route.id: route for route in rules_engine.builtin_board("europe").routes}
    one, two = routes["madrid_pamplona_1"], routes["madrid_pamplona_2"]
    assert {one.colour, two.colour} == {"black", "white"}
    assert (one.kind, two.kind, one.length, two.length) == ("tunnel", "tunnel", 3, 3)
    assert one.double_group is not None and one.double_group == two.double_group


@pytest.mark.clause("EUR-DOUBLE-1")
@pytest.mark.scenario("S-065")
def test_with_four_players_the_other_tunnel_is_open_to_others_but_not_to_the_owner():
    hands = {0: "wwww", 1: "wwww"}
    table = Table.set("europe", 4, hands=hands, routes={"madrid_pamplona_1": 0}, deck_top="urg")
    deck = table.position()["deck"]
    assert table.refuses(0, "claim madrid_pamplona_2 3white", clause="COMMON-DOUBLE-2")
    assert table.position()["deck"] == deck and table.phase == "turn_start"
    table.play(0, "draw_row 0")
    table.play(0, "stop_drawing")
    table.play(1, "claim madrid_pamplona_2 3white")
    assert table.position()["routes"]["madrid_pamplona_2"] == 1


@pytest.mark.clause("EUR-DOUBLE-1")
@pytest.mark.parametrize("players", [2, 3])
def test_with_up_to_three_players_the_other_tunnel_is_closed_to_all(players):
    facts = {"hands": {1: "wwww"}, "routes": {"madrid_pamplona_1": 0}, "active": 1}
    table = Table.set("europe", players, **facts)
    assert table.refuses(1, "claim madrid_pamplona_2 3white", clause="COMMON-DOUBLE-3")


@pytest.mark.clause("EUR-FERRY-1")
def test_the_ferries_of_the_board_are_gray_with_their_published_symbols():
    routes = rules_engine.builtin_board("europe").routes
    assert {route.id: route.locos for route in routes if route.kind == "ferry"} == SYMBOLS
    assert {route.colour for route in routes if route.kind == "ferry"} == {None}
    assert {route.locos for route in routes if route.kind != "ferry"} == {0}


@pytest.mark.clause("EUR-FERRY-1")
@pytest.mark.parametrize(
    "spoilt",
    [
        {"color": "red", "kind": "ferry", "locomotives": 1},
        {"color": "grey", "kind": "ferry", "locomotives": 0},
        {"color": "grey", "kind": "rail", "locomotives": 1},
        {"color": "grey", "kind": "tunnel", "locomotives": 1},
    ],
)
def test_a_coloured_ferry_or_one_without_symbols_is_refused_and_symbols_elsewhere_too(spoilt):
    data = small_board()
    assert data["routes"][2]["kind"] == "ferry"
    rules_engine.parse_board(json.dumps(data))
    data["routes"][2].update(spoilt)
    with pytest.raises(rules_engine.BoardError):
        rules_engine.parse_board(json.dumps(data))


@pytest.mark.clause("EUR-FERRY-2", "EUR-FERRY-3", "EUR-FERRY-4")
@pytest.mark.parametrize(("route", "symbols"), sorted(SYMBOLS.items()))
def test_a_ferry_takes_every_payment_with_at_least_its_symbols_in_locos(route, symbols):
    """The rest is one colour; with green and red in hand every split is listed, and nothing else."""
    length = {r.id: r.length for r in rules_engine.builtin_board("europe").routes}[route]
    table = Table.set("europe", 2, hands={0: "g" * 12 + "r" * 12 + "L" * 14}, row="kkwww")
    expected = {f"{length}loco"}
    for locos in range(symbols, length):
        expected |= {f"{length - locos}green+{locos}loco", f"{length - locos}red+{locos}loco"}
    assert payments(table, route) == expected
    for locos in range(symbols):
        payment = f"{length - locos}green" + (f"+{locos}loco" if locos else "")
        assert table.refuses(0, f"claim {route} {payment}", clause="EUR-FERRY-2")


@pytest.mark.clause("EUR-FERRY-2", "EUR-FERRY-5")
@pytest.mark.scenario("S-069")
def test_smyrna_palermo_takes_four_of_a_colour_and_two_locos():
    table = Table.set("europe", 2, hands={0: "ggggLL"}, row="kkwww")
    assert payments(table, "palermo_smyrna") == {"4green+2loco"}
    table.play(0, "claim palermo_smyrna 4green+2loco")
    player = table.player(0)
    assert (player["score"], player["wagons"], player["hand"]) == (15, 39, {})
    assert table.position()["discard"] == counts("ggggLL")


@pytest.mark.clause("EUR-FERRY-2", "EUR-FERRY-3", "EUR-FERRY-4")
@pytest.mark.scenario("S-070")
def test_smyrna_palermo_in_other_ways():
    table = Table.set("europe", 2, hands={0: "ggggggrrrrLLLLLL"}, row="kkwww")
    assert table.refuses(0, "claim palermo_smyrna 5green+1loco", clause="EUR-FERRY-2")
    assert table.refuses(0, "claim palermo_smyrna 6green", clause="EUR-FERRY-2")
    assert table.refuses(0, "claim palermo_smyrna 2green+2red+2loco", clause="COMMON-CLAIM-2")
    assert table.allows(0, "claim palermo_smyrna 3green+3loco")
    assert table.allows(0, "claim palermo_smyrna 6loco")


@pytest.mark.clause("EUR-FERRY-3")
@pytest.mark.parametrize("colour", cards("pwuyokrg"))
def test_the_colour_of_a_ferry_is_the_players_choice(colour):
    letter = dict(zip(cards("pwuyokrg"), "pwuyokrg", strict=True))[colour]
    table = Table.set("europe", 2, hands={0: letter + "L"}, row="ykwpr")
    table.play(0, f"claim dieppe_london_1 1{colour}+1loco")
    assert table.position()["routes"] == {"dieppe_london_1": 0}


@pytest.mark.clause("EUR-FERRY-4")
def test_no_number_of_wagon_cards_stands_for_a_required_loco():
    table = Table.set("europe", 2, hands={0: "g" * 12 + "L"}, row="kkwww")
    assert payments(table, "palermo_smyrna") == set()
    assert payments(table, "amsterdam_london") == set()
    for payment in ("5green+1loco", "7green+1loco", "8green+1loco", "6green", "12green"):
        assert table.refuses(0, f"claim palermo_smyrna {payment}")
