"""Applying a move, and retiring a seat; always to a copy."""

import copy

from .naive_cards import (
    add,
    draw_from_deck,
    leave_hand,
    parse_payment,
    payment_counts,
    return_to_hand,
    settle,
)
from .naive_moves import draw_moves, legal_moves
from .naive_rules import COLOURS, LOCO, Board, Position, route_by_id, rules_of
from .naive_turns import end_turn, finish, finish_setup_if_complete, one_seat_left, put_back


class IllegalMove(ValueError):
    """A move that is not on the list of legal moves (COMMON-TURN-5)."""


def apply_move(position: Position, seat: int, text: str, board: Board) -> Position:
    """Give the position after a move, with everything that follows by itself."""
    if position["edition"] in ("usa-2004", "lyon") and text.startswith("claim "):  # USA2004-COLOUR-1
        words = text.split(" ")
        text = " ".join([*words[:-1], words[-1].replace("brown", "orange")])
    if text not in legal_moves(position, seat, board):
        raise IllegalMove(f"seat {seat} cannot {text}")
    after = copy.deepcopy(position)
    carry_out(after, seat, text.split(" "), board)
    return after


def carry_out(position: Position, seat: int, words: list[str], board: Board) -> None:
    """Carry out a legal move."""
    name, rest = words[0], words[1:]
    if name == "keep_tickets":
        keep_tickets(position, seat, [] if rest == ["-"] else rest[0].split(","), board)
    elif name == "draw_deck":
        draw_deck(position, seat, board)
    elif name == "draw_row":
        draw_row(position, seat, int(rest[0]), board)
    elif name == "draw_tickets":
        draw_tickets(position, seat)
    elif name == "stop_drawing":
        end_turn(position, board)
    elif name == "pass":
        end_turn(position, board, "passed")
    elif name == "claim":
        claim(position, seat, rest[0], rest[1], board)
    elif name == "tunnel_pay":
        tunnel_pay(position, seat, rest[0], board)
    elif name == "tunnel_abandon":
        tunnel_abandon(position, seat, board)
    elif name == "build_station":
        build_station(position, seat, rest[0], rest[1], board)
    elif name == "play_same":
        wagons, locos = rest[1].split("+")
        place(position, seat, [(rest[0], int(wagons), int(locos))], board)
    elif name == "play_three":
        place(position, seat, [(colour, 1, 0) for colour in rest[0].split(",")], board)
    else:
        raise AssertionError(name)


def keep_tickets(position: Position, seat: int, kept: list[str], board: Board) -> None:
    """Choose among the tickets offered, at setup or in mid-game."""
    player = position["players"][seat]
    if position["phase"] == "setup_tickets":
        player["choice"] = kept
        finish_setup_if_complete(position, board)
        return
    player["tickets"] += kept
    put_back(position, seat, [ticket for ticket in player["offer"] if ticket not in kept])
    player["offer"] = []
    end_turn(position, board)


def draw_tickets(position: Position, seat: int) -> None:
    """Offer the top tickets of the pile (COMMON-TICKET-3)."""
    number = rules_of(position)["drawn"]
    position["players"][seat]["offer"] = position["pile"][:number]
    position["pile"] = position["pile"][number:]
    position["phase"] = "ticket_choice"


def draw_deck(position: Position, seat: int, board: Board) -> None:
    """Draw blind (FSM-3)."""
    add(position["players"][seat]["hand"], draw_from_deck(position))
    settle(position)
    after_a_card(position, board, whole_turn=False)


def draw_row(position: Position, seat: int, slot: int, board: Board) -> None:
    """Take a face-up card, which is replaced at once (FSM-1, FSM-2, COMMON-ROW-1)."""
    card = position["row"][slot]
    add(position["players"][seat]["hand"], card)
    add(position["players"][seat]["hand_at_least"], card)
    position["row"][slot] = None
    position["row_stands"] = False
    settle(position)
    after_a_card(position, board, whole_turn=card == LOCO and rules_of(position)["face_up_loco_is_two"])


def after_a_card(position: Position, board: Board, whole_turn: bool) -> None:
    """Go on to the second card if there can be one (FSM-4, FSM-5, COMMON-DRAW-8)."""
    was_second = position["phase"] == "after_first_card"
    if was_second or whole_turn or not draw_moves(position, second=True):
        end_turn(position, board)
    else:
        position["phase"] = "after_first_card"


def discard(position: Position, counts: dict[str, int]) -> None:
    """Put cards on the discard."""
    for card, number in counts.items():
        add(position["discard"], card, number)


def place_wagons(position: Position, seat: int, route_id: str, board: Board) -> None:
    """Give a seat a route and its points (COMMON-CLAIM-7, -13)."""
    length = route_by_id(board, route_id)["length"]
    position["routes"][route_id] = seat
    position["players"][seat]["wagons"] -= length
    position["players"][seat]["score"] += rules_of(position)["points"][length]


