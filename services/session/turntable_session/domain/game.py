"""A game at one version, and how an entry of the log leads to the next. Living and replaying take the same way."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from turntable_rules import Event
from turntable_session.domain.clocks import (
    decided,
    next_deadline,
    restart_clock,
    resume_clocks,
    start_clocks,
)
from turntable_session.domain.entries import Entry, encode_entry, next_tag
from turntable_session.domain.rules import Outcome, Position, Rules, Table
from turntable_session.domain.seeds import seed_of_deal
from turntable_session.domain.settings import GameSettings
from turntable_session.domain.sheet import Seat, Sheet, Status


class Diverged(Exception):
    """A replay did not lead where the log says it did: the game must not go on."""


class UnknownRevision(Exception):
    """The game is played with an engine this process does not have."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One version of a game: its entry, and what it brought about."""

    version: int
    entry: Entry
    status: Status
    phase: str
    """Empty before the start."""
    active_seats: tuple[int, ...]
    turn: int
    events: list[Event] = field(repr=False)


@dataclass(slots=True)
class Game:
    """A sheet, and the position if play has begun. Never changed once it is shared; `advance` a copy."""

    sheet: Sheet
    table: Table
    position: Position | None = field(default=None, repr=False)

    @property
    def phase(self) -> str:
        """What the game waits for; empty before the start."""
        return "" if self.position is None else self.position.phase

    @property
    def active_seats(self) -> tuple[int, ...]:
        """Seats that owe a decision."""
        if self.position is None or self.sheet.is_over:
            return ()
        return self.position.active_seats

    @property
    def turn(self) -> int:
        """Turns played so far."""
        return 0 if self.position is None else self.position.turn

    def next_deadline(self) -> int | None:
        """When the first clock runs out."""
        return next_deadline(self.sheet, self.phase, self.active_seats)

    def waits_for_bot(self) -> bool:
        """Whether a bot owes a decision."""
        seats = self.sheet.seats
        return self.sheet.status == "running" and any(
            seats[seat].is_played_by_bot for seat in self.active_seats
        )

    def copy(self) -> "Game":
        """A copy that may be advanced."""
        return Game(self.sheet.copy(), self.table, self.position)


async def created(game_id: str, entry: Entry, rules: Rules) -> tuple[Game, Commit]:
    """The game that its first entry creates."""
    if entry.kind != "create":
        raise Diverged(f"a log cannot begin with {entry.kind!r}")
    facts = entry.facts
    settings = msgspec.convert(facts["settings"], GameSettings)
    if facts["engine"] != rules.revision:
        raise UnknownRevision(f"engine revision {facts['engine']}; this process has {rules.revision}")
    seats = [
        Seat(kind="bot", name=settings.bots[seat], bot=settings.bots[seat])
        if seat in settings.bots
        else Seat()
        for seat in range(settings.seats)
    ]
    sheet = Sheet(
        id=game_id,
        settings=settings,
        seed=facts["seed"],
        host=facts["host"],
        created=entry.at,
        updated=entry.at,
        engine=facts["engine"],
        seats=seats,
        seed_given=facts["seed_given"],
        invite=facts["invite"],
    )
    game = Game(sheet, await rules.table(settings))
    return game, _committed(game, entry, await _begin_if_seated(game, entry, rules))


async def advance(game: Game, entry: Entry, rules: Rules, outcome: Outcome | None = None) -> Commit:
    """Carry an entry out on a game; `outcome` is what the rules have said of it already, if they were asked."""
    sheet = game.sheet
    events: list[Event] = []
    match entry.kind:
        case "move":
            events = await _move(game, entry, rules, outcome)
        case "retire":
            events = await _retire(game, entry, rules, outcome)
        case "sit" | "leave" | "assign" | "start" | "reveal":
            events = await _change_table(game, entry, rules)
        case "takeover":
            sheet.change_seat(entry.seat, state="away", bot=entry.facts["bot"])
            if entry.facts.get("for_good"):
                sheet.change_seat(entry.seat, token=b"")
        case "return":
            sheet.change_seat(entry.seat, state="active", bot="")
            if entry.seat in game.active_seats:
                restart_clock(sheet, entry.at)
        case "freeze":
            sheet.status = "frozen"
            sheet.frozen_at = entry.at
        case "resume":
            sheet.status = "running"
            resume_clocks(sheet, entry.at)
        case "adjudicate":
            sheet.status = "finished"
            sheet.verdict = entry.facts
        case "cancel":
            sheet.status = "cancelled"
        case _:
            raise Diverged(f"a log cannot go on with {entry.kind!r}")
    return _committed(game, entry, events)


