"""Drawing, keeping and holding tickets (COMMON-TICKET-1 to -9, -13)."""

from __future__ import annotations

import json

import pytest

from tests.kit.table import Table

EVERY = ["usa-2004", "usa", "lyon", "europe", "switzerland", "card"]
BOARDS = EVERY[:5]
# Tickets dealt and fewest kept at setup; drawn and fewest kept in mid-game (rules.md section 1).
SETUP = {
    "usa-2004": (3, 2),
    "usa": (3, 2),
    "lyon": (3, 2),
    "europe": (4, 2),
    "switzerland": (5, 2),
    "card": (6, 1),
}
DRAWN = {
    "usa-2004": (3, 1),
    "usa": (3, 1),
    "lyon": (3, 1),
    "europe": (3, 1),
    "switzerland": (3, 1),
    "card": (4, 0),
}


def keep(*tickets: str) -> str:
    return "keep_tickets " + (",".join(tickets) or "-")


def draw(table: Table, seat: int = 0) -> list[str]:
    """Draw tickets; returns those offered."""
    table.play(seat, "draw_tickets")
    return table.player(seat)["offer"]


def small_pile(edition: str, size: int, **facts: object) -> Table:
    """A game whose pile holds so many tickets."""
    pile = Table.set(edition, 2).position()["pile"][:size]
    return Table.set(edition, 2, pile=pile, out_rest=True, **facts)


def end_turn(table: Table) -> None:
    """Have the active seat do something that moves no ticket."""
    table.play(table.active, "draw_deck")
    table.play(table.active, table.moves(table.active)[-1])


@pytest.mark.clause("COMMON-TICKET-1")
@pytest.mark.parametrize("edition", EVERY)
def test_tickets_are_secret_until_the_end(edition):
    held = Table.set(edition, 3).position()["pile"][4:8]
    t = Table.set(edition, 3, tickets={0: held})
    for other in (1, 2, None):
        assert t.view(other)["players"][0]["ticket_count"] == 4
        assert not [ticket for ticket in held if f'"{ticket}"' in t.view_text(other)]
    assert [ticket["id"] for ticket in t.view(0)["you"]["tickets"]] == held
    t.retire(1)
    t.retire(2)
    for other in (1, 2, None):
        assert t.view(other)["revealed"]["players"][0]["tickets"] == held


@pytest.mark.clause("COMMON-TICKET-1")
@pytest.mark.parametrize("edition", EVERY)
def test_an_offer_is_secret_too(edition):
    t = Table.set(edition, 3)
    events = t.play_events(0, "draw_tickets")
    offered = t.player(0)["offer"]
    public = json.dumps([event.public for event in events])
    for other in (1, 2, None):
        assert not [ticket for ticket in offered if f'"{ticket}"' in t.view_text(other) + public]


@pytest.mark.clause("COMMON-TICKET-1")
def test_in_the_card_game_completed_tickets_are_shown_and_the_others_are_not():
    pile = Table.set("card", 4).position()["pile"]
    t = Table.set("card", 4, tickets={0: pile[:2]}, completed={0: pile[2:4]}, round=2)
    assert t.view(1)["players"][0]["completed_tickets"] == pile[2:4]
    assert not [ticket for ticket in pile[:2] if f'"{ticket}"' in t.view_text(1)]


@pytest.mark.clause("COMMON-TICKET-2")
@pytest.mark.parametrize("edition", EVERY)
def test_at_setup_the_minimum_up_to_all_may_be_kept(edition):
    dealt, fewest = SETUP[edition]
    t = Table.new(edition, 2)
    offer = t.player(0)["offer"]
    assert len(offer) == dealt
    assert t.refuses(0, keep(*offer[: fewest - 1]), clause="COMMON-TICKET-2")
    counts = {0 if move.endswith(" -") else move.count(",") + 1 for move in t.moves(0)}
    assert counts == set(range(fewest, dealt + 1))
    for kept in (offer[-fewest:], offer):
        at = t.copy()
        at.play(0, keep(*kept))
        at.play(1, at.moves(1)[-1])
        assert at.player(0)["tickets"] == kept


