"""Everything the engine does by itself between two decisions: turns, the last round, fulfilment, the end."""

from .naive_cards import add, cards_in, draw_from_deck, fill_row, settle
from .naive_fulfil import fulfil
from .naive_random import shuffled
from .naive_rules import LOCO, Board, Counts, Position, is_card, rules_of
from .naive_setup import hand_out_choices


def start_turn(position: Position, board: Board) -> None:
    """Begin the active seat's turn, or skip it if the seat is retired (COMMON-RESIGN-2)."""
    if position["players"][position["active"]]["retired"]:
        end_turn(position, board, "skipped")
    elif is_card(position):
        depart(position)
        position["phase"] = "action"
    else:
        position["phase"] = "turn_start"


def depart(position: Position) -> None:
    """Move the top card of every column to the road pile (CARD-ROAD-1, -2, -3)."""
    player = position["players"][position["active"]]
    for column in player["yard"]:
        if column["locos"] > 0:
            column["locos"] -= 1
            add(player["road"], LOCO)
        else:
            column["wagons"] -= 1
            add(player["road"], column["colour"])
    player["yard"] = [column for column in player["yard"] if column["wagons"] > 0]


def end_turn(position: Position, board: Board, kind: str = "played") -> None:
    """Do what COMMON-TURN-7 and FSM-12 ask, in order; `kind` is played, passed or skipped."""
    settle(position)
    position["turns"] += 1
    if kind == "played":
        position["passed"] = []
    elif kind == "passed":
        position["passed"] = sorted({*position["passed"], position["active"]})

    if one_seat_left(position):  # COMMON-RESIGN-4, after the last choice was settled by COMMON-RESIGN-2
        finish(position, board, "forfeit")
        return
    if position["final_turns_left"] is not None:
        position["final_turns_left"] -= 1
        if position["final_turns_left"] == 0:
            finish_round(position, board)
            return
    elif last_round_begins(position):
        position["final_turns_left"] = position["player_count"]

    if everybody_passed(position):
        finish(position, board, "normal")
    elif turns_are_used_up(position):
        finish(position, board, "max_turns")
    else:
        next_seat(position, board)


def one_seat_left(position: Position) -> bool:
    """Say whether only one seat is not retired."""
    return sum(not player["retired"] for player in position["players"]) == 1


def next_seat(position: Position, board: Board) -> None:
    """Pass the turn to the left (COMMON-TURN-2)."""
    position["active"] = (position["active"] + 1) % position["player_count"]
    start_turn(position, board)


def last_round_begins(position: Position) -> bool:
    """Test the trigger at the end of a turn (COMMON-END-1, CARD-END-1)."""
    if is_card(position):
        return not position["deck"]
    return bool(position["players"][position["active"]]["wagons"] <= 2)


def everybody_passed(position: Position) -> bool:
    """Test COMMON-END-7."""
    if is_card(position):
        return False
    staying = [seat for seat, player in enumerate(position["players"]) if not player["retired"]]
    return all(seat in position["passed"] for seat in staying)


def turns_are_used_up(position: Position) -> bool:
    """Test COMMON-END-8."""
    limit = position["options"]["max_turns"]
    return bool(limit > 0 and position["turns"] >= limit)


def finish_round(position: Position, board: Board) -> None:
    """Finish the game, or in the card game fulfil and perhaps begin a second round (CARD-SETUP-5)."""
    if not is_card(position):
        position["phase"] = "finished"
        position["ending"] = "normal"
    elif position["player_count"] == 4 and position["round"] == 1:
        if turns_are_used_up(position):
            finish(position, board, "max_turns")
        else:
            fulfil(position, board)
            second_round(position, board)
    else:
        finish(position, board, "normal")


def finish(position: Position, board: Board, ending: str) -> None:
    """End the game at once; in the card game the round is fulfilled first (COMMON-END-8)."""
    if position["phase"] == "setup_tickets":
        hand_out_choices(position)
    if is_card(position):
        fulfil(position, board)
    position["final_turns_left"] = None
    position["phase"] = "finished"
    position["ending"] = ending


def second_round(position: Position, board: Board) -> None:
    """Shuffle all cards not in hands, deal, lay the row and go on (CARD-ROUND2)."""
    resuming = (position["active"] + 1) % position["player_count"]  # CARD-ROUND2-6
    position["deck"] = shuffled(position, collect_for_second_round(position))[::-1]
    position["round"] = 2
    deal_second_round(position, resuming)
    fill_row(position)  # CARD-ROUND2-4
    position["final_turns_left"] = None if position["deck"] else position["player_count"]  # CARD-ROUND2-9
    position["active"] = resuming
    start_turn(position, board)


def collect_for_second_round(position: Position) -> list[str]:
    """Take up every train card that is not in a hand, sorted by number (CARD-ROUND2-2, -7)."""
    loose: Counts = {}
    for card in position["deck"] + [card for card in position["row"] if card is not None]:
        add(loose, card)
    for card in cards_in(position["discard"]):
        add(loose, card)
    for player in position["players"]:
        for card in cards_in(player["road"]):
            add(loose, card)
        for column in player["yard"]:
            add(loose, column["colour"], column["wagons"])
            add(loose, LOCO, column["locos"])
        player["road"] = {}
        player["yard"] = []
    position["row"] = [None] * 5
    position["discard"] = {}
    return cards_in(loose)


def deal_second_round(position: Position, resuming: int) -> None:
    """Deal four each, or a short deck one by one (CARD-ROUND2-3, -8)."""
    players = position["players"]
    if len(position["deck"]) >= 4 * len(players):
        for player in players:
            for _ in range(4):
                add(player["hand"], draw_from_deck(position))
        return
    seat = resuming
    while position["deck"]:
        add(players[seat]["hand"], draw_from_deck(position))
        seat = (seat + 1) % len(players)


def finish_setup_if_complete(position: Position, board: Board) -> None:
    """Begin the first turn once the last choice is in (COMMON-SETUP-10)."""
    if any(player["choice"] is None for player in position["players"]):
        return
    hand_out_choices(position)
    start_turn(position, board)


def put_back(position: Position, seat: int, rejected: list[str]) -> None:
    """Dispose of tickets rejected in mid-game (COMMON-TICKET-6, -7)."""
    if rules_of(position)["draw_rejects"] == "out":
        position["players"][seat]["out"] += rejected
    else:
        position["pile"] += rejected
