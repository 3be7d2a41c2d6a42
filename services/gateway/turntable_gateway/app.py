"""Putting the gateway together: routes, error handlers, limits; one place that wires."""

from collections.abc import Awaitable, Callable

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from prometheus_client import CollectorRegistry

from turntable_gateway import __version__
from turntable_gateway.games import Games
from turntable_gateway.live import events, socket
from turntable_gateway.operations import (
    GatewayMetrics,
    Measured,
    docs,
    home,
    live,
    metrics,
    problem_page,
    ready,
    schema,
)
from turntable_gateway.presenter import Presenter
from turntable_gateway.problems import fail, refuse, refuse_http, refuse_nested
from turntable_gateway.reference import check_board, edition_of, editions, validate
from turntable_session.core.port import Sessions
from turntable_session.problems import Problem

MAX_BODY = 512 * 1024


def create_app(
    sessions: Sessions, check: Callable[[], Awaitable[str | None]], registry: CollectorRegistry
) -> Litestar:
    """The application over a core, wherever that runs."""
    presenter = Presenter()
    pages = [home, docs, problem_page, schema, metrics, live, ready]
    openapi = OpenAPIConfig(
        title="Turntable", version=__version__, path="/openapi", render_plugins=[JsonRenderPlugin()]
    )
    return Litestar(
        route_handlers=[Games, events, socket, editions, edition_of, check_board, validate, *pages],
        dependencies={
            "sessions": Provide(lambda: sessions, sync_to_thread=False, use_cache=True),
            "presenter": Provide(lambda: presenter, sync_to_thread=False, use_cache=True),
        },
        exception_handlers={
            Problem: refuse,
            HTTPException: refuse_http,
            RecursionError: refuse_nested,
            Exception: fail,
        },
        middleware=[DefineMiddleware(Measured, metrics=GatewayMetrics(registry))],
        compression_config=CompressionConfig(backend="gzip", minimum_size=1024, exclude=["/events$"]),
        openapi_config=openapi,
        request_max_body_size=MAX_BODY,
        state=State({"ready": check, "registry": registry}),
        logging_config=None,
    )
