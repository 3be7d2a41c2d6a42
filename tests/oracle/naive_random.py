"""The generator turntable-rng/1, straight from docs/engine.md."""

import hashlib
from typing import TypeVar

from .naive_rules import Position

Item = TypeVar("Item")


def word(seed: bytes, event: int, index: int) -> int:
    """Give the 16-bit word number `index` of one random event's stream."""
    stream = hashlib.shake_256(b"turntable-rng/1" + seed + event.to_bytes(8, "big"))
    return int.from_bytes(stream.digest(2 * index + 2)[-2:], "big")


class Event:
    """One random event (COMMON-RNG-1): a stream of words read from its start."""

    def __init__(self, position: Position) -> None:
        self.seed = bytes.fromhex(position["seed"])
        self.number = position["draws"]
        self.used = 0
        position["draws"] += 1

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1, all equally likely."""
        while True:
            w = word(self.seed, self.number, self.used)
            self.used += 1
            if w < 65536 - 65536 % n:
                return w % n


def shuffled(position: Position, items: list[Item]) -> list[Item]:
    """Shuffle in one random event; the last item of the result is the top card (COMMON-RNG-2)."""
    event = Event(position)
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = event.below(i + 1)
        result[i], result[j] = result[j], result[i]
    return result
