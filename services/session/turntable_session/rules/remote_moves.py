"""Moves on their way to a rules service: many games share its stream, and the messages on it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turntable_proto.game.v1 import move_pb2, position_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_rules import format_move, move_from_json, move_to_json, parse_move
from turntable_rules.engine.moves import malformed
from turntable_session.channels.multiplex import Asked
from turntable_session.domain.rules import MoveInput
from turntable_session.vocabulary.moves import move_to_proto

_MOST: Final = 256
"""Moves in one message; few enough that their answers fit into one."""
_HIGHEST: Final = (1 << 31) - 1


class MoveQuestion:
    """A move to play in a position or, without one, the view to give; and the ruleset to do it by."""

    __slots__ = ("item", "ruleset")

    def __init__(
        self, ruleset: ruleset_pb2.Ruleset, state: bytes, seat: int, move: move_pb2.AnyMove | None
    ) -> None:
        self.ruleset = ruleset
        self.item = pb.MoveItem(
            position=position_pb2.AnyPosition(state=state), seat=seat, move=move, view_only=move is None
        )

    @property
    def correlation_id(self) -> int:
        """The number its answer will have."""
        return self.item.correlation_id

    @correlation_id.setter
    def correlation_id(self, number: int) -> None:
        self.item.correlation_id = number


def packed(asked: list[Asked[MoveQuestion, pb.MoveAnswer]]) -> Iterator[pb.StreamMovesRequest]:
    """Messages for the questions, those of one ruleset together: it may bring a whole board."""
    by_ruleset: dict[int, list[MoveQuestion]] = {}
    for one in asked:
        by_ruleset.setdefault(id(one.question.ruleset), []).append(one.question)
    for questions in by_ruleset.values():
        for start in range(0, len(questions), _MOST):
            yield pb.StreamMovesRequest(
                ruleset=questions[0].ruleset,
                items=[question.item for question in questions[start : start + _MOST]],
                position_form=position_pb2.POSITION_FORM_STATE,
            )


def answers_in(message: pb.StreamMovesResponse) -> Iterable[tuple[int, pb.MoveAnswer]]:
    """The answers by the numbers of their questions."""
    return [(answer.correlation_id, answer) for answer in message.answers]


def any_move(move: MoveInput) -> move_pb2.AnyMove:
    """A move in the form it was given; raises IllegalMove if it is none, whatever the position."""
    if isinstance(move, int):
        # Numbers beyond those of a message are none of any ruleset either.
        return move_pb2.AnyMove(action_id=max(-1, min(move, _HIGHEST)))
    parsed = parse_move(move) if isinstance(move, str) else move_from_json(move)
    try:
        if isinstance(move, Mapping):
            try:
                init: Any = {"move": move_to_proto(move_to_json(parsed))}
                return move_pb2.AnyMove(**init)
            except (KeyError, ValueError):
                pass  # words that only some editions know, such as an alias of a colour
        return move_pb2.AnyMove(text=move if isinstance(move, str) else format_move(parsed))
    except ValueError:
        raise malformed("the move is not a text") from None
