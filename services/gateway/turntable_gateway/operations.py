"""What operators and strangers look at first: health, metrics, the schema, and plain pages."""

import html
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from turntable_gateway.dependencies import CoreDependency
from turntable_gateway.problems import STATUS, TITLES
from turntable_session.problems import Problem

Ready = Callable[[], Awaitable[str | None]]
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class GatewayMetrics:
    """What the gateway counts beside the core."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.requests = Histogram(
            "turntable_gateway_request_seconds",
            "Time to answer a request, by method, route template and status.",
            ["method", "route", "status"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.streams = Counter(
            "turntable_gateway_streams", "Streams opened, by kind.", ["kind"], registry=registry
        )


class Measured:
    """Middleware that measures each request and sends the headers every answer has."""

    def __init__(self, app: ASGIApp, metrics: GatewayMetrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status = "500"
        method = str(scope["method"])

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
                headers = list(message.get("headers", []))
                headers += [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]
                message["headers"] = headers
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            route = str(scope.get("path_template") or "other")
            labels = (method, route, status)
            self.metrics.requests.labels(*labels).observe(time.perf_counter() - started)


@get("/health/live", summary="Whether the process lives", tags=["operations"])
async def live() -> dict[str, str]:
    """Always, if it answers."""
    return {"status": "alive"}


@get("/health/ready", summary="Whether games can be served", tags=["operations"])
async def ready(state: State) -> Response[dict[str, str]]:
    """Asks the store."""
    check: Ready = state.ready
    wrong = await check()
    if wrong is None:
        return Response({"status": "ready"})
    return Response({"status": "not ready", "detail": wrong}, status_code=503)


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(state: State) -> Response[bytes]:
    """For Prometheus."""
    registry: CollectorRegistry = state.registry
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4; charset=utf-8")


@get("/schema", include_in_schema=False)
async def schema(request: Request[Any, Any, State]) -> Response[Any]:
    """The OpenAPI document."""
    return Response(request.app.openapi_schema.to_schema(), media_type=MediaType.JSON)


@get("/problems/{code:str}", include_in_schema=False, media_type=MediaType.HTML)
async def problem_page(code: str) -> str:
    """What a refusal means."""
    if code not in STATUS:
        raise Problem("not_found", f"there is no problem {code[:40]!r}")
    return _page(
        TITLES[code], f"<p>Answered with status {STATUS[code]}. A refused request changes nothing.</p>"
    )


@get("/docs", include_in_schema=False, media_type=MediaType.HTML)
async def docs(request: Request[Any, Any, State]) -> str:
    """Every call of the schema on one plain page, nothing from other hosts."""
    rows = []
    paths: dict[str, Any] = request.app.openapi_schema.to_schema()["paths"]
    for path, verbs in sorted(paths.items()):
        for verb, call in verbs.items():
            words = html.escape(call.get("summary", "")), html.escape(call.get("description", ""))
            rows.append(
                f"<tr><td><code>{verb.upper()} {html.escape(path)}</code></td><td>{words[0]}. {words[1]}</td></tr>"
            )
    return _page(
        "Calls", f"<p>Machine-readable: <a href='/schema'>/schema</a></p><table>{''.join(rows)}</table>"
    )


@get("/", include_in_schema=False, media_type=MediaType.HTML)
async def home(sessions: CoreDependency) -> str:
    """The newest public games, until there is a client to play them with."""
    page = await sessions.list_games(limit=50)
    rows = "".join(
        f"<tr><td><a href='/v1/games/{game.id}'>{game.id}</a></td><td>{html.escape(game.settings.edition)}</td>"
        f"<td>{game.status}</td><td>{html.escape(', '.join(seat.name or '(open)' for seat in game.seats))}</td></tr>"
        for game in page.games
    )
    table = f"<table><tr><th>game</th><th>edition</th><th>status</th><th>seats</th></tr>{rows}</table>"
    return _page(
        "Turntable", f"<p><a href='/docs'>All calls</a></p>{table if rows else '<p>No games yet.</p>'}"
    )


def _page(title: str, body: str) -> str:
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;"
        "color-scheme:light dark}td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}"
    )
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{html.escape(title)}</title>"
    page = f"<h1>{html.escape(title)}</h1>{body}"
    return f"<!doctype html><html lang=en><head>{head}<style>{style}</style></head><body>{page}</body></html>"
