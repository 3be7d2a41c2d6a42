"""Events as JSON: the documented facts of each type, as far as a reader may know them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import turntable_rules as engine
from tests.kit.walks import Walk
from turntable_session.forms.events import event_form
from turntable_session.forms.results import result_form

pytestmark = pytest.mark.tree

ENGINE_MD = (Path(__file__).resolve().parents[3] / "docs" / "engine.md").read_text("utf-8")


def documented() -> Iterator[tuple[str, set[str], set[str]]]:
    """Every event type with its public and its private fields, in camelCase."""
    section = ENGINE_MD.split("\n## Events\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            types, public, private = (cell.strip() for cell in line.strip("|").split("|"))
            for name in re.findall(r"`(\w+)`", types):
                yield name, _fields(public), _fields(private)


def _fields(cell: str) -> set[str]:
    names = (name.strip() for name in re.sub(r"\([^)]*\)", "", cell).split(","))
    return {re.sub(r"_(\w)", lambda found: found[1].upper(), name) for name in names if name}


@cache
def events() -> list[engine.Event]:
    """The events of a game per edition, of one that a seat leaves, and of one with two rounds."""
    found: list[engine.Event] = []
    for number, edition in enumerate(engine.EDITIONS.values()):
        for players in (edition.min_players, edition.max_players):
            walk = Walk(edition.id, players, number)
            engine.new_game(walk.state.rules, bytes(32), found)
            while not walk.finished:
                found += walk.step()
    walk = Walk("usa", 3, 9).advance(40)
    found += engine.retire(walk.state, walk.state.active)
    while not walk.finished:
        found += walk.step()
    return found


def test_every_type_has_its_documented_fields() -> None:
    table = {name: (public, private) for name, public, private in documented()}
    met: set[str] = set()
    for event in events():
        public, private = table[event.type]
        assert set(event_form(event.seen_by(None))) == {"type"} | public
        if event.private is not None:
            assert set(event_form(event.seen_by(event.seat))) == {"type"} | public | private
            other = event_form(event.seen_by(event.seat + 1))
            assert other == event_form(event.seen_by(None))
        met.add(event.type)
    rare = {"tunnel_abandoned", "passed", "row_flushed"}
    assert set(table) - rare <= met


def test_types_and_values_keep_their_words() -> None:
    def values(facts: dict[str, Any]) -> list[str]:
        return sorted(json.dumps(value) for key, value in facts.items() if key != "result")

    for event in events():
        seen = event.seen_by(event.seat)
        assert event_form(seen)["type"] == event.type
        assert values(event_form(seen)) == values(seen)


def test_the_end_carries_the_result_as_clients_know_it() -> None:
    finished = [event for event in events() if event.type == "game_finished"]
    assert finished
    for event in finished:
        facts: dict[str, Any] = event.seen_by(None)
        assert event_form(facts)["result"] == result_form(facts["result"])
        assert "longestPath" in event_form(facts)["result"]["seats"][0]


def test_an_event_is_plain_json() -> None:
    for event in events():
        form = event_form(event.in_full())
        assert json.loads(json.dumps(form)) == form
