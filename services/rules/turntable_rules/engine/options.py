"""Options of a game (rules.md 0.4), checked against the edition they are given to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from turntable_rules.engine.edition import Edition

RANDOM: Final = -1
"""`first_player`: drawn at random."""

_MAX_MAGNITUDE: Final = 1_000_000


class OptionError(ValueError):
    """Options or a player count that the edition does not have; `faults` lists all of them."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Options:
    """The options in force, every one with a value."""

    no_fork: bool
    must_draw_second: bool
    start_score: int
    first_player: int
    peek_own_pile: tuple[int, ...]
    flush_limit: int
    max_turns: int

    def to_json(self, edition: Edition) -> dict[str, object]:
        """The options that belong to the edition, by name."""
        named: dict[str, object] = {
            "second_card": "must" if self.must_draw_second else "may",
            "first_player": "random" if self.first_player == RANDOM else self.first_player,
            "max_turns": self.max_turns,
        }
        if edition.yards:
            named["peek_own_pile"] = list(self.peek_own_pile)
        else:
            named["longest_path"] = "no_fork" if self.no_fork else "trail"
            named["start_score"] = self.start_score
            named["flush_limit"] = self.flush_limit
        return named


def option_names(edition: Edition) -> tuple[str, ...]:
    """The options the edition knows."""
    common = ("second_card", "first_player", "max_turns")
    return (
        (*common, "peek_own_pile")
        if edition.yards
        else (*common, "longest_path", "start_score", "flush_limit")
    )


def parse_options(edition: Edition, player_count: object, given: Mapping[str, object]) -> Options:
    """Check options by name and fill in the defaults; an unknown or foreign option is refused."""
    faults: list[str] = []
    players = edition.max_players  # so that the options can be judged even if the count is wrong
    if type(player_count) is int and edition.min_players <= player_count <= edition.max_players:
        players = player_count
    else:
        faults.append(
            f"players: {edition.id} is played by {edition.min_players} to {edition.max_players}, "
            f"not {player_count!r} (COMMON-SETUP-1)"
        )
    known = option_names(edition)
    for name in given:
        if name not in known:
            faults.append(
                f"{name}: not an option of {edition.id}; its options are {', '.join(sorted(known))}"
            )
    reader = _Reader(given, faults)
    options = Options(
        no_fork=reader.word("longest_path", ("trail", "no_fork"), "trail") == "no_fork",
        must_draw_second=reader.word(
            "second_card", ("may", "must"), "must" if edition.must_draw_second else "may"
        )
        == "must",
        start_score=reader.number("start_score", -_MAX_MAGNITUDE, _MAX_MAGNITUDE, edition.start_score),
        first_player=reader.seat("first_player", players),
        peek_own_pile=reader.seats("peek_own_pile", players),
        flush_limit=reader.number("flush_limit", 1, _MAX_MAGNITUDE, 10),
        max_turns=reader.number("max_turns", 0, _MAX_MAGNITUDE, 0),
    )
    if faults:
        raise OptionError(faults)
    return options


class _Reader:
    """Reads named values and collects what is wrong with them."""

    def __init__(self, given: Mapping[str, object], faults: list[str]) -> None:
        self.given = given
        self.faults = faults

    def word(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.given.get(name, default)
        if isinstance(value, str) and value in allowed:
            return value
        self.faults.append(f"{name}: {value!r} is not one of {', '.join(allowed)}")
        return default

    def number(self, name: str, low: int, high: int, default: int) -> int:
        value = self.given.get(name, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.faults.append(f"{name}: {value!r} is not a whole number from {low} to {high}")
        return default

    def seat(self, name: str, players: int) -> int:
        value = self.given.get(name, "random")
        if value == "random":
            return RANDOM
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players:
            return value
        self.faults.append(f"{name}: {value!r} is neither 'random' nor a seat from 0 to {players - 1}")
        return RANDOM

    def seats(self, name: str, players: int) -> tuple[int, ...]:
        value = self.given.get(name, [])
        if isinstance(value, (list, tuple)):
            seats = [seat for seat in value if isinstance(seat, int) and not isinstance(seat, bool)]
            if (
                len(seats) == len(value)
                and len(set(seats)) == len(seats)
                and all(0 <= seat < players for seat in seats)
            ):
                return tuple(sorted(seats))
        self.faults.append(f"{name}: {value!r} is not a list of different seats from 0 to {players - 1}")
        return ()
