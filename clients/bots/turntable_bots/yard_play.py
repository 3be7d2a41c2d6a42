"""How the greedy bot plays the game of yards: send the colours that its tickets ask for on their way.

What has left the yard is hidden, from its owner too, and a bot remembers nothing: it takes the road pile to hold
its share of everything the tickets ask for.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from turntable_bots.bot import Form

USE: Final = 0.9
"""The share of all cards a seat comes by that ends up in a ticket."""
OVERLOAD: Final = 6.0
"""Points that every card asked for beyond that is likely to cost."""
LOCO_WORTH: Final = 0.9
"""A loco on the road fits any ticket, but it can also stretch a set to come."""
SPARE_WORTH: Final = 0.7
"""A card that no ticket held asks for may serve a later one."""
ENOUGH: Final = 2.0
"""What a set should be worth while there is time."""


class YardPlay:
    """One decision in the game of yards."""

    def __init__(self, view: Form, moves: Sequence[Form], chance: Random) -> None:
        self.view = view
        self.moves = moves
        self.chance = chance
        self.you = view["you"]
        self.hand: Mapping[str, int] = self.you["hand"]
        self.me = view["players"][self.you["seat"]]
        self.turns_left = self._turns_left()
        self.lacking = self._lacking()

    def move(self) -> Form:
        """The tickets worth keeping, new ones, the best set for the yard, or cards."""
        if self.moves[0]["type"] == "keep_tickets":
            return self._keep()
        return self._tickets() or self._set() or self._card()

    def _turns_left(self) -> int:
        """Turns this seat has yet to come, if the others draw about two turns of three."""
        players, left = len(self.view["players"]), self.view["finalTurnsLeft"]
        if left is not None:
            return int((left - 1) // players)
        return int(self.view["deckSize"] * 3 // (4 * players)) + 1

    def _room(self) -> float:
        """How many cards tickets may ask for in all."""
        yard = sum(column["wagons"] + column["locos"] for column in self.me["yard"])
        coming = self.view["deckSize"] / len(self.view["players"])
        return USE * float(self.me["roadPileSize"] + yard + self.me["handSize"] + coming)

    def _lacking(self) -> dict[str, float]:
        """Cards of each colour that tickets ask for and that are neither in the yard nor, presumably, on the road."""
        needed: dict[str, float] = {}
        for ticket in self.you["tickets"]:
            for colour, count in ticket["cards"].items():
                needed[colour] = needed.get(colour, 0) + count
        share = min(1.0, self.me["roadPileSize"] / (sum(needed.values()) or 1.0))
        pile = self.you.get("roadPile")
        for colour, count in needed.items():
            needed[colour] -= count * share if pile is None else pile.get(colour, 0)
        for column in self.me["yard"]:
            needed[column["colour"]] = needed.get(column["colour"], 0) - column["wagons"]
        return needed

    def _keep(self) -> Form:
        """The tickets with most points that there will be cards for."""
        offered = {ticket["id"]: ticket for ticket in self.you["offered"]}
        room = self._room() - _asked(self.you["tickets"])
        best, most = self.moves[0], float("-inf")
        for move in self.moves:
            kept = [offered[name] for name in move["tickets"]]
            points = sum(ticket["points"] for ticket in kept)
            worth = points - OVERLOAD * max(0.0, _asked(kept) - room) + self.chance.random() / 100
            if worth > most:
                best, most = move, worth
        return best

    def _tickets(self) -> Form | None:
        """More tickets, when there will be cards for them and time to send those."""
        if self.turns_left < 4 or self._room() - _asked(self.you["tickets"]) < 6:
            return None
        return self._first("draw_tickets")

    def _set(self) -> Form | None:
        """The set with most useful cards that still have time to leave the yard."""
        best: Form | None = None
        most = 0.0
        for move in self.moves:
            if move["type"] == "play_same":
                worth = self._worth(move["colour"], move["wagons"], move["locos"])
            elif move["type"] == "play_three":
                worth = sum(self._worth(colour, 1, 0) for colour in move["colours"])
            else:
                continue
            if worth > most:
                best, most = move, worth
        can_draw = any(move["type"] in ("draw_deck", "draw_row") for move in self.moves)
        return best if most >= ENOUGH or self.turns_left < 3 or not can_draw else None

    def _worth(self, colour: str, wagons: int, locos: int) -> float:
        """Locos leave a column first, and only one card leaves it per turn."""
        locos_gone = min(locos, self.turns_left)
        wagons_gone = min(wagons, self.turns_left - locos_gone)
        useful = max(0.0, min(float(wagons_gone), self.lacking.get(colour, 0.0)))
        stuck = wagons + locos - wagons_gone - locos_gone
        return useful + (wagons_gone - useful) * SPARE_WORTH + locos_gone * LOCO_WORTH - stuck

    def _card(self) -> Form:
        """A card of the row that tickets ask for, else one from the deck."""
        row = self.view["row"]
        best: Form | None = None
        most = 0.0
        for move in self.moves:
            if move["type"] == "draw_row":
                colour = row[move["slot"]]
                worth = self.lacking.get(colour, 0.0) - self.hand.get(colour, 0)
                if worth > most:
                    best, most = move, worth
        return best or self._first("draw_deck", "draw_row", "stop_drawing", "pass") or self.moves[0]

    def _first(self, *kinds: str) -> Form | None:
        for kind in kinds:
            for move in self.moves:
                if move["type"] == kind:
                    return move
        return None


def _asked(tickets: Sequence[Form]) -> int:
    """Cards that the tickets ask for in all."""
    return sum(sum(ticket["cards"].values()) for ticket in tickets)
