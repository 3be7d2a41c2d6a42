"""Moves as JSON: what is listed can be sent back, and nonsense is refused as such."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turntable_rules as engine
from tests.kit.walks import Walk
from tests.unit.forms.positions import positions
from turntable_session.forms.moves import (
    grouped_forms,
    legal_forms,
    move_form,
    parse_move_form,
)

pytestmark = pytest.mark.tree

TYPES = set(
    "keep_tickets draw_deck draw_row claim draw_tickets build_station tunnel_pay tunnel_abandon stop_drawing"
    " play_same play_three pass".split()
)
FIELDS = {
    "keep_tickets": {"tickets"},
    "draw_row": {"slot"},
    "claim": {"route", "payment"},
    "build_station": {"city", "payment"},
    "tunnel_pay": {"payment"},
    "play_same": {"colour", "wagons", "locos"},
    "play_three": {"colours"},
}


def to_decide() -> Iterator[tuple[engine.State, int]]:
    for state in positions():
        for seat in engine.seats_to_act(state):
            yield state, seat


def without_id(form: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in form.items() if key != "id"}


def test_all_legal_moves_are_listed_with_their_fields_and_ids() -> None:
    met: set[str] = set()
    for state, seat in to_decide():
        forms = legal_forms(state, seat)
        assert [form["id"] for form in forms] == engine.legal_actions(state, seat)
        for form in forms:
            assert set(form) == {"id", "type"} | FIELDS.get(form["type"], set())
            met.add(form["type"])
        assert json.loads(json.dumps(forms)) == forms
    assert met == TYPES - {"pass"}


def test_a_listed_move_comes_back_as_the_move_of_its_id() -> None:
    for state, seat in to_decide():
        for form in legal_forms(state, seat):
            move = parse_move_form(without_id(form))
            assert move == engine.to_move(state, seat, form["id"])
            assert engine.to_action(state, seat, move) == form["id"]
            assert move_form(engine.move_to_json(move)) == without_id(form)


def test_a_seat_that_owes_nothing_has_no_moves() -> None:
    for state in positions():
        for seat in set(range(state.rules.players)) - set(engine.seats_to_act(state)):
            assert legal_forms(state, seat) == []
            assert grouped_forms(state, seat) == []


def test_passing_is_listed_where_nothing_else_is_possible() -> None:
    walk = Walk("usa", 2, 1)
    while engine.legal_moves(walk.state) and engine.view(walk.state, None)["phase"] != "turn_start":
        walk.step()
    state = walk.state
    seat = state.active
    state.deck_left, state.row, state.pile = 0, [-1] * 5, ()
    state.hands = [0] * len(state.hands)
    assert legal_forms(state, seat) == [{"id": 8, "type": "pass"}]


def test_a_payment_has_no_colour_exactly_when_it_has_no_wagons() -> None:
    seen: set[bool] = set()
    for state, seat in to_decide():
        for form in legal_forms(state, seat):
            if "payment" in form:
                payment = form["payment"]
                assert list(payment) == ["colour", "wagons", "locos"]
                assert (payment["colour"] is None) == (payment["wagons"] == 0)
                seen.add(payment["colour"] is None)
    assert seen == {True, False}


def flattened(groups: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for group in groups:
        if "payments" not in group:
            yield group
            continue
        fields = {key: value for key, value in group.items() if key != "payments"}
        for number, colour, wagons, locos in group["payments"]:
            yield {
                "id": number,
                **fields,
                "payment": {"colour": colour, "wagons": wagons, "locos": locos},
            }


def test_grouped_moves_are_the_same_moves() -> None:
    for state, seat in to_decide():
        groups = grouped_forms(state, seat)
        listed = sorted(flattened(groups), key=lambda form: int(form["id"]))
        assert listed == legal_forms(state, seat)
        places = [
            (group["type"], group.get("route", group.get("city"))) for group in groups if "payments" in group
        ]
        assert len(places) == len(set(places))
        assert not [
            group for group in groups if group["type"] in ("claim", "build_station") and "id" in group
        ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
WORDS = sorted({*TYPES, "red", "loco", "wien", "t_boston_miami", "atlanta_miami", ""})
NUMBERS = st.integers(-3, 20) | st.integers() | st.sampled_from([10**30, -(10**30)])
VALUES = st.one_of(
    st.sampled_from(WORDS),
    NUMBERS,
    st.lists(st.sampled_from(WORDS), max_size=4),
    st.fixed_dictionaries({"colour": st.sampled_from([None, *WORDS]), "wagons": NUMBERS, "locos": NUMBERS}),
    JSON,
)
NEARLY = st.builds(
    lambda kind, fields: {"type": kind, **fields},
    st.sampled_from(sorted(TYPES)),
    st.dictionaries(
        st.sampled_from(sorted(set().union(*FIELDS.values(), {"id", "version"}))), VALUES, max_size=4
    ),
)
FULL = st.sampled_from(sorted(TYPES)).flatmap(
    lambda kind: st.fixed_dictionaries({"type": st.just(kind), **dict.fromkeys(FIELDS.get(kind, ()), VALUES)})
)


@given(JSON)
def test_garbage_is_refused_as_malformed(form: object) -> None:
    with pytest.raises(engine.IllegalMove) as refused:
        parse_move_form(form)
    assert refused.value.refusal.code == "malformed_move"


@given(NEARLY | FULL, st.integers(0, 10**6))
def test_a_near_miss_is_refused_or_played_but_never_breaks_anything(form: dict[str, Any], which: int) -> None:
    states = list(to_decide())
    state, seat = states[which % len(states)]
    found = outcome(state, seat, form)
    assert isinstance(found, engine.Refusal) or found in engine.legal_actions(state, seat)


def outcome(state: engine.State, seat: int, form: object) -> int | engine.Refusal:
    try:
        return engine.to_action(state, seat, parse_move_form(form))
    except engine.IllegalMove as illegal:
        return illegal.refusal


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        "draw_deck",
        {},
        {"type": None},
        {"type": ["claim"]},
        {"type": "claim"},
        {"type": "draw_deck", "slot": 0},
        {"type": "draw_row", "slot": True},
        {"type": "draw_row", "slot": 1.0},
        {"type": "keep_tickets", "tickets": "d01"},
        {"type": "keep_tickets", "tickets": [["d01"]]},
        {"type": "claim", "route": "r", "payment": []},
        {"type": "claim", "route": "r", "payment": {"colour": "red", "wagons": 1}},
        {"type": "claim", "route": "r", "payment": {"colour": "red", "wagons": 1, "locos": 0, "extra": 1}},
        {"type": "resign"},
    ],
)
def test_a_move_that_cannot_be_read_is_malformed(form: object) -> None:
    with pytest.raises(engine.IllegalMove) as refused:
        parse_move_form(form)
    assert refused.value.refusal.code == "malformed_move"


def test_a_form_is_a_copy() -> None:
    move = {"type": "claim", "route": "r", "payment": {"colour": "red", "wagons": 2, "locos": 0}}
    form = move_form(move)
    form["payment"]["wagons"] = 9
    assert move["payment"] == {"colour": "red", "wagons": 2, "locos": 0}
