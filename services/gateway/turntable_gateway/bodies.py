"""What clients send, exactly as the contract says; anything else is refused with its place."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from turntable_session.domain.settings import Clock, GameSettings, Policies, Spectators
from turntable_session.problems import malformed

Seconds = Annotated[float, Meta(ge=0, le=366 * 24 * 3600)]


class Body(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A body whose keys are camelCase and all known."""


class BankClock(Body, frozen=True, tag_field="type", tag="bank"):
    """A bank of time with an increment per turn."""

    bank_seconds: Seconds
    increment_seconds: Seconds = 0
    setup_seconds: Seconds = 120


class MoveClock(Body, frozen=True, tag_field="type", tag="move"):
    """The same time for every turn."""

    seconds_per_turn: Seconds
    setup_seconds: Seconds = 120


class SpectatorsBody(Body, frozen=True):
    """Whether there may be spectators, and how far they lag behind."""

    allowed: bool = True
    delay_turns: Annotated[int, Meta(ge=0, le=1000)] = 0


class CreateGame(Body, frozen=True):
    """POST /v1/games."""

    edition: str
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = {}
    board: dict[str, Any] | None = None
    bots: dict[str, str] = {}
    clock: BankClock | MoveClock | None = None
    policies: Policies = Policies()
    visibility: str = "public"
    spectators: SpectatorsBody = SpectatorsBody()
    seed: str | None = None
    metadata: dict[str, str] = {}


class TakeSeat(Body, frozen=True):
    """POST /v1/games/{id}/seats."""

    name: str
    seat: int | None = None
    external_id: str = ""
    entropy_hash: str = ""
    invite_code: str = ""


class AssignSeat(Body, frozen=True):
    """PUT /v1/games/{id}/seats/{n}: a bot, or open."""

    bot: str = ""
    open: bool = False


class StartGame(Body, frozen=True):
    """POST /v1/games/{id}/start."""

    fill: str = ""


class PlayMove(Body, frozen=True):
    """POST /v1/games/{id}/moves: a move, or the id of one."""

    version: int
    move: dict[str, Any] | None = None
    move_id: int | None = None


class Reason(Body, frozen=True):
    """Why, for the audit trail."""

    reason: str = ""


class Entropy(Body, frozen=True):
    """POST /v1/games/{id}/entropy."""

    entropy: str


class Validation(Body, frozen=True):
    """POST /v1/validations."""

    edition: str
    players: int
    position: str | dict[str, Any]
    seat: int
    move: dict[str, Any] | str
    options: dict[str, Any] = {}
    board: dict[str, Any] | None = None


def settings_of(body: CreateGame) -> GameSettings:
    """The core's settings of a request."""
    if body.visibility not in ("public", "unlisted", "private"):
        raise malformed("visibility is public, unlisted or private")
    try:
        bots = {int(seat): bot for seat, bot in body.bots.items()}
    except ValueError:
        raise malformed("bots: the keys are numbers of seats") from None
    return GameSettings(
        edition=body.edition,
        seats=body.seats,
        options=body.options,
        board="" if body.board is None else msgspec.json.encode(body.board).decode(),
        bots=bots,
        clock=_clock(body.clock),
        policies=body.policies,
        visibility=body.visibility,  # type: ignore[arg-type]
        spectators=Spectators(body.spectators.allowed, body.spectators.delay_turns),
        metadata=body.metadata,
    )


def _clock(clock: BankClock | MoveClock | None) -> Clock | None:
    match clock:
        case BankClock():
            return Clock(
                "bank",
                bank_ms=round(clock.bank_seconds * 1000),
                increment_ms=round(clock.increment_seconds * 1000),
                setup_ms=round(clock.setup_seconds * 1000),
            )
        case MoveClock():
            times = (clock.seconds_per_turn, clock.setup_seconds)
            return Clock("move", turn_ms=round(times[0] * 1000), setup_ms=round(times[1] * 1000))
        case None:
            return None


def seed_of(text: str | None) -> bytes | None:
    """The seed that a client gives, in hex."""
    try:
        return None if text is None else bytes.fromhex(text)
    except ValueError:
        raise malformed("a seed is 64 hex digits") from None
