"""The standard health service; it lets its watchers go when the service drains, or they would hold it open."""

import asyncio
from functools import partial
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


class Health(health_pb2_grpc.HealthServicer):
    """One status for the server, "", and for each service by name."""

    def __init__(self, *services: str) -> None:
        self._names = ("", *services)
        self._serving = False
        self._draining = False
        self._changed = asyncio.Condition()

    async def serve(self) -> None:
        """Say that the service is there."""
        self._serving = True
        async with self._changed:
            self._changed.notify_all()

    async def drain(self) -> None:
        """Say that it is no longer there, and end all watches."""
        self._serving, self._draining = False, True
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
