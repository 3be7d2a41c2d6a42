"""Messages as plain data: the walk of `to_proto` the other way, so that what comes back is equal to what went in."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from turntable_proto.game.v1 import cards_pb2, options_pb2
from turntable_rules import EDITIONS
from turntable_rules.engine.options import option_names
from turntable_session.vocabulary.words import words_of

Facts = dict[str, Any]

_PAIRS: Final = {"RouteOwner": ("route", "seat"), "StationOwner": ("city", "seat")}
_CARDS: Final = words_of(cards_pb2.Card.DESCRIPTOR)


@cache
def reading(kind: Descriptor) -> Callable[[Any], Facts]:
    """The function that reads messages of a kind; keys come in the order of the fields."""
    names = tuple(field.name for field in kind.fields)
    if not names:
        return lambda message: {}
    get = attrgetter(*names) if len(names) > 1 else lambda message: (getattr(message, names[0]),)
    optional = [(field.name, _converter(field)) for field in kind.fields if field.has_presence]
    if kind.name == "View":
        optional = [(name, convert) for name, convert in optional if name != "options"]
    others = [
        (field.name, convert)
        for field in kind.fields
        if not field.has_presence and (convert := _converter(field)) is not None
    ]

    def read(message: Message) -> Facts:
        facts = dict(zip(names, get(message)))
        for name, convert in others:
            facts[name] = convert(facts[name])
        for name, maybe in optional:
            if not message.HasField(name):
                facts[name] = None
            elif maybe is not None:
                facts[name] = maybe(facts[name])
        return facts

    return _special(kind, read)


def _special(kind: Descriptor, read: Callable[[Any], Facts]) -> Callable[[Any], Facts]:
    """What no field says by itself."""
    match kind.name:
        case "View":
            return lambda message: _with_options(read(message))
        case "OwnView":
            return lambda message: _without_absent_pile(read(message))
    return read


def _with_options(view: Facts) -> Facts:
    view["options"] = options_in_force(view["edition"], view["options"])
    return view


def _without_absent_pile(own: Facts) -> Facts:
    if own["road_pile"] is None:  # not even the key, unless the seat may look into it (CARD-ROAD-6)
        del own["road_pile"]
    return own


def _converter(field: FieldDescriptor) -> Callable[[Any], Any] | None:
    kind, enum = field.message_type, field.enum_type
    if kind is not None:
        return _repeated(kind) if field.is_repeated else _single(kind)
    if enum is not None:
        words = words_of(enum)
        if field.is_repeated:
            return lambda items: [words[item] for item in items]
        return words.__getitem__
    if field.is_repeated:
        return list
    return bytes.hex if field.type == FieldDescriptor.TYPE_BYTES else None


def _repeated(kind: Descriptor) -> Callable[[Any], Any]:
    if kind.name == "CardCount":
        return _counts
    if kind.name in _PAIRS:
        pair = attrgetter(*_PAIRS[kind.name])
        return lambda items: dict(map(pair, items))
    read = reading(kind)
    return lambda items: [read(item) for item in items]


def _single(kind: Descriptor) -> Callable[[Any], Any]:
    match kind.name:
        case "CardPile":
            return lambda pile: _counts(pile.cards)
        case "TicketChoice":
            return lambda choice: list(choice.tickets)
        case "GameOptions":
            return options_named
    return reading(kind)


def _counts(items: Any) -> dict[str, int]:
    return {_CARDS[item.card]: item.count for item in items}


def options_named(options: options_pb2.GameOptions) -> Facts:
    """The options a message names, by the engine's names."""
    named: Facts = {}
    for field, value in options.ListFields():
        if field.enum_type is not None:
            named[field.name] = words_of(field.enum_type)[value]
        else:
            named[field.name] = list(value) if field.is_repeated else value
    return named


def options_in_force(edition: str, options: options_pb2.GameOptions) -> Facts:
    """The options of a view: every one of the edition, chance as the first player where none is named."""
    named = {"first_player": "random", "peek_own_pile": [], **options_named(options)}
    return {name: named[name] for name in option_names(EDITIONS[edition])}
