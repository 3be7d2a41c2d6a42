"""What all use cases share."""

from typing import Any

from turntable_session.core.access import Access
from turntable_session.core.answers import GameFacts, GameView, SeatFacts
from turntable_session.core.desk import Desk
from turntable_session.core.presence import Presence
from turntable_session.domain.clocks import deadline
from turntable_session.domain.entries import FORMAT, Actor, Entry, Kind
from turntable_session.domain.game import Game, result_of
from turntable_session.domain.rules import Outcome
from turntable_session.domain.seeds import commitment
from turntable_session.domain.sheet import Sheet
from turntable_session.problems import Problem


class Office:
    """The desk, the keys to it, and what may be said of a game."""

    def __init__(
        self, desk: Desk, access: Access, secret: bytes, bots: frozenset[str], fallback_bot: str
    ) -> None:
        self.desk = desk
        self.access = access
        self.secret = secret
        """Tokens and ids are derived from it."""
        self.bots = bots
        """Names of the bots that may sit down."""
        self.fallback_bot = fallback_bot
        """The bot that plays for the absent."""
        self.presence = Presence()

    def entry(
        self,
        sheet: Sheet,
        kind: Kind,
        by: Actor,
        seat: int = -1,
        outcome: Outcome | None = None,
        facts: dict[str, Any] | None = None,
    ) -> Entry:
        """A new entry for a game, as of now; with what the rules have said of it."""
        move, state = ("", b"") if outcome is None else (outcome.move, outcome.hash)
        return Entry(FORMAT, kind, by, self.desk.now(sheet), seat, move, state, facts or {})

    def facts_of(self, game: Game) -> GameFacts:
        """The game as everybody sees it."""
        sheet = game.sheet
        active = game.active_seats
        timed = sheet.settings.clock is not None and sheet.settings.clock.kind == "bank"
        seats = [
            SeatFacts(
                seat=number,
                name=seat.name,
                kind=seat.kind,
                state=seat.state,
                bot=seat.bot,
                connected=self.presence.is_connected(sheet.id, number),
                entropy_hash=seat.entropy_hash,
                bank_ms=seat.bank_ms if timed else None,
                deadline=deadline(sheet, game.phase, number) if number in active else None,
            )
            for number, seat in enumerate(sheet.seats)
        ]
        return GameFacts(
            id=sheet.id,
            version=sheet.version,
            status=sheet.status,
            settings=sheet.settings,
            seats=seats,
            seed_commitment=commitment(sheet.seed),
            seed_given=sheet.seed_given,
            created=sheet.created,
            updated=sheet.updated,
            active_seats=list(active),
            phase=game.phase,
        )

    async def view_of(self, game: Game, seat: int | None) -> GameView:
        """The game as a seat, or a spectator, sees it."""
        view = None if game.position is None else await self.desk.rules.view(game.position, seat)
        result = None
        if game.sheet.status == "finished" and game.position is not None:
            result = result_of(await self.desk.rules.result(game.position), game.sheet.verdict)
        return GameView(self.facts_of(game), seat, view, self.desk.now(), result)


def must_be_open(sheet: Sheet) -> None:
    """Refuse what can only be done before the start."""
    if sheet.status == "open":
        return
    if sheet.is_over:
        raise Problem("game_finished", f"the game is {sheet.status}")
    raise Problem("wrong_phase", "the game has started")


def must_run(sheet: Sheet) -> None:
    """Refuse what can only be done while the game is played."""
    match sheet.status:
        case "open":
            raise Problem("not_started", "the game has not started")
        case "frozen":
            raise Problem("game_frozen", "the game is frozen")
        case "finished" | "cancelled":
            raise Problem("game_finished", f"the game is {sheet.status}")
        case "running":
            return
