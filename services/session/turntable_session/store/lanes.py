"""One connection to one server, shared by all: whatever is queued goes out together, answers come in order."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import NoScriptError, RedisError, ResponseError

from turntable_session.store.scripts import ALL

Argument = str | bytes | int | float
Command = Sequence[Argument]


class LaneDown(Exception):
    """The connection failed; whether the command was carried out is not known."""


class _Waiting(NamedTuple):
    command: Command
    answer: "asyncio.Future[Any]"
    confirm: bool


class Confirmation(NamedTuple):
    """A command that is answered when everything before it is safe, and the numbers of copies it has to name."""

    command: Command
    copies: tuple[int, ...]
    seconds: float
    """How long it is asked again: a replica tells what it has when it is asked, and then only once a second."""

    def doubt(self, answer: Any) -> Exception | None:
        """What is wrong with its answer."""
        if isinstance(answer, Exception):
            return answer
        found = answer if isinstance(answer, list) else [answer]
        if all(have >= need for have, need in zip(found, self.copies, strict=True)):
            return None
        return Unconfirmed("not every copy has confirmed in time")


class Unconfirmed(Exception):
    """The command was carried out, but not enough copies have said in time that it is safe."""


async def connected(connection: AbstractConnection) -> None:
    """Connect, with the handshake."""
    await connection.connect()  # type: ignore[no-untyped-call]


class Lane:
    """A pipelined connection. Nothing is ever sent twice by itself: retrying is for those who know it is harmless."""

    def __init__(
        self, connection: AbstractConnection, timeout: float, confirmation: Confirmation | None
    ) -> None:
        self._connection = connection
        self._timeout = timeout
        self._confirmation = confirmation
        self._queue: list[_Waiting] = []
        self._flushing: asyncio.Task[None] | None = None
        self._loaded = False

    def call(self, command: Command, *, confirm: bool = False) -> "asyncio.Future[Any]":
        """Queue a command; its answer, an error of the server included, arrives in the future."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(command, answer, confirm))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return answer

    async def _flush(self) -> None:
        while self._queue:
            group, self._queue = self._queue, []
            try:
                async with asyncio.timeout(self._timeout):
                    await self._exchange(group)
            except (RedisError, OSError, TimeoutError, EOFError) as error:
                await self._drop(group, error)
            except BaseException:
                await self._drop(group, LaneDown("the connection was given up"))
                raise

    async def _exchange(self, group: list[_Waiting]) -> None:
        connection = self._connection
        if not self._loaded:
            await connected(connection)
            for script in ALL:
                await connection.send_command("SCRIPT", "LOAD", script.text)
                await connection.read_response()
            self._loaded = True
        # hiredis packs in C, ten times faster than redis-py does.
        packed = b"".join([pack_command(tuple(waiting.command)) for waiting in group])  # type: ignore[arg-type]
        await connection.send_packed_command(packed, check_health=False)
        answers = [await self._answer() for _ in group]
        to_confirm = []
        for waiting, answer in zip(group, answers, strict=True):
            if isinstance(answer, NoScriptError):
                self._loaded = False
            if waiting.confirm and not isinstance(answer, Exception):
                to_confirm.append((waiting, answer))
            else:
                _give(waiting, answer)
        doubt = await self._doubt() if to_confirm else None
        for waiting, answer in to_confirm:
            _give(waiting, answer if doubt is None else doubt)
        if not self._loaded:
            await connection.disconnect()

    async def _doubt(self) -> Exception | None:
        """None when everything sent so far is safe.

        Asked only when the answers are there: a replica that finds the question right behind a write answers it before
        the write is on its disk, and says nothing more for a second.
        """
        confirmation = self._confirmation
        if confirmation is None:
            return None
        end = time.monotonic() + confirmation.seconds
        while True:
            await self._connection.send_command(*confirmation.command, check_health=False)
            doubt = confirmation.doubt(await self._answer())
            if not isinstance(doubt, Unconfirmed) or time.monotonic() > end:
                return doubt

    async def _answer(self) -> Any:
        try:
            return await self._connection.read_response(disable_decoding=True)
        except ResponseError as error:
            return error

    async def _drop(self, group: list[_Waiting], error: BaseException) -> None:
        self._loaded = False
        for waiting in group:
            if not waiting.answer.done():
                waiting.answer.set_exception(LaneDown(f"{type(error).__name__}: {error}"))
        with contextlib.suppress(Exception):
            await self._connection.disconnect(nowait=True)

    async def close(self) -> None:
        """Let what is under way end, then disconnect."""
        if self._flushing is not None:
            await asyncio.wait([self._flushing])
        with contextlib.suppress(Exception):
            await self._connection.disconnect()


def _give(waiting: _Waiting, answer: Any) -> None:
    if waiting.answer.done():
        return
    if isinstance(answer, Exception):
        waiting.answer.set_exception(answer)
    else:
        waiting.answer.set_result(answer)