@pytest.mark.clause("COMMON-TICKET-3")
@pytest.mark.parametrize("edition", EVERY)
def test_tickets_are_drawn_from_the_top(edition):
    t = Table.set(edition, 2)
    pile = t.position()["pile"]
    count = DRAWN[edition][0]
    assert draw(t) == pile[:count]
    assert t.position()["pile"] == pile[count:]


@pytest.mark.clause("COMMON-TICKET-3", "FSM-9")
@pytest.mark.parametrize("edition", EVERY)
@pytest.mark.parametrize("left", [1, 2])
def test_a_small_pile_is_drawn_whole(edition, left):
    t = small_pile(edition, left)
    pile = t.position()["pile"]
    assert draw(t) == pile and len(pile) == left
    assert t.position()["pile"] == []


@pytest.mark.clause("COMMON-TICKET-4")
@pytest.mark.parametrize("edition", EVERY)
def test_nothing_is_drawn_from_an_empty_pile(edition):
    t = small_pile(edition, 0)
    assert t.refuses(0, "draw_tickets", clause="COMMON-TICKET-4")
    assert small_pile(edition, 1).allows(0, "draw_tickets")


@pytest.mark.clause("COMMON-TICKET-5")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("left", [1, 2, 3])
def test_at_least_one_is_kept_however_few_were_drawn(edition, left):
    t = small_pile(edition, left)
    offer = draw(t)
    assert t.refuses(0, keep(), clause="COMMON-TICKET-5")
    assert len(t.moves(0)) == 2**left - 1
    t.play(0, keep(offer[-1]))
    assert t.player(0)["tickets"] == [offer[-1]]


@pytest.mark.clause("COMMON-TICKET-6")
@pytest.mark.parametrize("edition", EVERY)
def test_where_rejected_tickets_of_mid_game_go(edition):
    t = Table.set(edition, 2)
    offer = draw(t)
    below = t.position()["pile"]
    t.play(0, keep(offer[1]))
    rejected = [ticket for ticket in offer if ticket != offer[1]]
    if edition == "switzerland":
        assert t.position()["pile"] == below and t.player(0)["out"] == rejected
    else:
        assert t.position()["pile"] == below + rejected and t.player(0)["out"] == []


@pytest.mark.clause("COMMON-TICKET-6")
@pytest.mark.parametrize("edition", EVERY)
def test_where_rejected_tickets_of_the_setup_go(edition):
    t = Table.new(edition, 2)
    below = t.position()["pile"]
    fewest = SETUP[edition][1]
    offers = [t.player(seat)["offer"] for seat in (0, 1)]
    for seat in (0, 1):
        t.play(seat, keep(*offers[seat][:fewest]))
    rejected = offers[0][fewest:] + offers[1][fewest:]
    pile = t.position()["pile"]
    if edition in ("europe", "switzerland"):
        assert pile == below and t.player(0)["out"] + t.player(1)["out"] == rejected
    elif edition == "card":
        assert sorted(pile) == sorted(below + rejected)
        assert pile[: len(below)] != below, "shuffled back, not put under the pile"
    else:
        assert pile == below + rejected


@pytest.mark.clause("COMMON-TICKET-7", "USA-TICKET-1")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon", "europe"])
def test_under_the_pile_the_last_offered_lies_deepest(edition):
    t = small_pile(edition, 9)
    p = t.position()["pile"]
    draw(t)
    t.play(0, keep(p[1]))
    assert t.position()["pile"] == [*p[3:], p[0], p[2]]


@pytest.mark.clause("COMMON-TICKET-7")
def test_the_order_in_which_the_kept_are_named_does_not_matter():
    t = Table.set("card", 2)
    offer = draw(t)
    below = t.position()["pile"]
    t.play(0, keep(offer[3], offer[1]))
    assert t.position()["pile"] == [*below, offer[0], offer[2]]
    assert t.player(0)["tickets"] == [offer[1], offer[3]]


