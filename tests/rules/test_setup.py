"""Setting a game up: who plays, what is dealt, and the simultaneous choice of tickets (COMMON-SETUP)."""

from __future__ import annotations

from itertools import permutations

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, MOST_PLAYERS, begun, seed_of
from tests.kit.table import Table
from tests.oracle.naive_random import shuffled

COLOURS = "purple white blue yellow orange black red green".split()


def box(edition: str) -> dict[str, int]:
    """The train deck of the parameter table."""
    colours, locos = (10, 16) if edition == "card" else (12, 14)
    return {**dict.fromkeys(COLOURS, colours), "loco": locos}


def keep(table: Table, seat: int, *indices: int) -> str:
    """The move that keeps tickets of a seat's offer by their place in it."""
    offer = table.player(seat)["offer"]
    return "keep_tickets " + ",".join(offer[index] for index in indices)


@pytest.mark.clause("COMMON-SETUP-1")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("players", range(-1, 8))
def test_a_player_count_outside_the_range_is_refused(edition, players):
    if 2 <= players <= MOST_PLAYERS[edition]:
        assert len(Table.new(edition, players).position()["players"]) == players
    else:
        with pytest.raises(rules_engine.OptionError, match="COMMON-SETUP-1"):
            Table.new(edition, players)


@pytest.mark.clause("COMMON-SETUP-1")
@pytest.mark.scenario("S-011")
@pytest.mark.parametrize(("edition", "players"), [("switzerland", 4), ("usa", 1), ("usa", 6), ("card", 5)])
def test_games_for_too_few_or_too_many_are_not_created(edition, players):
    with pytest.raises(rules_engine.OptionError):
        rules_engine.ruleset(edition, players)


@pytest.mark.clause("COMMON-SETUP-2")
@pytest.mark.parametrize(
    ("edition", "wagons", "stations", "score"),
    [
        ("usa-2004", 45, 0, 0),
        ("usa", 45, 0, 0),
        ("lyon", 45, 0, 0),
        ("europe", 45, 3, 0),
        ("switzerland", 40, 0, 100),
    ],
)
def test_everybody_starts_with_the_pieces_and_score_of_the_table(edition, wagons, stations, score):
    for player in Table.new(edition, 3).view(None)["players"]:
        assert (player["wagons"], player["stations"], player["score"]) == (wagons, stations, score)


@pytest.mark.clause("COMMON-SETUP-3")
@pytest.mark.parametrize("edition", ALL)
def test_hands_are_dealt_the_rest_is_the_deck_and_its_top_five_the_row(edition):
    for players in range(2, MOST_PLAYERS[edition] + 1):
        for number in range(20):
            position = Table.new(edition, players, seed_of(number)).position()
            each = 8 if edition == "card" else 4
            assert [sum(player["hand"].values()) for player in position["players"]] == [each] * players
            assert None not in position["row"]
            flushed = sum(position["discard"].values())
            assert flushed % 5 == 0
            whole = 91 - 8 * players if edition == "card" else 105 - 4 * players
            assert len(position["deck"]) == whole - flushed


@pytest.mark.clause("COMMON-SETUP-3", "COMMON-SETUP-5", "COMMON-RNG-1")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(4))
def test_the_deal_goes_seat_by_seat_from_the_top_of_the_shuffled_deck(edition, number):
    """Dealt again here, from the generator as docs/engine.md describes it."""
    position = Table.new(edition, 2, seed_of(number)).position()
    assert not position["discard"], "choose seeds without a setup flush"
    left = box(edition)
    given = 1 if edition == "card" else 0
    left["loco"] -= 2 * given
    generator = {"seed": position["seed"], "draws": 0}
    deck = shuffled(generator, [card for card, count in left.items() for _ in range(count)])[::-1]
    each = 7 if edition == "card" else 4
    for seat, player in enumerate(position["players"]):
        dealt = deck[seat * each : (seat + 1) * each] + ["loco"] * given
        assert player["hand"] == {
            card: dealt.count(card) for card in sorted(set(dealt), key=list(left).index)
        }
    assert position["row"] == deck[2 * each : 2 * each + 5]
    assert position["deck"] == deck[2 * each + 5 :]


