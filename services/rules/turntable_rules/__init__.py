"""The Ticket to Ride family as a pure rules engine: six editions, exact and deterministic.

rules = ruleset("europe", 3)
state = new_game(rules, seed)
events = apply(state, seat, legal_actions(state)[0])
"""

from turntable_rules.boards.faults import BoardError, Fault
from turntable_rules.boards.library import builtin_board, builtin_cards, load_board
from turntable_rules.boards.parse import parse_board
from turntable_rules.editions import EDITIONS, ruleset
from turntable_rules.engine import state as _state
from turntable_rules.engine.bad_position import BadPosition
from turntable_rules.engine.board import Board, CardSet
from turntable_rules.engine.check import check
from turntable_rules.engine.codec import decode, encode
from turntable_rules.engine.deal import new_game
from turntable_rules.engine.edition import Edition
from turntable_rules.engine.events import Event
from turntable_rules.engine.invariants import invariants
from turntable_rules.engine.legal import legal_actions
from turntable_rules.engine.move_numbers import check_move, legal_moves, to_action, to_move
from turntable_rules.engine.move_text import format_move, parse_move
from turntable_rules.engine.moves import Move, move_from_json, move_to_json
from turntable_rules.engine.notation import format_position, parse_position
from turntable_rules.engine.options import OptionError, Options
from turntable_rules.engine.play import apply, play
from turntable_rules.engine.position import to_position
from turntable_rules.engine.read_position import from_position
from turntable_rules.engine.refusals import IllegalMove, Refusal
from turntable_rules.engine.result import Result, SeatResult, result_to_json
from turntable_rules.engine.retirement import retire
from turntable_rules.engine.revision import ENGINE_REVISION
from turntable_rules.engine.ruleset import Ruleset
from turntable_rules.engine.scoring import score
from turntable_rules.engine.state import State, seats_to_act
from turntable_rules.engine.state_hash import state_hash
from turntable_rules.engine.statistics import statistics
from turntable_rules.engine.views import view
from turntable_rules.positions import load_position
from turntable_rules.records import RECORD_FORMAT, Verdict, deal_seed, verify_record

COMPILED: bool = not str(_state.__file__).endswith(".py")
"""Whether the hot modules run as native code."""

__version__ = "0.1.0"

__all__ = [
    "COMPILED",
    "EDITIONS",
    "ENGINE_REVISION",
    "RECORD_FORMAT",
    "BadPosition",
    "Board",
    "BoardError",
    "CardSet",
    "Edition",
    "Event",
    "Fault",
    "IllegalMove",
    "Move",
    "OptionError",
    "Options",
    "Refusal",
    "Result",
    "Ruleset",
    "SeatResult",
    "State",
    "Verdict",
    "apply",
    "builtin_board",
    "builtin_cards",
    "check",
    "check_move",
    "deal_seed",
    "decode",
    "encode",
    "format_move",
    "format_position",
    "from_position",
    "invariants",
    "legal_actions",
    "legal_moves",
    "load_board",
    "load_position",
    "move_from_json",
    "move_to_json",
    "new_game",
    "parse_board",
    "parse_move",
    "parse_position",
    "play",
    "result_to_json",
    "retire",
    "ruleset",
    "score",
    "seats_to_act",
    "state_hash",
    "statistics",
    "to_action",
    "to_move",
    "to_position",
    "verify_record",
    "view",
]