@pytest.mark.clause("COMMON-TICKET-8")
@pytest.mark.parametrize("edition", EVERY)
def test_a_kept_ticket_cannot_be_returned_later(edition):
    held = Table.set(edition, 2).position()["pile"][-2:]
    t = Table.set(edition, 2, tickets={0: held})
    offer = draw(t)
    assert t.refuses(0, keep(held[0], offer[0]), clause="COMMON-TICKET-13")
    t.play(0, keep(offer[0]))
    assert t.player(0)["tickets"] == [*held, offer[0]]
    assert not set(held) & set(t.position()["pile"])
    end_turn(t)
    kinds = {move.split(" ")[0] for move in t.moves(0)}
    assert "keep_tickets" not in kinds and t.refuses(0, keep(offer[0]))


@pytest.mark.clause("COMMON-TICKET-8")
def test_tickets_stay_through_a_whole_game():
    t = Table.new("usa", 2, options={"first_player": 0, "max_turns": 40})
    for seat in (0, 1):
        t.play(seat, t.moves(seat)[-1])
    held = t.player(0)["tickets"]
    while t.phase != "finished":
        t.play(t.active, t.moves(t.active)[len(t.moves(t.active)) // 2])
        assert t.player(0)["tickets"][:3] == held


@pytest.mark.clause("COMMON-TICKET-9")
@pytest.mark.parametrize("edition", EVERY)
def test_any_number_of_tickets_may_be_held(edition):
    """All but one of the pile are in one hand, and the last can still be drawn."""
    pile = Table.set(edition, 2).position()["pile"]
    t = Table.set(edition, 2, tickets={0: pile[1:]})
    assert draw(t) == pile[:1]
    t.play(0, keep(pile[0]))
    assert sorted(t.player(0)["tickets"]) == sorted(pile)


@pytest.mark.clause("COMMON-TICKET-9")
def test_all_three_drawn_may_be_kept_again_and_again():
    t = Table.set("usa", 2)
    for turn in range(1, 6):
        t.play(0, keep(*draw(t)))
        assert len(t.player(0)["tickets"]) == 3 * turn
        end_turn(t)


@pytest.mark.clause("COMMON-TICKET-13")
@pytest.mark.parametrize("edition", EVERY)
def test_until_the_choice_is_made_nothing_else_is_legal(edition):
    t = Table.set(edition, 2, hands={0: "uuurrgg"}, row="rrruu")
    draw(t)
    claim = {"usa-2004": "montreal_new_york", "usa": "montreal_new_york", "europe": "constantinople_sofia"}
    others = ["draw_deck", "draw_row 0", "draw_tickets", "pass", "stop_drawing"]
    others += [f"claim {claim[edition]} 3blue"] if edition in claim else []
    others += ["build_station wien 1red"] if edition == "europe" else []
    others += ["play_same red 2+0"] if edition == "card" else []
    for move in others:
        assert t.refuses(0, move, clause="COMMON-TICKET-13")
    assert all(move.startswith("keep_tickets ") for move in t.moves(0))


@pytest.mark.clause("COMMON-TICKET-13")
@pytest.mark.parametrize("edition", EVERY)
def test_only_offered_tickets_can_be_kept_and_each_once(edition):
    t = Table.set(edition, 2)
    offer = draw(t)
    in_the_pile = t.position()["pile"][0]
    for wrong in ((in_the_pile,), (offer[0], in_the_pile), (offer[0], offer[0]), ("nowhere",)):
        assert t.refuses(0, keep(*wrong), clause="COMMON-TICKET-13", code="ticket_not_offered")


@pytest.mark.clause("COMMON-TICKET-13")
@pytest.mark.parametrize("edition", EVERY)
def test_at_setup_only_the_own_offer_can_be_kept(edition):
    t = Table.new(edition, 2)
    assert t.refuses(0, keep(*t.player(1)["offer"]), clause="COMMON-TICKET-13")
    assert t.refuses(0, "draw_deck")
