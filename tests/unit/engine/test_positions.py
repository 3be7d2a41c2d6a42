"""Reading positions from outside."""

from typing import Any

import pytest

import turntable_rules as engine
from tests.kit.setting import setting


@pytest.mark.clause("USA2004-COLOUR-1")
@pytest.mark.parametrize("edition", ["usa-2004", "lyon"])
def test_brown_is_read_as_orange_and_written_as_orange(edition):
    position = setting(edition, hands={0: "oo"}, row="oruww")
    position["players"][0]["hand"] = {"brown": 2}
    position["row"][0] = "brown"
    state = engine.load_position(position)
    written: Any = engine.to_position(state)
    assert written["players"][0]["hand"] == {"orange": 2}
    assert written["row"][0] == "orange"


def test_brown_is_no_colour_of_the_later_printing():
    position = setting("usa", hands={0: "oo"})
    position["players"][0]["hand"] = {"brown": 2}
    with pytest.raises(engine.BadPosition, match="brown"):
        engine.load_position(position)


@pytest.mark.clause("COMMON-SETUP-1")
@pytest.mark.parametrize("players", ["3", 2.5, None, True, -1, 0, 10**9])
def test_a_player_count_that_is_none_is_refused_like_a_wrong_one(players):
    with pytest.raises(engine.OptionError, match="players"):
        engine.ruleset("usa", players, {"first_player": 0})
    with pytest.raises(engine.OptionError, match="players"):
        engine.ruleset("usa", players)
