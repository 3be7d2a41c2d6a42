"""The compiled engine and the interpreted one do the same, move by move."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = ("11", "12")


def traced(python: Path | str, path: str) -> list[str]:
    """The trace of whichever engine an interpreter finds, the same games each time."""
    variables = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(python), "-m", "tests.kit.trace", *NUMBERS]
    done = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True, timeout=280
    )
    return done.stdout.splitlines()


def test_both_builds_play_the_same_games(compiled_python):
    interpreted = traced(sys.executable, f"{ROOT / 'services' / 'rules'}{os.pathsep}{ROOT}")
    compiled = traced(compiled_python, str(ROOT))
    assert interpreted[0] == "interpreted"
    assert compiled[0] == "compiled"
    assert len(interpreted) > 4000
    for number, (one, two) in enumerate(zip(interpreted[1:], compiled[1:], strict=True), start=2):
        assert one == two, f"line {number}"
