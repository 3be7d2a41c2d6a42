"""Turns the text of a card file (the card game's deck, tickets and bonuses) into a `CardSet`."""

from dataclasses import replace
from typing import Final

from turntable_rules.boards.checks import check_unique
from turntable_rules.boards.digest import cards_digest
from turntable_rules.boards.faults import BoardError, Code, Fault, in_file_order
from turntable_rules.boards.fields import Fields
from turntable_rules.boards.parse import COLOUR_WORDS, MAX_POINTS, MAX_TICKETS, check_format
from turntable_rules.boards.scan import scan
from turntable_rules.engine.board import COLOURS, BigCity, CardSet, City, Destination

CARDS_FORMAT: Final = "turntable-cards/1"
MAX_CARDS: Final = 100
"""Most cards of one kind in the deck, or on one ticket."""


def parse_cards(text: str) -> CardSet:
    """The card set a file describes; raises `BoardError` with all its faults."""
    faults: list[Fault] = []
    root = Fields(scan(text, faults), faults)
    check_format(root, CARDS_FORMAT, faults)
    set_id = root.id()
    name = root.text("name", set_id)
    root.flag("substitute", False)
    per_colour, locos = _train_deck(root)
    cities, big = _cities(root)
    bonuses = _bonuses(root, big, cities)
    _check_city_colours(root, big)
    destinations = _destinations(root, {city.id for city in cities}, big)
    root.done()
    if faults:
        raise BoardError(in_file_order(faults))
    cards = CardSet(set_id, name, per_colour, locos, tuple(cities), tuple(destinations), tuple(bonuses), "")
    return replace(cards, digest=cards_digest(cards))


def _train_deck(root: Fields) -> tuple[int, int]:
    deck = root.object("train_deck")
    if deck is None:
        return 0, 0
    per_colour = deck.whole(("per_colour", "per_color"), 1, MAX_CARDS, Code.BAD_COUNT) or 0
    locos = deck.whole(("locomotive", "locos"), 0, MAX_CARDS, Code.BAD_COUNT) or 0
    key = deck.spelling("colours", "colors")
    listed = deck.optional("colours", "colors")
    if listed is not None:
        nodes = deck.as_nodes(listed)
        names = [deck.as_choice(node, COLOUR_WORDS, Code.UNKNOWN_COLOUR) for node in nodes]
        if None not in names and sorted(str(name) for name in names) != sorted(COLOURS):
            deck.fault(Code.BAD_COUNT, key, f"the colours are {', '.join(COLOURS)}, each once")
    deck.done()
    return per_colour, locos


def _cities(root: Fields) -> tuple[list[City], set[str]]:
    """All cities, and the ids of the big ones."""
    cities: list[City] = []
    big: set[str] = set()
    elements = root.objects("cities")
    for fields in elements:
        city_id = fields.id()
        cities.append(City(city_id, fields.text("name", city_id)))
        if fields.flag("big", False):
            big.add(city_id)
        fields.done()
    check_unique([(city.id, fields) for city, fields in zip(cities, elements, strict=True)])
    return cities, big


def _bonuses(root: Fields, big: set[str], cities: list[City]) -> list[BigCity]:
    """One bonus for every big city and for no other (CARD-CITY-1)."""
    fields = root.object("bonuses")
    if fields is None:
        return []
    names = {city.id: city.name for city in cities}
    bonuses: list[BigCity] = []
    for city_id, node in fields.members().items():
        points = fields.as_whole(node, 1, MAX_POINTS, Code.BAD_POINTS) or 0
        if city_id not in names:
            fields.note(node, Code.UNKNOWN_PLACE, "there is no such city")
        elif city_id not in big:
            fields.note(node, Code.BIG_CITY_MISMATCH, f"{city_id!r} is not marked as a big city")
        bonuses.append(BigCity(city_id, names.get(city_id, ""), points))
    for city_id in sorted(big.difference(fields.members())):
        root.fault(Code.BIG_CITY_MISMATCH, "bonuses", f"the big city {city_id[:64]!r} has no bonus")
    return bonuses


def _check_city_colours(root: Fields, big: set[str]) -> None:
    """The colours of the bonus cards are looks only."""
    colours = root.object("big_city_colours", needed=False)
    if colours is None:
        return
    for city_id, node in colours.members().items():
        colours.as_choice(node, COLOUR_WORDS, Code.UNKNOWN_COLOUR)
        if city_id not in big:
            colours.note(node, Code.BIG_CITY_MISMATCH, "there is no such big city")


def _destinations(root: Fields, cities: set[str], big: set[str]) -> list[Destination]:
    elements = root.objects("destinations")
    if root.listed("destinations") == []:
        root.fault(Code.NO_TICKETS, "destinations", "a card set needs tickets")
    if len(elements) > MAX_TICKETS:
        root.fault(
            Code.TOO_BIG, "destinations", f"{len(elements)} tickets; at most {MAX_TICKETS} are allowed"
        )
        return []
    destinations = [_destination(fields, cities, big) for fields in elements]
    check_unique([(card.id, fields) for card, fields in zip(destinations, elements, strict=True)])
    return destinations


def _destination(fields: Fields, cities: set[str], big: set[str]) -> Destination:
    card_id = fields.id()
    ends = (fields.reference("a"), fields.reference("b"))
    for key, end in zip(("a", "b"), ends, strict=True):
        if end and end not in cities:
            fields.fault(Code.UNKNOWN_PLACE, key, f"there is no city {end[:64]!r}")
    if ends[0] and ends[0] == ends[1]:
        fields.fault(Code.TARGET_IS_START, "b", "a ticket names two different cities")
    cards = _needs(fields)
    points = fields.whole(("points",), 1, MAX_POINTS, Code.BAD_POINTS) or 0
    named = tuple(fields.as_reference(node) for node in fields.nodes("big_cities"))
    expected = sorted(end for end in ends if end in big)
    if "" not in (*ends, *named) and fields.listed("big_cities") is not None and sorted(named) != expected:
        fields.fault(Code.BIG_CITY_MISMATCH, "big_cities", f"the big cities among a and b are {expected}")
    fields.done()
    return Destination(card_id, *ends, cards, points, named)


def _needs(fields: Fields) -> tuple[int, ...]:
    """Cards asked for, by colour number."""
    counts = [0] * len(COLOURS)
    cards = fields.object("cards")
    if cards is None:
        return tuple(counts)
    members = cards.members()
    for name, node in members.items():
        count = cards.as_whole(node, 1, MAX_CARDS, Code.BAD_COUNT)
        if name not in COLOUR_WORDS:
            cards.note(node, Code.UNKNOWN_COLOUR, f"the colours are {', '.join(COLOURS)}")
            continue
        number = COLOURS.index(COLOUR_WORDS[name])
        if counts[number]:
            cards.note(node, Code.DUPLICATE_KEY, "brown and orange are the same colour")
        counts[number] = count or 0
    if not members and cards.is_object:
        fields.fault(Code.NO_CARDS, "cards", "a ticket asks for at least one card")
    return tuple(counts)
