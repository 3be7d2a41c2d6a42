"""A new game, in the random order of docs/engine.md, and the end of the setup choice."""

from typing import Any

from .naive_cards import add, cards_in, draw_from_deck, settle
from .naive_random import Event, shuffled
from .naive_rules import (
    COLOURS,
    EDITIONS,
    LOCO,
    Board,
    Position,
    complete_options,
    load_board,
    rules_of,
    tickets_of,
)


def new_player(edition: str, options: dict[str, Any]) -> dict[str, Any]:
    """Give a seat what it has before any deal (COMMON-SETUP-2)."""
    gift = {LOCO: EDITIONS[edition]["gift_locos"]} if EDITIONS[edition]["gift_locos"] else {}  # CARD-SETUP-2
    return {
        "hand": dict(gift),
        "hand_at_least": dict(gift),
        "tickets": [],
        "offer": [],
        "choice": None,
        "out": [],
        "completed": [],
        "wagons": EDITIONS[edition]["wagons"],
        "score": options.get("start_score", 0),
        "stations": [],
        "retired": False,
        "yard": [],
        "road": {},
    }


def empty_position(edition: str, players: int, options: dict[str, Any], seed: bytes) -> Position:
    """Give the table before anything is shuffled."""
    if edition not in EDITIONS:
        raise ValueError(f"no edition {edition}")
    if players not in EDITIONS[edition]["players"]:  # COMMON-SETUP-1
        raise ValueError(f"{edition} is not for {players} players")
    if len(seed) != 32:
        raise ValueError("a seed has 32 bytes")
    complete = complete_options(edition, players, options)
    return {
        "format": "turntable-position/1",
        "edition": edition,
        "player_count": players,
        "options": complete,
        "board": "",
        "seed": seed.hex(),
        "draws": 0,
        "phase": "setup_tickets",
        "active": 0,
        "first": 0,
        "turns": 0,
        "round": 1,
        "final_turns_left": None,
        "passed": [],
        "row_stands": False,
        "ending": None,
        "deck": [],
        "row": [None] * 5,
        "discard": {},
        "pile": [],
        "unseen_out": [],
        "routes": {},
        "tunnel": None,
        "players": [new_player(edition, complete) for _ in range(players)],
    }


def deal_trains(position: Position) -> None:
    """Shuffle, deal hand by hand, lay the row and settle (COMMON-SETUP-3, -5)."""
    rules = rules_of(position)
    box = dict.fromkeys(COLOURS, rules["per_colour"])
    box[LOCO] = rules["locos"] - rules["gift_locos"] * position["player_count"]
    position["deck"] = shuffled(position, cards_in(box))[::-1]
    for player in position["players"]:
        for _ in range(rules["hand"]):
            add(player["hand"], draw_from_deck(position))
    settle(position)


def deal_tickets(position: Position, board: Board) -> None:
    """Deal the long tickets, if any, then the others (COMMON-SETUP-4, EUR-SETUP-2, -3)."""
    rules = rules_of(position)
    pile = [ticket["id"] for ticket in tickets_of(board)]
    if rules["long_dealt"]:
        long_ones = [ticket["id"] for ticket in tickets_of(board) if ticket["deck"] == "long"]
        pile = [ticket for ticket in pile if ticket not in long_ones]
        long_ones = shuffled(position, long_ones)[::-1]
        for player in position["players"]:
            player["offer"] += [long_ones.pop(0) for _ in range(rules["long_dealt"])]
        position["unseen_out"] = long_ones
    pile = shuffled(position, pile)[::-1]
    for player in position["players"]:
        player["offer"] += [pile.pop(0) for _ in range(rules["dealt"])]
    position["pile"] = pile


def new_position(
    edition: str, players: int, options: dict[str, Any], seed: bytes, board: Board | None = None
) -> Position:
    """Set up a game; every seat has then to choose tickets."""
    position = empty_position(edition, players, options, seed)
    deal_trains(position)
    deal_tickets(position, load_board(edition) if board is None else board)
    first = position["options"]["first_player"]
    if first == "random":  # COMMON-TURN-3
        first = Event(position).below(players)
    position["first"] = position["active"] = first
    return position


def hand_out_choices(position: Position) -> None:
    """Give every seat that has chosen its tickets and dispose of the others (COMMON-SETUP-9)."""
    how = rules_of(position)["setup_rejects"]
    rejected_any = False
    for player in position["players"]:
        if player["choice"] is None:
            continue
        rejected = [ticket for ticket in player["offer"] if ticket not in player["choice"]]
        player["tickets"] = [ticket for ticket in player["offer"] if ticket in player["choice"]]
        player["offer"] = []
        player["choice"] = None
        rejected_any = rejected_any or bool(rejected)
        if how == "out":  # EUR-SETUP-5, SWI-SETUP-3
            player["out"] += rejected
        else:  # USA-SETUP-3, CARD-SETUP-4
            position["pile"] += rejected
    if how == "shuffle" and rejected_any:
        bottom_to_top = position["pile"][::-1]
        position["pile"] = shuffled(position, bottom_to_top)[::-1]
