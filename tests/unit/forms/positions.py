"""Positions of random games in every edition, and what a table adds to a view."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import turntable_rules as engine
from tests.kit.walks import TABLES, Walk
from turntable_session.forms.views import view_form

SEATS: list[dict[str, Any]] = [
    {
        "name": f"Player {seat}",
        "kind": "bot" if seat % 2 else "player",
        "state": "away" if seat == 1 else "active",
        "connected": seat == 0,
        "clock": None if seat else {"bankMs": 60_000, "deadlineAt": "2030-01-01T00:00:00Z"},
    }
    for seat in range(5)
]
GAME: dict[str, Any] = {
    "id": "g-1",
    "version": 7,
    "status": "running",
    "server_time": "2030-01-01T00:00:00Z",
    "seed_commitment": "c0ffee",
}


@cache
def positions() -> tuple[engine.State, ...]:
    """Positions of one game per table, the first and the last among them."""
    return tuple(_played())


def _played() -> Iterator[engine.State]:
    for number, (edition, players) in enumerate(TABLES):
        walk = Walk(edition, players, number)
        steps = 0
        while not walk.finished:
            if steps % 9 == 0 or engine.view(walk.state, None)["tunnel"]:
                yield walk.state.clone()
            walk.step()
            steps += 1
        yield walk.state.clone()


def form_of(state: engine.State, seat: int | None) -> dict[str, Any]:
    """The view of a seat, or of a spectator, as clients get it."""
    return view_form(engine.view(state, seat), state.rules, seats=SEATS[: state.rules.players], **GAME)
