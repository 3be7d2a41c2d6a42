"""A small sound board with one of everything, to be spoilt by tests; and independent figures about boards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from turntable_rules.boards import BoardError, Fault, parse_board
from turntable_rules.engine.board import Board

Json = dict[str, Any]
T = TypeVar("T")


def small_board() -> Json:
    """Four cities in a line with a double route, a tunnel, a ferry, and a country of two exits."""
    return {
        "format": "turntable-board/1",
        "id": "small",
        "name": "Small",
        "board": {"width": 100, "height": 80},
        "countries": [{"id": "utopia", "name": "Utopia", "exits": ["utopia_a", "utopia_d"]}],
        "cities": [
            {"id": "a", "name": "Ahh", "x": 10, "y": 10, "label": "n"},
            {"id": "b", "name": "Bee", "x": 30, "y": 10, "label": "s"},
            {"id": "c", "name": "Sea", "x": 50, "y": 10},
            {"id": "d", "name": "Dee", "x": 70, "y": 10, "country": None},
            {"id": "utopia_a", "name": "Utopia", "x": 10, "y": 60, "country": "utopia", "attached_to": "a"},
            {"id": "utopia_d", "name": "Utopia", "x": 70, "y": 60, "country": "utopia", "attached_to": "d"},
        ],
        "routes": [
            {"id": "ab1", "a": "a", "b": "b", "length": 2, "color": "red", "double_group": "ab"},
            {"id": "ab2", "a": "b", "b": "a", "length": 2, "color": "blue", "double_group": "ab"},
            {"id": "bc", "a": "b", "b": "c", "length": 3, "color": "grey", "kind": "ferry", "locomotives": 1},
            {"id": "cd", "a": "c", "b": "d", "length": 4, "color": "black", "kind": "tunnel"},
            {"id": "ua", "a": "utopia_a", "b": "a", "length": 1, "color": "grey", "kind": "rail"},
            {"id": "ud", "a": "utopia_d", "b": "d", "length": 1, "color": "grey", "kind": "rail"},
        ],
        "tickets": [
            {"id": "t_ad", "a": "a", "b": "d", "points": 9, "deck": "long"},
            {"id": "t_ac", "a": "a", "b": "c", "points": 5, "deck": "regular", "printed": False},
            {"id": "t_b", "from": "b", "targets": [{"to": "utopia", "points": 3}, {"to": "d", "points": 7}]},
        ],
    }


def small_cards() -> Json:
    """Three cities, two of them big, two tickets."""
    return {
        "format": "turntable-cards/1",
        "id": "small_cards",
        "name": "Small cards",
        "train_deck": {"per_colour": 10, "locomotive": 16},
        "bonuses": {"p": 8, "q": 5},
        "cities": [{"id": "p", "big": True}, {"id": "q", "big": True}, {"id": "r", "name": "Are"}],
        "destinations": [
            {
                "id": "d1",
                "a": "p",
                "b": "q",
                "cards": {"red": 1, "brown": 2},
                "points": 7,
                "big_cities": ["q", "p"],
            },
            {"id": "d2", "a": "p", "b": "r", "cards": {"green": 1}, "points": 5, "big_cities": ["p"]},
        ],
    }


def outcome(parse: Callable[[str], T], text: str) -> T | BoardError:
    """What a file is read as, or why it is refused."""
    try:
        return parse(text)
    except BoardError as error:
        return error


def faults_in(text: str, parse: Callable[[str], object] = parse_board) -> list[Fault]:
    """What is wrong with a file; nothing if it is sound."""
    read = outcome(parse, text)
    if not isinstance(read, BoardError):
        return []
    assert read.faults
    return read.faults


def spread(data: Json) -> str:
    """A file with one element of each list per line, as people write them."""
    return json.dumps(data, indent=1)


def distances(edges: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """Shortest paths between all pairs (Floyd and Warshall)."""
    far = 10**6
    best: dict[tuple[str, str], int] = {}
    names: set[str] = set()
    for a, b, length in edges:
        names |= {a, b}
        best[a, b] = best[b, a] = min(length, best.get((a, b), far))
    for name in names:
        best[name, name] = 0
    for via in names:
        for a in names:
            for b in names:
                through = best.get((a, via), far) + best.get((via, b), far)
                if through < best.get((a, b), far):
                    best[a, b] = through
    return best


def board_distances(board: Board) -> dict[tuple[str, str], int]:
    return distances((route.a, route.b, route.length) for route in board.routes)
