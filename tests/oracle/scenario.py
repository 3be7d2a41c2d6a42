"""Building the positions that the scenarios of docs/rules.md start from."""

from tests.oracle import apply_move, legal_moves, load_board, new_position

SEED = bytes(range(32))


def started(edition, players, **options):
    """Give a game whose seats have kept all tickets; seat 0 is to move."""
    board = load_board(edition)
    position = new_position(edition, players, {"first_player": 0, **options}, SEED)
    for seat in range(players):
        offer = position["players"][seat]["offer"]
        position = apply_move(position, seat, "keep_tickets " + ",".join(offer), board)
    return position, board


def table(position, row, deck=(), discard=None):
    """Lay out row, deck and discard; None is an empty slot."""
    position["row"] = [*row, *[None] * (5 - len(row))]
    position["deck"] = list(deck)
    position["discard"] = discard or {}


def play(position, board, *moves):
    """Let the active seat make moves one after the other."""
    for move in moves:
        position = apply_move(position, position["active"], move, board)
    return position


def moves_of(position, board, start):
    """Give the active seat's legal moves that begin with `start`, without it."""
    return {
        m.removeprefix(start) for m in legal_moves(position, position["active"], board) if m.startswith(start)
    }


def path(*routes):
    """Make routes from (end, end, length)."""
    return [{"id": f"r{i}", "a": a, "b": b, "length": n} for i, (a, b, n) in enumerate(routes)]


def small_board(routes, tickets):
    """Make a board of (end, end, length) routes r0, r1, … and (end, end, value) tickets t0, t1, …"""
    return {
        "routes": path(*routes),
        "tickets": [{"id": f"t{i}", "a": a, "b": b, "points": n} for i, (a, b, n) in enumerate(tickets)],
    }


def owned(edition, routes, tickets, stations=((), ())):
    """Give a two-player position with these owners of routes and holders of tickets."""
    position, _ = started(edition, 2)
    position["routes"] = routes
    for seat, player in enumerate(position["players"]):
        player["tickets"] = list(tickets[seat])
        player["stations"] = list(stations[seat])
    return position
