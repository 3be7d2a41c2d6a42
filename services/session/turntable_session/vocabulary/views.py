"""The engine's views and results as messages."""

from typing import Final

from turntable_proto.game.v1 import position_pb2, result_pb2, view_pb2
from turntable_session.vocabulary.from_proto import reading
from turntable_session.vocabulary.to_proto import preparing
from turntable_session.vocabulary.words import numbers_of, words_of

view_to_proto: Final = preparing(view_pb2.View.DESCRIPTOR)
view_from_proto: Final = reading(view_pb2.View.DESCRIPTOR)
result_to_proto: Final = preparing(result_pb2.GameResult.DESCRIPTOR)
result_from_proto: Final = reading(result_pb2.GameResult.DESCRIPTOR)

_PHASES: Final = position_pb2.Phase.DESCRIPTOR


def phase_to_proto(phase: str) -> int:
    """A phase; empty before the start."""
    return numbers_of(_PHASES)[phase or None]


def phase_from_proto(number: int) -> str:
    """A phase; empty before the start."""
    return words_of(_PHASES)[number] or ""
