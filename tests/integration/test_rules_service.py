"""Editions and boards as the service tells them."""

from __future__ import annotations

import json

import pytest

import turntable_rules as engine
from tests.kit.board_files import board_text
from tests.kit.fan_boards import fan_board_text, line, route, ticket
from tests.kit.requests import make
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules.engine.options import option_names

Stub = pb_grpc.RulesServiceStub


@pytest.mark.parametrize("size", [0, 1, 2, 4, 6, 100])
def test_editions_are_listed_page_by_page_each_once(stub: Stub, size: int) -> None:
    found: list[str] = []
    token = ""
    for _ in range(10):
        page = stub.ListEditions(make.ListEditionsRequest(page_size=size, page_token=token))
        assert size == 0 or len(page.editions) <= size
        assert not [edition for edition in page.editions if edition.HasField("board")]
        found += [edition.id for edition in page.editions]
        token = page.next_page_token
        if not token:
            break
    assert found == list(engine.EDITIONS)


@pytest.mark.parametrize("name", engine.EDITIONS)
def test_an_edition_is_given_with_all_its_material(stub: Stub, name: str) -> None:
    edition = stub.GetEdition(make.GetEditionRequest(edition=name)).edition
    facts = engine.EDITIONS[name]
    assert (edition.id, edition.display_name) == (name, facts.name)
    assert (edition.min_players, edition.max_players) == (facts.min_players, facts.max_players)
    assert set(edition.option_names) == set(option_names(facts))
    assert edition.provenance_note and edition.tie_breaks
    if facts.yards:
        assert edition.card_set.digest == engine.builtin_cards().digest
        assert len(edition.card_set.destinations) == 46
        assert not edition.HasField("board")
        return
    board = engine.builtin_board(facts.data)
    assert edition.board.digest == board.digest
    assert [route.id for route in edition.board.routes] == [route.id for route in board.routes]
    assert [ticket.id for ticket in edition.board.tickets] == [ticket.id for ticket in board.tickets]
    assert [place.id for place in edition.board.places] == [place.id for place in board.places]
    scored = {points.length for points in edition.route_points}
    assert {route.length for route in edition.board.routes} <= scored


@pytest.mark.parametrize("name", ["usa", "lyon", "europe", "switzerland"])
def test_a_published_board_is_sound_and_counted(stub: Stub, name: str) -> None:
    board = engine.builtin_board(name)
    request = make.CheckBoardRequest(board_json=board_text(board), edition=name)
    answer = stub.CheckBoard(request)
    assert not answer.faults
    assert answer.digest == board.digest
    counted = answer.statistics
    assert counted.route_count == len(board.routes)
    assert counted.ticket_count == len(board.tickets)
    assert counted.city_count + counted.exit_count == len(board.places)
    assert counted.space_count == sum(entry.length * entry.count for entry in counted.lengths)


def test_all_faults_of_a_board_are_listed_with_place_and_clause(stub: Stub) -> None:
    data = json.loads(fan_board_text([line("x-y", 3), line("y-z", 2, kind="ferry")], [ticket("x-z", 5)]))
    data["routes"][0]["length"] = 0
    data["tickets"][0]["b"] = "nowhere"
    answer = stub.CheckBoard(make.CheckBoardRequest(board_json=json.dumps(data, indent=1)))
    codes = {fault.code: fault for fault in answer.faults}
    assert {"bad_length", "unknown_place", "ferry_without_locos"} <= set(codes)
    assert codes["ferry_without_locos"].clause == "EUR-FERRY-1"
    assert codes["bad_length"].path.startswith("routes[0]")
    assert [fault.line for fault in answer.faults] == sorted(fault.line for fault in answer.faults)
    assert not answer.digest and not answer.HasField("statistics")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "[" * 10_000, "x" * 2_000_000, '{"format": "other/1"}']
)
def test_what_is_no_board_file_is_a_fault_and_no_error(stub: Stub, text: str) -> None:
    answer = stub.CheckBoard(make.CheckBoardRequest(board_json=text))
    assert answer.faults and not answer.digest


def test_a_board_may_be_sound_but_not_for_the_edition(stub: Stub) -> None:
    """A route of nine spaces scores nothing where the rules name no points for it (COMMON-CLAIM-15)."""
    text = fan_board_text([route("long_one", "x-y", 9), line("y-z", 1)])
    assert not stub.CheckBoard(make.CheckBoardRequest(board_json=text)).faults
    judged = stub.CheckBoard(make.CheckBoardRequest(board_json=text, edition="usa", player_count=2))
    assert [fault.clause for fault in judged.faults] == ["COMMON-CLAIM-15"]


def test_a_game_on_a_fans_board(stub: Stub) -> None:
    text = fan_board_text([line("x-y", 3), line("y-z", 2)], [ticket("x-z", 5)])
    ruleset = {"edition": "usa", "player_count": 2, "board_json": text}
    dealt = stub.NewGame(make.NewGameRequest(ruleset=ruleset, seed=bytes(32))).outcome
    view = stub.GetView(make.GetViewRequest(ruleset=ruleset, position=dealt.position, seat=0)).view
    assert len(view.you.offered) == 3
    names = {one["id"] for one in json.loads(text)["tickets"]}
    assert set(view.you.offered) <= names
