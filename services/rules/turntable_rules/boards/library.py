"""Boards from files: the published ones that come with the package, and those of others."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from turntable_rules.boards.faults import BoardError, Code, Fault
from turntable_rules.boards.parse import parse_board
from turntable_rules.boards.parse_cards import parse_cards
from turntable_rules.boards.scan import MAX_BYTES
from turntable_rules.engine.board import Board, CardSet

BUILTIN_BOARDS: Final = ("usa", "europe", "switzerland", "lyon")
BUILTIN_CARDS: Final = "card_game"


def load_board(path: Path | str) -> Board:
    """The board in a file; raises `BoardError` for its content and `OSError` if it cannot be read."""
    with Path(path).open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise BoardError([Fault(Code.TOO_BIG, "", 1, f"the file has more than {MAX_BYTES} bytes")])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BoardError([Fault(Code.BAD_ENCODING, "", line, "the file is not UTF-8 text")]) from None
    return parse_board(text)


@cache
def builtin_board(board_id: str) -> Board:
    """A board that comes with the package; raises `KeyError` if there is none of that id."""
    return parse_board(builtin_text(board_id))


@cache
def builtin_cards() -> CardSet:
    """The card set that comes with the package."""
    return parse_cards(builtin_text(BUILTIN_CARDS))


def builtin_text(file_id: str) -> str:
    """The file behind a builtin board or card set, for those who need what is not played, such as rivers."""
    if file_id not in (*BUILTIN_BOARDS, BUILTIN_CARDS):
        raise KeyError(file_id)
    return files(__package__).joinpath("data", f"{file_id}.json").read_text("utf-8")


@cache
def provenance_note(file_id: str) -> str:
    """Where the facts of a builtin file come from: the part of the provenance notes that names it."""
    notes = files(__package__).joinpath("data", "PROVENANCE.md").read_text("utf-8")
    for part in notes.split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        if f"`{file_id}.json`" in heading:
            return f"{heading}\n{body}".strip().removesuffix("---").strip()
    raise KeyError(file_id)
