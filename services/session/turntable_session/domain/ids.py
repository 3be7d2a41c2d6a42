"""Ids of games. The first four digits name the bucket, which decides where in the store a game lives."""

import re
from base64 import b32encode
from hashlib import blake2b
from typing import Final

MOST_BUCKETS: Final = 1024
_SHAPE: Final = re.compile(r"[0-9]{4}[a-z2-7]{24}")


def game_id(secret: bytes, scope: str, key: str, buckets: int) -> str:
    """The id of the game that a key creates; a repeated creation finds it again, nobody else can guess it."""
    digest = blake2b(
        f"{scope}\0{key}".encode(), key=secret, digest_size=17, person=b"turntable-game"
    ).digest()
    bucket = int.from_bytes(digest[:2], "big") % buckets
    return f"{bucket:04d}{b32encode(digest[2:]).decode().lower()}"


def is_game_id(text: str) -> bool:
    """Whether the text has the shape of an id, so that it may be part of a key."""
    return _SHAPE.fullmatch(text) is not None and int(text[:4]) < MOST_BUCKETS


def bucket_of(game: str) -> int:
    """The bucket of a game."""
    return int(game[:4])
