"""Passing: only where nothing else can be done (COMMON-PASS)."""

from __future__ import annotations

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS
from tests.kit.table import Table


def stuck(edition: str, players: int = 2, **facts: object) -> Table:
    """Deck, discard, row and pile are empty and nobody can pay; the last seat holds all the cards it cannot use."""
    facts.setdefault("wagons", {players - 1: 0})
    facts = {"pile": [], "out_rest": True, "deck": "", "discard": "", "row": ".....", **facts}
    if edition == "card":
        del facts["wagons"], facts["out_rest"]
        tickets = list(rules_engine.ruleset("card", players).ticket_ids)
        piled = list(facts["pile"])  # type: ignore[call-overload]
        facts["completed"] = {0: [ticket for ticket in tickets if ticket not in piled]}
        facts["final_turns_left"] = players
        facts["spare"] = "discard"
    facts.setdefault("spare", players - 1)
    return Table.set(edition, players, loose=True, **facts)


def tickets(edition: str, number: int) -> list[str]:
    """Regular tickets."""
    rules = rules_engine.ruleset(edition, 2)
    return [name for name, long in zip(rules.ticket_ids, rules.ticket_long, strict=True) if not long][:number]


@pytest.mark.clause("COMMON-PASS-1")
@pytest.mark.scenario("S-044")
@pytest.mark.parametrize("edition", ALL)
def test_with_no_other_move_passing_is_the_only_one(edition):
    table = stuck(edition)
    assert table.moves(0) == ["pass"]
    assert table.allows(0, "pass")


@pytest.mark.clause("COMMON-PASS-1")
@pytest.mark.scenario("S-044")
@pytest.mark.parametrize("edition", ALL)
def test_with_a_card_a_ticket_or_a_deck_passing_is_refused(edition):
    for facts in (
        {"row": "r...."},
        {"row": "....L"},
        {"row": "rugwk", "deck": "y"},
        {"pile": tickets(edition, 1)},
    ):
        if edition == "card" and "deck" in facts:
            continue
        assert stuck(edition, **facts).refuses(0, "pass", clause="COMMON-PASS-1", code="other_moves_possible")


@pytest.mark.clause("COMMON-PASS-1")
@pytest.mark.parametrize(
    ("edition", "hand", "route", "payment"),
    [
        ("usa", "uuu", "montreal_new_york", "3blue"),
        ("usa", "L", "dallas_houston_1", "1loco"),
        ("lyon", "p", "r23", "1purple"),
        ("europe", "k", "amsterdam_bruxelles", "1black"),
        ("europe", "LL", "amsterdam_london", "2loco"),
        ("switzerland", "L", "basel-germany_basel", "1loco"),
        ("switzerland", "u", "luzern-schwyz", "1blue"),
    ],
)
def test_who_can_pay_for_a_route_may_not_pass(edition, hand, route, payment):
    table = stuck(edition, hands={0: hand})
    assert table.allows(0, f"claim {route} {payment}")
    assert table.refuses(0, "pass", clause="COMMON-PASS-1")


@pytest.mark.clause("COMMON-PASS-1")
@pytest.mark.parametrize(
    ("edition", "facts"),
    [
        ("usa", {"hands": {0: "uuu"}, "wagons": {0: 0, 1: 0}}),
        ("usa", {"hands": {0: "p"}, "routes": {"dallas_houston_1": 1, "kansas_city_omaha_1": 1}}),
        ("switzerland", {"hands": {0: "L"}, "wagons": {0: 0, 1: 0}}),
        ("europe", {"wagons": {0: 45, 1: 0}}),
    ],
)
def test_cards_that_pay_for_no_open_route_leave_only_a_pass(edition, facts):
    """Too few wagons, or every route short enough is closed."""
    if edition == "usa" and "routes" in facts:
        short = ["portland_seattle_1", "seattle_vancouver_1", "atlanta_nashville"]
        facts = {**facts, "routes": {**facts["routes"], **dict.fromkeys(short, 1)}}
    assert stuck(edition, **facts).moves(0) == ["pass"]


