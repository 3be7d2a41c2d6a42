"""The protos are linted, formatted, commented throughout, and break nothing that was promised."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tree

PROTO = Path(__file__).resolve().parents[2] / "proto"
BUF = Path(sys.executable).parent / "buf"


def buf(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run((BUF, *arguments), capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the protos to break."""
    return Path(shutil.copytree(PROTO, tmp_path / "proto"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


def test_the_protos_are_clean_and_commented() -> None:
    found = buf("lint", PROTO)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


def test_the_protos_are_formatted() -> None:
    found = buf("format", "--diff", "--exit-code", PROTO)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


def test_the_protos_break_no_promise() -> None:
    found = buf("breaking", PROTO, "--against", PROTO / "baseline.binpb")
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


def test_a_missing_comment_is_noticed(copy: Path) -> None:
    edit(copy / "turntable/game/v1/move.proto", "  // Slot of the row, 0 to 4.\n", "")
    found = buf("lint", copy)
    assert found.returncode == 100 and '"slot" should have a non-empty comment' in found.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("game/v1/move.proto", "  int32 slot = 1;\n", "", 'Previously present field "1" with name "slot"'),
        ("game/v1/move.proto", "int32 slot = 1;", "int32 slot = 2;", 'Previously present field "1"'),
        ("game/v1/move.proto", "int32 slot = 1;", "int64 slot = 1;", "changed type"),
        ("game/v1/cards.proto", "CARD_LOCO = 9;", "CARD_JOKER = 9;", 'changed name from "CARD_LOCO"'),
    ],
    ids=["removed", "renumbered", "retyped", "renamed"],
)
def test_a_broken_promise_is_noticed(copy: Path, file: str, old: str, new: str, message: str) -> None:
    edit(copy / "turntable" / file, old, new)
    found = buf("breaking", copy, "--against", PROTO / "baseline.binpb")
    assert found.returncode == 100 and message in found.stdout
