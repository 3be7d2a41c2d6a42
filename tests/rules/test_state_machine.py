"""The turn state machine of rules.md section 3 (FSM)."""

from __future__ import annotations

import json

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, MOST_PLAYERS, begun, random_play
from tests.kit.setting import cards, counts
from tests.kit.table import Table
from tests.oracle import legal_moves as naive_moves
from tests.oracle import load_board

KINDS = {
    "setup_tickets": {"keep_tickets"},
    "turn_start": {"draw_deck", "draw_row", "claim", "draw_tickets", "build_station", "pass"},
    "action": {"draw_deck", "draw_row", "play_same", "play_three", "draw_tickets", "pass"},
    "after_first_card": {"draw_deck", "draw_row", "stop_drawing"},
    "ticket_choice": {"keep_tickets"},
    "tunnel_pending": {"tunnel_pay", "tunnel_abandon"},
}


@pytest.mark.clause("FSM-1")
@pytest.mark.parametrize("edition", ALL)
def test_a_face_up_wagon_card_leads_to_the_second_draw(edition):
    table = Table.set(edition, 2, row="rugwk", deck_top="y")
    table.play(0, "draw_row 0")
    assert table.phase == "after_first_card" and table.active == 0
    assert table.position()["row"] == cards("yugwk") and table.position()["turns"] == 10


@pytest.mark.clause("FSM-2")
@pytest.mark.parametrize("edition", ALL)
def test_a_face_up_loco_ends_the_turn_where_it_counts_as_two(edition):
    table = Table.set(edition, 2, row="rLgwk")
    table.play(0, "draw_row 1")
    over = edition != "switzerland"
    assert (table.phase != "after_first_card") == over
    assert table.active == int(over) and table.position()["turns"] == 10 + over


@pytest.mark.clause("FSM-3")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("top", "pwuyokrgL")
def test_a_blind_card_leads_to_the_second_draw_whatever_it_is(edition, top):
    table = Table.set(edition, 2, row="rugwk", deck_top=top)
    table.play(0, "draw_deck")
    assert table.phase == "after_first_card" and table.active == 0
    assert table.player(0)["hand"] == counts(top)


@pytest.mark.clause("FSM-4")
@pytest.mark.parametrize("edition", ALL)
def test_the_second_draw_is_never_offered_with_nothing_to_do(edition):
    """Along whole games of hoarding; `must` so that stopping is no move."""
    table = begun(edition, 2, 3, {"second_card": "must", "first_player": 0})
    seconds = 0
    while table.phase != "finished":
        moves = table.moves(table.active)
        assert moves
        if table.phase == "after_first_card":
            seconds += 1
            assert all(move.startswith("draw_") for move in moves)
        table.play(table.active, moves[-1] if moves[0] == "draw_tickets" else moves[0])
        if table.position()["turns"] > 80:
            break
    assert seconds > 20


@pytest.mark.clause("FSM-5")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("second", ["draw_deck", "draw_row 1", "stop_drawing"])
def test_a_second_draw_or_stopping_ends_the_turn(edition, second):
    table = Table.set(edition, 2, row="rugwk", deck_top="yLL", options={"second_card": "may"})
    table.play(0, "draw_row 0")
    table.play(0, second)
    assert table.active == 1 and table.phase == ("action" if edition == "card" else "turn_start")
    assert table.position()["turns"] == 11


