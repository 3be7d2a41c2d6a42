"""Fingerprints of boards and card sets: they change with the game, not with its looks."""

import json
from collections.abc import Mapping
from hashlib import sha256

from turntable_rules.engine.board import Board, CardSet


def board_digest(board: Board) -> str:
    """Hex SHA-256 of all that matters to play, the order of the lists included: it numbers the actions."""
    facts = {
        "facts": "turntable-board/1",
        "places": [[place.id, place.country] for place in board.places],
        "countries": [[country.id, country.exits] for country in board.countries],
        "routes": [
            [
                route.id,
                route.a,
                route.b,
                route.length,
                route.colour,
                route.kind,
                route.locos,
                route.double_group,
            ]
            for route in board.routes
        ],
        "tickets": [
            [ticket.id, ticket.start, [[target.to, target.points] for target in ticket.targets], ticket.long]
            for ticket in board.tickets
        ],
    }
    return _hash(facts)


def cards_digest(cards: CardSet) -> str:
    """Hex SHA-256 of everything that matters to play with a card set."""
    facts = {
        "facts": "turntable-cards/1",
        "deck": [cards.per_colour, cards.locos],
        "cities": [city.id for city in cards.cities],
        "destinations": [
            [card.id, card.a, card.b, card.cards, card.points, card.big_cities] for card in cards.destinations
        ],
        "big_cities": [[city.id, city.bonus] for city in cards.big_cities],
    }
    return _hash(facts)


def _hash(facts: Mapping[str, object]) -> str:
    return sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
