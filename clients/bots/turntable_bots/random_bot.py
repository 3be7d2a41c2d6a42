"""A bot that does not think."""

from collections.abc import Sequence

from turntable_bots.bot import Bot, Form


class RandomBot(Bot):
    """Plays any legal move, each as likely as the others."""

    name = "random"

    def decide(self, view: Form, legal_moves: Sequence[Form]) -> Form:
        """One of the legal moves."""
        return self.chance(view).choice(legal_moves)
