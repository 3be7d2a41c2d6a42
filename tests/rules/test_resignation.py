"""Seats that leave (COMMON-RESIGN): what stays, what is skipped, what is settled for them."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import fan_board, line
from tests.kit.table import Table
from turntable_rules import IllegalMove

BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]
EVERY = [*BOARDS, "card"]
TRACK = {
    "usa-2004": "montreal_new_york",
    "usa": "montreal_new_york",
    "lyon": "r73",
    "europe": "brest_paris",
    "switzerland": "bern-interlaken",
}
SETUP_KEEP = {"usa-2004": 2, "usa": 2, "lyon": 2, "europe": 2, "switzerland": 2, "card": 1}


def types(events: list[dict]) -> list[str]:
    return [event["type"] for event in events]


def take_turn(table: Table) -> None:
    """The active seat draws one or two cards from the deck."""
    seat = table.active
    table.play(seat, "draw_deck")
    if table.phase == "after_first_card" and table.active == seat:
        table.play(seat, "stop_drawing" if "stop_drawing" in table.moves(seat) else "draw_deck")


def stuck(players: int, **facts: object) -> Table:
    """A table where nobody can do anything but pass."""
    board = fan_board([line("x-y", 3)])
    more = {"routes": {"x_y": 0}, **facts}
    return Table.set(
        "usa", players, board=board, row=".....", deck="", spare=0, pile=[], out_rest=True, **more
    )


@pytest.mark.clause("COMMON-RESIGN-1")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_retired_seat_keeps_routes_cards_and_tickets(edition):
    ticket = Table.set(edition, 3).position()["pile"][0]
    track = TRACK[edition]
    t = Table.set(edition, 3, hands={1: "uukL"}, tickets={1: [ticket]}, routes={track: 1}, active=0)
    before = t.player(1)
    t.retire(1)
    assert t.player(1) == {**before, "retired": True}
    assert t.position()["routes"] == {track: 1}
    assert t.view(0)["players"][1]["retired"] is True
    take_turn(t)
    take_turn(t)
    assert t.player(1) == {**before, "retired": True}
    assert t.position()["routes"] == {track: 1}


@pytest.mark.clause("COMMON-RESIGN-1")
def test_its_routes_go_on_closing_tracks_and_its_stations_cities():
    t = Table.set("usa", 3, hands={0: "ooo"}, routes={"chicago_pittsburgh_1": 1})
    t.retire(1)
    assert t.refuses(0, "claim chicago_pittsburgh_1 3orange", clause="COMMON-CLAIM-11")
    assert t.refuses(0, "claim chicago_pittsburgh_2 3orange", clause="COMMON-DOUBLE-3")
    t = Table.set("europe", 3, hands={0: "r"}, stations={1: ["wien"]})
    t.retire(1)
    assert t.refuses(0, "build_station wien 1red", clause="EUR-STATION-2")


@pytest.mark.clause("COMMON-RESIGN-1")
def test_its_yard_and_road_pile_stay_and_can_be_robbed():
    t = Table.set("card", 3, hands={0: "rrr"}, yards={1: {"red": (2, 0)}}, roads={1: "gg"})
    t.retire(1)
    assert t.player(1)["yard"] == [{"colour": "red", "wagons": 2, "locos": 0}]
    assert t.refuses(0, "play_same red 2+0")
    t.play(0, "play_same red 3+0")
    assert t.player(1)["yard"] == [] and t.player(1)["road"] == {"green": 2}


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", EVERY)
def test_the_turns_of_a_retired_seat_are_skipped_and_counted(edition):
    t = Table.set(edition, 3, turns=10)
    events = t.retire(1)
    assert types(events) == ["seat_retired"] and (t.active, t.position()["turns"]) == (0, 10)
    order = []
    for _ in range(5):
        order.append(t.active)
        take_turn(t)
    assert order == [0, 2, 0, 2, 0]
    # Turns of 0, 1 (skipped), 2, 0, 1 (skipped), 2, 0, 1 (skipped).
    assert t.position()["turns"] == 18


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", EVERY)
def test_retiring_at_the_start_of_the_own_turn_skips_it(edition):
    t = Table.set(edition, 4, turns=10) if edition != "switzerland" else Table.set(edition, 3, turns=10)
    hand = t.player(0)["hand"]
    events = t.retire(0)
    assert types(events)[:3] == ["seat_retired", "turn_skipped", "turn_started"]
    assert (t.active, t.position()["turns"], t.player(0)["hand"]) == (1, 11, hand)


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", EVERY)
def test_a_retired_seat_can_do_nothing_more(edition):
    t = Table.set(edition, 3)
    t.retire(0)
    assert t.moves(0) == []
    for move in ("draw_deck", "draw_row 0", "draw_tickets", "pass"):
        assert t.refuses(0, move, clause="COMMON-RESIGN-2", code="seat_retired")
    with pytest.raises(IllegalMove):
        t.retire(0)


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", ["usa", "europe"])
def test_several_retired_seats_in_a_row_are_all_skipped(edition):
    t = Table.set(edition, 5, turns=0, retired=[1, 2])
    events = t.play(0, "draw_deck") + t.play(0, "stop_drawing")
    assert [event["seat"] for event in events if event["type"] == "turn_skipped"] == [1, 2]
    assert (t.active, t.position()["turns"]) == (3, 3)


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-END-2")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_skipped_turn_counts_in_the_last_round(edition):
    """Seat 0 has triggered the last round of three: 1 plays, 2 is skipped, 0 plays, and that is all."""
    t = Table.set(edition, 3, active=1, final_turns_left=3, retired=[2], wagons={0: 2}, loose=True)
    take_turn(t)
    assert (t.active, t.position()["final_turns_left"]) == (0, 1)
    take_turn(t)
    assert t.phase == "finished" and t.position()["ending"] == "normal"


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-END-2")
def test_the_last_round_ends_with_the_skipped_turn_of_the_trigger_player():
    t = Table.set("usa", 4, active=2, final_turns_left=2, retired=[3])
    take_turn(t)
    assert t.phase == "finished" and t.position()["final_turns_left"] == 0


@pytest.mark.clause("COMMON-RESIGN-2")
def test_retiring_in_the_very_last_turn_ends_the_game():
    t = Table.set("usa", 3, active=2, final_turns_left=1)
    events = t.retire(2)
    assert types(events) == ["seat_retired", "turn_skipped", "game_finished"]
    assert t.position()["ending"] == "normal"


@pytest.mark.clause("COMMON-RESIGN-2")
def test_skipped_turns_count_in_the_last_turns_of_the_card_game():
    t = Table.set("card", 3, active=1, deck="", spare="discard", final_turns_left=3, retired=[2])
    t.play(1, "draw_tickets")
    t.play(1, "keep_tickets -")
    assert (t.active, t.position()["final_turns_left"]) == (0, 1)


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-END-8")
@pytest.mark.parametrize("edition", EVERY)
def test_skipped_turns_count_in_max_turns(edition):
    t = Table.set(edition, 3, turns=10, retired=[1], options={"max_turns": 12})
    take_turn(t)
    assert t.phase == "finished"
    assert (t.position()["ending"], t.position()["turns"]) == ("max_turns", 12)
    t = Table.set(edition, 3, turns=11, options={"max_turns": 12})
    assert types(t.retire(0))[-1] == "game_finished"
    assert t.position()["ending"] == "max_turns"


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-END-7")
def test_a_skipped_turn_is_not_a_pass():
    t = stuck(4)
    t.retire(0)
    assert t.position()["passed"] == [] and t.active == 1
    t.play(1, "pass")
    t.play(2, "pass")
    assert t.phase == "turn_start" and t.position()["passed"] == [1, 2]
    t.play(3, "pass")
    assert t.phase == "finished" and t.position()["ending"] == "normal"


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-END-7")
@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_leaving_does_not_break_a_succession_of_passes(leaver):
    """A and B have passed and it is C's turn: when C leaves, all who are left have passed; otherwise C still plays."""
    t = stuck(3, passed=[0, 1], active=2)
    t.retire(leaver)
    if leaver != 2:
        assert t.phase == "turn_start" and t.active == 2
        t.play(2, "pass")
    assert t.phase == "finished" and t.position()["ending"] == "normal"


@pytest.mark.clause("COMMON-RESIGN-2")
def test_in_the_card_game_step_one_is_skipped_too():
    yards = {1: {"red": (2, 1), "blue": (3, 0)}}
    t = Table.set("card", 3, yards=yards, roads={1: "g"}, retired=[1])
    before = t.player(1)
    take_turn(t)
    assert t.active == 2
    assert (t.player(1)["yard"], t.player(1)["road"]) == (before["yard"], {"green": 1})
    t = Table.set("card", 3, yards=yards)
    take_turn(t)
    assert t.player(1)["road"] == {"blue": 1, "loco": 1}, "a seat that plays has its step 1"
