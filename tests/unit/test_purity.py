"""The engine is pure: it imports little, touches nothing outside itself, and names no edition."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.tree

RULES = Path(__file__).resolve().parents[2] / "services" / "rules"
PACKAGE = RULES / "turntable_rules"
ENGINE = sorted((PACKAGE / "engine").rglob("*.py"))
BOARDS = sorted((PACKAGE / "boards").rglob("*.py"))
EDITIONS = sorted((PACKAGE / "editions").rglob("*.py")) + sorted(PACKAGE.glob("editions.py"))

ENGINE_MAY_IMPORT = {
    "__future__",
    "bisect",
    "collections.abc",
    "dataclasses",
    "enum",
    "hashlib",
    "json",
    "mypy_extensions",
    "re",
    "typing",
}
# Of the engine only its board type and the fixed numbers of the card colours.
BOARDS_MAY_USE = {"turntable_rules.boards", "turntable_rules.engine.board", "turntable_rules.engine.cards"}
EDITIONS_MAY_USE = {"turntable_rules.boards", "turntable_rules.editions", "turntable_rules.engine"}
FORBIDDEN_CALLS = {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"}
EDITION_NAMES = {"usa-2004", "usa", "lyon", "europe", "switzerland", "card"}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(RULES).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> Iterator[str]:
    """The absolute names of all modules that a file imports, wherever in the file."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            is_package = (RULES / module.replace(".", "/")).is_dir()
            # `from package import name` imports a module where there is one of that name.
            for alias in node.names:
                inner = RULES / module.replace(".", "/") / alias.name
                is_module = is_package and (inner.is_dir() or inner.with_suffix(".py").is_file())
                yield f"{module}.{alias.name}" if is_module else module


def within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def own(names: Iterator[str]) -> set[str]:
    return {name for name in names if within(name, {"turntable_rules"})}


def docstrings_of(tree: ast.Module) -> set[int]:
    """The ids of the constants that are docstrings or bare strings."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def names_in(part: ast.AST) -> Iterator[object]:
    """The constants of an expression; `facts["card"]` is a field of an event, not an edition."""
    match part:
        case ast.Subscript(value=value, slice=ast.Constant("card")):
            yield from names_in(value)
        case ast.Constant(value=value):
            yield value
        case _:
            for child in ast.iter_child_nodes(part):
                yield from names_in(child)


def edition_comparisons(tree: ast.Module) -> Iterator[ast.AST]:
    """Places where something is compared with, matched against or looked up by an edition's name."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare() | ast.MatchValue() | ast.Subscript() | ast.If() | ast.IfExp():
                part = node.test if isinstance(node, ast.If | ast.IfExp) else node
                if any(name in EDITION_NAMES for name in names_in(part) if isinstance(name, str)):
                    yield node


def test_there_is_an_engine_to_look_at() -> None:
    assert ENGINE


@pytest.mark.parametrize("path", ENGINE, ids=module_name)
def test_engine_imports_only_the_allowed_modules_and_itself(path: Path) -> None:
    foreign = {name for name in imports_of(path) if not within(name, {"turntable_rules.engine"})}
    assert foreign - ENGINE_MAY_IMPORT == set()


@pytest.mark.parametrize("path", ENGINE, ids=module_name)
def test_engine_neither_reads_nor_writes_nor_evaluates(path: Path) -> None:
    calls = [
        f"{path.name}:{node.lineno}: {node.func.id}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
    ]
    assert calls == []


@pytest.mark.parametrize("path", ENGINE, ids=module_name)
def test_engine_never_asks_which_edition_it_plays(path: Path) -> None:
    """Editions are data and policies; an edition with a hyphen or a country in its name appears nowhere."""
    tree = tree_of(path)
    compared = [f"{path.name}:{getattr(node, 'lineno', '?')}" for node in edition_comparisons(tree)]
    assert compared == []
    prose = docstrings_of(tree)
    named = [
        f"{path.name}:{node.lineno}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in prose and node.value in EDITION_NAMES - {"card"}
    ]
    assert named == []


@pytest.mark.parametrize("path", BOARDS, ids=module_name)
def test_boards_know_only_the_board_type_and_the_colours(path: Path) -> None:
    assert {name for name in own(imports_of(path)) if not within(name, BOARDS_MAY_USE)} == set()


@pytest.mark.parametrize("path", EDITIONS, ids=module_name)
def test_editions_do_not_know_the_public_face(path: Path) -> None:
    assert {name for name in own(imports_of(path)) if not within(name, EDITIONS_MAY_USE)} == set()


def test_what_is_imported_at_run_time_is_declared() -> None:
    """The distribution has no dependencies unless a module outside the standard library is imported."""
    project = tomllib.loads((RULES / "pyproject.toml").read_text("utf-8"))["project"]
    uses_extensions = any("mypy_extensions" in imports_of(path) for path in ENGINE)
    assert project["dependencies"] == (["mypy_extensions"] if uses_extensions else [])


# The tests above must be able to fail.
@pytest.mark.parametrize(
    "source",
    [
        'if edition == "usa-2004": pass',
        'x = 1 if name in ("europe", "lyon") else 2',
        'match e:\n case "card": pass',
        'if edition in ("card",): pass',
    ],
)
def test_an_edition_in_a_condition_is_found(source: str) -> None:
    assert list(edition_comparisons(ast.parse(source)))


@pytest.mark.parametrize(
    "source", ['names = ("card", "loco")', 'error("card_not_held", card)', 'if kind == "loco": pass']
)
def test_ordinary_strings_are_not_taken_for_editions(source: str) -> None:
    assert not list(edition_comparisons(ast.parse(source)))
