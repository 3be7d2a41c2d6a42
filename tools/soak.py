"""Random games with every invariant checked after every move: python -m tools.soak GAMES=100000 [EDITION ...]

Player counts take turns; the slowest final scoring is noted. The last line printed is the result as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random
from typing import Any

import turntable_rules as engine
from turntable_rules.engine.scoring import tallies
from turntable_rules.engine.state import FINISHED, SETUP_TICKETS

BATCH = 250


def play_batch(edition: str, first: int, games: int) -> dict[str, Any]:
    """Play some games; stops at the first broken invariant and says how to repeat it."""
    facts = engine.EDITIONS[edition]
    report: dict[str, Any] = {"edition": edition, "games": 0, "decisions": 0, "longest": 0, "slowest_ms": 0.0}
    for number in range(first, first + games):
        players = facts.min_players + number % (facts.max_players - facts.min_players + 1)
        random = Random(number)
        state = engine.new_game(engine.ruleset(edition, players), random.randbytes(32))
        pick = random.random
        decisions = 0
        while state.phase != FINISHED:
            actions = engine.legal_actions(state)
            seat = state.choice.index(-1) if state.phase == SETUP_TICKETS else state.active
            start = time.thread_time()
            engine.play(state, seat, actions[int(pick() * len(actions))])
            if state.phase == FINISHED:
                tallies(state)  # timed with the last move, which in the card game fulfils the tickets
                report["slowest_ms"] = max(report["slowest_ms"], (time.thread_time() - start) * 1000)
            decisions += 1
            broken = engine.invariants(state)
            if broken:
                report["broken"] = f"{edition}, {players} players, game {number}, move {decisions}: {broken}"
                return report
        report["games"] += 1
        report["decisions"] += decisions
        report["longest"] = max(report["longest"], decisions)
    return report


def soak(edition: str, games: int, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """All batches of one edition over all cores, with a line of progress."""
    started = time.monotonic()
    total: dict[str, Any] = {"edition": edition, "games": 0, "decisions": 0, "longest": 0, "slowest_ms": 0.0}
    batches = [
        pool.submit(play_batch, edition, first, min(BATCH, games - first)) for first in range(0, games, BATCH)
    ]
    for batch in as_completed(batches):
        report = batch.result()
        for key in ("games", "decisions"):
            total[key] += report[key]
        for key in ("longest", "slowest_ms"):
            total[key] = max(total[key], report[key])
        if "broken" in report:
            total["broken"] = report["broken"]
            for other in batches:
                other.cancel()
            break
        if sys.stderr.isatty():
            print(f"\r{edition}: {total['games']} of {games} games", end="", file=sys.stderr, flush=True)
    total["seconds"] = round(time.monotonic() - started, 1)
    total["slowest_ms"] = round(total["slowest_ms"], 3)
    return total


def summary(report: dict[str, Any]) -> str:
    """One line for the terminal."""
    played = f"{report['games']:7} games {report['decisions']:9} decisions, longest {report['longest']}"
    timed = f"slowest scoring {report['slowest_ms']} ms, {report['seconds']} s"
    return f"{played}, {timed}  {report.get('broken', 'sound')}"


def main() -> int:
    """Soak the editions asked for, or all."""
    games = 100_000
    editions = []
    for argument in sys.argv[1:]:
        if argument.startswith("GAMES="):
            games = int(argument.removeprefix("GAMES="))
        else:
            editions.append(argument)
    build = "compiled" if engine.COMPILED else "interpreted"
    print(
        f"soak: {games} random games per ruleset, {build}, engine revision {engine.ENGINE_REVISION}",
        flush=True,
    )
    reports = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for edition in editions or engine.EDITIONS:
            report = soak(edition, games, pool)
            reports.append(report)
            print(f"{edition:12} {summary(report)}", flush=True)
    print(json.dumps(reports))
    return 1 if any("broken" in report for report in reports) else 0


if __name__ == "__main__":
    raise SystemExit(main())
