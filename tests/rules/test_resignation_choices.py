"""What is settled for a seat that leaves while a choice is pending (COMMON-RESIGN-2)."""

from __future__ import annotations

import random

import pytest

from tests.kit.table import Table

EVERY = ["usa-2004", "usa", "lyon", "europe", "switzerland", "card"]
SETUP_KEEP = {"usa-2004": 2, "usa": 2, "lyon": 2, "europe": 2, "switzerland": 2, "card": 1}


def types(events: list[dict]) -> list[str]:
    return [event["type"] for event in events]


def take_turn(table: Table) -> None:
    """The active seat draws one or two cards from the deck."""
    seat = table.active
    table.play(seat, "draw_deck")
    if table.phase == "after_first_card" and table.active == seat:
        table.play(seat, "stop_drawing" if "stop_drawing" in table.moves(seat) else "draw_deck")


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-TICKET-2")
@pytest.mark.parametrize("edition", EVERY)
def test_at_setup_the_first_tickets_offered_are_kept(edition):
    fewest = SETUP_KEEP[edition]
    t = Table.new(edition, 3, options={"first_player": 0})
    offer = t.player(1)["offer"]
    t.play(0, t.moves(0)[-1])
    t.retire(1)
    assert t.phase == "setup_tickets" and t.moves(1) == []
    t.play(2, t.moves(2)[-1])
    assert t.player(1)["tickets"] == offer[:fewest]
    pile, out = t.position()["pile"], t.player(1)["out"]
    rejected = offer[fewest:]
    if edition in ("europe", "switzerland"):
        assert out == rejected
    elif edition == "card":
        assert set(rejected) <= set(pile)
    else:
        assert pile[-len(rejected) :] == rejected
    take_turn(t)
    assert t.active == 2


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", EVERY)
def test_a_setup_choice_made_before_leaving_stands(edition):
    t = Table.new(edition, 3)
    chosen = t.player(1)["offer"][-SETUP_KEEP[edition] :]
    t.play(1, "keep_tickets " + ",".join(chosen))
    t.retire(1)
    for seat in (0, 2):
        t.play(seat, t.moves(seat)[0])
    assert t.player(1)["tickets"] == chosen


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", EVERY)
def test_the_last_to_choose_may_leave_and_so_may_the_first_player(edition):
    t = Table.new(edition, 3, options={"first_player": 1})
    for seat in (0, 2):
        t.play(seat, t.moves(seat)[0])
    events = t.retire(1)
    assert types(events)[-1] == "turn_started" and "turn_skipped" in types(events)
    assert (t.active, t.position()["turns"]) == (2, 1)


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-TICKET-5")
@pytest.mark.parametrize("edition", EVERY)
def test_drawn_tickets_are_kept_up_to_the_minimum(edition):
    t = Table.set(edition, 3)
    t.play(0, "draw_tickets")
    offer, below = t.player(0)["offer"], t.position()["pile"]
    t.retire(0)
    kept = [] if edition == "card" else offer[:1]
    rejected = offer[len(kept) :]
    assert t.player(0)["tickets"] == kept and t.player(0)["offer"] == []
    assert t.active == 1
    if edition == "switzerland":
        assert t.player(0)["out"] == rejected
    else:
        assert t.position()["pile"] == below + rejected


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize(
    ("edition", "tunnel"), [("europe", "barcelona_pamplona"), ("switzerland", "schwyz-wassen-1")]
)
def test_a_pending_tunnel_is_abandoned(edition, tunnel):
    t = Table.set(edition, 3, hands={0: "gggg"}, row="uuuww", deck_top="grk")
    t.play(0, f"claim {tunnel} 2green")
    assert t.phase == "tunnel_pending" and "tunnel_pay 1green" in t.moves(0)
    events = t.retire(0)
    assert "tunnel_abandoned" in types(events)
    assert t.player(0)["hand"] == {"green": 4} and t.position()["routes"] == {}
    assert t.position()["discard"] == {"black": 1, "red": 1, "green": 1}
    assert (t.phase, t.active, t.position()["turns"]) == ("turn_start", 1, 11)


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon", "europe"])
def test_a_second_card_that_may_be_left_is_left(edition):
    t = Table.set(edition, 3, row="rrruu")
    t.play(0, "draw_row 0")
    deck = t.position()["deck"]
    t.retire(0)
    assert t.player(0)["hand"] == {"red": 1}
    assert (t.position()["deck"], t.active, t.position()["turns"]) == (deck, 1, 11)


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", ["switzerland", "card", "usa"])
def test_a_second_card_that_must_be_drawn_is_drawn_blind(edition):
    t = Table.set(edition, 3, row="rrruu", deck_top="gkw", options={"second_card": "must"})
    t.play(0, "draw_row 0")
    t.retire(0)
    assert t.player(0)["hand"] == {"black": 1, "red": 1}
    assert (t.active, t.position()["turns"]) == (1, 11)


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize(
    ("edition", "row", "gained"),
    [
        ("switzerland", "rL.uu", {"red": 1, "loco": 1}),
        ("card", "rL.uu", {"red": 1, "blue": 1}),
        ("usa", "rL.yu", {"red": 1, "yellow": 1}),
        ("switzerland", "r..uy", {"red": 1, "blue": 1}),
    ],
)
def test_without_a_deck_the_lowest_legal_slot_is_taken(edition, row, gained):
    t = Table.set(edition, 3, row=row, deck="", spare=2, options={"second_card": "must"})
    t.play(0, "draw_row 0")
    assert t.phase == "after_first_card"
    t.retire(0)
    assert t.player(0)["hand"] == gained and t.active == 1


@pytest.mark.clause("COMMON-RESIGN-2")
@pytest.mark.parametrize("edition", EVERY)
def test_what_another_seat_is_choosing_stays_with_it(edition):
    t = Table.set(edition, 3)
    t.play(0, "draw_tickets")
    moves = t.moves(0)
    t.retire(2)
    assert t.phase == "ticket_choice" and t.moves(0) == moves
    t.play(0, moves[0])
    assert t.active == 1


@pytest.mark.clause("COMMON-RESIGN-2", "COMMON-RESIGN-3", "COMMON-RESIGN-4")
@pytest.mark.parametrize("edition", EVERY)
@pytest.mark.parametrize("seed", range(6))
def test_seats_may_leave_at_any_moment_of_a_game(edition, seed):
    """Random games which seats leave at random: every turn is played or skipped, and the game ends with a winner."""
    chance = random.Random(f"{edition} {seed}")
    players = 3 if edition == "switzerland" else 4
    t = Table.new(edition, players, bytes([seed]) * 32, options={"max_turns": 60})
    started = skipped = 0
    while t.phase != "finished":
        here = [seat for seat in range(players) if not t.player(seat)["retired"]]
        acting = t.view(None)["active_seats"]
        assert set(acting) <= set(here) and len(here) > 1
        if chance.random() < 0.03:
            seat = chance.choice(here)
            # A turn given up at its start is counted as skipped, not as played.
            started -= seat in acting and t.phase in ("turn_start", "action")
            events = t.retire(seat)
        else:
            seat = chance.choice(acting)
            events = t.play(seat, chance.choice(t.moves(seat)))
        started += types(events).count("turn_started")
        skipped += types(events).count("turn_skipped")
        if t.phase not in ("setup_tickets", "finished"):
            assert t.position()["turns"] == started - 1 + skipped
    result = t.score()
    here = [seat for seat in range(players) if not t.player(seat)["retired"]]
    assert result["winners"] and set(result["winners"]) <= set(here)
    assert (len(here) == 1) == (result["ending"] == "forfeit")
