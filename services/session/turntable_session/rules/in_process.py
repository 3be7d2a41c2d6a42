"""The engine called directly: the fastest way, and no other process can fail."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turntable_rules import (
    ENGINE_REVISION,
    BoardError,
    Event,
    IllegalMove,
    OptionError,
    Refusal,
    Ruleset,
    State,
    check,
    decode,
    encode,
    format_move,
    legal_actions,
    move_from_json,
    move_to_json,
    new_game,
    parse_board,
    parse_move,
    play,
    result_to_json,
    retire,
    ruleset,
    score,
    seats_to_act,
    state_hash,
    to_action,
    to_move,
    view,
)
from turntable_rules.engine.state import PHASE_NAMES
from turntable_session.domain.rules import MoveInput, Outcome, Position, Table
from turntable_session.domain.settings import GameSettings
from turntable_session.problems import Problem

_KEPT: Final = 256
# Refusals that are problems of their own; all others are illegal moves.
_OWN_CODE: Final = {
    "not_your_turn": "not_your_turn",
    "already_chosen": "not_your_turn",
    "wrong_phase": "wrong_phase",
    "game_finished": "game_finished",
    "malformed_move": "malformed",
    "unknown_seat": "malformed",
}


class LocalRules:
    """The port's adapter over the engine in this process. A handle is a `State` that is never changed."""

    revision = ENGINE_REVISION

    def __init__(self) -> None:
        self._tables: OrderedDict[bytes, Table] = OrderedDict()

    async def table(self, settings: GameSettings) -> Table:
        """The ruleset of the settings, built once."""
        key = msgspec.json.encode((settings.edition, settings.seats, settings.options, settings.board))
        found = self._tables.get(key)
        if found is not None:
            self._tables.move_to_end(key)
            return found
        rules = _built(settings)
        built = Table(rules, rules.digest)
        self._tables[key] = built
        if len(self._tables) > _KEPT:
            self._tables.popitem(last=False)
        return built

    async def deal(self, table: Table, seed: bytes) -> Outcome:
        """The beginning of a game."""
        events: list[Event] = []
        return _outcome(new_game(table.handle, seed, events), events, "")

    async def play(self, position: Position, seat: int, move: MoveInput) -> Outcome:
        """Play a move on a copy of the position."""
        before: State = position.handle
        try:
            action = _action(before, seat, move)
        except IllegalMove as illegal:
            raise refused(illegal.refusal, seat, position.phase) from illegal
        text = format_move(to_move(before, seat, action))
        state = before.clone()
        events: list[Event] = []
        play(state, seat, action, events)
        return _outcome(state, events, text)

    async def retire(self, position: Position, seat: int) -> Outcome:
        """Take a seat out of the game, on a copy of the position."""
        state: State = position.handle.clone()
        try:
            events = retire(state, seat)
        except IllegalMove as illegal:
            raise refused(illegal.refusal, seat, position.phase) from illegal
        return _outcome(state, events, "")

    async def legal_moves(self, position: Position, seat: int) -> list[dict[str, Any]]:
        """All legal moves of a seat."""
        state: State = position.handle
        if seat not in position.active_seats:
            return []
        return [
            {"id": action, **move_to_json(to_move(state, seat, action))}
            for action in legal_actions(state, seat)
        ]

    async def view(self, position: Position, seat: int | None) -> dict[str, Any]:
        """What a seat, or a spectator, may know."""
        return view(position.handle, seat)

    async def result(self, position: Position) -> dict[str, Any]:
        """The result as the position stands."""
        return result_to_json(score(position.handle))

    async def pack(self, position: Position) -> bytes:
        """The position as compact bytes."""
        return encode(position.handle)

    async def unpack(self, table: Table, data: bytes) -> Position:
        """The position of compact bytes."""
        return _position(decode(table.handle, data))


def _built(settings: GameSettings) -> Ruleset:
    try:
        board = parse_board(settings.board) if settings.board else None
        return ruleset(settings.edition, settings.seats, settings.options, board)
    except OptionError as error:
        code = "unknown_edition" if error.faults[0].startswith("edition:") else "unknown_option"
        raise Problem(code, "; ".join(error.faults), list(error.faults)) from error
    except BoardError as error:
        faults = [str(fault) for fault in error.faults]
        raise Problem("bad_board", "the board is not sound", faults) from error


def _action(state: State, seat: int, move: MoveInput) -> int:
    if isinstance(move, str):
        return to_action(state, seat, parse_move(move))
    if isinstance(move, Mapping):
        return to_action(state, seat, move_from_json(move))
    refusal = check(state, seat, move)
    if refusal is not None:
        raise IllegalMove(refusal)
    return move


def _position(state: State) -> Position:
    return Position(state, PHASE_NAMES[state.phase], tuple(seats_to_act(state)), state.turns)


def _outcome(state: State, events: list[Event], move: str) -> Outcome:
    return Outcome(_position(state), events, bytes.fromhex(state_hash(state)), move)


def refused(refusal: Refusal, seat: int, phase: str) -> Problem:
    """The problem for a refusal of the engine."""
    code = _OWN_CODE.get(refusal.code, "illegal_move")
    facts: dict[str, str | int] = {
        "reason": refusal.code,
        "clause": refusal.clause,
        "seat": seat,
        "phase": phase,
    }
    if refusal.allowed:
        facts["allowed"] = refusal.allowed
    return Problem(code, refusal.message, None, **facts)
