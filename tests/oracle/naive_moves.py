"""All legal moves of a seat, found by trying every candidate (FSM-14)."""

from itertools import combinations
from typing import Any

from .naive_cards import holds, payment, payment_text
from .naive_rules import COLOURS, LOCO, Board, Position, is_card, route_by_id, rules_of


def legal_moves(position: Position, seat: int, board: Board) -> list[str]:
    """List every legal move of a seat as text; none for a seat with nothing to decide (section 3.1)."""
    phase = position["phase"]
    player = position["players"][seat]
    if phase == "finished" or player["retired"]:
        return []
    if phase == "setup_tickets":
        if player["choice"] is not None:  # COMMON-SETUP-8
            return []
        return keep_moves(player["offer"], rules_of(position)["setup_min"])
    if seat != position["active"]:  # COMMON-TURN-4
        return []
    if phase == "ticket_choice":
        return keep_moves(player["offer"], rules_of(position)["draw_min"])
    if phase == "after_first_card":
        return second_card_moves(position)
    if phase == "tunnel_pending":
        return tunnel_moves(position, seat)
    return action_moves(position, seat, board)


def action_moves(position: Position, seat: int, board: Board) -> list[str]:
    """List what a seat may begin its action with."""
    moves = draw_moves(position, second=False)
    if position["pile"]:  # COMMON-TICKET-4
        moves.append("draw_tickets")
    if is_card(position):
        moves += play_same_moves(position, seat) + play_three_moves(position, seat)
    else:
        moves += claim_moves(position, seat, board)
    stations = station_moves(position, seat, board)
    if not moves:  # COMMON-PASS-1
        return [*stations, "pass"]
    return moves + stations


def keep_moves(offer: list[str], least: int) -> list[str]:
    """Try every subset of an offer (COMMON-TICKET-2, -5, -13)."""
    moves = []
    for size in range(len(offer) + 1):
        if size < min(least, len(offer)):
            continue
        for kept in combinations(offer, size):
            moves.append("keep_tickets " + (",".join(kept) if kept else "-"))
    return moves


def draw_moves(position: Position, second: bool) -> list[str]:
    """List the single-card draws (COMMON-DRAW-2, -3, -4, SWI-LOCO-1)."""
    moves = []
    if position["deck"]:
        moves.append("draw_deck")
    for slot in range(5):
        card = position["row"][slot]
        if card is None:
            continue
        if second and card == LOCO and rules_of(position)["face_up_loco_is_two"]:
            continue
        moves.append(f"draw_row {slot}")
    return moves


def second_card_moves(position: Position) -> list[str]:
    """List what may follow a first card (COMMON-DRAW-6)."""
    moves = draw_moves(position, second=True)
    if position["options"]["second_card"] == "may":
        moves.append("stop_drawing")
    return moves


def tunnel_moves(position: Position, seat: int) -> list[str]:
    """List the ways to pay exactly the extra cards due, and abandoning (EUR-TUNNEL-7, -8, -10, -11)."""
    tunnel = position["tunnel"]
    base_colour = tunnel["payment"]["colour"]
    moves = ["tunnel_abandon"]
    for wagons in range(tunnel["due"] + 1):
        if wagons > 0 and base_colour is None:
            continue
        extra = payment(base_colour, wagons, tunnel["due"] - wagons)
        if holds(position["players"][seat]["hand"], extra):
            moves.append("tunnel_pay " + payment_text(extra))
    return moves


def every_payment(number: int) -> list[dict[str, Any]]:
    """List every set of `number` cards of one colour and locos (COMMON-CLAIM-1, -2)."""
    payments = [payment(None, 0, number)]
    for colour in COLOURS:
        for locos in range(number):
            payments.append(payment(colour, number - locos, locos))
    return payments


def route_is_open(position: Position, seat: int, route: dict[str, Any], board: Board) -> bool:
    """Test that nobody has the route and no double route closes it (COMMON-DOUBLE-2, -3, -4, -7)."""
    if route["id"] in position["routes"]:
        return False
    if route["double_group"] is None:
        return True
    for other_id, owner in position["routes"].items():
        if route_by_id(board, other_id)["double_group"] != route["double_group"]:
            continue
        if owner == seat or position["player_count"] <= rules_of(position)["double_threshold"]:
            return False
    return True


def pays_for_route(position: Position, paid: dict[str, Any], route: dict[str, Any]) -> bool:
    """Test that a payment of the right size fits the route."""
    if route["color"] != "grey" and paid["wagons"] > 0 and paid["colour"] != route["color"]:
        return False  # COMMON-CLAIM-3
    if paid["locos"] < route["locomotives"]:
        return False  # EUR-FERRY-2
    tunnels_only = rules_of(position)["locos_on_tunnels_only"]
    return not (paid["locos"] > 0 and tunnels_only and route["kind"] != "tunnel")  # SWI-LOCO-2


def claim_moves(position: Position, seat: int, board: Board) -> list[str]:
    """Try every route with every payment."""
    player = position["players"][seat]
    moves = []
    for route in board["routes"]:
        if not route_is_open(position, seat, route, board):
            continue
        if player["wagons"] < route["length"]:  # COMMON-CLAIM-6
            continue
        for paid in every_payment(route["length"]):
            if pays_for_route(position, paid, route) and holds(player["hand"], paid):
                moves.append(f"claim {route['id']} {payment_text(paid)}")
    return moves


def station_moves(position: Position, seat: int, board: Board) -> list[str]:
    """Try every city with every payment for the next station (EUR-STATION-2, -4, -5, -17)."""
    player = position["players"][seat]
    cost = len(player["stations"]) + 1
    if cost > rules_of(position)["stations"]:
        return []
    moves = []
    for city in board["cities"]:
        if city.get("country") is not None:  # 8.2: never on a country's exit
            continue
        if any(city["id"] in other["stations"] for other in position["players"]):
            continue
        for paid in every_payment(cost):
            if holds(player["hand"], paid):
                moves.append(f"build_station {city['id']} {payment_text(paid)}")
    return moves


def may_place(position: Position, seat: int, colour: str, cards: int) -> bool:
    """Test whether a column of this colour and size may enter a yard (CARD-YARD-6, -7, -9)."""
    for owner, player in enumerate(position["players"]):
        for column in player["yard"]:
            if column["colour"] != colour:
                continue
            if owner == seat or cards <= column["wagons"] + column["locos"]:
                return False
    return True


def play_same_moves(position: Position, seat: int) -> list[str]:
    """Try every colour with every number of wagon cards and locos (CARD-YARD-1, -2, -5)."""
    hand = position["players"][seat]["hand"]
    moves = []
    for colour in COLOURS:
        for wagons in range(1, hand.get(colour, 0) + 1):
            for locos in range(hand.get(LOCO, 0) + 1):
                if wagons + locos >= 2 and may_place(position, seat, colour, wagons + locos):
                    moves.append(f"play_same {colour} {wagons}+{locos}")
    return moves


def play_three_moves(position: Position, seat: int) -> list[str]:
    """Try every three colours (CARD-YARD-4, -10)."""
    hand = position["players"][seat]["hand"]
    moves = []
    for colours in combinations(COLOURS, 3):
        if all(hand.get(c, 0) >= 1 and may_place(position, seat, c, 1) for c in colours):
            moves.append("play_three " + ",".join(colours))
    return moves
