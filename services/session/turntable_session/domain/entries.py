"""The entries of a game's log, and how they are stored. Everything about a game follows from them, in order."""

from hashlib import blake2b
from typing import Any, Final, Literal

import msgspec

FORMAT: Final = 1

Kind = Literal[
    "create",
    "sit",
    "leave",
    "assign",
    "start",
    "reveal",
    "move",
    "retire",
    "takeover",
    "return",
    "freeze",
    "resume",
    "adjudicate",
    "cancel",
]
Actor = Literal["player", "bot", "clock", "host", "operator"]


class Entry(msgspec.Struct, array_like=True, frozen=True, omit_defaults=True):
    """One commit. `hash` is that of the state after it, where the entry changed the state."""

    format: int
    kind: Kind
    by: Actor
    at: int
    """Milliseconds since 1970; never smaller than that of the entry before."""
    seat: int = -1
    move: str = ""
    """In the engine's notation."""
    hash: bytes = b""
    facts: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Entry({self.kind}, by {self.by}, seat {self.seat})"


class UnknownFormat(Exception):
    """Data written by a later version of this program."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """The entry as it is stored."""
    return _encoder.encode(entry)


def decode_entry(data: bytes) -> Entry:
    """A stored entry of any format there has been."""
    entry = _decoder.decode(data)
    if entry.format != FORMAT:
        raise UnknownFormat(
            f"log entries of format {entry.format} are newer than this program, which reads {FORMAT}"
        )
    return entry


def next_tag(tag: bytes, data: bytes) -> bytes:
    """A short digest of the whole log up to and including an entry; two logs that differ have other tags."""
    return blake2b(data, key=tag, digest_size=8, person=b"turntable-log").digest()
