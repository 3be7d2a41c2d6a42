"""The examples of clients run against a real server: Python, reflection, Node.js."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tools.rules_process import RulesProcess, own_build
from turntable_proto.game.v1 import error_pb2
from turntable_rules.server.metrics import Metrics
from turntable_rules.server.settings import Settings

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "clients" / "examples" / "rules"
BUF = Path(sys.executable).parent / "buf"
SECONDS = 120


@pytest.fixture(scope="module")
def server() -> Iterator[RulesProcess]:
    with RulesProcess(own_build()) as running:
        yield running


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """What a command prints; its errors if it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def told_by_a_client(output: str) -> None:
    """All clients play the same scene."""
    illegal, refused, played = output.splitlines()
    assert illegal.startswith("illegal: wrong_phase (COMMON-SETUP-10): ")
    assert refused == "refused: WRONG_PHASE, clause COMMON-SETUP-10, phase setup_tickets"
    assert played == "played: 4 moves were legal; events: setup_chosen"


def test_the_python_example(server: RulesProcess) -> None:
    told_by_a_client(run(sys.executable, EXAMPLES / "validate.py", server.address))


def test_the_reflection_example(server: RulesProcess) -> None:
    output = run("sh", EXAMPLES / "reflection.sh", server.address, BUF=str(BUF))
    assert '"displayName"' in output
    assert output.endswith("refused, as it should be\n")


@pytest.fixture(scope="module")
def node_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the Node.js example with its packages installed."""
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        pytest.fail(
            f"{' and '.join(missing)} not on PATH: Node.js 20 or newer is needed to test the Node.js client"
        )
    copy = Path(
        shutil.copytree(
            EXAMPLES / "node",
            tmp_path_factory.mktemp("rules") / "node",
            ignore=shutil.ignore_patterns("node_modules"),
        )
    )
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=copy)
    return copy


def test_the_node_example(server: RulesProcess, node_example: Path) -> None:
    told_by_a_client(run("node", "validate.mjs", server.address, ROOT / "proto", cwd=node_example))


DOCUMENT = (ROOT / "docs" / "rules-service.md").read_text("utf-8")
COMMANDS = re.findall(r"^buf (curl .+)$", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.rsplit("/", 1)[1])
def test_a_command_of_the_document_runs(server: RulesProcess, command: str) -> None:
    assert run(BUF, *shlex.split(command.replace("127.0.0.1:50051", server.address))).startswith("{")


def first_cells(heading: str) -> list[str]:
    """The code words in the first column of the table below a heading."""
    part = DOCUMENT.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return [word for row in rows for word in re.findall(r"`(\w+)`", row)]


def test_the_document_lists_every_setting() -> None:
    assert [word.lower() for word in first_cells("Start it")[1:]] == [
        field.name for field in fields(Settings)
    ]


def test_the_document_lists_every_metric() -> None:
    metrics = Metrics()
    metrics.answered("GetView", "usa", "OK", 0.1)
    metrics.refused("wrong_phase", "COMMON-SETUP-10")
    found = {family.name + "_total" * (family.type == "counter") for family in metrics.registry.collect()}
    assert set(first_cells("Metrics")) == found


def test_the_document_lists_every_reason_the_service_gives() -> None:
    sources = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "services/rules/turntable_rules/server").glob("*.py")
    )
    given = {name for name in error_reasons() if f'"{name}"' in sources}
    assert set(first_cells("Errors")) == given


def error_reasons() -> set[str]:
    names = {name.removeprefix("ERROR_REASON_") for name, _ in error_pb2.ErrorReason.items()}
    return names - {"UNSPECIFIED"}
