"""Turns: one action each, clockwise, by the active player alone (COMMON-TURN)."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, MOST_PLAYERS, begun, random_move, random_play, seed_of
from tests.kit.table import Table


def one_turn(table: Table, seat: int, chance: Random) -> list[str]:
    """Play moves of a seat until its turn is over; returns them."""
    turns, played = table.position()["turns"], []
    while table.phase != "finished" and table.position()["turns"] == turns:
        played.append(random_move(table, seat, chance))
        table.play(seat, played[-1])
    return played


@pytest.mark.clause("COMMON-TURN-1", "COMMON-TURN-6")
@pytest.mark.parametrize("edition", ALL)
def test_a_turn_is_exactly_one_action_of_the_list(edition):
    """In whole random games every turn is one of the sequences that an action consists of."""
    actions = {
        ("draw_deck",),
        ("draw_row",),
        *[(first, second) for first in ("draw_deck", "draw_row") for second in ("draw_deck", "draw_row")],
        ("draw_deck", "stop_drawing"),
        ("draw_row", "stop_drawing"),
        ("draw_tickets", "keep_tickets"),
        ("pass",),
    }
    if edition == "card":
        actions |= {("play_same",), ("play_three",)}
    else:
        actions |= {("claim",)}
    if edition in ("europe", "switzerland"):
        actions |= {("claim", "tunnel_pay"), ("claim", "tunnel_abandon")}
    if edition == "europe":
        actions |= {("build_station",)}
    met = set()
    for number in range(3):
        table, chance = begun(edition, 2, number), Random(number)
        while table.phase != "finished":
            seat = table.active
            played = tuple(move.split(" ")[0] for move in one_turn(table, seat, chance))
            assert played in actions
            met.add(played)
    expected = {("draw_deck", "draw_row"), ("draw_row", "draw_deck"), ("draw_tickets", "keep_tickets")}
    assert met >= expected


@pytest.mark.clause("COMMON-TURN-1", "FSM-13")
@pytest.mark.parametrize(
    ("edition", "foreign"),
    [
        (
            "usa",
            ["build_station boston 1red", "play_same red 2+0", "play_three red,blue,green", "tunnel_abandon"],
        ),
        ("usa", ["tunnel_pay 1red"]),
        ("lyon", ["build_station s01 1red", "tunnel_abandon"]),
        ("switzerland", ["build_station bern 1red", "play_same red 2+0"]),
        ("europe", ["play_same red 2+0", "play_three red,blue,green"]),
        (
            "card",
            ["claim montreal_new_york 3blue", "build_station wien 1red", "tunnel_abandon", "tunnel_pay 1red"],
        ),
    ],
)
def test_an_action_that_the_ruleset_does_not_list_is_refused(edition, foreign):
    table = Table.set(edition, 2, hands={0: "rrruuuggg"})
    for move in foreign:
        assert table.refuses(0, move, clause="COMMON-TURN-1", code="unknown_action")


@pytest.mark.clause("COMMON-TURN-2")
@pytest.mark.parametrize("edition", ALL)
def test_turns_pass_clockwise(edition):
    for players in range(2, MOST_PLAYERS[edition] + 1):
        table, chance = begun(edition, players, options={"first_player": players - 1}), Random(1)
        for turn in range(2 * players + 1):
            seat = (players - 1 + turn) % players
            assert table.active == seat and table.view(None)["active_seats"] == [seat]
            one_turn(table, seat, chance)


@pytest.mark.clause("COMMON-TURN-1", "COMMON-TURN-2", "COMMON-TURN-3")
@pytest.mark.scenario("S-172")
def test_turns_go_round_from_the_first_player_with_one_action_each():
    table = begun("usa", 4, options={"first_player": 2})
    played = []
    for _ in range(5):
        played.append(table.active)
        table.play(table.active, "draw_deck")
        table.play(played[-1], "stop_drawing")
    assert played == [2, 3, 0, 1, 2]
    first = Counter(Table.new("usa", 4, seed_of(number)).position()["first"] for number in range(2000))
    assert sorted(first) == [0, 1, 2, 3]
    assert all(400 < count < 600 for count in first.values())  # five standard deviations


@pytest.mark.clause("COMMON-TURN-3")
@pytest.mark.parametrize("edition", ALL)
def test_the_first_player_can_be_named(edition):
    for seat in range(MOST_PLAYERS[edition]):
        for number in range(5):
            table = begun(edition, MOST_PLAYERS[edition], number, {"first_player": seat})
            assert table.active == table.position()["first"] == seat


@pytest.mark.clause("COMMON-TURN-4", "COMMON-TURN-5", "FSM-13")
@pytest.mark.scenario("S-168")
@pytest.mark.parametrize("edition", ALL)
def test_nobody_moves_on_another_players_turn(edition):
    """In all phases of random games; `refuses` sees that nothing changes."""
    for count, (table, seat, move) in enumerate(random_play(edition, 3, 1)):
        if table.phase == "setup_tickets" or count % 5:
            continue
        for other in {0, 1, 2} - {seat}:
            assert table.moves(other) == []
            for text in (move, "draw_deck", "draw_row 0", "draw_tickets", "pass"):
                assert table.refuses(other, text, clause="COMMON-TURN-4", code="not_your_turn")


@pytest.mark.clause("COMMON-TURN-4")
@pytest.mark.parametrize("seat", [2, 5, -2])
def test_seats_that_do_not_exist_cannot_move(seat):
    table = Table.set("usa", 2)
    assert table.refuses(seat, "draw_deck", clause="COMMON-TURN-4", code="unknown_seat")


@pytest.mark.clause("COMMON-TURN-5")
@pytest.mark.parametrize("edition", ALL)
def test_an_illegal_move_is_refused_with_a_reason_and_changes_nothing(edition):
    """Every action number of the ruleset, legal or not, in positions of a random game."""
    refused = 0
    for count, (table, seat, _) in enumerate(random_play(edition, 2, 3)):
        if count % 40:
            continue
        state, before = table.state, rules_engine.encode(table.state)
        legal = set(rules_engine.legal_actions(state, seat))
        for action in {*range(-1, state.rules.action_count + 1)} - legal:
            with pytest.raises(rules_engine.IllegalMove) as caught:
                rules_engine.apply(state, seat, action)
            reason = caught.value.refusal
            assert reason.code and reason.clause and reason.message
            refused += 1
        assert rules_engine.encode(state) == before
    assert refused > 1000


@pytest.mark.clause("COMMON-TURN-5", "COMMON-CLAIM-14")
@pytest.mark.scenario("S-173")
def test_a_claim_without_a_payment_is_refused():
    table = Table.set("usa", 2, hands={0: "uuuLL"})
    for move in ("claim montreal_new_york", "claim montreal_new_york -"):
        assert table.refuses(0, move, clause="COMMON-CLAIM-14", code="payment_missing")
    assert table.allows(0, "claim montreal_new_york 3blue")


@pytest.mark.clause("COMMON-TURN-6")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("first", ["draw_deck", "draw_row 0"])
def test_after_a_first_card_no_other_action_is_available(edition, first):
    table = Table.set(edition, 2, hands={0: "ppwwuuyyookkrrggLL"})
    others = [move for move in table.moves(0) if not move.startswith("draw_row")]
    others = [move for move in others if move != "draw_deck"]
    assert len(others) > 20
    table.play(0, first)
    for move in [*others, "pass"]:
        assert table.refuses(0, move, clause="COMMON-TURN-6", code="wrong_phase")


@pytest.mark.clause("COMMON-TURN-6")
@pytest.mark.parametrize("edition", ALL)
def test_after_drawing_tickets_only_a_choice_among_them_is_available(edition):
    table = Table.set(edition, 2, hands={0: "rruuggLL"})
    before = table.moves(0)
    table.play(0, "draw_tickets")
    for move in [*before, "pass", "stop_drawing"]:
        assert table.refuses(0, move)
    assert all(move.startswith("keep_tickets") for move in table.moves(0))


@pytest.mark.clause("COMMON-TURN-6")
def test_after_a_card_of_the_card_game_nothing_can_be_placed():
    table = Table.set("card", 2, hands={0: "rruuggLL"})
    sets = [move for move in table.moves(0) if move.startswith("play_")]
    assert sets
    table.play(0, "draw_deck")
    for move in [*sets, "draw_tickets"]:
        assert table.refuses(0, move, clause="COMMON-TURN-6")


@pytest.mark.clause("COMMON-TURN-6", "FSM-7")
def test_after_a_tunnel_reveal_no_other_action_is_available():
    table = Table.set("europe", 2, hands={0: "rrrrruuuL"}, deck_top="ruw")
    before = [move for move in table.moves(0) if not move.startswith("claim angora_constantinople")]
    table.play(0, "claim angora_constantinople 2red")
    assert table.phase == "tunnel_pending"
    for move in before:
        assert table.refuses(0, move, clause="COMMON-TURN-6")
    assert table.moves(0) == ["tunnel_abandon", "tunnel_pay 1red", "tunnel_pay 1loco"]


@pytest.mark.clause("COMMON-TURN-7", "COMMON-DECK-5")
def test_the_end_of_a_turn_discards_settles_checks_for_the_last_round_and_passes_on():
    """A tunnel that empties the reserve, with an empty deck: four things happen, in the order of the clause."""
    board = tunnel_board()
    owned = {f"r{number}": 0 for number in range(10)}
    table = Table.set(
        "europe", 2, board=board, hands={0: "rrr"}, row="gguu.", deck="", spare=1, routes=owned, active=0
    )
    assert table.player(0)["wagons"] == 5 and not table.position()["deck"]
    events = table.play(0, "claim tunnel 3red")
    assert [event["type"] for event in events] == [
        "tunnel_revealed",
        "route_claimed",
        "deck_reshuffled",
        "row_filled",
        "last_round_started",
        "turn_started",
    ]
    assert events[2]["count"] == 3
    assert table.position()["final_turns_left"] == 2 and table.active == 1


def tunnel_board() -> rules_engine.Board:
    """Ten routes of four in a line, and a tunnel of three beside them."""
    cities = [f"c{number}" for number in range(13)]
    routes = [
        {"id": f"r{number}", "a": f"c{number}", "b": f"c{number + 1}", "length": 4, "color": "grey"}
        for number in range(11)
    ]
    routes.append(
        {"id": "tunnel", "a": "c11", "b": "c12", "length": 3, "color": "red", "kind": "tunnel"},
    )
    tickets = [
        {
            "id": f"t{number}",
            "a": "c0",
            "b": f"c{number}",
            "points": number,
            "deck": "long" if number < 7 else "regular",
        }
        for number in range(1, 13)
    ]
    return rules_engine.parse_board(
        json.dumps(
            {
                "format": "turntable-board/1",
                "id": "line",
                "name": "Line",
                "board": {"width": 200, "height": 100},
                "cities": [{"id": c, "name": c, "x": 10 + 10 * i, "y": 10} for i, c in enumerate(cities)],
                "routes": routes,
                "tickets": tickets,
            }
        )
    )
