"""The final scoring and the ranking (COMMON-SCORE, COMMON-TIE, EUR-STATION, CARD-SCORE, CARD-CITY)."""

from itertools import product
from typing import Any

from .naive_paths import joined, longest_path
from .naive_rules import Board, Position, is_card, route_by_id, rules_of, ticket_by_id

Route = dict[str, Any]
Outcome = dict[str, Any]


def score(position: Position, board: Board) -> dict[str, Any]:
    """Score a finished game: `seats` (components, total, rank), `winners`, `ranking` (seats, best first)."""
    count = position["player_count"]
    if is_card(position):
        seats = [card_seat(position, seat, board) for seat in range(count)]
        add_city_bonuses(seats, position, board)
    else:
        seats = [board_seat(position, seat, board) for seat in range(count)]
        add_path_bonuses(seats)
    for line in seats:
        line["total"] = (
            line["start_score"] + line["route_points"] + line["ticket_points"] + line["station_points"]
        ) + (line["longest_path_bonus"] + sum(line["city_bonuses"].values()))
    keys = [rank_key(position, line) for line in seats]
    for line, key in zip(seats, keys, strict=True):
        line["rank"] = 1 + sum(other > key for other in keys)  # COMMON-TIE-3
    ranking = sorted(range(count), key=lambda seat: (seats[seat]["rank"], seat))
    winners = [seat for seat in range(count) if seats[seat]["rank"] == 1]  # COMMON-TIE-4
    return {"seats": seats, "winners": winners, "ranking": ranking}


def rank_key(position: Position, line: dict[str, Any]) -> list[int]:
    """Give what a seat is compared by; retired seats come after all others (COMMON-RESIGN-3)."""
    criteria = {
        "tickets": line["tickets_completed"],
        "path": line["longest_path"],
        "fewest_stations": -line["stations_built"],
        "cities": len(line["city_bonuses"]),
    }
    staying = 0 if position["players"][line["seat"]]["retired"] else 1
    return [staying, line["total"]] + [criteria[name] for name in rules_of(position)["tie_breaks"]]


def new_line(seat: int, start_score: int, outcomes: list[Outcome]) -> dict[str, Any]:
    """Give a seat's line of the result with nothing but its tickets scored."""
    return {
        "seat": seat,
        "start_score": start_score,
        "route_points": 0,
        "tickets": outcomes,
        "ticket_points": sum(outcome["value"] for outcome in outcomes),
        "tickets_completed": sum(outcome["completed"] for outcome in outcomes),
        "stations_built": 0,
        "station_points": 0,
        "loans": [],
        "longest_path": 0,
        "longest_path_bonus": 0,
        "city_bonuses": {},
    }


def board_seat(position: Position, seat: int, board: Board) -> dict[str, Any]:
    """Score one seat of a board game, longest-path bonus apart (COMMON-SCORE-1)."""
    player = position["players"][seat]
    rules = rules_of(position)
    own = [route_by_id(board, route) for route, owner in position["routes"].items() if owner == seat]
    loans, outcomes = best_loans(position, seat, own, board)
    line = new_line(seat, position["options"]["start_score"], outcomes)
    line["route_points"] = sum(rules["points"][route["length"]] for route in own)
    line["stations_built"] = len(player["stations"])
    line["station_points"] = 4 * (rules["stations"] - len(player["stations"]))  # EUR-STATION-9
    line["loans"] = loans
    line["longest_path"] = longest_path(own, position["options"]["longest_path"])
    return line


def ticket_outcome(ticket: dict[str, Any], routes: list[Route], board: Board) -> Outcome:
    """Say whether a ticket is completed and what it is worth (COMMON-TICKET-11, SWI-MULTI-2 to -4)."""
    if "targets" in ticket:
        start, targets = ticket["from"], [(target["to"], target["points"]) for target in ticket["targets"]]
    else:
        start, targets = ticket["a"], [(ticket["b"], ticket["points"])]
    reached = [points for place, points in targets if joined(board, routes, start, place)]
    value = max(reached) if reached else -min(points for _, points in targets)
    return {"id": ticket["id"], "completed": bool(reached), "value": value}


def outcomes_with(position: Position, seat: int, routes: list[Route], board: Board) -> list[Outcome]:
    """Give the outcome of every ticket of a seat that may use these routes."""
    held = position["players"][seat]["tickets"]
    return [ticket_outcome(ticket_by_id(board, ticket), routes, board) for ticket in held]


def loan_candidates(position: Position, seat: int, city: str, board: Board) -> list[Route | None]:
    """List what a station may borrow: nothing, or an opponent's route to its city (EUR-STATION-10, -12)."""
    routes = [route_by_id(board, route) for route, owner in position["routes"].items() if owner != seat]
    return [None, *(route for route in routes if city in (route["a"], route["b"]))]


def best_loans(
    position: Position, seat: int, own: list[Route], board: Board
) -> tuple[list[str | None], list[Outcome]]:
    """Search all combinations of loans (EUR-STATION-14)."""
    stations = position["players"][seat]["stations"]
    best: tuple[Any, list[str | None], list[Outcome]] | None = None
    for loans in product(*(loan_candidates(position, seat, city, board) for city in stations)):
        borrowed = [route for route in loans if route is not None]
        outcomes = outcomes_with(position, seat, own + borrowed, board)
        value = sum(outcome["value"] for outcome in outcomes)
        completed = sum(outcome["completed"] for outcome in outcomes)
        names = ["" if route is None else route["id"] for route in loans]
        merit = (-value, -completed, names)
        if best is None or merit < best[0]:
            best = merit, [None if route is None else route["id"] for route in loans], outcomes
    if best is None:
        raise AssertionError("there is always the empty combination")
    return best[1], best[2]


def add_path_bonuses(seats: list[dict[str, Any]]) -> None:
    """Give 10 points to all who have the longest path (COMMON-PATH-5, -6)."""
    longest = max(line["longest_path"] for line in seats)
    for line in seats:
        if longest > 0 and line["longest_path"] == longest:
            line["longest_path_bonus"] = 10


def card_seat(position: Position, seat: int, board: Board) -> dict[str, Any]:
    """Score one seat of the card game, city bonuses apart (CARD-SCORE-1, -2)."""
    player = position["players"][seat]
    outcomes = []
    for ticket in player["completed"]:
        outcomes.append({"id": ticket, "completed": True, "value": ticket_by_id(board, ticket)["points"]})
    for ticket in player["tickets"]:
        outcomes.append({"id": ticket, "completed": False, "value": -ticket_by_id(board, ticket)["points"]})
    return new_line(seat, 0, outcomes)


def add_city_bonuses(seats: list[dict[str, Any]], position: Position, board: Board) -> None:
    """Give each big city's bonus to all who completed most tickets naming it (CARD-CITY-2 to -5)."""
    for city, bonus in board["bonuses"].items():
        counts = []
        for line in seats:
            completed = position["players"][line["seat"]]["completed"]
            counts.append(sum(city in ticket_by_id(board, ticket)["big_cities"] for ticket in completed))
        for line, count in zip(seats, counts, strict=True):
            if count > 0 and count == max(counts):
                line["city_bonuses"][city] = bonus
