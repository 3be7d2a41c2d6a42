"""Watching a game of a session service; the watch goes on where it was when a server goes away."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

import grpc

from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_proto.session.v1 import session_service_pb2_grpc as pb_grpc
from turntable_session.client.exchange import PAUSE, metadata_of
from turntable_session.core.answers import GameView, Update
from turntable_session.core.port import Caller
from turntable_session.messages.failures import from_error
from turntable_session.messages.games import game_view_from_proto, update_from_proto
from turntable_session.problems import Problem

PATIENCE: Final = 60.0
"""Seconds without any server before a watch is given up."""


async def watched(
    stub: "pb_grpc.SessionServiceAsyncStub",
    caller: Caller,
    game: str,
    after: int | None,
    patience: float = PATIENCE,
) -> AsyncGenerator[GameView | Update, None]:
    """The view and every update, or every update after a version, from as many servers as it takes."""
    metadata = metadata_of(caller)
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while True:
        stream = stub.WatchGame(_request(game, after), metadata=metadata, wait_for_ready=True)
        try:
            async with asyncio.timeout_at(end):
                await stream.wait_for_connection()
            async for message in stream:
                item = _item(message)
                if item is not None:
                    after = item.game.version if isinstance(item, GameView) else item.version
                    yield item
                end = loop.time() + patience
            return
        except TimeoutError:
            raise Problem("unavailable", "the session service does not answer") from None
        except grpc.aio.AioRpcError as error:
            problem = from_error(error)
            if problem is not None:
                raise problem from None
            if loop.time() > end:
                raise Problem("unavailable", "the session service does not answer") from error
        finally:
            stream.cancel()
        await asyncio.sleep(PAUSE)


def _request(game: str, after: int | None) -> pb.WatchGameRequest:
    try:
        return pb.WatchGameRequest(game_id=game, after_version=after)
    except (ValueError, TypeError):
        raise Problem("malformed", "the request holds numbers or texts that are none") from None


def _item(message: pb.WatchGameResponse) -> GameView | Update | None:
    match message.WhichOneof("message"):
        case "view":
            return game_view_from_proto(message.view)
        case "update":
            return update_from_proto(message.update)
    return None
