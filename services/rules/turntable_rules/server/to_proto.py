"""The engine's plain data as protobuf messages: fields and keys have the same names, so one walk serves all.

What is null is absent; names of cards, phases and endings become enum values; objects of counts or owners are lists.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from turntable_proto.game.v1 import cards_pb2, event_pb2, position_pb2
from turntable_rules import Event
from turntable_rules.engine.cards import CARD_NAMES

Facts = Mapping[str, Any]

CARD_NUMBER = {name: number + 1 for number, name in enumerate(CARD_NAMES)}
_PAIRS = {"RouteOwner": ("route", "seat"), "StationOwner": ("city", "seat")}
_IGNORED = {"first_player": "random", "ending": "running"}
"""Values that a message says by saying nothing."""


_FIELDS: dict[str, dict[str, Any]] = {}


def fields_of(message: Message) -> dict[str, Any]:
    """The field descriptors of a message by name."""
    kind = message.DESCRIPTOR.full_name
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = {field.name: field for field in message.DESCRIPTOR.fields}
    return fields


@cache
def enum_prefix(enum: EnumDescriptor) -> str:
    """What the values of an enum begin with, by the convention of its zero value."""
    return str(enum.values_by_number[0].name.removesuffix("UNSPECIFIED"))


@cache
def enum_number(enum: EnumDescriptor, name: str) -> int:
    """The number of a value by the engine's name for it."""
    return int(enum.values_by_name[enum_prefix(enum) + name.upper()].number)


def fill(message: Message, facts: Facts) -> None:
    """Set the fields of a message from plain data."""
    fields = fields_of(message)
    for key, value in facts.items():
        if value is None or _IGNORED.get(key) == value:
            continue
        field = fields[key]
        if field.is_repeated:
            _extend(getattr(message, key), field, value)
        elif field.message_type is not None:
            _fill_inner(getattr(message, key), value)
        elif field.enum_type is not None:
            setattr(message, key, enum_number(field.enum_type, value))
        elif field.type == FieldDescriptor.TYPE_BYTES:
            setattr(message, key, bytes.fromhex(value))
        else:
            setattr(message, key, value)


def _extend(target: Any, field: Any, value: Any) -> None:
    kind = field.message_type
    if kind is None:
        if field.enum_type is not None:
            enum = field.enum_type
            target.extend([0 if item is None else enum_number(enum, item) for item in value])
        else:
            target.extend(value)
    elif kind.GetOptions().map_entry:
        target.update(value)
    elif kind.name == "CardCount":
        add_counts(target, value)
    elif kind.name in _PAIRS:
        first, second = _PAIRS[kind.name]
        for name, number in value.items():
            target.add(**{first: name, second: number})
    else:
        for item in value:
            fill(target.add(), item)


def _fill_inner(message: Message, value: Any) -> None:
    message.SetInParent()
    if isinstance(message, cards_pb2.CardPile):
        add_counts(message.cards, value)
    elif isinstance(message, position_pb2.TicketChoice):
        message.tickets.extend(value)
    else:
        fill(message, value)


def add_counts(target: Any, counts: Mapping[str, int]) -> None:
    """Card counts by name as a list."""
    for card, count in counts.items():
        target.add(card=CARD_NUMBER[card], count=count)


def add_event(target: Any, event: Event) -> None:
    """Append an event with its public and its private part."""
    message: event_pb2.Event = target.add()
    public = getattr(message, event.type)
    public.SetInParent()
    fill(public, event.public)
    if event.private is not None:
        message.private_part.seat = event.seat
        private = getattr(message.private_part, event.type)
        private.SetInParent()
        fill(private, event.private)
