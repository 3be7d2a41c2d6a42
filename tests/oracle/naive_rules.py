"""The parameter table of section 1, the options of section 0.4, and where the boards are."""

import json
from pathlib import Path
from typing import Any

Position = dict[str, Any]
Board = dict[str, Any]
Counts = dict[str, int]

COLOURS = ["purple", "white", "blue", "yellow", "orange", "black", "red", "green"]
LOCO = "loco"
CARDS = [*COLOURS, LOCO]

ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
EUROPE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}

USA: dict[str, Any] = {
    "board_file": "usa",
    "players": range(2, 6),
    "wagons": 45,
    "stations": 0,
    "per_colour": 12,
    "locos": 14,
    "hand": 4,
    "gift_locos": 0,
    "long_dealt": 0,
    "dealt": 3,
    "setup_min": 2,
    "setup_rejects": "bottom",
    "drawn": 3,
    "draw_min": 1,
    "draw_rejects": "bottom",
    "face_up_loco_is_two": True,
    "locos_on_tunnels_only": False,
    "double_threshold": 3,
    "points": ROUTE_POINTS,
    "tie_breaks": ["tickets", "path"],
    "options": {
        "longest_path": "trail",
        "second_card": "may",
        "start_score": 0,
        "first_player": "random",
        "flush_limit": 10,
        "max_turns": 0,
    },
}

EDITIONS: dict[str, dict[str, Any]] = {
    "usa-2004": USA,
    "usa": USA,
    "lyon": {**USA, "board_file": "lyon"},
    "europe": {
        **USA,
        "board_file": "europe",
        "stations": 3,
        "long_dealt": 1,
        "setup_rejects": "out",
        "points": EUROPE_POINTS,
        "tie_breaks": ["tickets", "fewest_stations", "path"],
    },
    "switzerland": {
        **USA,
        "board_file": "switzerland",
        "players": range(2, 4),
        "wagons": 40,
        "dealt": 5,
        "setup_rejects": "out",
        "draw_rejects": "out",
        "face_up_loco_is_two": False,
        "locos_on_tunnels_only": True,
        "double_threshold": 2,
        "tie_breaks": ["tickets"],
        "options": {**USA["options"], "second_card": "must", "start_score": 100},
    },
    "card": {
        **USA,
        "board_file": "card_game",
        "players": range(2, 5),
        "wagons": 0,
        "per_colour": 10,
        "locos": 16,
        "hand": 7,
        "gift_locos": 1,
        "dealt": 6,
        "setup_min": 1,
        "setup_rejects": "shuffle",
        "drawn": 4,
        "draw_min": 0,
        "points": {},
        "tie_breaks": ["tickets", "cities"],
        "options": {"second_card": "must", "first_player": "random", "peek_own_pile": [], "max_turns": 0},
    },
}

BOARD_FOLDER = Path(__file__).parents[2] / "services" / "rules" / "turntable_rules" / "boards" / "data"


def load_board(edition: str) -> Board:
    """Read the board an edition is played on."""
    path = BOARD_FOLDER / f"{EDITIONS[edition]['board_file']}.json"
    with path.open(encoding="utf-8") as file:
        board: Board = json.load(file)
    return board


def rules_of(position: Position) -> dict[str, Any]:
    """Give the column of the parameter table for this position."""
    return EDITIONS[position["edition"]]


def is_card(position: Position) -> bool:
    """Tell whether this is The Card Game."""
    return bool(position["edition"] == "card")


def is_number(value: object, least: int) -> bool:
    """Tell whether an option value is an integer of at least `least`."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def check_option(name: str, value: Any, players: int) -> None:
    """Refuse an option value that section 0.4 does not list."""
    seats = range(players)
    allowed = {
        "longest_path": value in ("trail", "no_fork"),
        "second_card": value in ("may", "must"),
        "start_score": isinstance(value, int) and not isinstance(value, bool),
        "first_player": value == "random" or (is_number(value, 0) and value in seats),
        "peek_own_pile": isinstance(value, list) and all(is_number(s, 0) and s in seats for s in value),
        "flush_limit": is_number(value, 1),
        "max_turns": is_number(value, 0),
    }
    if not allowed[name]:
        raise ValueError(f"option {name} cannot be {value!r}")


def complete_options(edition: str, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Fill in the defaults and refuse what is unknown or foreign to the ruleset (section 0.4)."""
    defaults = EDITIONS[edition]["options"]
    for name, value in options.items():
        if name not in defaults:
            raise ValueError(f"{edition} has no option {name}")
        check_option(name, value, players)
    return {**defaults, **options}


def tickets_of(board: Board) -> list[dict[str, Any]]:
    """List the tickets of a board; the card game's file calls them destinations (8.2)."""
    tickets: list[dict[str, Any]] = board["destinations"] if "destinations" in board else board["tickets"]
    return tickets


def ticket_by_id(board: Board, ticket_id: str) -> dict[str, Any]:
    """Find a ticket."""
    return next(ticket for ticket in tickets_of(board) if ticket["id"] == ticket_id)


def route_by_id(board: Board, route_id: str) -> dict[str, Any]:
    """Find a route."""
    return next(route for route in board["routes"] if route["id"] == route_id)
