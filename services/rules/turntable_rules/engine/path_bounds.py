"""What the undecided routes can add to a path at most, if they need not be connected."""

from typing import Final

from turntable_rules.engine.sweep import Sweep

NEVER: Final = -1_000_000  # bound of a situation that has more than two ends
UNIT: Final = 8  # shares of a route are counted in eighths of a wagon
ROUNDS: Final = 6  # passes over the places in which prices settle; any price gives a true bound


def parity_bounds(sweep: Sweep) -> list[list[int]]:
    """Return per step, at [odd slots * 3 + ends], the most wagons still to be had with two ends at most."""
    bounds: list[list[int]] = [[0, 0, 0]]
    for step in range(len(sweep.order) - 1, -1, -1):
        after = bounds[-1]
        one = 1 << sweep.first[step]
        two = 1 << sweep.second[step]
        gain = sweep.weight[step]
        first_leaves = sweep.first_leaves[step]
        second_leaves = sweep.second_leaves[step]
        size = len(after) // 3
        while size <= one or size <= two:
            size *= 2
        before = [NEVER] * (size * 3)
        for odd in range(size):
            for flip in range(2):
                mask = odd ^ (one | two) if flip else odd
                ends = 0
                if first_leaves and mask & one:
                    mask ^= one
                    ends += 1
                if second_leaves and mask & two:
                    mask ^= two
                    ends += 1
                index = mask * 3 + ends
                if index >= len(after):
                    continue
                for had in range(3 - ends):
                    value = after[index + had]
                    if flip:
                        value += gain
                    if value > before[odd * 3 + had]:
                        before[odd * 3 + had] = value
        bounds.append(before)
    bounds.reverse()
    return bounds


class DegreeBounds:
    """No fork: a place has two routes at most, so of its shares in the undecided routes two count."""

    def __init__(self, sweep: Sweep) -> None:
        """Divide every route between its ends and add up, per step, what places can still have."""
        self.width = sweep.width
        self.unmet: list[int] = [0]  # per step, the two largest shares of all places not met yet
        self.one: list[list[int]] = [[0] * sweep.width]  # per step and slot, the largest share
        self.two: list[list[int]] = [[0] * sweep.width]  # the two largest together
        price = place_prices(sweep)
        for step in range(len(sweep.order) - 1, -1, -1):
            self.unmet.append(self.unmet[-1])
            self.one.append(self.one[-1].copy())
            self.two.append(self.two[-1].copy())
            worth = sweep.weight[step] * UNIT
            first_share = (worth + price[sweep.a[step]] - price[sweep.b[step]]) // 2
            first_share = min(worth, max(0, first_share))
            self._add_share(sweep.first[step], sweep.first_leaves[step], first_share)
            self._add_share(sweep.second[step], sweep.second_leaves[step], worth - first_share)
        self.unmet.reverse()
        self.one.reverse()
        self.two.reverse()

    def _add_share(self, slot: int, leaves: bool, share: int) -> None:
        one, two = self.one[-1], self.two[-1]
        if leaves:  # seen backwards: here the slot's next place makes room for an earlier one
            self.unmet[-1] += two[slot]
            one[slot] = two[slot] = share
        elif share > one[slot]:
            two[slot] = share + one[slot]
            one[slot] = share
        else:
            two[slot] = max(two[slot], one[slot] + share)

    def room(self, step: int, labels: list[int], full: int) -> int:
        """Return the most wagons to be had from `step` on when `labels` tell how many routes places have."""
        room = self.unmet[step]
        one, two = self.one[step], self.two[step]
        for slot in range(self.width):
            if labels[slot] == 0:
                room += two[slot]
            elif labels[slot] < full:
                room += one[slot]
        return room // UNIT


def place_prices(sweep: Sweep) -> list[int]:
    """Return prices such that few routes are worth more than the prices of their ends, in UNITs."""
    places = max(max(sweep.a), max(sweep.b)) + 1
    steps_at: list[list[int]] = [[] for _ in range(places)]
    for step in range(len(sweep.order)):
        steps_at[sweep.a[step]].append(step)
        steps_at[sweep.b[step]].append(step)
    price = [0] * places
    for _ in range(ROUNDS):
        for place in range(places):
            worth = [0, 0, 0]
            for step in steps_at[place]:
                other = sweep.a[step] + sweep.b[step] - place
                worth.append(sweep.weight[step] * UNIT - price[other])
            worth.sort(reverse=True)
            price[place] = (worth[1] + worth[2]) // 2
    return price
