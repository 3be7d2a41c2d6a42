"""A second, deliberately naive implementation of docs/rules.md, for tests to compare the engine with."""

from .naive_apply import IllegalMove, apply_move, retire
from .naive_moves import legal_moves
from .naive_rules import load_board
from .naive_score import score
from .naive_setup import new_position

__all__ = ["IllegalMove", "apply_move", "legal_moves", "load_board", "new_position", "retire", "score"]