@pytest.mark.clause("COMMON-SETUP-5")
def test_tickets_too_are_dealt_seat_by_seat():
    """Seat 0 is offered the top three of the shuffled pile, seat 1 the next three, and so on."""
    position = Table.new("usa", 4, seed_of(1)).position()
    assert not position["discard"]
    tickets = list(rules_engine.ruleset("usa", 4).ticket_ids)
    order = shuffled({"seed": position["seed"], "draws": 1}, tickets)[::-1]
    offers = [player["offer"] for player in position["players"]]
    assert offers == [order[3 * seat : 3 * seat + 3] for seat in range(4)]
    assert position["pile"] == order[12:]


@pytest.mark.clause("COMMON-SETUP-4")
@pytest.mark.parametrize("edition", ALL)
def test_who_chooses_tickets_sees_own_hand_and_the_row(edition):
    table = Table.new(edition, 2)
    for seat in range(2):
        view = table.view(seat)
        assert view["phase"] == "setup_tickets"
        assert view["you"]["hand"] == table.player(seat)["hand"]
        assert sum(view["you"]["hand"].values()) == (8 if edition == "card" else 4)
        assert view["row"] == table.position()["row"] and None not in view["row"]
        assert view["you"]["offered"] == table.player(seat)["offer"]
        assert len(view["you"]["offered"]) == {"europe": 4, "switzerland": 5, "card": 6}.get(edition, 3)


@pytest.mark.clause("COMMON-SETUP-4", "COMMON-SETUP-6", "EUR-SETUP-1", "EUR-SETUP-6")
@pytest.mark.scenario("S-176")
def test_europe_at_the_choice_of_tickets():
    table = Table.new("europe", 3)
    view = table.view(0)
    assert (view["players"][0]["wagons"], view["players"][0]["stations"]) == (45, 3)
    assert sum(view["you"]["hand"].values()) == 4
    assert len(view["row"]) == 5 and None not in view["row"]
    assert len(view["you"]["offered"]) == 4
    assert view["active_seats"] == [0, 1, 2]
    for seat in (2, 0, 1):
        assert table.allows(seat, keep(table, seat, 0, 1))


@pytest.mark.clause("COMMON-SETUP-6", "INFO-11")
@pytest.mark.parametrize("edition", ALL)
def test_no_choice_is_revealed_before_all_are_in(edition):
    """Whatever seat 0 keeps, the others and spectators see the same thing happen."""
    seen = set()
    start = Table.new(edition, 3)
    for move in start.moves(0):
        table = start.copy()
        events = table.play_events(0, move)
        for viewer in (1, 2, None):
            seen.add((viewer, str([event.seen_by(viewer) for event in events]), table.view_text(viewer)))
    assert len(seen) == 3


@pytest.mark.clause("COMMON-SETUP-7", "COMMON-SETUP-9")
@pytest.mark.parametrize("edition", ALL)
def test_the_order_in_which_choices_arrive_does_not_matter(edition):
    kept = {0: (0, 1), 1: (1, 2), 2: (0, 2)}
    results = []
    for order in permutations(range(3)):
        table = Table.new(edition, 3, seed_of(5))
        moves = {seat: keep(table, seat, *kept[seat]) for seat in range(3)}
        for seat in order:
            table.play(seat, moves[seat])
        results.append(table.position())
    assert all(result == results[0] for result in results)
    assert results[0]["phase"] != "setup_tickets"


