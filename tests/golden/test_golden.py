"""Golden games come out the same, line by line. A difference means that ENGINE_REVISION has to change."""

from __future__ import annotations

import pytest

import turntable_rules as engine
from tests import oracle
from tests.golden import golden


def test_no_ruleset_lacks_a_golden_game():
    assert sorted(path.stem for path in golden.FOLDER.glob("*.txt")) == sorted(engine.EDITIONS)


@pytest.mark.clause("COMMON-RNG-1")
@pytest.mark.parametrize("edition", list(engine.EDITIONS))
def test_the_game_comes_out_the_same(edition):
    assert golden.first_difference(edition) is None


@pytest.mark.parametrize("edition", list(engine.EDITIONS))
def test_the_naive_second_implementation_plays_the_same_game(edition):
    """So that a golden file is more than a memory of the engine's own opinion."""
    lines = golden.path_of(edition).read_text("utf-8").splitlines()
    seed = bytes.fromhex(lines[0].rsplit(" ", 1)[1])
    board = oracle.load_board(edition)
    position = oracle.new_position(edition, golden.PLAYERS[edition], {}, seed)
    for seat, text in golden.moves_in(lines):
        position = oracle.apply_move(position, seat, text, board)
    final = next(line for line in lines if line.startswith("position "))
    stored = engine.parse_position(final.removeprefix("position "))
    position["board"] = stored["board"]
    assert position == stored


@pytest.mark.parametrize("edition", list(engine.EDITIONS))
def test_the_file_was_written_by_this_revision(edition):
    header = golden.path_of(edition).read_text("utf-8").split("\n", 1)[0]
    assert f" revision {engine.ENGINE_REVISION} " in header
