"""A digest of the whole state: equal states, and only they, have equal digests."""

from hashlib import blake2b

from turntable_rules.engine.codec import encode
from turntable_rules.engine.state import State


def state_hash(state: State) -> str:
    """32 hex digits. It depends on secrets (deck, hands, seed): never show it before the game is finished."""
    return hash_of_bytes(encode(state))


def hash_of_bytes(encoded: bytes) -> str:
    """The hash of the state that `encode` gave these bytes for."""
    return blake2b(encoded, digest_size=16, person=b"turntable-hash/1").hexdigest()
