"""The last round and what follows it (COMMON-END-1 to -6)."""

from __future__ import annotations

import pytest

from tests.kit.table import Table

# A route of one space on each board, and its price.
ONE = {
    "usa-2004": ("atlanta_nashville", "1red"),
    "usa": ("atlanta_nashville", "1red"),
    "lyon": ("r23", "1red"),
    "europe": ("budapest_wien_1", "1red"),
    "switzerland": ("zug-zurich-1", "1red"),
}
BOARDS = list(ONE)
SIX_TIMES_SEVEN = (
    "calgary_winnipeg duluth_helena duluth_toronto el_paso_houston el_paso_los_angeles helena_seattle "
    "miami_new_orleans"
).split()


def shrink(edition: str, left: int, players: int = 3, **facts: object) -> Table:
    """Seat 0 claims a route of one space and has `left` wagons afterwards."""
    t = Table.set(edition, players, hands={0: "r"}, row="uuugg", wagons={0: left + 1}, loose=True, **facts)
    route, price = ONE[edition]
    t.play(0, f"claim {route} {price}")
    return t


def draw_and_stop(table: Table) -> list[dict]:
    """The active seat draws as little as it can; returns the events of its last move."""
    seat = table.active
    events = table.play(seat, "draw_deck")
    if table.phase == "after_first_card":
        events = table.play(seat, "stop_drawing" if "stop_drawing" in table.moves(seat) else "draw_deck")
    return events


@pytest.mark.clause("COMMON-END-1")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_reserve_of_two_or_less_starts_the_last_round(edition, left):
    assert shrink(edition, left).position()["final_turns_left"] == 3


@pytest.mark.scenario("S-107")
@pytest.mark.clause("COMMON-END-1")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_reserve_of_three_does_not(edition):
    assert shrink(edition, 3).position()["final_turns_left"] is None


@pytest.mark.scenario("S-106")
@pytest.mark.clause("COMMON-END-1", "COMMON-END-2", "FSM-12")
def test_after_the_trigger_everybody_has_one_turn_and_the_trigger_player_the_last():
    routes = dict.fromkeys(SIX_TIMES_SEVEN, 0)
    t = Table.set("usa", 3, hands={0: "g"}, routes=routes)
    events = t.play(0, "claim atlanta_nashville 1green")
    assert t.player(0)["wagons"] == 2
    assert {"type": "last_round_started", "seat": 0, "turns_left": 3} in events
    played = []
    while t.phase != "finished":
        played.append(t.active)
        draw_and_stop(t)
    assert played == [1, 2, 0]
    assert t.position()["ending"] == "normal"


@pytest.mark.clause("COMMON-END-2", "COMMON-END-5")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("players", [2, 3])
def test_one_more_turn_each_in_every_board_ruleset(edition, players):
    t = shrink(edition, 2, players)
    played = []
    while t.phase != "finished":
        played.append(t.active)
        draw_and_stop(t)
    assert played == [*range(1, players), 0]


@pytest.mark.clause("COMMON-END-2")
def test_the_trigger_player_may_be_any_seat():
    t = Table.set("usa", 5, hands={3: "r"}, row="uuugg", wagons={3: 3}, loose=True, active=3)
    t.play(3, "claim atlanta_nashville 1red")
    played = []
    while t.phase != "finished":
        played.append(t.active)
        draw_and_stop(t)
    assert played == [4, 0, 1, 2, 3]


@pytest.mark.clause("COMMON-END-2")
def test_in_the_card_game_the_last_turns_follow_the_last_card():
    t = Table.set("card", 3, deck="r", spare="discard", row="uuugg")
    t.play(0, "draw_deck")
    assert t.active == 0
    t.play(0, "draw_row 0")
    played = []
    while t.phase != "finished":
        played.append(t.active)
        t.play(t.active, "draw_tickets")
        t.play(t.active, "keep_tickets -")
    assert played == [1, 2, 0]


