"""Europe: building stations, what they cost, and what they are worth unbuilt."""

from __future__ import annotations

import pytest

import turntable_rules as rules_engine
from tests.kit.setting import counts
from tests.kit.table import Table


def payments(table: Table, city: str) -> set[str]:
    moves = [move.split(" ") for move in table.moves(table.active) if move.startswith("build_station")]
    return {payment for _, name, payment in moves if name == city}


@pytest.mark.clause("EUR-STATION-4", "EUR-STATION-5")
@pytest.mark.scenario("S-089")
def test_the_first_station_costs_one_card_of_any_kind():
    table = Table.set("europe", 2, hands={0: "rrrruL"})
    assert payments(table, "wien") == {"1red", "1blue", "1loco"}
    for payment in ("2red", "2loco", "1red+1loco", "1green"):
        assert table.refuses(0, f"build_station wien {payment}", clause="EUR-STATION-4")


@pytest.mark.clause("EUR-STATION-4", "EUR-STATION-5")
@pytest.mark.scenario("S-089")
def test_the_second_station_costs_two_cards_of_one_colour():
    table = Table.set("europe", 2, hands={0: "rrrruLL"}, stations={0: ["roma"]})
    assert payments(table, "wien") == {"2red", "1red+1loco", "1blue+1loco", "2loco"}
    assert table.refuses(0, "build_station wien 1red+1blue")
    for payment in ("1red", "1loco", "3red", "2red+1loco", "2blue"):
        assert table.refuses(0, f"build_station wien {payment}", clause="EUR-STATION-4")


@pytest.mark.clause("EUR-STATION-4", "EUR-STATION-5")
@pytest.mark.scenario("S-089")
def test_the_third_station_costs_three_cards_of_one_colour():
    table = Table.set("europe", 2, hands={0: "rrrruLLL"}, stations={0: ["roma", "paris"]})
    expected = {"3red", "2red+1loco", "1red+2loco", "1blue+2loco", "3loco"}
    assert payments(table, "wien") == expected
    for payment in ("1red", "2red", "1red+1loco", "4red", "2blue+1loco"):
        assert table.refuses(0, f"build_station wien {payment}", clause="EUR-STATION-4")


@pytest.mark.clause("EUR-STATION-4")
def test_the_price_rises_with_the_builders_own_stations_only():
    table = Table.set("europe", 3, hands={0: "r"}, stations={1: ["roma", "paris"], 2: ["berlin"]})
    table.play(0, "build_station wien 1red")
    assert table.player(0)["stations"] == ["wien"]


@pytest.mark.clause("EUR-STATION-5")
@pytest.mark.parametrize("built", [[], ["roma"], ["roma", "paris"]])
def test_a_station_may_be_paid_in_locos_alone(built):
    table = Table.set("europe", 2, hands={0: "LLLL"}, stations={0: built})
    table.play(0, f"build_station wien {len(built) + 1}loco")
    assert table.player(0)["hand"] == counts("L" * (3 - len(built)))
    assert table.player(0)["stations"] == [*built, "wien"]


@pytest.mark.clause("EUR-STATION-2")
@pytest.mark.scenario("S-090")
def test_no_second_station_stands_in_a_city_not_even_the_builders():
    hands = {0: "rrr", 1: "ggg"}
    table = Table.set("europe", 2, hands=hands, stations={1: ["paris"]})
    assert table.refuses(0, "build_station paris 1red", clause="EUR-STATION-2")
    assert payments(table, "paris") == set()
    table = Table.set("europe", 2, hands=hands, stations={1: ["paris"]}, active=1)
    assert table.refuses(1, "build_station paris 2green", clause="EUR-STATION-2")
    assert payments(table, "paris") == set()


@pytest.mark.clause("EUR-STATION-1", "EUR-STATION-3", "EUR-STATION-6")
@pytest.mark.scenario("S-091")
def test_a_station_in_an_untouched_city_is_the_whole_turn_and_uses_no_wagon():
    table = Table.set("europe", 2, hands={0: "rrrr"})
    table.play(0, "build_station moskva 1red")
    player = table.player(0)
    assert (player["stations"], player["wagons"], player["score"]) == (["moskva"], 45, 0)
    assert player["hand"] == counts("rrr")
    assert table.position()["discard"] == counts("r")
    assert (table.active, table.phase) == (1, "turn_start")
    assert table.refuses(0, "build_station wien 2red", clause="COMMON-TURN-4")


@pytest.mark.clause("EUR-STATION-3")
def test_every_free_city_of_the_board_may_take_a_station():
    """With routes of one player around Paris; 47 cities on the published map."""
    routes = {"dieppe_paris": 1, "brest_paris": 1}
    table = Table.set("europe", 2, hands={0: "r"}, routes=routes, stations={1: ["roma"]})
    cities = {move.split(" ")[1] for move in table.moves(0) if move.startswith("build_station")}
    every = {place.id for place in rules_engine.builtin_board("europe").places}
    assert len(every) == 47
    assert cities == every - {"roma"}


