"""Boards from files: the published ones, a fan's, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.boards.small import small_board, spread
from turntable_rules.boards import (
    BUILTIN_BOARDS,
    BoardError,
    Code,
    builtin_board,
    builtin_cards,
    builtin_text,
    load_board,
    parse_board,
    parse_cards,
)


def test_builtin_boards_are_read_once() -> None:
    assert set(BUILTIN_BOARDS) == {"usa", "europe", "switzerland", "lyon"}
    for name in BUILTIN_BOARDS:
        assert builtin_board(name) is builtin_board(name)
        assert builtin_board(name).id == name
    assert builtin_cards() is builtin_cards()


@pytest.mark.parametrize("name", ["", "mars", "card_game", "../usa", "usa.json"])
def test_no_other_board_is_built_in(name: str) -> None:
    with pytest.raises((KeyError, BoardError)):
        builtin_board(name)


@pytest.mark.parametrize("name", ["mars", "../../engine/board", "PROVENANCE"])
def test_only_data_files_are_handed_out(name: str) -> None:
    with pytest.raises(KeyError):
        builtin_text(name)


def test_data_files_state_their_format() -> None:
    for name in BUILTIN_BOARDS:
        assert json.loads(builtin_text(name))["format"] == "turntable-board/1"
    assert json.loads(builtin_text("card_game"))["format"] == "turntable-cards/1"


def test_boards_and_cards_are_not_confused() -> None:
    with pytest.raises(BoardError) as board:
        parse_board(builtin_text("card_game"))
    with pytest.raises(BoardError) as cards:
        parse_cards(builtin_text("usa"))
    assert (
        [f.code for f in board.value.faults] == [f.code for f in cards.value.faults] == [Code.UNKNOWN_FORMAT]
    )


def test_a_fans_file(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text(spread(small_board()), "utf-8")
    assert load_board(file) == load_board(str(file)) == parse_board(spread(small_board()))


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b'{\n"id": "\xff"}', Code.BAD_ENCODING, 2),
        (b"\x00\x01\x02", Code.BAD_JSON, 1),
        (b"", Code.BAD_JSON, 1),
        (b" " * (256 * 1024 + 1), Code.TOO_BIG, 1),
        (b" " * (256 * 1024) + "é".encode(), Code.TOO_BIG, 1),
        (b" " * (256 * 1024), Code.BAD_JSON, 1),
    ],
    ids=["not utf-8", "binary", "empty", "one byte too big", "cut within a letter", "just not too big"],
)
def test_files_that_are_no_boards(tmp_path: Path, content: bytes, code: Code, line: int) -> None:
    file = tmp_path / "junk.json"
    file.write_bytes(content)
    with pytest.raises(BoardError) as caught:
        load_board(file)
    assert [(fault.code, fault.line) for fault in caught.value.faults] == [(code, line)]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_board(tmp_path / "none.json")
