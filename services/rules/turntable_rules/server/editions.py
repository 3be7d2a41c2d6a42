"""Editions as messages, with their boards and cards."""

from functools import cache

from turntable_proto.game.v1 import board_pb2, edition_pb2
from turntable_rules import EDITIONS, Board, CardSet, Edition, builtin_board, builtin_cards, ruleset
from turntable_rules.boards.library import provenance_note
from turntable_rules.engine.cards import COLOUR_NAMES
from turntable_rules.engine.options import option_names
from turntable_rules.server.to_proto import CARD_NUMBER, fields_of, fill

_ENUMS = ("setup_rejects", "draw_rejects", "loco_use")


@cache
def edition_message(edition_id: str, complete: bool) -> edition_pb2.Edition:
    """One edition; its board or cards and provenance only if it shall be complete. Not to be changed."""
    edition = EDITIONS[edition_id]
    message = edition_pb2.Edition(display_name=edition.name)
    for name in fields_of(message):
        if name in _ENUMS:
            setattr(message, name, getattr(edition, name) + 1)  # zero is "not said"
        elif name not in ("tie_breaks", "colour_aliases", "route_points") and isinstance(
            value := getattr(edition, name, None), (int, str)
        ):
            setattr(message, name, value)
    for criterion in edition.tie_breaks:
        message.tie_breaks.append(edition_pb2.TieBreak.ValueType(criterion + 1))
    for alias, colour in edition.colour_aliases:
        message.colour_aliases.add(alias=alias, colour=CARD_NUMBER[colour])
    for length, points in edition.route_points:
        message.route_points.add(length=length, points=points)
    fill(message.default_options, ruleset(edition.id, edition.min_players).options.to_json(edition))
    message.option_names.extend(sorted(option_names(edition)))
    if complete:
        _add_material(message, edition)
    return message


def _add_material(message: edition_pb2.Edition, edition: Edition) -> None:
    if edition.yards:
        _fill_cards(message, builtin_cards())
    else:
        fill_board(message.board, builtin_board(edition.data))
    message.provenance_note = provenance_note(edition.data)


def fill_board(message: board_pb2.Board, board: Board) -> None:
    """A board as a message."""
    message.id, message.display_name, message.digest = board.id, board.name, board.digest
    message.width, message.height, message.reconstructed = board.width, board.height, board.reconstructed
    for place in board.places:
        message.places.add(
            id=place.id,
            display_name=place.name,
            x=place.x,
            y=place.y,
            label=place.label,
            country=place.country,
        )
    for country in board.countries:
        message.countries.add(id=country.id, display_name=country.name, exits=country.exits)
    for route in board.routes:
        message.routes.add(
            id=route.id,
            a=route.a,
            b=route.b,
            length=route.length,
            colour=CARD_NUMBER[route.colour] if route.colour else 0,
            kind=board_pb2.RouteKind.Value(f"ROUTE_KIND_{route.kind.upper()}"),
            locos=route.locos,
            double_group=route.double_group,
        )
    for ticket in board.tickets:
        added = message.tickets.add(
            id=ticket.id, start=ticket.start, is_long=ticket.long, printed=ticket.printed
        )
        for target in ticket.targets:
            added.targets.add(place=target.to, points=target.points)


def _fill_cards(message: edition_pb2.Edition, cards: CardSet) -> None:
    target = message.card_set
    target.id, target.display_name, target.digest = cards.id, cards.name, cards.digest
    target.per_colour, target.locos = cards.per_colour, cards.locos
    for city in cards.cities:
        target.cities.add(id=city.id, display_name=city.name)
    for ticket in cards.destinations:
        added = target.destinations.add(
            id=ticket.id, a=ticket.a, b=ticket.b, points=ticket.points, big_cities=ticket.big_cities
        )
        for number, count in enumerate(ticket.cards):
            if count:
                added.cards.add(card=CARD_NUMBER[COLOUR_NAMES[number]], count=count)
    for big in cards.big_cities:
        target.big_cities.add(id=big.id, display_name=big.name, bonus=big.bonus)


def board_statistics(board: Board) -> board_pb2.BoardStatistics:
    """What can be counted on a board."""
    lengths = [route.length for route in board.routes]
    groups = {route.double_group for route in board.routes if route.double_group is not None}
    exits = sum(place.country is not None for place in board.places)
    found = board_pb2.BoardStatistics(
        city_count=len(board.places) - exits,
        exit_count=exits,
        country_count=len(board.countries),
        route_count=len(board.routes),
        double_route_count=len(groups),
        ferry_count=sum(route.kind == "ferry" for route in board.routes),
        tunnel_count=sum(route.kind == "tunnel" for route in board.routes),
        space_count=sum(lengths),
        ticket_count=len(board.tickets),
        long_ticket_count=sum(ticket.long for ticket in board.tickets),
        ticket_points=sum(max(target.points for target in ticket.targets) for ticket in board.tickets),
    )
    for length in sorted(set(lengths)):
        found.lengths.add(length=length, count=lengths.count(length))
    return found
