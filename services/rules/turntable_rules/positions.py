"""Positions from outside: the ruleset they name is built, and they are checked in full."""

from collections.abc import Mapping

from turntable_rules.editions import ruleset
from turntable_rules.engine.bad_position import BadPosition
from turntable_rules.engine.board import Board
from turntable_rules.engine.invariants import invariants
from turntable_rules.engine.notation import parse_position
from turntable_rules.engine.options import OptionError
from turntable_rules.engine.read_position import from_position
from turntable_rules.engine.state import State


def load_position(position: str | Mapping[str, object], board: Board | None = None) -> State:
    """The state of a position string or readable position; raises BadPosition with everything that is wrong."""
    data = parse_position(position) if isinstance(position, str) else position
    edition, players, options = data.get("edition"), data.get("player_count"), data.get("options")
    if not isinstance(edition, str) or not isinstance(players, int) or not isinstance(options, Mapping):
        raise BadPosition(["edition, player_count and options have to name a ruleset"])
    try:
        rules = ruleset(edition, players, options, board)
    except OptionError as error:
        raise BadPosition(error.faults) from error
    state = from_position(rules, data)
    broken = invariants(state)
    if broken:
        raise BadPosition(broken)
    return state