@pytest.mark.clause("EUR-STATION-6")
def test_the_cards_of_a_station_are_discarded_locos_included():
    table = Table.set("europe", 2, hands={0: "rrLk"}, stations={0: ["roma", "paris"]})
    table.play(0, "build_station wien 2red+1loco")
    assert table.position()["discard"] == counts("rrL")
    assert table.player(0)["hand"] == counts("k")
    assert table.player(0)["wagons"] == 45


@pytest.mark.clause("EUR-STATION-6")
def test_a_player_without_wagons_may_build():
    facts = {"wagons": {0: 0}, "loose": True, "final_turns_left": 2}
    table = Table.set("europe", 2, hands={0: "r"}, **facts)
    assert table.allows(0, "build_station wien 1red")


@pytest.mark.clause("EUR-STATION-7")
@pytest.mark.scenario("S-175")
def test_a_player_who_can_only_build_may_pass_instead():
    """One green card pays for no route of the board, and there is nothing to draw."""
    facts = {"row": ".....", "deck": "", "spare": 1, "pile": [], "out_rest": True}
    table = Table.set("europe", 2, hands={0: "g"}, **facts)
    moves = table.moves(0)
    assert {move.split(" ")[0] for move in moves} == {"build_station", "pass"}
    assert len(moves) == 48
    built = table.copy()
    built.play(0, "build_station wien 1green")
    assert built.active == 1
    table.play(0, "pass")
    assert (table.active, table.player(0)["stations"]) == (1, [])


@pytest.mark.clause("EUR-STATION-7")
def test_who_can_do_something_else_may_not_pass():
    facts = {"row": ".....", "deck": "", "spare": 1, "pile": [], "out_rest": True}
    table = Table.set("europe", 2, hands={0: "p"}, **facts)  # pays for Dieppe–Paris
    assert table.refuses(0, "pass", clause="COMMON-PASS-1")


@pytest.mark.clause("EUR-STATION-8")
@pytest.mark.scenario("S-182")
def test_all_see_a_station_and_no_move_takes_it_back():
    table = Table.set("europe", 2, hands={0: "rrrr", 1: "rr"})
    table.play(0, "build_station wien 1red")
    for seat in (0, 1, None):
        view = table.view(seat)
        assert view["stations"] == {"wien": 0}
        assert view["discard"] == {"red": 1}
        assert view["players"][0]["stations"] == 2
    for move in table.moves(1):
        later = table.copy()
        later.play(1, move)
        assert later.player(0)["stations"] == ["wien"]
    table.play(1, "build_station roma 1red")
    for move in table.moves(0):
        later = table.copy()
        later.play(0, move)
        assert later.player(0)["stations"][0] == "wien"


@pytest.mark.clause("EUR-STATION-9")
@pytest.mark.scenario("S-093")
@pytest.mark.parametrize(("built", "points"), [(0, 12), (1, 8), (2, 4), (3, 0)])
def test_each_station_not_built_is_worth_four_points(built, points):
    table = Table.set("europe", 2, stations={0: ["wien", "roma", "paris"][:built]})
    seats = table.score()["seats"]
    assert (seats[0]["stations"], seats[0]["total"]) == (points, points)
    assert (seats[1]["stations"], seats[1]["total"]) == (12, 12)


@pytest.mark.clause("EUR-STATION-9")
def test_unbuilt_stations_score_only_at_the_end():
    table = Table.set("europe", 2, hands={0: "r"})
    assert table.player(0)["score"] == 0
    table.play(0, "build_station wien 1red")
    assert table.player(0)["score"] == 0
    assert table.score()["seats"][0]["stations"] == 8


@pytest.mark.clause("EUR-STATION-17")
def test_a_fourth_station_cannot_be_built():
    table = Table.set("europe", 2, hands={0: "rrrrrLL"}, stations={0: ["wien", "roma", "paris"]})
    for payment in ("1red", "2red", "3red", "4red", "2red+2loco"):
        assert table.refuses(0, f"build_station berlin {payment}", clause="EUR-STATION-17")
    assert not [move for move in table.moves(0) if move.startswith("build_station")]


@pytest.mark.clause("EUR-STATION-1", "EUR-STATION-17")
def test_three_stations_are_built_in_three_turns():
    table = Table.set("europe", 2, hands={0: "rggkkk"})
    for move in ("build_station wien 1red", "build_station roma 2green", "build_station paris 3black"):
        table.play(0, move)
        assert table.active == 1
        table.play(1, "draw_row 0")
        table.play(1, "stop_drawing")
    assert table.player(0)["stations"] == ["wien", "roma", "paris"]
    assert table.view(None)["players"][0]["stations"] == 0
