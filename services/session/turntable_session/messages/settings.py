"""The settings of a game as messages. Options travel as they were given too: a message cannot hold every mistake."""

from typing import Any, Final

import msgspec

from turntable_proto.session.v1 import clock_pb2, game_pb2
from turntable_session.domain.settings import Clock, GameSettings, Policies, Spectators
from turntable_session.messages.times import time_from_proto, time_to_proto
from turntable_session.problems import malformed
from turntable_session.vocabulary.from_proto import Facts, options_named
from turntable_session.vocabulary.to_proto import Init, typed_options
from turntable_session.vocabulary.words import numbers_of, words_of

_POLICIES: Final = Policies()
_VISIBILITIES: Final = game_pb2.Visibility.DESCRIPTOR
_TIMEOUTS: Final = game_pb2.TimeoutPolicy.DESCRIPTOR
_RESIGNS: Final = game_pb2.ResignPolicy.DESCRIPTOR


def settings_to_proto(settings: GameSettings) -> Init:
    """Everything fixed for the whole game but its seed."""
    init: Init = {
        "ruleset": {
            "edition": settings.edition,
            "player_count": settings.seats,
            "board_json": settings.board,
        },
        "bots": settings.bots,
        "policies": {
            "timeout": numbers_of(_TIMEOUTS)[settings.policies.timeout],
            "resign": numbers_of(_RESIGNS)[settings.policies.resign],
        },
        "visibility": numbers_of(_VISIBILITIES)[settings.visibility],
        "spectators": {
            "allowed": settings.spectators.allowed,
            "delay_turns": settings.spectators.delay_turns,
        },
        "metadata": settings.metadata,
    }
    if settings.options:
        init["ruleset"]["options"] = typed_options(settings.options)[0]
        init["options_json"] = msgspec.json.encode(settings.options).decode()
    if settings.clock is not None:
        init["clock"] = _clock_to_proto(settings.clock)
    return init


def _clock_to_proto(clock: Clock) -> Init:
    setup = {"setup_time": time_to_proto(clock.setup_ms)}
    if clock.kind == "move":
        return {"move": {"turn_limit": time_to_proto(clock.turn_ms)}, **setup}
    bank = {"bank": time_to_proto(clock.bank_ms), "increment": time_to_proto(clock.increment_ms)}
    return {"bank": bank, **setup}


def settings_from_proto(message: game_pb2.GameSettings) -> GameSettings:
    """The settings; what is not said stands at its default."""
    ruleset, policies = message.ruleset, message.policies
    spectators = Spectators()
    if message.HasField("spectators"):
        spectators = Spectators(message.spectators.allowed, message.spectators.delay_turns)
    return GameSettings(
        edition=ruleset.edition,
        seats=ruleset.player_count,
        options=parse_options_json(message.options_json)
        if message.options_json
        else options_named(ruleset.options),
        board=ruleset.board_json,
        bots=dict(sorted(message.bots.items())),
        clock=_clock_from_proto(message.clock) if message.HasField("clock") else None,
        policies=Policies(
            timeout=words_of(_TIMEOUTS)[policies.timeout] or _POLICIES.timeout,
            resign=words_of(_RESIGNS)[policies.resign] or _POLICIES.resign,
        ),
        visibility=words_of(_VISIBILITIES)[message.visibility] or "public",
        spectators=spectators,
        metadata=dict(sorted(message.metadata.items())),
    )


def parse_options_json(text: str) -> Facts:
    """Options as they were given; whether they are options of the edition is the engine's to judge."""
    options = parse_json(text, "options_json")
    if not isinstance(options, dict):
        raise malformed("options_json is not an object")
    return options


def parse_json(text: str, where: str) -> Any:
    """What a JSON text says."""
    try:
        return msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        raise malformed(f"{where} is not JSON") from None


def _clock_from_proto(message: clock_pb2.ClockSettings) -> Clock:
    setup = time_from_proto(message.setup_time) if message.HasField("setup_time") else Clock("bank").setup_ms
    match message.WhichOneof("clock"):
        case "bank":
            bank, increment = time_from_proto(message.bank.bank), time_from_proto(message.bank.increment)
            return Clock("bank", bank_ms=bank, increment_ms=increment, setup_ms=setup)
        case "move":
            return Clock("move", turn_ms=time_from_proto(message.move.turn_limit), setup_ms=setup)
    raise malformed("clock: neither a bank nor a time per move")
