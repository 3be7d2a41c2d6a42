"""What the documents say is true: their Python runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    path
    for path in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")),
        *sorted((ROOT / "docs").glob("*.md")),
    )
    if path.exists()
]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def code_in(text: str) -> str:
    """Everything in a document that is set as code."""
    blocks = FENCED.findall(text)
    return "\n".join([*blocks, *CODE_SPAN.findall(FENCED.sub("", text))])


def anchors_in(path: Path) -> set[str]:
    headings = re.findall(r"^#+ +(.+?) *$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def python_blocks() -> list[object]:
    return [
        pytest.param(path, text[: match.start()].count("\n") + 1, match[1], id=f"{name_of(path)}:{number}")
        for path in DOCUMENTS
        for text in [path.read_text("utf-8")]
        for number, match in enumerate(BLOCK.finditer(text), 1)
    ]


@pytest.mark.parametrize(("path", "line", "source"), python_blocks())
def test_python_in_a_document_runs(path: Path, line: int, source: str) -> None:
    """Blocks are padded with empty lines, so that a traceback shows the line of the document."""
    exec(compile("\n" * line + source, str(path), "exec"), {"__name__": "__document__"})


def test_the_readme_shows_the_engine_in_python() -> None:
    assert BLOCK.search((ROOT / "README.md").read_text("utf-8"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_make_target_named_exists(path: Path) -> None:
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)", code_in(path.read_text("utf-8"))))
    assert named - TARGETS == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    broken = []
    for link in LINK.findall(FENCED.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (path.parent / place).resolve() if place else path
        if not target.exists() or (anchor and anchor not in anchors_in(target)):
            broken.append(link)
    assert broken == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert "make test" in script
    assert "make test" in code_in((ROOT / "README.md").read_text("utf-8"))


def test_every_target_is_explained_by_make_help() -> None:
    explained = set(re.findall(r"^([a-z][a-z-]*):.*## ", MAKEFILE, re.MULTILINE))
    assert explained == TARGETS
