"""Events: what a move did, with a public part and a part for one seat only (docs/engine.md lists the types)."""

Facts = dict[str, object]


class Event:
    """One thing that happened; `private` is for `seat` alone."""

    def __init__(self, type: str, public: Facts, seat: int = -1, private: Facts | None = None) -> None:
        self.type = type
        self.public = public
        self.seat = seat
        self.private = private

    def seen_by(self, seat: int | None) -> Facts:
        """The event as a seat, or a spectator (None), may know it."""
        seen: Facts = {"type": self.type}
        seen.update(self.public)
        if self.private is not None and seat is not None and seat == self.seat:
            seen.update(self.private)
        return seen

    def in_full(self) -> Facts:
        """Public and private part together, for the server's own record."""
        seen: Facts = {"type": self.type}
        seen.update(self.public)
        if self.private is not None:
            seen.update(self.private)
        return seen

    def __repr__(self) -> str:
        return f"Event({self.in_full()!r})"


Log = list[Event] | None
"""Where events go; None when nobody wants them."""
