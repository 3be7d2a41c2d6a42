"""Putting the service together, and running it until it is told to stop."""

import asyncio
import contextlib
import gc
import signal
from pathlib import Path
from wsgiref.simple_server import WSGIServer

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from prometheus_client import CollectorRegistry, start_http_server

from turntable_rules import COMPILED
from turntable_session.core.port import Sessions
from turntable_session.logs import LOGGER
from turntable_session.server.health import Health, Ready
from turntable_session.server.metrics import Metrics
from turntable_session.server.service import SERVICE, SessionService, add_to_server
from turntable_session.server.settings import Settings


class StartError(Exception):
    """The service cannot start; the message says why."""


class SessionServer:
    """A gRPC server with health, reflection and metrics; `start`, then `stop`."""

    def __init__(
        self, settings: Settings, sessions: Sessions, ready: Ready, registry: CollectorRegistry
    ) -> None:
        self.settings = settings
        self.registry = registry
        self.metrics = Metrics()
        self.port = 0
        self.metrics_port = 0
        self._page: WSGIServer | None = None
        self.health = Health(ready, SERVICE.full_name)
        self.service = SessionService(sessions, self.metrics, settings)
        self.server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", settings.max_message_bytes),
                ("grpc.max_send_message_length", settings.max_message_bytes),
                ("grpc.max_concurrent_streams", settings.max_streams),
                ("grpc.so_reuseport", 0),
                # Gateways ask now and then whether we are still there, although nothing happens.
                ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
                ("grpc.keepalive_permit_without_calls", 1),
            ]
        )
        add_to_server(self.service, self.server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        if settings.reflection:
            names = (SERVICE.full_name, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self.server)

    async def start(self) -> None:
        """Listen, and say so to the health service; raises StartError."""
        settings = self.settings
        self._listen(f"{settings.host}:{settings.port}")
        self.registry.register(self.metrics)
        if settings.metrics_port >= 0:
            try:
                self._page, _ = start_http_server(settings.metrics_port, settings.host, self.registry)
            except OSError as error:
                address = f"{settings.host}:{settings.metrics_port}"
                raise StartError(f"cannot listen on {address} for metrics: {error.strerror}") from error
            self.metrics_port = self._page.server_port
        await self.server.start()
        await self.health.start()
        facts: dict[str, object] = {"address": f"{settings.host}:{self.port}", "compiled": COMPILED}
        if self.metrics_port:
            facts["metrics"] = f"{settings.host}:{self.metrics_port}"
        LOGGER.info("serving", extra=facts)

    def _listen(self, address: str) -> None:
        secure = bool(self.settings.tls_certificate)
        try:
            if secure:
                self.port = self.server.add_secure_port(address, credentials(self.settings))
            else:
                self.port = self.server.add_insecure_port(address)
        except OSError as error:
            raise StartError(f"cannot read {error.filename}: {error.strerror}") from error
        except RuntimeError as error:
            files = ", or the TLS files are not what they should be" if secure else ""
            raise StartError(f"cannot listen on {address}: it is taken or not ours{files}") from error

    async def stop(self) -> None:
        """Refuse new calls, send watchers elsewhere, let calls under way end, then stop."""
        await self.health.drain()
        self.service.drain()
        await self.server.stop(self.settings.grace_seconds)
        if self._page is not None:
            self._page.shutdown()
            self._page.server_close()
        self.registry.unregister(self.metrics)
        LOGGER.info("stopped")


def credentials(settings: Settings) -> grpc.ServerCredentials:
    """TLS, mutual if a client authority is given."""
    pair = (Path(settings.tls_key).read_bytes(), Path(settings.tls_certificate).read_bytes())
    authority = Path(settings.tls_client_authority).read_bytes() if settings.tls_client_authority else None
    return grpc.ssl_server_credentials(
        [pair], root_certificates=authority, require_client_auth=authority is not None
    )


async def serve(server: SessionServer) -> None:
    """Run until SIGTERM or SIGINT."""
    await server.start()
    # What is there now stays for ever: looking through it again and again would only cost time.
    gc.collect()
    gc.freeze()
    print(f"turntable-session listens on {server.settings.host}:{server.port}", flush=True)
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # platforms without signal handlers in the loop
            loop.add_signal_handler(number, told.set)
    await told.wait()
    await server.stop()