@pytest.mark.clause("FSM-6")
@pytest.mark.parametrize(
    ("edition", "hand", "claim", "length", "points"),
    [
        ("usa-2004", "uuu", "montreal_new_york 3blue", 3, 4),
        ("usa", "uuL", "montreal_new_york 2blue+1loco", 3, 4),
        ("lyon", "ww", "r05 2white", 2, 2),
        ("europe", "ggL", "essen_frankfurt 2green", 2, 2),
        ("europe", "rLL", "amsterdam_london 2loco", 2, 2),
        ("europe", "ggggLL", "palermo_smyrna 4green+2loco", 6, 15),
        ("switzerland", "pppp", "interlaken-luzern 4purple", 4, 7),
    ],
)
def test_a_claim_is_paid_placed_and_scored_and_ends_the_turn(edition, hand, claim, length, points):
    table = Table.set(edition, 2, hands={0: hand})
    before = table.player(0)
    events = table.play(0, f"claim {claim}")
    after = table.player(0)
    assert table.position()["routes"] == {claim.split(" ")[0]: 0}
    assert before["wagons"] - after["wagons"] == length
    assert after["score"] - before["score"] == points
    assert sum(before["hand"].values()) - sum(after["hand"].values()) == length
    assert [event["type"] for event in events] == ["route_claimed", "turn_started"]
    assert table.active == 1 and table.phase == "turn_start"


@pytest.mark.clause("FSM-7", "EUR-TUNNEL-1", "EUR-TUNNEL-2")
@pytest.mark.scenario("S-178")
def test_a_tunnel_needs_a_complete_payment_before_any_card_is_revealed():
    table = Table.set("europe", 2, hands={0: "rrru"}, deck_top="ruwkg")
    deck = table.position()["deck"]
    for move in ("2red", "3blue", "3green", "2red+1loco", "4red"):
        assert table.refuses(0, f"claim erzurum_sochi {move}")
    assert table.position()["deck"] == deck
    events = table.play(0, "claim erzurum_sochi 3red")
    assert events[0]["revealed"] == cards("ruw")
    assert table.position()["deck"] == deck[3:]
    assert table.phase == "tunnel_pending" and table.active == 0


@pytest.mark.clause("FSM-7")
@pytest.mark.parametrize(
    ("edition", "route"), [("europe", "marseille_zurich"), ("switzerland", "chur-davos")]
)
def test_a_tunnel_without_extra_cards_is_claimed_at_once_and_otherwise_pends(edition, route):
    table = Table.set(edition, 2, hands={0: "ppp"}, deck_top="ruw")
    table.play(0, f"claim {route} 2purple")
    assert table.position()["routes"] == {route: 0} and table.active == 1
    table = Table.set(edition, 2, hands={0: "ppp"}, deck_top="rLw")
    table.play(0, f"claim {route} 2purple")
    position = table.position()
    assert position["phase"] == "tunnel_pending" and position["routes"] == {}
    assert position["tunnel"] == {
        "route": route,
        "payment": {"colour": "purple", "wagons": 2, "locos": 0},
        "revealed": cards("rLw"),
        "due": 1,
    }
    assert table.player(0)["hand"] == counts("p"), "the base cards are committed"


@pytest.mark.clause("FSM-8")
@pytest.mark.parametrize(
    ("edition", "route"), [("europe", "marseille_zurich"), ("switzerland", "chur-davos")]
)
def test_a_pending_tunnel_is_paid_or_abandoned_and_either_ends_the_turn(edition, route):
    pending = Table.set(edition, 2, hands={0: "pppL"}, deck_top="rLw")
    before = pending.player(0)
    pending.play(0, f"claim {route} 2purple")
    paid = pending.copy()
    paid.play(0, "tunnel_pay 1purple")
    assert paid.position()["routes"] == {route: 0} and paid.active == 1
    assert paid.player(0)["score"] == before["score"] + 2
    assert paid.player(0)["hand"] == counts("L")
    pending.play(0, "tunnel_abandon")
    assert pending.position()["routes"] == {} and pending.active == 1
    assert {**pending.player(0), "hand_at_least": {}} == before
    assert pending.phase == paid.phase == "turn_start"


@pytest.mark.clause("FSM-9")
@pytest.mark.parametrize("edition", ALL)
def test_drawing_tickets_leads_to_a_choice_and_that_ends_the_turn(edition):
    table = Table.set(edition, 2)
    table.play(0, "draw_tickets")
    assert table.phase == "ticket_choice" and table.active == 0
    assert len(table.player(0)["offer"]) == (4 if edition == "card" else 3)
    table.play(0, table.moves(0)[-1])
    assert table.active == 1 and table.position()["turns"] == 11


