"""Answers of the core in the JSON of the contract."""

from typing import Any

from turntable_rules import Ruleset
from turntable_session.core.answers import Created, GameFacts, GameView, LegalMoves, Played
from turntable_session.core.records import format_time
from turntable_session.domain.settings import GameSettings
from turntable_session.forms.events import event_form
from turntable_session.forms.moves import group_forms
from turntable_session.json_answers import game_view_form
from turntable_session.rules.in_process import LocalRules

Form = dict[str, Any]


class Presenter:
    """Knows the rulesets, because tickets are shown with their facts."""

    def __init__(self) -> None:
        self._rules = LocalRules()

    async def ruleset(self, settings: GameSettings) -> Ruleset:
        """The ruleset of a game, built once."""
        rules: Ruleset = (await self._rules.table(settings)).handle
        return rules

    async def view(self, view: GameView) -> Form:
        """A game as its viewer sees it."""
        return game_view_form(view, await self.ruleset(view.game.settings))

    async def created(self, created: Created) -> Form:
        """A new game with the tokens its creator needs."""
        view = created.view
        form: Form = {
            "id": view.game.id,
            "version": view.game.version,
            "hostToken": created.host_token,
            "seedCommitment": view.game.seed_commitment,
            "view": await self.view(view),
        }
        if created.invite_code:
            form["inviteCode"] = created.invite_code
        return form

    async def played(self, played: Played) -> Form:
        """A move that was played."""
        assert played.view is not None
        events = [event_form(event) for event in played.update.events]
        return {"version": played.update.version, "events": events, "view": await self.view(played.view)}


def legal_form(legal: LegalMoves, grouped: bool) -> Form:
    """Legal moves, one by one or with all payments of a route together."""
    return {"version": legal.version, "moves": group_forms(legal.moves) if grouped else legal.moves}


def game_form(game: GameFacts) -> Form:
    """A game in a list."""
    return {
        "id": game.id,
        "edition": game.settings.edition,
        "version": game.version,
        "status": game.status,
        "seats": game.settings.seats,
        "players": [
            {"seat": seat.seat, "name": seat.name, "kind": seat.kind, "state": seat.state}
            for seat in game.seats
        ],
        "activeSeats": game.active_seats,
        "createdAt": format_time(game.created),
        "updatedAt": format_time(game.updated),
        "metadata": game.settings.metadata,
    }
