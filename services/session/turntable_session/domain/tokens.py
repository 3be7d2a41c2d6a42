"""Tokens: unguessable, derived so that a repeated request gets the same one, and stored only as hashes."""

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import blake2b, sha256
from hmac import compare_digest

HOST = "tth"
SEAT = "tts"
INVITE = "tti"


def derived_token(secret: bytes, kind: str, *facts: str) -> str:
    """The token of a kind for these facts; only the holder of the secret can make it."""
    digest = blake2b(
        "\0".join((kind, *facts)).encode(), key=secret, digest_size=24, person=b"turntable-token"
    )
    return f"{kind}_{urlsafe_b64encode(digest.digest()).decode()}"


def token_hash(token: str) -> bytes:
    """What is stored of a token. It has 192 random bits, so a plain hash is enough."""
    return sha256(token.encode()).digest()


def same_hash(stored: bytes, given: bytes) -> bool:
    """Whether two hashes are equal, in constant time; an empty one is equal to none."""
    return bool(stored) and compare_digest(stored, given)


def place_of(given: bytes, stored: Iterable[bytes]) -> int | None:
    """Where the hash is among those stored; all are compared, so that time tells nothing."""
    found = None
    for place, one in enumerate(stored):
        if same_hash(one, given):
            found = place
    return found
