"""The oracle's scoring and card game against the scenarios of docs/rules.md, section 7."""

import random
from itertools import combinations
from typing import Any

import pytest

from tests.oracle import IllegalMove, apply_move, legal_moves, load_board, score
from tests.oracle.naive_fulfil import best_set, fulfil, is_feasible, merit
from tests.oracle.naive_paths import longest_path
from tests.oracle.naive_score import ticket_outcome
from tests.oracle.naive_turns import end_turn
from tests.oracle.scenario import moves_of, owned, path, play, small_board, started, table

LOOP = path(("A", "B", 6), ("B", "C", 4), ("C", "D", 3), ("D", "B", 2))
TWO_LOOPS = path(("X", "P", 6), ("P", "Q", 5), ("Q", "X", 4), ("X", "R", 3), ("R", "S", 2), ("S", "X", 1))


@pytest.mark.parametrize(
    ("routes", "option", "length"),
    [(LOOP, "trail", 15), (LOOP, "no_fork", 13), (TWO_LOOPS, "trail", 21), (TWO_LOOPS, "no_fork", 16)],
)
def test_longest_path(routes, option, length):
    """S-101, S-102, S-103."""
    assert longest_path(routes, option) == length


def test_tickets_and_totals():
    """S-105, S-116, S-117, S-118."""
    board = small_board([("X", "Y", 1), ("Y", "Z", 1)], [("X", "Z", 20), ("X", "Y", 20), ("Y", "Z", 20)])
    result = score(owned("usa", {"r0": 0, "r1": 0}, [["t0", "t1"], []]), board)
    assert [ticket["value"] for ticket in result["seats"][0]["tickets"]] == [20, 20]
    result = score(owned("usa", {"r0": 0, "r1": 1}, [["t0"], []]), board)
    assert [ticket["value"] for ticket in result["seats"][0]["tickets"]] == [-20]
    result = score(owned("usa", {}, [["t0"], []]), board)
    assert [line["longest_path_bonus"] for line in result["seats"]] == [0, 0]
    result = score(owned("usa", {"r0": 0, "r1": 1}, [["t0", "t0", "t0"], []]), board)
    assert result["seats"][0]["total"] == 1 - 60 + 10


def test_station_loans():
    """S-093, S-094, S-096, S-097, S-099."""
    board = small_board(
        [("P", "Q", 1), ("P", "R", 1), ("R", "S", 1)], [("P", "Q", 20), ("P", "R", 8), ("P", "S", 5)]
    )
    position = owned("europe", {"r0": 1, "r1": 1, "r2": 0}, [["t0", "t1", "t2"], []], [["P"], []])
    line = score(position, board)["seats"][0]
    assert (line["loans"], line["ticket_points"], line["station_points"]) == (["r0"], 7, 8)
    board = small_board([("P", "Q", 12), ("Q", "R", 3), ("R", "S", 9)], [("P", "S", 9)])
    board["routes"][0]["length"], board["routes"][2]["length"] = 8, 6
    for stations, loans, value in [(["Q", "R"], ["r1", "r2"], 9), (["Q"], [None], -9)]:
        line = score(owned("europe", {"r0": 0, "r1": 1, "r2": 1}, [["t0"], []], [stations, []]), board)[
            "seats"
        ][0]
        assert (line["loans"], line["ticket_points"]) == (loans, value)
    line = score(owned("europe", {"r0": 0, "r1": 1, "r2": 0}, [["t0"], []], [["Q"], []]), board)["seats"][0]
    assert (line["ticket_points"], line["longest_path"]) == (9, 8)
    line = score(owned("europe", {"r0": 0}, [["t0"], []], [["P"], []]), board)["seats"][0]
    assert line["loans"] == [None]


@pytest.mark.parametrize(("edition", "winners"), [("usa", [0]), ("europe", [0]), ("switzerland", [0, 1])])
def test_tie_breaks(edition, winners):
    """S-112, S-114, S-115."""
    board = small_board([("A", "B", 2), ("B", "C", 2), ("D", "E", 2), ("F", "G", 2), ("H", "I", 6)], [])
    position, _ = started(edition, 3)
    position["routes"] = {"r0": 0, "r1": 0, "r2": 1, "r3": 1, "r4": 2}
    for player in position["players"]:
        player["tickets"] = []
    position["players"][2]["retired"] = True
    assert score(position, board)["winners"] == winners
    assert [line["rank"] for line in score(position, board)["seats"]] == [1, 1 + (len(winners) == 1), 3]


