"""The generator `turntable-rng/1`: every random event has a stream of its own, see docs/engine.md.

A stream is SHAKE-256 of the seed and the event's number, so no outcome helps to predict another (INFO-1),
and the whole generator state is a seed and a counter (COMMON-RNG-1).
"""

from hashlib import shake_256
from typing import Final

SEED_BYTES: Final = 32
_DOMAIN: Final = b"turntable-rng/1"
_WORDS: Final = 65536


def stream(seed: bytes, number: int, size: int) -> bytes:
    """The first `size` bytes of random event `number`."""
    return shake_256(_DOMAIN + seed + number.to_bytes(8, "big")).digest(size)


def below(seed: bytes, number: int, bound: int) -> int:
    """A uniform number under `bound` (at most 65536) from random event `number`."""
    limit = _WORDS - _WORDS % bound
    size = 32
    while True:
        words = stream(seed, number, size)
        for at in range(0, size, 2):
            word = (words[at] << 8) | words[at + 1]
            if word < limit:
                return word % bound
        size *= 2


def shuffle(seed: bytes, number: int, items: list[int]) -> None:
    """Put `items` in a uniform random order (COMMON-RNG-2), in place."""
    # Rejected words are rare (under n in 65536 each), so the spare words are nearly always enough.
    size = 2 * len(items) + 32
    original = items[:]
    while not _shuffle_by(stream(seed, number, size), size, items):
        items[:] = original
        size *= 2


def _shuffle_by(words: bytes, size: int, items: list[int]) -> bool:
    """Fisher-Yates with 16-bit words; False if they ran out."""
    at = 0
    last = len(items) - 1
    while last > 0:
        bound = last + 1
        if at + 1 >= size:
            return False
        word = (words[at] << 8) | words[at + 1]
        at += 2
        if word >= _WORDS - _WORDS % bound:
            continue
        pick = word % bound
        item = items[last]
        items[last] = items[pick]
        items[pick] = item
        last -= 1
    return True
