"""A commit as one seat or a spectator may see it."""

from typing import Any

from turntable_rules import move_to_json, parse_move
from turntable_session.core.answers import Update
from turntable_session.domain.game import Commit


def update_for(commit: Commit, seat: int | None) -> Update:
    """The commit without what others alone may know."""
    entry = commit.entry
    return Update(
        version=commit.version,
        at=entry.at,
        status=commit.status,
        phase=commit.phase,
        active_seats=list(commit.active_seats),
        kind=entry.kind,
        by=entry.by,
        seat=None if entry.seat < 0 else entry.seat,
        move=_visible_move(commit, seat),
        events=[event.seen_by(seat) for event in commit.events],
    )


def _visible_move(commit: Commit, seat: int | None) -> dict[str, Any] | None:
    """The move; of another's choice of tickets only how many were kept, and at setup not even that (INFO-11)."""
    entry = commit.entry
    if entry.kind != "move":
        return None
    move: dict[str, Any] = move_to_json(parse_move(entry.move))
    if move["type"] != "keep_tickets" or seat == entry.seat:
        return move
    if any(event.type == "setup_chosen" for event in commit.events):
        return {"type": "keep_tickets"}
    return {"type": "keep_tickets", "count": len(move["tickets"])}
