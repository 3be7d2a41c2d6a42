"""Checks between the elements of a board: references, double routes, countries, tickets and the network."""

from dataclasses import dataclass

from turntable_rules.boards.faults import Code, Fault
from turntable_rules.boards.fields import Fields
from turntable_rules.engine.board import Country, Place, Route, Ticket


@dataclass(frozen=True)
class Draft:
    """What could be read of a board, each element with its fields in the file; unreadable ids are ""."""

    places: list[tuple[Place, Fields]]
    countries: list[tuple[Country, Fields]]
    routes: list[tuple[Route, Fields]]
    tickets: list[tuple[Ticket, Fields]]


def check_draft(root: Fields, draft: Draft, faults: list[Fault]) -> None:
    """Notes every fault between the elements."""
    # A ticket may name a city or a country, so they share one namespace.
    check_unique(
        [(place.id, fields) for place, fields in draft.places]
        + [(country.id, fields) for country, fields in draft.countries]
    )
    check_unique([(route.id, fields) for route, fields in draft.routes])
    check_unique([(ticket.id, fields) for ticket, fields in draft.tickets])
    if root.listed("routes") == []:
        root.fault(Code.NO_ROUTES, "routes", "a board needs routes")
    if root.listed("tickets") == []:
        root.fault(Code.NO_TICKETS, "tickets", "a board needs tickets")
    if not draft.places and root.listed("cities") != []:
        return  # no place could be read: every reference would seem wrong
    _check_ends(draft)
    _check_doubles(draft)
    _check_countries(draft)
    _check_tickets(draft, faults)
    _check_network(draft)


def check_unique(elements: list[tuple[str, Fields]]) -> None:
    """Notes every id that an earlier element has."""
    seen: set[str] = set()
    for element_id, fields in elements:
        if element_id in seen:
            fields.fault(Code.DUPLICATE_ID, "id", f"the id {element_id!r} is taken")
        elif element_id:
            seen.add(element_id)


def _check_ends(draft: Draft) -> None:
    known = {place.id for place, _ in draft.places}
    for route, fields in draft.routes:
        for key, end in (("a", route.a), ("b", route.b)):
            if end and end not in known:
                fields.fault(Code.UNKNOWN_PLACE, key, f"there is no place {end[:64]!r}")
        if route.a and route.a == route.b:
            fields.fault(Code.ROUTE_TO_ITSELF, "b", "a route joins two different places")


def _check_doubles(draft: Draft) -> None:
    pairs: dict[frozenset[str], list[tuple[Route, Fields]]] = {}
    groups: dict[str, frozenset[str]] = {}
    for route, fields in draft.routes:
        if not route.a or not route.b or route.a == route.b:
            continue
        ends = frozenset((route.a, route.b))
        pairs.setdefault(ends, []).append((route, fields))
        if route.double_group and groups.setdefault(route.double_group, ends) != ends:
            message = f"the group {route.double_group!r} has a track between other places"
            fields.fault(Code.GROUP_ENDS_DIFFER, "double_group", message)
    for tracks in pairs.values():
        group = next((route.double_group for route, _ in tracks if route.double_group), None)
        for number, (route, fields) in enumerate(tracks):
            alone = number > 0 if group is None else route.double_group != group
            if len(tracks) > 1 and alone:
                message = (
                    f"another track joins {route.a} and {route.b}: all of them need one common double_group"
                )
                fields.fault(Code.PARALLEL_WITHOUT_GROUP, "double_group", message)


