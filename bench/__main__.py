"""Run benchmark suites: `python -m bench engine`, or all of them without a name.

A suite is a module of this directory with `def run() -> Iterable[Result]`; the names of its results
start with the suite's name and a slash.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec

from bench.results import RESULTS, Result, format_table, merge

SUITES = ("engine", "rules", "session", "gateway", "league")


def present() -> list[str]:
    return [name for name in SUITES if find_spec(f"bench.{name}") is not None]


def run_suite(name: str) -> list[Result]:
    results: list[Result] = list(importlib.import_module(f"bench.{name}").run())
    strangers = [result["name"] for result in results if not result["name"].startswith(f"{name}/")]
    if strangers:
        sys.exit(f"suite {name} reports results of another suite: {', '.join(strangers)}")
    return results


def main() -> None:
    names = sys.argv[1:] or present()
    unknown = sorted(set(names) - set(present()))
    if unknown or not names:
        sys.exit(f"no such suite: {', '.join(unknown) or '-'}; there are: {', '.join(present()) or 'none'}")
    for name in names:
        results = run_suite(name)
        merge(name, results)
        print(format_table(results), flush=True)
    print(f"written: {RESULTS.relative_to(RESULTS.parent.parent)}")


if __name__ == "__main__":
    main()
