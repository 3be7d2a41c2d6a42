"""Run the session service: python -m turntable_session.server (settings: TURNTABLE_SESSION_… in the environment)."""

import asyncio
import os
import sys
from collections.abc import Coroutine

from turntable_session.logs import start_logging
from turntable_session.problems import Problem
from turntable_session.server.app import SessionServer, StartError, serve
from turntable_session.server.settings import Settings, read_settings
from turntable_session.store.servers import StoreError
from turntable_session.wiring import CORE_NAMES, CoreSettings, open_core, read_core_settings


def run(serving: Coroutine[None, None, None]) -> None:
    """On uvloop, which takes less CPU than asyncio's own loop; without it where the platform has none."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


async def serve_core(settings: Settings, core_settings: CoreSettings) -> None:
    """Open the core and serve it until told to stop."""
    core = await open_core(core_settings)
    try:
        await serve(SessionServer(settings, core.sessions, core.ready, core.metrics.registry))
    finally:
        await core.close()


def main() -> None:
    """Read the settings and serve."""
    try:
        settings = read_settings(os.environ, CORE_NAMES)
        core_settings = read_core_settings(os.environ)
    except ValueError as error:
        sys.exit(f"turntable-session: {error}")
    start_logging(settings.log_level)
    try:
        run(serve_core(settings, core_settings))
    except (StartError, StoreError, Problem) as error:
        sys.exit(f"turntable-session: {error}")


if __name__ == "__main__":
    main()
