"""Moves as messages. The engine's `pass` is called `pass_turn` there, a reserved word in several languages."""

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

from turntable_proto.game.v1 import move_pb2
from turntable_session.problems import malformed
from turntable_session.vocabulary.from_proto import Facts, reading
from turntable_session.vocabulary.to_proto import Init, preparing

_FIELD_OF: Final = {"pass": "pass_turn"}
_TYPE_OF: Final = {"pass_turn": "pass"}


def _kind(field: FieldDescriptor) -> Any:
    assert field.message_type is not None
    return field.message_type


_prepare: Final = {field.name: preparing(_kind(field)) for field in move_pb2.Move.DESCRIPTOR.fields}
_read: Final = {field.name: reading(_kind(field)) for field in move_pb2.Move.DESCRIPTOR.fields}


def move_to_proto(move: Mapping[str, Any]) -> Init:
    """A move of the engine's, `{"type": …}`; KeyError where a word in it is none of the message's."""
    facts = dict(move)
    name = str(facts.pop("type"))
    field = _FIELD_OF.get(name, name)
    return {field: _prepare[field](facts)}


def move_from_proto(message: move_pb2.Move) -> Facts:
    """The move as the engine's `move_to_json` gives it."""
    field = message.WhichOneof("move")
    if field is None:
        raise malformed("the move is empty")
    return {"type": _TYPE_OF.get(field, field), **_read[field](getattr(message, field))}


def legal_move_to_proto(move: Mapping[str, Any]) -> Init:
    """A legal move with its number."""
    facts = dict(move)
    return {"action_id": facts.pop("id"), "move": move_to_proto(facts)}


def legal_move_from_proto(message: move_pb2.LegalMove) -> Facts:
    """A legal move with its number as `id`."""
    return {"id": message.action_id, **move_from_proto(message.move)}
