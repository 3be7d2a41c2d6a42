"""A TCP proxy before a server that cuts, hangs, slows down or loses answers on command."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from tests.kit.redis_servers import free_port

CHUNK = 65536


@dataclass(eq=False)
class Link:
    """One client's connection and ours to the server."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    # The end of the requests so far, where the beginning of a text looked for may be.
    tail: bytes = b""
    # How many bytes of answers still pass before the cut; None while no cut is due.
    remaining: int | None = None
    pumps: tuple[asyncio.Task[None], ...] = ()

    def stop_pumping(self) -> None:
        for pump in self.pumps:
            pump.cancel()

    def abort(self) -> None:
        """Close both sides at once, whatever is still to be sent."""
        for writer in (self.client, self.server):
            writer.transport.abort()


@dataclass
class FaultProxy:
    """Forwards bytes between clients and the server on `target`, with one or more faults until `heal`."""

    target: int
    port: int = field(default_factory=free_port)
    # How many answers were lost so far, and when the last one of those asked for was.
    answers_lost: int = 0
    all_lost: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._listener: asyncio.Server | None = None
        self._links: set[Link] = set()
        self._handlers: set[asyncio.Task[None]] = set()
        self._requests_flow, self._answers_flow = asyncio.Event(), asyncio.Event()
        self._reset()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    async def __aenter__(self) -> Self:
        await self.heal()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.cut(refuse=True)
        for link in self._links:
            link.stop_pumping()
        await asyncio.gather(*self._handlers)

    async def heal(self) -> None:
        """End all faults; what a hang held back is delivered."""
        self._reset()
        if self._listener is None:
            self._listener = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def cut(self, *, refuse: bool = False) -> None:
        """Close all connections and refuse new ones, or accept them only to close them."""
        self._closed = True
        if refuse and self._listener is not None:
            self._listener.close()
            self._listener = None
        for link in self._links:
            link.abort()

    def hang(self, *, requests: bool = True, answers: bool = True) -> None:
        """Forward nothing more in these directions, but keep all connections open."""
        for stopped, flow in ((requests, self._requests_flow), (answers, self._answers_flow)):
            if stopped:
                flow.clear()

    def slow(self, *, delay: float = 0.0, bytes_per_second: float = float("inf")) -> None:
        """Forward each piece after a delay, in both directions, and no faster than the bandwidth."""
        self._delay, self._bytes_per_second = delay, bytes_per_second

    def lose_answers(self, *, to: bytes = b"", after: int = 0, times: int = 1) -> None:
        """Cut a connection after some bytes of the answers to a request with this text in it, some times.

        The request has reached the server and was executed; whoever sent it cannot know.
        """
        self._text, self._after, self._times = to, after, times
        self.all_lost.clear()
        for link in self._links:
            link.tail = b""

    def _reset(self) -> None:
        self._closed = False
        self._delay, self._bytes_per_second = 0.0, float("inf")
        self._text, self._after, self._times = b"", 0, 0
        for link in self._links:
            link.remaining = None
        self._requests_flow.set()
        self._answers_flow.set()

    async def _accept(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        handler = asyncio.current_task()
        assert handler is not None
        self._handlers.add(handler)
        handler.add_done_callback(self._handlers.discard)
        if self._closed:
            to_client.transport.abort()
            return
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            to_client.transport.abort()
            return
        link = Link(to_client, to_server)
        link.pumps = (
            asyncio.create_task(self._pump_requests(link, from_client)),
            asyncio.create_task(self._pump_answers(link, from_server)),
        )
        self._links.add(link)
        await asyncio.wait(link.pumps, return_when=asyncio.FIRST_COMPLETED)
        self._links.discard(link)
        link.stop_pumping()
        # A connection lost is what faults are about.
        await asyncio.gather(*link.pumps, return_exceptions=True)
        to_client.close()
        to_server.close()

    async def _pump_requests(self, link: Link, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(CHUNK):
            await self._pass(self._requests_flow, data)
            seen = link.tail + data
            link.tail = seen[max(0, len(seen) - len(self._text) + 1) :] if self._text else b""
            if self._times and link.remaining is None and self._text in seen:
                link.remaining = self._after
            link.server.write(data)
            await link.server.drain()

    async def _pump_answers(self, link: Link, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(CHUNK):
            await self._pass(self._answers_flow, data)
            if link.remaining is not None and self._times:
                if len(data) > link.remaining:
                    link.client.write(data[: link.remaining])
                    self._times -= 1
                    self.answers_lost += 1
                    if not self._times:
                        self.all_lost.set()
                    return
                link.remaining -= len(data)
            link.client.write(data)
            await link.client.drain()

    async def _pass(self, flow: asyncio.Event, data: bytes) -> None:
        """Wait as long as the faults of the moment demand."""
        await asyncio.sleep(self._delay + len(data) / self._bytes_per_second)
        await flow.wait()
