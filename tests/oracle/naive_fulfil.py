"""Fulfilment in The Card Game: the best feasible set of tickets (CARD-FULFIL)."""

from typing import Any

from .naive_rules import CARDS, COLOURS, LOCO, Board, Counts, Position, ticket_by_id

Ticket = dict[str, Any]


def is_feasible(tickets: list[Ticket], road: Counts) -> bool:
    """Test CARD-FULFIL-4."""
    missing = 0
    for colour in COLOURS:
        need = sum(ticket["cards"].get(colour, 0) for ticket in tickets)
        missing += max(0, need - road.get(colour, 0))
    return missing <= road.get(LOCO, 0)


def merit(tickets: list[Ticket]) -> tuple[int, int, int]:
    """Give the first three criteria of CARD-FULFIL-5: value, number, big-city names."""
    value = sum(ticket["points"] for ticket in tickets)
    return value, len(tickets), sum(len(ticket["big_cities"]) for ticket in tickets)


def best_set(tickets: list[Ticket], road: Counts) -> list[str]:
    """Find the best feasible set (CARD-FULFIL-5, -7), ticket by ticket.

    Of two sets that leave the same cards for the tickets still to come, only the better one is kept:
    whatever is added to both, it stays the better one.
    """
    best_by_left: dict[tuple[int, ...], list[Ticket]] = {}
    keep_better(best_by_left, tuple(road.get(card, 0) for card in CARDS), [])
    for i, ticket in enumerate(tickets):
        needed = demand(tickets[i + 1 :])
        grown: dict[tuple[int, ...], list[Ticket]] = {}
        for left, chosen in best_by_left.items():
            keep_better(grown, useful(left, needed), chosen)
            after = spend(left, ticket)
            if after is not None:
                keep_better(grown, useful(after, needed), [*chosen, ticket])
        best_by_left = grown
    [best] = best_by_left.values()
    return ids(best)


def keep_better(
    found: dict[tuple[int, ...], list[Ticket]], left: tuple[int, ...], tickets: list[Ticket]
) -> None:
    """Remember a set of tickets unless one found before with the same cards left is better."""
    other = found.get(left)
    if other is None or (merit(tickets), ids(other)) > (merit(other), ids(tickets)):
        found[left] = tickets


def spend(left: tuple[int, ...], ticket: Ticket) -> tuple[int, ...] | None:
    """Pay for a ticket, with locos only for what is missing (CARD-FULFIL-3); None if it cannot be paid."""
    needs = [ticket["cards"].get(colour, 0) for colour in COLOURS]
    missing = sum(max(0, need - have) for need, have in zip(needs, left[:8], strict=True))
    if missing > left[8]:
        return None
    return (*(max(0, have - need) for need, have in zip(needs, left[:8], strict=True)), left[8] - missing)


def demand(tickets: list[Ticket]) -> list[int]:
    """Count what tickets together could use of each card, locos last."""
    needs = [sum(ticket["cards"].get(colour, 0) for ticket in tickets) for colour in COLOURS]
    return [*needs, sum(needs)]


def useful(left: tuple[int, ...], needed: list[int]) -> tuple[int, ...]:
    """Forget cards that all remaining tickets together could not use."""
    return tuple(min(have, need) for have, need in zip(left, needed, strict=True))


def ids(tickets: list[Ticket]) -> list[str]:
    """Give the sorted ids of tickets."""
    return sorted(ticket["id"] for ticket in tickets)


def fulfil(position: Position, board: Board) -> None:
    """Complete every seat's best set and score it; spent cards stay in the road pile (CARD-FULFIL-8)."""
    for player in position["players"]:
        done = best_set([ticket_by_id(board, ticket) for ticket in player["tickets"]], player["road"])
        player["tickets"] = [ticket for ticket in player["tickets"] if ticket not in done]
        player["completed"] += done
        player["score"] += sum(ticket_by_id(board, ticket)["points"] for ticket in done)
