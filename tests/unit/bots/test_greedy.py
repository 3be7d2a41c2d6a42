"""How the greedy bot decides, on a board small enough to see the best move."""

from __future__ import annotations

from typing import Any

import pytest

from turntable_bots.board import Board
from turntable_bots.greedy_bot import GreedyBot
from turntable_bots.plans import CLOSED, plan, prices

pytestmark = pytest.mark.tree

Form = dict[str, Any]

#   a --2 red-- b --2 gray-- c        a --6 blue-- c        c --1 red, 1 green (double)-- d        exits x, y of e
FACTS: Form = {
    "routes": [
        {"id": "ab", "from": "a", "to": "b", "length": 2, "colour": "red", "kind": "rail", "points": 2},
        {"id": "bc", "from": "b", "to": "c", "length": 2, "colour": None, "kind": "rail", "points": 2},
        {"id": "ac", "from": "a", "to": "c", "length": 6, "colour": "blue", "kind": "rail", "points": 15},
        {
            "id": "cd1",
            "from": "c",
            "to": "d",
            "length": 1,
            "colour": "red",
            "kind": "rail",
            "doubleGroup": "cd",
        },
        {
            "id": "cd2",
            "from": "c",
            "to": "d",
            "length": 1,
            "colour": "green",
            "kind": "rail",
            "doubleGroup": "cd",
        },
        {"id": "dx", "from": "d", "to": "x", "length": 3, "colour": "red", "kind": "tunnel"},
        {"id": "by", "from": "b", "to": "y", "length": 1, "colour": "red", "kind": "rail"},
    ],
    "countries": {"e": ["x", "y"]},
    "tickets": [],
    "unusedStationPoints": 4,
}


def ticket(start: str, points: int, *ends: str, completed: bool = False) -> Form:
    targets = [{"to": end, "points": points} for end in ends]
    return {"id": f"{start}{ends}", "from": start, "targets": targets, "long": False, "completed": completed}


def view(**changes: Any) -> Form:
    """Seat 0 to move, early in a game of two."""
    own: Form = {"seat": 0, "hand": {}, "tickets": [], "offered": []}
    own.update({key: changes.pop(key) for key in list(changes) if key in own})
    seen: Form = {
        "version": 1,
        "you": own,
        "players": [{"wagons": 40}, {"wagons": 40}],
        "finalTurnsLeft": None,
        "row": ["green", "red", "loco", "blue", "white"],
        "routes": {},
        "stations": {},
    }
    return {**seen, **changes}


def draws() -> list[Form]:
    return [
        {"id": 0, "type": "draw_deck"},
        *({"id": 1 + slot, "type": "draw_row", "slot": slot} for slot in range(5)),
    ]


def claim(number: int, route: str, colour: str | None, wagons: int, locos: int = 0) -> Form:
    payment = {"colour": colour, "wagons": wagons, "locos": locos}
    return {"id": number, "type": "claim", "route": route, "payment": payment}


def station(number: int, city: str) -> Form:
    payment = {"colour": "red", "wagons": 1, "locos": 0}
    return {"id": number, "type": "build_station", "city": city, "payment": payment}


def decide(seen: Form, moves: list[Form]) -> Form:
    return GreedyBot(b"seed", FACTS).decide(seen, moves)


def planned(owners: dict[str, int], *tickets: Form, wagons: int = 40) -> list[str]:
    board = Board(FACTS)
    return sorted(route.id for route in plan(board, prices(board, owners, 0), tickets, wagons).routes)


def test_a_plan_takes_the_cheapest_path_and_leaves_out_what_is_owned() -> None:
    assert planned({}, ticket("a", 9, "c")) == ["ab", "bc"]
    assert planned({"ab": 0}, ticket("a", 9, "c")) == ["bc"]
    assert planned({"ab": 1}, ticket("a", 9, "c")) == ["ac"]


