"""Enumerations of the messages and the words the engine and the core have for their values."""

from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import EnumDescriptor

from turntable_session.problems import malformed

_ZERO: Final[dict[str, str | None]] = {"Ending": "running"}
"""What a value says by saying nothing; elsewhere None."""


class Numbers(dict[str | None, int]):
    """The number of every word."""


class Words(dict[int, Any]):
    """The word of every number; one that is none can only come from outside."""

    def __init__(self, enum: EnumDescriptor) -> None:
        super().__init__()
        self.name = enum.name
        prefix = str(enum.values_by_number[0].name).removesuffix("UNSPECIFIED")
        for value in enum.values:
            self[value.number] = value.name.removeprefix(prefix).lower()
        self[0] = _ZERO.get(enum.name)

    def __missing__(self, number: int) -> Any:
        raise malformed(f"{number} is not a value of {self.name}")


@cache
def words_of(enum: EnumDescriptor) -> Words:
    """The words of an enumeration by number."""
    return Words(enum)


@cache
def numbers_of(enum: EnumDescriptor) -> Numbers:
    """The numbers of an enumeration by word."""
    numbers = Numbers({word: number for number, word in words_of(enum).items()})
    numbers[None] = 0
    return numbers
