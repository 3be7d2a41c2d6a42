"""Listening to the news of buckets on sharded channels, through cut connections and moved buckets."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterable

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from turntable_session.store import names
from turntable_session.store.lanes import connected
from turntable_session.store.port import News
from turntable_session.store.servers import Address, Servers

_MISSED = News("", 0, False)
_PAUSE = 0.2


class RedisFeed:
    """One listening connection per server that holds a wanted bucket."""

    def __init__(self, servers: Servers, tell: Callable[[News], None]) -> None:
        self._servers = servers
        self._tell = tell
        self._wanted: Counter[int] = Counter()
        self._ears: dict[Address, _Ear] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def want(self, bucket: int) -> None:
        """Listen to a bucket, as often as it is asked for."""
        self._wanted[bucket] += 1
        if self._wanted[bucket] == 1:
            self._assign([bucket])

    def unwant(self, bucket: int) -> None:
        """Listen to a bucket once less."""
        self._wanted[bucket] -= 1
        if self._wanted[bucket] <= 0:
            del self._wanted[bucket]
            for ear in self._ears.values():
                ear.forget(bucket)

    def _assign(self, buckets: Iterable[int]) -> None:
        for bucket in buckets:
            address = self._servers.address_of(bucket)
            ear = self._ears.get(address)
            if ear is None:
                ear = self._ears[address] = _Ear(self._servers, address, self._tell)
                task = asyncio.create_task(self._attend(address, ear))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            ear.listen(bucket)

    async def _attend(self, address: Address, ear: "_Ear") -> None:
        """Listen until the connection fails, then look where its buckets are now and say that news was missed."""
        with contextlib.suppress(RedisError, OSError, EOFError, asyncio.IncompleteReadError):
            await ear.run()
        del self._ears[address]
        await asyncio.sleep(_PAUSE)
        await self._servers.refresh()
        self._assign([bucket for bucket in ear.buckets if bucket in self._wanted])

    async def close(self) -> None:
        """Stop listening."""
        self._wanted.clear()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Ear:
    """One connection in subscriber mode."""

    def __init__(self, servers: Servers, address: Address, tell: Callable[[News], None]) -> None:
        self._connection: AbstractConnection = servers.connection(address)
        self._timeout = servers.settings.timeout
        self._tell = tell
        self.buckets: set[int] = set()
        self._wishes: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    def listen(self, bucket: int) -> None:
        self.buckets.add(bucket)
        self._wishes.put_nowait(("SSUBSCRIBE", bucket))

    def forget(self, bucket: int) -> None:
        if bucket in self.buckets:
            self.buckets.discard(bucket)
            self._wishes.put_nowait(("SUNSUBSCRIBE", bucket))

    async def run(self) -> None:
        """Listen until the connection fails or a bucket moves away."""
        try:
            async with asyncio.timeout(self._timeout):
                await connected(self._connection)
            speaking = asyncio.create_task(self._speak())
            hearing = asyncio.create_task(self._hear())
            try:
                done, _ = await asyncio.wait({speaking, hearing}, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                speaking.cancel()
                hearing.cancel()
                await asyncio.gather(speaking, hearing, return_exceptions=True)
        finally:
            with contextlib.suppress(Exception):
                await self._connection.disconnect(nowait=True)

    async def _speak(self) -> None:
        while True:
            verb, bucket = await self._wishes.get()
            await self._connection.send_command(verb, names.news(bucket), check_health=False)

    async def _hear(self) -> None:
        while True:
            kind, channel, said, *_ = await self._connection.read_response(disable_decoding=True)
            if kind == b"smessage":
                game, version, flag = said.decode().split(" ")
                self._tell(News(game, int(version), flag == "b"))
            elif kind == b"ssubscribe":
                self._tell(_MISSED)  # whatever was said before this moment
            elif any(channel == names.news(bucket).encode() for bucket in self.buckets):
                return  # unsubscribed without our asking: the bucket has moved away
