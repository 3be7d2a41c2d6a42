"""How a seat that left is scored and ranked, and the end when one seat is left (COMMON-RESIGN-3, -4)."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from turntable_rules import IllegalMove, builtin_cards

BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]
EVERY = [*BOARDS, "card"]
# Routes of one to six spaces that touch nothing of each other, per board.
LONG = {"usa-2004": "calgary_winnipeg", "usa": "calgary_winnipeg", "lyon": "r90", "europe": "palermo_smyrna"}
LONG["switzerland"] = "geneve-yverdon"
SHORT = {"usa-2004": "atlanta_nashville", "usa": "atlanta_nashville", "lyon": "r23", "europe": "dieppe_paris"}
SHORT["switzerland"] = "baden-zurich"


def ranks(table: Table) -> list[int]:
    return [seat["rank"] for seat in table.score()["seats"]]


@pytest.mark.clause("COMMON-RESIGN-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_retired_seat_is_scored_but_ranked_after_the_others(edition):
    """Seat 1 leads by far, and has left: seat 0 wins with one point, seat 2 with nothing is still before it."""
    t = Table.set(edition, 3, routes={LONG[edition]: 1, SHORT[edition]: 0})
    playing = t.score()
    assert playing["winners"] == [1] and ranks(t) == [2, 1, 3]
    t.retire(1)
    result = t.score()
    assert [seat["total"] for seat in result["seats"]] == [seat["total"] for seat in playing["seats"]]
    assert [seat["retired"] for seat in result["seats"]] == [False, True, False]
    assert result["winners"] == [0] and ranks(t) == [1, 3, 2]


@pytest.mark.clause("COMMON-RESIGN-3")
def test_it_cannot_win_even_against_a_negative_total():
    t = Table.set(
        "usa", 2, routes={"calgary_winnipeg": 1}, tickets={0: ["t_seattle_new_york", "t_los_angeles_miami"]}
    )
    t.retire(1)
    result = t.score()
    assert [seat["total"] for seat in result["seats"]] == [-42, 25]
    assert result["winners"] == [0] and ranks(t) == [1, 2]


@pytest.mark.clause("COMMON-RESIGN-3")
def test_it_does_not_share_a_victory():
    t = Table.set("usa", 3, routes={"atlanta_nashville": 0, "dallas_houston_1": 1})
    assert t.score()["winners"] == [0, 1]
    t.retire(1)
    assert t.score()["winners"] == [0] and ranks(t) == [1, 3, 2]


@pytest.mark.clause("COMMON-RESIGN-3")
def test_retired_seats_keep_their_order_among_themselves():
    routes = {"calgary_winnipeg": 1, "atlanta_miami": 2, "denver_helena": 3, "dallas_houston_1": 0}
    t = Table.set("usa", 5, routes=routes, tickets={1: ["t_los_angeles_miami"]})
    # Totals 1, 15 + 10 − 20, 10, 7 and 0.
    assert ranks(t) == [4, 3, 1, 2, 5]
    for seat in (2, 1, 3):
        t.retire(seat)
    assert ranks(t) == [1, 5, 3, 4, 2]


@pytest.mark.clause("COMMON-RESIGN-3")
def test_tied_retired_seats_share_a_rank():
    t = Table.set("usa", 4, routes={"calgary_winnipeg": 0, "dallas_houston_1": 1, "atlanta_nashville": 2})
    t.retire(1)
    t.retire(2)
    assert ranks(t) == [1, 3, 3, 2]


@pytest.mark.clause("COMMON-RESIGN-3")
@pytest.mark.parametrize("edition", BOARDS)
def test_it_takes_part_in_the_longest_path(edition):
    t = Table.set(edition, 3, routes={LONG[edition]: 1, SHORT[edition]: 0})
    t.retire(1)
    assert [seat["longest_path"]["bonus"] for seat in t.score()["seats"]] == [0, 10, 0]


@pytest.mark.clause("COMMON-RESIGN-3")
def test_it_takes_part_in_the_big_city_bonuses():
    chicago = [card.id for card in builtin_cards().destinations if "chicago" in card.big_cities]
    t = Table.set("card", 3, completed={0: chicago[:1], 1: chicago[1:3]})
    t.retire(1)
    cities = [[bonus["city"] for bonus in seat["city_bonuses"]] for seat in t.score()["seats"]]
    assert "chicago" in cities[1] and "chicago" not in cities[0] + cities[2]


@pytest.mark.clause("COMMON-RESIGN-3")
def test_its_failed_tickets_cost_as_always():
    t = Table.set("usa", 3, tickets={1: ["t_seattle_new_york"]})
    t.retire(1)
    assert t.score()["seats"][1]["total"] == -22


@pytest.mark.clause("COMMON-RESIGN-4")
@pytest.mark.parametrize("edition", EVERY)
@pytest.mark.parametrize("leaver", [0, 1])
def test_with_one_seat_left_the_game_ends_at_once(edition, leaver):
    t = Table.set(edition, 2)
    events = t.retire(leaver)
    assert events[0] == {"type": "seat_retired", "seat": leaver}
    assert events[-1]["type"] == "game_finished" and events[-1]["ending"] == "forfeit"
    assert t.phase == "finished" and t.position()["ending"] == "forfeit"
    assert t.score()["winners"] == [1 - leaver]
    assert events[-1]["result"] == t.score()
    assert t.moves(0) == t.moves(1) == []
    with pytest.raises(IllegalMove):
        t.retire(1 - leaver)


@pytest.mark.clause("COMMON-RESIGN-4")
@pytest.mark.parametrize("edition", ["usa", "europe", "card"])
def test_the_game_goes_on_while_two_are_left(edition):
    t = Table.set(edition, 4)
    t.retire(3)
    t.retire(1)
    assert t.phase in ("turn_start", "action")
    t.retire(2)
    assert t.phase == "finished" and t.score()["winners"] == [0]


@pytest.mark.clause("COMMON-RESIGN-4")
@pytest.mark.parametrize("edition", EVERY)
@pytest.mark.parametrize("chosen", [(), (0,), (1,)])
def test_leaving_at_setup_ends_a_game_of_two(edition, chosen):
    t = Table.new(edition, 2)
    for seat in chosen:
        t.play(seat, t.moves(seat)[-1])
    events = t.retire(1)
    assert t.phase == "finished" and events[-1]["ending"] == "forfeit"
    assert t.score()["winners"] == [0] and t.moves(0) == []


@pytest.mark.clause("COMMON-RESIGN-4", "COMMON-RESIGN-2")
def test_the_pending_choice_of_the_leaver_is_settled_before_the_end():
    t = Table.set("usa", 2)
    t.play(0, "draw_tickets")
    offer = t.player(0)["offer"]
    t.retire(0)
    assert t.phase == "finished" and t.player(0)["tickets"] == offer[:1]
    t = Table.set("europe", 2, hands={0: "gg"}, row="uuuww", deck_top="grk")
    t.play(0, "claim barcelona_pamplona 2green")
    t.retire(0)
    assert t.phase == "finished" and t.player(0)["hand"] == {"green": 2}
    assert t.position()["ending"] == "forfeit" and t.position()["routes"] == {}
    t = Table.set("switzerland", 2, row="rrruu", deck_top="gk")
    t.play(0, "draw_row 0")
    t.retire(0)
    assert t.phase == "finished" and t.player(0)["hand"] == {"red": 1, "black": 1}


@pytest.mark.clause("COMMON-RESIGN-4")
@pytest.mark.parametrize("edition", BOARDS)
def test_the_one_left_need_not_finish_a_choice(edition):
    t = Table.set(edition, 2)
    t.play(0, "draw_tickets")
    t.retire(1)
    assert t.phase == "finished" and t.score()["winners"] == [0]
    assert t.score()["seats"][0]["tickets"] == []


@pytest.mark.clause("COMMON-RESIGN-4")
def test_in_the_card_game_the_round_is_fulfilled_before_scoring():
    pile = Table.set("card", 2).position()["pile"]
    t = Table.set("card", 2, tickets={0: pile[:1]}, roads={0: "LLLLLLLL"})
    t.retire(1)
    assert t.player(0)["completed"] == pile[:1]
    assert t.score()["seats"][0]["tickets"][0]["completed"] is True


@pytest.mark.clause("COMMON-RESIGN-2", "CARD-ROUND2-6")
def test_a_retired_seat_does_not_open_the_second_round():
    t = Table.set("card", 4, active=2, deck="", spare="discard", final_turns_left=1, retired=[3], turns=20)
    t.play(2, "draw_tickets")
    t.play(2, "keep_tickets -")
    assert (t.position()["round"], t.active, t.position()["turns"]) == (2, 0, 22)