def _committed(game: Game, entry: Entry, events: list[Event]) -> Commit:
    sheet = game.sheet
    sheet.version += 1
    sheet.updated = entry.at
    sheet.tag = next_tag(sheet.tag, encode_entry(entry))
    return Commit(sheet.version, entry, sheet.status, game.phase, game.active_seats, game.turn, events)


async def _move(game: Game, entry: Entry, rules: Rules, outcome: Outcome | None) -> list[Event]:
    before = _playing(game)
    if outcome is None:
        outcome = await rules.play(before, entry.seat, entry.move)
    _reach(game, entry, outcome)
    after = outcome.position
    at_setup = before.phase == "setup_tickets"
    if at_setup:
        turn_over = after.phase != before.phase
    else:
        turn_over = (after.turn, after.active_seats) != (before.turn, before.active_seats)
    decided(game.sheet, entry.seat, entry.at, at_setup=at_setup, turn_over=turn_over)
    return outcome.events


async def _retire(game: Game, entry: Entry, rules: Rules, outcome: Outcome | None) -> list[Event]:
    before = _playing(game)
    if outcome is None:
        outcome = await rules.retire(before, entry.seat)
    _reach(game, entry, outcome)
    game.sheet.change_seat(entry.seat, state="retired", bot="")
    if (outcome.position.turn, outcome.position.phase) != (before.turn, before.phase):
        restart_clock(game.sheet, entry.at)
    return outcome.events


def _playing(game: Game) -> Position:
    if game.position is None or game.sheet.is_over:
        raise Diverged("the log has a move of a game that is not being played")
    return game.position


def _reach(game: Game, entry: Entry, outcome: Outcome) -> None:
    if outcome.hash != entry.hash:
        raise Diverged(f"version {game.sheet.version + 1} leads elsewhere than it did")
    game.position = outcome.position
    if outcome.position.is_finished:
        game.sheet.status = "finished"


async def _change_table(game: Game, entry: Entry, rules: Rules) -> list[Event]:
    """Who sits where; when nobody is missing any more, play begins."""
    sheet, facts = game.sheet, entry.facts
    match entry.kind:
        case "sit":
            sheet.seats[entry.seat] = Seat(
                kind="player",
                name=facts["name"],
                token=facts["token"],
                external_id=facts.get("external_id", ""),
                entropy_hash=facts.get("entropy_hash", ""),
            )
        case "leave":
            sheet.seats[entry.seat] = Seat()
        case "assign":
            bot: str = facts["bot"]
            sheet.seats[entry.seat] = Seat(kind="bot", name=bot, bot=bot) if bot else Seat()
        case "reveal":
            sheet.change_seat(entry.seat, entropy=facts["entropy"])
        case _:
            for seat, sitting in enumerate(sheet.seats):
                if sitting.kind == "open":
                    sheet.seats[seat] = Seat(kind="bot", name=facts["fill"], bot=facts["fill"])
    return await _begin_if_seated(game, entry, rules)


async def _begin_if_seated(game: Game, entry: Entry, rules: Rules) -> list[Event]:
    sheet = game.sheet
    hidden = any(seat.entropy_hash and not seat.entropy for seat in sheet.seats)
    if any(seat.kind == "open" for seat in sheet.seats) or (hidden and entry.kind != "start"):
        return []
    outcome = await rules.deal(game.table, seed_of_deal(sheet.seed, sheet.seats))
    game.position = outcome.position
    sheet.status = "running"
    sheet.started = sheet.version + 1
    start_clocks(sheet, entry.at)
    return outcome.events


def result_of(result: dict[str, Any], verdict: dict[str, Any] | None) -> dict[str, Any]:
    """The result of a game, an operator's decision included."""
    if verdict is None:
        return result
    winners = verdict.get("winners") or result["winners"]
    return {**result, "winners": list(winners), "ending": "adjudicated"}
