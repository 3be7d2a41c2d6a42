"""The Lyon board against Annex 8.1 of the rules and the figures of data/PROVENANCE.md."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from tests.unit.boards.small import board_distances
from turntable_rules.boards import builtin_board, builtin_text
from turntable_rules.engine.board import COLOURS

BOARD = builtin_board("lyon")
RULES = Path(__file__).resolve().parents[3] / "docs" / "rules.md"


def annex() -> dict[frozenset[str], int | None]:
    """The 36 tickets of Annex 8.1, pair of names to value."""
    text = RULES.read_text("utf-8").split("### 8.1")[1].split("### 8.2")[0]
    with_value, without = text.split("With value:")[1].split("Value not legible:")
    tickets: dict[frozenset[str], int | None] = {}
    for entry in with_value.split("·"):
        match = re.fullmatch(r"(.+)–(.+) (\d+)", " ".join(entry.split()))
        assert match
        tickets[frozenset(match.group(1, 2))] = int(match[3])
    for entry in without.split("·"):
        tickets[frozenset(" ".join(entry.split()).split("–"))] = None
    return tickets


@pytest.mark.clause("LYON-3")
def test_tickets_are_those_of_the_annex() -> None:
    """LYON-3: 36 tickets, the 27 legible values as printed, the other 9 marked as ours."""
    names = {place.id: place.name for place in BOARD.places}
    found = {
        frozenset((names[t.start], names[t.targets[0].to])): t.targets[0].points if t.printed else None
        for t in BOARD.tickets
    }
    assert found == annex()
    assert Counter(value is None for value in annex().values()) == {False: 27, True: 9}
    assert len(BOARD.tickets) == 36


@pytest.mark.clause("LYON-3")
def test_the_file_says_that_it_is_reconstructed() -> None:
    """LYON-3: the routes are not Haffner's."""
    assert BOARD.reconstructed
    provenance = files("turntable_rules.boards").joinpath("data", "PROVENANCE.md")
    assert "RECONSTRUCTED" in provenance.read_text("utf-8")


def test_counts() -> None:
    """LYON-3: 35 stations, 93 tracks on 75 connections, 294 spaces (247 with doubles counted once)."""
    pairs = {frozenset((r.a, r.b)): r.length for r in BOARD.routes}
    assert (len(BOARD.places), len(BOARD.routes), len(pairs)) == (35, 93, 75)
    assert sum(r.length for r in BOARD.routes) == 294
    assert sum(pairs.values()) == 247
    assert Counter(r.length for r in BOARD.routes) == {1: 4, 2: 32, 3: 22, 4: 20, 5: 10, 6: 5}
    assert {r.kind for r in BOARD.routes} == {"rail"}


def test_colours_are_balanced() -> None:
    """8.4: each colour has 7 tracks and 26 spaces, gray 37 and 86; no station has a colour twice."""
    for colour in COLOURS:
        lengths = [r.length for r in BOARD.routes if r.colour == colour]
        assert (len(lengths), sum(lengths)) == (7, 26)
        ends = [end for r in BOARD.routes if r.colour == colour for end in (r.a, r.b)]
        assert len(ends) == len(set(ends))
    gray = [r.length for r in BOARD.routes if r.colour is None]
    assert (len(gray), sum(gray)) == (37, 86)


@pytest.mark.clause("COMMON-DOUBLE-6")
def test_doubles() -> None:
    """COMMON-DOUBLE-6: 18 double pairs, 9 of them gray twice and 9 of two colours."""
    groups: dict[str, list[str | None]] = {}
    for route in BOARD.routes:
        if route.double_group:
            groups.setdefault(route.double_group, []).append(route.colour)
    assert Counter(len(set(colours)) for colours in groups.values()) == {1: 9, 2: 9}
    assert all(len(colours) == 2 for colours in groups.values())
    assert all(colours == [None, None] for colours in groups.values() if len(set(colours)) == 1)


def test_degrees() -> None:
    """8.4: connections per station 2 to 6; only Récamier has 2."""
    pairs = {frozenset((r.a, r.b)) for r in BOARD.routes}
    degree = Counter(end for pair in pairs for end in pair)
    assert (min(degree.values()), max(degree.values())) == (2, 6)
    assert [name for name, count in degree.items() if count == 2] == ["recamier"]


def test_every_ticket_is_worth_its_shortest_path() -> None:
    """LYON-3: 27 of 27 printed values, and the derived ones by construction."""
    shortest = board_distances(BOARD)
    for ticket in BOARD.tickets:
        (target,) = ticket.targets
        assert shortest[ticket.start, target.to] == target.points


def test_rivers_are_kept_for_those_who_draw() -> None:
    assert set(json.loads(builtin_text("lyon"))["rivers"]) == {"Saône", "Rhône"}
    assert (BOARD.width, BOARD.height) == (1000, 800)
