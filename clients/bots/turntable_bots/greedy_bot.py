"""A bot that goes straight for its tickets."""

from collections.abc import Sequence

from turntable_bots.board import Board
from turntable_bots.board_play import BoardPlay
from turntable_bots.bot import Bot, Form
from turntable_bots.yard_play import YardPlay


class GreedyBot(Bot):
    """Plans the cheapest paths for its tickets and claims, draws or places what they ask for."""

    name = "greedy"

    def __init__(self, seed: bytes, board: Form | None = None) -> None:
        super().__init__(seed, board)
        self.board = Board(board)

    def decide(self, view: Form, legal_moves: Sequence[Form]) -> Form:
        """One of the legal moves."""
        if len(legal_moves) == 1:
            return legal_moves[0]
        kinds = {move["type"] for move in legal_moves}
        tickets = [*view["you"]["tickets"], *view["you"]["offered"]]
        if any("cards" in ticket for ticket in tickets) or kinds & {"play_same", "play_three"}:
            return YardPlay(view, legal_moves, self.chance(view)).move()
        play = BoardPlay(self.board, view, legal_moves, self.chance(view))
        if "keep_tickets" in kinds:
            return play.keep()
        if "tunnel_abandon" in kinds:
            return play.pay_tunnel()
        return play.turn()
