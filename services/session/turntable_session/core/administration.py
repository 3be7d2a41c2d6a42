"""What hosts and operators do to games; every act is in the log or in the audit trail."""

import logging

import msgspec

from turntable_session.core.answers import Adjudicated, Changed
from turntable_session.core.desk import Decision, member_of
from turntable_session.core.office import Office, must_run
from turntable_session.core.port import Caller
from turntable_session.core.requests import identify
from turntable_session.domain.entries import Actor
from turntable_session.domain.game import Game, result_of
from turntable_session.problems import Problem, malformed

LOGGER = logging.getLogger("turntable.audit")
_MAX_REASON = 500


class Administration(Office):
    """Freezing, resuming, deciding and deleting."""

    async def freeze_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> Changed:
        """Let a running game stand still; for the host or an operator."""
        _check_reason(reason)

        async def decide(table: Game) -> Decision:
            by: Actor = "operator" if self.access.host(table.sheet, caller).is_operator else "host"
            must_run(table.sheet)
            return Decision(self.entry(table.sheet, "freeze", by, facts={"reason": reason}))

        change = await self.desk.change(game, identify(caller, "freeze", game, key, reason), decide)
        _audit("freeze", game, change.commit.entry.by, reason)
        return Changed(change.commit.version)

    async def resume_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> Changed:
        """Let a frozen game go on; for the host or an operator."""
        _check_reason(reason)

        async def decide(table: Game) -> Decision:
            role = self.access.host(table.sheet, caller)
            if table.sheet.status != "frozen":
                must_run(table.sheet)
                raise Problem("wrong_phase", "the game is not frozen")
            by: Actor = "operator" if role.is_operator else "host"
            return Decision(self.entry(table.sheet, "resume", by, facts={"reason": reason}))

        change = await self.desk.change(game, identify(caller, "resume", game, key, reason), decide)
        _audit("resume", game, change.commit.entry.by, reason)
        return Changed(change.commit.version)

    async def adjudicate_game(
        self, caller: Caller, game: str, winners: list[int], reason: str = "", key: str = ""
    ) -> Adjudicated:
        """End a game by decision; without winners the position counts as it stands. For an operator."""
        _check_reason(reason)

        async def decide(table: Game) -> Decision:
            self.access.operator(table.sheet, caller)
            if table.sheet.status != "frozen":
                must_run(table.sheet)
            if len(set(winners)) != len(winners) or any(
                not 0 <= seat < len(table.sheet.seats) for seat in winners
            ):
                raise malformed("winners are seats of the game, each named once")
            facts = {"winners": sorted(winners), "reason": reason}
            entry = self.entry(table.sheet, "adjudicate", "operator", facts=facts)
            return Decision(entry)

        request = identify(caller, "adjudicate", game, key, winners, reason)
        change = await self.desk.change(game, request, decide)
        _audit("adjudicate", game, "operator", reason)
        assert change.game.position is not None
        result = await self.desk.rules.result(change.game.position)
        return Adjudicated(change.commit.version, result_of(result, change.game.sheet.verdict))

    async def delete_game(self, caller: Caller, game: str, reason: str = "", key: str = "") -> None:
        """Delete an open game (host) or any game (operator)."""
        _check_reason(reason)
        sheet = (await self.desk.fresh(game)).sheet
        role = self.access.host(sheet, caller)
        if not role.is_operator and sheet.status != "open":
            raise Problem("wrong_phase", "a host may delete a game only before it starts")
        by = "operator" if role.is_operator else "host"
        trail = {"act": "delete", "game": game, "by": by, "at": self.desk.now(), "reason": reason}
        await self.desk.store.delete(game, member_of(sheet), msgspec.msgpack.encode(trail))
        self.desk.forget(game)
        _audit("delete", game, by, reason)


def _check_reason(reason: str) -> None:
    if len(reason) > _MAX_REASON:
        raise malformed(f"a reason has at most {_MAX_REASON} characters")


def _audit(act: str, game: str, by: str, reason: str) -> None:
    LOGGER.info("audit", extra={"act": act, "game": game, "by": by, "reason": reason})
