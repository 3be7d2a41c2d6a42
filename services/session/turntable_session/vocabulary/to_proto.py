"""Plain data as what the constructor of a message takes: fields and keys have the same names, so one walk serves all.

What is null is absent; names of cards, phases and endings become numbers; objects of counts or owners become lists.
Whole messages are then built by one call of the protobuf runtime, which is several times faster than field by field.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from turntable_proto.game.v1 import cards_pb2, options_pb2
from turntable_session.vocabulary.words import numbers_of

Facts = Mapping[str, Any]
Init = dict[str, Any]
"""What the constructor of a message takes."""

_PAIRS: Final = {"RouteOwner": ("route", "seat"), "StationOwner": ("city", "seat")}
_CARDS: Final = numbers_of(cards_pb2.Card.DESCRIPTOR)
_OPTIONS: Final = options_pb2.GameOptions.DESCRIPTOR.fields_by_name
_INT32: Final = range(-(1 << 31), 1 << 31)


@cache
def preparing(kind: Descriptor) -> Callable[[Facts], Init]:
    """The function that prepares plain data for messages of a kind."""
    converters = [
        (field.name, convert) for field in kind.fields if (convert := _converter(field)) is not None
    ]
    if not converters:
        return dict

    def prepare(facts: Facts) -> Init:
        ready = dict(facts)
        for name, convert in converters:
            value = ready.get(name)
            if value is not None:
                ready[name] = convert(value)
        return ready

    return prepare


def _converter(field: FieldDescriptor) -> Callable[[Any], Any] | None:
    """How the value of a field is prepared; None if it can stay as it is."""
    kind, enum = field.message_type, field.enum_type
    if kind is not None:
        return _repeated(kind) if field.is_repeated else _single(kind)
    if enum is not None:
        numbers = numbers_of(enum)
        if field.is_repeated:
            return lambda items: [numbers[item] for item in items]
        return numbers.__getitem__
    return bytes.fromhex if field.type == FieldDescriptor.TYPE_BYTES else None


def _repeated(kind: Descriptor) -> Callable[[Any], Any] | None:
    if kind.name == "CardCount":
        return _counts
    if kind.name in _PAIRS:
        first, second = _PAIRS[kind.name]
        return lambda pairs: [{first: name, second: number} for name, number in pairs.items()]
    prepare = preparing(kind)
    return None if prepare is dict else lambda items: [prepare(item) for item in items]


def _single(kind: Descriptor) -> Callable[[Any], Any] | None:
    match kind.name:
        case "CardPile":
            return lambda counts: {"cards": _counts(counts)}
        case "TicketChoice":
            return lambda tickets: {"tickets": tickets}
        case "GameOptions":
            return lambda options: typed_options(options)[0]
    prepare = preparing(kind)
    return None if prepare is dict else prepare


def _counts(counts: Mapping[str, int]) -> list[Init]:
    return [{"card": _CARDS[card], "count": count} for card, count in counts.items()]


def typed_options(options: Facts) -> tuple[Init, bool]:
    """Options as a message says them, and whether it says them all: strangers give what no message can hold."""
    said: Init = {}
    complete = True
    for name, value in options.items():
        field = _OPTIONS.get(name)
        if field is None:
            complete = False
        elif field.enum_type is not None:
            number = numbers_of(field.enum_type).get(value if isinstance(value, str) else None, 0)
            said[name] = number
            complete = complete and number != 0
        elif field.is_repeated:
            seats = value if isinstance(value, (list, tuple)) and all(map(_is_number, value)) else []
            said[name] = seats
            complete = complete and len(seats) > 0
        elif _is_number(value):
            said[name] = value
        elif (name, value) != ("first_player", "random"):  # chance is said by saying nothing
            complete = False
    return said, complete


def _is_number(value: object) -> bool:
    return type(value) is int and value in _INT32
