"""The counters players compare after a game, derived from its events alone."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from turntable_rules.engine.events import Event
from turntable_rules.engine.ruleset import Ruleset


@dataclass
class SeatStatistics:
    """One player's counters."""

    seat: int
    turns: int = 0
    turns_skipped: int = 0
    passes: int = 0
    cards_drawn_blind: int = 0
    cards_taken_face_up: int = 0
    locos_drawn_blind: int = 0
    locos_taken_face_up: int = 0
    ticket_draws: int = 0
    tickets_offered: int = 0
    tickets_kept: int = 0
    tickets_completed: int = 0
    tickets_failed: int = 0
    routes: int = 0
    route_spaces: int = 0
    tunnels_claimed: int = 0
    tunnels_abandoned: int = 0
    extra_cards_paid: int = 0
    ferries_claimed: int = 0
    stations_built: int = 0
    longest_path: int = 0
    sets_placed: int = 0
    columns_robbed: int = 0
    columns_lost: int = 0

    @property
    def mean_route_length(self) -> float:
        """Spaces per route claimed; 0 without routes."""
        return self.route_spaces / self.routes if self.routes else 0.0


@dataclass
class GameStatistics:
    """Counters of a game and of each player."""

    seats: list[SeatStatistics]
    flushes: int = 0
    reshuffles: int = 0
    rounds: int = 1
    events: dict[str, int] = field(default_factory=dict)
    """How often each type of event happened."""


def statistics(rules: Ruleset, events: Iterable[Event]) -> GameStatistics:
    """Count the events of a game, from its creation on."""
    game = GameStatistics([SeatStatistics(seat) for seat in range(rules.players)])
    for event in events:
        _count(rules, game, event.type, event.in_full())
    return game


def _count(rules: Ruleset, game: GameStatistics, type: str, facts: dict[str, object]) -> None:
    game.events[type] = game.events.get(type, 0) + 1
    if type == "game_finished":
        _count_result(game, facts["result"])
    elif type == "row_flushed":
        game.flushes += 1
    elif type == "deck_reshuffled":
        game.reshuffles += 1
    elif type == "round_started":
        game.rounds += 1
    elif type == "column_robbed":
        game.seats[_number(facts["by"])].columns_robbed += 1
        game.seats[_number(facts["seat"])].columns_lost += 1
    elif "seat" in facts:
        _count_seat(rules, game.seats[_number(facts["seat"])], type, facts)


def _count_seat(rules: Ruleset, seat: SeatStatistics, type: str, facts: dict[str, object]) -> None:
    if type == "turn_started":
        seat.turns += 1
    elif type == "turn_skipped":
        seat.turns_skipped += 1
    elif type == "passed":
        seat.passes += 1
    elif type == "card_drawn":
        seat.cards_drawn_blind += 1
        seat.locos_drawn_blind += facts["card"] == "loco"
    elif type == "card_taken":
        seat.cards_taken_face_up += 1
        seat.locos_taken_face_up += facts["card"] == "loco"
    elif type == "tickets_offered":
        seat.ticket_draws += 1
        seat.tickets_offered += _number(facts["count"])
    elif type == "tickets_kept":
        seat.tickets_kept += _number(facts["kept"])
    elif type == "route_claimed":
        _count_route(rules, seat, facts)
    elif type == "tunnel_abandoned":
        seat.tunnels_abandoned += 1
    elif type == "station_built":
        seat.stations_built += 1
    elif type == "trains_placed":
        seat.sets_placed += 1


def _count_route(rules: Ruleset, seat: SeatStatistics, facts: dict[str, object]) -> None:
    assert rules.board is not None
    route = rules.board.routes[rules.route_index[str(facts["route"])]]
    seat.routes += 1
    seat.route_spaces += route.length
    seat.tunnels_claimed += route.kind == "tunnel"
    seat.ferries_claimed += route.kind == "ferry"
    extra = facts["extra"]
    if isinstance(extra, dict):
        seat.extra_cards_paid += _number(extra["wagons"]) + _number(extra["locos"])


def _count_result(game: GameStatistics, result: object) -> None:
    assert isinstance(result, dict)
    for seat in result["seats"]:
        counters = game.seats[seat["seat"]]
        counters.longest_path = seat["longest_path"]["length"]
        counters.tickets_completed = sum(ticket["completed"] for ticket in seat["tickets"])
        counters.tickets_failed = len(seat["tickets"]) - counters.tickets_completed


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