def test_a_planned_route_serves_all_tickets() -> None:
    assert planned({}, ticket("a", 9, "c"), ticket("b", 5, "d")) in (["ab", "bc", "cd1"], ["ab", "bc", "cd2"])


def test_a_plan_stays_within_the_wagons() -> None:
    assert planned({}, ticket("a", 9, "c"), wagons=3) == []
    assert planned({}, ticket("a", 9, "c"), ticket("b", 2, "y"), wagons=4) in (["ab", "bc"], ["by"])


def test_any_exit_will_do_for_a_country() -> None:
    assert planned({}, ticket("a", 9, "e")) == ["ab", "by"]
    assert planned({"by": 1}, ticket("c", 9, "e")) in (["cd1", "dx"], ["cd2", "dx"])


def test_a_rivals_track_closes_its_twin_only_where_the_rules_say_so() -> None:
    closed, still_open = Board(FACTS), Board({**FACTS, "doubleClosesAll": False})
    assert prices(closed, {"cd1": 1}, 0)[4] == CLOSED
    assert prices(still_open, {"cd1": 1}, 0)[4] > 0
    assert prices(still_open, {"cd1": 0}, 0)[4] == CLOSED


def test_a_route_on_the_plan_is_claimed_with_the_fewest_locos() -> None:
    seen = view(hand={"red": 2, "loco": 2}, tickets=[ticket("a", 9, "c")])
    moves = [*draws(), claim(10, "ab", None, 0, 2), claim(11, "ab", "red", 1, 1), claim(12, "ab", "red", 2)]
    assert decide(seen, moves)["id"] == 12


def test_a_gray_route_is_paid_in_the_colour_that_the_plan_can_spare() -> None:
    seen = view(hand={"red": 2, "white": 2}, tickets=[ticket("a", 9, "c")])
    assert decide(seen, [*draws(), claim(10, "bc", "red", 2), claim(11, "bc", "white", 2)])["id"] == 11


def test_a_route_off_the_plan_is_left_alone_while_there_is_time() -> None:
    seen = view(hand={"blue": 6}, tickets=[ticket("b", 9, "a")])
    assert decide(seen, [*draws(), claim(10, "ac", "blue", 6)])["type"] != "claim"


def test_the_longest_route_is_claimed_when_nothing_is_planned_or_the_end_is_near() -> None:
    moves = [*draws(), claim(10, "ab", "red", 2), claim(11, "ac", "blue", 6)]
    done = view(hand={"blue": 6, "red": 2}, tickets=[ticket("b", 9, "y", completed=True)])
    assert decide(done, moves)["id"] == 11
    late = view(hand={"blue": 6}, tickets=[ticket("b", 9, "y")], players=[{"wagons": 9}, {"wagons": 2}])
    assert decide(late, moves)["id"] == 11


def test_the_last_turn_completes_a_ticket_rather_than_score_a_long_route() -> None:
    seen = view(hand={"blue": 6, "red": 2}, tickets=[ticket("a", 20, "b")], finalTurnsLeft=1)
    assert decide(seen, [*draws(), claim(10, "ac", "blue", 6), claim(11, "ab", "red", 2)])["id"] == 11


def test_cards_that_the_plan_lacks_are_taken_from_the_row_and_others_from_the_deck() -> None:
    wants_red = view(hand={"red": 1}, tickets=[ticket("a", 9, "b")])
    assert decide(wants_red, draws())["id"] == 2
    nothing_there = view(
        hand={"red": 1}, tickets=[ticket("a", 9, "b")], row=["green", "white", "blue", None, "white"]
    )
    assert decide(nothing_there, draws())["id"] == 0


def test_a_tunnel_is_paid_if_it_can_be_and_given_up_otherwise() -> None:
    abandon = {"id": 9, "type": "tunnel_abandon"}
    dear = {"id": 20, "type": "tunnel_pay", "payment": {"colour": None, "wagons": 0, "locos": 1}}
    cheap = {"id": 21, "type": "tunnel_pay", "payment": {"colour": "red", "wagons": 1, "locos": 0}}
    assert decide(view(), [abandon, dear, cheap])["id"] == 21
    assert decide(view(), [abandon])["id"] == 9


