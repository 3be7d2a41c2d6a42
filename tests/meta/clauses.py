"""The clauses and scenarios of docs/rules.md, and which tests cite them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
RULES = TESTS.parent / "docs" / "rules.md"
_ENTRY = re.compile(r"^- \*\*([A-Z0-9]+(?:-[A-Z0-9]+)*-[0-9]+)\*\*", re.MULTILINE)


def listed() -> tuple[list[str], list[str]]:
    """Clause ids and scenario ids of the rules."""
    ids = _ENTRY.findall(RULES.read_text("utf-8"))
    scenarios = [name for name in ids if re.fullmatch(r"S-[0-9]+", name)]
    return [name for name in ids if name not in scenarios], scenarios


def cited(mark: str) -> dict[str, list[str]]:
    """Id to the files whose tests carry it in `pytest.mark.<mark>(...)`."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            owner = node.func.value
            if node.func.attr == mark and isinstance(owner, ast.Attribute) and owner.attr == "mark":
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        found.setdefault(argument.value, []).append(str(path.relative_to(TESTS.parent)))
    return found
