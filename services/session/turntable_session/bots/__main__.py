"""Run one bot worker: python -m turntable_session.bots (settings: TURNTABLE_SESSION_… in the environment)."""

import asyncio
import contextlib
import os
import signal
import sys

from turntable_session.bots.worker import Worker
from turntable_session.logs import start_logging
from turntable_session.store.servers import StoreError
from turntable_session.wiring import CoreSettingsError, open_core, read_core_settings


async def work() -> None:
    """Work until SIGTERM or SIGINT."""
    settings = read_core_settings(os.environ)
    core = await open_core(settings, keeping=False)
    try:
        working = asyncio.create_task(Worker(core.sessions, settings.bot_budget).run())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, working.cancel)
        print("turntable-bots works", flush=True)
        with contextlib.suppress(asyncio.CancelledError):
            await working
    finally:
        await core.close()


def main() -> None:
    """Work, or say why not."""
    start_logging(os.environ.get("TURNTABLE_SESSION_LOG_LEVEL", "info"))
    try:
        asyncio.run(work())
    except (CoreSettingsError, StoreError) as error:
        sys.exit(f"turntable-bots: {error}")


if __name__ == "__main__":
    main()
