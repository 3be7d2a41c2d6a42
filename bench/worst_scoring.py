"""Look for the positions whose exact final scoring takes longest: `python -m bench.worst_scoring --rounds 200`.

Times are of the engine found on the path, interpreted or compiled. A climb starts somewhere, changes a little, and
keeps what is slower.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import turntable_rules
from turntable_rules.engine import longest_path
from turntable_rules.engine.fulfilment import best_fulfilment
from turntable_rules.engine.loans import best_loans
from turntable_rules.engine.longest_path import line_length, trail_length
from turntable_rules.engine.tickets import TicketTable

DATA = Path(turntable_rules.__file__).parent / "boards" / "data"
BOARDS = ("usa", "europe", "lyon", "switzerland")
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "black", "white")
WAGONS = 45

Routes = list[tuple[int, int, int]]
Network = tuple[list[int], list[int], list[int]]
Pile = tuple[list[list[int]], list[int], list[int], list[int], int]


def milliseconds(call: Callable[[], object]) -> float:
    """The least of four runs, as the machine may be busy with something else."""
    times = []
    for _ in range(4):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def board_routes(name: str) -> Routes:
    """The routes of a board as (place, place, length)."""
    board = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    number = {city["id"]: index for index, city in enumerate(board["cities"])}
    return [(number[route["a"]], number[route["b"]], route["length"]) for route in board["routes"]]


def grid_routes(rows: int, columns: int, diagonals: bool) -> Routes:
    """A fan's board: places in rows, a wagon apart."""
    steps = [(0, 1), (1, 0), (1, 1)] if diagonals else [(0, 1), (1, 0)]
    return [
        (row * columns + column, (row + down) * columns + column + right, 1)
        for row in range(rows)
        for column in range(columns)
        for down, right in steps
        if row + down < rows and column + right < columns
    ]


def crossing_routes(rng: random.Random, places: int) -> Routes:
    """A fan's board on which short routes cross each other at will."""
    return [
        (one, two, rng.choice((1, 1, 1, 2)))
        for one in range(places)
        for two in range(one)
        if two == one - 1 or rng.random() < 6 / places
    ]


def network(routes: Routes, chosen: list[int]) -> Network:
    return (
        [routes[index][0] for index in chosen],
        [routes[index][1] for index in chosen],
        [routes[index][2] for index in chosen],
    )


def scattered(rng: random.Random, routes: Routes) -> Network:
    """Routes taken at random, as in random play, not both tracks of a double route."""
    chosen: list[int] = []
    left = WAGONS
    for index in rng.sample(range(len(routes)), len(routes)):
        one, two, length = routes[index]
        if length <= left and not any({one, two} == set(routes[other][:2]) for other in chosen):
            chosen.append(index)
            left -= length
        if left <= 2:
            break
    return network(routes, chosen)


def grown(rng: random.Random, routes: Routes, chosen: list[int]) -> list[int]:
    """The chosen routes and touching ones while wagons last, rather short ones and such as close a loop."""
    chosen = chosen.copy()
    left = WAGONS - sum(routes[index][2] for index in chosen)
    while True:
        places = {place for index in chosen for place in routes[index][:2]}
        best, best_cost = -1, 0.0
        for index, (one, two, length) in enumerate(routes):
            ends = (one in places) + (two in places)
            if index in chosen or length > left or (chosen and ends == 0):
                continue
            cost = length - 2 * ends + 3 * rng.random()
            if best < 0 or cost < best_cost:
                best, best_cost = index, cost
        if best < 0:
            return chosen
        chosen.append(best)
        left -= routes[best][2]


def slowest_network(
    rng: random.Random, routes: Routes, length: Callable[[list[int], list[int], list[int]], int], rounds: int
) -> float:
    worst = current = 0.0
    chosen: list[int] = []
    for attempt in range(rounds):
        if attempt % 50 == 0:
            chosen, current = grown(rng, routes, []), 0.0
        variant = grown(rng, routes, [index for index in chosen if rng.random() > 0.15])
        a, b, weight = network(routes, variant)
        taken = milliseconds(lambda a=a, b=b, weight=weight: length(a, b, weight))  # type: ignore[misc]
        if taken >= current:
            chosen, current = variant, taken
        worst = max(worst, taken)
    return worst


