"""The proxy between a client and a real server does each fault, and heals."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from tests.kit.fault_proxy import FaultProxy
from tests.kit.redis_servers import RedisServer, embedded_binary

pytestmark = pytest.mark.tree


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    directory: Path = tmp_path_factory.mktemp("server")
    with RedisServer(embedded_binary(), directory) as running:
        yield running


@pytest.fixture
async def proxy(server: RedisServer) -> AsyncIterator[FaultProxy]:
    server.ask("FLUSHALL")
    async with FaultProxy(server.port) as running:
        yield running


@pytest.fixture
async def client(proxy: FaultProxy) -> AsyncIterator[Redis]:
    """A client through the proxy that tries once."""
    once = Retry(NoBackoff(), 0)
    client = Redis.from_url(proxy.url, protocol=2, socket_timeout=0.3, retry=once, decode_responses=True)
    yield client
    await client.aclose()


async def test_without_a_fault_everything_passes(client: Redis) -> None:
    big = "x" * 300_000
    await client.set("key", big)
    assert await client.get("key") == big


@pytest.mark.parametrize("refuse", [False, True])
async def test_cut_closes_every_connection_and_lets_no_new_one_in(
    proxy: FaultProxy, client: Redis, refuse: bool
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    await client.ping()
    await proxy.cut(refuse=refuse)
    # Whether it ends in order or by a reset, it ends.
    assert await asyncio.wait_for(reader.read(), 5) == b""
    writer.close()
    for _ in range(2):
        with pytest.raises(RedisConnectionError):
            await client.ping()
    await proxy.heal()
    assert await client.ping()


async def test_hang_answers_nothing_and_closes_nothing(proxy: FaultProxy, client: Redis) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"PING\r\n")
    assert await reader.readline() == b"+PONG\r\n"
    proxy.hang()
    writer.write(b"INCR hung\r\n")
    with pytest.raises(RedisTimeoutError):
        await client.ping()
    assert not reader.at_eof()
    await proxy.heal()
    assert await asyncio.wait_for(reader.readline(), 5) == b":1\r\n"
    writer.close()


async def test_requests_that_hang_are_not_executed(
    proxy: FaultProxy, client: Redis, server: RedisServer
) -> None:
    await client.ping()
    proxy.hang(answers=False)
    with pytest.raises(RedisTimeoutError):
        await client.incr("count")
    assert server.ask("GET", "count") is None


async def test_answers_that_hang_were_executed(proxy: FaultProxy, client: Redis, server: RedisServer) -> None:
    await client.ping()
    proxy.hang(requests=False)
    with pytest.raises(RedisTimeoutError):
        await client.incr("count")
    assert server.ask("GET", "count") == "1"


async def test_slow_delays_every_piece(proxy: FaultProxy, client: Redis) -> None:
    await client.ping()
    proxy.slow(delay=0.1)
    start = time.monotonic()
    await client.ping()
    # Once for the request and once for the answer.
    assert time.monotonic() - start >= 0.2


async def test_slow_limits_the_bandwidth(proxy: FaultProxy, client: Redis, server: RedisServer) -> None:
    server.ask("SET", "key", "x" * 50_000)
    await client.ping()
    proxy.slow(bytes_per_second=500_000)
    start = time.monotonic()
    await client.get("key")
    assert time.monotonic() - start >= 0.1


@pytest.mark.parametrize("after", [0, 2])
async def test_an_answer_is_lost_after_some_bytes_and_its_request_was_executed(
    proxy: FaultProxy, client: Redis, server: RedisServer, after: int
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    proxy.lose_answers(to=b"INCR", after=after)
    writer.write(b"INCR count\r\n")
    assert await asyncio.wait_for(reader.read(), 5) == b":1\r\n"[:after]
    writer.close()
    assert proxy.all_lost.is_set() and proxy.answers_lost == 1
    assert server.ask("GET", "count") == "1"
    assert await client.incr("count") == 2


async def test_only_answers_to_the_request_named_are_lost(proxy: FaultProxy, client: Redis) -> None:
    proxy.lose_answers(to=b"named", times=2)
    assert await client.incr("other") == 1
    for _ in range(2):
        with pytest.raises(RedisConnectionError):
            await client.incr("named")
    await asyncio.wait_for(proxy.all_lost.wait(), 5)
    assert await client.incr("named") == 3


async def test_a_request_in_two_pieces_is_recognised(proxy: FaultProxy) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"PING\r\n")
    await reader.readline()
    proxy.lose_answers(to=b"INCR count")
    writer.write(b"PING\r\nINCR co")
    assert await reader.readline() == b"+PONG\r\n"
    writer.write(b"unt\r\n")
    assert await asyncio.wait_for(reader.read(), 5) == b""
    writer.close()


async def test_a_server_that_is_gone_is_a_connection_closed(tmp_path: Path) -> None:
    with RedisServer(embedded_binary(), tmp_path) as server:
        async with FaultProxy(server.port) as proxy:
            server.kill()
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            assert await asyncio.wait_for(reader.read(), 5) == b""
            writer.close()
