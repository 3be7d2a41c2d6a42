"""The card game's deck, tickets and bonuses against the rules and the figures of data/PROVENANCE.md."""

from __future__ import annotations

import json
from collections import Counter
from math import ceil

import pytest

from tests.unit.boards.small import Json, board_distances, faults_in, small_cards, spread
from turntable_rules.boards import Code, builtin_board, builtin_cards, parse_cards
from turntable_rules.engine.board import COLOURS

CARDS = builtin_cards()
COLOUR_OF_CITY = {
    "seattle": "black",
    "los_angeles": "white",
    "chicago": "yellow",
    "dallas": "green",
    "new_york": "blue",
    "miami": "red",
}


@pytest.mark.clause("CARD-SETUP-1", "CARD-SETUP-4")
def test_counts() -> None:
    """CARD-SETUP-1, CARD-SETUP-4: 96 cards, 46 tickets."""
    assert CARDS.per_colour * 8 + CARDS.locos == 96
    assert (CARDS.per_colour, CARDS.locos) == (10, 16)
    assert len(CARDS.destinations) == 46
    assert len(CARDS.cities) == 34


@pytest.mark.clause("CARD-CITY-1")
def test_big_cities() -> None:
    """CARD-CITY-1: the six big cities and the bonuses printed on their cards."""
    assert {(city.id, city.name, city.bonus) for city in CARDS.big_cities} == {
        ("new_york", "New York", 15),
        ("chicago", "Chicago", 12),
        ("los_angeles", "Los Angeles", 12),
        ("dallas", "Dallas", 10),
        ("seattle", "Seattle", 8),
        ("miami", "Miami", 8),
    }
    named = Counter(name for card in CARDS.destinations for name in card.big_cities)
    assert named == {
        "chicago": 11, "new_york": 11, "seattle": 10, "los_angeles": 10, "dallas": 10, "miami": 10
    }  # fmt: skip
    assert Counter(len(card.big_cities) for card in CARDS.destinations) == {1: 30, 2: 16}


@pytest.mark.clause("CARD-CITY-4")
def test_big_cities_of_a_ticket_are_its_ends() -> None:
    """CARD-CITY-4."""
    big = set(COLOUR_OF_CITY)
    for card in CARDS.destinations:
        assert set(card.big_cities) == big & {card.a, card.b}


def test_values_are_shortest_paths_on_the_usa_board() -> None:
    """8.4: 46 of 46, an independent check of cities and points."""
    shortest = board_distances(builtin_board("usa"))
    assert [card.points for card in CARDS.destinations] == [
        shortest[card.a, card.b] for card in CARDS.destinations
    ]
    points = [card.points for card in CARDS.destinations]
    assert (min(points), max(points), sum(points)) == (5, 22, 581)


@pytest.mark.clause("CARD-FULFIL-1")
def test_cards_asked_for() -> None:
    """CARD-FULFIL-1: circles by value, at most two of a colour, and the demand per colour."""
    for card in CARDS.destinations:
        assert sum(card.cards) == ceil(card.points / 5)
        assert max(card.cards) <= 2
    assert Counter(sum(card.cards) for card in CARDS.destinations) == {1: 2, 2: 17, 3: 14, 4: 11, 5: 2}
    demand = {colour: sum(card.cards[n] for card in CARDS.destinations) for n, colour in enumerate(COLOURS)}
    assert demand == dict.fromkeys(COLOURS, 16) | {"blue": 18, "yellow": 17, "white": 17}


def test_tickets_ask_for_the_colours_of_their_big_cities() -> None:
    """8.4: all but the two one-circle cards between Chicago and New York."""
    lacking = [
        card.id
        for card in CARDS.destinations
        if any(card.cards[COLOURS.index(COLOUR_OF_CITY[city])] == 0 for city in card.big_cities)
    ]
    assert lacking == ["d01", "d02"]


