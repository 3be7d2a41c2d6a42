"""Games over REST: authenticate, decode, call one use case, encode."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post, put
from litestar.datastructures import State
from litestar.params import Parameter

from turntable_gateway.bodies import (
    AssignSeat,
    CreateGame,
    Entropy,
    PlayMove,
    Reason,
    StartGame,
    TakeSeat,
    seed_of,
    settings_of,
)
from turntable_gateway.callers import caller_of, key_of
from turntable_gateway.dependencies import CoreDependency, PresenterDependency
from turntable_gateway.presenter import Form, game_form, legal_form
from turntable_session.forms.results import result_form
from turntable_session.json_answers import update_form
from turntable_session.problems import malformed

Asked = Request[Any, Any, State]


class Games(Controller):
    """Everything about games but their live streams."""

    path = "/v1/games"
    tags = ("games",)

    @post("/", summary="Create a game")
    async def create(
        self, request: Asked, data: CreateGame, sessions: CoreDependency, presenter: PresenterDependency
    ) -> Form:
        """It starts at once if every seat has a bot, else when the last seat is taken."""
        seed = seed_of(data.seed)
        created = await sessions.create_game(caller_of(request), settings_of(data), seed, key_of(request))
        return await presenter.created(created)

    @get("/", summary="List public games, newest first")
    async def index(
        self,
        sessions: CoreDependency,
        status: str = "",
        edition: str = "",
        limit: Annotated[int, Parameter(ge=1, le=100)] = 20,
        cursor: str = "",
    ) -> Form:
        """Filtered by status and edition, page by page."""
        page = await sessions.list_games(status, edition, limit, cursor)
        return {"items": [game_form(game) for game in page.games], "nextCursor": page.next_cursor or None}

    @get("/{game:str}", summary="The view of the token's seat, or a spectator's")
    async def show(
        self,
        request: Asked,
        game: str,
        sessions: CoreDependency,
        presenter: PresenterDependency,
        after: Annotated[int, Parameter(ge=0)] | None = None,
        wait: Annotated[float, Parameter(ge=0, le=60)] = 0.0,
    ) -> Response[Form | None]:
        """`after` and `wait` wait for a version later than the one known."""
        view = await sessions.get_view(caller_of(request), game, after, wait)
        tag = f'W/"{view.game.version}-{"s" if view.seat is None else view.seat}"'
        headers = {"ETag": tag, "Vary": "Authorization", "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(None, status_code=304, headers=headers)
        return Response(await presenter.view(view), headers=headers)

    @delete("/{game:str}", summary="Delete an open game (host) or any game (operator)")
    async def remove(self, request: Asked, game: str, sessions: CoreDependency) -> None:
        """It is gone for everybody."""
        await sessions.delete_game(caller_of(request), game, "", key_of(request))

    @post("/{game:str}/seats", summary="Sit down")
    async def sit(self, request: Asked, game: str, data: TakeSeat, sessions: CoreDependency) -> Form:
        """In the lowest free seat unless one is named."""
        seated = await sessions.take_seat(
            caller_of(request),
            game,
            data.name,
            data.seat,
            data.external_id,
            data.entropy_hash,
            data.invite_code,
            key_of(request),
        )
        return {"seat": seated.seat, "token": seated.token, "version": seated.version}

    @delete("/{game:str}/seats/{seat:int}", summary="Leave an open game")
    async def leave(self, request: Asked, game: str, seat: int, sessions: CoreDependency) -> None:
        """With the seat's own token, or the host's."""
        await sessions.leave_seat(caller_of(request), game, seat, key_of(request))

    @put("/{game:str}/seats/{seat:int}", summary="Give a seat to a bot, or open it")
    async def assign(
        self, request: Asked, game: str, seat: int, data: AssignSeat, sessions: CoreDependency
    ) -> Form:
        """For the host, while the game is open."""
        if bool(data.bot) == data.open:
            raise malformed("either a bot, or open")
        changed = await sessions.assign_seat(caller_of(request), game, seat, data.bot, key_of(request))
        return {"version": changed.version}

    @post("/{game:str}/start", summary="Start an open game", status_code=200)
    async def start(
        self, request: Asked, game: str, sessions: CoreDependency, data: StartGame | None = None
    ) -> Form:
        """For the host; a bot fills the seats still open."""
        fill = data.fill if data else ""
        changed = await sessions.start_game(caller_of(request), game, fill, key_of(request))
        return {"version": changed.version}

    @post("/{game:str}/entropy", summary="Disclose a seat's entropy", status_code=200)
    async def reveal(self, request: Asked, game: str, data: Entropy, sessions: CoreDependency) -> Form:
        """The game starts when all who promised some have."""
        entropy = seed_of(data.entropy) or b""
        changed = await sessions.reveal_entropy(caller_of(request), game, entropy, key_of(request))
        return {"version": changed.version}

    @get("/{game:str}/legal-moves", summary="The legal moves of the token's seat")
    async def legal_moves(
        self, request: Asked, game: str, sessions: CoreDependency, group: bool = False
    ) -> Form:
        """Empty when the seat owes no decision; an id is valid only with the version."""
        return legal_form(await sessions.legal_moves(caller_of(request), game), group)

    @post("/{game:str}/moves", summary="Play a move", status_code=200)
    async def play(
        self,
        request: Asked,
        game: str,
        data: PlayMove,
        sessions: CoreDependency,
        presenter: PresenterDependency,
    ) -> Form:
        """Chosen in a version, as a move or as the id of one."""
        move = data.move if data.move is not None else data.move_id
        if move is None or (data.move is not None and data.move_id is not None):
            raise malformed("either `move` or `moveId`")
        caller = caller_of(request)
        return await presenter.played(
            await sessions.play_move(caller, game, data.version, move, key_of(request))
        )

    @get("/{game:str}/moves", summary="The log, as the reader may see it")
    async def log(
        self,
        request: Asked,
        game: str,
        sessions: CoreDependency,
        after: Annotated[int, Parameter(ge=0)] = 0,
        limit: Annotated[int, Parameter(ge=1, le=1000)] = 100,
    ) -> Form:
        """Oldest first; `nextAfter` is where the next page begins."""
        page = await sessions.list_updates(caller_of(request), game, after, limit)
        return {"items": [update_form(update) for update in page.updates], "nextAfter": page.next_after}

    @get("/{game:str}/result", summary="The result of a finished game")
    async def result(self, request: Asked, game: str, sessions: CoreDependency) -> Form:
        """Also after it was archived."""
        return result_form(await sessions.get_result(caller_of(request), game))

    @get("/{game:str}/record", summary="The record of a finished game")
    async def record(self, request: Asked, game: str, sessions: CoreDependency) -> Form:
        """Everything needed to replay and check it."""
        return await sessions.get_record(caller_of(request), game)

    @post("/{game:str}/resignation", summary="Leave a running game for good", status_code=200)
    async def resign(self, request: Asked, game: str, sessions: CoreDependency) -> Form:
        """The seat is retired, or a bot plays it on, by the game's policy."""
        return {"version": (await sessions.resign(caller_of(request), game, key_of(request))).version}

    @post("/{game:str}/return", summary="Come back to an away seat", status_code=200)
    async def come_back(self, request: Asked, game: str, sessions: CoreDependency) -> Form:
        """The bot that played meanwhile gives the seat back."""
        return {"version": (await sessions.return_to_seat(caller_of(request), game, key_of(request))).version}

    @post("/{game:str}/rematch", summary="The same table with a new seed")
    async def rematch(
        self, request: Asked, game: str, sessions: CoreDependency, presenter: PresenterDependency
    ) -> Form:
        """For the host or a player of a game that is over."""
        return await presenter.created(
            await sessions.create_rematch(caller_of(request), game, key_of(request))
        )

    @post("/{game:str}/freeze", summary="Let a game stand still", status_code=200)
    async def freeze(
        self, request: Asked, game: str, sessions: CoreDependency, data: Reason | None = None
    ) -> Form:
        """For the host or an operator."""
        reason = data.reason if data else ""
        return {
            "version": (await sessions.freeze_game(caller_of(request), game, reason, key_of(request))).version
        }

    @post("/{game:str}/resume", summary="Let a frozen game go on", status_code=200)
    async def go_on(
        self, request: Asked, game: str, sessions: CoreDependency, data: Reason | None = None
    ) -> Form:
        """For the host or an operator."""
        reason = data.reason if data else ""
        return {
            "version": (await sessions.resume_game(caller_of(request), game, reason, key_of(request))).version
        }
