"""Whether a sound board can be played under a given ruleset."""

from turntable_rules.boards.faults import Code, Fault
from turntable_rules.engine.board import Board


def faults_for(
    board: Board, *, lengths_scored: frozenset[int], long_tickets_needed: int, tickets_needed: int
) -> list[Fault]:
    """What keeps a board from being played: unscored lengths (COMMON-CLAIM-15), too few tickets (8.2)."""
    faults: list[Fault] = []
    for number, route in enumerate(board.routes):
        if route.length not in lengths_scored:
            scored = ", ".join(str(length) for length in sorted(lengths_scored))
            message = f"a route of {route.length} scores nothing under these rules; scored are {scored}"
            faults.append(Fault(Code.LENGTH_NOT_SCORED, f"routes[{number}].length", None, message))
    long = sum(ticket.long for ticket in board.tickets)
    if long < long_tickets_needed:
        message = f"{long} long tickets; these rules and players need {long_tickets_needed}"
        faults.append(Fault(Code.TOO_FEW_LONG_TICKETS, "tickets", None, message))
    # Rules that deal no long tickets shuffle all tickets together.
    others = len(board.tickets) - (long if long_tickets_needed else 0)
    if others < tickets_needed:
        message = f"{others} tickets to deal; these rules and players need {tickets_needed}"
        faults.append(Fault(Code.TOO_FEW_TICKETS, "tickets", None, message))
    return faults