@pytest.mark.clause("COMMON-PASS-1")
@pytest.mark.parametrize(
    ("hand", "yards", "move"),
    [
        ("rr", {}, "play_same red 2+0"),
        ("rL", {}, "play_same red 1+1"),
        ("rug", {}, "play_three blue,red,green"),
        ("rrr", {1: {"red": (1, 1)}}, "play_same red 3+0"),
        ("rr", {1: {"red": (1, 1)}}, None),
        ("rug", {1: {"red": (1, 0)}}, None),
        ("ru", {}, None),
        ("rrrr", {0: {"red": (1, 0)}}, None),
        ("LLL", {}, None),
    ],
)
def test_in_the_card_game_a_set_that_can_be_placed_forbids_a_pass(hand, yards, move):
    table = stuck("card", hands={0: hand}, yards=yards)
    if move is None:
        assert table.moves(0) == ["pass"]
    else:
        assert move in table.moves(0)
        assert table.refuses(0, "pass", clause="COMMON-PASS-1")


@pytest.mark.clause("COMMON-PASS-1", "EUR-STATION-7")
@pytest.mark.scenario("S-175")
def test_a_station_is_no_reason_not_to_pass():
    table = stuck("europe", hands={0: "g"})
    assert table.allows(0, "build_station wien 1green") and table.allows(0, "pass")
    assert {move.split(" ")[0] for move in table.moves(0)} == {"build_station", "pass"}
    table.play(0, "pass")
    assert table.active == 1


@pytest.mark.clause("COMMON-PASS-1")
@pytest.mark.parametrize("edition", ALL)
def test_nobody_passes_in_the_middle_of_an_action(edition):
    table = Table.set(edition, 2)
    table.play(0, "draw_tickets")
    assert table.refuses(0, "pass", code="wrong_phase")
    table = Table.set(edition, 2)
    table.play(0, "draw_deck")
    assert table.refuses(0, "pass", code="wrong_phase")


@pytest.mark.clause("COMMON-PASS-2", "COMMON-TICKET-5")
@pytest.mark.scenario("S-045")
@pytest.mark.parametrize("edition", BOARDS)
def test_who_can_only_draw_tickets_has_to(edition):
    table = stuck(edition, pile=tickets(edition, 3))
    assert table.moves(0) == ["draw_tickets"]
    assert table.refuses(0, "pass", clause="COMMON-PASS-1")
    table.play(0, "draw_tickets")
    assert table.refuses(0, "keep_tickets -", clause="COMMON-TICKET-5")
    assert len(table.moves(0)) == 7


@pytest.mark.clause("COMMON-PASS-2")
def test_in_the_card_game_too():
    table = stuck("card", pile=tickets("card", 2))
    assert table.moves(0) == ["draw_tickets"]
    assert table.refuses(0, "pass", clause="COMMON-PASS-1")


@pytest.mark.clause("COMMON-PASS-3", "COMMON-END-7")
@pytest.mark.scenario("S-046")
@pytest.mark.parametrize("edition", BOARDS)
def test_when_everybody_has_passed_the_game_is_finished_and_scored(edition):
    table = stuck(edition, 3)
    for seat in (0, 1):
        assert table.play(seat, "pass")[0] == {"type": "passed", "seat": seat}
        assert table.phase == "turn_start" and table.active == seat + 1
    table.play(2, "pass")
    assert table.phase == "finished" and table.position()["ending"] == "normal"
    assert table.view(None)["result"]["winners"]
    assert table.position()["turns"] == 10 + 3


@pytest.mark.clause("COMMON-PASS-3")
@pytest.mark.parametrize("edition", ALL)
def test_a_pass_counts_as_a_turn_of_the_last_round(edition):
    table = stuck(edition, 2, final_turns_left=2) if edition != "card" else stuck(edition, 2)
    table.play(0, "pass")
    assert table.position()["final_turns_left"] == 1 and table.active == 1
    assert table.position()["turns"] == 11
    table.play(1, "pass")
    assert table.phase == "finished"


@pytest.mark.clause("COMMON-PASS-3")
def test_a_pass_counts_in_max_turns():
    table = stuck("usa", 3, options={"max_turns": 12})
    table.play(0, "pass")
    table.play(1, "pass")
    assert table.phase == "finished" and table.position()["ending"] == "max_turns"
