"""Whatever bytes or text come in, the answer is a state or a BadPosition, and a sound state can be played on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turntable_rules as engine
from tests.kit.walks import TABLES, walked

TABLE = st.sampled_from(TABLES)


def use(state: engine.State) -> None:
    """Do with a loaded state what a server would."""
    if engine.invariants(state):
        return
    for seat in range(state.rules.players):
        engine.view(state, seat)
    for action in engine.legal_actions(state)[:3]:
        engine.apply(state.clone(), engine.seats_to_act(state)[0], action)


def load_or_refuse(load: Callable[[], engine.State]) -> str:
    """Load and use a state; the refusal in words if there is one, which has to name a fault."""
    try:
        loaded = load()
    except engine.BadPosition as bad:
        faults = bad.faults
    else:
        use(loaded)
        return ""
    assert faults
    return "; ".join(faults)


@given(TABLE, st.integers(0, 2**32), st.integers(0, 200), st.data())
def test_damaged_bytes(table, number, steps, data):
    state = walked(table, number, steps).state
    damaged = bytearray(engine.encode(state))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        match data.draw(st.sampled_from(("change", "cut", "insert"))):
            case "change":
                damaged[at] = data.draw(st.integers(0, 255))
            case "cut":
                del damaged[at : at + data.draw(st.integers(1, 40))]
            case "insert":
                damaged[at:at] = data.draw(st.binary(max_size=8))
        if not damaged:
            break
    load_or_refuse(lambda: engine.decode(state.rules, bytes(damaged)))


@given(TABLE, st.binary(max_size=400))
def test_junk_bytes(table, junk):
    rules = engine.ruleset(table[0], table[1])
    load_or_refuse(lambda: engine.decode(rules, junk))
    load_or_refuse(lambda: engine.decode(rules, b"TT\x01" + rules.fingerprint + junk))


def test_bytes_of_another_ruleset_are_refused():
    state = engine.new_game(engine.ruleset("usa", 2), bytes(32))
    for other in (
        engine.ruleset("usa", 3),
        engine.ruleset("lyon", 2),
        engine.ruleset("usa", 2, {"max_turns": 5}),
    ):
        with pytest.raises(engine.BadPosition, match="another ruleset"):
            engine.decode(other, engine.encode(state))


def test_bytes_of_a_later_format_are_refused_by_name():
    state = engine.new_game(engine.ruleset("usa", 2), bytes(32))
    data = bytearray(engine.encode(state))
    data[2] = 2
    with pytest.raises(engine.BadPosition, match="state format 2"):
        engine.decode(state.rules, bytes(data))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["red", "loco", "finished"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(TABLE, st.integers(0, 2**32), st.integers(0, 200), st.data())
def test_damaged_positions(table, number, steps, data):
    state = walked(table, number, steps).state
    position: Any = engine.to_position(state)
    target = data.draw(st.sampled_from([position, *position["players"]]))
    key = data.draw(st.sampled_from(sorted(target)))
    target[key] = data.draw(VALUES)
    load_or_refuse(lambda: engine.from_position(state.rules, position))


@given(TABLE, st.integers(0, 2**32), st.integers(0, 200))
def test_damaged_text(table, number, steps):
    state = walked(table, number, steps).state
    random = Random(number)
    text = list(engine.format_position(state))
    for _ in range(random.randint(1, 5)):
        text[random.randrange(len(text))] = random.choice("0189:;,=*-. abLrp/")
    refusal = load_or_refuse(lambda: engine.load_position("".join(text)))
    assert state.seed.hex() not in refusal


def test_every_broken_invariant_is_reported_at_once():
    position: Any = engine.to_position(engine.new_game(engine.ruleset("usa", 2), bytes(32)))
    position["players"][0]["wagons"] = 44
    position["players"][1]["score"] = 7
    position["deck"].pop()
    with pytest.raises(engine.BadPosition) as bad:
        engine.load_position(position)
    assert len(bad.value.faults) == 3