def test_swiss_tickets():
    """S-121, S-122, S-123, S-124."""
    board = load_board("switzerland")
    tickets = {ticket["id"]: ticket for ticket in board["tickets"]}
    assert ticket_outcome(tickets["lugano-countries"], [], board)["value"] == -2
    chain = path(("germany_basel", "basel", 1), ("basel", "italy_lugano", 1))
    assert ticket_outcome(tickets["germany-countries-1"], chain, board)["value"] == 13
    apart = path(
        ("zurich", "germany_schaffhausen", 4), ("germany_basel", "basel", 1), ("basel", "italy_lugano", 4)
    )
    assert ticket_outcome(tickets["zurich-countries"], apart, board)["value"] == 3
    only_italy = {"id": "t", "from": "zurich", "targets": [{"to": "italy", "points": 11}]}
    assert ticket_outcome(only_italy, apart, board) == {"id": "t", "completed": False, "value": -11}
    assert longest_path(path(("K", "france_geneve", 4), ("M", "france_martigny", 5)), "trail") == 5


def card_game(players, hand, yards=()):
    """Give a card game with this hand for seat 0 and these yards from seat 0 on."""
    position, board = started("card", players)
    position["players"][0]["hand"] = hand
    for player, yard in zip(position["players"], yards, strict=False):
        player["yard"] = [{"colour": c, "wagons": a, "locos": b} for c, a, b in yard]
    return position, board


def test_yard():
    """S-130, S-131, S-132, S-134."""
    hand = {"white": 5, "blue": 2, "black": 1, "green": 1, "loco": 2}
    position, board = card_game(2, hand, [[], [("blue", 1, 0)]])
    assert moves_of(position, board, "play_three ") == {"white,black,green"}
    same = moves_of(position, board, "play_same ")
    assert {"green 1+1", "white 5+2", "blue 2+0"} <= same
    assert not {"green 1+0", "loco 2+0"} & same
    robbed = play(position, board, "play_same blue 2+0")
    assert robbed["discard"] == {"blue": 1}
    assert robbed["players"][1]["yard"] == []
    three = play(position, board, "play_three white,black,green")["players"][0]["yard"]
    assert [(column["colour"], column["wagons"]) for column in three] == [
        ("white", 1),
        ("black", 1),
        ("green", 1),
    ]


def test_step_1():
    """S-128, S-129, CARD-ROAD-3."""
    position, board = card_game(2, {"blue": 2, "red": 2}, [[("blue", 1, 0), ("red", 2, 1)]])
    position["active"] = 1
    position = play(position, board, "draw_deck", "draw_deck")
    player = position["players"][0]
    assert player["road"] == {"blue": 1, "loco": 1}
    assert player["yard"] == [{"colour": "red", "wagons": 2, "locos": 0}]
    assert moves_of(position, board, "play_same ") >= {"blue 2+0"}
    assert not moves_of(position, board, "play_same red")


def test_end_of_a_card_round():
    """S-139, S-141, S-155."""
    position, board = started("card", 3)
    table(position, ["red", "blue"], ["green"])
    position = play(position, board, "draw_row 0")
    assert (position["row"][0], position["deck"]) == ("green", [])
    with pytest.raises(IllegalMove):
        apply_move(position, 0, "stop_drawing", board)
    position = play(position, board, "draw_row 0")
    assert (position["final_turns_left"], position["row"][0]) == (3, None)
    for _ in range(3):
        position = play(position, board, "draw_tickets", "keep_tickets -")
    assert (position["phase"], position["ending"], position["final_turns_left"]) == (
        "finished",
        "normal",
        None,
    )


