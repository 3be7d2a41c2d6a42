"""Who may do what with a game."""

from typing import NamedTuple

from turntable_session.core.port import Caller
from turntable_session.domain.sheet import Sheet
from turntable_session.domain.tokens import place_of, same_hash, token_hash
from turntable_session.problems import Problem, no_such_game


class Role(NamedTuple):
    """What a caller is to a game."""

    seat: int | None = None
    is_host: bool = False
    is_operator: bool = False

    @property
    def is_stranger(self) -> bool:
        """Whether the game knows nothing of the caller."""
        return self.seat is None and not self.is_host and not self.is_operator


class Access:
    """Recognises callers by their tokens; only hashes are compared."""

    def __init__(self, operator: bytes = b"") -> None:
        self._operator = operator
        """Hash of the operator's token; empty if there is none."""

    def role(self, sheet: Sheet, caller: Caller) -> Role:
        """What a caller is; a private game does not exist for strangers."""
        role = Role()
        if caller.token:
            given = token_hash(caller.token)
            seat = place_of(given, [seat.token for seat in sheet.seats])
            role = Role(seat, same_hash(sheet.host, given), same_hash(self._operator, given))
        if role.is_stranger and sheet.settings.visibility == "private":
            raise no_such_game(sheet.id)
        if role.is_stranger and caller.token:
            raise Problem("unauthenticated", "this token does not belong to the game")
        return role

    def viewer(self, sheet: Sheet, caller: Caller) -> Role:
        """The role of somebody who wants to look at the play."""
        role = self.role(sheet, caller)
        if role.seat is None and not role.is_operator and not sheet.settings.spectators.allowed:
            raise Problem("forbidden", "this game has no spectators")
        return role

    def seat(self, sheet: Sheet, caller: Caller) -> int:
        """The caller's own seat."""
        role = self.role(sheet, caller)
        if role.seat is None:
            raise _need_token(caller, "a seat")
        return role.seat

    def host(self, sheet: Sheet, caller: Caller) -> Role:
        """A host or an operator."""
        role = self.role(sheet, caller)
        if not role.is_host and not role.is_operator:
            raise _need_token(caller, "the host")
        return role

    def operator(self, sheet: Sheet, caller: Caller) -> Role:
        """An operator."""
        role = self.role(sheet, caller)
        if not role.is_operator:
            raise _need_token(caller, "an operator")
        return role


def _need_token(caller: Caller, whose: str) -> Problem:
    if not caller.token:
        return Problem("unauthenticated", f"this needs the token of {whose}")
    return Problem("forbidden", f"this is for {whose}")
