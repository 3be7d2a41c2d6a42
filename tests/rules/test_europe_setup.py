"""Europe: the deal, long and regular tickets, and what a turn offers."""

from __future__ import annotations

import json

import pytest

import turntable_rules as rules_engine
from tests.kit.table import Table
from tests.unit.boards.small import small_board

LONG = {
    "t_brest_petrograd",
    "t_cadiz_stockholm",
    "t_edinburgh_athina",
    "t_kobenhavn_erzurum",
    "t_lisboa_danzig",
    "t_palermo_moskva",
}
COUNTS = [2, 3, 4, 5]


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def new_table(players: int, number: int = 1) -> Table:
    return Table.new("europe", players, seed(number), {"first_player": 0})


def keep(*tickets: str) -> str:
    return "keep_tickets " + ",".join(tickets)


def keep_all(table: Table) -> None:
    for seat, player in enumerate(table.position()["players"]):
        table.play(seat, keep(*player["offer"]))


def kinds(moves: list[str]) -> set[str]:
    return {move.split(" ")[0] for move in moves}


@pytest.mark.clause("EUR-SETUP-1")
@pytest.mark.parametrize("players", COUNTS)
def test_each_player_starts_with_45_wagons_3_stations_4_cards_and_no_points(players):
    table = new_table(players)
    for seat in range(players):
        player = table.player(seat)
        assert (player["wagons"], player["score"], player["stations"]) == (45, 0, [])
        assert sum(player["hand"].values()) == 4
        assert table.view(None)["players"][seat]["stations"] == 3
    assert None not in table.position()["row"] and len(table.position()["row"]) == 5


@pytest.mark.clause("EUR-SETUP-1", "EUR-SETUP-6")
@pytest.mark.scenario("S-176")
def test_a_player_choosing_sees_own_pieces_hand_row_and_offer():
    table = new_table(3)
    view = table.view(0)
    assert (view["players"][0]["wagons"], view["players"][0]["stations"]) == (45, 3)
    assert sum(view["you"]["hand"].values()) == 4
    assert len(view["row"]) == 5 and None not in view["row"]
    assert len(view["you"]["offered"]) == 4
    assert view["active_seats"] == [0, 1, 2]


@pytest.mark.clause("EUR-SETUP-2")
@pytest.mark.parametrize("players", COUNTS)
def test_each_player_is_dealt_one_long_and_three_regular_tickets(players):
    for number in range(20):
        position = new_table(players, number).position()
        dealt = [ticket for player in position["players"] for ticket in player["offer"]]
        assert len(set(dealt)) == 4 * players
        for player in position["players"]:
            assert len([ticket for ticket in player["offer"] if ticket in LONG]) == 1
            assert len(player["offer"]) == 4
        assert len(position["pile"]) == 40 - 3 * players


@pytest.mark.clause("EUR-SETUP-2")
def test_every_long_ticket_is_dealt_to_every_seat_at_times():
    dealt: dict[int, set[str]] = {0: set(), 1: set()}
    for number in range(60):
        for seat, player in enumerate(new_table(2, number).position()["players"]):
            dealt[seat] |= LONG & set(player["offer"])
    assert dealt == {0: LONG, 1: LONG}


@pytest.mark.clause("EUR-SETUP-3")
@pytest.mark.parametrize("players", COUNTS)
def test_long_tickets_not_dealt_leave_the_game_unseen(players):
    table = new_table(players)
    position = table.position()
    dealt = {ticket for player in position["players"] for ticket in player["offer"]}
    undealt = LONG - dealt
    assert set(position["unseen_out"]) == undealt and len(undealt) == 6 - players
    assert not LONG & set(position["pile"])
    keep_all(table)
    for seat in [*range(players), None]:
        assert not [ticket for ticket in undealt if ticket in table.view_text(seat)]


@pytest.mark.clause("EUR-SETUP-3")
def test_no_long_ticket_ever_comes_out_of_the_pile():
    table = new_table(2)
    keep_all(table)
    drawn: list[str] = []
    while table.position()["pile"]:
        seat = table.active
        table.play(seat, "draw_tickets")
        offer = table.player(seat)["offer"]
        drawn += offer
        table.play(seat, keep(*offer))
    assert len(drawn) == 34
    assert not LONG & set(drawn)


@pytest.mark.clause("EUR-SETUP-4")
def test_any_two_or_more_of_the_four_may_be_kept():
    table = new_table(2)
    assert len(table.moves(0)) == 11  # 6 pairs, 4 triples and all four
    offer = table.player(0)["offer"]
    assert table.allows(0, keep(*[ticket for ticket in offer if ticket not in LONG]))
    assert table.refuses(0, keep(offer[0]), code="too_few_tickets")
    assert table.refuses(0, "keep_tickets -", code="too_few_tickets")


@pytest.mark.clause("EUR-SETUP-4", "EUR-SETUP-5")
@pytest.mark.scenario("S-006")
def test_the_long_ticket_and_a_regular_one_may_be_rejected_and_are_out_of_the_game():
    table = new_table(2)
    offer = table.player(0)["offer"]
    pile = table.position()["pile"]
    regular = [ticket for ticket in offer if ticket not in LONG]
    rejected = [ticket for ticket in offer if ticket not in regular[:2]]
    assert LONG & set(rejected)
    table.play(0, keep(*regular[:2]))
    table.play(1, keep(*table.player(1)["offer"]))
    assert table.player(0)["tickets"] == regular[:2]
    assert sorted(table.player(0)["out"]) == sorted(rejected)
    assert table.position()["pile"] == pile


