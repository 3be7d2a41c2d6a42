"""The process in which bots think: one question in, one answer out, killed when it takes too long.

python -m turntable_session.bots.thinker: questions on standard input, answers on standard output, each with its length.
"""

import os
import sys
from functools import lru_cache
from typing import Any, BinaryIO, Final

import msgspec

from turntable_session.core.bot_registry import make_bot

LENGTH: Final = 4


class Question(msgspec.Struct):
    """What a bot is asked; `board` is sent once per board and process."""

    bot: str
    seed: bytes
    view: dict[str, Any]
    legal_moves: list[dict[str, Any]]
    board_key: str
    board: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"Question({self.bot})"


class Answer(msgspec.Struct):
    """The number of the move chosen, or what went wrong."""

    move: int = -1
    fault: str = ""


def framed(message: Question | Answer) -> bytes:
    """A message with its length in front."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(LENGTH, "big") + data


class Thinker:
    """Answers questions; knows the boards it was told."""

    def __init__(self) -> None:
        self._boards: dict[str, dict[str, Any]] = {}
        self._bots = lru_cache(256)(self._bot)

    def _bot(self, name: str, seed: bytes, board_key: str) -> Any:
        return make_bot(name, seed, self._boards[board_key])

    def answer(self, question: Question) -> Answer:
        """What the bot says; its faults are answers too."""
        if question.board is not None:
            self._boards[question.board_key] = question.board
        try:
            bot = self._bots(question.bot, question.seed, question.board_key)
            chosen = bot.decide(question.view, question.legal_moves)
            number = chosen["id"]
        except Exception as error:
            return Answer(fault=type(error).__name__)
        if not any(move["id"] == number for move in question.legal_moves):
            return Answer(fault="illegal")
        return Answer(int(number))


def main() -> None:
    """Answer until the input ends. What bots print goes to standard error, out of the answers' way."""
    os.nice(10)  # thinking must not slow down those who serve
    answers: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    questions = sys.stdin.buffer
    thinker = Thinker()
    read = msgspec.msgpack.Decoder(Question).decode
    while len(length := questions.read(LENGTH)) == LENGTH:
        question = read(questions.read(int.from_bytes(length, "big")))
        answers.write(framed(thinker.answer(question)))
        answers.flush()


if __name__ == "__main__":
    main()