def test_a_station_is_built_only_where_it_unblocks_a_ticket_worth_it() -> None:
    moves = [*draws(), station(30, "a"), station(31, "b"), station(32, "y")]
    owners = {"ab": 0, "by": 1, "dx": 1}
    blocked = view(hand={"red": 1}, tickets=[ticket("a", 9, "y")], routes=owners)
    assert decide(blocked, moves)["id"] in (31, 32)
    worthless = view(hand={"red": 1}, tickets=[ticket("a", 2, "y")], routes=owners)
    assert decide(worthless, moves)["type"] != "build_station"
    possible = view(hand={"red": 1}, tickets=[ticket("a", 9, "c")], routes=owners)
    assert decide(possible, moves)["type"] != "build_station"


def test_a_station_lends_what_its_ticket_lacked_so_that_no_second_one_is_built() -> None:
    board = Board(FACTS)
    owners = {"ab": 0, "by": 1, "dx": 1}
    assert prices(board, owners, 0, ["b"])[6] == 0
    assert prices(board, owners, 0, ["d"])[6] == CLOSED
    seen = view(hand={"red": 1}, tickets=[ticket("a", 9, "y")], routes=owners, stations={"b": 0})
    assert decide(seen, [*draws(), station(32, "y")])["type"] != "build_station"


def test_of_the_tickets_offered_those_that_pay_for_their_wagons_are_kept() -> None:
    near, far, poor = ticket("a", 9, "b"), ticket("a", 20, "c"), ticket("a", 3, "x")
    offered = [near, far, poor]
    names = [one["id"] for one in offered]
    moves = [
        {"id": 10 + mask, "type": "keep_tickets", "tickets": [names[i] for i in range(3) if mask >> i & 1]}
        for mask in range(1, 8)
    ]
    assert decide(view(offered=offered), moves)["tickets"] == [names[0], names[1]]


def hand_of_cards(**changes: Any) -> Form:
    """Seat 0 to move in the game of yards."""
    player: Form = {"wagons": 0, "handSize": 0, "roadPileSize": 0, "yard": []}
    return view(players=[player, player], deckSize=60, **changes)


def cards_ticket(name: str, points: int, **cards: int) -> Form:
    return {
        "id": name,
        "from": "a",
        "to": "b",
        "points": points,
        "cards": cards,
        "bigCities": [],
        "completed": None,
    }


def test_in_the_yard_the_colours_of_the_tickets_are_played() -> None:
    seen = hand_of_cards(hand={"red": 3, "white": 3}, tickets=[cards_ticket("t", 9, red=3)])
    same = [
        {"id": 100 + wagons, "type": "play_same", "colour": colour, "wagons": wagons, "locos": 0}
        for colour in ("white", "red")
        for wagons in (2, 3)
    ]
    chosen = decide(seen, [*draws(), *same])
    assert (chosen["type"], chosen["colour"], chosen["wagons"]) == ("play_same", "red", 3)


def test_in_the_yard_missing_colours_are_drawn_from_the_row() -> None:
    seen = hand_of_cards(hand={}, tickets=[cards_ticket("t", 9, blue=2, red=1)])
    assert decide(seen, draws())["id"] == 4


def test_in_the_yard_tickets_beyond_the_cards_to_come_are_not_kept() -> None:
    offered = [cards_ticket("cheap", 8, red=2), cards_ticket("dear", 9, blue=9, white=9)]
    seen = hand_of_cards(offered=offered)
    seen["deckSize"] = 8
    moves = [
        {
            "id": 10 + mask,
            "type": "keep_tickets",
            "tickets": [offered[i]["id"] for i in range(2) if mask >> i & 1],
        }
        for mask in range(4)
    ]
    assert decide(seen, moves)["tickets"] == ["cheap"]
