"""Rulesets by the messages that name them, built once and kept as long as they are in use."""

from collections import OrderedDict

from turntable_proto.game.v1 import ruleset_pb2
from turntable_rules import Ruleset, parse_board, ruleset
from turntable_rules.server.errors import malformed
from turntable_rules.server.from_proto import options_given

_KEPT = 256


class Rulesets:
    """A bounded cache; a ruleset is immutable, so sharing it is safe."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Ruleset] = OrderedDict()

    def get(self, message: ruleset_pb2.Ruleset) -> Ruleset:
        """The ruleset of a message; raises the engine's errors where it is none."""
        key = message.SerializeToString(deterministic=True)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        built = self._build(message)
        self._kept[key] = built
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return built

    def _build(self, message: ruleset_pb2.Ruleset) -> Ruleset:
        if not message.edition:
            raise malformed("the ruleset names no edition")
        board = parse_board(message.board_json) if message.board_json else None
        return ruleset(message.edition, message.player_count, options_given(message.options), board)
