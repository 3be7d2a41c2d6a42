"""Ways to spoil a request: fields edited by their descriptors at every depth, and bytes of the wire."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

NUMBERS = (0, 1, -1, 2, 5, 7, 99, 255, 256, 65536, 2**31 - 1, -(2**31))
LONG_NUMBERS = (2**63 - 1, -(2**63), 2**32)
WORDS = (
    "",
    " ",
    "-",
    "usa",
    "card",
    "europe",
    "random",
    "montreal_new_york",
    "t_boston_miami",
    "keep_tickets -",
    "claim montreal_new_york 99999999999999999999red+-1loco",
    "tunnel_pay 1red+1loco",
    "turntable-position/1",
    "turntable-position/1 edition=usa player_count=2 options= phase=",
    "{}",
    '{"format": "turntable-board/1"}',
    "\0",
    "ä€😀" * 30,
    "%s%n{0}{__class__}",
    "9" * 5000,
    "[" * 20000,
)
MEGABYTE = 1 << 20
RULESETS = ("Ruleset", "GameOptions")

Field = Any
"""A field's descriptor; its two implementations share no type."""


def spoiled(sound: Message, random: Random) -> bytes:
    """The bytes of a request made from a sound one: untouched, edited by field, or edited on the wire."""
    request = type(sound)()
    request.CopyFrom(sound)
    kind = random.random()
    if kind < 0.03:
        return random.randbytes(random.choice((1, 10, 100, 3000)))
    if kind > 0.05:
        for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
            edit(request, random)
    if random.random() < 0.0015:
        enlarge(request, random)
    data = request.SerializeToString()
    return damaged(data, random) if kind > 0.88 else data


def edit(request: Message, random: Random) -> None:
    """Change one field of one of the messages inside."""
    messages = list(inside(request))
    message = random.choice(messages)
    if message.DESCRIPTOR.name in RULESETS and random.random() < 0.7:
        message = random.choice(messages)  # or hardly anything would be read beyond its ruleset
    fields: list[Field] = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    present: list[Field] = [field for field, _ in message.ListFields()]
    field = random.choice(present if present and random.random() < 0.75 else fields)
    if field.is_repeated:
        edit_list(getattr(message, field.name), field, request, random)
    elif random.random() < 0.1:
        message.ClearField(field.name)
    elif field.message_type is not None:
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, other_value(field, getattr(message, field.name), request, random))


def inside(message: Message) -> Iterator[Message]:
    """The message and all messages in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for inner in value if field.is_repeated else [value]:
            yield from inside(inner)


def strings(message: Message) -> list[str]:
    """Short strings of the request, to be put where they do not belong."""
    found = list(WORDS)
    for inner in inside(message):
        for field, value in inner.ListFields():
            if field.type == FieldDescriptor.TYPE_STRING:
                found += list(value) if field.is_repeated else [value]
    return [word for word in found if len(word) < 30000]


def edit_list(items: Any, field: Field, request: Message, random: Random) -> None:
    """Remove, repeat, reorder, add or change items."""
    at = random.randrange(len(items)) if len(items) else 0
    what = random.randrange(6)
    if what == 0 and len(items):
        del items[at]
    elif what == 1 and len(items):
        items.append(items[at])
    elif what == 2 and len(items):
        rest = list(items)
        random.shuffle(rest)
        del items[:]
        items.extend(rest)
    elif what == 3:
        del items[:]
    elif field.message_type is not None:
        items.add()
    elif what == 4 and len(items):
        items[at] = other_value(field, items[at], request, random)
    else:
        items.append(other_value(field, field.default_value or 0, request, random))


def other_value(field: Field, value: Any, request: Message, random: Random) -> Any:
    """Another value of the field's type, sensible or not."""
    match field.type:
        case FieldDescriptor.TYPE_BOOL:
            return not value
        case FieldDescriptor.TYPE_STRING:
            return other_text(value or "", request, random)
        case FieldDescriptor.TYPE_BYTES:
            return damaged(value or b"", random)
        case FieldDescriptor.TYPE_INT64:
            return random.choice((*NUMBERS, *LONG_NUMBERS))
    return random.choice((*NUMBERS, max(-(2**31), min(2**31 - 1, value + random.choice((-1, 1))))))


def other_text(text: str, request: Message, random: Random) -> str:
    """Another word of the request, or the text with some characters changed."""
    if random.random() < 0.5 or not text:
        return random.choice(strings(request))
    at = random.randrange(len(text))
    piece = random.choice(("", "0", "-1", "x", ",", "=", " ", '"', "999999999999", text[:20]))
    return text[:at] + piece + text[at + random.choice((0, 1, 1, 5, len(text))) :]


def damaged(data: bytes, random: Random) -> bytes:
    """Bytes flipped, cut off, repeated or added."""
    if not data:
        return random.randbytes(random.randrange(1, 64))
    changed = bytearray(data)
    match random.randrange(5):
        case 0:
            return data[: random.randrange(len(data))]
        case 1:
            return data + random.randbytes(random.randrange(1, 64))
        case 2:
            at = random.randrange(len(data))
            return data[:at] + data[at : at + random.randrange(64)] + data[at:]
        case _:
            for _ in range(random.choice((1, 1, 2, 10))):
                changed[random.randrange(len(changed))] = random.randrange(256)
            return bytes(changed)


def enlarge(request: Message, random: Random) -> None:
    """Put some megabytes of junk where strings, bytes or lists may stand; the largest exceed what is received."""
    size = random.choice((1, 3, 5)) * MEGABYTE
    places = [(message, field) for message in inside(request) for field in message.DESCRIPTOR.fields]
    fitting = [
        (message, field)
        for message, field in places
        if field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_INT32)
        and (field.is_repeated or field.type != FieldDescriptor.TYPE_INT32)
    ]
    if not fitting:
        return
    message, field = random.choice(fitting)
    match field.type:
        case FieldDescriptor.TYPE_BYTES:
            junk: Any = random.randbytes(size)
        case FieldDescriptor.TYPE_STRING:
            junk = random.choice(("x", "[", "ab,", '{"a":', "9", "k=v ")) * (size // 4)
        case _:
            junk = 1
    if field.is_repeated:
        getattr(message, field.name).extend(
            [junk] if field.type != FieldDescriptor.TYPE_INT32 else [1] * size
        )
    else:
        setattr(message, field.name, junk)
