"""Counts of all lines of play agree with those of the naive second implementation."""

from __future__ import annotations

import pytest

import turntable_rules as engine
from tests import oracle
from tests.perft import perft


def test_no_ruleset_lacks_a_perft_file():
    assert sorted(path.stem for path in perft.FOLDER.glob("*.json")) == sorted(engine.EDITIONS)
    for edition in engine.EDITIONS:
        for start in perft.read(edition)["starts"]:
            assert start["counts"], "every start is counted to depth 1 at least"


@pytest.mark.clause("FSM-14")
@pytest.mark.parametrize("edition", list(engine.EDITIONS))
def test_counts_agree_with_the_file(edition):
    data = perft.read(edition)
    for start in data["starts"]:
        state = perft.replay(edition, data["players"], data["seed"], start["moves"])
        for depth, expected in enumerate(start["counts"], start=1):
            found = perft.count(state, depth)
            assert found == expected, (
                f"after {len(start['moves'])} moves, depth {depth}: {perft.divide(state, depth)}"
            )


@pytest.mark.clause("FSM-14")
@pytest.mark.parametrize("edition", list(engine.EDITIONS))
def test_the_naive_generator_still_gives_the_file(edition):
    """To depth 2, move by move; `make perft` repeats all of it."""
    data = perft.read(edition)
    board = oracle.load_board(edition)
    for start in data["starts"]:
        state = perft.replay(edition, data["players"], data["seed"], start["moves"])
        position = engine.to_position(state)
        for depth, expected in enumerate(start["counts"][:2], start=1):
            if expected > 1500:
                continue
            naive = perft.naive_divide(position, board, depth)
            assert sum(naive.values()) == expected
            assert naive == perft.divide(state, depth)
