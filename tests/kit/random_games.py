"""Random games, for properties that hold in every position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tests.kit.table import Table

ALL = ("usa-2004", "usa", "lyon", "europe", "switzerland", "card")
BOARDS = ("usa-2004", "usa", "lyon", "europe", "switzerland")
MOST_PLAYERS = {"usa-2004": 5, "usa": 5, "lyon": 5, "europe": 5, "switzerland": 3, "card": 4}

# Kinds of move are chosen before moves, or the many ways to pay would crowd out everything else.
_WEIGHTS = {"draw_tickets": 1, "draw_deck": 4, "draw_row": 4, "claim": 8, "build_station": 1}


def seed_of(number: int) -> bytes:
    """A seed for every number."""
    return number.to_bytes(32, "big")


def seats_to_move(table: Table) -> list[int]:
    """The seats with a decision to make."""
    seats: list[int] = table.view(None)["active_seats"]
    return seats


def random_move(table: Table, seat: int, chance: Random) -> str:
    """One of the seat's legal moves."""
    by_kind: dict[str, list[str]] = {}
    for move in table.moves(seat):
        by_kind.setdefault(move.split(" ")[0], []).append(move)
    kinds = list(by_kind)
    kind = chance.choices(kinds, [_WEIGHTS.get(kind, 6) for kind in kinds])[0]
    return chance.choice(by_kind[kind])


def random_play(
    edition: str, players: int, number: int, options: Mapping[str, object] | None = None
) -> Iterator[tuple[Table, int, str]]:
    """A whole game: the table before each move, the seat and the move; the caller must not play on that table."""
    chance = Random(f"{edition} {players} {number}")
    table = Table.new(edition, players, seed_of(number), options)
    while table.phase != "finished":
        seat = chance.choice(seats_to_move(table))
        move = random_move(table, seat, chance)
        yield table, seat, move
        table.play(seat, move)


def begun(
    edition: str, players: int = 2, number: int = 0, options: Mapping[str, object] | None = None
) -> Table:
    """A game whose seats have kept all their tickets, at its first turn."""
    table = Table.new(edition, players, seed_of(number), options)
    for seat in range(players):
        table.play(seat, "keep_tickets " + ",".join(table.player(seat)["offer"]))
    return table