def _check_countries(draft: Draft) -> None:
    """Country and exits must name each other, and each exit ends one route (SWI-COUNTRY-1)."""
    said = {place.id: place.country for place, _ in draft.places}
    exits = {country.id: frozenset(country.exits) for country, _ in draft.countries}
    for country, fields in draft.countries:
        nodes = fields.listed("exits") or []
        if fields.listed("exits") == []:
            fields.fault(Code.COUNTRY_WITHOUT_EXITS, "exits", "a country has at least one exit")
        earlier: set[str] = set()
        for exit_id, node in zip(country.exits, nodes, strict=True):
            if exit_id and exit_id not in said:
                fields.note(node, Code.UNKNOWN_PLACE, f"there is no place {exit_id[:64]!r}")
            elif exit_id and said[exit_id] not in (country.id, ""):
                fields.note(
                    node,
                    Code.EXIT_MISMATCH,
                    f"the place {exit_id!r} does not say it is an exit of {country.id!r}",
                )
            elif exit_id in earlier:
                fields.note(node, Code.DUPLICATE_ID, f"{exit_id!r} is listed twice")
            if exit_id:
                earlier.add(exit_id)
    for place, fields in draft.places:
        if place.country and place.country not in exits:
            fields.fault(Code.UNKNOWN_COUNTRY, "country", f"there is no country {place.country!r}")
        elif place.country and place.id not in exits[place.country]:
            fields.fault(
                Code.EXIT_MISMATCH, "country", f"{place.country!r} does not list {place.id!r} as an exit"
            )
        attached = fields.optional("attached_to")
        if (
            attached is not None
            and attached.value is not None
            and fields.as_reference(attached) not in (*said, "")
        ):
            fields.fault(Code.UNKNOWN_PLACE, "attached_to", "there is no such place")


def _check_tickets(draft: Draft, faults: list[Fault]) -> None:
    cities = {place.id for place, _ in draft.places if not place.country}
    exits = {place.id for place, _ in draft.places} - cities
    known = cities | {country.id for country, _ in draft.countries}
    for ticket, fields in draft.tickets:
        targets = [
            Fields(node, faults) for node in fields.listed("targets") or [] if isinstance(node.value, dict)
        ]
        named = [("from" if "from" in fields else "a", ticket.start, fields)]
        for number, target in enumerate(ticket.targets):
            named.append(("to", target.to, targets[number]) if targets else ("b", target.to, fields))
        earlier: set[str] = set()
        for key, name, inner in named:
            if name in exits and name not in known:
                inner.fault(Code.TICKET_NAMES_EXIT, key, f"{name!r} is an exit: a ticket names its country")
            elif name and name not in known:
                inner.fault(Code.UNKNOWN_PLACE, key, f"there is no city or country {name[:64]!r}")
            if name in earlier:
                is_start = name == ticket.start
                code = Code.TARGET_IS_START if is_start else Code.DUPLICATE_TARGET
                inner.fault(code, key, "the target is the start" if is_start else "the target is named twice")
            elif name:
                earlier.add(name)
        if fields.listed("targets") == []:
            fields.fault(Code.NO_TARGETS, "targets", "a ticket has at least one target")


def _check_network(draft: Draft) -> None:
    """Every place is on a route, an exit on exactly one, and every ticket can be completed."""
    if any(not route.a or not route.b for route, _ in draft.routes):
        return  # the network is not known
    around: dict[str, list[str]] = {place.id: [] for place, _ in draft.places}
    for route, _ in draft.routes:
        for here, there in ((route.a, route.b), (route.b, route.a)):
            around.setdefault(here, []).append(there)
    exits = {place.id for place, _ in draft.places if place.country is not None}
    for place, fields in draft.places:
        if place.id and not around[place.id]:
            fields.fault(Code.ISOLATED_PLACE, "id", f"no route reaches {place.id!r}")
        elif place.id in exits and len(around[place.id]) > 1:
            fields.fault(Code.SHARED_EXIT, "id", "an exit ends one route: others need exits of their own")
    members: dict[str, tuple[str, ...]] = {place.id: (place.id,) for place, _ in draft.places}
    members |= {country.id: country.exits for country, _ in draft.countries}
    reached: dict[str, set[str]] = {}
    for ticket, fields in draft.tickets:
        ends = [name for target in ticket.targets for name in members.get(target.to, ())]
        if ticket.start not in members or not ends:
            continue
        if ticket.start not in reached:
            reached[ticket.start] = _reach(members[ticket.start], around, exits)
        if reached[ticket.start].isdisjoint(ends):
            fields.fault(Code.UNREACHABLE_TICKET, "", f"no routes join {ticket.start!r} to any target")


def _reach(sources: tuple[str, ...], around: dict[str, list[str]], exits: set[str]) -> set[str]:
    """Places joined to any of the sources; nothing passes through an exit (SWI-COUNTRY-2)."""
    seen = set(sources)
    frontier = list(sources)
    while frontier:
        for place in around.get(frontier.pop(), ()):
            if place not in seen:
                seen.add(place)
                if place not in exits:
                    frontier.append(place)
    return seen
