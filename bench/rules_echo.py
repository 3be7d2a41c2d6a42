"""A bare grpc.aio server that answers requests with as many of their own bytes; the yardstick of bench/rules.py.

python -m bench.rules_echo validate=5 apply=320: one method per word, with the size of its answers.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

SERVICE = "turntable.bench.Echo"

Handler = Callable[[bytes, Any], Awaitable[bytes]]


def handler(size: int) -> Handler:
    """A method whose answers have `size` bytes."""
    padding = bytes(size)

    async def echo(request: bytes, context: Any) -> bytes:
        return (request + padding)[:size]

    return echo


async def main() -> None:
    """Serve until told to stop."""
    server = grpc.aio.server()
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {}
    for word in sys.argv[1:]:
        name, _, size = word.partition("=")
        methods[name] = grpc.unary_unary_rpc_method_handler(handler(int(size)))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"echo listens on 127.0.0.1:{port}", flush=True)
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    await told.wait()
    await server.stop(1)


if __name__ == "__main__":
    asyncio.run(main())
