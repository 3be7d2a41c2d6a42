"""The port of the core over a session service: the same calls, answers and problems as in process."""

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

import msgspec

from turntable_proto.session.v1 import session_service_pb2 as pb
from turntable_proto.session.v1 import session_service_pb2_grpc as pb_grpc
from turntable_session.channels.opening import TlsFiles, open_channel
from turntable_session.client.exchange import Calls
from turntable_session.client.watching import watched
from turntable_session.core.answers import (
    Adjudicated,
    Changed,
    Created,
    GameFacts,
    GameView,
    LegalMoves,
    Page,
    Played,
    Seated,
    Update,
    Updates,
)
from turntable_session.core.port import Caller
from turntable_session.domain.rules import MoveInput
from turntable_session.domain.settings import GameSettings
from turntable_session.messages.games import (
    game_from_proto,
    game_view_from_proto,
    status_to_proto,
    update_from_proto,
)
from turntable_session.messages.settings import settings_to_proto
from turntable_session.messages.times import time_to_proto
from turntable_session.problems import Problem, malformed
from turntable_session.vocabulary.moves import legal_move_from_proto
from turntable_session.vocabulary.to_proto import Init
from turntable_session.vocabulary.views import result_from_proto

_INT32: Final = range(-(1 << 31), 1 << 31)
_LONGEST_WAIT: Final = 3600.0


