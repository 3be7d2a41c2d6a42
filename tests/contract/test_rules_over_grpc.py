"""The rule tests have two transports: nothing is left out of the second one unsaid."""

from __future__ import annotations

import ast
import inspect

import pytest

import turntable_rules as rules_engine
from tests.contract.not_over_grpc import NOT_OVER_GRPC
from tests.kit.remote_table import RemoteTable, service
from tests.kit.table import Table
from tests.meta.clauses import TESTS, listed
from turntable_proto.rules.v1 import rules_service_pb2 as pb


def rule_tests() -> dict[str, set[str]]:
    """Functions of tests/rules and of this file, to the scenarios they play."""
    found: dict[str, set[str]] = {}
    for path in (
        *sorted((TESTS / "rules").glob("test_*.py")),
        TESTS / "contract" / "test_rules_over_grpc.py",
    ):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                found.setdefault(function.name, set())
                for mark in function.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.scenario":
                        found[function.name] |= set(map(ast.literal_eval, mark.args))
    return found


@pytest.mark.tree
def test_every_scenario_is_played_over_grpc() -> None:
    played = [names for test, names in rule_tests().items() if test not in NOT_OVER_GRPC]
    assert sorted(set(listed()[1]) - set().union(*played)) == []


@pytest.mark.tree
def test_every_exception_is_a_test_and_has_a_reason() -> None:
    assert set(NOT_OVER_GRPC) <= set(rule_tests())
    assert all(len(reason) > 40 for reason in NOT_OVER_GRPC.values())
    assert len(NOT_OVER_GRPC) <= 6


def test_the_remote_table_has_every_method_of_the_table() -> None:
    """Nothing is inherited, so nothing can be answered in process by accident."""
    assert RemoteTable.__mro__ == (RemoteTable, object)
    for name, method in vars(Table).items():
        if not name.startswith("_"):
            remote = vars(RemoteTable)[name]
            assert type(remote) is type(method)
            if callable(method):
                assert inspect.signature(remote).parameters == inspect.signature(method).parameters
    assert set(inspect.signature(Table.new).parameters) == set(inspect.signature(RemoteTable.new).parameters)


@pytest.mark.scenario("S-011")
@pytest.mark.clause("COMMON-SETUP-1")
@pytest.mark.parametrize(("edition", "players"), [("switzerland", 4), ("usa", 1), ("usa", 6), ("card", 5)])
def test_games_for_too_few_or_too_many_are_refused_by_the_service(edition: str, players: int) -> None:
    with pytest.raises(rules_engine.OptionError, match="COMMON-SETUP-1"):
        RemoteTable.new(edition, players)


@pytest.mark.scenario("S-165")
@pytest.mark.clause("LYON-3")
def test_every_lyon_ticket_joins_two_stops_of_the_board_the_service_gives() -> None:
    board = service().call("GetEdition", pb.GetEditionRequest(edition="lyon")).edition.board
    stops = {place.id for place in board.places}
    assert len(board.tickets) == 36
    for ticket in board.tickets:
        (target,) = ticket.targets
        assert {ticket.start, target.place} <= stops and ticket.start != target.place
