"""States and positions stored by earlier versions of the formats still load."""

from __future__ import annotations

import json

import pytest

import turntable_rules as engine
from tests.golden import golden

STORED = golden.FOLDER / "states-1.json"
SAMPLES = json.loads(STORED.read_text("utf-8"))


def test_every_edition_has_stored_states_of_several_phases():
    assert {sample["edition"] for sample in SAMPLES} == set(engine.EDITIONS)
    assert len({sample["phase"] for sample in SAMPLES}) >= 6


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample['edition']}-{sample['phase']}")
def test_a_stored_state_loads_in_both_forms(sample):
    rules = engine.ruleset(sample["edition"], sample["players"])
    state = engine.decode(rules, bytes.fromhex(sample["state"]))
    assert engine.invariants(state) == []
    assert engine.to_position(state)["phase"] == sample["phase"]
    assert engine.format_position(state) == sample["notation"]
    assert engine.encode(engine.load_position(sample["notation"])).hex() == sample["state"]
    assert engine.state_hash(state) == sample["hash"]
