"""Games that end otherwise: everybody passes, or the turns run out (COMMON-END-7, -8)."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import fan_board, line
from tests.kit.table import Table

BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]


def draw_and_stop(table: Table) -> list[dict]:
    """The active seat draws as little as it can; returns the events of its last move."""
    seat = table.active
    events = table.play(seat, "draw_deck")
    if table.phase == "after_first_card":
        events = table.play(seat, "stop_drawing" if "stop_drawing" in table.moves(seat) else "draw_deck")
    return events


def stuck(players: int, **facts: object) -> Table:
    """A table where nobody can do anything: no card to draw, no ticket, one route and that is taken."""
    board = fan_board([line("x-y", 3)])
    more = {"routes": {"x_y": 0}, **facts}
    return Table.set(
        "usa", players, board=board, row=".....", deck="", spare=0, pile=[], out_rest=True, **more
    )


@pytest.mark.clause("COMMON-END-7", "COMMON-PASS-3")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_game_ends_when_all_pass_in_succession(players):
    t = stuck(players)
    for seat in range(players):
        assert t.active == seat and t.moves(seat) == ["pass"]
        assert t.phase == "turn_start"
        t.play(seat, "pass")
    assert t.phase == "finished" and t.position()["ending"] == "normal"
    assert t.position()["turns"] == 10 + players
    assert t.score()["seats"][0]["routes"] == 4


@pytest.mark.clause("COMMON-END-7")
def test_an_action_breaks_the_succession():
    """C and A have passed; B claims, C takes the card this brings; then A and B alone passing is not enough."""
    board = fan_board([line("x-y", 3), line("y-z", 1)])
    t = Table.set(
        "usa",
        3,
        board=board,
        hands={1: "r"},
        row=".....",
        deck="",
        spare=0,
        routes={"x_y": 0},
        pile=[],
        out_rest=True,
        passed=[2, 0],
        active=1,
    )
    t.play(1, "claim y_z 1red")
    assert t.position()["passed"] == []
    t.play(2, "draw_row 0")
    t.play(0, "pass")
    t.play(1, "pass")
    assert t.phase == "turn_start" and t.active == 2
    t.play(2, "pass")
    assert t.phase == "finished"


@pytest.mark.clause("COMMON-END-7")
@pytest.mark.parametrize(("active", "passed"), [(0, [3, 1]), (1, [0, 3]), (3, [0, 1])])
def test_a_retired_seat_neither_counts_nor_breaks_the_succession(active, passed):
    t = stuck(4, retired=[2], active=active, passed=passed)
    t.play(active, "pass")
    assert t.phase == "finished" and t.position()["ending"] == "normal"


@pytest.mark.clause("COMMON-END-7")
def test_the_turns_of_a_retired_seat_are_not_passes():
    t = stuck(4, retired=[2])
    t.play(0, "pass")
    t.play(1, "pass")
    assert t.phase == "turn_start" and t.active == 3
    assert t.position()["passed"] == [0, 1]


@pytest.mark.scenario("S-119")
@pytest.mark.clause("COMMON-END-8")
def test_failing_tunnels_for_ever_ends_with_max_turns():
    """All twelve red cards: five face up, two in each hand, three in a deck that is revealed again and again."""
    t = Table.set(
        "europe",
        2,
        hands={0: "rr", 1: "rr"},
        row="rrrrr",
        deck="rrr",
        spare=0,
        turns=0,
        options={"max_turns": 50},
    )
    turns = 0
    while t.phase != "finished":
        t.play(t.active, "claim barcelona_pamplona 2red")
        assert t.phase == "tunnel_pending"
        t.play(t.active, "tunnel_abandon")
        turns += 1
    assert turns == t.position()["turns"] == 50
    assert t.position()["ending"] == "max_turns" and t.position()["routes"] == {}


@pytest.mark.clause("COMMON-END-8")
@pytest.mark.parametrize("edition", [*BOARDS, "card"])
def test_the_game_ends_after_max_turns(edition):
    t = Table.set(edition, 2, turns=0, options={"max_turns": 3})
    for turn in range(3):
        assert t.phase != "finished"
        t.play(turn % 2, "draw_tickets")
        t.play(turn % 2, t.moves(turn % 2)[0])
    assert t.phase == "finished" and t.position()["ending"] == "max_turns"
    assert "total" in t.score()["seats"][0]


@pytest.mark.clause("COMMON-END-8")
@pytest.mark.parametrize("edition", BOARDS)
def test_zero_means_no_limit(edition):
    t = Table.set(edition, 2, turns=100_000)
    draw_and_stop(t)
    assert t.phase == "turn_start" and t.position()["turns"] == 100_001


@pytest.mark.clause("COMMON-END-8")
def test_in_the_card_game_the_round_is_fulfilled_first_and_no_second_one_follows():
    pile = Table.set("card", 4).position()["pile"]
    t = Table.set(
        "card",
        4,
        tickets={1: pile[:1]},
        roads={1: "LLLLLLL"},
        turns=9,
        options={"max_turns": 10},
    )
    t.play(0, "draw_deck")
    events = t.play(0, "draw_deck")
    assert [event["seat"] for event in events if event["type"] == "pile_fulfilled"] == [0, 1, 2, 3]
    assert (t.phase, t.position()["round"], t.position()["ending"]) == ("finished", 1, "max_turns")
    assert t.player(1)["completed"] == pile[:1]


@pytest.mark.clause("COMMON-END-8")
@pytest.mark.parametrize(("limit", "ends"), [(10, True), (11, False)])
def test_no_second_round_if_the_limit_falls_on_the_last_turn_of_the_first(limit, ends):
    t = Table.set(
        "card",
        4,
        row=".....",
        deck="",
        spare="discard",
        final_turns_left=1,
        turns=9,
        options={"max_turns": limit},
    )
    t.play(0, "draw_tickets")
    t.play(0, "keep_tickets -")
    assert (t.phase == "finished") == ends
    assert t.position()["round"] == (1 if ends else 2)


@pytest.mark.clause("COMMON-END-8")
def test_turns_are_counted_over_both_rounds():
    t = Table.set("card", 4, turns=59, round=2, options={"max_turns": 60})
    t.play(0, "draw_deck")
    t.play(0, "draw_deck")
    assert t.phase == "finished" and t.position()["ending"] == "max_turns"
