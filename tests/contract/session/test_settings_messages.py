"""Settings come back from the messages as they went in; what only strangers would send is malformed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.session.samples import SETTINGS, through
from turntable_proto.game.v1 import move_pb2
from turntable_proto.session.v1 import game_pb2
from turntable_session.domain.settings import GameSettings
from turntable_session.messages.settings import settings_from_proto, settings_to_proto
from turntable_session.problems import Problem
from turntable_session.vocabulary.moves import move_from_proto

pytestmark = pytest.mark.tree


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_settings_come_back_with_all_their_mistakes(settings: GameSettings) -> None:
    """What no message can hold is refused by the core in its own words, not dropped on the way."""
    found = settings_from_proto(through(game_pb2.GameSettings, settings_to_proto(settings)))
    assert found == settings
    assert repr(found.options) == repr(settings.options)


def test_settings_that_say_nothing_stand_at_their_defaults() -> None:
    message = through(game_pb2.GameSettings, {"ruleset": {"edition": "usa", "player_count": 2}})
    assert settings_from_proto(message) == GameSettings("usa", 2)


def test_typed_options_are_read_where_no_json_is_given() -> None:
    options = {"longest_path": 2, "max_turns": 0, "first_player": 0}
    message = through(game_pb2.GameSettings, {"ruleset": {"edition": "usa", "options": options}})
    found = settings_from_proto(message)
    assert found.options == {"longest_path": "no_fork", "max_turns": 0, "first_player": 0}


@pytest.mark.parametrize("text", ["[]", "7", "{", '{"a":' * 2000, "nonsense"])
def test_options_that_are_no_object_are_malformed(text: str) -> None:
    with pytest.raises(Problem, match="options_json") as caught:
        settings_from_proto(game_pb2.GameSettings(options_json=text))
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    "init",
    [{"visibility": 77}, {"policies": {"timeout": 9}}, {"clock": {"setup_time": {"seconds": 1}}}],
    ids=str,
)
def test_settings_with_numbers_that_are_no_words_are_malformed(init: dict[str, Any]) -> None:
    with pytest.raises(Problem) as caught:
        settings_from_proto(through(game_pb2.GameSettings, init))
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    "init", [{"claim": {"payment": {"colour": 12}}}, {"play_three": {"colours": [1, 2, 30]}}, {}], ids=str
)
def test_moves_with_numbers_that_are_no_words_are_malformed(init: dict[str, Any]) -> None:
    with pytest.raises(Problem) as caught:
        move_from_proto(through(move_pb2.Move, init))
    assert caught.value.code == "malformed"
