"""One exchange: many calls of many callers over one stream, each for itself, the answers together."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, Awaitable, Callable
from typing import Any

import grpc

from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_session.problems import Problem
from turntable_session.server.metrics import Metrics

Context = grpc.aio.ServicerContext[Any, Any]
AnswerCall = Callable[[pb.Call], Awaitable[pb.Answer]]
"""Carries a call out; what goes wrong is the answer. It has at most as many bytes as fit into one message."""


class Exchange:
    """The calls under way and the answers that wait to be sent.

    A call holds its place until its answer is sent, so that a client that does not read is not read either.
    """

    def __init__(self, answer: AnswerCall, metrics: Metrics, max_in_flight: int, max_bytes: int) -> None:
        self._answer = answer
        self._metrics = metrics
        self._places = asyncio.Semaphore(max_in_flight)
        self._max_bytes = max_bytes
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way = 0
        self._ready: deque[pb.ExchangeResponse] = deque()
        self._size = 0
        """Bytes of the last message of `_ready`."""
        self._news = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None

    async def run(self, requests: AsyncIterable[pb.ExchangeRequest | None], context: Context) -> None:
        """Until the client has closed its side and every answer is sent; raises what is wrong with a message."""
        reader = self._reader = asyncio.create_task(self._read(requests))
        reader.add_done_callback(lambda _: self._news.set())
        try:
            while not (reader.done() and not self._under_way and not self._ready):
                await self._news.wait()
                self._news.clear()
                await asyncio.sleep(0)  # what others answer in the same tick goes out together
                await self._send(context)
            if not reader.cancelled():
                reader.result()
        finally:
            tasks = [reader, *self._tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def drain(self) -> None:
        """Take no more calls, and end when those under way are answered."""
        if self._reader is not None:
            self._reader.cancel()

    async def _read(self, requests: AsyncIterable[pb.ExchangeRequest | None]) -> None:
        async for request in requests:
            if request is None:
                raise Problem("malformed", "the bytes sent are not a message of this method")
            self._metrics.calls_received.observe(len(request.calls))
            for call in request.calls:
                await self._places.acquire()
                self._under_way += 1
                task = asyncio.create_task(self._carry_out(call))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, call: pb.Call) -> None:
        answer = await self._answer(call)
        size = answer.ByteSize()
        if not self._ready or self._size + size > self._max_bytes:
            self._ready.append(pb.ExchangeResponse())
            self._size = 0
        self._ready[-1].answers.append(answer)
        self._size += size
        self._under_way -= 1
        self._news.set()

    async def _send(self, context: Context) -> None:
        while self._ready:
            message = self._ready.popleft()
            await context.write(message)
            self._metrics.answers_sent.observe(len(message.answers))
            for _ in message.answers:
                self._places.release()
