"""The generator gives the test vectors of docs/engine.md, which were made by the naive second implementation."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from turntable_rules.engine.rng import below, shuffle, stream

SEED = bytes(range(32))
TEXT = (Path(__file__).resolve().parents[3] / "docs" / "engine.md").read_text("utf-8")
VECTORS = {
    name.strip(): value.strip(" `")
    for name, value in re.findall(r"^\| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)
}


def shuffled(event: int, size: int) -> list[int]:
    items = list(range(size))
    shuffle(SEED, event, items)
    return items


@pytest.mark.clause("COMMON-RNG-1")
def test_streams():
    assert stream(SEED, 0, 8).hex() == VECTORS["first 8 bytes of event 0"]
    assert stream(SEED, 7, 8).hex() == VECTORS["first 8 bytes of event 7"]
    assert stream(SEED, 0, 8) == stream(SEED, 0, 400)[:8]


@pytest.mark.clause("COMMON-RNG-1", "COMMON-RNG-2")
def test_numbers_below_a_bound():
    expected = [int(number) for number in VECTORS["`below(5)` of events 0 to 7"].split(",")]
    assert [below(SEED, event, 5) for event in range(8)] == expected
    (name,) = [name for name in VECTORS if name.startswith("`below(40000)`")]
    event = int(re.findall(r"event (\d+)", name)[0])
    assert int.from_bytes(stream(SEED, event, 2), "big") >= 40000
    assert below(SEED, event, 40000) == int(VECTORS[name])


@pytest.mark.clause("COMMON-RNG-1", "COMMON-RNG-2")
def test_shuffles():
    for event in (0, 1):
        expected = [int(number) for number in VECTORS[f"0 to 9 shuffled by event {event}"].split()]
        assert shuffled(event, 10) == expected
    digest = VECTORS["0 to 109 shuffled by event 2, SHA-256 of the bytes"]
    assert sha256(bytes(shuffled(2, 110))).hexdigest() == digest


def test_a_shuffle_that_needs_more_words_than_it_asked_for_at_first_goes_on():
    """Bounds just over half of 65536 reject nearly every second word, far more than the spare ones."""
    items = list(range(33000))
    shuffle(SEED, 3, items)
    assert sorted(items) == list(range(33000))
    assert items != list(range(33000))