@pytest.mark.clause("FSM-10", "EUR-STATION-8", "INFO-16", "INFO-17")
@pytest.mark.scenario("S-182")
def test_a_station_is_built_in_the_open_and_stays():
    table = Table.set("europe", 2, hands={0: "rrrr"})
    table.play(0, "build_station wien 1red")
    assert table.active == 1 and table.phase == "turn_start"
    for viewer in (0, 1, None):
        view = table.view(viewer)
        assert view["stations"] == {"wien": 0}
        assert view["discard"] == {"red": 1}
        assert view["players"][0]["stations"] == 2
    for seat in (1, 0):
        assert not [move for move in table.moves(seat) if "wien" in move and move.startswith("build")]
        if seat == table.active:
            table.play(seat, "draw_deck")
            table.play(seat, "stop_drawing")
    assert table.position()["players"][0]["stations"] == ["wien"]


@pytest.mark.clause("FSM-11")
@pytest.mark.parametrize("move", ["play_same red 3+1", "play_three purple,white,green"])
def test_placing_trains_resolves_robbing_and_ends_the_turn(move):
    table = Table.set("card", 2, hands={0: "rrrLpwg"}, yards={1: {"red": (2, 1)}})
    events = table.play(0, move)
    robbed = move.startswith("play_same")
    assert ("column_robbed" in [event["type"] for event in events]) == robbed
    assert [column["colour"] for column in table.player(1)["yard"]] == ([] if robbed else ["red"])
    assert table.active == 1 and table.phase == "action" and table.position()["turns"] == 11


@pytest.mark.clause("FSM-12")
@pytest.mark.parametrize("edition", ALL)
def test_the_last_round_counts_down_to_the_end(edition):
    """Board: a reserve of two. Card game: the deck's last card. Then n turns, the trigger's own last."""
    if edition == "card":
        table = Table.set("card", 3, deck="y", discard="", spare=2, row="rugwk", active=1)
        table.play(1, "draw_deck")
        table.play(1, "draw_row 0")
    else:
        table = Table.set(edition, 3, wagons={1: 2}, active=1, loose=True)
        table.play(1, "draw_deck")
        table.play(1, "draw_deck")
    left = []
    while table.phase != "finished":
        left.append((table.active, table.position()["final_turns_left"]))
        table.play(table.active, "draw_tickets")
        table.play(left[-1][0], table.moves(left[-1][0])[0])
    assert left == [(2, 3), (0, 2), (1, 1)]


@pytest.mark.clause("FSM-12")
def test_without_a_trigger_no_counter_runs():
    table = Table.set("usa", 2, wagons={0: 3}, loose=True)
    table.play(0, "draw_deck")
    table.play(0, "draw_deck")
    assert table.position()["final_turns_left"] is None and table.active == 1


@pytest.mark.clause("FSM-12")
def test_the_first_of_two_rounds_leads_to_the_second():
    """The card game for four: fulfilment clears the counter and the left neighbour begins."""
    table = Table.set(
        "card", 4, deck="", discard="", spare="discard", row="rugwk", final_turns_left=1, active=2
    )
    events = table.play(2, "draw_tickets") + table.play(2, "keep_tickets -")
    kinds = [event["type"] for event in events]
    assert kinds.count("pile_fulfilled") == 4
    assert kinds.index("pile_fulfilled") < kinds.index("round_started") < kinds.index("turn_started")
    assert {"type": "round_started", "round": 2, "seat": 3} in events
    position = table.position()
    assert (position["round"], position["phase"], position["active"]) == (2, "action", 3)
    assert position["final_turns_left"] is None


