"""Chance: one generator, uniform shuffles, and nothing else that uses it (COMMON-RNG)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from hashlib import shake_256
from itertools import pairwise
from math import factorial

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, MOST_PLAYERS, random_play, seats_to_move, seed_of
from tests.kit.setting import setting
from tests.kit.table import Table
from tests.oracle.naive_random import shuffled

COLOURS = "purple white blue yellow orange black red green".split()


def chi_squared(found: Iterable[int], expected: Iterable[float]) -> float:
    return sum((count - even) ** 2 / even for count, even in zip(found, expected, strict=True))


def assert_uniform(found: Counter[object], kinds: int) -> None:
    """All kinds are met about equally often: χ² within six standard deviations of its mean."""
    even = found.total() / kinds
    statistic = chi_squared([*found.values(), *[0] * (kinds - len(found))], [even] * kinds)
    assert statistic < (kinds - 1) + 6 * (2 * (kinds - 1)) ** 0.5, statistic


def six_tickets() -> rules_engine.Board:
    """A board with as many tickets as two players are dealt, so that offers show a whole shuffle."""
    names = "abcdefg"
    return rules_engine.parse_board(
        json.dumps(
            {
                "format": "turntable-board/1",
                "id": "six",
                "name": "Six tickets",
                "board": {"width": 100, "height": 100},
                "cities": [{"id": c, "name": c, "x": 10 + 10 * i, "y": 10} for i, c in enumerate(names)],
                "routes": [
                    {"id": a + b, "a": a, "b": b, "length": 2, "color": "grey"} for a, b in pairwise(names)
                ],
                "tickets": [{"id": f"t{c}", "a": "a", "b": c, "points": 5} for c in names[1:]],
            }
        )
    )


@pytest.mark.clause("COMMON-RNG-1")
@pytest.mark.parametrize("edition", ALL)
def test_equal_seed_options_and_moves_give_equal_games(edition):
    """Replayed with the interpreter's own generator in another state."""
    first = [(table.position(), seat, move) for table, seat, move in random_play(edition, 2, 11)]
    again = Table.new(edition, 2, seed_of(11))
    for position, seat, move in first:
        random.seed(len(move))
        assert again.position() == position
        again.play(seat, move)
    assert again.phase == "finished"


@pytest.mark.clause("COMMON-RNG-1")
@pytest.mark.parametrize("edition", ALL)
def test_another_seed_gives_another_game(edition):
    decks = {tuple(Table.new(edition, 2, seed_of(number)).position()["deck"]) for number in range(50)}
    piles = {tuple(Table.new(edition, 2, seed_of(number)).position()["pile"]) for number in range(50)}
    assert len(decks) == len(piles) == 50


