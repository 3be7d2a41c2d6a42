"""The life of a move: recognise, check the version, ask the rules, save, show."""

from turntable_session.core.answers import Changed, LegalMoves, Played
from turntable_session.core.desk import Change, Decision
from turntable_session.core.office import Office, must_run
from turntable_session.core.port import Caller
from turntable_session.core.requests import Request, identify
from turntable_session.core.updates import update_for
from turntable_session.domain.entries import Actor
from turntable_session.domain.game import Game
from turntable_session.domain.rules import MoveInput
from turntable_session.domain.sheet import Sheet
from turntable_session.problems import Problem


class Playing(Office):
    """Moves, and players who leave and come back."""

    async def play_move(
        self, caller: Caller, game: str, version: int, move: MoveInput, key: str = "", want_view: bool = True
    ) -> Played:
        """Play a move chosen in a version."""
        request = identify(caller, "move", game, key, version, move)

        async def decide(table: Game) -> Decision:
            seat = self.access.seat(table.sheet, caller)
            if table.sheet.seats[seat].state == "away":
                raise Problem("forbidden", "a bot plays this seat: come back to it first")
            return await self._decide_move(table, seat, version, move, "player")

        change = await self.desk.change(game, request, decide)
        seat = change.commit.entry.seat
        view = await self.view_of(change.game, seat) if want_view else None
        return Played(update_for(change.commit, seat), view)

    async def play_for(
        self, game: str, seat: int, version: int, move: MoveInput, by: Actor, request: Request
    ) -> Change:
        """Play a move in the name of a seat: for its bot, or when its time has run out."""

        async def decide(table: Game) -> Decision:
            if by == "bot" and not table.sheet.seats[seat].is_played_by_bot:
                raise Problem("forbidden", "no bot plays this seat")
            return await self._decide_move(table, seat, version, move, by)

        return await self.desk.change(game, request, decide)

    async def _decide_move(
        self, table: Game, seat: int, version: int, move: MoveInput, by: Actor
    ) -> Decision:
        sheet = table.sheet
        must_run(sheet)
        _check_version(table, version)
        assert table.position is not None
        outcome = await self.desk.rules.play(table.position, seat, move)
        return Decision(self.entry(sheet, "move", by, seat, outcome), outcome)

    async def legal_moves(self, caller: Caller, game: str) -> LegalMoves:
        """The legal moves of the caller's seat."""
        table = await self.desk.fresh(game)
        seat = self.access.seat(table.sheet, caller)
        if table.position is None or table.sheet.status != "running":
            return LegalMoves(table.sheet.version, [])
        return LegalMoves(table.sheet.version, await self.desk.rules.legal_moves(table.position, seat))

    async def resign(self, caller: Caller, game: str, key: str = "") -> Changed:
        """Leave a running game for good."""

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            seat = self.access.seat(sheet, caller)
            _must_be_played(sheet)
            if sheet.settings.policies.resign == "bot":
                facts = {"bot": self.fallback_bot, "for_good": True}
                return Decision(self.entry(sheet, "takeover", "player", seat, facts=facts))
            return await self._decide_retirement(table, seat, "player")

        change = await self.desk.change(game, identify(caller, "resign", game, key), decide)
        return Changed(change.commit.version, change.commit.entry.seat)

    async def _decide_retirement(self, table: Game, seat: int, by: Actor) -> Decision:
        assert table.position is not None
        outcome = await self.desk.rules.retire(table.position, seat)
        return Decision(self.entry(table.sheet, "retire", by, seat, outcome), outcome)

    async def return_to_seat(self, caller: Caller, game: str, key: str = "") -> Changed:
        """Come back to a seat that a bot has taken over."""

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            seat = self.access.seat(sheet, caller)
            _must_be_played(sheet)
            if sheet.seats[seat].state != "away":
                raise Problem("wrong_phase", f"the seat is {sheet.seats[seat].state}, not away")
            return Decision(self.entry(sheet, "return", "player", seat))

        change = await self.desk.change(game, identify(caller, "return", game, key), decide)
        return Changed(change.commit.version, change.commit.entry.seat)


def _check_version(table: Game, version: int) -> None:
    """A move is chosen in the present version; at setup, where choices are simultaneous, in any since the start."""
    sheet = table.sheet
    if version == sheet.version:
        return
    if table.phase == "setup_tickets" and sheet.started <= version < sheet.version:
        return
    raise Problem(
        "stale_version",
        f"the game is at version {sheet.version}, the move was chosen in {version}",
        None,
        current_version=sheet.version,
    )


def _must_be_played(sheet: Sheet) -> None:
    if sheet.status != "frozen":
        must_run(sheet)
