"""A demonstration: one game of every edition, played at random, told in a few lines each.

Usage: python -m turntable_rules.demo [SEED]
"""

import sys
from random import Random

from turntable_rules import (
    COMPILED,
    EDITIONS,
    Event,
    Result,
    apply,
    format_move,
    legal_actions,
    new_game,
    ruleset,
    score,
    seats_to_act,
    state_hash,
    statistics,
    to_move,
)


def play_game(edition: str, players: int, number: int) -> None:
    """Play one game at random and print its course."""
    random = Random(number)
    rules = ruleset(edition, players)
    events: list[Event] = []
    state = new_game(rules, random.randbytes(32), events)
    moves: list[str] = []
    while seats := seats_to_act(state):
        seat = seats[0]
        action = random.choice(legal_actions(state, seat))
        moves.append(f"seat {seat}: {format_move(to_move(state, seat, action))}")
        events += apply(state, seat, action)
    counters = statistics(rules, events)
    print(f"\n{rules.edition.name}, {players} players: {state.turns} turns, {len(moves)} decisions")
    print(f"  began   {moves[0]}; {moves[players]}")
    print(f"  ended   {moves[-1]}")
    print(f"  deck    {counters.reshuffles} reshuffles, {counters.flushes} flushes of the row")
    print_result(score(state))
    print(f"  state   {state_hash(state)}")


def print_result(result: Result) -> None:
    """Print totals and the winners."""
    for seat in result.seats:
        parts = [f"routes {seat.routes}", f"tickets {sum(ticket.points for ticket in seat.tickets):+}"]
        if seat.start:
            parts.insert(0, f"start {seat.start}")
        if seat.stations:
            parts.append(f"stations +{seat.stations}")
        if seat.path_bonus:
            parts.append(f"longest path {seat.path_length} +{seat.path_bonus}")
        if seat.city_bonuses:
            parts.append(f"cities +{sum(bonus.points for bonus in seat.city_bonuses)}")
        print(f"  seat {seat.seat}  {seat.total:4}   {', '.join(parts)}")
    print(f"  winner  {' and '.join(f'seat {seat}' for seat in result.winners)}")


def main() -> None:
    """Play one game of each edition."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2004
    print(
        f"Turntable rules engine, {'compiled' if COMPILED else 'interpreted'}; random players, number {number}"
    )
    for edition in EDITIONS.values():
        play_game(edition.id, min(3, edition.max_players), number)


if __name__ == "__main__":
    main()