@pytest.mark.clause("FSM-13")
@pytest.mark.parametrize("edition", ALL)
def test_a_kind_of_move_that_the_phase_does_not_list_is_refused(edition):
    """One text of every kind, tried in every phase of random games."""
    texts = {
        "draw_deck": "draw_deck",
        "draw_row": "draw_row 0",
        "draw_tickets": "draw_tickets",
        "stop_drawing": "stop_drawing",
        "pass": "pass",
        "tunnel_abandon": "tunnel_abandon",
        "tunnel_pay": "tunnel_pay 1red",
    }
    phases = set()
    for number in range(3):
        for table, seat, _ in random_play(edition, 2, number):
            if table.phase in phases:
                continue
            phases.add(table.phase)
            offered = ",".join(table.player(seat)["offer"]) or "t"
            for kind, text in {**texts, "keep_tickets": f"keep_tickets {offered}"}.items():
                if kind not in KINDS[table.phase]:
                    assert table.refuses(seat, text)
    expected = {"setup_tickets", "after_first_card", "ticket_choice"}
    assert phases >= expected | ({"action"} if edition == "card" else {"turn_start"})


@pytest.mark.clause("FSM-13")
@pytest.mark.parametrize("edition", ALL)
def test_a_finished_game_takes_no_move(edition):
    table = Table.set(edition, 2, options={"max_turns": 11, "second_card": "may"})
    table.play(0, "draw_deck")
    table.play(0, "stop_drawing")
    assert table.phase == "finished"
    for seat in (0, 1):
        assert table.moves(seat) == []
        for move in ("draw_deck", "draw_row 0", "draw_tickets", "pass", "stop_drawing", "keep_tickets -"):
            assert table.refuses(seat, move, code="game_finished")


@pytest.mark.clause("FSM-13")
@pytest.mark.parametrize(
    "text", ["", " ", "draw", "draw_row", "draw_row -1", "draw_row one", "claim", "pass now"]
)
def test_what_is_no_move_is_refused(text):
    assert Table.set("usa", 2).refuses(0, text, clause="FSM-13", code="malformed_move")


@pytest.mark.clause("FSM-14")
@pytest.mark.parametrize("edition", ALL)
def test_a_move_is_accepted_if_and_only_if_it_is_listed(edition):
    """Every action number of the ruleset, for every seat, in positions of random games."""
    for players in range(2, MOST_PLAYERS[edition] + 1):
        for count, (table, _, _) in enumerate(random_play(edition, players, 7)):
            if count % 40:
                continue
            state = table.state
            for seat in range(players):
                accepted = [
                    action
                    for action in range(state.rules.action_count)
                    if rules_engine.check(state, seat, action) is None
                ]
                assert accepted == rules_engine.legal_actions(state, seat)


@pytest.mark.clause("FSM-14")
@pytest.mark.parametrize("edition", ALL)
def test_the_list_is_the_one_found_by_trying_every_candidate(edition):
    """Against the naive engine of tests/oracle, which shares no code with the one under test."""
    board = load_board(edition)
    for players in (2, MOST_PLAYERS[edition]):
        for count, (table, _, _) in enumerate(random_play(edition, players, 8)):
            if count % 6:
                continue
            position = json.loads(json.dumps(table.position()))
            for seat in range(players):
                assert sorted(table.moves(seat)) == sorted(naive_moves(position, seat, board))


@pytest.mark.clause("FSM-14")
@pytest.mark.parametrize("edition", ALL)
def test_every_listed_move_can_be_played(edition):
    for count, (table, _, _) in enumerate(random_play(edition, 2, 9)):
        if count % 30:
            continue
        for seat in range(2):
            moves = table.moves(seat)
            assert len(set(moves)) == len(moves)
            for move in moves[:: max(1, len(moves) // 40)]:
                table.copy().play(seat, move)


@pytest.mark.clause("FSM-14")
@pytest.mark.parametrize("edition", BOARDS)
def test_only_the_kinds_of_the_phase_are_listed(edition):
    for table, seat, _ in random_play(edition, 2, 10):
        assert {move.split(" ")[0] for move in table.moves(seat)} <= KINDS[table.phase]
