"""Tickets drawn in mid-game: the listed scenarios of rules.md section 7."""

from __future__ import annotations

import pytest

import turntable_rules as rules_engine
from tests.kit.table import Table


def tickets_of(edition: str) -> list[str]:
    """Regular tickets of an edition, in board order."""
    rules = rules_engine.ruleset(edition, 2)
    return [ticket for ticket, long in zip(rules.ticket_ids, rules.ticket_long, strict=True) if not long]


def with_pile(edition: str, size: int) -> tuple[Table, list[str]]:
    """Seat 0 to move, and a pile of that size."""
    pile = tickets_of(edition)[:size]
    return Table.set(edition, 2, pile=pile, out_rest=True), pile


@pytest.mark.clause("FSM-9", "COMMON-TICKET-3", "COMMON-TICKET-5")
@pytest.mark.scenario("S-013")
def test_a_pile_of_two_offers_two_and_one_must_be_kept():
    table, pile = with_pile("usa", 2)
    offered = table.play(0, "draw_tickets")
    assert offered == [{"type": "tickets_offered", "seat": 0, "count": 2, "tickets": pile}]
    assert table.phase == "ticket_choice"
    assert table.refuses(0, "keep_tickets -", clause="COMMON-TICKET-5")
    for kept in (pile[0], pile[1], ",".join(pile)):
        assert table.allows(0, f"keep_tickets {kept}")
    assert len(table.moves(0)) == 3


@pytest.mark.clause("COMMON-TICKET-4", "FSM-13")
@pytest.mark.scenario("S-015")
def test_an_empty_pile_gives_no_tickets():
    table, _ = with_pile("usa", 0)
    assert table.refuses(0, "draw_tickets", clause="COMMON-TICKET-4", code="pile_empty")


@pytest.mark.clause("USA-TICKET-1", "COMMON-TICKET-7")
@pytest.mark.scenario("S-016")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon"])
def test_rejected_tickets_lie_under_the_pile_in_the_order_offered(edition):
    table, pile = with_pile(edition, 9)
    table.play(0, "draw_tickets")
    table.play(0, f"keep_tickets {pile[1]}")
    assert table.position()["pile"] == [*pile[3:], pile[0], pile[2]]
    assert table.player(0)["tickets"] == [pile[1]]


@pytest.mark.clause("SWI-TICKET-1", "COMMON-TICKET-6")
@pytest.mark.scenario("S-017")
def test_switzerland_puts_rejected_tickets_out_of_the_game():
    table, pile = with_pile("switzerland", 10)
    gone = table.player(0)["out"]
    table.play(0, "draw_tickets")
    table.play(0, f"keep_tickets {pile[0]}")
    assert table.position()["pile"] == pile[3:]
    assert table.player(0)["out"] == [*gone, pile[1], pile[2]]


@pytest.mark.clause("EUR-TICKET-1", "COMMON-TICKET-6")
@pytest.mark.scenario("S-018")
def test_europe_puts_rejected_tickets_under_the_pile_in_mid_game():
    table, pile = with_pile("europe", 10)
    table.play(0, "draw_tickets")
    table.play(0, f"keep_tickets {pile[2]}")
    assert table.position()["pile"] == [*pile[3:], pile[0], pile[1]]
    assert len(table.position()["pile"]) == 9


@pytest.mark.clause("CARD-TICKET-1", "CARD-TICKET-2")
@pytest.mark.scenario("S-019")
def test_the_card_game_lets_a_player_keep_none():
    table = Table.set("card", 2)
    pile = table.position()["pile"]
    table.play(0, "draw_tickets")
    assert table.player(0)["offer"] == pile[:4]
    table.play(0, "keep_tickets -")
    assert table.position()["pile"] == pile[4:] + pile[:4]
    assert table.player(0)["tickets"] == [] and table.active == 1


@pytest.mark.clause("COMMON-TICKET-1", "COMMON-TICKET-9", "INFO-9", "INFO-13")
@pytest.mark.scenario("S-180")
def test_nine_tickets_are_not_too_many_and_only_their_number_is_public():
    held = tickets_of("usa")[:9]
    table = Table.set("usa", 2, tickets={0: held})
    assert table.allows(0, "draw_tickets")
    view = table.view(1)
    assert view["players"][0]["ticket_count"] == 9
    assert view["ticket_pile_size"] == 30 - 9
    assert not [ticket for ticket in held if ticket in table.view_text(1)]
    assert not [ticket for ticket in held if ticket in table.view_text(None)]
    assert [ticket["id"] for ticket in table.view(0)["you"]["tickets"]] == held
