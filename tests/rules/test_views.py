"""Who sees cards and tickets: the table of rules.md section 6, row by row (INFO-1 to INFO-15)."""

from __future__ import annotations

from typing import Any

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, begun, seed_of
from tests.kit.setting import cards, counts
from tests.kit.table import Table

EVERYBODY = (0, 1, None)


def tickets_of(edition: str) -> list[str]:
    """Regular tickets of an edition, in board order."""
    rules = rules_engine.ruleset(edition, 2)
    return [name for name, long in zip(rules.ticket_ids, rules.ticket_long, strict=True) if not long]


def seen(events: list[rules_engine.Event], kind: str, viewer: int | None) -> list[dict[str, Any]]:
    """The events of one type as a viewer sees them."""
    return [event.seen_by(viewer) for event in events if event.type == kind]


def with_events(edition: str, players: int, number: int = 0) -> list[rules_engine.Event]:
    """The events of setting a game up."""
    log: list[rules_engine.Event] = []
    rules_engine.new_game(rules_engine.ruleset(edition, players), seed_of(number), log)
    return log


@pytest.mark.clause("INFO-1")
@pytest.mark.parametrize("edition", ALL)
def test_the_seed_and_the_state_of_the_generator_are_in_no_view(edition):
    table = begun(edition, 2, 0xABCDEF0123456789)
    position = table.position()
    for viewer in EVERYBODY:
        text = table.view_text(viewer)
        assert "abcdef0123456789" not in text
        assert '"seed"' not in text and '"draws"' not in text
        assert table.view(viewer)["revealed"] is None
    other = Table(rules_engine.from_position(table.state.rules, {**position, "seed": "5a" * 32, "draws": 99}))
    assert [table.view_text(viewer) for viewer in EVERYBODY] == [
        other.view_text(viewer) for viewer in EVERYBODY
    ]


@pytest.mark.clause("INFO-2")
@pytest.mark.parametrize("edition", ALL)
def test_the_order_of_the_deck_is_in_no_view(edition):
    table = Table.set(edition, 2, deck_top="rrruuuggg")
    other = Table.set(edition, 2, deck_top="gurgurgur")
    assert table.position()["deck"] != other.position()["deck"]
    for viewer in EVERYBODY:
        assert table.view_text(viewer) == other.view_text(viewer)
        assert "deck" not in table.view(viewer)