@pytest.mark.clause("EUR-SETUP-5")
def test_what_was_rejected_at_setup_is_shown_to_the_rejecter_alone():
    table = new_table(3)
    offer = table.player(0)["offer"]
    table.play(0, keep(*offer[2:]))
    for seat in (1, 2):
        table.play(seat, keep(*table.player(seat)["offer"]))
    assert sorted(table.view(0)["you"]["out"]) == sorted(offer[:2])
    for viewer in (1, 2, None):
        assert table.view(viewer)["tickets_out"] == 2 + 3  # and three long tickets nobody was dealt
        assert not [ticket for ticket in offer if ticket in table.view_text(viewer)]


@pytest.mark.clause("EUR-SETUP-6")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_all_choose_at_once_in_any_order_before_the_first_turn(order):
    table = new_table(3)
    assert all(kinds(table.moves(seat)) == {"keep_tickets"} for seat in range(3))
    for seat in order:
        assert table.phase == "setup_tickets"
        assert table.refuses(seat, "draw_deck")
        table.play(seat, keep(*table.player(seat)["offer"][:2]))
    assert (table.phase, table.active) == ("turn_start", 0)


@pytest.mark.clause("EUR-TURN-1")
def test_a_turn_offers_cards_routes_tickets_and_stations():
    table = Table.set("europe", 2, hands={0: "rrrL"})
    expected = {"draw_deck", "draw_row", "claim", "draw_tickets", "build_station"}
    assert kinds(table.moves(0)) == expected


@pytest.mark.clause("EUR-TURN-1")
@pytest.mark.parametrize(
    "moves",
    [
        ["draw_deck", "draw_deck"],
        ["claim wien_zagrab 2red"],
        ["draw_tickets", "keep_tickets t_amsterdam_pamplona"],
        ["build_station wien 1red"],
    ],
)
def test_each_of_the_four_actions_is_a_whole_turn(moves):
    table = Table.set("europe", 2, hands={0: "rrr"}, pile=["t_amsterdam_pamplona"])
    for move in moves:
        assert table.active == 0
        table.play(0, move)
    assert (table.active, table.phase) == (1, "turn_start")


@pytest.mark.clause("EUR-DRAW-1")
def test_after_a_blind_loco_the_second_card_is_blind_or_a_face_up_wagon_card():
    table = Table.set("europe", 2, row="LrLgw", deck_top="Lk")
    table.play(0, "draw_deck")
    assert table.player(0)["hand"] == {"loco": 1}
    assert table.moves(0) == ["draw_deck", "draw_row 1", "draw_row 3", "draw_row 4", "stop_drawing"]
    assert table.refuses(0, "draw_row 0", clause="COMMON-DRAW-4")
    table.play(0, "draw_row 3")
    assert table.player(0)["hand"] == {"loco": 1, "green": 1}
    assert table.active == 1


@pytest.mark.clause("EUR-TICKET-1")
@pytest.mark.scenario("S-018")
def test_mid_game_three_are_drawn_one_is_kept_and_the_others_go_under_the_pile():
    pile = [
        "t_amsterdam_pamplona",
        "t_amsterdam_wilno",
        "t_angora_kharkov",
        "t_athina_angora",
        "t_athina_wilno",
        "t_barcelona_bruxelles",
        "t_barcelona_munchen",
        "t_berlin_bucuresti",
        "t_berlin_moskva",
        "t_berlin_roma",
    ]
    table = Table.set("europe", 2, pile=pile, out_rest=True)
    out = table.player(0)["out"]
    table.play(0, "draw_tickets")
    assert table.player(0)["offer"] == pile[:3]
    assert table.refuses(0, "keep_tickets -", clause="COMMON-TICKET-5")
    table.play(0, keep(pile[1]))
    assert table.position()["pile"] == [*pile[3:], pile[0], pile[2]]
    assert table.player(0)["tickets"] == [pile[1]]
    assert table.player(0)["out"] == out


@pytest.mark.clause("EUR-SCORE-1")
@pytest.mark.parametrize(
    ("route", "length", "points"),
    [
        ("amsterdam_bruxelles", 1, 1),
        ("berlin_essen", 2, 2),
        ("amsterdam_essen", 3, 4),
        ("athina_sarajevo", 4, 7),
        ("palermo_smyrna", 6, 15),
        ("petrograd_stockholm", 8, 21),
    ],
)
def test_routes_score_by_length(route, length, points):
    """Paid in locos; no reveal can cost anything, as nobody can draw the 14 locos again (EUR-TUNNEL-6)."""
    table = Table.set("europe", 2, hands={0: "L" * 14})
    table.play(0, f"claim {route} {length}loco")
    assert table.player(0)["score"] == points
    assert table.player(0)["wagons"] == 45 - length
    assert table.score()["seats"][0]["routes"] == points


@pytest.mark.clause("EUR-SCORE-1")
@pytest.mark.parametrize(("length", "accepted"), [(n, n in (1, 2, 3, 4, 6, 8)) for n in range(1, 9)])
def test_no_other_length_has_a_score(length, accepted):
    """The board of one's own has a rail route of that length, and tickets enough for two players."""
    data = small_board()
    data["routes"][4]["length"] = length
    ends = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    data["tickets"] = [
        {"id": f"{deck}_{a}{b}", "a": a, "b": b, "points": 5, "deck": deck}
        for deck in ("long", "regular")
        for a, b in ends
    ]
    board = rules_engine.parse_board(json.dumps(data))
    if accepted:
        rules_engine.ruleset("europe", 2, board=board)
    else:
        with pytest.raises(rules_engine.BoardError, match="scores nothing"):
            rules_engine.ruleset("europe", 2, board=board)


@pytest.mark.clause("EUR-SCORE-1")
def test_the_board_has_no_routes_of_five_or_seven():
    lengths = {route.length for route in rules_engine.builtin_board("europe").routes}
    assert lengths == {1, 2, 3, 4, 6, 8}
