"""Turns the text of a board file into a `Board`, or says everything that is wrong with it."""

from dataclasses import replace
from typing import Final

from turntable_rules.boards.checks import Draft, check_draft
from turntable_rules.boards.digest import board_digest
from turntable_rules.boards.faults import BoardError, Code, Fault, in_file_order
from turntable_rules.boards.fields import Fields
from turntable_rules.boards.scan import Node, scan
from turntable_rules.engine.board import COLOURS, Board, Country, Place, Route, Target, Ticket

BOARD_FORMAT: Final = "turntable-board/1"
MAX_PLACES: Final = 300
MAX_ROUTES: Final = 500
MAX_TICKETS: Final = 500
MAX_LENGTH: Final = 12
MAX_POINTS: Final = 999
MAX_COORDINATE: Final = 10_000
MARGIN: Final = 50
"""Space kept around the places of a board that does not state its size."""

COLOUR_WORDS: Final[dict[str, str]] = {name: name for name in COLOURS} | {"brown": "orange"}
"""Colours as files may name them (USA2004-COLOUR-1)."""
_GRAY: Final = "gray"
_ROUTE_COLOURS: Final = COLOUR_WORDS | {"grey": _GRAY, "gray": _GRAY}
_KINDS: Final = {"rail": "rail", "ferry": "ferry", "tunnel": "tunnel"}
_DECKS: Final = {"regular": False, "long": True}
_LABELS: Final = {side: side for side in ("n", "ne", "e", "se", "s", "sw", "w", "nw")} | {"": ""}


def parse_board(text: str) -> Board:
    """The board a file describes; raises `BoardError` with all its faults."""
    faults: list[Fault] = []
    root = Fields(scan(text, faults), faults)
    check_format(root, BOARD_FORMAT, faults)
    board_id = root.id()
    name = root.text("name", board_id)
    reconstructed = root.flag("reconstructed", False)
    draft = Draft(
        places=[(_place(fields), fields) for fields in root.objects("cities")],
        countries=[(_country(fields), fields) for fields in root.objects("countries", needed=False)],
        routes=[(_route(fields), fields) for fields in root.objects("routes")],
        tickets=[(_ticket(fields), fields) for fields in root.objects("tickets")],
    )
    places = tuple(place for place, _ in draft.places)
    width, height = _size(root, places)
    _check_rivers(root)
    root.done()
    if not _too_big(root, draft):
        _check_canvas(draft, width, height)
        check_draft(root, draft, faults)
    if faults:
        raise BoardError(in_file_order(faults))
    board = Board(
        id=board_id,
        name=name,
        width=width,
        height=height,
        reconstructed=reconstructed,
        places=places,
        countries=tuple(country for country, _ in draft.countries),
        routes=tuple(route for route, _ in draft.routes),
        tickets=tuple(ticket for ticket, _ in draft.tickets),
        digest="",
    )
    return replace(board, digest=board_digest(board))


def check_format(root: Fields, known: str, faults: list[Fault]) -> None:
    """Refuses other formats at once, as their keys may mean anything; a file stating none is version 1."""
    node = root.optional("format")
    if node is not None and node.value != known:
        root.fault(Code.UNKNOWN_FORMAT, "format", f"only the format {known!r} is read here")
        raise BoardError(faults)


def _place(fields: Fields) -> Place:
    place_id = fields.id()
    place = Place(
        id=place_id,
        name=fields.text("name", place_id),
        x=fields.whole(("x",), 0, MAX_COORDINATE, Code.BAD_COORDINATE) or 0,
        y=fields.whole(("y",), 0, MAX_COORDINATE, Code.BAD_COORDINATE) or 0,
        label=fields.choice(("label",), _LABELS, Code.BAD_LABEL, "") or "",
        country=fields.optional_id("country"),
    )
    fields.optional("attached_to")  # checked with the other references
    fields.done()
    return place


def _country(fields: Fields) -> Country:
    country_id = fields.id()
    exits = tuple(fields.as_reference(node) for node in fields.nodes("exits"))
    country = Country(country_id, fields.text("name", country_id), exits)
    fields.done()
    return country


def _route(fields: Fields) -> Route:
    route_id = fields.id()
    a, b = fields.reference("a"), fields.reference("b")
    length = fields.whole(("length",), 1, MAX_LENGTH, Code.BAD_LENGTH)
    colour = fields.choice(("color", "colour"), _ROUTE_COLOURS, Code.UNKNOWN_COLOUR)
    kind = fields.choice(("kind",), _KINDS, Code.UNKNOWN_KIND, "rail")
    locos = fields.whole(("locomotives", "locos"), 0, 999, Code.NEGATIVE_LOCOS, 0)
    group = fields.optional_id("double_group")
    fields.done()
    _check_locos(fields, kind, colour, length, locos)
    return Route(
        id=route_id,
        a=a,
        b=b,
        length=length or 0,
        colour=None if colour == _GRAY else colour,
        kind=kind or "rail",
        locos=locos or 0,
        double_group=group,
    )


