"""Views as JSON: the keys of the contract and no others, and nothing that the engine's view does not say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import turntable_rules as engine
from tests.kit.other_worlds import other_world
from tests.kit.table import Table
from tests.kit.walks import Walk
from tests.unit.forms.positions import GAME, SEATS, form_of, positions
from turntable_session.forms.tickets import ticket_form
from turntable_session.forms.views import open_view_form

pytestmark = pytest.mark.tree

VIEW = set(
    "id edition options version status phase activeSeats turn round serverTime you players row deckSize discard"
    " ticketPileSize ticketsOut routes stations tunnel finalTurnsLeft seedCommitment result".split()
)
PLAYER = set(
    "seat name kind state choosing handSize handAtLeast ticketCount offeredCount wagons stations score"
    " completedTickets yard roadPileSize connected clock".split()
)
YOU = {"seat", "hand", "tickets", "offered"}
PHASES = set("setup_tickets turn_start action after_first_card ticket_choice tunnel_pending finished".split())


def all_forms() -> Iterator[tuple[engine.State, int | None, dict[str, Any]]]:
    for state in positions():
        for seat in (None, *range(state.rules.players)):
            yield state, seat, form_of(state, seat)


def test_a_view_has_the_keys_of_the_contract_and_no_others() -> None:
    phases: dict[str, set[str]] = {}
    for state, seat, form in all_forms():
        phases.setdefault(state.rules.edition.id, set()).add(form["phase"])
        assert set(form) == VIEW
        assert len(form["players"]) == state.rules.players
        assert all(set(player) == PLAYER for player in form["players"])
        assert (form["you"] is None) == (seat is None)
        if seat is not None:
            assert set(form["you"]) == YOU
            assert form["you"]["seat"] == seat
    assert set(phases) == set(engine.EDITIONS)
    assert set().union(*phases.values()) == PHASES


def test_a_view_is_plain_json() -> None:
    for _, _, form in all_forms():
        assert json.loads(json.dumps(form)) == form


def test_every_fact_of_the_engines_view_has_its_place() -> None:
    def camel(name: str) -> str:
        first, *rest = name.split("_")
        return first + "".join(word.capitalize() for word in rest)

    for state, seat, form in all_forms():
        view: dict[str, Any] = engine.view(state, seat)
        for key in set(view) - {"you", "players", "result", "revealed"}:
            assert form[camel(key)] == view[key], key
        for player, shown in zip(view["players"], form["players"], strict=True):
            for key in set(player) - {"retired"}:
                assert shown[camel(key)] == player[key], key
        if seat is not None:
            assert form["you"]["hand"] == view["you"]["hand"]
            assert [ticket["id"] for ticket in form["you"]["offered"]] == view["you"]["offered"]
            held = [{"id": t["id"], "completed": t["completed"]} for t in form["you"]["tickets"]]
            assert held == view["you"]["tickets"]
        assert (form["result"] is None) == (form["phase"] != "finished")


def test_what_the_table_knows_is_added() -> None:
    form = form_of(positions()[0], 0)
    assert form["id"] == "g-1" and form["version"] == 7 and form["status"] == "running"
    assert form["serverTime"] == "2030-01-01T00:00:00Z" and form["seedCommitment"] == "c0ffee"
    first, second = form["players"]
    assert (first["name"], first["kind"], first["state"], first["connected"]) == (
        "Player 0",
        "player",
        "active",
        True,
    )
    assert first["clock"] == {"bankMs": 60_000, "deadlineAt": "2030-01-01T00:00:00Z"}
    assert (second["name"], second["kind"], second["state"], second["connected"]) == (
        "Player 1",
        "bot",
        "away",
        False,
    )
    assert second["clock"] is None


def test_a_seat_that_the_rules_retired_is_shown_as_retired() -> None:
    state = Walk("usa", 3, 5).advance(30).state
    engine.retire(state, 2)
    assert [player["state"] for player in form_of(state, None)["players"]] == ["active", "away", "retired"]


def test_equal_views_have_equal_forms_whatever_is_hidden_behind_them() -> None:
    chance = Random(11)
    compared = 0
    for state in positions()[::3]:
        for viewer in (None, *range(state.rules.players)):
            other = other_world(Table(state), viewer, chance)
            if other is not None and engine.view(other.state, viewer) == engine.view(state, viewer):
                assert engine.state_hash(other.state) != engine.state_hash(state)
                assert form_of(other.state, viewer) == form_of(state, viewer)
                compared += 1
    assert compared > 100


def test_no_view_tells_the_seed_the_deck_or_the_tickets_of_others() -> None:
    for state, seat, form in all_forms():
        if form["phase"] == "finished":
            continue
        text = json.dumps(form)
        assert state.seed.hex() not in text
        mine = () if seat is None else (*state.tickets[seat], *state.offer[seat])
        public = [ticket for completed in state.completed for ticket in completed]
        named = {state.rules.ticket_ids[ticket] for ticket in (*mine, *public)}
        assert {name for name in state.rules.ticket_ids if f'"{name}"' in text} - _places(state) <= named


def _places(state: engine.State) -> set[str]:
    """Routes of one board are named like its tickets."""
    return {*state.rules.route_ids, *state.rules.place_ids}


def test_the_own_road_pile_is_shown_with_the_option_and_only_to_its_owner() -> None:
    walk = Walk("card", 3, 4, {"peek_own_pile": [1]}).advance(60)
    form = form_of(walk.state, 1)
    assert set(form["you"]) == YOU | {"roadPile"}
    assert sum(form["you"]["roadPile"].values()) == form["players"][1]["roadPileSize"] > 0
    assert set(form_of(walk.state, 0)["you"]) == YOU


def test_a_game_not_yet_begun_has_the_same_keys_and_nothing_of_play() -> None:
    rules = engine.ruleset("europe", 3, {"max_turns": 9})
    for seat in (None, 2):
        form = open_view_form(rules, seats=SEATS[:3], seat=seat, **{**GAME, "status": "open"})
        assert set(form) == VIEW
        assert all(set(player) == PLAYER for player in form["players"])
        assert form["edition"] == "europe" and form["options"]["max_turns"] == 9 and form["status"] == "open"
        assert [player["name"] for player in form["players"]] == ["Player 0", "Player 1", "Player 2"]
        assert [player["seat"] for player in form["players"]] == [0, 1, 2]
        assert form["you"] == (
            None if seat is None else {"seat": 2, "hand": {}, "tickets": [], "offered": []}
        )
        assert form["phase"] is None and form["result"] is None and form["tunnel"] is None
        assert form["activeSeats"] == [] and form["row"] == [None] * 5
        assert all(
            player["handSize"] == player["score"] == player["wagons"] == 0 for player in form["players"]
        )
        assert json.loads(json.dumps(form)) == form


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        (
            "usa",
            {
                "id": "t_boston_miami",
                "from": "boston",
                "targets": [{"to": "miami", "points": 12}],
                "long": False,
            },
        ),
        (
            "europe",
            {
                "id": "t_brest_petrograd",
                "from": "brest",
                "targets": [{"to": "petrograd", "points": 20}],
                "long": True,
            },
        ),
        (
            "switzerland",
            {
                "id": "austria-countries-2",
                "from": "austria",
                "targets": [
                    {"to": "germany", "points": 5},
                    {"to": "italy", "points": 6},
                    {"to": "france", "points": 14},
                ],
                "long": False,
            },
        ),
        (
            "card",
            {
                "id": "d46",
                "from": "seattle",
                "to": "miami",
                "points": 22,
                "cards": {"black": 1, "white": 1, "red": 2, "orange": 1},
                "bigCities": ["seattle", "miami"],
            },
        ),
    ],
)
def test_a_ticket_says_where_it_leads_and_what_it_is_worth(edition: str, expected: dict[str, Any]) -> None:
    assert ticket_form(engine.ruleset(edition, 2), expected["id"]) == expected


def test_tickets_held_carry_their_facts_and_whether_they_are_completed() -> None:
    completed: set[bool | None] = set()
    for state, seat, form in all_forms():
        if seat is None:
            continue
        for ticket in form["you"]["tickets"]:
            done = ticket.pop("completed")
            completed.add(done)
            assert ticket == ticket_form(state.rules, ticket["id"])
        assert form["you"]["offered"] == [ticket_form(state.rules, t["id"]) for t in form["you"]["offered"]]
    assert completed == {True, False, None}
