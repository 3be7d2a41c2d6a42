"""What the two USA texts say themselves (USA, USA2004, USALATER)."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import fan_board, line
from tests.kit.table import Table

USA = ["usa-2004", "usa"]
ROUTE_OF = {
    1: "atlanta_nashville",
    2: "dallas_little_rock",
    3: "el_paso_phoenix",
    4: "calgary_seattle",
    5: "pittsburgh_saint_louis",
    6: "el_paso_houston",
}


def start(edition: str, players: int, **options: object) -> Table:
    """A game past its setup, every seat having kept all its tickets."""
    t = Table.new(edition, players, options={"first_player": 0, **options})
    for seat in range(players):
        t.play(seat, t.moves(seat)[-1])
    return t


@pytest.mark.clause("USA-SETUP-1")
@pytest.mark.parametrize("edition", USA)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_everybody_starts_with(edition, players):
    t = start(edition, players)
    for seat in range(players):
        player = t.player(seat)
        assert (player["wagons"], player["score"], sum(player["hand"].values())) == (45, 0, 4)
    position = t.position()
    assert len(position["row"]) == 5 and None not in position["row"]
    assert len(position["deck"]) + sum(position["discard"].values()) == 105 - 4 * players


@pytest.mark.clause("USA-SETUP-2")
@pytest.mark.parametrize("edition", USA)
def test_two_of_three_tickets_at_least_are_kept(edition):
    t = Table.new(edition, 2)
    offer = t.player(0)["offer"]
    assert len(offer) == 3 and len(t.position()["pile"]) == 24
    assert len(t.moves(0)) == 4
    for one in offer:
        assert t.refuses(0, f"keep_tickets {one}", clause="COMMON-TICKET-2")
    t.play(0, f"keep_tickets {offer[0]},{offer[2]}")


@pytest.mark.clause("USA-SETUP-3")
@pytest.mark.parametrize("edition", USA)
def test_rejected_initial_tickets_can_be_drawn_later(edition):
    t = Table.new(edition, 2, options={"first_player": 0})
    rejected = [t.player(seat)["offer"][0] for seat in (0, 1)]
    for seat in (1, 0):
        offer = t.player(seat)["offer"]
        t.play(seat, f"keep_tickets {offer[1]},{offer[2]}")
    assert t.position()["pile"][-2:] == rejected
    while t.position()["pile"]:
        t.play(t.active, "draw_tickets")
        t.play(t.active, t.moves(t.active)[-1])
    held = t.player(0)["tickets"] + t.player(1)["tickets"]
    assert set(rejected) <= set(held) and len(held) == 30


@pytest.mark.clause("USA-TURN-1")
@pytest.mark.parametrize("edition", USA)
def test_three_actions_to_choose_from(edition):
    t = Table.set(edition, 2, hands={0: "uuurrrgggL"}, row="wwwkL")
    assert {move.split(" ")[0] for move in t.moves(0)} == {"draw_deck", "draw_row", "claim", "draw_tickets"}
    assert t.refuses(0, "build_station denver 1red", code="unknown_action")
    assert t.refuses(0, "tunnel_abandon", code="unknown_action")
    assert t.refuses(0, "play_same red 2+0", code="unknown_action")


@pytest.mark.clause("USA-TICKET-1")
@pytest.mark.parametrize("edition", USA)
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_three_tickets_are_drawn_and_one_at_least_is_kept(edition, kept):
    t = Table.set(edition, 2)
    pile = t.position()["pile"]
    t.play(0, "draw_tickets")
    assert t.player(0)["offer"] == pile[:3]
    assert t.refuses(0, "keep_tickets -", clause="COMMON-TICKET-5")
    t.play(0, "keep_tickets " + ",".join(pile[:kept]))
    assert t.player(0)["tickets"] == pile[:kept]
    assert t.position()["pile"] == pile[3:] + pile[kept:3]


@pytest.mark.clause("USA-SCORE-1")
@pytest.mark.parametrize("edition", USA)
@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)])
def test_points_by_length(edition, length, points):
    t = Table.set(edition, 2, hands={0: "gggggg"})
    t.play(0, f"claim {ROUTE_OF[length]} {length}green")
    assert t.player(0)["score"] == points
    assert t.score()["seats"][0]["routes"] == points


@pytest.mark.clause("USA-CLAIM-1")
@pytest.mark.parametrize("edition", USA)
def test_montreal_new_york_is_blue_and_three_long(edition):
    t = Table.set(edition, 2, hands={0: "uuurrrgggLLL"}, row="wwwkk")
    paid = {move.split(" ")[2] for move in t.moves(0) if move.startswith("claim montreal_new_york ")}
    assert paid == {"3blue", "2blue+1loco", "1blue+2loco", "3loco"}


@pytest.mark.clause("USA-CLAIM-2")
@pytest.mark.parametrize("edition", USA)
def test_montreal_toronto_takes_any_one_colour(edition):
    t = Table.set(edition, 2, hands={0: "pppwwwuuuyyyoookkkrrrggg"})
    paid = {move.split(" ")[2] for move in t.moves(0) if move.startswith("claim montreal_toronto ")}
    assert paid == {"3" + colour for colour in "purple white blue yellow orange black red green".split()}


@pytest.mark.clause("USA-TIE-1")
@pytest.mark.parametrize("edition", USA)
def test_tickets_come_before_the_path(edition):
    """Equal totals and no ticket: the longer path wins, also where neither holds the bonus."""
    board = fan_board(
        [line("a-b", 3), line("b-c", 3), line("d-e", 3), line("f-g", 3), line("h-i", 4), line("i-j", 4)]
    )
    owners = {"a_b": 1, "b_c": 1, "d_e": 0, "f_g": 0, "h_i": 2, "i_j": 2}
    t = Table.set(edition, 3, board=board, routes=owners, tickets={2: [f"filler_{n}" for n in range(6)]})
    # The fillers join a and b: lost to seat 2, so 14 + 10 − 6.
    assert [seat["total"] for seat in t.score()["seats"]] == [8, 8, 18]
    t = Table.set(edition, 3, board=board, routes=owners, tickets={2: [f"filler_{n}" for n in range(26)]})
    assert [seat["total"] for seat in t.score()["seats"]] == [8, 8, -2]
    assert t.score()["winners"] == [1]


@pytest.mark.scenario("S-166")
@pytest.mark.clause("USA2004-COLOUR-1")
@pytest.mark.parametrize(("edition", "route"), [("usa-2004", "chicago_pittsburgh_2"), ("lyon", "r04")])
def test_brown_is_orange(edition, route):
    t = Table.set(edition, 2, hands={0: "oooL"}, row="rrruu")
    assert t.allows(0, f"claim {route} 3brown")
    before = t.copy()
    events = t.play(0, f"claim {route} 2brown+1loco")
    before.play(0, f"claim {route} 2orange+1loco")
    assert t.position() == before.position()
    claimed = next(event for event in events if event["type"] == "route_claimed")
    assert claimed["payment"] == {"colour": "orange", "wagons": 2, "locos": 1}
    assert "brown" not in t.view_text(0) + "".join(t.moves(1))


@pytest.mark.clause("USA2004-COLOUR-1")
def test_brown_pays_for_gray_but_not_for_other_colours():
    t = Table.set("usa-2004", 2, hands={0: "ooouuu"})
    assert t.allows(0, "claim montreal_toronto 3brown")
    assert t.refuses(0, "claim montreal_new_york 3brown", clause="COMMON-CLAIM-3")
    assert [move for move in t.moves(0) if "brown" in move] == []


@pytest.mark.clause("USA2004-COLOUR-1")
@pytest.mark.parametrize(
    ("edition", "route"),
    [("usa", "chicago_pittsburgh_2"), ("europe", "cadiz_madrid"), ("switzerland", "schaffhausen-zurich")],
)
def test_elsewhere_there_is_no_brown(edition, route):
    t = Table.set(edition, 2, hands={0: "ooo"})
    assert t.allows(0, f"claim {route} 3orange")
    assert t.refuses(0, f"claim {route} 3brown", code="malformed_move")


@pytest.mark.clause("USA2004-DRAW-1")
def test_a_blind_loco_is_one_card_in_the_2004_text():
    t = Table.set("usa-2004", 2, deck_top="Lg", row="rrruu")
    t.play(0, "draw_deck")
    assert t.phase == "after_first_card" and t.active == 0
    assert t.allows(0, "draw_row 0")
    t.play(0, "draw_deck")
    assert t.player(0)["hand"] == {"green": 1, "loco": 1} and t.active == 1


@pytest.mark.clause("USALATER-DRAW-1")
def test_a_blind_loco_stays_unknown_and_is_one_card_in_the_later_text():
    """The other player sees the same whether the card is a loco or green."""
    views, shown = [], []
    for first, second in ("Lg", "gL"):
        t = Table.set("usa", 2, deck_top=first + second, row="rrruu")
        events = t.play_events(0, "draw_deck")
        assert t.phase == "after_first_card" and t.active == 0
        views.append((t.view_text(1), t.view_text(None)))
        shown.append([event.public for event in events])
        assert t.view(0)["you"]["hand"] == {"loco" if first == "L" else "green": 1}
        t.play(0, "draw_deck")
        assert t.player(0)["hand"] == {"green": 1, "loco": 1}
    assert views[0] == views[1] and shown[0] == shown[1]


@pytest.mark.clause("USALATER-CLAIM-1")
def test_never_more_than_one_route_per_turn():
    t = Table.set("usa", 2, hands={0: "uuuggg"})
    t.play(0, "claim montreal_new_york 3blue")
    assert t.refuses(0, "claim el_paso_phoenix 3green", clause="COMMON-TURN-4")
    t.play(1, "draw_deck")
    t.play(1, "stop_drawing")
    t.play(0, "claim el_paso_phoenix 3green")
    assert len(t.position()["routes"]) == 2