def _check_locos(
    fields: Fields, kind: str | None, colour: str | None, length: int | None, locos: int | None
) -> None:
    """A ferry is gray with at least one loco symbol, and only a ferry has any; None is unreadable."""
    key = fields.spelling("locomotives", "locos")
    if locos and length and locos > length:
        fields.fault(Code.TOO_MANY_LOCOS, key, f"{locos} loco symbols on {length} spaces")
    match kind:
        case "ferry":
            if locos == 0:
                fields.fault(Code.FERRY_WITHOUT_LOCOS, key, "a ferry has at least one loco symbol")
            if colour not in (None, _GRAY):
                fields.fault(Code.COLOURED_FERRY, fields.spelling("color", "colour"), "a ferry is gray")
        case "tunnel" if locos:
            fields.fault(
                Code.FERRY_AND_TUNNEL, key, "a tunnel has no loco symbols: no route is both tunnel and ferry"
            )
        case "rail" if locos:
            fields.fault(Code.LOCOS_WITHOUT_FERRY, key, "only a ferry has loco symbols")


def _ticket(fields: Fields) -> Ticket:
    ticket_id = fields.id()
    long = fields.choice(("deck",), _DECKS, Code.UNKNOWN_DECK, False) or False
    printed = fields.flag("printed", True)
    if "from" in fields or "targets" in fields:
        start = fields.reference("from")
        listed = [(inner, _target(inner, "to")) for inner in fields.objects("targets")]
        for inner, _ in listed:
            inner.done()
        targets = [target for _, target in listed]
    else:
        start = fields.reference("a")
        targets = [_target(fields, "b")]
    fields.done()
    return Ticket(ticket_id, start, tuple(targets), long, printed)


def _target(fields: Fields, key: str) -> Target:
    return Target(fields.reference(key), fields.whole(("points",), 1, MAX_POINTS, Code.BAD_POINTS) or 0)


def _size(root: Fields, places: tuple[Place, ...]) -> tuple[int, int]:
    """The canvas the coordinates refer to."""
    fields = root.object("board", needed=False)
    if fields is None:
        right = max((place.x for place in places), default=0)
        return right + MARGIN, max((place.y for place in places), default=0) + MARGIN
    width = fields.whole(("width",), 1, MAX_COORDINATE, Code.BAD_COORDINATE)
    height = fields.whole(("height",), 1, MAX_COORDINATE, Code.BAD_COORDINATE)
    fields.done()
    return width or MAX_COORDINATE, height or MAX_COORDINATE


def _check_canvas(draft: Draft, width: int, height: int) -> None:
    for place, fields in draft.places:
        if place.x > width:
            fields.fault(Code.BAD_COORDINATE, "x", f"{place.x} lies outside the board, which is {width} wide")
        if place.y > height:
            fields.fault(
                Code.BAD_COORDINATE, "y", f"{place.y} lies outside the board, which is {height} high"
            )


def _check_rivers(root: Fields) -> None:
    """Rivers are drawn, not played: name to list of points, which may lie off the canvas."""
    rivers = root.object("rivers", needed=False)
    if rivers is None:
        return
    for course in rivers.members().values():
        for point in rivers.as_nodes(course):
            _check_point(rivers, point)


def _check_point(rivers: Fields, point: Node) -> None:
    numbers = rivers.as_nodes(point)
    for number in numbers:
        rivers.as_whole(number, -MAX_COORDINATE, MAX_COORDINATE, Code.BAD_COORDINATE)
    if isinstance(point.value, list) and len(numbers) != 2:
        rivers.note(point, Code.BAD_COORDINATE, "a point is two whole numbers")


def _too_big(root: Fields, draft: Draft) -> bool:
    """Notes lists beyond the limits; the checks between elements are then left out."""
    sizes = [
        ("cities", len(draft.places), MAX_PLACES),
        ("countries", len(draft.countries) + sum(len(c.exits) for c, _ in draft.countries), MAX_PLACES),
        ("routes", len(draft.routes), MAX_ROUTES),
        ("tickets", len(draft.tickets), MAX_TICKETS),
    ]
    over = [(key, size, limit) for key, size, limit in sizes if size > limit]
    for key, size, limit in over:
        root.fault(Code.TOO_BIG, key, f"{size} entries; at most {limit} are allowed")
    return bool(over)
