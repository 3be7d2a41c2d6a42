"""Reads JSON text into nodes that know their path and line, so that a fault can say where it is."""

import json
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

from turntable_rules.boards.faults import BoardError, Code, Fault

MAX_BYTES: Final = 256 * 1024
MAX_DEPTH: Final = 16
MAX_DIGITS: Final = 30
"""Longer numbers are read as floats, so that none is slow to read or long to show."""

Value: TypeAlias = "bool | int | float | str | list[Node] | dict[str, Node] | None"

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_STRING: Final = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_NUMBER: Final = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD: Final = re.compile(r"-?[A-Za-z]+")
_WORDS: Final[dict[str, bool | float | None]] = {
    "null": None,
    "true": True,
    "false": False,
    # Not JSON, but many writers produce them: read as numbers that are not whole, each a fault of its own.
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its place in the file."""

    value: Value
    path: str
    line: int


def scan(text: str, faults: list[Fault]) -> Node:
    """The document as a tree; appends repeated keys to `faults`, raises `BoardError` if it is not JSON."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise BoardError(
            [Fault(Code.TOO_BIG, "", 1, f"the file has {size} bytes; at most {MAX_BYTES} are read")]
        )
    return _Scanner(text.removeprefix("\ufeff"), faults).document()


class _Scanner:
    """A position in the text, moving forward."""

    def __init__(self, text: str, faults: list[Fault]) -> None:
        self._text = text
        self._faults = faults
        self._at = 0
        self._breaks = [index for index, char in enumerate(text) if char == "\n"]

    def document(self) -> Node:
        """The one value of the text."""
        root = self._value("", 0)
        self._skip_space()
        if self._at < len(self._text):
            self._fail("nothing may follow the end of the document")
        return root

    def _line(self) -> int:
        return bisect_left(self._breaks, self._at) + 1

    def _fail(self, message: str, code: Code = Code.BAD_JSON) -> NoReturn:
        line = self._line()
        start = self._breaks[line - 2] + 1 if line > 1 else 0
        raise BoardError([Fault(code, "", line, message, self._at - start + 1)])

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self._at)
        if match:
            self._at = match.end()

    def _take(self, char: str) -> bool:
        """Steps over `char` and the space before it, if it comes next."""
        self._skip_space()
        if self._text.startswith(char, self._at):
            self._at += 1
            return True
        return False

    def _value(self, path: str, depth: int) -> Node:
        self._skip_space()
        line = self._line()
        if depth > MAX_DEPTH:
            self._fail(f"lists and objects lie more than {MAX_DEPTH} deep", Code.TOO_DEEP)
        if self._take("{"):
            return Node(self._members(path, depth), path, line)
        if self._take("["):
            return Node(self._elements(path, depth), path, line)
        if self._text.startswith('"', self._at):
            return Node(self._string(), path, line)
        return Node(self._number_or_word(), path, line)

    def _members(self, path: str, depth: int) -> dict[str, Node]:
        members: dict[str, Node] = {}
        if self._take("}"):
            return members
        while True:
            self._skip_space()
            if not self._text.startswith('"', self._at):
                self._fail("expected a key in double quotes")
            key = self._string()
            if not self._take(":"):
                self._fail("expected ':' after the key")
            node = self._value(f"{path}.{_shown_key(key)}" if path else _shown_key(key), depth + 1)
            if key in members:
                self._faults.append(Fault(Code.DUPLICATE_KEY, node.path, node.line, "the key appears twice"))
            else:
                members[key] = node
            if self._take("}"):
                return members
            if not self._take(","):
                self._fail("expected ',' or '}'")

    def _elements(self, path: str, depth: int) -> list[Node]:
        elements: list[Node] = []
        if self._take("]"):
            return elements
        while True:
            elements.append(self._value(f"{path}[{len(elements)}]", depth + 1))
            if self._take("]"):
                return elements
            if not self._take(","):
                self._fail("expected ',' or ']'")

    def _string(self) -> str:
        match = _STRING.match(self._text, self._at)
        if match is None:
            self._fail("this text is not closed, or has a bad escape or a control character")
        self._at = match.end()
        return str(json.loads(match.group()))

    def _number_or_word(self) -> bool | int | float | None:
        match = _NUMBER.match(self._text, self._at)
        if match:
            self._at = match.end()
            whole, fraction, exponent = match.groups()
            if fraction is None and exponent is None and len(whole) <= MAX_DIGITS:
                return int(whole)
            return float(match.group())
        word = _WORD.match(self._text, self._at)
        if word is None or word.group() not in _WORDS:
            self._fail("expected a value" if self._at < len(self._text) else "the text ends too early")
        self._at = word.end()
        return _WORDS[word.group()]


def _shown_key(key: str) -> str:
    """A key as it appears in a path: short and printable whatever the file holds."""
    return key[:40] if key.isprintable() else ascii(key)[1:41]
