"""The standard health service, truthful: it says what the core says of itself."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from turntable_session.logs import LOGGER

Context = grpc.aio.ServicerContext[Any, Any]
Ready = Callable[[], Awaitable[str | None]]
"""None when the core can serve, else what is wrong."""

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN: Final = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


class Health(health_pb2_grpc.HealthServicer):
    """One status for the server, "", and for each service by name; asked for again and again."""

    def __init__(self, ready: Ready, *services: str, every: float = 1.0) -> None:
        self._ready = ready
        self._every = every
        self._names = ("", *services)
        self._serving = False
        self._draining = False
        self._told = ""
        self._changed = asyncio.Condition()
        self._polling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Ask once, and go on asking."""
        await self._ask()
        self._polling = asyncio.create_task(self._poll())

    async def drain(self) -> None:
        """Say that the service is no longer there, and end all watches, which would hold it open."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)
        self._draining = True
        await self._say(False)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            await self._ask()

    async def _ask(self) -> None:
        wrong: str | None = "the core does not answer"
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5 * self._every):
                try:
                    wrong = await self._ready()
                except Exception as error:
                    wrong = type(error).__name__
        if wrong and wrong != self._told:
            LOGGER.warning("not ready", extra={"fault": wrong})
        elif not wrong and self._told:
            LOGGER.info("ready again")
        self._told = wrong or ""
        await self._say(not wrong)

    async def _say(self, serving: bool) -> None:
        self._serving = serving
        async with self._changed:
            self._changed.notify_all()

    def _has_news(self, told: bool | None) -> bool:
        return self._draining or self._serving != told

    def _answer(self) -> health_pb2.HealthCheckResponse:
        return health_pb2.HealthCheckResponse(status=SERVING if self._serving else NOT_SERVING)

    async def Check(
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> health_pb2.HealthCheckResponse:
        if request.service not in self._names:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return self._answer()

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Context) -> None:
        if request.service not in self._names:
            await context.write(health_pb2.HealthCheckResponse(status=SERVICE_UNKNOWN))
        told: bool | None = None
        while not self._draining or told:
            if self._serving != told:
                told = self._serving
                if request.service in self._names:
                    await context.write(self._answer())
            else:
                async with self._changed:
                    await self._changed.wait_for(partial(self._has_news, told))
