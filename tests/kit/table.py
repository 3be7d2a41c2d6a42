"""A table to play scenarios at; the tests know only this, so that other transports can serve the same scenarios."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import turntable_rules as rules_engine
from tests.kit.setting import setting

Facts = dict[str, Any]


@dataclass(frozen=True)
class Refused:
    """A refusal as any transport gives it."""

    code: str
    clause: str
    message: str


class Table:
    """One position and what can be asked of it. Moves are in text notation, positions and views are plain data."""

    def __init__(self, state: rules_engine.State) -> None:
        self.state = state

    @classmethod
    def set(cls, edition: str, players: int = 2, **facts: Any) -> Table:
        """A table in the position that `setting` describes; it has to be a sound one unless `loose`."""
        loose = facts.pop("loose", False)
        board = facts.get("board")
        position = setting(edition, players, **facts)
        ruleset = rules_engine.ruleset(edition, players, facts.get("options"), board)
        state = rules_engine.from_position(ruleset, position)
        broken = rules_engine.invariants(state)
        assert loose or not broken, broken
        return cls(state)

    @classmethod
    def new(
        cls,
        edition: str,
        players: int = 2,
        seed: bytes = bytes(32),
        options: Mapping[str, object] | None = None,
        board: rules_engine.Board | None = None,
    ) -> Table:
        """A new game, in its setup phase."""
        return cls(rules_engine.new_game(rules_engine.ruleset(edition, players, options, board), seed))

    def moves(self, seat: int) -> list[str]:
        """All legal moves of a seat."""
        moves = rules_engine.legal_moves(self.state, seat)
        return [rules_engine.format_move(move) for move in moves]

    def allows(self, seat: int, text: str) -> bool:
        """Whether the move is accepted; being accepted and being listed are the same (FSM-14)."""
        refused = self.refusal(seat, text)
        listed = text.replace("brown", "orange") in self.moves(seat)
        assert listed == (refused is None), f"{text}: listed {listed}, refusal {refused}"
        return listed

    def refusal(self, seat: int, text: str) -> Refused | None:
        """Why the move is refused, or None if it is not; nothing changes either way (COMMON-TURN-5)."""
        before = rules_engine.encode(self.state)
        try:
            refusal = rules_engine.check_move(self.state, seat, rules_engine.parse_move(text))
        except rules_engine.IllegalMove as illegal:
            refusal = illegal.refusal
        assert rules_engine.encode(self.state) == before
        return None if refusal is None else Refused(refusal.code, refusal.clause, str(refusal))

    def refuses(self, seat: int, text: str, clause: str | None = None, code: str | None = None) -> bool:
        """Whether the move is refused, by playing it for real, and for the reason given, if one is given."""
        before = rules_engine.encode(self.state)
        try:
            move = rules_engine.parse_move(text)
            rules_engine.apply(self.state, seat, rules_engine.to_action(self.state, seat, move))
        except rules_engine.IllegalMove as illegal:
            assert rules_engine.encode(self.state) == before, "a refused move changed the state"
            reason = illegal.refusal
            assert clause is None or reason.clause == clause, reason
            assert code is None or reason.code == code, reason
            assert text not in self.moves(seat)
            return True
        return False

    def play(self, seat: int, text: str) -> list[Facts]:
        """Play a legal move; returns its events in full (public and private parts together)."""
        return [event.in_full() for event in self.play_events(seat, text)]

    def play_events(self, seat: int, text: str) -> list[rules_engine.Event]:
        """Play a legal move; returns its events, each with its public and private part."""
        action = rules_engine.to_action(self.state, seat, rules_engine.parse_move(text))
        events = rules_engine.apply(self.state, seat, action)
        broken = rules_engine.invariants(self.state)
        assert not broken or self._was_loose(), broken
        return events

    def _was_loose(self) -> bool:
        """Whether a test gave reserves that do not follow from the routes."""
        rules = self.state.rules
        placed = [
            sum(rules.route_length[r] for r, o in enumerate(self.state.owner) if o == s)
            for s in range(rules.players)
        ]
        return any(self.state.wagons[s] + placed[s] != rules.edition.wagons for s in range(rules.players))

    def retire(self, seat: int) -> list[Facts]:
        """Retire a seat."""
        events = [event.in_full() for event in rules_engine.retire(self.state, seat)]
        broken = rules_engine.invariants(self.state)
        assert not broken or self._was_loose(), broken
        return events

    def view(self, seat: int | None) -> Facts:
        """What a seat, or a spectator (None), sees."""
        return rules_engine.view(self.state, seat)

    def view_text(self, seat: int | None) -> str:
        """The view as canonical JSON, to compare byte by byte."""
        return json.dumps(self.view(seat), sort_keys=True)

    def score(self) -> Facts:
        """The result as the table stands."""
        return rules_engine.result_to_json(rules_engine.score(self.state))

    def position(self) -> Facts:
        """The whole position."""
        return rules_engine.to_position(self.state)

    def player(self, seat: int) -> Facts:
        """A player's part of the position."""
        player: Facts = self.position()["players"][seat]
        return player

    @property
    def phase(self) -> str:
        return str(self.position()["phase"])

    @property
    def active(self) -> int:
        return self.state.active

    def copy(self) -> Table:
        """The same position at another table."""
        return Table(self.state.clone())
