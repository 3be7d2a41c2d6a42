"""Whatever the file holds, the answer is a sound board or a `BoardError`, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.boards.small import outcome, small_board, small_cards
from turntable_rules.boards import builtin_text, parse_board, parse_cards
from turntable_rules.engine.board import COLOURS, Board, CardSet

SOURCES = [builtin_text("switzerland"), builtin_text("europe"), json.dumps(small_board())]
CARD_SOURCES = [builtin_text("card_game"), json.dumps(small_cards())]

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-20, 20)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(
        ["a", "b", "utopia", "utopia_a", "zurich", "germany", "grey", "ferry", "tunnel", "long", "-"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def containers(value: Any) -> list[Any]:
    """All lists and objects in a document."""
    if isinstance(value, dict):
        return [value, *(c for inner in value.values() for c in containers(inner))]
    if isinstance(value, list):
        return [value, *(c for inner in value for c in containers(inner))]
    return []


def mutate(data: st.DataObject, document: Any) -> None:
    """Replaces, removes, repeats or moves something somewhere."""
    everything = [c for c in containers(document) if c]
    target = data.draw(st.sampled_from(everything)) if everything else document
    if not target:
        return
    key = data.draw(st.sampled_from(sorted(target) if isinstance(target, dict) else range(len(target))))
    match data.draw(st.sampled_from(["replace", "remove", "repeat", "swap", "rename"])):
        case "replace":
            target[key] = data.draw(junk)
        case "remove":
            del target[key]
        case "repeat" if isinstance(target, list):
            target.append(target[key])
        case "swap":
            other = data.draw(st.sampled_from(everything))
            target[key] = json.loads(json.dumps(other))
        case "rename" if isinstance(target, dict):
            target[data.draw(st.text(max_size=4))] = target.pop(key)


def assert_sound(board: Board) -> None:
    """What the engine relies on."""
    places = {place.id for place in board.places}
    names = places | {country.id for country in board.countries}
    assert len(places) == len(board.places)
    assert board.routes
    assert board.tickets
    groups: dict[frozenset[str], set[str | None]] = {}
    for route in board.routes:
        assert {route.a, route.b} <= places
        assert route.a != route.b
        assert 1 <= route.length <= 12
        assert route.colour is None or route.colour in COLOURS
        assert (route.kind == "ferry") == (route.locos > 0)
        groups.setdefault(frozenset((route.a, route.b)), set()).add(route.double_group)
    assert all(len(group) == 1 for group in groups.values())
    for ticket in board.tickets:
        assert {ticket.start, *(target.to for target in ticket.targets)} <= names
        assert ticket.targets
        assert all(target.points > 0 for target in ticket.targets)
    for country in board.countries:
        assert country.exits
        assert set(country.exits) == {place.id for place in board.places if place.country == country.id}


def parse_safely(text: str) -> None:
    read = outcome(parse_board, text)
    if isinstance(read, Board):
        assert_sound(read)
        return
    assert read.faults
    assert str(read).encode()
    assert all(fault.line and fault.line <= text.count("\n") + 1 for fault in read.faults)


def parse_cards_safely(text: str) -> None:
    read = outcome(parse_cards, text)
    if isinstance(read, CardSet):
        assert all(len(card.cards) == len(COLOURS) and sum(card.cards) > 0 for card in read.destinations)
        named = {name for card in read.destinations for name in card.big_cities}
        assert named <= {city.id for city in read.big_cities}
        return
    assert read.faults
    assert str(read).encode()


@given(st.data())
def test_mutated_boards(data: st.DataObject) -> None:
    document = json.loads(data.draw(st.sampled_from(SOURCES)))
    for _ in range(data.draw(st.integers(1, 5))):
        mutate(data, document)
    parse_safely(json.dumps(document, indent=data.draw(st.sampled_from([None, 1]))))


@given(st.data())
def test_mutated_cards(data: st.DataObject) -> None:
    document = json.loads(data.draw(st.sampled_from(CARD_SOURCES)))
    for _ in range(data.draw(st.integers(1, 5))):
        mutate(data, document)
    parse_cards_safely(json.dumps(document))


@given(st.sampled_from(SOURCES), st.data())
def test_mangled_text(text: str, data: st.DataObject) -> None:
    """Characters cut out, put in and repeated."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    parse_safely(text[:start] + data.draw(st.text(max_size=6)) + text[end:])


@given(st.text() | st.text(alphabet='{}[]",:0123456789.-eE\\u tfn\n"id'))
@settings(max_examples=200)
def test_random_text(text: str) -> None:
    parse_safely(text)
    parse_cards_safely(text)


@given(junk)
def test_random_json(value: object) -> None:
    parse_safely(json.dumps(value))
    parse_cards_safely(json.dumps(value))
