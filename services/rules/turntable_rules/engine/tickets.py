"""Which tickets a network completes, and what each is worth (COMMON-TICKET-10, -11; SWI-MULTI-1 to -6)."""


class TicketTable:
    """All tickets of a board as flat lists of place numbers; a country is the list of its exits (SWI-COUNTRY-1).

    Ticket t starts at any of `starts[start_at[t]:start_at[t + 1]]` and has the targets target_at[t] up to
    target_at[t + 1]; target k is worth `points[k]` and lies at any of `ends[end_at[k]:end_at[k + 1]]`.
    """

    def __init__(
        self, starts: list[list[int]], targets: list[list[list[int]]], points: list[list[int]]
    ) -> None:
        """Flatten, per ticket: its start places; per target its places; per target its points."""
        self.starts: list[int] = []
        self.start_at: list[int] = [0]
        self.ends: list[int] = []
        self.end_at: list[int] = [0]
        self.points: list[int] = []
        self.target_at: list[int] = [0]
        for ticket in range(len(starts)):
            self.starts += starts[ticket]
            self.start_at.append(len(self.starts))
            self.points += points[ticket]
            self.target_at.append(len(self.points))
            for places in targets[ticket]:
                self.ends += places
                self.end_at.append(len(self.ends))


def ticket_outcome(table: TicketTable, ticket: int, label: list[int]) -> tuple[bool, int]:
    """Return whether the network completes the ticket, and its points, below 0 if lost.

    Places joined by the network have equal labels. The best target reached counts (SWI-MULTI-3), else the cheapest
    is lost (SWI-MULTI-4).
    """
    won = -1
    for target in range(table.target_at[ticket], table.target_at[ticket + 1]):
        if table.points[target] > won and is_reached(table, ticket, target, label):
            won = table.points[target]
    if won >= 0:
        return True, won
    return False, -lowest_points(table, ticket)


def is_reached(table: TicketTable, ticket: int, target: int, label: list[int]) -> bool:
    """Return whether some start place of the ticket is joined to some place of the target (SWI-MULTI-5)."""
    for start in range(table.start_at[ticket], table.start_at[ticket + 1]):
        for end in range(table.end_at[target], table.end_at[target + 1]):
            if label[table.starts[start]] == label[table.ends[end]]:
                return True
    return False


def lowest_points(table: TicketTable, ticket: int) -> int:
    """Return what the ticket costs when it is lost."""
    lowest = table.points[table.target_at[ticket]]
    for target in range(table.target_at[ticket], table.target_at[ticket + 1]):
        lowest = min(lowest, table.points[target])
    return lowest
