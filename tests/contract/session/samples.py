"""Settings of every kind, sound and not, and messages as they arrive."""

from __future__ import annotations

from typing import Any

from turntable_session.domain.settings import Clock, GameSettings, Policies, Spectators

SETTINGS = [
    GameSettings("usa", 2),
    GameSettings("usa", 5, {"first_player": "random", "max_turns": 0}),
    GameSettings("card", 4, {"peek_own_pile": [], "second_card": "may"}, bots={3: "greedy", 1: "planner"}),
    GameSettings("europe", 3, {"bogus": [1, {"deep": None}], "max_turns": True, "longest_path": "upwards"}),
    GameSettings("lyon", 0, {"flush_limit": 10**15, "start_score": -3, "first_player": 1}),
    GameSettings("no such edition", -1, board='{"format": "…"}'),
    GameSettings("usa", 2, clock=Clock("bank", bank_ms=900_001, increment_ms=0, setup_ms=1)),
    GameSettings("usa", 2, clock=Clock("move", turn_ms=86_400_000)),
    GameSettings("usa", 2, clock=Clock("move", turn_ms=-1_500, setup_ms=-999)),
    GameSettings(
        "usa",
        2,
        policies=Policies("forfeit", "bot"),
        visibility="private",
        spectators=Spectators(allowed=False, delay_turns=3),
        metadata={"platform": "ours", "": "empty"},
    ),
    GameSettings("usa", 2, policies=Policies("auto"), visibility="unlisted", spectators=Spectators()),
]


def through(kind: Any, init: dict[str, Any]) -> Any:
    """A message as it arrives."""
    return kind.FromString(kind(**init).SerializeToString())
