"""What is fixed when a game is created, and its limits."""

from typing import Any, Final, Literal

import msgspec

from turntable_session.problems import Problem

MAX_BOARD_BYTES: Final = 256 * 1024
MAX_NAME: Final = 60
MAX_METADATA: Final = 20
MAX_METADATA_TEXT: Final = 500
MAX_MS: Final = 366 * 24 * 3600 * 1000

Visibility = Literal["public", "unlisted", "private"]
TimeoutPolicy = Literal["bot", "auto", "forfeit"]
ResignPolicy = Literal["bot", "retire"]


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """Thinking time: a bank with an increment per turn, or the same time for every turn."""

    kind: Literal["bank", "move"]
    bank_ms: int = 0
    increment_ms: int = 0
    turn_ms: int = 0
    setup_ms: int = 120_000


class Policies(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happens to a seat whose player is absent."""

    timeout: TimeoutPolicy = "bot"
    resign: ResignPolicy = "retire"


class Spectators(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether there may be spectators, and by how many turns they lag behind."""

    allowed: bool = True
    delay_turns: int = 0


class GameSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything fixed for the whole game but its seed."""

    edition: str
    seats: int
    options: dict[str, Any] = {}
    board: str = ""
    """A fan's board as JSON; empty for the edition's own."""
    bots: dict[int, str] = {}
    clock: Clock | None = None
    policies: Policies = Policies()
    visibility: Visibility = "public"
    spectators: Spectators = Spectators()
    metadata: dict[str, str] = {}


def check_settings(settings: GameSettings, known_bots: frozenset[str]) -> None:
    """Refuse settings that no game can have; the ruleset itself is the engine's to judge."""
    faults: list[str] = []
    if len(settings.board.encode()) > MAX_BOARD_BYTES:
        raise Problem("too_large", f"a board has at most {MAX_BOARD_BYTES} bytes")
    for seat, bot in settings.bots.items():
        if not 0 <= seat < settings.seats:
            faults.append(f"bots: there is no seat {seat}")
        if bot not in known_bots:
            faults.append(unknown_bot(bot, known_bots))
    if settings.clock is not None:
        faults += _clock_faults(settings.clock)
    if not 0 <= settings.spectators.delay_turns <= 1000:
        faults.append("spectators: a delay is 0 to 1000 turns")
    if len(settings.metadata) > MAX_METADATA:
        faults.append(f"metadata: at most {MAX_METADATA} entries")
    if any(len(key) > MAX_NAME or len(value) > MAX_METADATA_TEXT for key, value in settings.metadata.items()):
        faults.append(f"metadata: keys have at most {MAX_NAME} characters, values {MAX_METADATA_TEXT}")
    if faults:
        raise Problem("malformed", "; ".join(faults), faults)


def _clock_faults(clock: Clock) -> list[str]:
    times = (clock.bank_ms, clock.increment_ms, clock.turn_ms, clock.setup_ms)
    if any(not 0 <= time <= MAX_MS for time in times):
        return ["clock: times are at least 0 and at most a year"]
    if clock.setup_ms == 0 or (clock.bank_ms if clock.kind == "bank" else clock.turn_ms) == 0:
        return ["clock: a time of 0 leaves nobody time to move"]
    return []


def unknown_bot(bot: str, known: frozenset[str]) -> str:
    """The words for a bot that is not installed."""
    return f"bots: there is no bot {bot[:MAX_NAME]!r}; there are: {', '.join(sorted(known)) or 'none'}"


def check_name(name: str) -> str:
    """A name to show: printable, neither empty nor long."""
    name = name.strip()
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Problem("malformed", f"a name has 1 to {MAX_NAME} printable characters")
    return name
