"""The counters of a finished game agree with what the final position and the naive scoring say."""

from typing import Any

import pytest

import turntable_rules as engine
from tests import oracle
from tests.kit.walks import TABLES, Walk


def played(table, number):
    """A finished game and all its events."""
    edition, players = table
    walk = Walk(edition, players, number)
    log: list[engine.Event] = []
    engine.new_game(walk.state.rules, walk.state.seed, log)
    while not walk.finished:
        log += walk.step()
    return walk.state, log


@pytest.mark.parametrize("table", TABLES)
def test_counters_agree_with_the_final_position(table):
    state, log = played(table, 31)
    counted = engine.statistics(state.rules, log)
    position: Any = engine.to_position(state)
    board = oracle.load_board(table[0])
    lengths = {route["id"]: route["length"] for route in board.get("routes", [])}
    scored = oracle.score(position, board)["seats"]
    assert sum(seat.turns for seat in counted.seats) == state.turns
    for seat, (counters, player, result) in enumerate(
        zip(counted.seats, position["players"], scored, strict=True)
    ):
        own = [route for route, owner in position["routes"].items() if owner == seat]
        assert counters.routes == len(own)
        assert counters.route_spaces == sum(lengths[route] for route in own)
        assert counters.tickets_kept == len(player["tickets"]) + len(player["completed"])
        assert counters.tickets_completed == result["tickets_completed"]
        assert counters.tickets_failed == counters.tickets_kept - result["tickets_completed"]
        assert counters.longest_path == (result["longest_path"] or 0)
        assert counters.stations_built == len(player["stations"])
        if own:
            assert counters.mean_route_length == pytest.approx(counters.route_spaces / len(own))


@pytest.mark.parametrize("edition", ["usa", "europe", "switzerland"])
def test_every_card_in_a_hand_was_dealt_or_drawn(edition):
    state, log = played((edition, 3), 32)
    position: Any = engine.to_position(state)
    counted = engine.statistics(state.rules, log)
    for seat, counters in enumerate(counted.seats):
        paid = counters.extra_cards_paid + counters.route_spaces
        built = sum(range(1, counters.stations_built + 1))  # the k-th station costs k cards
        drawn = 4 + counters.cards_drawn_blind + counters.cards_taken_face_up
        assert drawn - paid - built == sum(position["players"][seat]["hand"].values())
        assert counters.locos_drawn_blind <= counters.cards_drawn_blind
        assert counters.locos_taken_face_up <= counters.cards_taken_face_up


def test_flushes_reshuffles_and_rounds_are_counted():
    state, log = played(("card", 4), 33)
    assert engine.statistics(state.rules, log).rounds == 2
    flushes = reshuffles = 0
    for number in range(6):
        state, log = played(("usa", 3), number)
        counted = engine.statistics(state.rules, log)
        # Each reshuffle is one random event; the others are the deck, the tickets and the first player.
        assert counted.reshuffles == state.draws - 3
        flushes += counted.flushes
        reshuffles += counted.reshuffles
    assert flushes > 0
    assert reshuffles > 0
