"""The Lyon trams: the 2004 rules on another board (LYON)."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from turntable_rules import OptionError, builtin_board

# Annex 8.1 of the rules: value to the tickets with that value.
PRINTED = """
palais_de_justice-fort_de_la_motte 8, la_poudriere-marche 18, saint_irenee-ecole_normale 14, ainay-croix_rousse 10,
recamier-prefecture 8, cordeliers-manufacture 9, saint_pothin-cimetiere 13, saint_luc-lafayette 10,
bellecour-recamier 5, la_sarra-hotel_de_ville 8, prefecture-les_brotteaux 6, croix_rousse-jean_mace 13,
homme_de_la_roche-cimetiere 15, point_du_jour-parc_sutter 13, chartreux-manufacture 17, chartreux-gerland 20,
la_sarra-recamier 8, la_poudriere-fort_de_la_motte 15, marche-lafayette 17, parc_sutter-la_martiniere 9,
sainte_foy-croix_rousse 16, tete_d_or-cimetiere 16, saint_irenee-charite 8, perrache-la_part_dieu 8,
ecole_normale-marche 20, sainte_foy-les_brotteaux 18, point_du_jour-tete_d_or 15
"""
NOT_LEGIBLE = """
la_martiniere-les_brotteaux, saint_just-jacobins, point_du_jour-lafayette, ainay-la_part_dieu, sainte_foy-gerland,
saint_luc-tete_d_or, bellecour-hotel_de_ville, point_du_jour-saint_pothin, ecole_normale-bellecour
"""


def entries(text: str) -> list[str]:
    return [entry.strip() for entry in text.replace("\n", " ").split(",")]


@pytest.mark.scenario("S-165")
@pytest.mark.clause("LYON-1", "LYON-2", "LYON-3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_new_game_has_the_values_of_the_2004_rules(players):
    lyon, usa = Table.new("lyon", players), Table.new("usa-2004", players)
    cards = {"cards": 0}
    for t in (lyon, usa):
        position = t.position()
        hands = [sum(player["hand"].values()) for player in position["players"]]
        assert hands == [4] * players
        assert [player["wagons"] for player in position["players"]] == [45] * players
        assert [player["score"] for player in position["players"]] == [0] * players
        assert [len(player["offer"]) for player in position["players"]] == [3] * players
        total = len(position["deck"]) + sum(position["discard"].values()) + sum(hands) + 5
        cards[position["edition"]] = total
    assert cards["lyon"] == cards["usa-2004"] == 110
    assert len(lyon.position()["pile"]) == 36 - 3 * players
    assert {**lyon.position()["options"]} == {**usa.position()["options"]}


@pytest.mark.scenario("S-165")
@pytest.mark.clause("LYON-3")
def test_every_ticket_joins_two_stops_of_the_board():
    board = builtin_board("lyon")
    stops = {place.id for place in board.places}
    assert len(board.tickets) == 36
    for ticket in board.tickets:
        assert len(ticket.targets) == 1
        assert {ticket.start, ticket.targets[0].to} <= stops and ticket.start != ticket.targets[0].to


@pytest.mark.clause("LYON-3")
def test_the_27_legible_values_are_those_printed():
    found = {f"{ticket.start}-{ticket.targets[0].to}": ticket for ticket in builtin_board("lyon").tickets}
    printed = dict(entry.split(" ") for entry in entries(PRINTED))
    assert len(printed) == 27
    assert {name: str(found[name].targets[0].points) for name in printed} == printed
    assert set(found) == set(printed) | set(entries(NOT_LEGIBLE))
    assert all(ticket.printed == (name in printed) for name, ticket in found.items())


@pytest.mark.clause("LYON-2")
@pytest.mark.parametrize("players", [1, 6])
def test_two_to_five_players(players):
    with pytest.raises(OptionError):
        Table.new("lyon", players)


@pytest.mark.clause("LYON-2")
def test_twelve_cards_of_each_colour_and_fourteen_locos():
    t = Table.set("lyon", 2, row="rrruu")
    position = t.position()
    found = [*position["deck"], *position["row"]]
    counts = {card: found.count(card) for card in set(found)}
    assert counts.pop("loco") == 14
    assert len(counts) == 8 and set(counts.values()) == {12}


@pytest.mark.clause("LYON-1")
def test_the_rules_of_play_are_those_of_the_2004_text():
    """One decision after another where the editions differ: each as in usa-2004."""
    for edition, gray in (("lyon", "r37"), ("usa-2004", "montreal_toronto")):
        t = Table.set(edition, 3, hands={0: "oooLLL"}, row="rLgwk", deck_top="Lu")
        assert {m.split(" ")[2] for m in t.moves(0) if m.startswith(f"claim {gray} ")} == {
            "3orange",
            "2orange+1loco",
            "1orange+2loco",
            "3loco",
        }
        assert t.allows(0, f"claim {gray} 3brown")
        loco = t.copy()
        loco.play(0, "draw_row 1")
        assert loco.active == 1, "a face-up loco is two cards"
        t.play(0, "draw_row 0")
        assert t.refuses(0, "draw_row 1", clause="COMMON-DRAW-4")
        t.play(0, "stop_drawing")
        t.play(1, "draw_tickets")
        pile = t.position()["pile"]
        offer = t.player(1)["offer"]
        t.play(1, f"keep_tickets {offer[0]}")
        assert t.position()["pile"] == [*pile, *offer[1:]]
    assert Table.set("lyon", 3, routes={"r08": 0}, hands={1: "rrrr"}, active=1).refuses(
        1, "claim r09 4red", clause="COMMON-DOUBLE-3"
    )


@pytest.mark.clause("LYON-1")
@pytest.mark.parametrize(
    ("route", "length", "points"),
    [("r23", 1, 1), ("r22", 2, 2), ("r37", 3, 4), ("r68", 4, 7), ("r77", 5, 10), ("r03", 6, 15)],
)
def test_route_points_are_those_of_the_2004_table(route, length, points):
    t = Table.set("lyon", 2, hands={0: "pppppp"})
    t.play(0, f"claim {route} {length}purple")
    assert t.player(0)["score"] == points