@pytest.mark.clause("COMMON-RNG-1", "COMMON-DECK-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_later_shuffles_too_come_from_the_seed_of_the_game(edition):
    """The reshuffle is random event number `draws` of docs/engine.md, and is counted."""
    for number in range(20):
        table = Table.set(
            edition, 2, seed=seed_of(number), deck="r", discard="pppwwuuuyyLkg", spare=1, row="ooogg"
        )
        before = table.position()
        expected = shuffled(dict(before), [c for c, n in before["discard"].items() for _ in range(n)])[::-1]
        table.play(0, "draw_deck")
        assert table.position()["deck"] == expected
        assert table.position()["draws"] == before["draws"] + 1


@pytest.mark.clause("COMMON-RNG-2")
@pytest.mark.scenario("S-171")
@pytest.mark.parametrize("edition", ALL)
def test_each_card_is_equally_likely_at_each_place_of_the_deck(edition):
    """χ² over many seeds; places are counted from the bottom, where no setup flush reaches."""
    games, places = 1500, 40
    found = [Counter[str]() for _ in range(places)]
    for number in range(games):
        deck = Table.new(edition, 2, seed_of(number)).position()["deck"]
        for place in range(places):
            found[place][deck[-1 - place]] += 1
    colours, locos = (10, 14) if edition == "card" else (12, 14)
    total = 8 * colours + locos
    expected = [games * colours / total] * 8 + [games * locos / total]
    for place in range(places):
        counts = [found[place][card] for card in [*COLOURS, "loco"]]
        assert chi_squared(counts, expected) < 44, place  # eight degrees of freedom: one place in a million


@pytest.mark.clause("COMMON-RNG-2")
def test_every_order_of_the_tickets_is_equally_likely():
    board = six_tickets()
    orders = Counter[object]()
    for number in range(4 * factorial(6)):
        position = Table.new("usa", 2, seed_of(number), board=board).position()
        orders[tuple(position["players"][0]["offer"] + position["players"][1]["offer"])] += 1
    assert_uniform(orders, factorial(6))


@pytest.mark.clause("COMMON-RNG-2", "COMMON-DECK-3")
@pytest.mark.parametrize("edition", ["usa", "switzerland"])
def test_every_order_of_a_reshuffled_deck_is_equally_likely(edition):
    orders = Counter[object]()
    rules = rules_engine.ruleset(edition, 2)
    position = setting(edition, 2, deck="r", discard="pwuy", spare=1, row="oookg")
    for number in range(100 * 24):
        table = Table(rules_engine.from_position(rules, {**position, "seed": seed_of(number).hex()}))
        table.play(0, "draw_deck")
        orders[tuple(table.position()["deck"])] += 1
    assert_uniform(orders, 24)


@pytest.mark.clause("COMMON-RNG-2")
def test_every_place_of_a_pile_shuffled_back_is_equally_likely():
    """The card game shuffles rejected tickets into the pile: where do the five of seat 0 go?"""
    places = Counter[object]()
    for number in range(600):
        table = Table.new("card", 2, seed_of(number))
        offers = [table.player(seat)["offer"] for seat in range(2)]
        table.play(0, f"keep_tickets {offers[0][0]}")
        table.play(1, "keep_tickets " + ",".join(offers[1]))
        pile = table.position()["pile"]
        places.update(pile.index(ticket) for ticket in offers[0][1:])
    assert_uniform(places, 46 - 7)


@pytest.mark.clause("COMMON-RNG-2", "COMMON-RNG-1")
def test_shuffles_reject_the_words_that_would_favour_some_orders():
    """65536 is no multiple of most numbers; over these seeds the documented generator skips words many times."""
    deck = [card for card in COLOURS for _ in range(12)] + ["loco"] * 14
    skipped = 0
    for number in range(100):
        position = Table.new("usa", 5, seed_of(number)).position()
        generator = {"seed": seed_of(number).hex(), "draws": 0}
        drawn = shuffled(generator, deck)[::-1]
        flushed = sum(position["discard"].values())
        assert position["deck"] == drawn[25 + flushed :]
        plain = deck[:]
        stream = shake_256(b"turntable-rng/1" + seed_of(number) + bytes(8)).digest(2 * len(deck))
        for last in range(len(deck) - 1, 0, -1):
            at = 2 * (len(deck) - 1 - last)
            pick = int.from_bytes(stream[at : at + 2], "big") % (last + 1)
            plain[last], plain[pick] = plain[pick], plain[last]
        skipped += plain[::-1] != drawn
    assert skipped > 3


@pytest.mark.clause("COMMON-RNG-2", "COMMON-TURN-3")
@pytest.mark.parametrize("edition", ALL)
def test_every_seat_is_equally_likely_to_begin(edition):
    players = MOST_PLAYERS[edition]
    first = Counter[object](
        Table.new(edition, players, seed_of(number)).position()["first"] for number in range(1000)
    )
    assert_uniform(first, players)


@pytest.mark.clause("COMMON-RNG-3", "COMMON-TURN-5")
@pytest.mark.parametrize("edition", ALL)
def test_refused_moves_and_views_consume_no_randomness(edition):
    """A game full of refused moves and views is the same game."""
    pestered = Table.new(edition, 2, seed_of(23))
    wrong = "draw_row 7|claim nowhere 3red|keep_tickets x|nonsense".split("|")
    sometimes_wrong = "draw_deck draw_tickets pass stop_drawing tunnel_abandon".split()
    for table, seat, move in random_play(edition, 2, 23):
        for viewer in (0, 1, None):
            pestered.view(viewer)
        legal = table.moves(seat)
        for text in [*wrong, *[text for text in sometimes_wrong if text not in legal]]:
            assert pestered.refuses(seat, text)
        if seats_to_move(table) == [seat]:
            assert pestered.refuses(1 - seat, move)
        assert pestered.position() == table.position()
        pestered.play(seat, move)
    assert pestered.phase == "finished"