@pytest.mark.clause("INFO-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_the_size_of_the_deck_and_its_reshuffles_are_public(edition):
    table = Table.set(edition, 2, deck="rk", discard="uuuww", spare=1, row="gyopg")
    for viewer in EVERYBODY:
        assert table.view(viewer)["deck_size"] == 2
    table.play(0, "draw_deck")
    assert [table.view(viewer)["deck_size"] for viewer in EVERYBODY] == [1, 1, 1]
    events = table.play_events(0, "draw_deck")
    for viewer in EVERYBODY:
        assert seen(events, "deck_reshuffled", viewer) == [{"type": "deck_reshuffled", "count": 5}]
        assert table.view(viewer)["deck_size"] == 5


@pytest.mark.clause("INFO-4")
@pytest.mark.parametrize("edition", ALL)
def test_the_discard_is_public_as_a_multiset(edition):
    table = Table.set(edition, 2, discard="ruurL")
    for viewer in EVERYBODY:
        assert table.view(viewer)["discard"] == {"blue": 2, "red": 2, "loco": 1}


@pytest.mark.clause("INFO-5")
@pytest.mark.parametrize("edition", ALL)
def test_the_row_is_public(edition):
    table = Table.set(edition, 2, row="rLgwk")
    last = {"final_turns_left": 2} if edition == "card" else {}
    short = Table.set(edition, 2, row="r.g..", deck="", discard="", spare=1, **last)
    for viewer in EVERYBODY:
        assert table.view(viewer)["row"] == cards("rLgwk")
        assert short.view(viewer)["row"] == ["red", None, "green", None, None]


@pytest.mark.clause("INFO-6")
@pytest.mark.parametrize("edition", ALL)
def test_a_hand_is_its_owners_and_its_size_everybodys(edition):
    table = Table.set(edition, 2, hands={0: "rrugL", 1: "kk"})
    assert table.view(0)["you"]["hand"] == counts("rrugL")
    assert table.view(1)["you"]["hand"] == counts("kk")
    for viewer in EVERYBODY:
        assert [player["hand_size"] for player in table.view(viewer)["players"]] == [5, 2]
    other = Table.set(edition, 2, hands={0: "pwwyo", 1: "kk"})
    assert table.view_text(1) == other.view_text(1)
    assert table.view_text(None) == other.view_text(None)
    assert table.view(None)["you"] is None


@pytest.mark.clause("INFO-7")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("slot", [1, 4])
def test_taking_from_the_row_names_the_card_to_all(edition, slot):
    table = Table.set(edition, 2, row="rugwL")
    events = table.play_events(0, f"draw_row {slot}")
    card = cards("rugwL")[slot]
    for viewer in EVERYBODY:
        taken = {"type": "card_taken", "seat": 0, "slot": slot, "card": card}
        assert seen(events, "card_taken", viewer) == [taken]


@pytest.mark.clause("INFO-8")
@pytest.mark.parametrize("edition", ALL)
def test_a_blind_draw_discloses_nothing_but_itself(edition):
    results = set()
    for top in "pwuyokrgL":
        table = Table.set(edition, 2, deck_top=top)
        events = table.play_events(0, "draw_deck")
        assert seen(events, "card_drawn", 0) == [{"type": "card_drawn", "seat": 0, "card": cards(top)[0]}]
        for viewer in (1, None):
            assert [event.seen_by(viewer) for event in events] == [{"type": "card_drawn", "seat": 0}]
            results.add((viewer, table.view_text(viewer)))
    assert len(results) == 2


@pytest.mark.clause("INFO-9")
@pytest.mark.parametrize("edition", ALL)
def test_held_tickets_are_private_and_their_number_public(edition):
    some = tickets_of(edition)
    table = Table.set(edition, 2, tickets={0: some[:4], 1: some[4:6]})
    other = Table.set(edition, 2, tickets={0: some[6:10], 1: some[4:6]})
    assert [ticket["id"] for ticket in table.view(0)["you"]["tickets"]] == some[:4]
    for viewer in EVERYBODY:
        assert [player["ticket_count"] for player in table.view(viewer)["players"]] == [4, 2]
    for viewer in (1, None):
        assert table.view_text(viewer) == other.view_text(viewer)


@pytest.mark.clause("INFO-9")
def test_the_owner_sees_which_tickets_own_routes_complete():
    ticket, routes = joined_ticket("usa")
    for owner in (0, 1):
        table = Table.set(
            "usa", 2, routes=dict.fromkeys(routes, owner), tickets={0: [ticket, "t_boston_miami"]}
        )
        assert table.view(0)["you"]["tickets"] == [
            {"id": ticket, "completed": owner == 0},
            {"id": "t_boston_miami", "completed": False},
        ]
        assert 'completed"' not in table.view_text(1)


def joined_ticket(edition: str) -> tuple[str, dict[str, int]]:
    """A ticket between places two routes apart, and those routes for seat 0."""
    board = rules_engine.builtin_board(edition)
    for ticket in board.tickets:
        for first in board.routes:
            for second in board.routes:
                ends = {first.a, first.b} ^ {second.a, second.b}
                if ends == {ticket.start, ticket.targets[0].to} and len(ticket.targets) == 1:
                    return ticket.id, {first.id: 0, second.id: 0}
    raise AssertionError("no such ticket")


@pytest.mark.clause("INFO-9")
def test_in_europe_completion_counts_own_routes_only_while_the_game_runs():
    """Seat 0 owns one of two routes, its station could borrow the other."""
    ticket, routes = joined_ticket("europe")
    own, lent = routes
    board = rules_engine.builtin_board("europe")
    ends = {route.id: {route.a, route.b} for route in board.routes}
    (middle,) = ends[own] & ends[lent]
    table = Table.set("europe", 2, routes={own: 0, lent: 1}, stations={0: [middle]}, tickets={0: [ticket]})
    assert table.view(0)["you"]["tickets"] == [{"id": ticket, "completed": False}]
    assert table.score()["seats"][0]["tickets"][0]["completed"], "the loan would complete it at the end"


@pytest.mark.clause("INFO-9", "INFO-23")
def test_in_the_card_game_completion_is_shown_to_nobody():
    full = Table.set("card", 2, tickets={0: ["d01", "d02"]}, roads={0: "pppwwwuuuyyyoookkkrrrgggLLL"})
    bare = Table.set("card", 2, tickets={0: ["d01", "d02"]}, roads={0: "p" * 9 + "w" * 9 + "y" * 9})
    assert full.view(0)["you"]["tickets"] == [{"id": name, "completed": None} for name in ("d01", "d02")]
    for viewer in EVERYBODY:
        assert full.view_text(viewer) == bare.view_text(viewer)


@pytest.mark.clause("INFO-10")
@pytest.mark.parametrize("edition", ALL)
def test_offered_tickets_are_seen_by_the_player_offered_only(edition):
    dealt = {"europe": 4, "switzerland": 5, "card": 6}.get(edition, 3)
    offers = [Table.new(edition, 2, seed_of(3)).player(seat)["offer"] for seat in range(2)]
    events = with_events(edition, 2, 3)
    for viewer in EVERYBODY:
        expected = [{"type": "tickets_offered", "seat": seat, "count": dealt} for seat in range(2)]
        if viewer is not None:
            expected[viewer]["tickets"] = offers[viewer]
        assert seen(events, "tickets_offered", viewer) == expected
    table = Table.set(edition, 2)
    top = table.position()["pile"][: 4 if edition == "card" else 3]
    events = table.play_events(0, "draw_tickets")
    assert seen(events, "tickets_offered", 0)[0]["tickets"] == top == table.view(0)["you"]["offered"]
    for viewer in (1, None):
        shown = {"type": "tickets_offered", "seat": 0, "count": len(top)}
        assert seen(events, "tickets_offered", viewer) == [shown]
        assert table.view(viewer)["players"][0]["offered_count"] == len(top)
        assert not [ticket for ticket in top if f'"{ticket}"' in table.view_text(viewer)]


@pytest.mark.clause("INFO-11")
@pytest.mark.parametrize("edition", ALL)
def test_how_many_tickets_were_kept_is_public_and_which_is_not(edition):
    table = Table.set(edition, 2)
    table.play(0, "draw_tickets")
    offer = table.player(0)["offer"]
    events = table.play_events(0, f"keep_tickets {offer[0]},{offer[2]}")
    kept = {"type": "tickets_kept", "seat": 0, "kept": 2, "rejected": len(offer) - 2}
    for viewer in (1, None):
        assert seen(events, "tickets_kept", viewer) == [kept]
        assert table.view(viewer)["players"][0]["ticket_count"] == 2
        assert not [ticket for ticket in offer if f'"{ticket}"' in table.view_text(viewer)]
    rejected = [ticket for ticket in offer if ticket not in (offer[0], offer[2])]
    assert seen(events, "tickets_kept", 0) == [
        {**kept, "tickets_kept": [offer[0], offer[2]], "tickets_rejected": rejected}
    ]


@pytest.mark.clause("INFO-11", "COMMON-SETUP-6")
@pytest.mark.parametrize("edition", ALL)
def test_at_setup_all_counts_stand_still_until_the_last_choice(edition):
    table = Table.new(edition, 3, seed_of(1))

    def counted() -> tuple[object, ...]:
        view = table.view(2)
        kept = [(player["ticket_count"], player["offered_count"]) for player in view["players"]]
        return view["ticket_pile_size"], view["tickets_out"], kept

    before = counted()
    for seat in (1, 0):
        offer = table.player(seat)["offer"]
        events = table.play_events(seat, f"keep_tickets {offer[0]},{offer[1]}")
        assert [event.seen_by(2) for event in events] == [{"type": "setup_chosen", "seat": seat}]
        assert counted() == before
        assert table.view(seat)["you"]["chosen"] == offer[:2]
    offer = table.player(2)["offer"]
    events = table.play_events(2, "keep_tickets " + ",".join(offer))
    rejected = len(offer) - 2
    for viewer in (0, 1, 2, None):
        public = [(e["seat"], e["kept"], e["rejected"]) for e in seen(events, "tickets_kept", viewer)]
        assert public == [(0, 2, rejected), (1, 2, rejected), (2, len(offer), 0)]
        assert [player["ticket_count"] for player in table.view(viewer)["players"]] == [2, 2, len(offer)]


@pytest.mark.clause("INFO-12")
@pytest.mark.parametrize("edition", ALL)
def test_everybody_sees_who_has_chosen_at_setup(edition):
    table = Table.new(edition, 3)
    offer = table.player(1)["offer"]
    events = table.play_events(1, "keep_tickets " + ",".join(offer))
    for viewer in (0, 1, 2, None):
        assert {"type": "setup_chosen", "seat": 1}.items() <= events[0].seen_by(viewer).items()
        view = table.view(viewer)
        assert view["active_seats"] == [0, 2]
        assert [player["choosing"] for player in view["players"]] == [True, False, True]


@pytest.mark.clause("INFO-13", "INFO-14")
@pytest.mark.parametrize("edition", ALL)
def test_the_size_of_the_ticket_pile_is_public_and_its_order_is_not(edition):
    some = tickets_of(edition)
    piles = [some[:12], some[11::-1]]
    held = {0: some[12:]}
    tables = [Table.set(edition, 2, pile=pile, tickets=held) for pile in piles]
    for viewer in EVERYBODY:
        assert tables[0].view(viewer)["ticket_pile_size"] == 12
        assert tables[0].view_text(viewer) == tables[1].view_text(viewer)
        assert not [ticket for ticket in piles[0] if f'"{ticket}"' in tables[0].view_text(viewer)]


@pytest.mark.clause("INFO-14")
def test_not_even_a_player_who_put_tickets_under_the_pile_is_shown_them_again():
    table = Table.set("usa", 2)
    table.play(0, "draw_tickets")
    offer = table.player(0)["offer"]
    table.play(0, f"keep_tickets {offer[0]}")
    assert offer[1] not in table.view_text(0) and offer[2] not in table.view_text(0)


@pytest.mark.clause("INFO-15")
@pytest.mark.parametrize("edition", ["europe", "switzerland"])
def test_tickets_out_of_the_game_are_seen_by_the_rejecter_only(edition):
    table = Table.new(edition, 2, options={"first_player": 0})
    offers = [table.player(seat)["offer"] for seat in range(2)]
    for seat in range(2):
        table.play(seat, f"keep_tickets {offers[seat][0]},{offers[seat][1]}")
    undealt = table.position()["unseen_out"]
    assert len(undealt) == (4 if edition == "europe" else 0)
    gone = [offer[2:] for offer in offers]
    for viewer in EVERYBODY:
        view = table.view(viewer)
        assert view["tickets_out"] == len(undealt) + len(gone[0]) + len(gone[1])
        text = table.view_text(viewer)
        for seat in range(2):
            assert all((f'"{ticket}"' in text) == (seat == viewer) for ticket in gone[seat])
        assert not [ticket for ticket in undealt if f'"{ticket}"' in text]
        if viewer is not None:
            assert view["you"]["out"] == gone[viewer]
