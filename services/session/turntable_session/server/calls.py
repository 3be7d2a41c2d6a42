"""Every call of the service: how its request is read, which use case it asks, and how the answer is written."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec

from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_session.core.answers import Created
from turntable_session.core.port import Caller, Sessions
from turntable_session.domain.rules import MoveInput
from turntable_session.messages.games import (
    assigned_seat_to_proto,
    game_to_proto,
    game_view_to_proto,
    status_from_proto,
    update_to_proto,
)
from turntable_session.messages.records import record_to_proto
from turntable_session.messages.settings import parse_json, settings_from_proto
from turntable_session.messages.times import seconds_from_proto
from turntable_session.problems import malformed
from turntable_session.server.groups import grouped_moves
from turntable_session.vocabulary.moves import legal_move_to_proto, move_from_proto
from turntable_session.vocabulary.to_proto import Init
from turntable_session.vocabulary.views import result_to_proto

_PAGE: Final = 20
_UPDATES: Final = 100


class Method(NamedTuple):
    """One call; `run` gives what the constructor of the response takes."""

    name: str
    """Such as `PlayMove`."""
    field: str
    """Its name in an exchange, such as `play_move`."""
    changes: bool
    """Whether it may change a game."""
    run: Callable[[Sessions, Caller, Any], Awaitable[Init]]


async def _create_game(sessions: Sessions, caller: Caller, request: pb.CreateGameRequest) -> Init:
    if not request.HasField("settings"):
        raise malformed("the settings are missing")
    seed = request.seed if request.HasField("seed") else None
    settings = settings_from_proto(request.settings)
    return _created(await sessions.create_game(caller, settings, seed, request.request_id))


def _created(created: Created) -> Init:
    return {
        "view": game_view_to_proto(created.view),
        "host_token": created.host_token,
        "invite_code": created.invite_code,
    }


async def _get_game(sessions: Sessions, caller: Caller, request: pb.GetGameRequest) -> Init:
    return {"game": game_to_proto(await sessions.get_game(caller, request.game_id))}


async def _list_games(sessions: Sessions, caller: Caller, request: pb.ListGamesRequest) -> Init:
    if request.awaiting_caller:
        raise malformed("awaiting_caller: games cannot be listed by who they wait for")
    status, size = status_from_proto(request.status), request.page_size or _PAGE
    page = await sessions.list_games(status, request.edition, size, request.page_token)
    return {"games": [game_to_proto(game) for game in page.games], "next_page_token": page.next_cursor}


async def _take_seat(sessions: Sessions, caller: Caller, request: pb.TakeSeatRequest) -> Init:
    seated = await sessions.take_seat(
        caller,
        request.game_id,
        request.display_name,
        request.seat if request.HasField("seat") else None,
        request.external_id,
        request.entropy_hash,
        request.invite_code,
        request.request_id,
    )
    return {"seat": seated.seat, "token": seated.token, "version": seated.version}


async def _leave_seat(sessions: Sessions, caller: Caller, request: pb.LeaveSeatRequest) -> Init:
    changed = await sessions.leave_seat(caller, request.game_id, request.seat, request.request_id)
    return {"version": changed.version, "seat": changed.seat}


async def _assign_seat(sessions: Sessions, caller: Caller, request: pb.AssignSeatRequest) -> Init:
    changed = await sessions.assign_seat(
        caller, request.game_id, request.seat, request.bot, request.request_id
    )
    seat = None if changed.seat is None else assigned_seat_to_proto(changed.seat, request.bot)
    return {"version": changed.version, "seat": seat}


async def _start_game(sessions: Sessions, caller: Caller, request: pb.StartGameRequest) -> Init:
    changed = await sessions.start_game(caller, request.game_id, request.fill, request.request_id)
    return {"version": changed.version}


async def _reveal_entropy(sessions: Sessions, caller: Caller, request: pb.RevealEntropyRequest) -> Init:
    changed = await sessions.reveal_entropy(caller, request.game_id, request.entropy, request.request_id)
    return {"version": changed.version, "seat": changed.seat}


async def _resign(sessions: Sessions, caller: Caller, request: pb.ResignRequest) -> Init:
    changed = await sessions.resign(caller, request.game_id, request.request_id)
    return {"version": changed.version, "seat": changed.seat}


async def _return_to_seat(sessions: Sessions, caller: Caller, request: pb.ReturnToSeatRequest) -> Init:
    changed = await sessions.return_to_seat(caller, request.game_id, request.request_id)
    return {"version": changed.version, "seat": changed.seat}


async def _play_move(sessions: Sessions, caller: Caller, request: pb.PlayMoveRequest) -> Init:
    played = await sessions.play_move(
        caller,
        request.game_id,
        request.version,
        _move_of(request),
        request.request_id,
        want_view=not request.omit_view,
    )
    view = None if played.view is None else game_view_to_proto(played.view)
    return {"update": update_to_proto(played.update), "view": view}


def _move_of(request: pb.PlayMoveRequest) -> MoveInput:
    if request.move_json:
        move = parse_json(request.move_json, "move_json")
        if not isinstance(move, (dict, str)) and type(move) is not int:
            raise malformed("move_json is neither an object nor a number nor a text")
        return move
    match request.move.WhichOneof("form"):
        case "action_id":
            return request.move.action_id
        case "text":
            return request.move.text
        case "move":
            return move_from_proto(request.move.move)
    raise malformed("the move is missing")


async def _list_legal_moves(sessions: Sessions, caller: Caller, request: pb.ListLegalMovesRequest) -> Init:
    legal = await sessions.legal_moves(caller, request.game_id)
    if request.grouped:
        return {"version": legal.version, **grouped_moves(legal.moves)}
    return {"version": legal.version, "moves": [legal_move_to_proto(move) for move in legal.moves]}


async def _get_view(sessions: Sessions, caller: Caller, request: pb.GetViewRequest) -> Init:
    after = request.after_version if request.HasField("after_version") else None
    view = await sessions.get_view(caller, request.game_id, after, seconds_from_proto(request.wait))
    return {"view": game_view_to_proto(view)}


async def _list_updates(sessions: Sessions, caller: Caller, request: pb.ListUpdatesRequest) -> Init:
    after = request.after_version
    if request.page_token:
        if not (request.page_token.isascii() and request.page_token.isdigit()):
            raise malformed("page_token is not one of ours")
        after = int(request.page_token[:18])
    found = await sessions.list_updates(caller, request.game_id, after, request.page_size or _UPDATES)
    token = "" if found.next_after is None else str(found.next_after)
    return {"updates": [update_to_proto(update) for update in found.updates], "next_page_token": token}


async def _get_record(sessions: Sessions, caller: Caller, request: pb.GetRecordRequest) -> Init:
    record = await sessions.get_record(caller, request.game_id)
    if request.as_json:
        return {"record_json": msgspec.json.encode(record).decode()}
    return {"record": record_to_proto(record)}


async def _get_result(sessions: Sessions, caller: Caller, request: pb.GetResultRequest) -> Init:
    return {"result": result_to_proto(await sessions.get_result(caller, request.game_id))}


async def _create_rematch(sessions: Sessions, caller: Caller, request: pb.CreateRematchRequest) -> Init:
    return _created(await sessions.create_rematch(caller, request.game_id, request.request_id))


async def _freeze_game(sessions: Sessions, caller: Caller, request: pb.FreezeGameRequest) -> Init:
    changed = await sessions.freeze_game(caller, request.game_id, request.reason, request.request_id)
    return {"version": changed.version}


async def _resume_game(sessions: Sessions, caller: Caller, request: pb.ResumeGameRequest) -> Init:
    changed = await sessions.resume_game(caller, request.game_id, request.reason, request.request_id)
    return {"version": changed.version}


async def _adjudicate_game(sessions: Sessions, caller: Caller, request: pb.AdjudicateGameRequest) -> Init:
    decided = await sessions.adjudicate_game(
        caller, request.game_id, list(request.winners), request.reason, request.request_id
    )
    return {"version": decided.version, "result": result_to_proto(decided.result)}


async def _delete_game(sessions: Sessions, caller: Caller, request: pb.DeleteGameRequest) -> Init:
    await sessions.delete_game(caller, request.game_id, request.reason, request.request_id)
    return {}


METHODS: Final[dict[str, Method]] = {
    method.field: method
    for method in (
        Method("CreateGame", "create_game", True, _create_game),
        Method("GetGame", "get_game", False, _get_game),
        Method("ListGames", "list_games", False, _list_games),
        Method("TakeSeat", "take_seat", True, _take_seat),
        Method("LeaveSeat", "leave_seat", True, _leave_seat),
        Method("AssignSeat", "assign_seat", True, _assign_seat),
        Method("StartGame", "start_game", True, _start_game),
        Method("RevealEntropy", "reveal_entropy", True, _reveal_entropy),
        Method("Resign", "resign", True, _resign),
        Method("ReturnToSeat", "return_to_seat", True, _return_to_seat),
        Method("PlayMove", "play_move", True, _play_move),
        Method("ListLegalMoves", "list_legal_moves", False, _list_legal_moves),
        Method("GetView", "get_view", False, _get_view),
        Method("ListUpdates", "list_updates", False, _list_updates),
        Method("GetRecord", "get_record", False, _get_record),
        Method("GetResult", "get_result", False, _get_result),
        Method("CreateRematch", "create_rematch", True, _create_rematch),
        Method("FreezeGame", "freeze_game", True, _freeze_game),
        Method("ResumeGame", "resume_game", True, _resume_game),
        Method("AdjudicateGame", "adjudicate_game", True, _adjudicate_game),
        Method("DeleteGame", "delete_game", True, _delete_game),
    )
}
"""All unary calls by their name in an exchange; a test holds them to the service's definition."""
