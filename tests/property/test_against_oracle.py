"""The engine against the naive second implementation: equal positions, equal moves, equal results, whole games long."""

from __future__ import annotations

from random import Random

import pytest

import turntable_rules as engine
from tests import oracle
from tests.kit.walks import TABLES, Walk, seed_of

VARIANTS: tuple[dict[str, object], ...] = (
    {},
    {"second_card": "must"},
    {"second_card": "may"},
    {"max_turns": 30},
    {"longest_path": "no_fork", "flush_limit": 1},
)


def options_for(edition: str, variant: dict[str, object]) -> dict[str, object]:
    known = engine.ruleset(edition, 2).options.to_json(engine.EDITIONS[edition])
    return {name: value for name, value in variant.items() if name in known}


def compare_game(edition: str, players: int, number: int, options: dict[str, object], leave: float) -> None:
    """Play one game on both; every position has to be the same, every third list of moves is compared."""
    random = Random(number)
    board = oracle.load_board(edition)
    walk = Walk(edition, players, number, options)
    state = walk.state
    expected = oracle.new_position(edition, players, options, seed_of(number))
    expected["board"] = state.rules.digest
    step = 0
    while not walk.finished:
        assert engine.to_position(state) == expected
        seat, action = walk.choose()
        if step % 3 == 0:
            moves = [engine.format_move(move) for move in engine.legal_moves(state, seat)]
            assert sorted(moves) == sorted(oracle.legal_moves(expected, seat, board))
        if random.random() < leave:
            seat = random.choice([s for s in range(players) if not state.is_retired(s)])
            engine.retire(state, seat)
            expected = oracle.retire(expected, seat, board)
        else:
            text = engine.format_move(engine.to_move(state, seat, action))
            engine.apply(state, seat, action)
            expected = oracle.apply_move(expected, seat, text, board)
        step += 1
    assert engine.to_position(state) == expected
    compare_results(engine.result_to_json(engine.score(state)), oracle.score(expected, board))


def compare_results(result: dict, expected: dict) -> None:
    assert result["winners"] == list(expected["winners"])
    for seat, other in zip(result["seats"], expected["seats"], strict=True):
        assert seat["total"] == other["total"]
        assert seat["rank"] == other["rank"]
        assert seat["start"] == other["start_score"]
        assert seat["routes"] == other["route_points"]
        assert seat["stations"] == other["station_points"]
        assert seat["longest_path"]["length"] == other["longest_path"]
        assert seat["longest_path"]["bonus"] == other["longest_path_bonus"]
        assert [loan["route"] for loan in seat["loans"]] == list(other["loans"])
        tickets = [(ticket["id"], ticket["completed"], ticket["points"]) for ticket in seat["tickets"]]
        assert tickets == [
            (ticket["id"], ticket["completed"], ticket["value"]) for ticket in other["tickets"]
        ]


@pytest.mark.parametrize(("edition", "players"), TABLES)
@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_games_agree(edition, players, variant):
    compare_game(edition, players, 100 + variant, options_for(edition, VARIANTS[variant]), leave=0)


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-RESIGN-4")
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_games_with_retirements_agree(edition, players):
    for number in range(3):
        compare_game(edition, players, 200 + number, {}, leave=0.03)
