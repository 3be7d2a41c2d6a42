"""Board and card files: reading, checking, and the published ones."""

from turntable_rules.boards.faults import BoardError, Code, Fault
from turntable_rules.boards.library import (
    BUILTIN_BOARDS,
    BUILTIN_CARDS,
    builtin_board,
    builtin_cards,
    builtin_text,
    load_board,
)
from turntable_rules.boards.parse import parse_board
from turntable_rules.boards.parse_cards import parse_cards
from turntable_rules.boards.ruleset_checks import faults_for

__all__ = [
    "BUILTIN_BOARDS",
    "BUILTIN_CARDS",
    "BoardError",
    "Code",
    "Fault",
    "builtin_board",
    "builtin_cards",
    "builtin_text",
    "faults_for",
    "load_board",
    "parse_board",
    "parse_cards",
]
