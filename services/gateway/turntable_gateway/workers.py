"""Bot workers beside the gateway: started with it, stopped with it, started again if they die."""

import asyncio
import contextlib
import os
import sys
from dataclasses import fields
from typing import Final, Self

from turntable_session.wiring import PREFIX, CoreSettings

_PAUSE: Final = 1.0
_GRACE: Final = 10.0


class Workers:
    """Some worker processes on the gateway's own store."""

    def __init__(self, store: str, secret: bytes, settings: CoreSettings, count: int) -> None:
        # Secrets travel in the environment of our own children, never in their arguments.
        own = {PREFIX + field.name.upper(): str(getattr(settings, field.name)) for field in fields(settings)}
        self._environment = {
            **os.environ,
            **own,
            f"{PREFIX}STORE": store,
            f"{PREFIX}SECRET_HEX": secret.hex(),
            f"{PREFIX}SECRET": "",
        }
        self._count = count
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._keep()) for _ in range(self._count)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self) -> None:
        """One worker, for as long as we live."""
        while True:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "turntable_session.bots",
                env=self._environment,
                stdout=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is ours to pass on
            )
            try:
                await process.wait()
            finally:
                if process.returncode is None:
                    process.terminate()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(_GRACE):
                            await process.wait()
            await asyncio.sleep(_PAUSE)
