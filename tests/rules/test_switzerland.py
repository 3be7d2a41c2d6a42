"""Switzerland: setup, cheap locos, tunnels and double routes (SWI)."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import fan_board, line, route
from tests.kit.table import Table
from turntable_rules import OptionError, builtin_board

RED_TUNNEL = fan_board(
    [route("red", "x-y", 2, "red", kind="tunnel"), line("y-z", 3), route("green", "z-w", 3, "green")]
)


def tunnel(revealed: str, hand: str, payment: str, **facts: object) -> Table:
    """Seat 0 attempts the red tunnel of two and these cards are revealed."""
    t = Table.set(
        "switzerland", 2, board=RED_TUNNEL, hands={0: hand}, row="wwwpp", deck_top=revealed, **facts
    )
    t.play(0, f"claim red {payment}")
    return t


def extra(table: Table) -> set[str]:
    """The extra payments on offer."""
    return {move.split(" ")[1] for move in table.moves(0) if move.startswith("tunnel_pay")}


@pytest.mark.clause("SWI-SETUP-1")
@pytest.mark.parametrize("players", [2, 3])
def test_what_everybody_starts_with(players):
    position = Table.new("switzerland", players).position()
    for player in position["players"]:
        assert (player["wagons"], sum(player["hand"].values()), player["stations"]) == (40, 4, [])
    assert None not in position["row"]
    assert len(position["deck"]) + sum(position["discard"].values()) == 105 - 4 * players


@pytest.mark.clause("SWI-SETUP-1")
@pytest.mark.parametrize("players", [1, 4, 5])
def test_two_or_three_players(players):
    with pytest.raises(OptionError):
        Table.new("switzerland", players)


@pytest.mark.clause("SWI-SETUP-2")
def test_the_score_starts_at_a_hundred_and_is_a_line_of_its_own():
    t = Table.set("switzerland", 2, routes={"baden-zurich": 0})
    assert [t.player(seat)["score"] for seat in (0, 1)] == [101, 100]
    assert [(seat["start"], seat["routes"], seat["total"]) for seat in t.score()["seats"]] == [
        (100, 1, 111),
        (100, 0, 100),
    ]
    assert [player["score"] for player in Table.new("switzerland", 2).position()["players"]] == [100, 100]


@pytest.mark.clause("SWI-SETUP-2")
def test_the_start_can_be_set_to_zero():
    t = Table.new("switzerland", 2, options={"start_score": 0})
    assert t.player(0)["score"] == 0
    assert t.score()["seats"][0]["start"] == 0


@pytest.mark.clause("SWI-SETUP-3")
def test_five_tickets_are_dealt_and_the_rejected_leave_the_game():
    t = Table.new("switzerland", 3)
    offers = [t.player(seat)["offer"] for seat in range(3)]
    pile = t.position()["pile"]
    assert [len(offer) for offer in offers] == [5, 5, 5] and len(pile) == 31
    assert t.refuses(0, f"keep_tickets {offers[0][0]}", clause="COMMON-TICKET-2")
    for seat in range(3):
        t.play(seat, "keep_tickets " + ",".join(offers[seat][1:3]))
    assert t.position()["pile"] == pile
    for seat in range(3):
        assert t.player(seat)["tickets"] == offers[seat][1:3]
        assert t.player(seat)["out"] == [offers[seat][0], *offers[seat][3:]]
    assert not [one for one in t.player(0)["out"] if f'"{one}"' in t.view_text(1)], "face down"


@pytest.mark.clause("SWI-TICKET-1")
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_of_three_drawn_the_rejected_leave_the_game(kept):
    t = Table.set("switzerland", 2)
    pile = t.position()["pile"]
    t.play(0, "draw_tickets")
    assert t.player(0)["offer"] == pile[:3]
    assert t.refuses(0, "keep_tickets -", clause="COMMON-TICKET-5")
    t.play(0, "keep_tickets " + ",".join(pile[:kept]))
    assert (t.player(0)["tickets"], t.player(0)["out"]) == (pile[:kept], pile[kept:3])
    assert t.position()["pile"] == pile[3:]
    assert not [one for one in pile[kept:3] if f'"{one}"' in t.view_text(1)], "face down"


@pytest.mark.clause("SWI-LOCO-1")
@pytest.mark.parametrize(("first", "second", "gained"), [(0, 1, 2), (0, 2, 1), (2, 0, 1)])
def test_a_face_up_loco_is_one_card(first, second, gained):
    t = Table.set("switzerland", 2, row="LLruw", deck_top="gk")
    t.play(0, f"draw_row {first}")
    assert t.phase == "after_first_card" and t.active == 0
    t.play(0, f"draw_row {second}")
    assert t.player(0)["hand"].get("loco", 0) == gained and sum(t.player(0)["hand"].values()) == 2
    assert t.active == 1


@pytest.mark.clause("SWI-LOCO-1")
def test_a_loco_that_has_just_appeared_may_be_the_second_card():
    t = Table.set("switzerland", 2, row="rruuw", deck_top="L")
    t.play(0, "draw_row 0")
    t.play(0, "draw_row 0")
    assert t.player(0)["hand"] == {"red": 1, "loco": 1}


@pytest.mark.scenario("S-061")
@pytest.mark.clause("SWI-LOCO-2")
def test_no_loco_on_a_rail_route():
    t = Table.set("switzerland", 2, hands={0: "rrLLLLL"}, row="wwwpp")
    assert t.refuses(0, "claim st_gallen-winterthur 2red+1loco", clause="SWI-LOCO-2")
    assert t.refuses(0, "claim st_gallen-germany_st_gallen 2loco", clause="SWI-LOCO-2")
    t = Table.set("switzerland", 2, board=RED_TUNNEL, hands={0: "rrLLLLL"}, row="wwwpp")
    assert t.refuses(0, "claim y_z 3loco", clause="SWI-LOCO-2")
    assert t.refuses(0, "claim y_z 2red+1loco", clause="SWI-LOCO-2")


@pytest.mark.clause("SWI-LOCO-2")
def test_the_claims_on_offer_have_locos_on_tunnels_only():
    t = Table.set("switzerland", 2, deck="", spare=0)
    rail = {r.id for r in builtin_board("switzerland").routes if r.kind == "rail"}
    words = [move.split(" ") for move in t.moves(0) if move.startswith("claim")]
    assert {word[1] for word in words if "loco" not in word[2]} >= rail
    assert not [word for word in words if word[1] in rail and "loco" in word[2]]
    assert {word[1] for word in words if "loco" in word[2]} == {word[1] for word in words} - rail


@pytest.mark.scenario("S-062")
@pytest.mark.clause("SWI-LOCO-2", "SWI-TUNNEL-1")
def test_locos_on_a_tunnel():
    t = Table.set("switzerland", 2, hands={0: "rrLLLLL"}, row="wwwpp", deck_top="gkw")
    t.play(0, "claim baden-basel 2red+1loco")
    assert t.position()["routes"] == {"baden-basel": 0}


@pytest.mark.clause("SWI-LOCO-3")
def test_the_third_loco_flushes_the_row():
    t = Table.set("switzerland", 2, row="LLrug", deck_top="Lrrwkp")
    events = t.play(0, "draw_row 2")
    assert [event["type"] for event in events].count("row_flushed") == 1
    assert t.position()["row"] == ["red", "red", "white", "black", "purple"]
    assert t.position()["discard"] == {"blue": 1, "green": 1, "loco": 3}


@pytest.mark.scenario("S-086")
@pytest.mark.clause("SWI-TUNNEL-2")
def test_colour_and_locos_revealed_cost_extra_in_any_mix():
    t = tunnel("rLL", "rrrrLLLL", "1red+1loco")
    assert t.position()["tunnel"]["due"] == 3
    assert extra(t) == {"3red", "2red+1loco", "1red+2loco", "3loco"}
    t.play(0, "tunnel_pay 1red+2loco")
    assert t.position()["routes"] == {"red": 0}


@pytest.mark.scenario("S-087")
@pytest.mark.clause("SWI-TUNNEL-3")
def test_after_locos_alone_only_locos_cost_and_only_locos_pay():
    t = tunnel("rLL", "rrrrLLLL", "2loco")
    assert t.position()["tunnel"]["due"] == 2
    assert extra(t) == {"2loco"}
    assert t.refuses(0, "tunnel_pay 1red+1loco", clause="EUR-TUNNEL-8")
    short = tunnel("rLL", "rrrrLLL", "2loco")
    assert short.moves(0) == ["tunnel_abandon"]


@pytest.mark.clause("SWI-TUNNEL-2")
@pytest.mark.parametrize(
    ("revealed", "due"), [("gkw", 0), ("rgk", 1), ("gLk", 1), ("rrg", 2), ("rrr", 3), ("LgL", 2)]
)
def test_how_many_extra_cards_are_due(revealed, due):
    t = tunnel(revealed, "rrrrrrLL", "2red")
    if due:
        assert t.position()["tunnel"]["due"] == due
    else:
        assert t.position()["routes"] == {"red": 0} and t.active == 1


@pytest.mark.clause("SWI-TUNNEL-3")
@pytest.mark.parametrize(("revealed", "due"), [("rrr", 0), ("rgk", 0), ("Lrr", 1), ("LLL", 3)])
def test_how_many_are_due_after_locos_alone(revealed, due):
    t = tunnel(revealed, "rrrLLLLL", "2loco")
    assert (t.phase == "tunnel_pending") == (due > 0)
    if due:
        assert t.position()["tunnel"]["due"] == due and extra(t) == {f"{due}loco"}


@pytest.mark.clause("SWI-TUNNEL-1")
def test_an_attempt_reveals_three_cards_after_a_complete_base_payment():
    t = Table.set("switzerland", 2, board=RED_TUNNEL, hands={0: "rrr"}, row="wwwpp", deck_top="rgk")
    deck = t.position()["deck"]
    for wrong in ("1red", "3red", "1red+1loco", "2green"):
        assert t.refuses(0, f"claim red {wrong}") and t.position()["deck"] == deck
    t.play(0, "claim red 2red")
    assert t.position()["tunnel"]["revealed"] == ["red", "green", "black"]
    assert t.view(1)["tunnel"] == t.view(None)["tunnel"] == t.position()["tunnel"]
    for other in ("draw_deck", "draw_tickets", "claim red 2red", "tunnel_pay 2red"):
        assert t.refuses(0, other)


@pytest.mark.clause("SWI-TUNNEL-1")
def test_abandoning_returns_the_base_cards_and_another_may_try():
    facts = {"hands": {0: "rrr", 1: "rr"}, "row": "wwwpp", "deck_top": "rgkgkw"}
    t = Table.set("switzerland", 2, board=RED_TUNNEL, **facts)
    t.play(0, "claim red 2red")
    t.play(0, "tunnel_abandon")
    assert t.player(0)["hand"] == {"red": 3} and t.player(0)["wagons"] == 40 and t.player(0)["score"] == 100
    assert t.position()["discard"] == {"black": 1, "red": 1, "green": 1}
    assert t.active == 1
    t.play(1, "claim red 2red")
    assert t.position()["routes"] == {"red": 1}


@pytest.mark.clause("SWI-TUNNEL-1")
def test_extra_cards_need_no_wagons_and_all_cards_are_discarded():
    t = tunnel("rgk", "rrrL", "2red", wagons={0: 2}, loose=True)
    t.play(0, "tunnel_pay 1loco")
    assert (t.player(0)["wagons"], t.player(0)["score"]) == (0, 102)
    assert t.position()["discard"] == {"black": 1, "red": 3, "green": 1, "loco": 1}


@pytest.mark.clause("SWI-TUNNEL-1")
def test_a_short_deck_is_reshuffled_and_an_empty_one_reveals_nothing():
    facts = {"board": RED_TUNNEL, "hands": {0: "rr"}, "row": "wwwpp"}
    for cards, revealed in (
        ({"deck": "gg", "discard": "kkk"}, ["green", "green", "black"]),
        ({"deck": ""}, []),
    ):
        t = Table.set("switzerland", 2, **facts, **cards, spare=1)
        events = t.play(0, "claim red 2red")
        assert [event["revealed"] for event in events if event["type"] == "tunnel_revealed"] == [revealed]
        assert t.position()["routes"] == {"red": 0}


@pytest.mark.clause("SWI-DOUBLE-1")
def test_with_three_players_two_of_them_share_a_double_route():
    t = Table.set("switzerland", 3, hands={1: "yk"}, routes={"luzern-zug-1": 0, "schwyz-zug-1": 1}, active=1)
    assert t.refuses(1, "claim schwyz-zug-2 1black", clause="COMMON-DOUBLE-2")
    t.play(1, "claim luzern-zug-2 1yellow")
    assert t.position()["routes"]["luzern-zug-2"] == 1


@pytest.mark.clause("SWI-DOUBLE-2")
@pytest.mark.parametrize("seat", [0, 1])
def test_with_two_players_only_one_track_can_be_used(seat):
    t = Table.set("switzerland", 2, hands={seat: "y"}, routes={"luzern-zug-1": 0}, active=seat)
    assert t.refuses(seat, "claim luzern-zug-2 1yellow")


@pytest.mark.clause("SWI-SCORE-1")
@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)])
def test_points_by_length(length, points):
    t = Table.set("switzerland", 2, board=fan_board([line("x-y", length)]), hands={0: "gggggg"})
    t.play(0, f"claim x_y {length}green")
    assert t.player(0)["score"] == 100 + points


@pytest.mark.scenario("S-126")
@pytest.mark.clause("SWI-END-1")
def test_all_play_once_more_the_trigger_player_included():
    t = Table.set("switzerland", 2, hands={0: "r"}, row="uuuww", wagons={0: 2}, loose=True)
    t.play(0, "claim zug-zurich-1 1red")
    assert t.player(0)["wagons"] == 1
    played = []
    while t.phase != "finished":
        played.append(t.active)
        t.play(t.active, "draw_tickets")
        t.play(t.active, t.moves(t.active)[0])
    assert played == [1, 0]
