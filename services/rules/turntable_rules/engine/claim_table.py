"""Numbers of all claims on a board, and which routes a hand can pay for, as tables of bit masks."""

from turntable_rules.engine.cards import COLOUR_COUNT, EMPTY


class ClaimTable:
    """Claims numbered from 0: colour by colour, route by route, locos ascending; then claims with locos alone."""

    def __init__(
        self, length: list[int], colour: list[int], min_locos: list[int], takes_locos: list[bool]
    ) -> None:
        routes = len(length)
        self.longest = max(length) if length else 0
        self.route: list[int] = []
        self.colour: list[int] = []
        self.locos: list[int] = []
        self.base: list[int] = [-1] * (COLOUR_COUNT * routes)
        """colour × routes + route: number of the claim with no loco, if it existed; claims with b locos follow."""
        self.all_loco: list[int] = [-1] * routes
        """Number of the claim with locos alone, -1 where locos cannot pay."""
        self.max_locos: list[int] = [length[r] - 1 if takes_locos[r] else 0 for r in range(routes)]
        """Most locos beside at least one wagon card."""
        self._number_claims(length, colour, min_locos, takes_locos)
        self.span = self.longest + 1
        self.affordable: list[int] = [0] * (COLOUR_COUNT * self.span * self.span)
        """(colour × span + wagons) × span + locos: routes that can be paid with at least one card of the colour."""
        self.affordable_locos: list[int] = [0] * self.span
        """Routes that can be paid with so many locos alone."""
        self.within: list[int] = [0] * self.span
        """Routes no longer than so many wagons (COMMON-CLAIM-6)."""
        self._fill_masks(length, colour, min_locos, takes_locos)

    def _number_claims(
        self, length: list[int], colour: list[int], min_locos: list[int], takes_locos: list[bool]
    ) -> None:
        routes = len(length)
        for c in range(COLOUR_COUNT):
            for r in range(routes):
                if colour[r] != EMPTY and colour[r] != c:
                    continue
                self.base[c * routes + r] = len(self.route) - min_locos[r]
                for locos in range(min_locos[r], self.max_locos[r] + 1):
                    self._add(r, c, locos)
        for r in range(routes):
            if takes_locos[r]:
                self.all_loco[r] = len(self.route)
                self._add(r, EMPTY, length[r])

    def _add(self, route: int, colour: int, locos: int) -> None:
        self.route.append(route)
        self.colour.append(colour)
        self.locos.append(locos)

    def _fill_masks(
        self, length: list[int], colour: list[int], min_locos: list[int], takes_locos: list[bool]
    ) -> None:
        routes = len(length)
        span = self.span
        bit = 1
        for r in range(routes):
            for cards in range(span):
                if length[r] <= cards:
                    self.within[cards] |= bit
                    if takes_locos[r]:
                        self.affordable_locos[cards] |= bit
            for c in range(COLOUR_COUNT):
                if colour[r] != EMPTY and colour[r] != c:
                    continue
                for wagons in range(1, span):
                    for locos in range(span):
                        fewest = max(min_locos[r], length[r] - wagons)
                        if fewest <= min(locos, self.max_locos[r]):
                            self.affordable[(c * span + wagons) * span + locos] |= bit
            bit *= 2
