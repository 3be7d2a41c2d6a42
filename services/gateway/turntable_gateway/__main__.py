"""Run the gateway with the core in it: python -m turntable_gateway.

Settings: TURNTABLE_GATEWAY_… and TURNTABLE_SESSION_… in the environment.
"""

import asyncio
import gc
import os
import socket
import sys

import uvicorn

from turntable_gateway.app import create_app
from turntable_gateway.settings import SettingsError, read_settings
from turntable_gateway.upstream import upstream
from turntable_session.logs import start_logging
from turntable_session.store.servers import StoreError
from turntable_session.wiring import CoreSettingsError

WELCOME = """turntable listens on http://{host}:{port}

  curl http://{host}:{port}/v1/editions
  curl http://{host}:{port}/v1/games -d '{{"edition": "usa", "seats": 2, "bots": {{"0": "greedy", "1": "random"}}}}'
  curl http://{host}:{port}/v1/games

Ctrl-C stops it; games are kept in {place}."""


class Server(uvicorn.Server):
    """uvicorn, telling when it listens."""

    welcome = ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say where, once it is true."""
        await super().startup(sockets)
        if self.started:
            print(self.welcome, flush=True)
            gc.collect()
            gc.freeze()


def listening(host: str, port: int) -> socket.socket:
    """A socket on the address, or a word that it cannot be had."""
    try:
        return socket.create_server((host, port), backlog=2048)
    except OSError as error:
        raise SettingsError(
            f"cannot listen on {host}:{port}: {error.strerror}; PORT= chooses another"
        ) from error


async def serve() -> None:
    """Serve until told to stop; requests under way end first, the store is closed last."""
    settings = read_settings(os.environ)
    opened = listening(settings.host, settings.port)
    async with upstream(settings, os.environ) as games:
        config = uvicorn.Config(
            create_app(games.sessions, games.ready, games.registry),
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(settings.grace_seconds),
            ws="websockets-sansio",
            h11_max_incomplete_event_size=64 * 1024,
        )
        server = Server(config)
        port = opened.getsockname()[1]
        server.welcome = WELCOME.format(host=settings.host, port=port, place=games.place)
        await server.serve([opened])


def main() -> None:
    """Serve, or say why not."""
    start_logging(os.environ.get("TURNTABLE_GATEWAY_LOG_LEVEL", "info"))
    try:
        import uvloop

        uvloop.run(serve())
    except (SettingsError, CoreSettingsError, StoreError) as error:
        sys.exit(f"turntable: {error}")
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass


if __name__ == "__main__":
    main()
