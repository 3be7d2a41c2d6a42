"""Compare the golden games with the engine, line by line; --write writes them anew (then change ENGINE_REVISION)."""

from __future__ import annotations

import argparse

import turntable_rules as engine
from tests.golden import golden


def main() -> int:
    """Write or compare the files of all editions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        for edition in engine.EDITIONS:
            golden.write(edition)
    failed = 0
    for edition in engine.EDITIONS:
        difference = golden.first_difference(edition)
        failed += difference is not None
        print(f"{edition:12} {'agrees' if difference is None else difference}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
