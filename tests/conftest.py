"""Profiles, the line that says which engine is under test, and what several layers of tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import turntable_rules
from tools import environment

ROOT = Path(__file__).resolve().parent.parent

# `quick` tries the same examples on every run, so that nothing fails by bad luck;
# `thorough` looks for new ones.
settings.register_profile(
    "quick",
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000, derandomize=False)
settings.load_profile("quick")


def engine_kind() -> str:
    return "compiled" if getattr(turntable_rules, "COMPILED", False) else "interpreted"


def pytest_configure(config: pytest.Config) -> None:
    """Refuse another engine than the one asked for: a compiled module must never shadow a source."""
    wanted, found = os.environ.get("TURNTABLE_EXPECT", "interpreted"), engine_kind()
    if wanted != found:
        place = turntable_rules.__file__
        raise pytest.UsageError(f"the {wanted} engine was asked for, but {place} is {found}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause", help="run only the tests that cite this clause of docs/rules.md")
    parser.addoption(
        "--transport",
        choices=["scenarios", "engine", "grpc"],
        help="tests/rules: scenarios over gRPC too (usual), none (usual with --clause), or everything over gRPC only",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--clause")
    if wanted:
        items[:] = [
            item for item in items if any(wanted in mark.args for mark in item.iter_markers(name="clause"))
        ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    place = Path(turntable_rules.__file__).parent
    shown = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
    terminalreporter.write_line(f"engine under test: {engine_kind()}, {shown}")


@pytest.fixture(scope="session")
def compiled_python() -> Path:
    """The interpreter that has the compiled wheel of these very sources, for tests that compare the two."""
    python = environment.compiled_python()
    if python is None:
        pytest.skip("no up-to-date compiled wheel: run `make compiled` (needs a C compiler)")
    return python
