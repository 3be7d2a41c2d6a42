"""A player's own network: which places it joins, and which tickets that completes."""

from turntable_rules.engine.state import State
from turntable_rules.engine.tickets import ticket_outcome


def own_routes(state: State, seat: int) -> list[int]:
    """The routes a seat has claimed."""
    return [route for route, owner in enumerate(state.owner) if owner == seat]


def join_places(state: State, routes: list[int]) -> list[int]:
    """A label per place; places joined by the routes have equal ones. Exits of a country stay apart (SWI-COUNTRY-2)."""
    rules = state.rules
    parent = list(range(len(rules.place_ids)))
    for route in routes:
        one = rules.route_a[route]
        while parent[one] != one:
            one = parent[one]
        two = rules.route_b[route]
        while parent[two] != two:
            two = parent[two]
        parent[two] = one
    for place in range(len(parent)):
        root = place
        while parent[root] != root:
            root = parent[root]
        parent[place] = root
    return parent


def completed_by_own_routes(state: State, seat: int) -> list[bool]:
    """For each ticket held, whether the own routes complete it now, without loans (INFO-9)."""
    label = join_places(state, own_routes(state, seat))
    return [ticket_outcome(state.rules.ticket_table, ticket, label)[0] for ticket in state.tickets[seat]]
