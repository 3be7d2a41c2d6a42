"""Golden games: whole games written down line by line, so that any change of behaviour shows in a diff.

A file has one line per fact: the header, then per move the seat and move, its events, the hash of the state, every
tenth time the views of all seats and a spectator, and at the end the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import turntable_rules as engine
from tests.kit.walks import Walk, seed_of

FOLDER = Path(__file__).resolve().parent
PLAYERS = {"usa-2004": 2, "usa": 4, "lyon": 5, "europe": 3, "switzerland": 3, "card": 4}
NUMBER = 5
VIEWS_EVERY = 10


def path_of(edition: str) -> Path:
    return FOLDER / f"{edition}.txt"


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def random_moves(edition: str) -> list[tuple[int, str]]:
    """The moves of the golden game, as seat and text."""
    walk = Walk(edition, PLAYERS[edition], NUMBER)
    moves = []
    while not walk.finished:
        seat, action = walk.choose()
        moves.append((seat, engine.format_move(engine.to_move(walk.state, seat, action))))
        engine.apply(walk.state, seat, action)
    return moves


def moves_in(lines: list[str]) -> list[tuple[int, str]]:
    """The moves a golden file holds."""
    moves = []
    for line in lines:
        if line.startswith("move "):
            _, seat, text = line.split(" ", 2)
            moves.append((int(seat), text))
    return moves


def tell(edition: str, moves: list[tuple[int, str]]) -> Iterator[str]:
    """The lines of a game."""
    players = PLAYERS[edition]
    seed = seed_of(NUMBER)
    yield f"turntable-golden/1 revision {engine.ENGINE_REVISION} edition {edition} players {players} seed {seed.hex()}"
    log: list[engine.Event] = []
    state = engine.new_game(engine.ruleset(edition, players), seed, log)
    everything = list(log)
    yield from tell_events(log)
    yield f"hash {engine.state_hash(state)}"
    for number, (seat, text) in enumerate(moves):
        yield f"move {seat} {text}"
        events = engine.apply(state, seat, engine.to_action(state, seat, engine.parse_move(text)))
        everything += events
        yield from tell_events(events)
        yield f"hash {engine.state_hash(state)}"
        if number % VIEWS_EVERY == 0 or not engine.seats_to_act(state):
            for viewer in (None, *range(players)):
                yield f"view {'-' if viewer is None else viewer} {compact(engine.view(state, viewer))}"
    yield f"position {engine.format_position(state)}"
    for line in engine.score(state).seats:
        figures = f"total {line.total} rank {line.rank} completed {line.completed} path {line.path_length}"
        yield f"score {line.seat} {figures}"
    for counters in engine.statistics(state.rules, everything).seats:
        yield f"statistics {compact(asdict(counters))}"


def tell_events(events: list[engine.Event]) -> Iterator[str]:
    for event in events:
        private = "" if event.private is None else f" private {event.seat} {compact(event.private)}"
        yield f"event {event.type} {compact(event.public)}{private}"


def write(edition: str) -> None:
    """Play the game anew and write it down."""
    text = "\n".join(tell(edition, random_moves(edition))) + "\n"
    path_of(edition).write_text(text, "utf-8")


def first_difference(edition: str) -> str | None:
    """Where the engine and the file part, or None if they agree line by line."""
    stored = path_of(edition).read_text("utf-8").splitlines()
    told = list(tell(edition, moves_in(stored)))
    for number, (old, new) in enumerate(zip(stored, told, strict=False), start=1):
        if old != new:
            return f"line {number}\n  file   {old[:600]}\n  engine {new[:600]}"
    return None if len(stored) == len(told) else f"{len(stored)} lines in the file, {len(told)} told"
