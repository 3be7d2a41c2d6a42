"""Bots: every answer is legal, a game can be taken over by another process, and thinking pays."""

from __future__ import annotations

import ast
import copy
import importlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import turntable_rules as engine
from tests.kit.walks import TABLES, Walk
from tests.unit.bots.arena import Match, shown
from turntable_bots.bot import Bot
from turntable_bots.greedy_bot import GreedyBot
from turntable_bots.random_bot import RandomBot
from turntable_session.forms.boards import board_facts
from turntable_session.forms.moves import legal_forms

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parents[3]
BOTS = ROOT / "clients" / "bots"
MIXED = (GreedyBot, RandomBot, GreedyBot, RandomBot, GreedyBot)
MAY_IMPORT = {"collections", "dataclasses", "functools", "heapq", "random", "typing"}


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_mixed_bots_play_complete_games(edition: str, players: int) -> None:
    for first in range(2):
        match = Match(edition, MIXED[first : first + players] if players < 5 else MIXED, first)
        result = match.play()
        assert result.ending == "normal"
        assert len(result.seats) == players


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_greedy_table_comes_to_an_end(edition: str, players: int) -> None:
    assert Match(edition, [GreedyBot] * players, 7).play().ending == "normal"


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_greedy_beats_random_in_four_games_of_five(edition: str) -> None:
    games = 30
    won = 0
    for number in range(games):
        seat = number % 2
        table = [GreedyBot, RandomBot] if seat == 0 else [RandomBot, GreedyBot]
        won += Match(edition, table, number // 2).play().winners == (seat,)
    assert won >= 0.8 * games


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_bots_that_are_restarted_for_every_decision_play_the_same_game(edition: str) -> None:
    table = [GreedyBot, RandomBot, GreedyBot]
    steady, restarted = Match(edition, table, 3), Match(edition, table, 3, afresh=True)
    assert steady.play() == restarted.play()
    assert steady.moves == restarted.moves


def test_another_process_plays_the_same_games() -> None:
    """Hashes of strings differ from process to process; no decision may depend on them."""
    program = (
        "import json; from tests.unit.bots.arena import Match;"
        "from turntable_bots.greedy_bot import GreedyBot as G; from turntable_bots.random_bot import RandomBot as R;"
        "matches = [Match(e, [G, R, G], 5) for e in ('europe', 'switzerland', 'card')];"
        "[match.play() for match in matches]; print(json.dumps([match.moves for match in matches]))"
    )
    path = [str(ROOT / part) for part in ("services/rules", "services/session", "clients/bots", ".")]
    played = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(path)}
        output = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout
        played.append(json.loads(output))
    assert played[0] == played[1]
    assert all(len(moves) > 50 for moves in played[0])


def test_other_seeds_give_other_games() -> None:
    first, second = Match("usa", [RandomBot, RandomBot], 1), Match("usa", [RandomBot, RandomBot], 1)
    second.seeds = [seed[::-1] for seed in second.seeds]
    second.bots = [second.seat_bot(seat) for seat in range(2)]
    first.play()
    second.play()
    assert first.moves != second.moves


def test_random_plays_every_legal_move_now_and_then() -> None:
    walk = Walk("usa", 2, 4).advance(30)
    seat = engine.seats_to_act(walk.state)[0]
    moves = legal_forms(walk.state, seat)
    bot = RandomBot(b"seed")
    chosen = {bot.decide(shown(walk.state, seat, version), moves)["id"] for version in range(60 * len(moves))}
    assert chosen == {move["id"] for move in moves}


@pytest.mark.parametrize("bot", [GreedyBot, RandomBot])
def test_a_bot_answers_legally_wherever_others_have_played_it_to(bot: type[Bot]) -> None:
    for number, (edition, players) in enumerate(TABLES):
        walk = Walk(edition, players, 100 + number)
        player = bot(b"seed", board_facts(walk.state.rules))
        while not walk.finished:
            for seat in engine.seats_to_act(walk.state):
                moves = legal_forms(walk.state, seat)
                answer = player.decide(shown(walk.state, seat, len(walk.moves)), moves)
                assert any(answer is move for move in moves)
            walk.step()


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_greedy_plays_without_knowing_the_board(edition: str) -> None:
    assert Match(edition, [GreedyBot, RandomBot], 2, with_board=False).play().ending == "normal"


def test_a_decision_leaves_what_it_was_given_as_it_was_and_ignores_the_clock() -> None:
    for edition in engine.EDITIONS:
        walk = Walk(edition, 2, 8).advance(25)
        seat = engine.seats_to_act(walk.state)[0]
        bot = GreedyBot(b"seed", board_facts(walk.state.rules))
        view, moves = shown(walk.state, seat, 9), legal_forms(walk.state, seat)
        before = copy.deepcopy((view, moves))
        answer = bot.decide(view, moves)
        assert (view, moves) == before
        later = {**view, "serverTime": "2031-01-01T00:00:00Z", "id": "other"}
        assert bot.decide(later, moves) is answer


def test_bots_are_found_by_their_entry_points() -> None:
    project = tomllib.loads((BOTS / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "turntable-bots" and project["dependencies"] == []
    for name, target in project["entry-points"]["turntable.bots"].items():
        module, _, attribute = target.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        assert issubclass(found, Bot) and found.name == name
    assert set(project["entry-points"]["turntable.bots"]) == {"random", "greedy"}


@pytest.mark.parametrize("path", sorted((BOTS / "turntable_bots").glob("*.py")), ids=lambda path: path.name)
def test_bots_know_neither_the_engine_nor_the_server_nor_the_time(path: Path) -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            imported.add((node.module or "").split(".")[0])
    assert imported <= MAY_IMPORT | {"turntable_bots"}
