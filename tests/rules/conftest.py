"""Two transports for one set of tests: every scenario is played with the engine in process and over gRPC."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.not_over_grpc import NOT_OVER_GRPC
from tests.kit import other_worlds, random_games, remote_table

IN_PROCESS = pytest.param("engine", id=pytest.HIDDEN_PARAM)


def transports(definition: pytest.Function, wanted: str) -> list[object]:
    """The transports a test runs with; `--transport grpc` tries every test of this directory over gRPC only."""
    if wanted == "engine" or definition.name in NOT_OVER_GRPC:
        return [IN_PROCESS]
    if wanted == "grpc":
        return ["grpc"]
    return [IN_PROCESS, "grpc"] if definition.get_closest_marker("scenario") else [IN_PROCESS]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    config = metafunc.config
    # Who asks for one clause, such as the breakages of `make mutants`, asks about the engine.
    wanted = config.getoption("--transport") or ("engine" if config.getoption("--clause") else "scenarios")
    metafunc.parametrize("transport", transports(metafunc.definition, wanted), indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of several random games that differ only by their number, one goes over gRPC."""
    again = [item for item in items if isinstance(item, pytest.Function) and is_repetition(item)]
    if again:
        config.hook.pytest_deselected(items=again)
        items[:] = [item for item in items if item not in again]


def is_repetition(item: pytest.Function) -> bool:
    """Whether the test is a gRPC variant with another number than the first."""
    values = item.callspec.params if hasattr(item, "callspec") else {}
    return values.get("transport") == "grpc" and values.get("number", 0) != 0


@pytest.fixture(autouse=True)
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Over gRPC, `Table` is a `RemoteTable` for the test and the kit; a scenario has to ask it something."""
    if request.param == "engine":
        yield "engine"
        return
    for module in (request.module, random_games, other_worlds):
        monkeypatch.setattr(module, "Table", remote_table.RemoteTable, raising=False)
    before = remote_table.service().calls
    yield "grpc"
    asked = remote_table.service().calls - before
    if request.node.get_closest_marker("scenario"):
        assert asked, "nothing was asked over gRPC; give the reason in tests/contract/not_over_grpc.py"
