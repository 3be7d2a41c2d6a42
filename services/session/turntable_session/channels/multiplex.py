"""Many calls over one long-lived stream: whatever is queued goes out together, answers come in any order."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Final, Generic, Protocol, TypeVar

import grpc

_PAUSE: Final = 0.05
"""Seconds before a broken stream is opened again; the channel itself waits longer where nobody listens."""


class Question(Protocol):
    """A message that may be asked."""

    correlation_id: int


Q = TypeVar("Q", bound=Question)
A = TypeVar("A")


class Broken(Exception):
    """The stream broke while a call was under way that must not be repeated."""


class Overfull(Exception):
    """More calls wait than can be borne."""


class Asked(Generic[Q, A]):
    """A call that waits for its answer."""

    __slots__ = ("answer", "deadline", "is_repeatable", "is_sent", "question")

    def __init__(self, question: Q, is_repeatable: bool, deadline: float, answer: asyncio.Future[A]) -> None:
        self.question = question
        self.is_repeatable = is_repeatable
        self.deadline = deadline
        """In the time of the loop."""
        self.answer = answer
        self.is_sent = False


class Multiplex(Generic[Q, A]):
    """One stream that is opened when it is needed, and again when it breaks.

    `pack` makes messages of calls, `unpack` the answers of a message; an answer names its call by number.
    """

    def __init__(
        self,
        open_stream: Callable[[], Any],
        pack: Callable[[list[Asked[Q, A]]], Iterable[Any]],
        unpack: Callable[[Any], Iterable[tuple[int, A]]],
        most: int = 10_000,
    ) -> None:
        self._open_stream = open_stream
        self._pack = pack
        self._unpack = unpack
        self._most = most
        self._numbers = count(1)
        self._waiting: dict[int, Asked[Q, A]] = {}
        self._queue: deque[Asked[Q, A]] = deque()
        self._news = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._is_closed = False

    async def ask(self, question: Q, *, is_repeatable: bool, seconds: float) -> A:
        """The answer; raises TimeoutError, Broken or Overfull."""
        if self._is_closed:
            raise Broken
        if len(self._waiting) >= self._most:
            raise Overfull
        if self._life is None or self._life.done():
            self._life = asyncio.create_task(self._live())
        loop = asyncio.get_running_loop()
        asked = Asked[Q, A](question, is_repeatable, loop.time() + seconds, loop.create_future())
        number = question.correlation_id = next(self._numbers)
        self._waiting[number] = asked
        self._queue.append(asked)
        self._news.set()
        timer = loop.call_later(seconds, _expire, asked.answer)
        try:
            return await asked.answer
        finally:
            timer.cancel()
            self._waiting.pop(number, None)

    async def close(self) -> None:
        """End the stream; whoever still waits is told that it broke."""
        self._is_closed = True
        if self._life is not None:
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)
        for asked in self._waiting.values():
            _fail(asked.answer, Broken())

    async def _live(self) -> None:
        while True:
            await self._news.wait()
            stream = self._open_stream()
            writer = asyncio.create_task(self._write(stream))
            try:
                await self._read(stream)
            finally:
                stream.cancel()
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
            self._pick_up()
            await asyncio.sleep(_PAUSE)

    async def _write(self, stream: Any) -> None:
        try:
            await stream.wait_for_connection()
            while True:
                await self._news.wait()
                self._news.clear()
                await asyncio.sleep(0)  # what others ask in the same tick goes out together
                batch = [asked for asked in self._queue if not asked.answer.done()]
                self._queue.clear()
                for asked in batch:
                    asked.is_sent = True
                for message in self._pack(batch):
                    await stream.write(message)
        finally:
            stream.cancel()  # so that the reader hears of it

    async def _read(self, stream: Any) -> None:
        """Give out answers until the stream ends or breaks."""
        try:
            while (message := await stream.read()) is not grpc.aio.EOF:
                for number, answer in self._unpack(message):
                    asked = self._waiting.get(number)
                    if asked is not None and not asked.answer.done():
                        asked.answer.set_result(answer)
        except grpc.aio.AioRpcError:
            return
        except asyncio.CancelledError:
            # A stream that was cancelled says it like this; a task that was cancelled knows it.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise

    def _pick_up(self) -> None:
        """Queue again what may be repeated, in the order it was asked; tell the others."""
        self._queue.clear()
        for asked in self._waiting.values():
            if asked.is_sent and not asked.is_repeatable:
                _fail(asked.answer, Broken())
            elif not asked.answer.done():
                asked.is_sent = False
                self._queue.append(asked)
        if self._queue:
            self._news.set()


def _expire(answer: asyncio.Future[Any]) -> None:
    _fail(answer, TimeoutError())


def _fail(answer: asyncio.Future[Any], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
