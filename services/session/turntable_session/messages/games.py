"""Games, views and updates as messages."""

from typing import Any, Final

from turntable_proto.game.v1 import record_pb2
from turntable_proto.session.v1 import game_pb2, seat_pb2
from turntable_session.core.answers import GameFacts, GameView, SeatFacts, Update
from turntable_session.messages.settings import settings_from_proto, settings_to_proto
from turntable_session.messages.times import time_from_proto, time_to_proto
from turntable_session.vocabulary.events import seen_event_from_proto, seen_event_to_proto
from turntable_session.vocabulary.from_proto import Facts
from turntable_session.vocabulary.moves import move_from_proto, move_to_proto
from turntable_session.vocabulary.to_proto import Init
from turntable_session.vocabulary.views import (
    phase_from_proto,
    phase_to_proto,
    result_from_proto,
    result_to_proto,
    view_from_proto,
    view_to_proto,
)
from turntable_session.vocabulary.words import numbers_of, words_of

_STATUSES: Final = game_pb2.GameStatus.DESCRIPTOR
_KINDS: Final = record_pb2.LogEntryKind.DESCRIPTOR
_ACTORS: Final = record_pb2.Actor.DESCRIPTOR
_SEAT_KINDS: Final = seat_pb2.SeatKind.DESCRIPTOR
_SEAT_STATES: Final = seat_pb2.SeatState.DESCRIPTOR


def status_to_proto(status: str) -> int:
    """A status; KeyError for a word that is none."""
    return numbers_of(_STATUSES)[status or None]


def status_from_proto(number: int) -> str:
    """A status; empty for none."""
    return words_of(_STATUSES)[number] or ""


def game_to_proto(game: GameFacts) -> Init:
    """A game as everybody sees it from outside."""
    return {
        "id": game.id,
        "version": game.version,
        "status": status_to_proto(game.status),
        "settings": settings_to_proto(game.settings),
        "seats": [_seat_to_proto(seat) for seat in game.seats],
        "seed_commitment": game.seed_commitment,
        "seed_given": game.seed_given,
        "create_time": time_to_proto(game.created),
        "update_time": time_to_proto(game.updated),
        "active_seats": game.active_seats,
        "phase": phase_to_proto(game.phase),
    }


def game_from_proto(message: game_pb2.Game) -> GameFacts:
    """A game as everybody sees it from outside."""
    return GameFacts(
        id=message.id,
        version=message.version,
        status=status_from_proto(message.status),
        settings=settings_from_proto(message.settings),
        seats=[_seat_from_proto(seat) for seat in message.seats],
        seed_commitment=message.seed_commitment,
        seed_given=message.seed_given,
        created=time_from_proto(message.create_time),
        updated=time_from_proto(message.update_time),
        active_seats=list(message.active_seats),
        phase=phase_from_proto(message.phase),
    )


def _seat_to_proto(seat: SeatFacts) -> Init:
    init: Init = {
        "seat": seat.seat,
        "display_name": seat.name,
        "kind": numbers_of(_SEAT_KINDS)[seat.kind],
        "state": numbers_of(_SEAT_STATES)[seat.state],
        "bot": seat.bot,
        "connected": seat.connected,
        "entropy_hash": seat.entropy_hash,
    }
    if seat.bank_ms is not None or seat.deadline is not None:
        init["clock"] = {
            "bank": None if seat.bank_ms is None else time_to_proto(seat.bank_ms),
            "deadline_time": None if seat.deadline is None else time_to_proto(seat.deadline),
        }
    return init


def _seat_from_proto(message: seat_pb2.Seat) -> SeatFacts:
    clock = message.clock
    return SeatFacts(
        seat=message.seat,
        name=message.display_name,
        kind=words_of(_SEAT_KINDS)[message.kind],
        state=words_of(_SEAT_STATES)[message.state],
        bot=message.bot,
        connected=message.connected,
        entropy_hash=message.entropy_hash,
        bank_ms=time_from_proto(clock.bank) if clock.HasField("bank") else None,
        deadline=time_from_proto(clock.deadline_time) if clock.HasField("deadline_time") else None,
    )


def assigned_seat_to_proto(seat: int, bot: str) -> Init:
    """A seat that was given to a bot, or opened."""
    kind = numbers_of(_SEAT_KINDS)["bot" if bot else "open"]
    return {"seat": seat, "display_name": bot, "kind": kind, "state": seat_pb2.SEAT_STATE_ACTIVE, "bot": bot}


def game_view_to_proto(seen: GameView) -> Init:
    """A game as one seat or a spectator sees it."""
    return {
        "game": game_to_proto(seen.game),
        "view": None if seen.view is None else view_to_proto(seen.view),
        "server_time": time_to_proto(seen.server_time),
        "seat": seen.seat,
        "result": None if seen.result is None else result_to_proto(seen.result),
    }


def game_view_from_proto(message: game_pb2.GameView) -> GameView:
    """A game as one seat or a spectator sees it."""
    return GameView(
        game=game_from_proto(message.game),
        seat=message.seat if message.HasField("seat") else None,
        view=view_from_proto(message.view) if message.HasField("view") else None,
        server_time=time_from_proto(message.server_time),
        result=result_from_proto(message.result) if message.HasField("result") else None,
    )


def update_to_proto(update: Update) -> Init:
    """One commit as one seat or a spectator may see it."""
    init: Init = {
        "version": update.version,
        "commit_time": time_to_proto(update.at),
        "status": status_to_proto(update.status),
        "phase": phase_to_proto(update.phase),
        "active_seats": update.active_seats,
        "kind": numbers_of(_KINDS)[update.kind],
        "by": numbers_of(_ACTORS)[update.by],
        "seat": update.seat,
        "events": [seen_event_to_proto(event) for event in update.events],
    }
    if update.move is not None:
        init.update(_seen_move_to_proto(update.move))
    return init


def _seen_move_to_proto(move: dict[str, Any]) -> Init:
    """A choice of tickets may be known in part only: without its tickets, or how many they are."""
    if move["type"] == "keep_tickets" and "tickets" not in move:
        return {"move": {"keep_tickets": {}}, "tickets_hidden": True, "tickets_kept": move.get("count")}
    return {"move": move_to_proto(move)}


def update_from_proto(message: game_pb2.Update) -> Update:
    """One commit as one seat or a spectator may see it."""
    return Update(
        version=message.version,
        at=time_from_proto(message.commit_time),
        status=status_from_proto(message.status),
        phase=phase_from_proto(message.phase),
        active_seats=list(message.active_seats),
        kind=words_of(_KINDS)[message.kind],
        by=words_of(_ACTORS)[message.by],
        seat=message.seat if message.HasField("seat") else None,
        move=_seen_move_from_proto(message) if message.HasField("move") else None,
        events=[seen_event_from_proto(event) for event in message.events],
    )


def _seen_move_from_proto(message: game_pb2.Update) -> Facts:
    if not message.tickets_hidden:
        return move_from_proto(message.move)
    known: Facts = {"type": "keep_tickets"}
    if message.HasField("tickets_kept"):
        known["count"] = message.tickets_kept
    return known
