"""Break the engine on purpose, clause by clause, and see that a test citing the clause fails each time.

The mutations are in tests/mutants/*.toml. Usage: python -m tools.mutants [CLAUSE ...] [--jobs N]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.meta.clauses import cited

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "services" / "rules"
LISTS = ROOT / "tests" / "mutants"


@dataclass(frozen=True)
class Mutant:
    """One deliberate mistake: in `file`, `before` becomes `after`."""

    clause: str
    file: str
    before: str
    after: str


def all_mutants() -> list[Mutant]:
    """Every mutation on the list."""
    mutants = []
    for path in sorted(LISTS.glob("*.toml")):
        mutants += [Mutant(**entry) for entry in tomllib.loads(path.read_text("utf-8"))["mutant"]]
    return mutants


def fault(mutant: Mutant) -> str | None:
    """What is wrong with a mutation itself, if anything: its text has to stand in the file exactly once."""
    path = SOURCES / "turntable_rules" / mutant.file
    if not path.is_file():
        return f"{mutant.file} does not exist"
    found = path.read_text("utf-8").count(mutant.before)
    if found != 1 or mutant.before == mutant.after:
        return f"the text stands {found} times in {mutant.file}: {mutant.before!r}"
    return None


@cache
def citing_files() -> dict[str, list[str]]:
    """Clause to the test files that cite it."""
    return cited("clause")


def survives(mutant: Mutant) -> str | None:
    """None if a test citing the clause fails on the broken engine; otherwise what happened instead."""
    problem = fault(mutant)
    if problem:
        return problem
    files = sorted(set(citing_files().get(mutant.clause, ())))
    if not files:
        return "no test cites it"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCES / "turntable_rules", Path(folder) / "turntable_rules")
        broken = Path(folder) / "turntable_rules" / mutant.file
        broken.write_text(broken.read_text("utf-8").replace(mutant.before, mutant.after), "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["-o", f"pythonpath={folder} .", "--clause", mutant.clause, *files]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False
        )
    if done.returncode == 1 and "FAILED " in done.stdout:
        return None
    return f"survived (pytest exit {done.returncode}): {done.stdout.strip().splitlines()[-1:]}"


def main() -> int:
    """Run the mutations asked for and print what each did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clauses", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    mutants = [m for m in all_mutants() if not arguments.clauses or m.clause in arguments.clauses]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = list(pool.map(survives, mutants))
    failed = 0
    for mutant, outcome in zip(mutants, outcomes, strict=True):
        failed += outcome is not None
        print(
            f"{'caught  ' if outcome is None else 'SURVIVED'} {mutant.clause:18} {mutant.file}  {outcome or ''}"
        )
    clauses = len({mutant.clause for mutant in mutants})
    print(f"{len(mutants) - failed} of {len(mutants)} mutations caught, {clauses} clauses")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
