"""Plain data as messages and back, from the descriptors alone: no code in common with the service under test."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

import turntable_rules as rules_engine
from turntable_proto.game.v1 import error_pb2, event_pb2, move_pb2, position_pb2, result_pb2, view_pb2
from turntable_rules.engine.options import option_names

Facts = dict[str, Any]

# Objects from a name to a number are lists of pairs: the fields that hold name and number.
_PAIRS = {"CardCount": ("card", "count"), "RouteOwner": ("route", "seat"), "StationOwner": ("city", "seat")}
# Lists and multisets that may be absent are wrapped.
_WRAPPED = {"TicketChoice": "tickets", "CardPile": "cards"}


def to_message(facts: Mapping[str, Any], message: Any) -> Any:
    """Fill a message with plain data; null is absent."""
    message.SetInParent()
    for name, value in facts.items():
        field = message.DESCRIPTOR.fields_by_name[name]
        if value is None or (name == "first_player" and value == "random"):
            continue
        if field.is_repeated:
            _put_list(getattr(message, name), field, value)
        elif field.message_type is None:
            setattr(message, name, _to_single(field, value))
        elif field.message_type.name in _WRAPPED:
            to_message({_WRAPPED[field.message_type.name]: value}, getattr(message, name))
        else:
            to_message(value, getattr(message, name))
    return message


def _put_list(target: Any, field: FieldDescriptor, value: Any) -> None:
    kind = field.message_type
    if kind is None:
        target.extend(_to_single(field, item) for item in value)
        return
    if kind.name in _PAIRS:
        name, number = _PAIRS[kind.name]
        value = [{name: one, number: other} for one, other in value.items()]
    for item in value:
        to_message(item, target.add())


def _to_single(field: FieldDescriptor, value: Any) -> Any:
    if field.enum_type is not None:
        return (
            0 if value is None else field.enum_type.values_by_name[_long_name(field.enum_type, value)].number
        )
    return bytes.fromhex(value) if field.type == FieldDescriptor.TYPE_BYTES else value


def _long_name(enum: EnumDescriptor, word: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", enum.name).upper() + "_" + word.upper()


def from_message(message: Message) -> Facts:
    """A message as plain data."""
    return {field.name: _read(message, field) for field in message.DESCRIPTOR.fields}


def _read(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.is_repeated:
        return _read_list(field, value)
    if field.has_presence and not message.HasField(field.name):
        return None
    return _from_single(field, value)


def _read_list(field: FieldDescriptor, value: Any) -> Any:
    items = [_from_single(field, item) for item in value]
    if field.message_type is None or field.message_type.name not in _PAIRS:
        return items
    name, number = _PAIRS[field.message_type.name]
    found = {item[name]: item[number] for item in items}
    assert len(found) == len(items), f"{field.full_name} names something twice"
    return found


def _from_single(field: FieldDescriptor, value: Any) -> Any:
    if field.message_type is not None:
        facts = from_message(value)
        return facts[_WRAPPED[field.message_type.name]] if field.message_type.name in _WRAPPED else facts
    if field.enum_type is not None:
        name = field.enum_type.values_by_number[value].name
        word = str(name).removeprefix(_long_name(field.enum_type, "")).lower()
        return None if word == "unspecified" else word
    return value.hex() if isinstance(value, bytes) else value


def position_facts(message: position_pb2.Position) -> Facts:
    """A readable position as `to_position` gives it."""
    facts = from_message(message)
    facts["options"] = _options(facts)
    return facts


def view_facts(message: view_pb2.View) -> Facts:
    """A view as `view` gives it: a road pile only where it may be looked into."""
    facts = from_message(message)
    facts["options"] = _options(facts)
    if facts["you"] is not None and not message.you.HasField("road_pile"):
        del facts["you"]["road_pile"]
    return facts


def _options(facts: Facts) -> Facts:
    """The options the edition has; where the first player is not said, chance decides."""
    given = facts["options"]
    if given["first_player"] is None:
        given["first_player"] = "random"
    known = option_names(rules_engine.EDITIONS[facts["edition"]])
    assert not [name for name, value in given.items() if name not in known and value]
    return {name: given[name] for name in known}


def result_facts(message: result_pb2.GameResult) -> Facts:
    """A result as `result_to_json` gives it."""
    facts = from_message(message)
    facts["ending"] = facts["ending"] or "running"
    return facts


def event_of(message: event_pb2.Event) -> rules_engine.Event:
    """An event with its two parts."""
    kind = message.WhichOneof("type")
    assert kind is not None
    public = from_message(getattr(message, kind))
    if not message.HasField("private_part"):
        return rules_engine.Event(kind, public)
    private = message.private_part
    assert private.WhichOneof("type") == kind, "the parts of an event belong together"
    return rules_engine.Event(kind, public, private.seat, from_message(getattr(private, kind)))


def refusal_of(message: error_pb2.Refusal) -> rules_engine.Refusal:
    """A refusal."""
    return rules_engine.Refusal(message.code, message.clause, message.message, message.allowed)


def move_message(move: rules_engine.Move) -> move_pb2.Move:
    """A typed move as a message; KeyError where a word in it is none of the message's."""
    facts = rules_engine.move_to_json(move)
    kind = str(facts.pop("type"))
    message = move_pb2.Move()
    to_message(facts, getattr(message, "pass_turn" if kind == "pass" else kind))
    return message


def move_text(message: move_pb2.Move) -> str:
    """A move as text."""
    kind = message.WhichOneof("move")
    assert kind is not None
    facts = from_message(getattr(message, kind))
    name = "pass" if kind == "pass_turn" else kind
    return rules_engine.format_move(rules_engine.move_from_json({"type": name, **facts}))