class RemoteSessions:
    """The port `Sessions` over a service at `grpc://host:port` or `grpcs://host:port`; `close` in the end.

    Calls under way when the stream breaks are repeated if they read or carry a key, within their `seconds`.
    """

    def __init__(self, address: str, tls: TlsFiles | None = None, seconds: float = 10.0) -> None:
        self._channel = open_channel(address, tls)
        self._stub: pb_grpc.SessionServiceAsyncStub = pb_grpc.SessionServiceStub(self._channel)
        self._calls = Calls(self._stub, seconds)

    async def close(self) -> None:
        """Close the stream and the channel."""
        await self._calls.close()
        await self._channel.close()

    async def create_game(
        self, caller: Caller, settings: GameSettings, seed: bytes | None = None, key: str = ""
    ) -> Created:
        """Create a game; it starts at once if every seat has a bot."""
        init: Init = {"settings": settings_to_proto(settings), "seed": seed}
        return _created((await self._calls.change("create_game", caller, init, key)).create_game)

    async def get_game(self, caller: Caller, game: str) -> GameFacts:
        """A game as everybody sees it."""
        return game_from_proto((await self._calls.read("get_game", caller, {"game_id": game})).get_game.game)

    async def list_games(
        self, status: str = "", edition: str = "", limit: int = 20, cursor: str = ""
    ) -> Page:
        """Public games, newest first."""
        try:
            number = status_to_proto(status)
        except KeyError:
            raise malformed(f"there is no status {status[:40]!r}") from None
        # A message with 0 leaves the choice to the server; here it is as little a number of games as -1.
        init: Init = {
            "status": number,
            "edition": edition,
            "page_size": limit or -1,
            "page_token": cursor,
        }
        page = (await self._calls.read("list_games", Caller(), init)).list_games
        return Page([game_from_proto(game) for game in page.games], page.next_page_token)

    async def take_seat(
        self,
        caller: Caller,
        game: str,
        name: str,
        seat: int | None = None,
        external_id: str = "",
        entropy_hash: str = "",
        invite_code: str = "",
        key: str = "",
    ) -> Seated:
        """Sit down, in the lowest free seat unless one is named."""
        init: Init = {
            "game_id": game,
            "seat": seat,
            "display_name": name,
            "external_id": external_id,
            "entropy_hash": entropy_hash,
            "invite_code": invite_code,
        }
        seated = (await self._calls.change("take_seat", caller, init, key)).take_seat
        return Seated(seated.seat, seated.token, seated.version)

    async def leave_seat(self, caller: Caller, game: str, seat: int, key: str = "") -> Changed:
        """Leave the seat of an open game: its player, or the host for them."""
        init = {"game_id": game, "seat": seat}
        return _changed((await self._calls.change("leave_seat", caller, init, key)).leave_seat)

    async def assign_seat(self, caller: Caller, game: str, seat: int, bot: str, key: str = "") -> Changed:
        """Give a seat of an open game to a bot, or with an empty name open it; for the host."""
        init = {"game_id": game, "seat": seat, "bot": bot}
        assigned = (await self._calls.change("assign_seat", caller, init, key)).assign_seat
        return Changed(assigned.version, assigned.seat.seat if assigned.HasField("seat") else None)

    async def start_game(self, caller: Caller, game: str, fill: str = "", key: str = "") -> Changed:
        """Start an open game, bots in the seats still open; for the host."""
        init = {"game_id": game, "fill": fill}
        return Changed((await self._calls.change("start_game", caller, init, key)).start_game.version)

    async def reveal_entropy(self, caller: Caller, game: str, entropy: bytes, key: str = "") -> Changed:
        """Disclose what a seat adds to the seed; the game starts when all have."""
        init: Init = {"game_id": game, "entropy": entropy}
        return _changed((await self._calls.change("reveal_entropy", caller, init, key)).reveal_entropy)

    async def play_move(
        self, caller: Caller, game: str, version: int, move: MoveInput, key: str = "", want_view: bool = True
    ) -> Played:
        """Play a move chosen in a version."""
        init = {"game_id": game, "version": version, "omit_view": not want_view, **_move(move)}
        played = (await self._calls.change("play_move", caller, init, key)).play_move
        view = game_view_from_proto(played.view) if played.HasField("view") else None
        return Played(update_from_proto(played.update), view)

    async def resign(self, caller: Caller, game: str, key: str = "") -> Changed:
        """Leave a running game for good."""
        return _changed((await self._calls.change("resign", caller, {"game_id": game}, key)).resign)

    async def return_to_seat(self, caller: Caller, game: str, key: str = "") -> Changed:
        """Come back to a seat that a bot has taken over."""
        answer = await self._calls.change("return_to_seat", caller, {"game_id": game}, key)
        return Changed(answer.return_to_seat.version, answer.return_to_seat.seat)

    async def legal_moves(self, caller: Caller, game: str) -> LegalMoves:
        """The legal moves of the caller's seat."""
        answer = await self._calls.read("list_legal_moves", caller, {"game_id": game})
        legal = answer.list_legal_moves
        return LegalMoves(legal.version, [legal_move_from_proto(move) for move in legal.moves])

    async def get_view(
        self, caller: Caller, game: str, after: int | None = None, wait: float = 0.0
    ) -> GameView:
        """What the caller may know; waits for a version after `after` for so many seconds."""
        init: Init = {"game_id": game, "after_version": after}
        if after is None or not wait > 0:
            return game_view_from_proto((await self._calls.read("get_view", caller, init)).get_view.view)
        wait = min(wait, _LONGEST_WAIT)
        init["wait"] = time_to_proto(int(wait * 1000))
        return game_view_from_proto((await self._calls.wait_for_view(caller, init, wait)).view)

    async def list_updates(self, caller: Caller, game: str, after: int = 0, limit: int = 100) -> Updates:
        """Past updates as the caller may see them."""
        init = {"game_id": game, "after_version": after, "page_size": limit or -1}
        found = (await self._calls.read("list_updates", caller, init)).list_updates
        following = int(found.next_page_token) if found.next_page_token else None
        return Updates([update_from_proto(update) for update in found.updates], following)

    def watch(
        self, caller: Caller, game: str, after: int | None = None
    ) -> AsyncGenerator[GameView | Update, None]:
        """The view and then every update; or every update after a version. Ends when the game is over."""
        return watched(self._stub, caller, game, after)

    async def get_result(self, caller: Caller, game: str) -> dict[str, Any]:
        """The result of a finished game."""
        answer = await self._calls.read("get_result", caller, {"game_id": game})
        return result_from_proto(answer.get_result.result)

    async def get_record(self, caller: Caller, game: str) -> dict[str, Any]:
        """The record of a finished game, in the form `turntable-record/1`."""
        answer = await self._calls.read("get_record", caller, {"game_id": game, "as_json": True})
        record: dict[str, Any] = msgspec.json.decode(answer.get_record.record_json)
        return record

    async def create_rematch(self, caller: Caller, game: str, key: str = "") -> Created:
        """The same table with a new seed; for the host or a player of a game that is over."""
        answer = await self._calls.change("create_rematch", caller, {"game_id": game}, key)
        return _created(answer.create_rematch)

    async def freeze_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> Changed:
        """Let a running game stand still; for the host or an operator."""
        init = {"game_id": game, "reason": reason}
        return Changed((await self._calls.change("freeze_game", caller, init, key)).freeze_game.version)

    async def resume_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> Changed:
        """Let a frozen game go on; for the host or an operator."""
        init = {"game_id": game, "reason": reason}
        return Changed((await self._calls.change("resume_game", caller, init, key)).resume_game.version)

    async def adjudicate_game(
        self, caller: Caller, game: str, winners: list[int], reason: str = "", key: str = ""
    ) -> Adjudicated:
        """End a game by decision; without winners the position counts as it stands. For an operator."""
        init: Init = {"game_id": game, "winners": winners, "reason": reason}
        decided = (await self._calls.change("adjudicate_game", caller, init, key)).adjudicate_game
        return Adjudicated(decided.version, result_from_proto(decided.result))

    async def delete_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> None:
        """Delete an open game (host) or any game (operator)."""
        await self._calls.change("delete_game", caller, {"game_id": game, "reason": reason}, key)


def _created(created: pb.CreateGameResponse | pb.CreateRematchResponse) -> Created:
    return Created(game_view_from_proto(created.view), created.host_token, created.invite_code)


def _changed(changed: pb.LeaveSeatResponse | pb.RevealEntropyResponse | pb.ResignResponse) -> Changed:
    return Changed(changed.version, changed.seat if changed.HasField("seat") else None)


def _move(move: MoveInput) -> Init:
    """A move in the form it was given; what a message cannot hold is for the rules to refuse."""
    if isinstance(move, str):
        return {"move": {"text": move}}
    if not isinstance(move, Mapping) and move in _INT32:
        return {"move": {"action_id": move}}
    try:
        return {"move_json": msgspec.json.encode(move).decode()}
    except (TypeError, ValueError, msgspec.MsgspecError):
        raise Problem("malformed", "the move is not JSON") from None
