"""The result of a game: every component of every total (COMMON-SCORE-4)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TicketResult:
    """One ticket; `points` is negative where it failed."""

    id: str
    completed: bool
    points: int


@dataclass(frozen=True)
class Loan:
    """A station and the opponent's route it used, or None (EUR-STATION-10)."""

    city: str
    route: str | None


@dataclass(frozen=True)
class CityBonus:
    """A big-city bonus scored (CARD-CITY-2)."""

    city: str
    points: int


@dataclass(frozen=True)
class SeatResult:
    """One player's total and what it is made of."""

    seat: int
    start: int
    routes: int
    tickets: tuple[TicketResult, ...]
    stations: int
    """Points for stations not built."""
    loans: tuple[Loan, ...]
    path_length: int
    path_routes: tuple[str, ...]
    """One longest path, in walking order."""
    path_bonus: int
    city_bonuses: tuple[CityBonus, ...]
    total: int
    rank: int
    retired: bool

    @property
    def completed(self) -> int:
        """Number of completed tickets."""
        return sum(ticket.completed for ticket in self.tickets)


@dataclass(frozen=True)
class Result:
    """The result of all seats."""

    seats: tuple[SeatResult, ...]
    winners: tuple[int, ...]
    ending: str


def result_to_json(result: Result) -> dict[str, object]:
    """The result as plain data."""
    return {
        "seats": [_seat_to_json(seat) for seat in result.seats],
        "winners": list(result.winners),
        "ending": result.ending,
    }


def _seat_to_json(seat: SeatResult) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "start": seat.start,
        "routes": seat.routes,
        "tickets": [{"id": t.id, "completed": t.completed, "points": t.points} for t in seat.tickets],
        "stations": seat.stations,
        "loans": [{"city": loan.city, "route": loan.route} for loan in seat.loans],
        "longest_path": {
            "length": seat.path_length,
            "routes": list(seat.path_routes),
            "bonus": seat.path_bonus,
        },
        "city_bonuses": [{"city": bonus.city, "points": bonus.points} for bonus in seat.city_bonuses],
        "total": seat.total,
        "rank": seat.rank,
        "retired": seat.retired,
    }
