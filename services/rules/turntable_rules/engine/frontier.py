"""Heaviest trail, or line without a fork, of one connected network: an exact search over a moving frontier.

Routes are decided one after another, taken or left. Of the past only the frontier matters, i.e. the places with
undecided routes: which of them the taken routes join, and which have an odd number of taken routes. Situations
equal in this are met once. The next to be looked at is the one with the highest bound; the bound forgets that the
routes have to be connected, so it is never too low and the first complete path is a heaviest (COMMON-PATH-7).
"""

from turntable_rules.engine.path_bounds import DegreeBounds, parity_bounds
from turntable_rules.engine.sweep import Sweep


def heaviest_set(
    places: int, a: list[int], b: list[int], weight: list[int], no_fork: bool, floor: int
) -> list[int]:
    """Return the routes of a heaviest path, in no order; none if no path is heavier than `floor`."""
    sweep = Sweep(places, a, b, weight)
    search = Search(sweep, no_fork)
    return [sweep.order[step] for step in search.run(floor)]


class Search:
    """The situations met so far, and those waiting by their bound."""

    def __init__(self, sweep: Sweep, no_fork: bool) -> None:
        """Prepare the bounds of every step."""
        self.sweep = sweep
        self.no_fork = no_fork
        self.bits = (sweep.width + 1).bit_length()
        self.full = sweep.width + 1  # no_fork: label of a place that has its two routes; 0: it has none
        self.room = parity_bounds(sweep)
        self.degree_bounds = DegreeBounds(sweep) if no_fork else None
        self.met: list[set[int]] = [set() for _ in sweep.order]
        self.waiting: list[list[int]] = [[] for _ in range(self.room[0][0] + 1)]
        self.step: list[int] = []
        self.labels: list[int] = []
        self.odd: list[int] = []  # odd slots * 3 + ends
        self.weight: list[int] = []
        self.parent: list[int] = []
        self.taken: list[bool] = []

    def run(self, floor: int) -> list[int]:
        """Return the steps taken on a heaviest path heavier than `floor`."""
        steps = len(self.sweep.order)
        bound = len(self.waiting) - 1
        self._add(-1, False, 0, 0, 0, 0, bound)
        while bound > floor:
            if not self.waiting[bound]:
                bound -= 1
                continue
            node = self.waiting[bound].pop()
            step = self.step[node]
            if step == steps:
                return self._steps_taken(node)
            key = self.labels[node] * len(self.room[step]) + self.odd[node]
            if key not in self.met[step]:
                self.met[step].add(key)
                self._decide(node, step, False, floor)
                self._decide(node, step, True, floor)
        return []

    def _steps_taken(self, node: int) -> list[int]:
        result: list[int] = []
        while self.parent[node] >= 0:
            before = self.parent[node]
            if self.taken[node]:
                result.append(self.step[before])
            node = before
        return result

    def _add(
        self, parent: int, taken: bool, step: int, labels: int, odd: int, weight: int, bound: int
    ) -> None:
        self.waiting[bound].append(len(self.step))
        self.parent.append(parent)
        self.taken.append(taken)
        self.step.append(step)
        self.labels.append(labels)
        self.odd.append(odd)
        self.weight.append(weight)

    def _decide(self, node: int, step: int, take: bool, floor: int) -> None:
        """Add the situation after the route of `step` is taken or left, unless it can lead to nothing."""
        sweep = self.sweep
        first, second = sweep.first[step], sweep.second[step]
        mask, ends = self.odd[node] // 3, self.odd[node] % 3
        weight = self.weight[node]
        if take:
            mask ^= (1 << first) | (1 << second)
            weight += sweep.weight[step]
        if sweep.first_leaves[step] and mask >> first & 1:
            mask ^= 1 << first
            ends += 1
        if sweep.second_leaves[step] and mask >> second & 1:
            mask ^= 1 << second
            ends += 1
        if ends > 2:
            return
        bound = weight + self.room[step + 1][mask * 3 + ends]
        if bound <= floor:
            return
        labels = self._unpack(self.labels[node])
        closed = 0  # parts of the path that no undecided route can reach
        if self.no_fork:
            if take and (labels[first] == self.full or labels[second] == self.full):
                return
            if take:
                closed += link_line(labels, first, second, self.full)
        elif take:
            link_trail(labels, first, second)
        if sweep.first_leaves[step]:
            closed += leave(labels, first, self.full)
        if sweep.second_leaves[step]:
            closed += leave(labels, second, self.full)
        if closed == 1 and weight > floor and not has_part(labels, self.full):
            self._add(node, take, len(sweep.order), 0, 0, weight, weight)
        elif closed == 0:
            if self.degree_bounds is not None:
                bound = min(bound, weight + self.degree_bounds.room(step + 1, labels, self.full))
            if bound > floor:
                self._add(node, take, step + 1, self._pack(labels), mask * 3 + ends, weight, bound)

    def _unpack(self, packed: int) -> list[int]:
        mask = (1 << self.bits) - 1
        labels: list[int] = []
        for _ in range(self.sweep.width):
            labels.append(packed & mask)
            packed >>= self.bits
        return labels

    def _pack(self, labels: list[int]) -> int:
        """Number the labels in the order of slots, so that equal partitions give equal numbers."""
        names = [0] * (self.full + 1)
        names[self.full] = self.full
        count = 0
        packed = 0
        for slot in range(len(labels) - 1, -1, -1):
            label = labels[slot]
            if label > 0 and names[label] == 0:
                count += 1
                names[label] = count
            packed = packed << self.bits | names[label]
        return packed


def link_trail(labels: list[int], first: int, second: int) -> None:
    """Join the two slots, whatever they are part of."""
    old = labels[first]
    new = labels[second]
    if old == 0 or new == 0:
        # With two free slots at most width - 2 labels are in use, so the number `width` is free.
        labels[first] = labels[second] = old + new if old + new > 0 else len(labels)
    elif old != new:
        rename(labels, old, new)


def link_line(labels: list[int], first: int, second: int, full: int) -> bool:
    """Join two places that have at most one route each; return whether this closes a loop or meets both ends."""
    old = labels[first]
    new = labels[second]
    if old == 0 and new == 0:
        labels[first] = labels[second] = len(labels)
        return False
    labels[first] = new if old == 0 else full
    labels[second] = old if new == 0 else full
    if old == 0 or new == 0:
        return False
    return not rename(labels, old, new) and new not in labels


def has_part(labels: list[int], full: int) -> bool:
    """Return whether some slot is still part of the path and can be continued."""
    for label in labels:
        if 0 < label < full:
            return True
    return False


def rename(labels: list[int], old: int, new: int) -> bool:
    """Give every slot labelled `old` the label `new`; return whether there was one."""
    found = False
    for slot in range(len(labels)):
        if labels[slot] == old:
            labels[slot] = new
            found = True
    return found


def leave(labels: list[int], slot: int, full: int) -> bool:
    """Free the slot; return whether its part of the path now touches no undecided place."""
    label = labels[slot]
    labels[slot] = 0
    return 0 < label < full and label not in labels
