"""Games of bots, driven through the engine in process: each bot gets what a client would get, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import turntable_rules as engine
from turntable_bots.bot import Bot
from turntable_session.forms.boards import board_facts
from turntable_session.forms.moves import legal_forms
from turntable_session.forms.views import view_form

Form = dict[str, Any]
BotClass = Callable[[bytes, Form | None], Bot]

SEAT: Form = {"name": "", "kind": "bot", "state": "active", "connected": True, "clock": None}


class IllegalAnswer(AssertionError):
    """A bot answered with something that is not among the legal moves."""


def shown(state: engine.State, seat: int, version: int) -> Form:
    """The view of a seat."""
    return view_form(
        engine.view(state, seat),
        state.rules,
        id="g",
        version=version,
        status="running",
        server_time="2030-01-01T00:00:00Z",
        seed_commitment="",
        seats=[SEAT] * state.rules.players,
    )


class Match:
    """One game; `afresh` makes a new bot for every decision, as if each were made by another process."""

    def __init__(
        self,
        edition: str,
        bots: Sequence[BotClass],
        number: int,
        *,
        afresh: bool = False,
        with_board: bool = True,
    ) -> None:
        chance = Random(f"{edition} {len(bots)} {number}")
        rules = engine.ruleset(edition, len(bots))
        self.state = engine.new_game(rules, chance.randbytes(32))
        self.facts = board_facts(rules) if with_board else None
        self.classes = bots
        self.seeds = [chance.randbytes(16) for _ in bots]
        self.bots = [self.seat_bot(seat) for seat in range(len(bots))]
        self.afresh = afresh
        self.version = 1
        self.moves: list[tuple[int, int]] = []

    def seat_bot(self, seat: int) -> Bot:
        """A new bot for a seat."""
        return self.classes[seat](self.seeds[seat], self.facts)

    def step(self) -> None:
        """One decision of the first seat that owes one."""
        seat = engine.seats_to_act(self.state)[0]
        bot = self.seat_bot(seat) if self.afresh else self.bots[seat]
        moves = legal_forms(self.state, seat)
        answer = bot.decide(shown(self.state, seat, self.version), moves)
        if not any(answer is move for move in moves):
            raise IllegalAnswer(f"{bot.name}: {answer}")
        engine.apply(self.state, seat, answer["id"])
        self.moves.append((seat, answer["id"]))
        self.version += 1

    def play(self) -> engine.Result:
        """The whole game."""
        while engine.seats_to_act(self.state):
            self.step()
        return engine.score(self.state)
