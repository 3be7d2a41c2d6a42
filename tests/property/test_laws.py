"""Laws of the engine, on random games of every ruleset and player count."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turntable_rules as engine
from tests.kit.walks import TABLES, seed_of, walked
from turntable_rules.engine.derived import open_routes, zobrist_key

TABLE = st.sampled_from(TABLES)
NUMBER = st.integers(0, 2**32)
STEPS = st.integers(0, 260)


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.clause("FSM-14", "FSM-13")
@given(TABLE, NUMBER, STEPS)
def test_an_action_is_listed_exactly_if_it_is_accepted(table, number, steps):
    state = walked(table, number, steps).state
    for seat in range(state.rules.players):
        listed = engine.legal_actions(state, seat)
        assert listed == sorted(set(listed))
        accepted = [a for a in range(state.rules.action_count) if engine.check(state, seat, a) is None]
        assert accepted == listed


@pytest.mark.clause("FSM-13", "COMMON-TURN-5")
@given(
    TABLE, NUMBER, STEPS, st.lists(st.tuples(st.integers(-3, 9), st.integers(-(10**6), 10**6)), max_size=60)
)
def test_garbage_is_refused_and_changes_nothing(table, number, steps, garbage):
    state = walked(table, number, steps).state
    before = engine.encode(state)
    for seat, action in garbage:
        refusal = engine.check(state, seat, action)
        listed = 0 <= seat < state.rules.players and action in engine.legal_actions(state, seat)
        assert (refusal is None) == listed
        if refusal is not None:
            with pytest.raises(engine.IllegalMove):
                engine.apply(state, seat, action)
    assert engine.encode(state) == before


@pytest.mark.clause("COMMON-DECK-1", "COMMON-DECK-7", "COMMON-SCORE-2")
@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_ever_lost_or_made(table):
    """Cards, tickets and wagons are conserved, and every other invariant holds, after every move of whole games."""
    for number in range(2):
        walk = walked(table, number)
        while not walk.finished:
            walk.step()
            assert engine.invariants(walk.state) == []


@pytest.mark.clause("COMMON-RESIGN-1", "COMMON-RESIGN-2", "COMMON-RESIGN-4")
@pytest.mark.parametrize("table", TABLES)
def test_games_with_retirements_stay_sound_and_end(table):
    for number in range(4):
        walk = walked(table, number)
        while not walk.finished:
            if walk.random.random() < 0.02:
                seats = [seat for seat in range(table[1]) if not walk.state.is_retired(seat)]
                engine.retire(walk.state, walk.random.choice(seats))
            else:
                walk.step()
            assert engine.invariants(walk.state) == []


@pytest.mark.clause("COMMON-RNG-1")
@given(TABLE, NUMBER)
def test_equal_seed_and_moves_give_equal_games(table, number):
    walk = walked(table, number)
    events = []
    while not walk.finished:
        events += [event.in_full() for event in walk.step()]
    again = engine.new_game(engine.ruleset(table[0], table[1]), seed_of(number))
    repeated = []
    for seat, action in walk.moves:
        repeated += [event.in_full() for event in engine.apply(again, seat, action)]
    assert repeated == events
    assert engine.encode(again) == engine.encode(walk.state)
    assert engine.state_hash(again) == engine.state_hash(walk.state)


@given(TABLE, NUMBER, STEPS)
def test_states_survive_bytes_positions_and_text(table, number, steps):
    state = walked(table, number, steps).state
    rules, data = state.rules, engine.encode(state)
    position = engine.to_position(state)
    text = engine.format_position(state)
    assert "\n" not in text
    loaded = [
        engine.decode(rules, data),
        engine.from_position(rules, position),
        engine.from_position(rules, json.loads(json.dumps(position))),
        engine.load_position(text),
        state.clone(),
    ]
    for other in loaded:
        assert engine.encode(other) == data
        assert engine.to_position(other) == position
        assert engine.state_hash(other) == engine.state_hash(state)
        assert engine.legal_actions(other) == engine.legal_actions(state)
    assert engine.parse_position(text) == position


@given(TABLE, NUMBER, STEPS)
def test_moves_survive_numbers_text_and_json(table, number, steps):
    state = walked(table, number, steps).state
    for seat in engine.seats_to_act(state):
        for action in engine.legal_actions(state, seat):
            move = engine.to_move(state, seat, action)
            assert engine.to_action(state, seat, move) == action
            assert engine.parse_move(engine.format_move(move)) == move
            assert engine.move_from_json(json.loads(json.dumps(engine.move_to_json(move)))) == move
            assert engine.check_move(state, seat, move) is None


@given(TABLE, NUMBER, STEPS)
def test_the_incremental_key_equals_the_recomputed_one(table, number, steps):
    state = walked(table, number, steps).state
    assert state.key == zobrist_key(state)
    assert state.open == open_routes(state)


@given(TABLE, NUMBER, st.integers(0, 120))
def test_a_clone_goes_its_own_way(table, number, steps):
    walk = walked(table, number, steps)
    before = engine.encode(walk.state)
    copy = walk.state.clone()
    walk.advance(40)
    assert engine.encode(copy) == before


@pytest.mark.clause("COMMON-SETUP-7")
@given(TABLE, NUMBER)
def test_setup_does_not_depend_on_the_order_of_the_answers(table, number):
    edition, players = table
    random = Random(number)
    start = engine.new_game(engine.ruleset(edition, players), seed_of(number))
    choices = {seat: random.choice(engine.legal_actions(start, seat)) for seat in range(players)}
    ends = []
    for _ in range(3):
        state = start.clone()
        for seat in random.sample(range(players), players):
            engine.apply(state, seat, choices[seat])
        ends.append(engine.encode(state))
    assert len(set(ends)) == 1


@pytest.mark.clause("COMMON-RNG-3")
@given(TABLE, NUMBER, STEPS)
def test_looking_consumes_no_randomness(table, number, steps):
    state = walked(table, number, steps).state
    before = engine.encode(state)
    for seat in range(state.rules.players):
        engine.view(state, seat)
        engine.legal_actions(state, seat)
    engine.view(state, None)
    engine.score(state)
    engine.check(state, 0, 0)
    assert engine.encode(state) == before


@pytest.mark.clause("INFO-INFER-1")
@given(TABLE, NUMBER, STEPS)
def test_the_unseen_cards_lie_in_the_deck_and_in_other_hands(table, number, steps):
    state = walked(table, number, steps).state
    for seat in range(state.rules.players):
        view: Any = engine.view(state, seat)
        seen = sum(card is not None for card in view["row"]) + sum(view["discard"].values())
        seen += sum(view["you"]["hand"].values())
        if view["tunnel"]:
            payment = view["tunnel"]["payment"]
            seen += payment["wagons"] + payment["locos"] + len(view["tunnel"]["revealed"])
        seen += sum(c["wagons"] + c["locos"] for player in view["players"] for c in player["yard"])
        others = sum(p["hand_size"] for p in view["players"] if p["seat"] != seat)
        piles = sum(p["road_pile_size"] for p in view["players"])
        assert sum(state.rules.composition) - seen == view["deck_size"] + others + piles


@given(TABLE, NUMBER)
def test_every_random_game_ends(table, number):
    walk = walked(table, number, 5000)
    assert walk.finished
    result = engine.score(walk.state)
    assert result.winners
    assert canonical(engine.result_to_json(result))
