"""One round of engine measurements under the running interpreter; prints JSON. Started by bench/engine.py."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from random import Random

import turntable_rules as engine
from turntable_rules.engine.scoring import tallies
from turntable_rules.engine.state import FINISHED, SETUP_TICKETS

SECONDS = 0.4
PLAYERS = 2


def reference_loop() -> int:
    """A fixed piece of pure Python work, so that a slow moment of the machine shows."""
    total = 0
    for number in range(20_000):
        total = (total * 31 + number) & 0xFFFFFFFF
    return total


def per_cpu_second(work: Callable[[], int]) -> float:
    """Units of work done per second of this process's CPU time."""
    units = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        units += work()
    return units / (time.process_time() - start)


class RandomPlay:
    """Whole games, choosing uniformly among the legal actions, with final scoring."""

    def __init__(self, rules: engine.Ruleset, with_events: bool) -> None:
        self.rules = rules
        self.with_events = with_events
        self.random = Random(1)
        self.decisions = 0
        self.games = 0

    def game(self) -> int:
        """Play one game; the checking, event-producing interface if asked for."""
        pick = self.random.random
        self.games += 1
        state = engine.new_game(self.rules, self.games.to_bytes(32, "big"))
        while state.phase != FINISHED:
            actions = engine.legal_actions(state)
            action = actions[int(pick() * len(actions))]
            seat = state.choice.index(-1) if state.phase == SETUP_TICKETS else state.active
            if self.with_events:
                engine.apply(state, seat, action)
            else:
                engine.play(state, seat, action)
            self.decisions += 1
        tallies(state)
        return 1


def measure_games(edition: str, with_events: bool) -> tuple[float, float]:
    """Games and decisions per CPU second."""
    play = RandomPlay(engine.ruleset(edition, PLAYERS), with_events)
    rate = per_cpu_second(play.game)
    return rate, rate * play.decisions / play.games


def middle_state(edition: str) -> engine.State:
    """A position from the middle of a random game."""
    pick = Random(2).random
    state = engine.new_game(engine.ruleset(edition, PLAYERS), bytes(32))
    for _ in range(60):
        actions = engine.legal_actions(state)
        seat = state.choice.index(-1) if state.phase == SETUP_TICKETS else state.active
        engine.play(state, seat, actions[int(pick() * len(actions))])
    return state


def measure_clone() -> float:
    """Microseconds per clone of a USA position."""
    state = middle_state("usa")

    def clones() -> int:
        for _ in range(1000):
            state.clone()
        return 1000

    return 1e6 / per_cpu_second(clones)


def measure_bytes(edition: str) -> float:
    """Microseconds from bytes over decode, check and apply back to bytes."""
    state = middle_state(edition)
    data = engine.encode(state)
    action = engine.legal_actions(state)[0]
    seat, rules = state.active, state.rules

    def moves() -> int:
        for _ in range(100):
            loaded = engine.decode(rules, data)
            engine.apply(loaded, seat, action)
            engine.encode(loaded)
        return 100

    return 1e6 / per_cpu_second(moves)


def main() -> None:
    """Measure everything once."""
    figures: dict[str, float] = {"reference": per_cpu_second(lambda: bool(reference_loop()))}
    for edition in engine.EDITIONS:
        figures[f"{edition}/games"], figures[f"{edition}/decisions"] = measure_games(edition, False)
        figures[f"{edition}/games_events"], figures[f"{edition}/decisions_events"] = measure_games(
            edition, True
        )
        figures[f"{edition}/bytes"] = measure_bytes(edition)
    figures["clone"] = measure_clone()
    json.dump({"compiled": engine.COMPILED, "figures": figures}, sys.stdout)


if __name__ == "__main__":
    main()
