"""What an engine does in one random game, as lines of text; run as a module it traces the engine it finds.

Usage: python -m tests.kit.trace NUMBER ...
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256

import turntable_rules as engine
from tests.kit.walks import TABLES, Walk


def digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def trace(edition: str, players: int, number: int) -> Iterator[str]:
    """Per move: legal actions, the move, its events, state hash, views and refusals of a few other actions."""
    walk = Walk(edition, players, number)
    while not walk.finished:
        state = walk.state
        seat, action = walk.choose()
        legal = digest(engine.legal_actions(state, seat))
        probes = [walk.random.randrange(-2, state.rules.action_count + 2) for _ in range(5)]
        refusals = digest([str(engine.check(state, seat, probe)) for probe in probes])
        events = digest([event.in_full() for event in engine.apply(state, seat, action)])
        views = digest([engine.view(state, viewer) for viewer in (None, *range(players))])
        yield f"{edition} {players} {seat} {action} {legal} {refusals} {events} {engine.state_hash(state)} {views}"
    yield f"{edition} {players} result {digest(engine.result_to_json(engine.score(walk.state)))}"


def main() -> None:
    print("compiled" if engine.COMPILED else "interpreted")
    for number in map(int, sys.argv[1:]):
        for edition, players in TABLES:
            for line in trace(edition, players, number):
                print(line)


if __name__ == "__main__":
    main()