def claim(position: Position, seat: int, route_id: str, paid_text: str, board: Board) -> None:
    """Claim a route, or attempt a tunnel (FSM-6, FSM-7)."""
    paid = parse_payment(paid_text)
    leave_hand(position["players"][seat], payment_counts(paid))
    if route_by_id(board, route_id)["kind"] != "tunnel":
        discard(position, payment_counts(paid))
        place_wagons(position, seat, route_id, board)
        end_turn(position, board)
        return
    revealed: list[str] = []
    while len(revealed) < 3 and position["deck"]:  # EUR-TUNNEL-2, -15, -16
        revealed.append(draw_from_deck(position))
    colour = paid["colour"]
    due = sum(card in (LOCO, colour) for card in revealed)  # EUR-TUNNEL-3 to -6
    position["tunnel"] = {"route": route_id, "payment": paid, "revealed": revealed, "due": due}
    settle(position)
    if due > 0:
        position["phase"] = "tunnel_pending"
    else:  # EUR-TUNNEL-9
        succeed_in_tunnel(position, seat, {}, board)


def tunnel_pay(position: Position, seat: int, paid_text: str, board: Board) -> None:
    """Pay the extra cards and claim the tunnel (EUR-TUNNEL-10)."""
    extra = payment_counts(parse_payment(paid_text))
    leave_hand(position["players"][seat], extra)
    succeed_in_tunnel(position, seat, extra, board)


def succeed_in_tunnel(position: Position, seat: int, extra: dict[str, int], board: Board) -> None:
    """Claim the tunnel; base, extra and revealed cards enter the discard together (COMMON-DECK-5)."""
    tunnel = position["tunnel"]
    position["tunnel"] = None
    place_wagons(position, seat, tunnel["route"], board)
    discard(position, payment_counts(tunnel["payment"]))
    discard(position, extra)
    for card in tunnel["revealed"]:
        add(position["discard"], card)
    end_turn(position, board)


def tunnel_abandon(position: Position, seat: int, board: Board) -> None:
    """Take the base cards back (EUR-TUNNEL-13, -14)."""
    tunnel = position["tunnel"]
    position["tunnel"] = None
    return_to_hand(position["players"][seat], payment_counts(tunnel["payment"]))
    for card in tunnel["revealed"]:
        add(position["discard"], card)
    end_turn(position, board)


def build_station(position: Position, seat: int, city: str, paid_text: str, board: Board) -> None:
    """Build a station (EUR-STATION-1, -6)."""
    counts = payment_counts(parse_payment(paid_text))
    leave_hand(position["players"][seat], counts)
    discard(position, counts)
    position["players"][seat]["stations"].append(city)
    end_turn(position, board)


def place(position: Position, seat: int, columns: list[tuple[str, int, int]], board: Board) -> None:
    """Place columns in the yard, robbing others of those colours (CARD-YARD-3, -4, -8, FSM-11)."""
    for colour, wagons, locos in columns:
        leave_hand(position["players"][seat], {colour: wagons, LOCO: locos})
        for other in position["players"]:
            for column in [column for column in other["yard"] if column["colour"] == colour]:
                other["yard"].remove(column)
                discard(position, {colour: column["wagons"], LOCO: column["locos"]})
        position["players"][seat]["yard"].append({"colour": colour, "wagons": wagons, "locos": locos})
    position["players"][seat]["yard"].sort(key=lambda column: COLOURS.index(column["colour"]))
    end_turn(position, board)


def retire(position: Position, seat: int, board: Board) -> Position:
    """Give the position after a seat has retired (COMMON-RESIGN-1 to -4)."""
    if position["phase"] == "finished" or position["players"][seat]["retired"]:
        raise IllegalMove(f"seat {seat} cannot retire")
    after = copy.deepcopy(position)
    player = after["players"][seat]
    player["retired"] = True
    pending = after["phase"] in ("after_first_card", "ticket_choice", "tunnel_pending")
    if after["phase"] == "setup_tickets":
        if player["choice"] is None:
            player["choice"] = player["offer"][: rules_of(after)["setup_min"]]
        if one_seat_left(after):
            finish(after, board, "forfeit")
        else:
            finish_setup_if_complete(after, board)
    elif seat == after["active"] and (pending or not one_seat_left(after)):
        settle_pending_choice(after, seat, board)
    elif one_seat_left(after):
        finish(after, board, "forfeit")
    return after


def settle_pending_choice(position: Position, seat: int, board: Board) -> None:
    """Make the choice a retired active seat leaves open (COMMON-RESIGN-2)."""
    phase = position["phase"]
    if phase == "ticket_choice":
        first_ones = position["players"][seat]["offer"][: rules_of(position)["draw_min"]]
        keep_tickets(position, seat, first_ones, board)
    elif phase == "tunnel_pending":
        tunnel_abandon(position, seat, board)
    elif phase == "after_first_card" and position["options"]["second_card"] == "must":
        carry_out(position, seat, draw_moves(position, second=True)[0].split(" "), board)
    elif phase == "after_first_card":
        end_turn(position, board)
    else:
        end_turn(position, board, "skipped")
