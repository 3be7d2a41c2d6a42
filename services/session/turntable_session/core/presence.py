"""Which players have a stream open in this process."""

from collections import Counter


class Presence:
    """Counts open streams per seat."""

    def __init__(self) -> None:
        self._streams: Counter[tuple[str, int]] = Counter()

    def enter(self, game: str, seat: int) -> None:
        """A stream was opened."""
        self._streams[game, seat] += 1

    def leave(self, game: str, seat: int) -> None:
        """A stream was closed."""
        self._streams[game, seat] -= 1
        if self._streams[game, seat] <= 0:
            del self._streams[game, seat]

    def is_connected(self, game: str, seat: int) -> bool:
        """Whether the seat's player has a stream open."""
        return (game, seat) in self._streams
