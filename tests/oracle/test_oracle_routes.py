"""The oracle's routes, tunnels, stations and endings against the scenarios of docs/rules.md, section 7."""

import pytest

from tests.oracle import IllegalMove, apply_move, legal_moves, load_board, new_position, retire, score
from tests.oracle.scenario import SEED, moves_of, play, started, table

GRAY_2 = "angora_constantinople"


def test_payments_for_routes():
    """S-049, S-050, S-051, S-052, S-173."""
    position, board = started("usa", 2)
    position["players"][0]["hand"] = {"blue": 4, "red": 3, "green": 3, "yellow": 2, "loco": 3}
    blue = {"3blue", "2blue+1loco", "1blue+2loco", "3loco"}
    assert moves_of(position, board, "claim montreal_new_york ") == blue
    gray = moves_of(position, board, "claim montreal_toronto ")
    assert {"3green", "2yellow+1loco", "3loco"} <= gray
    assert not any("green" in paid and "yellow" in paid for paid in gray)
    after = play(position, board, "claim montreal_new_york 3blue")
    assert after["routes"] == {"montreal_new_york": 0}
    assert (after["players"][0]["wagons"], after["players"][0]["score"]) == (42, 4)
    assert after["discard"] == {"blue": 3}
    for refused in [
        "claim montreal_new_york",
        "claim montreal_new_york 2blue+1red",
        "claim montreal_new_york 4blue",
    ]:
        with pytest.raises(IllegalMove):
            apply_move(position, 0, refused, board)


@pytest.mark.parametrize(("players", "seat_1_may"), [(3, False), (4, True)])
def test_double_routes(players, seat_1_may):
    """S-063, S-064."""
    position, board = started("usa", players)
    position["routes"] = {"boston_new_york_1": 0}
    for player in position["players"]:
        player["hand"] = {"loco": 2}
    assert not moves_of(position, board, "claim boston_new_york_2 ")
    position["active"] = 1
    assert bool(moves_of(position, board, "claim boston_new_york_2 ")) is seat_1_may


def test_ferries():
    """S-069, S-070."""
    position, board = started("europe", 2)
    position["players"][0]["hand"] = {"green": 6, "red": 2, "loco": 6}
    payments = {
        "4green+2loco",
        "3green+3loco",
        "2green+4loco",
        "1green+5loco",
        "2red+4loco",
        "1red+5loco",
        "6loco",
    }
    assert moves_of(position, board, "claim palermo_smyrna ") == payments
    after = play(position, board, "claim palermo_smyrna 4green+2loco")
    assert (after["players"][0]["score"], after["players"][0]["wagons"]) == (15, 39)


@pytest.mark.parametrize(
    ("edition", "route", "base", "revealed", "due", "extras"),
    [
        ("europe", GRAY_2, "2red", "red blue white", 1, {"1red", "1loco"}),  # S-072
        ("europe", GRAY_2, "2green", "loco black red", 1, {"1green", "1loco"}),  # S-073
        ("europe", GRAY_2, "2loco", "red green loco", 1, {"1loco"}),  # S-074
        ("europe", GRAY_2, "2loco", "red green blue", 0, None),  # S-074
        (
            "europe",
            GRAY_2,
            "1red+1loco",
            "red loco blue",
            2,
            {"2red", "1red+1loco", "2loco"},
        ),  # S-075
        ("europe", "madrid_pamplona_1", "3loco", "black black black", 0, None),  # S-076
        (
            "switzerland",
            "baden-basel",
            "2red+1loco",
            "red loco loco",
            3,
            {"3red", "2red+1loco", "1red+2loco", "3loco"},
        ),
        ("switzerland", "baden-basel", "3loco", "red loco loco", 2, {"2loco"}),  # S-087
    ],
)
def test_tunnels(edition, route, base, revealed, due, extras):
    """S-072 to S-076, S-086, S-087."""
    position, board = started(edition, 2)
    table(position, ["blue"] * 5, [*revealed.split(), "white"])
    position["players"][0]["hand"] = {"red": 6, "green": 4, "loco": 8}
    after = play(position, board, f"claim {route} {base}")
    if due == 0:
        assert after["routes"] == {route: 0}
        assert after["active"] == 1
        return
    assert after["tunnel"]["due"] == due
    assert set(legal_moves(after, 0, board)) == {
        "tunnel_abandon",
        *(f"tunnel_pay {extra}" for extra in extras),
    }