@pytest.mark.scenario("S-108")
@pytest.mark.clause("COMMON-END-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_second_trigger_changes_nothing(edition):
    route, price = ONE[edition]
    t = Table.set(
        edition, 3, hands={1: "r"}, row="uuugg", active=1, final_turns_left=3, wagons={0: 2, 1: 1}, loose=True
    )
    events = t.play(1, f"claim {route} {price}")
    assert t.player(1)["wagons"] == 0
    assert "last_round_started" not in [event["type"] for event in events]
    assert t.position()["final_turns_left"] == 2
    draw_and_stop(t)
    draw_and_stop(t)
    assert t.phase == "finished"


@pytest.mark.clause("COMMON-END-4")
@pytest.mark.parametrize("edition", BOARDS)
def test_every_action_stays_legal_in_the_last_round(edition):
    facts = {"hands": {1: "rrruuugggwwwL"}, "row": "uurLy", "active": 1}
    before = Table.set(edition, 3, **facts)
    last = Table.set(edition, 3, **facts, final_turns_left=1)
    assert last.moves(1) == before.moves(1)
    kinds = {move.split(" ")[0] for move in last.moves(1)}
    assert kinds >= {"draw_deck", "draw_row", "draw_tickets", "claim"}
    assert ("build_station" in kinds) == (edition == "europe")
    last.play(1, "draw_tickets")
    last.play(1, last.moves(1)[0])
    assert last.phase == "finished" and len(last.player(1)["tickets"]) == 1


@pytest.mark.clause("COMMON-END-4")
def test_a_whole_draw_of_two_cards_is_made_in_the_last_turn():
    t = Table.set("usa", 2, active=1, final_turns_left=1, row="uurgy")
    t.play(1, "draw_row 0")
    assert t.phase == "after_first_card"
    t.play(1, "draw_row 1")
    assert t.phase == "finished" and t.player(1)["hand"] == {"blue": 2}


@pytest.mark.clause("COMMON-END-5")
@pytest.mark.parametrize("edition", [*BOARDS, "card"])
def test_after_the_end_no_move_is_legal(edition):
    turns = {"final_turns_left": 1} if edition != "card" else {"final_turns_left": 1, "deck": "", "spare": 0}
    t = Table.set(edition, 2, hands={1: "rrruuu"}, active=1, **turns)
    t.play(1, "draw_tickets")
    t.play(1, t.moves(1)[-1])
    assert t.phase == "finished"
    for seat in (0, 1):
        assert t.moves(seat) == []
        for move in ("draw_deck", "draw_row 0", "draw_tickets", "pass", "stop_drawing"):
            assert t.refuses(seat, move, clause="COMMON-END-5", code="game_finished")


@pytest.mark.clause("COMMON-END-6")
@pytest.mark.parametrize("edition", BOARDS)
def test_the_last_move_itself_brings_the_result(edition):
    t = Table.set(edition, 2, active=1, final_turns_left=1)
    t.play(1, "draw_tickets")
    events = t.play(1, t.moves(1)[0])
    assert events[-1]["type"] == "game_finished"
    assert events[-1]["result"] == t.score() == t.view(None)["result"]
    assert t.view(None)["active_seats"] == []


@pytest.mark.clause("COMMON-END-6")
def test_stations_borrow_without_asking_their_owner():
    t = Table.set(
        "europe",
        2,
        active=1,
        final_turns_left=1,
        routes={"edinburgh_london_1": 0, "dieppe_london_1": 0, "dieppe_paris": 1},
        stations={0: ["paris"]},
        tickets={0: ["t_edinburgh_paris"]},
    )
    draw_and_stop(t)
    assert t.phase == "finished"
    assert t.score()["seats"][0]["loans"] == [{"city": "paris", "route": "dieppe_paris"}]
    assert t.score()["seats"][0]["tickets"] == [{"id": "t_edinburgh_paris", "completed": True, "points": 7}]
