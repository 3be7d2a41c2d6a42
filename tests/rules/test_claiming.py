"""Claiming routes (COMMON-CLAIM): what is paid, what is placed, what is scored."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from turntable_rules import Board, builtin_board

# A coloured rail route of three spaces on each board.
COLOURED = [
    ("usa-2004", "montreal_new_york", "blue", "u"),
    ("usa", "montreal_new_york", "blue", "u"),
    ("lyon", "r39", "yellow", "y"),
    ("europe", "brest_paris", "black", "k"),
    ("switzerland", "bern-interlaken", "blue", "u"),
]
# A gray rail route on each board, and its length.
GRAY = [
    ("usa-2004", "montreal_toronto", 3),
    ("usa", "montreal_toronto", 3),
    ("lyon", "r37", 3),
    ("europe", "danzig_warszawa", 2),
    ("switzerland", "st_gallen-germany_st_gallen", 2),
]
BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]
SIX_TIMES_SEVEN = (
    "calgary_winnipeg duluth_helena duluth_toronto el_paso_houston el_paso_los_angeles helena_seattle "
    "miami_new_orleans"
).split()


def board(edition: str) -> Board:
    return builtin_board("usa" if edition == "usa-2004" else edition)


def claims(table: Table, seat: int) -> list[tuple[str, str]]:
    """Route and payment of every claim listed for the seat."""
    words = [move.split(" ") for move in table.moves(seat)]
    return [(move[1], move[2]) for move in words if move[0] == "claim"]


def payments(table: Table, seat: int, route: str) -> set[str]:
    return {payment for claimed, payment in claims(table, seat) if claimed == route}


def size(payment: str) -> int:
    """How many cards a payment such as 2red+1loco has."""
    return sum(int("".join(c for c in part if c.isdigit())) for part in payment.split("+"))


@pytest.mark.scenario("S-049")
@pytest.mark.clause(
    "USA-CLAIM-1",
    "COMMON-CLAIM-3",
    "COMMON-CLAIM-7",
    "COMMON-CLAIM-12",
    "COMMON-CLAIM-13",
    "USA-SCORE-1",
    "FSM-6",
)
@pytest.mark.parametrize("edition", ["usa-2004", "usa"])
def test_three_blue_cards_claim_montreal_new_york(edition):
    t = Table.set(edition, 2, hands={0: "uuu"})
    t.play(0, "claim montreal_new_york 3blue")
    assert t.position()["routes"] == {"montreal_new_york": 0}
    assert t.player(0)["wagons"] == 42
    assert t.player(0)["score"] == 4
    assert t.player(0)["hand"] == {}
    assert t.position()["discard"] == {"blue": 3}
    assert (t.phase, t.active) == ("turn_start", 1)


@pytest.mark.scenario("S-050")
@pytest.mark.clause("COMMON-CLAIM-1", "COMMON-CLAIM-2", "COMMON-CLAIM-3", "USA-CLAIM-1")
@pytest.mark.parametrize(
    ("payment", "clause"),
    [
        ("2blue+1red", "COMMON-CLAIM-2"),
        ("3red", "COMMON-CLAIM-3"),
        ("2blue", "COMMON-CLAIM-1"),
        ("4blue", "COMMON-CLAIM-1"),
    ],
)
def test_a_payment_that_does_not_fit_is_refused(payment, clause):
    t = Table.set("usa", 2, hands={0: "uuuurrr"})
    assert t.refuses(0, f"claim montreal_new_york {payment}", clause=clause)


@pytest.mark.scenario("S-051")
@pytest.mark.clause("USA-CLAIM-2", "COMMON-CLAIM-4", "COMMON-CLAIM-5")
@pytest.mark.parametrize("payment", ["3green", "2yellow+1loco", "1red+2loco", "3loco"])
def test_a_gray_route_takes_one_colour_and_locos(payment):
    t = Table.set("usa", 2, hands={0: "gggyyrLLL"}, row="wwwkk")
    t.play(0, f"claim montreal_toronto {payment}")
    assert t.position()["routes"] == {"montreal_toronto": 0}


@pytest.mark.scenario("S-051")
@pytest.mark.clause("USA-CLAIM-2", "COMMON-CLAIM-2")
def test_a_gray_route_does_not_take_two_colours():
    t = Table.set("usa", 2, hands={0: "gggyyLLL"})
    assert t.refuses(0, "claim montreal_toronto 2green+1yellow", clause="COMMON-CLAIM-2")


@pytest.mark.clause("COMMON-CLAIM-2", "COMMON-CLAIM-4")
@pytest.mark.parametrize(("edition", "route", "length"), GRAY)
def test_every_colour_pays_a_gray_route_but_never_two(edition, route, length):
    t = Table.set(edition, 2, hands={0: "pppwwwuuuyyyoookkkrrrggg"})
    colours = ["purple", "white", "blue", "yellow", "orange", "black", "red", "green"]
    assert payments(t, 0, route) == {f"{length}{colour}" for colour in colours}
    assert t.refuses(0, f"claim {route} {length - 1}red+1green", clause="COMMON-CLAIM-2")


@pytest.mark.clause("COMMON-CLAIM-1", "COMMON-CLAIM-3")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_a_coloured_route_takes_as_many_cards_of_its_colour_as_it_has_spaces(edition, route, colour, letter):
    t = Table.set(edition, 2, hands={0: 5 * letter + "ppppp"}, row="rrrww")
    assert payments(t, 0, route) == {f"3{colour}"}
    assert t.refuses(0, f"claim {route} 2{colour}", clause="COMMON-CLAIM-1")
    assert t.refuses(0, f"claim {route} 4{colour}", clause="COMMON-CLAIM-1")
    assert t.refuses(0, f"claim {route} 3purple", clause="COMMON-CLAIM-3")


@pytest.mark.scenario("S-052")
@pytest.mark.clause("EUR-CLAIM-1", "FSM-14", "COMMON-CLAIM-5")
def test_the_four_payments_of_a_blue_route_of_three():
    t = Table.set("europe", 2, hands={0: "uuuLLLrrr"}, row="wwwkk")
    assert payments(t, 0, "constantinople_sofia") == {"3blue", "2blue+1loco", "1blue+2loco", "3loco"}


@pytest.mark.clause("COMMON-CLAIM-5")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED[:4])
def test_locos_replace_any_number_of_cards(edition, route, colour, letter):
    t = Table.set(edition, 2, hands={0: 3 * letter + "LLL"}, row="rrrww")
    assert payments(t, 0, route) == {f"3{colour}", f"2{colour}+1loco", f"1{colour}+2loco", "3loco"}


@pytest.mark.clause("COMMON-CLAIM-1", "COMMON-CLAIM-5")
def test_cards_not_held_cannot_be_played():
    t = Table.set("usa", 2, hands={0: "uuL"})
    assert t.refuses(0, "claim montreal_new_york 3blue", code="cards_not_held")
    assert t.refuses(0, "claim montreal_new_york 1blue+2loco", code="cards_not_held")
    assert t.allows(0, "claim montreal_new_york 2blue+1loco")


@pytest.mark.clause("COMMON-CLAIM-6")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_a_route_longer_than_the_reserve_cannot_be_claimed(edition, route, colour, letter):
    hand = {0: 6 * letter}
    short = Table.set(edition, 2, hands=hand, row="rrrww", wagons={0: 2}, loose=True)
    assert short.refuses(0, f"claim {route} 3{colour}", clause="COMMON-CLAIM-6")
    enough = Table.set(edition, 2, hands=hand, row="rrrww", wagons={0: 3}, loose=True)
    enough.play(0, f"claim {route} 3{colour}")
    assert enough.player(0)["wagons"] == 0


@pytest.mark.clause("COMMON-CLAIM-6")
def test_the_reserve_is_what_the_claimed_routes_leave():
    t = Table.set("usa", 2, hands={0: "uuuooookkkkk"}, routes=dict.fromkeys(SIX_TIMES_SEVEN, 0))
    assert t.player(0)["wagons"] == 3
    assert t.allows(0, "claim montreal_new_york 3blue")
    assert t.refuses(0, "claim atlanta_new_orleans_1 4orange", clause="COMMON-CLAIM-6")


@pytest.mark.clause("COMMON-CLAIM-7")
@pytest.mark.parametrize(
    ("route", "payment", "length"),
    [
        ("atlanta_nashville", "1green", 1),
        ("dallas_little_rock", "2green", 2),
        ("el_paso_phoenix", "3green", 3),
        ("calgary_seattle", "4green", 4),
        ("pittsburgh_saint_louis", "5green", 5),
        ("el_paso_houston", "6green", 6),
    ],
)
def test_a_claim_takes_one_wagon_per_space_from_the_reserve(route, payment, length):
    t = Table.set("usa", 3, hands={0: "gggggg"})
    t.play(0, f"claim {route} {payment}")
    assert [t.player(seat)["wagons"] for seat in range(3)] == [45 - length, 45, 45]


@pytest.mark.clause("COMMON-CLAIM-8")
@pytest.mark.parametrize("edition", BOARDS)
def test_every_claim_listed_pays_for_the_whole_route(edition):
    """A hand of nearly all cards could pay for part of anything; only whole routes are on offer."""
    t = Table.set(edition, 2, deck="", spare=0)
    lengths = {route.id: route.length for route in board(edition).routes}
    listed = claims(t, 0)
    assert {route for route, _ in listed} == set(lengths)
    assert all(size(payment) == lengths[route] for route, payment in listed)


@pytest.mark.clause("COMMON-CLAIM-8")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_a_route_cannot_be_paid_for_in_parts(edition, route, colour, letter):
    for held in (2, 5):
        t = Table.set(edition, 2, hands={0: held * letter}, row="rrrww")
        for part in (1, 2):
            assert t.refuses(0, f"claim {route} {part}{colour}")
        assert payments(t, 0, route) == ({f"3{colour}"} if held > 2 else set())


@pytest.mark.clause("COMMON-CLAIM-8", "COMMON-CLAIM-6")
def test_the_last_wagons_cannot_begin_a_longer_route():
    t = Table.set("usa", 2, hands={0: "ggg"}, wagons={0: 3}, loose=True)
    assert t.refuses(0, "claim denver_helena 3green")
    assert t.player(0)["wagons"] == 3 and t.position()["routes"] == {}


@pytest.mark.clause("COMMON-CLAIM-9", "USALATER-CLAIM-1")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_one_route_per_turn(edition, route, colour, letter):
    other, length = next((gray, length) for name, gray, length in GRAY if name == edition)
    t = Table.set(edition, 3, hands={0: 3 * letter + "ppp"}, row="rrrww")
    t.play(0, f"claim {route} 3{colour}")
    assert t.active == 1 and t.moves(0) == []
    assert t.refuses(0, f"claim {other} {length}purple", code="not_your_turn")


@pytest.mark.scenario("S-057")
@pytest.mark.clause("COMMON-CLAIM-10")
def test_a_route_need_not_touch_the_others():
    t = Table.set("usa", 2, hands={0: "uuuuu"}, routes={"portland_seattle_1": 0})
    t.play(0, "claim atlanta_miami 5blue")
    assert t.position()["routes"] == {"portland_seattle_1": 0, "atlanta_miami": 0}


@pytest.mark.clause("COMMON-CLAIM-10", "COMMON-CLAIM-11")
@pytest.mark.parametrize("edition", BOARDS)
def test_every_route_that_is_not_claimed_is_open(edition):
    """With all cards in hand the routes on offer are exactly the others, whoever owns the claimed ones."""
    routes = {route.id for route in board(edition).routes}
    single = [route.id for route in board(edition).routes if route.double_group is None]
    taken = {single[1]: 1, single[5]: 0, single[9]: 1}
    t = Table.set(edition, 2, deck="", spare=0, routes=taken)
    assert {route for route, _ in claims(t, 0)} == routes - set(taken)


@pytest.mark.clause("COMMON-CLAIM-11")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_a_claimed_route_is_nobody_elses(edition, route, colour, letter):
    hands = {0: 3 * letter, 1: 3 * letter}
    for seat in (0, 1):
        t = Table.set(edition, 3, hands=hands, row="rrrww", routes={route: 0}, active=seat)
        assert t.refuses(seat, f"claim {route} 3{colour}", clause="COMMON-CLAIM-11")


@pytest.mark.clause("COMMON-CLAIM-11")
def test_a_route_stays_with_its_owner_until_the_end():
    t = Table.set("usa", 3, routes={"montreal_new_york": 2}, options={"max_turns": 30})
    while t.phase != "finished":
        assert t.position()["routes"]["montreal_new_york"] == 2
        t.play(t.active, t.moves(t.active)[-1])
    assert t.position()["routes"]["montreal_new_york"] == 2


@pytest.mark.clause("COMMON-CLAIM-12")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED[:4])
def test_the_cards_played_are_discarded(edition, route, colour, letter):
    t = Table.set(edition, 2, hands={0: 3 * letter + "Lpp"}, row="rrrww", discard="gg")
    t.play(0, f"claim {route} 2{colour}+1loco")
    assert t.position()["discard"] == {"green": 2, colour: 2, "loco": 1}
    assert t.player(0)["hand"] == {"purple": 2, colour: 1}


@pytest.mark.clause("COMMON-CLAIM-13", "COMMON-SCORE-2")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_points_are_scored_at_the_claim(edition, route, colour, letter):
    t = Table.set(edition, 2, hands={0: 3 * letter}, row="rrrww")
    before = t.player(0)["score"]
    events = t.play(0, f"claim {route} 3{colour}")
    assert t.player(0)["score"] == before + 4
    assert [event["points"] for event in events if event["type"] == "route_claimed"] == [4]
    assert t.view(1)["players"][0]["score"] == before + 4


@pytest.mark.clause("COMMON-CLAIM-14")
@pytest.mark.parametrize(
    ("payment", "left"),
    [
        ("3blue", {"loco": 2}),
        ("2blue+1loco", {"blue": 1, "loco": 1}),
        ("1blue+2loco", {"blue": 2}),
    ],
)
def test_the_player_says_which_cards_are_played(payment, left):
    t = Table.set("usa", 2, hands={0: "uuuLL"})
    assert t.refuses(0, "claim montreal_new_york", clause="COMMON-CLAIM-14")
    t.play(0, f"claim montreal_new_york {payment}")
    assert t.player(0)["hand"] == left


@pytest.mark.clause("COMMON-CLAIM-14")
@pytest.mark.parametrize(("edition", "route", "colour", "letter"), COLOURED)
def test_no_claim_without_a_payment_even_if_only_one_is_possible(edition, route, colour, letter):
    t = Table.set(edition, 2, hands={0: 3 * letter}, row="rrrww")
    assert t.allows(0, f"claim {route} 3{colour}")
    assert t.refuses(0, f"claim {route}", clause="COMMON-CLAIM-14", code="payment_missing")
