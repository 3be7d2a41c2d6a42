"""Verify the perft files in full, by the engine and by the naive second implementation; --write makes them anew."""

from __future__ import annotations

import argparse

import turntable_rules as engine
from tests import oracle
from tests.perft import perft


def verify(edition: str) -> bool:
    """Count everything twice and print it."""
    data = perft.read(edition)
    board = oracle.load_board(edition)
    good = True
    for start in data["starts"]:
        state = perft.replay(edition, data["players"], data["seed"], start["moves"])
        position = engine.to_position(state)
        for depth, expected in enumerate(start["counts"], start=1):
            found = (perft.count(state, depth), perft.naive_count(position, board, depth))
            fits = found == (expected, expected)
            good = good and fits
            print(
                f"{edition:12} after {len(start['moves']):3} moves, depth {depth}: {expected:6}",
                "" if fits else found,
            )
    return good


def main() -> int:
    """Write or verify the files of all editions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        for edition in engine.EDITIONS:
            perft.write(edition)
    results = [verify(edition) for edition in engine.EDITIONS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
