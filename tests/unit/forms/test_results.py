"""Results as JSON: every component of every total."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import turntable_rules as engine
from tests.unit.forms.positions import form_of, positions
from turntable_session.forms.results import result_form

pytestmark = pytest.mark.tree

SEAT = set(
    "seat start routes tickets stations longestPath borrowedRoutes cityBonuses total rank retired".split()
)


def finished() -> Iterator[tuple[engine.State, dict[str, Any]]]:
    for state in positions():
        if not engine.seats_to_act(state):
            yield state, result_form(engine.result_to_json(engine.score(state)))


def test_a_result_names_winners_ending_and_every_component_of_every_seat() -> None:
    editions: set[str] = set()
    for state, form in finished():
        editions.add(state.rules.edition.id)
        assert set(form) == {"seats", "winners", "ending"}
        assert form["ending"] == "normal"
        assert form["winners"] == [seat["seat"] for seat in form["seats"] if seat["rank"] == 1]
        assert [seat["seat"] for seat in form["seats"]] == list(range(state.rules.players))
        for seat in form["seats"]:
            assert set(seat) == SEAT
            assert set(seat["longestPath"]) == {"length", "routes", "bonus"}
            assert all(set(ticket) == {"id", "completed", "points"} for ticket in seat["tickets"])
            assert all(set(loan) == {"city", "route"} for loan in seat["borrowedRoutes"])
            assert all(set(bonus) == {"city", "points"} for bonus in seat["cityBonuses"])
        assert json.loads(json.dumps(form)) == form
    assert editions == set(engine.EDITIONS)


def test_the_components_add_up_to_the_total() -> None:
    for _, form in finished():
        for seat in form["seats"]:
            parts = seat["start"] + seat["routes"] + seat["stations"] + seat["longestPath"]["bonus"]
            parts += sum(ticket["points"] for ticket in seat["tickets"])
            parts += sum(bonus["points"] for bonus in seat["cityBonuses"])
            assert parts == seat["total"]


def test_every_station_is_listed_with_what_it_borrowed() -> None:
    borrowed = 0
    for state, form in finished():
        for seat, built in zip(form["seats"], state.stations, strict=True):
            names = [state.rules.place_ids[place] for place in built]
            assert [loan["city"] for loan in seat["borrowedRoutes"]] == names
            borrowed += len(names)
    assert borrowed


def test_the_view_of_a_finished_game_holds_the_same_result() -> None:
    for state, form in finished():
        assert form_of(state, None)["result"] == form
        assert form_of(state, 1)["result"] == form
