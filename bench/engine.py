"""The engine's speed: whole random games per CPU second, interpreted and compiled, in interleaved rounds."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.results import Result
from tools import environment

ROUNDS = 5
ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "services" / "rules"

Figures = dict[str, float]

_UNITS = {
    "games": ("", "games/s"),
    "decisions": ("/decisions", "decisions/s"),
    "games_events": ("/checked", "games/s"),
    "decisions_events": ("/checked/decisions", "decisions/s"),
    "bytes": ("/bytes-to-bytes", "µs/decision"),
}


def run() -> Iterable[Result]:
    """Medians over the rounds; `ratio` of a compiled figure is to the interpreted one."""
    builds = {"interpreted": (Path(sys.executable), f"{SOURCES}{os.pathsep}{ROOT}")}
    compiled = environment.compiled_python()
    if compiled is not None:
        builds["compiled"] = (compiled, str(ROOT))
    rounds: dict[str, list[Figures]] = {build: [] for build in builds}
    for number in range(ROUNDS):
        for build, (python, path) in builds.items():
            print(f"engine: round {number + 1} of {ROUNDS}, {build}", file=sys.stderr, flush=True)
            rounds[build].append(measure(build, python, path))
    results: list[Result] = []
    medians = {build: median_of(figures) for build, figures in rounds.items()}
    for build, figures in medians.items():
        for key, value in figures.items():
            results.append(result(build, key, value, medians["interpreted"]))
    return results


def measure(build: str, python: Path, path: str) -> Figures:
    """One round in a process of its own."""
    command = [str(python), "-m", "bench.engine_worker"]
    variables = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    if report["compiled"] != (build == "compiled"):
        sys.exit(f"the {build} engine was asked for, but another one ran")
    figures: Figures = report["figures"]
    return figures


def median_of(rounds: list[Figures]) -> Figures:
    return {key: statistics.median(figures[key] for figures in rounds) for key in rounds[0]}


def result(build: str, key: str, value: float, interpreted: Figures) -> Result:
    """A figure by its full name."""
    if key == "reference":
        name, unit = f"engine/reference-loop/{build}", "loops/s"
    elif key == "clone":
        name, unit = f"engine/clone/usa/2p/{build}", "µs"
    else:
        edition, figure = key.split("/")
        suffix, unit = _UNITS[figure]
        name = f"engine/{edition}/2p/{build}{suffix}"
    found = Result(name=name, value=round(value, 3), unit=unit)
    if build == "compiled" and key != "reference":
        found["peer"] = "interpreted"
        found["ratio"] = round(value / interpreted[key], 3)
    return found
