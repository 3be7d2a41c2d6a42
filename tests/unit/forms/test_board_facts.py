"""What a bot is told of the board: the published counts, and what the number of players makes of it."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

import turntable_rules as engine
from turntable_session.forms.boards import board_facts

pytestmark = pytest.mark.tree

FORMS = Path(__file__).resolve().parents[3] / "services" / "session" / "turntable_session" / "forms"


@pytest.mark.parametrize(
    ("edition", "routes", "tickets", "countries"),
    [("usa", 100, 30, 0), ("europe", 101, 46, 0), ("switzerland", 88, 46, 4), ("card", 0, 46, 0)],
)
def test_the_facts_are_complete(edition: str, routes: int, tickets: int, countries: int) -> None:
    facts = board_facts(engine.ruleset(edition, 2))
    assert (len(facts["routes"]), len(facts["tickets"]), len(facts["countries"])) == (
        routes,
        tickets,
        countries,
    )
    assert json.loads(json.dumps(facts)) == facts


def test_a_route_says_how_it_is_claimed() -> None:
    routes = {route["id"]: route for route in board_facts(engine.ruleset("europe", 2))["routes"]}
    assert routes["amsterdam_essen"] == {
        "id": "amsterdam_essen",
        "from": "amsterdam",
        "to": "essen",
        "length": 3,
        "colour": "yellow",
        "kind": "rail",
        "locos": 0,
        "takesLocos": True,
        "points": 4,
        "doubleGroup": None,
    }
    assert {route["kind"] for route in routes.values()} == {"rail", "ferry", "tunnel"}
    assert routes["wien_zagrab"]["colour"] is None


def test_locos_pay_for_tunnels_only_where_the_rules_say_so() -> None:
    for route in board_facts(engine.ruleset("switzerland", 2))["routes"]:
        assert route["takesLocos"] == (route["kind"] == "tunnel")


@pytest.mark.parametrize(
    ("edition", "players", "closes"),
    [("usa", 3, True), ("usa", 4, False), ("switzerland", 2, True), ("switzerland", 3, False)],
)
def test_double_routes_depend_on_the_number_of_players(edition: str, players: int, closes: bool) -> None:
    assert board_facts(engine.ruleset(edition, players))["doubleClosesAll"] is closes


def test_policies_that_matter_to_a_bot_are_told() -> None:
    europe = board_facts(engine.ruleset("europe", 2))
    switzerland = board_facts(engine.ruleset("switzerland", 2))
    assert (europe["faceUpLocoCost"], europe["unusedStationPoints"]) == (2, 4)
    assert (switzerland["faceUpLocoCost"], switzerland["unusedStationPoints"]) == (1, 0)


@pytest.mark.parametrize("path", sorted(FORMS.glob("*.py")), ids=lambda path: path.name)
def test_forms_know_only_the_engine_and_the_standard_library(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.module and not node.level
            names = [node.module]
        for name in names:
            own = name.split(".")[0] == "turntable_rules" or name.startswith("turntable_session.forms.")
            assert own or name.split(".")[0] in sys.stdlib_module_names
