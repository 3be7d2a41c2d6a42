"""Nothing hidden shows: views, events and refusals are the same in worlds that a viewer cannot tell apart."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.kit.other_worlds import other_world
from tests.kit.random_games import ALL, MOST_PLAYERS, random_play
from tests.kit.table import Table

PROBES = (
    "draw_deck|draw_row 0|draw_row 2|draw_tickets|pass|stop_drawing|tunnel_abandon|tunnel_pay 1red|tunnel_pay 2loco|"
    "keep_tickets -|keep_tickets t_boston_miami|claim montreal_new_york 3blue|claim essen_frankfurt 2green|"
    "build_station wien 1red|play_same red 2+0|play_same blue 9+9|play_three red,blue,green|nonsense"
).split("|")


def viewers_of(edition: str) -> list[int | None]:
    return [0, 1, 2, None] if MOST_PLAYERS[edition] > 2 else [0, 1, None]


def in_other_words(table: Table, other: Table, seat: int, move: str) -> str:
    """The same move there: kept tickets are meant by their place in the offer."""
    if not move.startswith("keep_tickets") or move.endswith(" -"):
        return move
    offer, there = table.player(seat)["offer"], other.player(seat)["offer"]
    kept = [there[offer.index(ticket)] for ticket in move.split(" ")[1].split(",")]
    return "keep_tickets " + ",".join(kept)


def shown(events: list[Any], viewer: int | None) -> str:
    """The events as a viewer sees them, byte by byte."""
    return json.dumps([event.seen_by(viewer) for event in events], sort_keys=True)


@pytest.mark.clause("INFO-2", "INFO-6", "INFO-INFER-3")
@pytest.mark.scenario("S-160")
@pytest.mark.parametrize("edition", ALL)
def test_another_hand_and_another_deck_order_give_the_same_view(edition):
    one = Table.set(edition, 2, hands={0: "rrg", 1: "uuukL"}, row="rwykp", deck_top="LLgw")
    two = Table.set(edition, 2, hands={0: "rrg", 1: "gowpp"}, row="rwykp", deck_top="ukkk")
    assert one.view_text(0) == two.view_text(0)
    assert one.moves(0) == two.moves(0)
    assert one.view_text(1) != two.view_text(1)


@pytest.mark.clause(
    "INFO-1",
    "INFO-2",
    "INFO-6",
    "INFO-9",
    "INFO-10",
    "INFO-11",
    "INFO-14",
    "INFO-15",
    "INFO-19",
    "INFO-23",
    "INFO-INFER-3",
)
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_worlds_that_differ_in_the_unknown_only_look_the_same(edition, number):
    """Other hands, deck, road piles, tickets, setup choices and seed: equal views, moves and refusals."""
    chance = Random(number)
    compared = 0
    for count, (table, _, _) in enumerate(random_play(edition, 3, number)):
        if count > 8 and count % 6:
            continue
        for viewer in viewers_of(edition):
            other = other_world(table, viewer, chance)
            if other is None:
                continue
            compared += 1
            assert table.view_text(viewer) == other.view_text(viewer)
            if viewer is not None:
                assert table.moves(viewer) == other.moves(viewer)
                for probe in PROBES:
                    assert table.refusal(viewer, probe) == other.refusal(viewer, probe)
    assert compared > 50


@pytest.mark.clause("INFO-8", "INFO-10", "INFO-11", "INFO-INFER-3")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_moves_in_secret_look_the_same_whatever_they_bring(edition, number):
    """Blind draws, ticket draws and choices of others, with other cards on the deck and other tickets on the pile."""
    chance = Random(number)
    compared = set()
    for table, seat, move in random_play(edition, 3, number + 10):
        kind = move.split(" ")[0]
        if kind not in ("draw_deck", "draw_tickets", "keep_tickets", "stop_drawing"):
            continue
        for viewer in viewers_of(edition):
            other = None if viewer == seat else other_world(table, viewer, chance, reseed=False)
            if other is None:
                continue
            here = table.copy()
            events = here.play_events(seat, move)
            if {"pile_fulfilled", "game_finished"} & {event.type for event in events}:
                continue
            there = other.play_events(seat, in_other_words(table, other, seat, move))
            assert shown(events, viewer) == shown(there, viewer)
            assert here.view_text(viewer) == other.view_text(viewer)
            compared.add((kind, viewer))
    assert len(compared) >= 12


@pytest.mark.clause("INFO-5", "INFO-7", "INFO-16", "INFO-17", "INFO-18", "INFO-INFER-3")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_any_move_looks_the_same_where_only_the_unknown_differs(edition, number):
    """What a move turns up is the same here and there: only the rest of the deck and the pile is mixed."""
    chance = Random(number)
    compared = set()
    for count, (table, seat, move) in enumerate(random_play(edition, 3, number + 20)):
        if count > 8 and count % 3:
            continue
        for viewer in viewers_of(edition):
            other = other_world(table, viewer, chance, deck_top=12, pile_top=4, reseed=False)
            if other is None:
                continue
            said = in_other_words(table, other, seat, move)
            if other.refusal(seat, said) is not None:
                continue
            here = table.copy()
            events = here.play_events(seat, move)
            if {"pile_fulfilled", "game_finished"} & {event.type for event in events}:
                continue
            assert shown(events, viewer) == shown(other.play_events(seat, said), viewer)
            assert here.view_text(viewer) == other.view_text(viewer)
            compared.add(move.split(" ")[0])
    assert compared >= {"draw_deck", "draw_row", "keep_tickets"}
    assert compared & ({"play_same", "play_three"} if edition == "card" else {"claim"})


def secrets_of(position: dict[str, Any], viewer: int | None) -> set[str]:
    """Tickets that the viewer may not know of."""
    secret = {*position["pile"], *position["unseen_out"]}
    for seat, player in enumerate(position["players"]):
        if seat != viewer:
            secret |= {*player["tickets"], *player["offer"], *player["out"]}
    return secret


def lists_of_cards(value: Any, place: str = "") -> list[str]:
    """Where in a view or event a list of cards stands."""
    found = []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += lists_of_cards(inner, f"{place}.{key}")
    elif isinstance(value, list):
        if len(value) > 1 and all(
            item in CARDS for item in value if item is not None and isinstance(item, str)
        ):
            if any(isinstance(item, str) for item in value):
                found.append(place)
        for inner in value:
            found += lists_of_cards(inner, place)
    return found


CARDS = {*"purple white blue yellow orange black red green loco".split()}


@pytest.mark.clause("INFO-1", "INFO-2", "INFO-9", "INFO-10", "INFO-14", "INFO-20")
@pytest.mark.scenario("S-162")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_no_view_event_or_error_text_of_a_running_game_contains_a_secret(edition, number):
    """Seed, order of deck and pile, tickets of others: looked for in everything that is sent in whole games."""
    for table, seat, move in random_play(edition, 3, 0xFEED0000000 + number):
        position = table.position()
        after = table.copy()
        events = after.play_events(seat, move)
        over = after.phase == "finished"
        for viewer in (0, 1, 2, None):
            secret = secrets_of(position, viewer) & secrets_of(after.position(), viewer)
            texts = [table.view_text(viewer)]
            texts += [] if over else [shown(events, viewer)]
            if viewer is not None:
                texts += [json.dumps(str(table.refusal(viewer, probe))) for probe in PROBES[:4]]
            whole = "\n".join(texts)
            assert position["seed"] not in whole and position["seed"].lstrip("0") not in whole
            assert not [ticket for ticket in secret if f'"{ticket}"' in whole]
            assert {*lists_of_cards(table.view(viewer))} <= {".row", ".tunnel.revealed"}
            if viewer != seat:
                assert viewer is None or table.phase == "setup_tickets" or table.moves(viewer) == []
                seen = [event.seen_by(viewer) for event in events]
                assert not [event for event in seen if event["type"] == "card_drawn" and "card" in event]
                assert not [event for event in seen if event["type"] == "cards_dealt" and "cards" in event]


@pytest.mark.clause("INFO-8", "INFO-6")
def test_cards_dealt_for_the_second_round_are_seen_by_their_owner_only():
    table = Table.set(
        "card", 4, deck="", discard="", spare="discard", row="rugwk", final_turns_left=1, active=3
    )
    table.play(3, "draw_tickets")
    events = [event for event in table.play_events(3, "keep_tickets -") if event.type == "cards_dealt"]
    for viewer in (0, 1, 2, 3, None):
        for event in events:
            seen = event.seen_by(viewer)
            assert ("cards" in seen) == (seen["seat"] == viewer) and seen["count"] == 4


@pytest.mark.clause("INFO-INFER-3")
@pytest.mark.parametrize("edition", ALL)
def test_a_view_is_plain_data_and_a_copy(edition):
    """A bot that changes its view changes nothing else, and a view can be sent as it is."""
    table = Table.set(edition, 2, hands={0: "rrg"})
    before = table.position()
    view = table.view(0)
    assert json.loads(json.dumps(view)) == view
    view["row"].clear()
    view["you"]["hand"].clear()
    view["players"][1]["hand_at_least"]["loco"] = 9
    view["routes"]["montreal_new_york"] = 1
    assert table.position() == before
    assert table.view(0) != view
