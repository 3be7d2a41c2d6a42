"""A rules server on a free port of this machine, in a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from turntable_rules.server.app import RulesServer
from turntable_rules.server.settings import Settings

ANY_PORT = Settings(port=0, log_level="error")


class ServerThread:
    """A server that tests call as a client would; `stop` drains and ends it."""

    def __init__(self, settings: Settings = ANY_PORT) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="rules-server", daemon=True)
        self.thread.start()
        self.server = self._run(self._start(settings))
        self.address = f"127.0.0.1:{self.server.port}"

    async def _start(self, settings: Settings) -> RulesServer:
        server = RulesServer(settings)
        await server.start()
        return server

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout=60)

    def stop(self) -> None:
        """Stop the server and its thread."""
        self._run(self.server.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(timeout=60)
        self.loop.close()


@contextmanager
def serving(**changes: object) -> Iterator[ServerThread]:
    """A server for the time of a `with`."""
    server = ServerThread(replace(ANY_PORT, **changes))  # type: ignore[arg-type]
    try:
        yield server
    finally:
        server.stop()