@pytest.mark.clause("COMMON-SETUP-7", "COMMON-SETUP-9", "USA-SETUP-3")
@pytest.mark.scenario("S-003")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_rejected_tickets_go_under_the_pile_by_seat_whoever_answers_first(order):
    tickets = list(rules_engine.ruleset("usa", 2).ticket_ids)
    t, pile = tickets[:6], tickets[6:]
    table = Table.set(
        "usa", 2, phase="setup_tickets", offers={0: t[:3], 1: t[3:]}, pile=pile, turns=0, row="rugwk"
    )
    moves = {0: f"keep_tickets {t[0]},{t[2]}", 1: f"keep_tickets {t[3]},{t[4]}"}
    for seat in order:
        table.play(seat, moves[seat])
    assert table.position()["pile"] == [*pile, t[1], t[5]]


@pytest.mark.clause("COMMON-SETUP-9")
def test_each_players_rejected_tickets_keep_the_order_in_which_they_were_dealt():
    table = Table.new("switzerland", 3, seed_of(2))
    offers = [table.player(seat)["offer"] for seat in range(3)]
    for seat in (2, 1, 0):
        table.play(seat, f"keep_tickets {offers[seat][3]},{offers[seat][1]}")
    for seat in range(3):
        assert table.player(seat)["out"] == [offers[seat][0], offers[seat][2], offers[seat][4]]


@pytest.mark.clause("COMMON-SETUP-8")
@pytest.mark.parametrize("edition", ALL)
def test_a_choice_of_tickets_is_final(edition):
    table = Table.new(edition, 2)
    everything = "keep_tickets " + ",".join(table.player(0)["offer"])
    table.play(0, keep(table, 0, 0, 1))
    assert table.refuses(0, everything, clause="COMMON-SETUP-8", code="already_chosen")
    assert table.refuses(0, keep(table, 0, 0, 1), clause="COMMON-SETUP-8")
    assert table.moves(0) == []


@pytest.mark.clause("COMMON-SETUP-10")
@pytest.mark.parametrize("edition", ALL)
def test_the_first_turn_begins_after_the_last_choice_and_not_before(edition):
    table = Table.new(edition, 2, options={"first_player": 0})
    for _ in range(2):
        for move in ("draw_deck", "draw_row 0", "draw_tickets"):
            assert table.refuses(0, move) and table.refuses(1, move)
        if table.player(0)["choice"] is None:
            table.play(0, keep(table, 0, 0, 1))
    assert table.phase == "setup_tickets"
    assert "turn_started" in [event["type"] for event in table.play(1, keep(table, 1, 0, 1))]
    assert table.phase == ("action" if edition == "card" else "turn_start")
    assert table.allows(0, "draw_deck")


@pytest.mark.clause("COMMON-SETUP-6", "COMMON-SETUP-8", "COMMON-SETUP-10", "INFO-11", "INFO-12")
@pytest.mark.scenario("S-004")
def test_the_others_see_that_a_player_has_chosen_but_not_how_many():
    table = Table.new("europe", 3, options={"first_player": 0})
    before = table.view(1)
    table.play(0, keep(table, 0, 1, 2))
    assert table.refuses(0, "draw_deck", code="already_chosen")
    assert table.refuses(1, "draw_deck", clause="COMMON-SETUP-10")
    assert table.refuses(0, "keep_tickets " + ",".join(table.player(0)["offer"]), clause="COMMON-SETUP-8")
    after = table.view(1)
    assert before["active_seats"] == [0, 1, 2] and after["active_seats"] == [1, 2]
    assert (before["players"][0].pop("choosing"), after["players"][0].pop("choosing")) == (True, False)
    del before["active_seats"], after["active_seats"]
    assert after == before


@pytest.mark.clause("EUR-SETUP-4", "EUR-SETUP-5")
@pytest.mark.scenario("S-006")
def test_the_long_ticket_may_be_rejected_and_never_comes_back():
    table = Table.new("europe", 2)
    offer = table.player(0)["offer"]
    table.play(0, keep(table, 0, 2, 3))
    table.play(1, keep(table, 1, 0, 1, 2, 3))
    assert table.player(0)["out"] == offer[:2]
    assert not set(offer[:2]) & set(table.position()["pile"])
    assert len(table.position()["pile"]) == 40 - 6


