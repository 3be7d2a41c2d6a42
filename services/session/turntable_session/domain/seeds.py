"""Where the deal comes from: a server seed committed to at creation, and what players add to it."""

from hashlib import sha256

from turntable_rules import deal_seed
from turntable_session.domain.sheet import Seat


def commitment(seed: bytes) -> str:
    """What is public of a seed from the beginning."""
    return sha256(seed).hexdigest()


def seed_of_deal(seed: bytes, seats: list[Seat]) -> bytes:
    """The server's seed, mixed with what the seats have added."""
    return deal_seed(seed, [(number, seat.entropy) for number, seat in enumerate(seats) if seat.entropy])