def test_tickets_named_by_the_sources() -> None:
    """8.4: Los Angeles-Pittsburgh needs four cards; Dallas-New York exists; two cards join Chicago and New York."""
    ends = Counter(frozenset((card.a, card.b)) for card in CARDS.destinations)
    assert ends[frozenset(("dallas", "new_york"))] == 1
    assert ends[frozenset(("chicago", "new_york"))] == 2
    assert [sum(c.cards) for c in CARDS.destinations if {c.a, c.b} == {"los_angeles", "pittsburgh"}] == [4]


@pytest.mark.clause("USA2004-COLOUR-1")
def test_small_set_reads_as_written() -> None:
    """USA2004-COLOUR-1: brown is orange; counts follow the colour numbers of docs/engine.md."""
    cards = parse_cards(json.dumps(small_cards()))
    assert cards.destinations[0].cards == (0, 0, 0, 0, 2, 0, 1, 0)
    assert cards.destinations[1].cards == (0, 0, 0, 0, 0, 0, 0, 1)
    assert [city.name for city in cards.cities] == ["p", "q", "Are"]


def _set(data: Json, *steps: str | int, value: object) -> None:
    for step in steps[:-1]:
        data = data[step]  # type: ignore[index]
    data[steps[-1]] = value  # type: ignore[index]


@pytest.mark.parametrize(
    ("steps", "value", "code", "path"),
    [
        (("format",), "turntable-cards/2", Code.UNKNOWN_FORMAT, "format"),
        (("train_deck", "per_colour"), 0, Code.BAD_COUNT, "train_deck.per_colour"),
        (("train_deck", "colours"), ["red"], Code.BAD_COUNT, "train_deck.colours"),
        (("train_deck", "colours"), ["pink"], Code.UNKNOWN_COLOUR, "train_deck.colours[0]"),
        (("bonuses", "p"), 0, Code.BAD_POINTS, "bonuses.p"),
        (("bonuses", "r"), 4, Code.BIG_CITY_MISMATCH, "bonuses.r"),
        (("bonuses", "z"), 4, Code.UNKNOWN_PLACE, "bonuses.z"),
        (("bonuses",), {"p": 8}, Code.BIG_CITY_MISMATCH, "bonuses"),
        (("big_city_colours",), {"r": "red"}, Code.BIG_CITY_MISMATCH, "big_city_colours.r"),
        (("cities", 2, "id"), "p", Code.DUPLICATE_ID, "cities[2].id"),
        (("destinations",), [], Code.NO_TICKETS, "destinations"),
        (("destinations", 0, "a"), "z", Code.UNKNOWN_PLACE, "destinations[0].a"),
        (("destinations", 1, "b"), "p", Code.TARGET_IS_START, "destinations[1].b"),
        (("destinations", 1, "cards"), {}, Code.NO_CARDS, "destinations[1].cards"),
        (("destinations", 1, "cards"), {"loco": 1}, Code.UNKNOWN_COLOUR, "destinations[1].cards.loco"),
        (("destinations", 1, "cards", "red"), 0, Code.BAD_COUNT, "destinations[1].cards.red"),
        (("destinations", 0, "cards", "orange"), 1, Code.DUPLICATE_KEY, "destinations[0].cards.orange"),
        (("destinations", 1, "points"), -1, Code.BAD_POINTS, "destinations[1].points"),
        (("destinations", 1, "big_cities"), [], Code.BIG_CITY_MISMATCH, "destinations[1].big_cities"),
        (("destinations", 1, "id"), "d1", Code.DUPLICATE_ID, "destinations[1].id"),
        (("extra",), 1, Code.UNKNOWN_KEY, "extra"),
    ],
)
def test_card_file_faults(steps: tuple[str | int, ...], value: object, code: Code, path: str) -> None:
    """CARD-CITY-1, 8.4: what a card file may not say."""
    data = small_cards()
    assert faults_in(spread(data), parse_cards) == []
    _set(data, *steps, value=value)
    assert (code, path) in [(fault.code, fault.path) for fault in faults_in(spread(data), parse_cards)]