@pytest.mark.clause("SWI-SETUP-1", "SWI-SETUP-2", "SWI-SETUP-3", "COMMON-SETUP-2", "COMMON-SETUP-3")
@pytest.mark.scenario("S-007")
def test_switzerland_for_three():
    view = Table.new("switzerland", 3, seed_of(0)).view(0)
    assert view["discard"] == {}, "choose a seed without a setup flush"
    for player in view["players"]:
        assert (player["wagons"], player["score"], player["hand_size"]) == (40, 100, 4)
        assert player["offered_count"] == 5
    assert (view["deck_size"], view["ticket_pile_size"]) == (93, 31)


@pytest.mark.clause("SWI-SETUP-3")
@pytest.mark.scenario("S-008")
def test_switzerland_puts_rejected_tickets_out_of_the_game():
    table = Table.new("switzerland", 2)
    pile, offer = table.position()["pile"], table.player(0)["offer"]
    table.play(0, keep(table, 0, 0, 4))
    table.play(1, keep(table, 1, 0, 1, 2, 3, 4))
    assert table.player(0)["out"] == offer[1:4]
    assert table.position()["pile"] == pile


@pytest.mark.clause("CARD-SETUP-1", "CARD-SETUP-2", "CARD-SETUP-3", "CARD-SETUP-4", "COMMON-SETUP-3")
@pytest.mark.scenario("S-009")
@pytest.mark.parametrize("number", range(10))
def test_the_card_game_for_four(number):
    position = Table.new("card", 4, seed_of(number)).position()
    for player in position["players"]:
        assert sum(player["hand"].values()) == 8 and player["hand"]["loco"] >= 1
        assert len(player["offer"]) == 6
    assert (len(position["deck"]), len(position["row"]), len(position["pile"])) == (59, 5, 22)
    assert None not in position["row"] and not position["discard"]


@pytest.mark.clause("CARD-SETUP-4")
@pytest.mark.scenario("S-010")
def test_the_card_game_shuffles_rejected_tickets_back():
    places = set()
    for number in range(100):
        table = Table.new("card", 4, seed_of(number))
        offer = table.player(0)["offer"]
        table.play(0, keep(table, 0, 2))
        for seat in (1, 2, 3):
            table.play(seat, keep(table, seat, *range(6)))
        pile = table.position()["pile"]
        assert len(pile) == 27 and set(pile) >= set(offer) - {offer[2]}
        places |= {pile.index(ticket) for ticket in offer if ticket != offer[2]}
    assert len(places) == 27  # 500 rejects: every place is met


@pytest.mark.clause("COMMON-SETUP-1", "COMMON-TURN-2")
@pytest.mark.parametrize("edition", BOARDS)
def test_seats_are_fixed_and_numbered_from_zero(edition):
    table = begun(edition, 3, options={"first_player": 2})
    assert [player["seat"] for player in table.view(None)["players"]] == [0, 1, 2]
    assert table.active == 2
    table.play(2, "draw_tickets")
    table.play(2, table.moves(2)[-1])
    assert table.active == 0


@pytest.mark.clause("COMMON-FLUSH-2", "COMMON-FLUSH-3", "COMMON-SETUP-3")
@pytest.mark.scenario("S-032")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_first_row_of_three_locos_or_more_is_flushed_during_setup(edition):
    """Dealt again from the documented generator, for seeds whose first row has three, four or five locos."""
    met = set()
    deck = [card for card, count in box(edition).items() for _ in range(count)]
    for number in range(6000):
        drawn = shuffled({"seed": seed_of(number).hex(), "draws": 0}, deck)[::-1]
        row = drawn[8:13]
        locos = row.count("loco")
        if locos < 3 or locos in met or drawn[13:18].count("loco") > 2:
            continue
        met.add(locos)
        position = Table.new(edition, 2, seed_of(number)).position()
        assert position["row"] == drawn[13:18]
        assert position["discard"] == {card: row.count(card) for card in box(edition) if card in row}
        assert position["deck"] == drawn[18:]
        if met >= {3, 4}:
            return
    raise AssertionError(f"only rows of {met} locos were met")
