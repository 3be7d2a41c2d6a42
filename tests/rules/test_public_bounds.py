"""What can be inferred from public facts (INFO-INFER-1, INFO-INFER-2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.kit.random_games import ALL, random_play
from tests.kit.setting import counts
from tests.kit.table import Table

COLOURS = "purple white blue yellow orange black red green".split()
LOCO = "loco"


def composition(edition: str) -> Counter[str]:
    colours, locos = (10, 16) if edition == "card" else (12, 14)
    return Counter({**dict.fromkeys(COLOURS, colours), LOCO: locos})


def paid(payment: dict[str, Any]) -> Counter[str]:
    """The cards of a payment or column."""
    found = Counter({LOCO: payment["locos"]})
    if payment["colour"]:
        found[payment["colour"]] += payment["wagons"]
    return +found


def unseen(view: dict[str, Any]) -> Counter[str]:
    """INFO-INFER-1, from a view alone."""
    left = composition(view["edition"])
    left.subtract(card for card in view["row"] if card)
    left.subtract(view["discard"])
    left.subtract(view["you"]["hand"] if view["you"] else {})
    if view["tunnel"]:
        left.subtract(paid(view["tunnel"]["payment"]))
        left.subtract(view["tunnel"]["revealed"])
    for player in view["players"]:
        for column in player["yard"]:
            left.subtract(paid(column))
    return left


class Observer:
    """Keeps the bounds of INFO-INFER-2 from the events a spectator sees."""

    def __init__(self, edition: str, players: int) -> None:
        self.bounds = [Counter({LOCO: 1} if edition == "card" else {}) for _ in range(players)]
        self.tunnel: dict[str, Any] | None = None

    def lower(self, seat: int, cards: Counter[str]) -> None:
        for card, number in cards.items():
            self.bounds[seat][card] = max(0, self.bounds[seat][card] - number)

    def see(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "card_taken":
            self.bounds[event["seat"]][event["card"]] += 1
        elif kind == "station_built":
            self.lower(event["seat"], paid(event["payment"]))
        elif kind == "tunnel_revealed":
            self.tunnel = event
            self.lower(event["seat"], paid(event["payment"]))
        elif kind == "tunnel_abandoned":
            assert self.tunnel is not None
            self.bounds[event["seat"]].update(paid(self.tunnel["payment"]))
            self.tunnel = None
        elif kind == "route_claimed":
            if self.tunnel is None:
                self.lower(event["seat"], paid(event["payment"]))
            elif event["extra"]:
                self.lower(event["seat"], paid(event["extra"]))
            self.tunnel = None
        elif kind == "trains_placed":
            for column in event["columns"]:
                self.lower(event["seat"], paid(column))


@pytest.mark.clause("INFO-INFER-1", "INFO-3", "INFO-4", "INFO-5")
@pytest.mark.scenario("S-163")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_cards_unseen_are_those_of_the_deck_and_the_other_hands(edition, number):
    """Card by card, in every position of random games."""
    for table, _, _ in random_play(edition, 3, number):
        position = table.position()
        for viewer in (0, 1, 2, None):
            view = table.view(viewer)
            hidden: Counter[str] = Counter(position["deck"])
            for seat, player in enumerate(position["players"]):
                hidden.update(player["road"])
                if seat != viewer:
                    hidden.update(player["hand"])
            left = unseen(view)
            assert +left == +hidden
            sizes = view["deck_size"] + sum(player["road_pile_size"] for player in view["players"])
            sizes += sum(player["hand_size"] for seat, player in enumerate(view["players"]) if seat != viewer)
            assert left.total() == sizes


@pytest.mark.clause("INFO-INFER-2")
@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize("number", range(2))
def test_the_public_bound_is_the_one_kept_by_an_observer_and_never_exceeds_the_hand(edition, number):
    observer = Observer(edition, 3)
    for before, seat, move in random_play(edition, 3, number):
        table = before.copy()
        for event in table.play_events(seat, move):
            observer.see(event.seen_by(None))
        for player, bound, whole in zip(
            table.view(None)["players"], observer.bounds, table.position()["players"], strict=True
        ):
            assert player["hand_at_least"] == dict(+bound)
            assert all(whole["hand"].get(card, 0) >= least for card, least in player["hand_at_least"].items())


@pytest.mark.clause("INFO-7", "INFO-8", "INFO-INFER-2")
@pytest.mark.scenario("S-161")
def test_a_red_card_taken_and_one_drawn_blind():
    table = Table.set("usa", 2, active=1, row="rugwk", deck_top="yr", hands={1: "kk"})
    table.play(1, "draw_row 0")
    table.play(1, "draw_deck")
    player = table.view(0)["players"][1]
    assert (player["hand_size"], player["hand_at_least"]) == (4, {"red": 1})


@pytest.mark.clause("INFO-INFER-2")
@pytest.mark.parametrize("edition", ALL)
def test_the_bound_starts_at_nothing_or_in_the_card_game_at_one_loco(edition):
    expected = {"loco": 1} if edition == "card" else {}
    for player in Table.new(edition, 2).view(None)["players"]:
        assert player["hand_at_least"] == expected


@pytest.mark.clause("INFO-INFER-2")
def test_a_payment_lowers_the_bound_but_not_below_nothing():
    table = Table.set("usa", 2, hands={0: "uuuu"}, row="uugwk", deck_top="yo")
    table.play(0, "draw_row 0")
    table.play(0, "stop_drawing")
    table.play(1, "draw_deck")
    table.play(1, "stop_drawing")
    assert table.view(1)["players"][0]["hand_at_least"] == {"blue": 1}
    table.play(0, "claim montreal_new_york 3blue")
    player = table.view(1)["players"][0]
    assert (player["hand_size"], player["hand_at_least"]) == (2, {})


@pytest.mark.clause("INFO-INFER-2")
def test_cards_taken_back_from_a_tunnel_are_known_and_committed_cards_are_in_no_hand():
    table = Table.set("europe", 2, hands={0: "pppL"}, deck_top="ppw")
    table.play(0, "claim marseille_zurich 1purple+1loco")
    player = table.view(1)["players"][0]
    assert (player["hand_size"], player["hand_at_least"]) == (2, {})
    assert table.view(0)["you"]["hand"] == counts("pp")
    table.play(0, "tunnel_abandon")
    player = table.view(1)["players"][0]
    assert (player["hand_size"], player["hand_at_least"]) == (4, {"purple": 1, "loco": 1})


@pytest.mark.clause("INFO-INFER-2")
def test_placing_trains_lowers_the_bound_of_the_card_game():
    table = Table.set(
        "card", 2, hands={0: "rrrL"}, row="LrrLk", deck_top="yogw", options={"second_card": "may"}
    )
    for seat, moves in ((0, ["draw_row 0"]), (1, ["draw_deck", "stop_drawing"])):
        for move in moves:
            table.play(seat, move)
    table.play(0, "draw_row 1")
    table.play(0, "draw_row 2")
    table.play(1, "draw_deck")
    table.play(1, "stop_drawing")
    assert table.view(1)["players"][0]["hand_at_least"] == {"red": 2, "loco": 1}
    table.play(0, "play_same red 1+2")
    assert table.view(1)["players"][0]["hand_at_least"] == {"red": 1}
