"""What a board and a card set are: plain facts, checked before they get here."""

from dataclasses import dataclass
from typing import Final

from turntable_rules.engine.cards import COLOUR_NAMES

COLOURS: Final = COLOUR_NAMES
"""What a route or a ticket's cards may be coloured, by colour number."""


@dataclass(frozen=True)
class Place:
    """A city, or an exit of a country when `country` is set."""

    id: str
    name: str
    x: int
    y: int
    label: str
    """Compass side of the name on the map, "" if none is given."""
    country: str | None


@dataclass(frozen=True)
class Country:
    """A country is the set of its exits (SWI-COUNTRY-1)."""

    id: str
    name: str
    exits: tuple[str, ...]


@dataclass(frozen=True)
class Route:
    """One track between two places."""

    id: str
    a: str
    b: str
    length: int
    colour: str | None
    """None is gray."""
    kind: str
    """`rail`, `ferry` or `tunnel`."""
    locos: int
    """Loco symbols; only a ferry has any."""
    double_group: str | None


@dataclass(frozen=True)
class Target:
    """Where a ticket may lead, and what that is worth."""

    to: str
    points: int


@dataclass(frozen=True)
class Ticket:
    """A start and one or more targets; each is a city or a country (SWI-MULTI-1)."""

    id: str
    start: str
    targets: tuple[Target, ...]
    long: bool
    printed: bool
    """False where the value is ours because the source's is not legible (LYON-3)."""


@dataclass(frozen=True)
class Board:
    """A map with its tickets; the order of places, routes and tickets numbers the actions."""

    id: str
    name: str
    width: int
    height: int
    reconstructed: bool
    """True where the routes are ours because the original's are lost (LYON-3)."""
    places: tuple[Place, ...]
    countries: tuple[Country, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    digest: str
    """Hex SHA-256 of the facts that matter to play."""


@dataclass(frozen=True)
class City:
    """A city named on the tickets of the card game."""

    id: str
    name: str


@dataclass(frozen=True)
class Destination:
    """A ticket of the card game: two cities and the cards it asks for."""

    id: str
    a: str
    b: str
    cards: tuple[int, ...]
    """Eight counts, by colour number."""
    points: int
    big_cities: tuple[str, ...]


@dataclass(frozen=True)
class BigCity:
    """A city with a bonus card (CARD-CITY-1)."""

    id: str
    name: str
    bonus: int


@dataclass(frozen=True)
class CardSet:
    """The train deck, tickets and bonus cards of the card game."""

    id: str
    name: str
    per_colour: int
    locos: int
    cities: tuple[City, ...]
    destinations: tuple[Destination, ...]
    big_cities: tuple[BigCity, ...]
    digest: str
    """Hex SHA-256 of the facts that matter to play."""
