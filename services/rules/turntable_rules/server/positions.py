"""Positions of requests as sound states, and states in the form an answer wants."""

from collections.abc import Mapping

from turntable_proto.game.v1 import position_pb2, ruleset_pb2
from turntable_rules import (
    BadPosition,
    Ruleset,
    State,
    decode,
    encode,
    format_position,
    from_position,
    invariants,
    parse_position,
    ruleset,
    to_position,
)
from turntable_rules.engine.options import parse_options
from turntable_rules.server.errors import malformed
from turntable_rules.server.from_proto import options_given, position_from_proto
from turntable_rules.server.rulesets import Rulesets
from turntable_rules.server.to_proto import fill


class Positions:
    """Loads positions; nothing is kept but rulesets."""

    def __init__(self, rulesets: Rulesets) -> None:
        self.rulesets = rulesets

    def load(self, position: position_pb2.AnyPosition, named: ruleset_pb2.Ruleset | None) -> State:
        """A sound state; raises BadPosition with everything that is broken, or another error of the engine."""
        match position.WhichOneof("form"):
            case "state":
                if named is None:
                    raise malformed("a compact state needs its ruleset beside it")
                state = decode(self.rulesets.get(named), position.state)
            case "notation":
                facts = parse_position(position.notation)
                state = from_position(self._ruleset_of(facts, named), facts)
            case "position":
                state = self._from_message(position.position, named)
            case _:
                raise malformed("the position is missing")
        broken = invariants(state, just_read=True)
        if broken:
            raise BadPosition(broken)
        return state

    def _from_message(self, message: position_pb2.Position, named: ruleset_pb2.Ruleset | None) -> State:
        if named is None:
            named = ruleset_pb2.Ruleset(
                edition=message.edition, player_count=message.player_count, options=message.options
            )
        rules = self.rulesets.get(named)
        options = rules.options.to_json(rules.edition)
        # Options left out in the message stand at their defaults, as they do in a ruleset.
        own = parse_options(rules.edition, message.player_count, options_given(message.options))
        if own.to_json(rules.edition) != options:
            raise BadPosition(["options: they do not fit the ruleset beside the position"])
        return from_position(rules, position_from_proto(message, options))

    def _ruleset_of(self, facts: Mapping[str, object], named: ruleset_pb2.Ruleset | None) -> Ruleset:
        if named is not None:
            return self.rulesets.get(named)
        edition, players, options = facts["edition"], facts["player_count"], facts["options"]
        if not isinstance(edition, str) or not isinstance(players, int) or not isinstance(options, Mapping):
            raise BadPosition(["edition, player_count and options have to name a ruleset"])
        return ruleset(edition, players, options)


_FORM_OF = {
    "position": position_pb2.POSITION_FORM_MESSAGE,
    "state": position_pb2.POSITION_FORM_STATE,
    "notation": position_pb2.POSITION_FORM_NOTATION,
}
_COMPACT = (position_pb2.POSITION_FORM_STATE, position_pb2.POSITION_FORM_UNSPECIFIED)


def form_wanted(form: int, given: position_pb2.AnyPosition) -> int:
    """The form asked for; where none was, that of the position given."""
    kind = given.WhichOneof("form")
    return form if form or kind is None else _FORM_OF[kind]


def put_position(target: position_pb2.AnyPosition, state: State, form: int) -> None:
    """Write a state into an answer in the form asked for; the compact one if none was."""
    if form in _COMPACT:
        target.state = encode(state)
    elif form == position_pb2.POSITION_FORM_MESSAGE:
        fill(target.position, to_position(state))
    elif form == position_pb2.POSITION_FORM_NOTATION:
        target.notation = format_position(state)
    else:
        raise malformed(f"position_form: {form} is not a form")
