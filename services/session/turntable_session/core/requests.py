"""What makes two requests the same one."""

import secrets
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from turntable_session.core.port import Caller
from turntable_session.problems import Problem, malformed

_MAX_KEY = 200
_encode = msgspec.json.Encoder(order="deterministic").encode


class Request(NamedTuple):
    """The identity of a request: `key` finds the first answer, `digest` tells whether it was the same question."""

    key: bytes
    digest: bytes


def identify(caller: Caller, method: str, game: str, key: str, *body: object) -> Request:
    """The identity of a call; one without a key is like no other."""
    if len(key) > _MAX_KEY:
        raise malformed(f"an idempotency key has at most {_MAX_KEY} characters")
    scope = caller.token or caller.address
    text = "\0".join((scope, method, game, key)) if key else secrets.token_hex(16)
    digest = blake2b(
        _encode(msgspec.to_builtins(body, str_keys=True)), digest_size=8, person=b"turntable-body"
    ).digest()
    return Request(blake2b(text.encode(), digest_size=12, person=b"turntable-key").digest(), digest)


def check_same(request: Request, digest: bytes) -> None:
    """Refuse a key that was used for something else."""
    if request.digest != digest:
        raise Problem("idempotency_mismatch", "this key was used for another request")
