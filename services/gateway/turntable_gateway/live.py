"""Live games: server-sent events and a WebSocket, the same numbered messages on both."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import msgspec
from litestar import Request, Response, WebSocket, get, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import Parameter
from litestar.response import Stream

from turntable_gateway.callers import caller_of
from turntable_gateway.dependencies import CoreDependency, PresenterDependency
from turntable_gateway.presenter import Form, Presenter
from turntable_gateway.problems import problem_form
from turntable_session.core.answers import GameView, Update
from turntable_session.core.port import Caller, Sessions
from turntable_session.json_answers import update_form
from turntable_session.problems import Problem, malformed

HEARTBEAT: Final = 15.0
HELLO_SECONDS: Final = 5.0
_encode = msgspec.json.encode
_OVER: Final = ("finished", "cancelled")


@get("/v1/games/{game:str}/events", summary="Live updates as server-sent events", tags=["live"])
async def events(
    request: Request[Any, Any, State],
    game: str,
    sessions: CoreDependency,
    presenter: PresenterDependency,
    after: int | None = Parameter(default=None, ge=0),
) -> Stream | Response[None]:
    """The view first, or everything after `Last-Event-ID`; 204 when there is nothing left to come."""
    caller = caller_of(request)
    last = request.headers.get("last-event-id")
    if last is not None:
        if not last.isdecimal():
            raise malformed("Last-Event-ID is the number of a version")
        after = int(last)
    # Refusals are answers, not streams: ask before the stream begins.
    view = await sessions.get_view(caller, game)
    if after is not None and view.game.status in _OVER and after >= view.game.version:
        return Response(None, status_code=204)
    stream = _events(sessions.watch(caller, game, after), presenter)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization"}
    return Stream(stream, media_type="text/event-stream", headers=headers)


async def _events(
    messages: AsyncGenerator[GameView | Update, None], presenter: Presenter
) -> AsyncIterator[bytes]:
    """Each message as an event; a comment now and then, so that nobody in between gives the connection up."""
    coming = asyncio.ensure_future(anext(messages, None))
    try:
        while True:
            done, _ = await asyncio.wait({coming}, timeout=HEARTBEAT)
            if not done:
                yield b": still here\n\n"
                continue
            try:
                message = coming.result()
            except Problem as problem:
                yield b"event: problem\ndata: " + _encode(problem_form(problem)) + b"\n\n"
                return
            if message is None:
                yield b"event: end\ndata: {}\n\n"
                return
            kind, version, form = await _told(message, presenter)
            yield b"id: %d\nevent: %s\ndata: %s\n\n" % (version, kind.encode(), _encode(form))
            coming = asyncio.ensure_future(anext(messages, None))
    finally:
        coming.cancel()
        with contextlib.suppress(asyncio.CancelledError, Problem):
            await coming
        await messages.aclose()


async def _told(message: GameView | Update, presenter: Presenter) -> tuple[str, int, Form]:
    if isinstance(message, GameView):
        return "view", message.game.version, await presenter.view(message)
    return "update", message.version, update_form(message)


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a WebSocket."""

    type: str
    token: str = ""
    after: int | None = None


class MoveMessage(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A move sent over a WebSocket."""

    type: str
    ref: str | int
    version: int
    move: dict[str, Any]
    idempotency_key: str = ""


@websocket("/v1/games/{game:str}/ws")
async def socket(
    socket: WebSocket[Any, Any, State], game: str, sessions: CoreDependency, presenter: PresenterDependency
) -> None:
    """Hello first; then the same messages as the events, and moves with their results."""
    await socket.accept()
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            hello = msgspec.json.decode(await socket.receive_data("text"), type=Hello)
        if hello.type != "hello":
            raise msgspec.ValidationError("not a hello")
    except (TimeoutError, msgspec.DecodeError):
        await socket.close(4401, "the first message is a hello, within five seconds")
        return
    except WebSocketDisconnect:
        return
    address = socket.client.host if socket.client else ""
    await Conversation(socket, game, Caller(hello.token, address), sessions, presenter).run(hello.after)


class Conversation:
    """One client at one game over one socket."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, State],
        game: str,
        caller: Caller,
        sessions: Sessions,
        presenter: Presenter,
    ) -> None:
        self.socket = socket
        self.game = game
        self.caller = caller
        self.sessions = sessions
        self.presenter = presenter

    async def run(self, after: int | None) -> None:
        """Talk until the game is over or the client goes away."""
        listening = asyncio.create_task(self._listen())
        telling = asyncio.create_task(self._tell(after))
        try:
            await asyncio.wait({listening, telling}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (listening, telling):
                task.cancel()
            await asyncio.gather(listening, telling, return_exceptions=True)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.close(1000)

    async def _send(self, form: Form) -> None:
        await self.socket.send_data(_encode(form).decode(), "text")

    async def _tell(self, after: int | None) -> None:
        try:
            async for message in self.sessions.watch(self.caller, self.game, after):
                kind, _, form = await _told(message, self.presenter)
                await self._send({"type": kind, **form})
        except Problem as problem:
            await self._send({"type": "problem", **problem_form(problem)})
        else:
            await self._send({"type": "end"})

    async def _listen(self) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                text = await self.socket.receive_data("text")
                try:
                    message = msgspec.json.decode(text, type=MoveMessage)
                except msgspec.DecodeError as error:
                    await self._send({"type": "problem", "ref": None, **problem_form(malformed(str(error)))})
                    continue
                await self._play(message)

    async def _play(self, message: MoveMessage) -> None:
        try:
            played = await self.sessions.play_move(
                self.caller, self.game, message.version, message.move, message.idempotency_key
            )
        except Problem as problem:
            await self._send({**problem_form(problem), "type": "problem", "ref": message.ref})
        else:
            await self._send({"type": "result", "ref": message.ref, **await self.presenter.played(played)})