def slowest_loans(rng: random.Random, rounds: int) -> float:
    """Three stations with eight routes each to borrow, and 15 tickets."""
    worst = 0.0
    for _ in range(rounds):
        places = 47
        label = list(range(places))
        for place in rng.sample(range(places), rng.randint(0, 20)):
            label[place] = label[rng.randrange(places)]
        cities = rng.sample(range(places), 3)
        ends = [
            (city, rng.choice([p for p in range(places) if p != city])) for city in cities for _ in range(8)
        ]
        options = [[index for index, two in enumerate(ends) if city in two] for city in cities]
        a, b = [one for one, _ in ends], [two for _, two in ends]
        pairs = [rng.sample(sorted({*a, *b}), 2) for _ in range(15)]
        points = [[rng.randint(5, 21)] for _ in pairs]
        table = TicketTable([[one] for one, _ in pairs], [[[two]] for _, two in pairs], points)
        held = list(range(15))
        taken = milliseconds(lambda: best_loans(label, options, a, b, table, held))  # noqa: B023
        worst = max(worst, taken)
    return worst


def random_cards(rng: random.Random, size: int) -> tuple[list[int], int]:
    pile = rng.sample([colour for colour in range(8) for _ in range(10)] + [8] * 16, size)
    return [pile.count(colour) for colour in range(8)], pile.count(8)


def printed_pile(rng: random.Random, tickets: int, size: int) -> Pile:
    """Tickets of the card game and a pile of cards."""
    cards = json.loads((DATA / "card_game.json").read_text("utf-8"))["destinations"]
    drawn = [cards[index] for index in sorted(rng.sample(range(len(cards)), tickets))]
    needs = [[ticket["cards"].get(colour, 0) for colour in COLOURS] for ticket in drawn]
    points = [ticket["points"] for ticket in drawn]
    return needs, points, [len(ticket["big_cities"]) for ticket in drawn], *random_cards(rng, size)


def tight_pile(rng: random.Random, tickets: int, size: int) -> Pile:
    """Tickets worth just their cards, so that a great many sets are equally good."""
    shown = [rng.choices(range(8), k=rng.randint(2, 6)) for _ in range(tickets)]
    needs = [[cards.count(colour) for colour in range(8)] for cards in shown]
    names = [rng.randint(0, 2) for _ in needs]
    return needs, [len(cards) for cards in shown], names, *random_cards(rng, size)


def slowest_pile(
    rng: random.Random, make: Callable[[random.Random, int, int], Pile], tickets: int, rounds: int
) -> float:
    worst = 0.0
    for _ in range(rounds):
        pile = make(rng, tickets, rng.randint(20, 60))
        worst = max(worst, milliseconds(lambda pile=pile: best_fulfilment(*pile)))  # type: ignore[misc]
    return worst


def mean_microseconds(rng: random.Random, name: str) -> float:
    routes = board_routes(name)
    networks = [scattered(rng, routes) for _ in range(1000)]
    taken = milliseconds(lambda: [trail_length(a, b, weight) for a, b, weight in networks])
    return taken * 1000 / len(networks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="positions tried per search")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    rounds = options.rounds
    print("engine:", "interpreted" if longest_path.__file__.endswith(".py") else "compiled")
    for name in BOARDS:
        print(f"trail, random play, {name}: mean {mean_microseconds(rng, name):.1f} µs", flush=True)
    boards = {name: board_routes(name) for name in BOARDS}
    boards["grid"] = grid_routes(6, 7, diagonals=False)
    boards["triangles"] = grid_routes(5, 6, diagonals=True)
    for places in (12, 16, 20):
        boards[f"crossing-{places}"] = crossing_routes(rng, places)
    for name, routes in boards.items():
        slowest = [slowest_network(rng, routes, length, rounds) for length in (trail_length, line_length)]
        print(f"{name}: trail {slowest[0]:.2f} ms, no_fork {slowest[1]:.2f} ms", flush=True)
    print(f"loans: {slowest_loans(rng, rounds):.2f} ms", flush=True)
    for tickets in (20, 30):
        slowest = [slowest_pile(rng, make, tickets, rounds) for make in (printed_pile, tight_pile)]
        print(
            f"fulfilment, {tickets} tickets: printed {slowest[0]:.2f} ms, tight {slowest[1]:.2f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
