"""A fan's board, given by path, plays under every board ruleset without code."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import turntable_rules as engine

SIDE = 5
BOARD_EDITIONS = [edition.id for edition in engine.EDITIONS.values() if not edition.yards]
COLOURS = ["purple", "white", "blue", "yellow", "orange", "black", "red", "green", "grey"]


def grid_board() -> dict[str, object]:
    """A grid of 25 towns with rails, tunnels, ferries, double and triple tracks of unequal length, and an exit."""
    towns = [
        {"id": f"t{x}{y}", "name": f"Town {x}{y}", "x": 100 * x, "y": 100 * y}
        for x in range(SIDE)
        for y in range(SIDE)
    ]
    routes: list[dict[str, object]] = []

    def lay(a: str, b: str, tracks: int) -> None:
        for _ in range(tracks):
            number = len(routes)
            kind = ("rail", "tunnel", "rail", "ferry")[number % 4]
            length = 1 + number % 4
            routes.append(
                {
                    "id": f"r{number}",
                    "a": a,
                    "b": b,
                    "length": length,
                    "color": "grey" if kind == "ferry" else COLOURS[number % len(COLOURS)],
                    "kind": kind,
                    "locomotives": 1 if kind == "ferry" else 0,
                    "double_group": f"g{a}{b}" if tracks > 1 else None,
                }
            )

    for x in range(SIDE):
        for y in range(SIDE):
            if x + 1 < SIDE:
                lay(f"t{x}{y}", f"t{x + 1}{y}", 1 + (x + y) % 3)
            if y + 1 < SIDE:
                lay(f"t{x}{y}", f"t{x}{y + 1}", 1)
    towns.append({"id": "abroad_1", "name": "Abroad", "x": 600, "y": 0, "country": "abroad"})
    lay("t40", "abroad_1", 1)
    random = Random(8)
    tickets: list[dict[str, object]] = []
    for number in range(36):
        a, b = random.sample([str(town["id"]) for town in towns[:-1]], 2)
        deck = "long" if number < 6 else "regular"
        tickets.append({"id": f"k{number}", "a": a, "b": b, "points": 3 + number % 9, "deck": deck})
    targets = [{"to": "abroad", "points": 9}, {"to": "t44", "points": 4}]
    tickets.append({"id": "k_abroad", "from": "t00", "targets": targets})
    return {
        "id": "grid",
        "name": "Grid",
        "cities": towns,
        "countries": [{"id": "abroad", "name": "Abroad", "exits": ["abroad_1"]}],
        "routes": routes,
        "tickets": tickets,
    }


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    path = tmp_path / "grid.json"
    path.write_text(json.dumps(grid_board()), "utf-8")
    return path


@pytest.mark.parametrize("edition", BOARD_EDITIONS)
def test_a_board_by_path_plays_under_every_board_ruleset(edition, board_file):
    board = engine.load_board(board_file)
    for players in range(2, engine.EDITIONS[edition].max_players + 1):
        rules = engine.ruleset(edition, players, board=board)
        random = Random(players)
        state = engine.new_game(rules, random.randbytes(32))
        while seats := engine.seats_to_act(state):
            seat = random.choice(seats)
            action = random.choice(engine.legal_actions(state, seat))
            engine.apply(state, seat, action)
            assert engine.invariants(state) == []
        assert engine.encode(engine.load_position(engine.format_position(state), board)) == engine.encode(
            state
        )
        assert engine.score(state).winners


@pytest.mark.clause("COMMON-CLAIM-15")
def test_a_board_with_a_length_the_ruleset_does_not_score_is_refused():
    """Europe scores no routes of five, which the boards of the USA and Lyon have; the USA score no route of eight."""
    for edition, board in (("europe", "usa"), ("europe", "lyon"), ("usa", "europe")):
        with pytest.raises(engine.BoardError, match="scores nothing"):
            engine.ruleset(edition, 2, board=engine.builtin_board(board))
    engine.ruleset("usa", 2, board=engine.builtin_board("lyon"))
    engine.ruleset("usa", 3, board=engine.builtin_board("switzerland"))


def test_a_position_on_a_fan_board_needs_that_board(board_file):
    board = engine.load_board(board_file)
    state = engine.new_game(engine.ruleset("usa", 2, board=board), bytes(32))
    with pytest.raises(engine.BadPosition):
        engine.load_position(engine.format_position(state))


def test_europe_needs_a_long_ticket_per_player(board_file):
    data = json.loads(board_file.read_text("utf-8"))
    for ticket in data["tickets"][2:]:
        ticket.pop("deck", None)
    board = engine.parse_board(json.dumps(data))
    engine.ruleset("europe", 2, board=board)
    with pytest.raises(engine.BoardError, match="long tickets"):
        engine.ruleset("europe", 3, board=board)


def test_the_card_game_takes_no_board(board_file):
    with pytest.raises(engine.OptionError, match="without a board"):
        engine.ruleset("card", 2, board=engine.load_board(board_file))
