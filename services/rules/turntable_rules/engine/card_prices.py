"""Prices of cards that bound what a road pile can complete (CARD-FULFIL-4).

With a price per colour, and for a loco one not below any of them, no set of tickets the pile can pay for is worth
more than the price of the pile and the surplus, over the price of its cards, of every ticket that has one.
"""

from typing import Final

COLOURS: Final = 8
UNIT: Final = 1000  # prices are whole thousandths
ROUNDS: Final = 60  # steps in which prices settle; any prices give a true bound
SHRINK: Final = 0.93  # of each step to the one before


class CardPrices:
    """A bound on what sets of tickets are worth, the points of a set entering with a weight besides.

    For sets with just `goal` points, `bound - weight * goal` bounds their worth.
    """

    def __init__(
        self, needs: list[list[int]], worth: list[int], points: list[int], have: list[int], locos: int
    ) -> None:
        """Start with cards that cost nothing."""
        self.needs = needs
        self.worth = worth
        self.points = points
        self.have = have
        self.locos = locos
        self.weight = 0
        self.surplus: list[int] = []  # per ticket
        self.bound = 0  # of all sets; both in UNITs
        self._fix([0.0] * COLOURS, 0.0)

    def settle(self, goal: int) -> None:
        """Lower the bound step by step: dearer is what lacks, cheaper what is spare; no goal if it is 0."""
        price = [0.0] * COLOURS
        weight = 0.0
        best_price, best_weight, best_bound = price, weight, -1.0
        step = float(max(self.worth))
        for _ in range(ROUNDS):
            spare = self._cards_with_locos(price)
            bound = -weight * goal
            for colour in range(COLOURS):
                bound += price[colour] * spare[colour]
            missing = goal
            for ticket, need in enumerate(self.needs):
                surplus = self.worth[ticket] + weight * self.points[ticket]
                for colour in range(COLOURS):
                    surplus -= price[colour] * need[colour]
                if surplus > 0.0:
                    bound += surplus
                    missing -= self.points[ticket]
                    for colour in range(COLOURS):
                        spare[colour] -= need[colour]
            if best_bound < 0.0 or bound < best_bound:
                best_price, best_weight, best_bound = price, weight, bound
            if goal == 0:
                missing = 0
            length = float(missing * missing)
            for gap in spare:
                length += gap * gap
            if length == 0.0:
                break
            pace = step / length**0.5
            price = [max(0.0, price[colour] - pace * spare[colour]) for colour in range(COLOURS)]
            weight = max(0.0, weight + pace * missing)
            step *= SHRINK
        self._fix(best_price, best_weight)

    def _cards_with_locos(self, price: list[float]) -> list[float]:
        """Return the cards per colour, the locos divided among the dearest colours."""
        cards = [float(count) for count in self.have]
        dear = max(price) * 0.999
        dearest = [colour for colour in range(COLOURS) if price[colour] >= dear]
        for colour in dearest:
            cards[colour] += self.locos / len(dearest)
        return cards

    def _fix(self, price: list[float], weight: float) -> None:
        """Set bound and surpluses, in whole numbers and so free of rounding."""
        prices = [int(value * UNIT) for value in price]
        self.weight = int(weight * UNIT)
        self.bound = max(prices) * self.locos
        for colour in range(COLOURS):
            self.bound += prices[colour] * self.have[colour]
        self.surplus = []
        for ticket, need in enumerate(self.needs):
            surplus = self.worth[ticket] * UNIT + self.points[ticket] * self.weight
            for colour in range(COLOURS):
                surplus -= prices[colour] * need[colour]
            self.surplus.append(surplus)
            self.bound += max(0, surplus)