def test_tunnel_abandoned_and_short_decks():
    """S-077, S-080, S-082, S-083, INFO-INFER-2."""
    position, board = started("europe", 2)
    hand = {"red": 4, "loco": 1}
    position["players"][0].update(hand=dict(hand), hand_at_least={"red": 1})
    table(position, ["blue"] * 5, ["red", "loco"], {"green": 9})
    pending = play(position, board, f"claim {GRAY_2} 2red")
    assert pending["tunnel"]["revealed"] == ["red", "loco", "green"]
    assert (len(pending["deck"]), pending["players"][0]["hand_at_least"]) == (8, {})
    after = play(pending, board, "tunnel_abandon")
    assert (after["players"][0]["hand"], after["players"][0]["hand_at_least"]) == (hand, {"red": 2})
    assert (after["routes"], after["discard"]) == ({}, {"red": 1, "loco": 1, "green": 1})
    table(position, ["blue"] * 5)
    assert play(position, board, f"claim {GRAY_2} 2red")["routes"] == {GRAY_2: 0}
    table(position, ["blue"] * 5, ["red", "white", "white", "white"])
    position["players"][0]["wagons"] = 4
    position["players"][0]["hand"] = {"loco": 1, "red": 4}
    gray_4 = [
        r["id"] for r in board["routes"] if (r["kind"], r["color"], r["length"]) == ("tunnel", "grey", 4)
    ]
    after = play(position, board, f"claim {gray_4[0]} 4red", "tunnel_pay 1loco")
    assert (after["players"][0]["wagons"], after["players"][0]["score"], after["final_turns_left"]) == (
        0,
        7,
        2,
    )


def test_stations():
    """S-089, S-090."""
    position, board = started("europe", 2)
    position["players"][0]["hand"] = {"red": 2, "blue": 1, "loco": 2}
    position["players"][1]["stations"] = ["paris"]
    assert moves_of(position, board, "build_station wien ") == {"1red", "1blue", "1loco"}
    assert not moves_of(position, board, "build_station paris ")
    position["players"][0]["stations"] = ["roma"]
    assert moves_of(position, board, "build_station wien ") == {"2red", "1red+1loco", "1blue+1loco", "2loco"}


@pytest.mark.parametrize(("wagons", "left"), [(2, 3), (3, None)])
def test_last_round(wagons, left):
    """S-106, S-107, S-108."""
    position, board = started("usa", 3)
    position["players"][0]["wagons"] = wagons
    position["players"][1]["wagons"] = 5
    position = play(position, board, "draw_tickets", "keep_tickets " + position["pile"][0])
    assert position["final_turns_left"] == left
    if left:
        position["players"][1]["wagons"] = 0
        for _ in range(3):
            position = play(position, board, "draw_deck", "stop_drawing")
        assert (position["phase"], position["final_turns_left"], position["active"]) == ("finished", 0, 0)


def test_retired_seats():
    """COMMON-RESIGN-2, COMMON-RESIGN-4."""
    position, board = started("usa", 3)
    position = retire(play(position, board, "draw_tickets"), 0, board)
    assert (position["active"], position["turns"], len(position["players"][0]["tickets"])) == (1, 1, 4)
    position = play(position, board, "draw_deck", "draw_deck", "draw_deck", "draw_deck")
    assert (position["active"], position["turns"]) == (1, 4)
    position = retire(position, 2, board)
    assert (position["phase"], position["ending"]) == ("finished", "forfeit")
    assert score(position, board)["winners"] == [1]


def test_brown_is_orange():
    """S-166."""
    position, board = started("usa-2004", 2)
    position["players"][0]["hand"] = {"orange": 3}
    after = play(position, board, "claim montreal_toronto 3brown")
    assert after["discard"] == {"orange": 3}
    position["edition"] = "usa"
    with pytest.raises(IllegalMove):
        play(position, board, "claim montreal_toronto 3brown")


@pytest.mark.parametrize(("players", "others_may"), [(3, False), (4, True)])
def test_three_tracks(players, others_may):
    """S-186."""
    position, _ = started("usa", players)
    track = {"a": "X", "b": "Y", "length": 1, "color": "grey", "kind": "rail", "locomotives": 0}
    board = {"routes": [{"id": f"r{i}", "double_group": "XY", **track} for i in range(3)], "cities": []}
    position["routes"] = {"r0": 0}
    for seat, player in enumerate(position["players"]):
        player["hand"], position["active"] = {"red": 1}, seat
        open_tracks = {"r1 1red", "r2 1red"} if seat and others_may else set()
        assert moves_of(position, board, "claim ") == open_tracks


def test_retiring_during_setup():
    """COMMON-RESIGN-2, COMMON-RESIGN-4."""
    board = load_board("usa")
    position = new_position("usa", 3, {"first_player": 0}, SEED)
    offers = [player["offer"] for player in position["players"]]
    position = retire(position, 0, board)
    assert position["players"][0]["choice"] == offers[0][:2]
    ended = retire(position, 1, board)
    assert [player["tickets"] for player in ended["players"]] == [offers[0][:2], offers[1][:2], []]
    assert [player["offer"] for player in ended["players"]] == [[], [], offers[2]]
    for seat in (1, 2):
        position = apply_move(position, seat, "keep_tickets " + ",".join(offers[seat]), board)
    assert (position["phase"], position["active"], position["turns"]) == ("turn_start", 1, 1)
