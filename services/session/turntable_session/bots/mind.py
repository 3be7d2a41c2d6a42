"""A thinker's process as the worker sees it: ask it, and kill it when it takes too long."""

import asyncio
import contextlib
import sys
from typing import Any

import msgspec

from turntable_session.bots.thinker import LENGTH, Answer, Question, framed

_read = msgspec.msgpack.Decoder(Answer).decode


class Mind:
    """One child process, started when it is needed and again when it was killed."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._told: set[str] = set()

    @property
    def pid(self) -> int | None:
        """Id of the process, if there is one."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process if there is none."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "turntable_session.bots.thinker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            self._told.clear()

    async def ask(self, question: Question, board: dict[str, Any], budget: float) -> Answer:
        """The answer within the budget, or a fault; a process that fails is killed."""
        await self.start()
        assert self._process is not None and self._process.stdin is not None
        assert self._process.stdout is not None
        if question.board_key not in self._told:
            question.board = board
        try:
            async with asyncio.timeout(budget):
                self._process.stdin.write(framed(question))
                length = await self._process.stdout.readexactly(LENGTH)
                answer = _read(await self._process.stdout.readexactly(int.from_bytes(length, "big")))
        except TimeoutError:
            await self.kill()
            return Answer(fault="budget")
        except (asyncio.IncompleteReadError, OSError, msgspec.DecodeError):
            await self.kill()
            return Answer(fault="crash")
        self._told.add(question.board_key)
        return answer

    async def kill(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
            self._process = None
