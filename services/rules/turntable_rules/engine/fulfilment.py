"""Which tickets a road pile completes in the card game, exact (CARD-FULFIL-1 to -7)."""

from typing import Final

from turntable_rules.engine.card_prices import COLOURS, UNIT, CardPrices

NARROW: Final = 32
# Piles kept per ticket in one pass. A narrow pass finds a good set, by which the next cuts off more. The search
# ends with a pass that dropped nothing but what cannot be best, so it is exact (CARD-FULFIL-7).
WIDTHS: Final = (256, 2048, 1 << 60)


def best_fulfilment(
    needs: list[list[int]], values: list[int], big_cities: list[int], have: list[int], locos: int
) -> list[int]:
    """Return the tickets to complete, ascending, best by CARD-FULFIL-5; tickets come by ascending id.

    `needs` holds per ticket the cards of each colour it shows, `big_cities` how many big-city names are on it.
    """
    search = PileSearch(needs, values, big_cities, have, locos)
    done = search.run(NARROW)
    if not done:
        search.price_points()
        done = search.run(NARROW)
    if not done:
        search.price_minor()
        for width in WIDTHS:
            if search.run(width):
                break
    last = len(needs) - 1
    return [ticket for ticket in range(len(needs)) if search.best >> (last - ticket) & 1]


