"""turntable verify: valid records are valid, and every falsification is found where it is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

import turntable_rules as engine
from turntable_rules import verify_record
from turntable_session.forms.results import result_form

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parents[3]


def recorded(edition: str, players: int = 2) -> dict[str, Any]:
    """The record of a random game, assembled by hand from the format's description."""
    from hashlib import sha256

    random = Random(edition)
    seed = random.randbytes(32)
    rules = engine.ruleset(edition, players)
    state = engine.new_game(rules, seed)
    log = []
    while seats := engine.seats_to_act(state):
        action = random.choice(engine.legal_actions(state, seats[0]))
        move = engine.move_to_json(engine.to_move(state, seats[0], action))
        engine.play(state, seats[0], action)
        log.append(
            {"kind": "move", "seat": seats[0], "by": "player", "at": "2026-01-01T00:00:00.000Z", "move": move,
             "stateHash": engine.state_hash(state)}
        )  # fmt: skip
    return {
        "format": "turntable-record/1",
        "engine": engine.ENGINE_REVISION,
        "edition": edition,
        "options": rules.options.to_json(rules.edition),
        "players": players,
        "boardDigest": rules.digest,
        "seed": seed.hex(),
        "seedCommitment": sha256(seed).hexdigest(),
        "log": log,
        "result": result_form(engine.result_to_json(engine.score(state))),
        "finalHash": engine.state_hash(state),
    }


@pytest.fixture(scope="module", params=engine.EDITIONS)
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    return recorded(request.param)


def test_a_true_record_is_valid(record: dict[str, Any]) -> None:
    verdict = verify_record(record)
    assert verdict.valid and verdict.entries == len(record["log"])


def another_seed(record: dict[str, Any]) -> None:
    record["seed"] = bytes(32).hex()


def another_seed_and_commitment(record: dict[str, Any]) -> None:
    from hashlib import sha256

    record["seed"] = bytes(32).hex()
    record["seedCommitment"] = sha256(bytes(32)).hexdigest()


def another_total(record: dict[str, Any]) -> None:
    record["result"]["seats"][0]["total"] += 1


def another_winner(record: dict[str, Any]) -> None:
    record["result"]["winners"] = [1 - record["result"]["winners"][0]]


def a_move_less(record: dict[str, Any]) -> None:
    del record["log"][10]


def a_move_twice(record: dict[str, Any]) -> None:
    record["log"].insert(10, record["log"][10])


def a_shorter_game(record: dict[str, Any]) -> None:
    del record["log"][-1]
    record["finalHash"] = record["log"][-1]["stateHash"]


def another_hash(record: dict[str, Any]) -> None:
    record["log"][20]["stateHash"] = "0" * 32


def another_board(record: dict[str, Any]) -> None:
    record["boardDigest"] = "0" * 64


def another_option(record: dict[str, Any]) -> None:
    record["players"] += 1


def another_engine(record: dict[str, Any]) -> None:
    record["engine"] += 1


def another_format(record: dict[str, Any]) -> None:
    record["format"] = "turntable-record/2"


@pytest.mark.parametrize(
    "falsify",
    [another_seed, another_seed_and_commitment, another_total, another_winner, a_move_less, a_move_twice,
     a_shorter_game, another_hash, another_board, another_option, another_engine, another_format],
)  # fmt: skip
def test_a_falsified_record_diverges(
    record: dict[str, Any], falsify: Callable[[dict[str, Any]], None]
) -> None:
    false = deepcopy(record)
    falsify(false)
    verdict = verify_record(false)
    assert not verdict.valid and verdict.fault


def test_the_place_of_the_divergence_is_told(record: dict[str, Any]) -> None:
    false = deepcopy(record)
    another_hash(false)
    assert verify_record(false).entry == 20
    assert "at log entry 20" in str(verify_record(false))


@pytest.mark.parametrize("junk", [None, 3, [], {}, "x", {"format": "turntable-record/1"}, {"format": ["a"]}])
def test_junk_is_not_a_record(junk: object) -> None:
    assert not verify_record(junk).valid


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    path = f"{ROOT}/services/rules:{ROOT}/clients/python"
    return subprocess.run(
        [sys.executable, "-m", "turntable", *arguments],
        input=given, capture_output=True, text=True, env={"PYTHONPATH": path}, check=False,
    )  # fmt: skip


def test_the_command_says_valid_or_where_it_diverges(tmp_path: Path) -> None:
    record = recorded("usa")
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(record))
    another_hash(record)
    bad.write_text(json.dumps(record))
    done = run("verify", str(good))
    assert (done.returncode, done.stderr) == (0, "") and "valid" in done.stdout
    done = run("verify", str(good), str(bad), str(tmp_path / "none.json"), "--json")
    assert done.returncode == 1 and done.stderr == ""
    facts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [fact["valid"] for fact in facts] == [True, False, False]
    assert facts[1]["entry"] == 20
    done = run("verify", "-", given="[" * 100_000)
    assert done.returncode == 1 and "not JSON" in done.stdout
    assert run("verify").returncode == 2
