"""Random play for tests: reproducible games, with moves that keep games interesting."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import turntable_rules as engine

TABLES = [
    (edition.id, players)
    for edition in engine.EDITIONS.values()
    for players in range(edition.min_players, edition.max_players + 1)
]
"""Every edition with every player count."""


def seed_of(number: int) -> bytes:
    """A 32-byte seed from a small number."""
    return Random(number).randbytes(32)


class Walk:
    """One random game, step by step; the generator of the walk has nothing to do with the game's own."""

    def __init__(
        self, edition: str, players: int, number: int, options: Mapping[str, object] | None = None
    ) -> None:
        self.random = Random(number)
        self.state = engine.new_game(engine.ruleset(edition, players, options), seed_of(number))
        self.moves: list[tuple[int, int]] = []

    @property
    def finished(self) -> bool:
        return not engine.seats_to_act(self.state)

    def choose(self) -> tuple[int, int]:
        """A seat that may act and one of its legal actions; stations are rare, as they crowd out the rest."""
        seat = self.random.choice(engine.seats_to_act(self.state))
        actions = engine.legal_actions(self.state, seat)
        rules = self.state.rules
        others = [action for action in actions if not rules.build_station <= action < rules.claim]
        if others and self.random.random() < 0.9:
            actions = others
        return seat, self.random.choice(actions)

    def step(self) -> list[engine.Event]:
        """Play one move."""
        seat, action = self.choose()
        self.moves.append((seat, action))
        return engine.apply(self.state, seat, action)

    def advance(self, steps: int) -> Walk:
        """Play up to so many moves."""
        for _ in range(steps):
            if self.finished:
                break
            self.step()
        return self


def walked(table: tuple[str, int], number: int, steps: int = 0) -> Walk:
    """A walk at one of the tables, some steps on."""
    edition, players = table
    return Walk(edition, players, number).advance(steps)