class PileSearch:
    """Tickets are decided one by one; of sets that leave the same pile for the others only the best is kept.

    A rank is one number for a set of tickets: its points, tickets and names, then a bit per ticket, the first
    ticket's highest. The larger rank is the better by CARD-FULFIL-5: sets equal in all else are of one size, so
    the larger bits belong to the smaller list.
    """

    def __init__(
        self, needs: list[list[int]], values: list[int], big_cities: list[int], have: list[int], locos: int
    ) -> None:
        """Start with no ticket completed and nothing known of prices."""
        self.needs = needs
        self.have = have
        self.locos = locos
        tickets = len(needs)
        name_base = sum(big_cities) + 1
        minor = [name_base + names for names in big_cities]  # (2) and (3) in one number
        self.minor_base = sum(minor) + 1
        self.rank: list[int] = []
        for ticket in range(tickets):
            major = values[ticket] * self.minor_base + minor[ticket]
            self.rank.append((major << tickets) + (1 << (tickets - 1 - ticket)))
        self.best = 0
        self.best_points = 0
        self.best_minor = 0
        self.points = CardPrices(needs, values, [0] * tickets, have, locos)
        self.minor = CardPrices(needs, minor, values, have, locos)
        self.ample = max(have) + 1  # stands for any number of cards that covers all undecided tickets
        self.bits = self.ample.bit_length()
        self.mask = (1 << self.bits) - 1
        self.left: list[int] = [0] * COLOURS  # the pile at hand, unpacked
        self.order: list[int] = []
        self.demand: list[list[int]] = []  # per step the cards the undecided tickets show
        self.rest: list[int] = []  # per step their ranks together
        self._arrange()
        self.points_if_left = 0  # how the bounds change with the ticket of the step
        self.minor_if_left = 0
        self.points_if_taken = 0
        self.minor_if_taken = 0
        # The piles of one step: cards left, best rank of a set that leaves them, bounds for what it can become.
        self.pile: list[int] = []
        self.pile_rank: list[int] = []
        self.pile_points: list[int] = []
        self.pile_minor: list[int] = []
        self.found: dict[int, int] = {}

    def price_points(self) -> None:
        """Bound points by prices, and decide first what is clearly worth its cards or clearly not."""
        self.points.settle(0)
        self._arrange()

    def price_minor(self) -> None:
        """Bound number and names of tickets for sets with the points found so far."""
        self.minor.settle(self.best_points)

    def _arrange(self) -> None:
        surplus = self.points.surplus
        self.order = [ticket for _, ticket in sorted([(-abs(surplus[t]), t) for t in range(len(surplus))])]
        self.demand = [[0] * COLOURS]
        self.rest = [0]
        for ticket in reversed(self.order):
            self.demand.append(
                [self.demand[-1][colour] + self.needs[ticket][colour] for colour in range(COLOURS)]
            )
            self.rest.append(self.rest[-1] + self.rank[ticket])
        self.demand.reverse()
        self.rest.reverse()

    def run(self, width: int) -> bool:
        """Decide all tickets with at most `width` piles at a time; return whether that was enough."""
        enough = True
        self._clear()
        self._add(0, self.have.copy(), self.locos, 0, self.points.bound, self.minor.bound)
        for step in range(len(self.order)):
            piles, ranks, points, minor = self.pile, self.pile_rank, self.pile_points, self.pile_minor
            chosen = list(range(len(piles)))
            if len(piles) > width:
                enough = False
                by_bound = sorted([(-(points[index] // UNIT), -minor[index], index) for index in chosen])
                chosen = [index for _, _, index in by_bound[:width]]
            self._clear()
            ticket = self.order[step]
            self._weigh(ticket)
            for index in chosen:
                self._decide(
                    step, piles[index], ranks[index], points[index], minor[index], self.needs[ticket]
                )
        return enough

    def _weigh(self, ticket: int) -> None:
        """What the bounds lose if the ticket is left, although it is worth its cards, or taken, although it is not."""
        points, minor = self.points.surplus[ticket], self.minor.surplus[ticket]
        self.points_if_left = max(0, points)
        self.minor_if_left = max(0, minor)
        self.points_if_taken = min(0, points)
        self.minor_if_taken = min(0, minor)

    def _clear(self) -> None:
        self.pile = []
        self.pile_rank = []
        self.pile_points = []
        self.pile_minor = []
        self.found = {}

    def _decide(self, step: int, pile: int, rank: int, points: int, minor: int, need: list[int]) -> None:
        """Add what is left if the step's ticket is not completed, and if it is and the pile allows it."""
        left = self.left
        mask = self.mask
        bits = self.bits
        for colour in range(COLOURS):
            left[colour] = pile & mask
            pile >>= bits
        locos = pile
        self._add(step + 1, left, locos, rank, points - self.points_if_left, minor - self.minor_if_left)
        for colour in range(COLOURS):
            count = left[colour]
            if count != self.ample:
                count -= need[colour]
                if count < 0:
                    locos += count
                    count = 0
                left[colour] = count
        if locos >= 0:
            rank += self.rank[self.order[step]]
            self._add(step + 1, left, locos, rank, points + self.points_if_taken, minor + self.minor_if_taken)

    def _add(self, step: int, left: list[int], locos: int, rank: int, points: int, minor: int) -> None:
        """Keep the pile for the next step, unless its sets cannot be best or all undecided tickets fit."""
        if not self._can_be_best(points, minor):
            return
        demand = self.demand[step]
        short = 0
        pile = 0
        for colour in range(COLOURS - 1, -1, -1):
            count = left[colour]
            if count >= demand[colour]:
                count = self.ample
            else:
                short += demand[colour] - count
            pile = pile << self.bits | count
        if short <= locos:
            self._keep_better(rank + self.rest[step])
            return
        pile |= locos << self.bits * COLOURS
        known = self.found.get(pile, -1)
        if known < 0:
            self.found[pile] = len(self.pile)
            self.pile.append(pile)
            self.pile_rank.append(rank)
            self.pile_points.append(points)
            self.pile_minor.append(minor)
        elif rank > self.pile_rank[known]:
            self.pile_rank[known] = rank
            self.pile_points[known] = points
            self.pile_minor[known] = minor

    def _can_be_best(self, points: int, minor: int) -> bool:
        """Return whether sets with these bounds can be as good as the best found, in (1) to (3)."""
        if points >= (self.best_points + 1) * UNIT:
            return True
        needed = self.best_points * self.minor.weight + self.best_minor * UNIT
        return points >= self.best_points * UNIT and minor >= needed

    def _keep_better(self, rank: int) -> None:
        if rank > self.best:
            self.best = rank
            major = rank >> len(self.needs)
            self.best_points = major // self.minor_base
            self.best_minor = major % self.minor_base
