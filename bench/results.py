"""What a benchmark reports, how it is printed, and the file the figures are kept in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

RESULTS = Path(__file__).resolve().parent / "results.json"


class Result(TypedDict):
    """One figure, e.g. `engine/usa/2p/compiled` in `games/s`; `ratio` compares it with that of `peer`."""

    name: str
    value: float
    unit: str
    peer: NotRequired[str]
    ratio: NotRequired[float]


def format_table(results: Sequence[Result]) -> str:
    """The results as a table for the terminal."""
    rows = [("name", "value", "unit", "peer", "ratio")]
    for result in results:
        ratio = f"{result['ratio']:.2f} x" if "ratio" in result else ""
        rows.append(
            (result["name"], format_value(result["value"]), result["unit"], result.get("peer", ""), ratio)
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, value, unit, peer, ratio in rows:
        cells = (name.ljust(widths[0]), value.rjust(widths[1]), unit.ljust(widths[2]), peer.ljust(widths[3]))
        lines.append("  ".join((*cells, ratio.rjust(widths[4]))).rstrip())
    return "\n".join(lines)


def format_value(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def merge(suite: str, results: Iterable[Result], path: Path = RESULTS) -> None:
    """Replace the figures of one suite in the file, keep those of the others."""
    kept: list[Result] = json.loads(path.read_text("utf-8")) if path.exists() else []
    kept = [result for result in kept if not result["name"].startswith(f"{suite}/")]
    merged = sorted([*kept, *results], key=lambda result: result["name"])
    lines = ",\n".join(f"  {json.dumps(result)}" for result in merged)
    path.write_text(f"[\n{lines}\n]\n" if merged else "[]\n", "utf-8")
