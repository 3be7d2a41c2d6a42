"""Perft: count all lines of play to a depth. The files hold counts made by the naive second implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import turntable_rules as engine
from tests import oracle
from tests.kit.walks import Walk, seed_of

FOLDER = Path(__file__).resolve().parent
PLAYERS = {"usa-2004": 2, "usa": 3, "lyon": 2, "europe": 2, "switzerland": 2, "card": 2}
STARTS = (0, 2, 45, 90)
"""After how many moves of a random game the counts are made; setup is the first two to five."""
NUMBER = 3
DEPTH = 4
MOST_LINES = 20_000
"""No depth is counted that has more lines than this."""


def path_of(edition: str) -> Path:
    return FOLDER / f"{edition}.json"


def read(edition: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path_of(edition).read_text("utf-8"))
    return loaded


def replay(edition: str, players: int, seed: str, moves: list[str]) -> engine.State:
    """The position after some moves, given as `seat move`."""
    state = engine.new_game(engine.ruleset(edition, players), bytes.fromhex(seed))
    for line in moves:
        seat, _, text = line.partition(" ")
        engine.apply(state, int(seat), engine.to_action(state, int(seat), engine.parse_move(text)))
    return state


def acting_seat(state: engine.State) -> int:
    return engine.seats_to_act(state)[0]


def count(state: engine.State, depth: int) -> int:
    """Lines of play of that length; at setup the lowest seat still to choose goes first."""
    if depth == 0:
        return 1
    if not engine.seats_to_act(state):
        return 0
    seat = acting_seat(state)
    total = 0
    for action in engine.legal_actions(state, seat):
        if depth == 1:
            total += 1
            continue
        after = state.clone()
        engine.apply(after, seat, action)
        total += count(after, depth - 1)
    return total


def divide(state: engine.State, depth: int) -> dict[str, int]:
    """The count below each first move, for finding a difference."""
    seat = acting_seat(state)
    counts = {}
    for action in engine.legal_actions(state, seat):
        after = state.clone()
        engine.apply(after, seat, action)
        counts[engine.format_move(engine.to_move(state, seat, action))] = count(after, depth - 1)
    return counts


def naive_seat(position: dict[str, Any]) -> int:
    if position["phase"] == "setup_tickets":
        return [player["choice"] for player in position["players"]].index(None)
    return int(position["active"])


def naive_count(position: dict[str, Any], board: Any, depth: int) -> int:
    """The same by the naive second implementation alone."""
    if depth == 0:
        return 1
    if position["phase"] == "finished":
        return 0
    seat = naive_seat(position)
    moves = oracle.legal_moves(position, seat, board)
    if depth == 1:
        return len(moves)
    return sum(
        naive_count(oracle.apply_move(position, seat, move, board), board, depth - 1) for move in moves
    )


def naive_divide(position: dict[str, Any], board: Any, depth: int) -> dict[str, int]:
    seat = naive_seat(position)
    return {
        move: naive_count(oracle.apply_move(position, seat, move, board), board, depth - 1)
        for move in oracle.legal_moves(position, seat, board)
    }


def write(edition: str) -> None:
    """Make the file of an edition anew."""
    players = PLAYERS[edition]
    seed = seed_of(NUMBER).hex()
    board = oracle.load_board(edition)
    walk = Walk(edition, players, NUMBER)
    lines: list[str] = []
    starts: list[dict[str, Any]] = []
    for after in STARTS:
        while len(walk.moves) < after:
            seat, action = walk.choose()
            lines.append(f"{seat} {engine.format_move(engine.to_move(walk.state, seat, action))}")
            walk.moves.append((seat, action))
            engine.apply(walk.state, seat, action)
        position = engine.to_position(walk.state)
        counts: list[int] = []
        while len(counts) < DEPTH:
            # The engine is quick to say whether the naive count would take too long.
            if count(walk.state, len(counts) + 1) > MOST_LINES:
                break
            counts.append(naive_count(position, board, len(counts) + 1))
        starts.append({"moves": lines.copy(), "counts": counts})
    data = {
        "format": "turntable-perft/1",
        "edition": edition,
        "players": players,
        "seed": seed,
        "starts": starts,
    }
    path_of(edition).write_text(json.dumps(data, indent=1) + "\n", "utf-8")
