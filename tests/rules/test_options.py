"""Options of a game (rules.md 0.4): names, values, defaults, and what each changes."""

from __future__ import annotations

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, begun
from tests.kit.table import Table

BOARD_DEFAULTS = {
    "longest_path": "trail",
    "second_card": "may",
    "start_score": 0,
    "first_player": "random",
    "flush_limit": 10,
    "max_turns": 0,
}
DEFAULTS = {
    "usa-2004": BOARD_DEFAULTS,
    "usa": BOARD_DEFAULTS,
    "lyon": BOARD_DEFAULTS,
    "europe": BOARD_DEFAULTS,
    "switzerland": {**BOARD_DEFAULTS, "second_card": "must", "start_score": 100},
    "card": {"second_card": "must", "first_player": "random", "peek_own_pile": [], "max_turns": 0},
}


def options_of(edition: str, **options: object) -> dict[str, object]:
    """The options in force in a new game."""
    found: dict[str, object] = Table.new(edition, 2, options=options).view(None)["options"]
    return found


@pytest.mark.clause("COMMON-DRAW-6", "SWI-SETUP-2", "COMMON-TURN-3", "COMMON-FLUSH-7", "COMMON-END-8")
@pytest.mark.parametrize("edition", ALL)
def test_every_option_has_the_default_of_the_table(edition):
    assert options_of(edition) == DEFAULTS[edition]


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    "name", ["", "seed", "players", "Max_turns", "max_turns ", "flush", "stations", "longest_route"]
)
def test_an_unknown_option_is_refused(edition, name):
    with pytest.raises(rules_engine.OptionError) as caught:
        rules_engine.ruleset(edition, 2, {name: 0})
    assert len(caught.value.faults) == 1 and name in caught.value.faults[0]


@pytest.mark.parametrize(
    ("edition", "name", "value"),
    [
        *[(edition, "peek_own_pile", []) for edition in BOARDS],
        ("card", "longest_path", "trail"),
        ("card", "start_score", 0),
        ("card", "flush_limit", 10),
    ],
)
def test_an_option_foreign_to_the_ruleset_is_refused_even_with_its_default(edition, name, value):
    with pytest.raises(rules_engine.OptionError, match=name):
        rules_engine.ruleset(edition, 2, {name: value})


@pytest.mark.parametrize(
    ("edition", "name", "value"),
    [
        ("usa", "longest_path", "loop"),
        ("usa", "longest_path", None),
        ("usa", "second_card", "maybe"),
        ("card", "second_card", True),
        ("switzerland", "start_score", 0.5),
        ("switzerland", "start_score", "100"),
        ("switzerland", "start_score", True),
        ("usa", "first_player", 2),
        ("usa", "first_player", -1),
        ("usa", "first_player", "0"),
        ("usa", "first_player", False),
        ("card", "peek_own_pile", 0),
        ("card", "peek_own_pile", [2]),
        ("card", "peek_own_pile", [0, 0]),
        ("card", "peek_own_pile", [True]),
        ("europe", "flush_limit", 0),
        ("europe", "flush_limit", -1),
        ("europe", "flush_limit", "10"),
        ("europe", "max_turns", -1),
        ("europe", "max_turns", None),
    ],
)
def test_a_value_outside_its_range_is_refused(edition, name, value):
    with pytest.raises(rules_engine.OptionError, match=name):
        rules_engine.ruleset(edition, 2, {name: value})


@pytest.mark.parametrize(
    ("edition", "name", "value"),
    [
        ("usa-2004", "longest_path", "no_fork"),
        ("lyon", "longest_path", "no_fork"),
        ("usa", "second_card", "must"),
        ("card", "second_card", "may"),
        ("switzerland", "start_score", 0),
        ("usa", "start_score", -7),
        ("usa", "first_player", 1),
        ("card", "first_player", 0),
        ("card", "peek_own_pile", [1]),
        ("card", "peek_own_pile", [0, 1]),
        ("europe", "flush_limit", 1),
        ("card", "max_turns", 1),
    ],
)
def test_a_value_of_its_range_is_taken(edition, name, value):
    assert options_of(edition, **{name: value}) == {**DEFAULTS[edition], name: value}


def test_all_faults_are_named_at_once():
    with pytest.raises(rules_engine.OptionError) as caught:
        rules_engine.ruleset("card", 9, {"flush_limit": 3, "second_card": "never"})
    assert len(caught.value.faults) == 3


def test_an_unknown_edition_is_refused():
    with pytest.raises(rules_engine.OptionError, match="usa, lyon"):
        rules_engine.ruleset("germany", 3)


@pytest.mark.clause("SWI-SETUP-2", "COMMON-SETUP-2")
@pytest.mark.parametrize(("edition", "score"), [("switzerland", 0), ("usa", 12), ("europe", -3)])
def test_the_start_score_can_be_set(edition, score):
    table = Table.new(edition, 2, options={"start_score": score})
    assert [player["score"] for player in table.view(None)["players"]] == [score, score]


@pytest.mark.clause("COMMON-DRAW-6")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("value", ["may", "must"])
def test_the_option_decides_whether_a_second_card_has_to_be_drawn(edition, value):
    table = begun(edition, 2, options={"second_card": value, "first_player": 0})
    table.play(0, "draw_deck")
    assert table.allows(0, "stop_drawing") == (value == "may")


@pytest.mark.clause("COMMON-END-8")
@pytest.mark.parametrize("edition", ALL)
def test_max_turns_ends_the_game_after_that_many_turns(edition):
    table = begun(edition, 2, options={"max_turns": 3, "first_player": 0, "second_card": "may"})
    for seat in (0, 1, 0):
        assert table.phase != "finished"
        table.play(seat, "draw_deck")
        table.play(seat, "stop_drawing")
    assert table.phase == "finished" and table.position()["ending"] == "max_turns"


@pytest.mark.clause("COMMON-END-8")
@pytest.mark.parametrize("edition", ALL)
def test_without_max_turns_a_game_has_no_limit(edition):
    table = Table.set(edition, 2, options={"second_card": "may"}, turns=1_000_000)
    for seat in (0, 1, 0):
        table.play(seat, "draw_deck")
        table.play(seat, "stop_drawing")
    assert table.phase != "finished"


@pytest.mark.clause("CARD-ROAD-6", "INFO-23")
def test_only_the_seats_listed_may_look_at_their_own_road_pile():
    table = Table.set("card", 3, options={"peek_own_pile": [1]}, roads={0: "rr", 1: "gL", 2: "u"})
    assert table.view(1)["you"]["road_pile"] == {"green": 1, "loco": 1}
    assert "road_pile" not in table.view(0)["you"] and "road_pile" not in table.view(2)["you"]
