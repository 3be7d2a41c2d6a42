"""The tickets a road pile completes, against an enumeration of all sets of tickets."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turntable_rules
from turntable_rules.engine.fulfilment import best_fulfilment

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "black", "white")
Case = tuple[list[list[int]], list[int], list[int], list[int], int]


def cards(words: str) -> list[int]:
    """The number of cards of each colour, from their names."""
    return [words.split().count(colour) for colour in COLOURS]


def is_feasible(case: Case, chosen: list[int]) -> bool:
    """CARD-FULFIL-4 word for word."""
    needs, _, _, have, locos = case
    needed = [sum(needs[ticket][colour] for ticket in chosen) for colour in range(8)]
    return sum(max(0, needed[colour] - have[colour]) for colour in range(8)) <= locos


def naive_fulfilment(case: Case) -> list[int]:
    """The best of all feasible sets by CARD-FULFIL-5."""
    _, values, big_cities, _, _ = case
    tickets = range(len(values))
    sets = [[ticket for ticket in tickets if bits >> ticket & 1] for bits in range(1 << len(values))]
    return min(
        [chosen for chosen in sets if is_feasible(case, chosen)],
        key=lambda chosen: (
            -sum(values[ticket] for ticket in chosen),
            -len(chosen),
            -sum(big_cities[ticket] for ticket in chosen),
            chosen,
        ),
    )


def printed_tickets() -> list[tuple[list[int], int, int]]:
    path = Path(turntable_rules.__file__).parent / "boards" / "data" / "card_game.json"
    return [
        ([ticket["cards"].get(colour, 0) for colour in COLOURS], ticket["points"], len(ticket["big_cities"]))
        for ticket in json.loads(path.read_text("utf-8"))["destinations"]
    ]


def random_pile(rng: random.Random, size: int) -> tuple[list[int], int]:
    """Cards from the deck of 80 wagons and 16 locos (CARD-SETUP)."""
    pile = rng.sample([colour for colour in range(8) for _ in range(10)] + [8] * 16, size)
    return [pile.count(colour) for colour in range(8)], pile.count(8)


def printed_case(rng: random.Random, tickets: int, size: int) -> Case:
    drawn = sorted(rng.sample(printed_tickets(), tickets), key=lambda ticket: ticket[1])
    have, locos = random_pile(rng, size)
    return [need for need, _, _ in drawn], [v for _, v, _ in drawn], [c for _, _, c in drawn], have, locos


def tight_case(rng: random.Random, tickets: int, size: int) -> Case:
    """Tickets worth about as much as their cards, so that many sets are nearly or quite as good."""
    needs = []
    for _ in range(tickets):
        shown = rng.choices(range(8), k=rng.randint(1, 6))
        needs.append([shown.count(colour) for colour in range(8)])
    values = [sum(need) + rng.choice((0, 0, 1)) for need in needs]
    have, locos = random_pile(rng, size)
    return needs, values, [rng.randint(0, 2) for _ in needs], have, locos


def test_a_loco_replaces_a_missing_card():
    """S-143: CARD-FULFIL-1, CARD-FULFIL-3."""
    need = [cards("white white blue blue")]
    assert best_fulfilment(need, [20], [1], cards("white white blue"), 1) == [0]
    assert best_fulfilment(need, [20], [1], cards("white white blue"), 0) == []


def test_each_card_serves_one_ticket():
    """S-144: CARD-FULFIL-2, CARD-FULFIL-4, CARD-FULFIL-5."""
    needs = [cards("red red blue"), cards("blue green")]
    assert best_fulfilment(needs, [7, 5], [0, 0], cards("red red blue"), 1) == [0]


def test_more_tickets_at_equal_value():
    """S-146: CARD-FULFIL-5 (2)."""
    needs = [cards("red blue"), cards("red"), cards("blue")]
    assert best_fulfilment(needs, [5, 2, 3], [0, 0, 0], cards("red blue"), 0) == [1, 2]


def test_more_big_cities_at_equal_number():
    """S-159: CARD-FULFIL-5 (3), CARD-FULFIL-6."""
    needs = [cards("red"), cards("red")]
    assert best_fulfilment(needs, [5, 5], [0, 1], cards("red"), 0) == [1]


def test_big_cities_count_only_among_equals():
    """CARD-FULFIL-6: a bonus is not worth a point of value, nor a ticket."""
    needs = [cards("red"), cards("red")]
    assert best_fulfilment(needs, [6, 5], [0, 2], cards("red"), 0) == [0]
    needs = [cards("red blue"), cards("red"), cards("blue")]
    assert best_fulfilment(needs, [5, 2, 3], [2, 0, 0], cards("red blue"), 0) == [1, 2]


def test_smallest_id_list_of_equals():
    """CARD-FULFIL-5 (4)."""
    assert best_fulfilment([cards("red")] * 4, [5] * 4, [1] * 4, cards("red red"), 0) == [0, 1]
    needs = [cards("red blue"), cards("red"), cards("blue"), cards("red blue")]
    assert best_fulfilment(needs, [4, 4, 4, 4], [0, 0, 0, 0], cards("red blue"), 1) == [0, 1]


def test_greedy_by_value_would_be_wrong():
    """CARD-FULFIL-7."""
    needs = [cards("red red blue"), cards("red blue"), cards("red green")]
    assert best_fulfilment(needs, [10, 8, 8], [0, 0, 0], cards("red red blue green"), 0) == [1, 2]


def test_no_ticket_and_no_card():
    assert best_fulfilment([], [], [], [0] * 8, 3) == []
    assert best_fulfilment([cards("red")], [5], [0], [0] * 8, 0) == []


@pytest.mark.parametrize("seed", range(40))
def test_equals_enumeration(seed: int):
    """CARD-FULFIL-5, CARD-FULFIL-7."""
    rng = random.Random(seed)
    for _ in range(15):
        for make in (printed_case, tight_case):
            case = make(rng, rng.randint(0, 8), rng.randint(0, 16))
            assert best_fulfilment(*case) == naive_fulfilment(case)


@pytest.mark.parametrize("seed", range(6))
def test_equals_enumeration_when_many_sets_compete(seed: int):
    """CARD-FULFIL-5, CARD-FULFIL-7, with more tickets than a narrow search would settle."""
    rng = random.Random(100 + seed)
    for make in (printed_case, tight_case):
        case = make(rng, 12, rng.randint(15, 25))
        assert best_fulfilment(*case) == naive_fulfilment(case)


@given(
    tickets=st.lists(
        st.tuples(st.lists(st.integers(0, 2), min_size=8, max_size=8), st.integers(1, 6), st.integers(0, 2)),
        max_size=7,
    ),
    have=st.lists(st.integers(0, 4), min_size=8, max_size=8),
    locos=st.integers(0, 8),
)
def test_equals_enumeration_of_any_pile(
    tickets: list[tuple[list[int], int, int]], have: list[int], locos: int
):
    """CARD-FULFIL-5."""
    case = (
        [need for need, _, _ in tickets],
        [v for _, v, _ in tickets],
        [c for _, _, c in tickets],
        have,
        locos,
    )
    assert best_fulfilment(*case) == naive_fulfilment(case)


def best_points(case: Case) -> int:
    """The most points of any feasible set, by enumerating every way to pay with one half of the tickets and the other.

    Sets of each half are grouped by what they need; every feasible pair is tried.
    """
    needs, values, _, have, locos = case
    halves: list[dict[tuple[int, ...], int]] = []
    for first, last in ((0, len(values) // 2), (len(values) // 2, len(values))):
        most: dict[tuple[int, ...], int] = {(0,) * 8: 0}
        for ticket in range(first, last):
            for needed, points in list(most.items()):
                together = tuple(n + m for n, m in zip(needed, needs[ticket], strict=True))
                most[together] = max(most.get(together, 0), points + values[ticket])
        halves.append(most)
    best = 0
    for one, points in halves[0].items():
        for two, more in halves[1].items():
            if points + more > best:
                short = sum(max(0, n + m - h) for n, m, h in zip(one, two, have, strict=True))
                best = points + more if short <= locos else best
    return best


@pytest.mark.parametrize("seed", range(3))
def test_twenty_tickets(seed: int):
    """S-184: CARD-FULFIL-7; 20 random tickets and a random pile."""
    rng = random.Random(seed)
    for make in (printed_case, tight_case):
        case = make(rng, 20, rng.randint(20, 60))
        chosen = best_fulfilment(*case)
        assert is_feasible(case, chosen)
        assert sum(case[1][ticket] for ticket in chosen) == best_points(case)