@pytest.mark.parametrize(("in_hands", "each", "face_up"), [(88, 2, 0), (78, 4, 2)])
def test_second_round_from_a_short_deck(in_hands, each, face_up):
    """S-152, S-153, S-185."""
    position, board = started("card", 4)
    table(position, [], [], {"red": 96 - in_hands})
    for player in position["players"]:
        player["hand"] = {"blue": in_hands // 4}
    position["players"][0]["hand"]["blue"] += in_hands % 4
    position["active"], position["final_turns_left"] = 2, 1
    end_turn(position, board)
    assert (position["active"], position["round"], position["final_turns_left"]) == (3, 2, 4)
    assert [player["hand"]["red"] for player in position["players"]] == [each] * 4
    assert (position["row"], position["deck"]) == (["red"] * face_up + [None] * (5 - face_up), [])


def demand(ticket_id, points, cities=(), **cards):
    """Make a card-game ticket."""
    return {"id": ticket_id, "points": points, "cards": cards, "big_cities": list(cities)}


def test_fulfilment():
    """S-144, S-146, S-159."""
    tickets = [demand("t1", 7, red=2, blue=1), demand("t2", 5, blue=1, green=1)]
    assert best_set(tickets, {"red": 2, "blue": 1, "loco": 1}) == ["t1"]
    tickets = [demand("t1", 5, red=1, blue=1), demand("t2", 2, red=1), demand("t3", 3, blue=1)]
    assert best_set(tickets, {"red": 1, "blue": 1}) == ["t2", "t3"]
    tickets = [demand("t1", 5, red=1), demand("t2", 5, ["chicago"], red=1)]
    assert best_set(tickets, {"red": 1}) == ["t2"]


def test_fulfilment_equals_a_full_enumeration():
    """S-184, with ten tickets."""
    chance = random.Random(184)
    board = load_board("card")
    for _ in range(8):
        tickets = chance.sample(board["destinations"], 10)
        road = {card: chance.randint(0, 3) for card in ["red", "blue", "yellow", "green", "white", "loco"]}
        sets = [list(s) for k in range(11) for s in combinations(tickets, k) if is_feasible(list(s), road)]
        top = max(merit(s) for s in sets)
        assert best_set(tickets, road) == min(sorted(t["id"] for t in s) for s in sets if merit(s) == top)


def test_card_scores_and_city_bonuses():
    """S-148, S-149, S-150, CARD-SCORE-1."""
    position, board = started("card", 2)
    for player, held in zip(position["players"], (["d01", "d03"], ["d05", "d06"]), strict=True):
        player.update(tickets=held, road={"yellow": 2, "green": 1})
    fulfil(position, board)
    assert [player["completed"] for player in position["players"]] == [["d01", "d03"], []]
    result = score(position, board)
    assert result["seats"][0]["city_bonuses"] == {"chicago": 12, "dallas": 10, "new_york": 15}
    assert [line["total"] for line in result["seats"]] == [5 + 6 + 37, -14]
    assert legal_moves({**position, "phase": "finished"}, 0, board) == []


def test_longest_path_is_shared_and_decides_only_among_the_tied():
    """S-104, S-112."""
    board = small_board([("A", "B", 3), ("C", "D", 3), ("E", "F", 2)], [])
    position, _ = started("europe", 3)
    position["routes"] = {"r0": 0, "r1": 1, "r2": 2}
    for player in position["players"]:
        player["tickets"] = []
    result = score(position, board)
    assert [line["longest_path_bonus"] for line in result["seats"]] == [10, 10, 0]
    assert result["winners"] == [0, 1]
    position["players"][1]["stations"] = ["A"]
    assert score(position, board)["winners"] == [0]


def test_card_totals_over_two_rounds_and_tie_break():
    """S-154, S-156."""
    board: dict[str, Any] = {
        "destinations": [
            demand("a0", 35, ["seattle"]),
            demand("a1", 6),
            demand("b0", 21, ["miami"]),
        ],
        "bonuses": {"seattle": 8, "miami": 8, "dallas": 0},
    }
    position, _ = started("card", 2)
    for player, done, failed in zip(position["players"], (["a0"], ["b0"]), (["a1"], []), strict=True):
        player.update(completed=done, tickets=failed)
    assert [line["total"] for line in score(position, board)["seats"]] == [37, 29]
    board["bonuses"]["miami"] = 16
    assert score(position, board)["winners"] == [0, 1]
    board["destinations"][0]["big_cities"] = ["seattle", "dallas"]
    assert score(position, board)["winners"] == [0]
