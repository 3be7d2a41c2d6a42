"""The error for a position that cannot be one."""


class BadPosition(ValueError):
    """A position that cannot be read, or breaks the engine's invariants; `faults` lists everything found."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults
