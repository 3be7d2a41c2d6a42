"""Who sees what lies on the table: rules.md section 6, row by row (INFO-16 to INFO-27)."""

from __future__ import annotations

from typing import Any

import pytest

import turntable_rules as rules_engine
from tests.kit.random_games import ALL, BOARDS, begun
from tests.kit.setting import cards, counts
from tests.kit.table import Table

EVERYBODY = (0, 1, None)


def seen(events: list[rules_engine.Event], kind: str, viewer: int | None) -> list[dict[str, Any]]:
    """The events of one type as a viewer sees them."""
    return [event.seen_by(viewer) for event in events if event.type == kind]


@pytest.mark.clause("INFO-16")
def test_routes_reserves_stations_and_route_scores_are_public():
    table = Table.set(
        "europe", 2, routes={"essen_frankfurt": 0, "palermo_smyrna": 1}, stations={1: ["wien", "roma"]}
    )
    for viewer in EVERYBODY:
        view = table.view(viewer)
        assert view["routes"] == {"essen_frankfurt": 0, "palermo_smyrna": 1}
        assert view["stations"] == {"wien": 1, "roma": 1}
        assert [player["wagons"] for player in view["players"]] == [43, 39]
        assert [player["score"] for player in view["players"]] == [2, 15]
        assert [player["stations"] for player in view["players"]] == [3, 1]


@pytest.mark.clause("INFO-17")
@pytest.mark.parametrize(
    ("move", "kind", "paid"),
    [
        ("claim palermo_smyrna 4green+2loco", "route_claimed", ("green", 4, 2)),
        ("claim amsterdam_london 2loco", "route_claimed", (None, 0, 2)),
        ("build_station wien 1loco", "station_built", (None, 0, 1)),
        ("build_station wien 1green", "station_built", ("green", 1, 0)),
    ],
)
def test_payments_are_public(move, kind, paid):
    table = Table.set("europe", 2, hands={0: "ggggLL"})
    events = table.play_events(0, move)
    for viewer in EVERYBODY:
        (event,) = seen(events, kind, viewer)
        assert event["payment"] == dict(zip(("colour", "wagons", "locos"), paid, strict=True))
        expected = {"green": paid[1], "loco": paid[2]}
        assert table.view(viewer)["discard"] == {card: count for card, count in expected.items() if count}


@pytest.mark.clause("INFO-18")
@pytest.mark.parametrize(
    ("edition", "route"), [("europe", "marseille_zurich"), ("switzerland", "chur-davos")]
)
def test_a_tunnel_attempt_is_public_in_full(edition, route):
    table = Table.set(edition, 2, hands={0: "ppL"}, deck_top="pLw")
    assert table.view(1)["tunnel"] is None
    events = table.play_events(0, f"claim {route} 1purple+1loco")
    facts = {
        "route": route,
        "payment": {"colour": "purple", "wagons": 1, "locos": 1},
        "revealed": cards("pLw"),
        "due": 2,
    }
    for viewer in EVERYBODY:
        assert table.view(viewer)["tunnel"] == facts
        assert seen(events, "tunnel_revealed", viewer) == [{"type": "tunnel_revealed", "seat": 0, **facts}]


@pytest.mark.clause("INFO-19", "INFO-20")
def test_the_others_cannot_see_whether_a_tunnel_could_be_paid():
    tables = [Table.set("europe", 2, hands={0: hand}, deck_top="pLw") for hand in ("pppp", "ppku")]
    for table in tables:
        table.play(0, "claim marseille_zurich 2purple")
    able, unable = tables
    assert len(able.moves(0)) == 2 and unable.moves(0) == ["tunnel_abandon"]
    for viewer in (1, None):
        assert able.view_text(viewer) == unable.view_text(viewer)
    assert able.moves(1) == unable.moves(1) == []
    assert able.refusal(1, "tunnel_pay 2purple") == unable.refusal(1, "tunnel_pay 2purple")


@pytest.mark.clause("INFO-20")
@pytest.mark.parametrize("edition", ALL)
def test_legal_moves_are_given_to_the_acting_player_only(edition):
    table = Table.set(edition, 2, hands={0: "rrruuuLL", 1: "gggkkkLL"})
    assert table.moves(0) and table.moves(1) == []
    for viewer in EVERYBODY:
        text = table.view_text(viewer)
        assert "legal" not in text and "moves" not in text and "draw_deck" not in text


@pytest.mark.clause("INFO-21", "INFO-22")
def test_yards_and_the_size_of_road_piles_are_public():
    table = Table.set("card", 2, yards={0: {"red": (2, 1), "blue": (1, 0)}}, roads={0: "rrg", 1: "k"})
    for viewer in EVERYBODY:
        players = table.view(viewer)["players"]
        assert players[0]["yard"] == [
            {"colour": "blue", "wagons": 1, "locos": 0},
            {"colour": "red", "wagons": 2, "locos": 1},
        ]
        assert players[1]["yard"] == []
        assert [player["road_pile_size"] for player in players] == [3, 1]


@pytest.mark.clause("INFO-23", "CARD-ROAD-5", "CARD-ROAD-6", "INFO-22")
@pytest.mark.parametrize("peeking", [[], [0], [0, 1]])
def test_the_content_of_a_road_pile_is_in_no_view_but_a_peeking_owners(peeking):
    options = {"peek_own_pile": peeking}
    tables = [Table.set("card", 2, options=options, roads={0: road, 1: "kw"}) for road in ("rrg", "uyL")]
    for viewer in EVERYBODY:
        same = tables[0].view_text(viewer) == tables[1].view_text(viewer)
        assert same == (viewer != 0 or 0 not in peeking)
    if peeking:
        assert tables[0].view(0)["you"]["road_pile"] == counts("rrg")
    assert (tables[0].view(1)["you"].get("road_pile") == counts("kw")) == (1 in peeking)


@pytest.mark.clause("FSM-11", "INFO-21", "INFO-24")
@pytest.mark.scenario("S-181")
def test_others_see_a_column_placed_and_the_card_that_leaves_it():
    table = Table.set("card", 2, hands={0: "uu"}, options={"second_card": "may"})
    events = table.play_events(0, "play_same blue 2+0")
    columns = [{"colour": "blue", "wagons": 2, "locos": 0}]
    placed = {"type": "trains_placed", "seat": 0, "columns": columns}
    assert seen(events, "trains_placed", 1) == [placed]
    assert table.view(1)["players"][0]["yard"] == columns
    table.play(1, "draw_deck")
    events = table.play_events(1, "stop_drawing")
    for viewer in EVERYBODY:
        departed = {"type": "trains_departed", "seat": 0, "cards": ["blue"]}
        assert seen(events, "trains_departed", viewer) == [departed]
    assert table.view(1)["players"][0]["yard"] == [{"colour": "blue", "wagons": 1, "locos": 0}]
    assert table.view(1)["players"][0]["road_pile_size"] == 1


def end_of_round(players: int = 4) -> Table:
    """The last turn of a round of the card game; seat 0 can complete one of three tickets."""
    needs = rules_engine.builtin_cards().destinations
    done = needs[0]
    letters = dict(zip("pwuyokrg", range(8), strict=True))
    road = "".join(letter * done.cards[number] for letter, number in letters.items())
    return Table.set(
        "card",
        players,
        tickets={0: [needs[1].id, done.id, needs[2].id], 1: [needs[3].id]},
        roads={0: road},
        deck="",
        discard="",
        spare="discard",
        row="rugwk",
        active=players - 1,
        final_turns_left=1,
    )


@pytest.mark.clause("INFO-25")
@pytest.mark.parametrize("players", [2, 4])
def test_at_fulfilment_the_pile_the_tickets_completed_and_the_score_are_public(players):
    table = end_of_round(players)
    done = rules_engine.builtin_cards().destinations[0]
    road = table.player(0)["road"]
    last = players - 1
    table.play(last, "draw_tickets")
    events = table.play_events(last, "keep_tickets -")
    for viewer in (0, 1, None):
        first = seen(events, "pile_fulfilled", viewer)[0]
        assert first == {
            "type": "pile_fulfilled",
            "seat": 0,
            "pile": road,
            "completed": [done.id],
            "points": done.points,
        }
        player = table.view(viewer)["players"][0]
        assert (player["completed_tickets"], player["score"]) == ([done.id], done.points)


@pytest.mark.clause("INFO-25", "INFO-26", "CARD-ROUND2-5")
@pytest.mark.scenario("S-158")
def test_uncompleted_tickets_stay_private_after_the_first_round():
    table = end_of_round()
    others = [ticket.id for ticket in rules_engine.builtin_cards().destinations[1:3]]
    pile = table.position()["pile"]
    table.play(3, "draw_tickets")
    events = table.play_events(3, "keep_tickets -")
    assert table.position()["round"] == 2
    assert table.position()["pile"] == pile[4:] + pile[:4], "only what the last player put under it"
    for viewer in (1, 2, 3, None):
        text = table.view_text(viewer) + str([event.seen_by(viewer) for event in events])
        assert not [ticket for ticket in others if ticket in text]
        assert table.view(viewer)["players"][0]["ticket_count"] == 2
    assert {held["id"] for held in table.view(0)["you"]["tickets"]} == set(others)


@pytest.mark.clause("INFO-27")
@pytest.mark.scenario("S-164")
@pytest.mark.parametrize("edition", ALL)
def test_at_the_end_everything_is_public(edition):
    options = {"max_turns": 2, "second_card": "may", "first_player": 0}
    table = begun(edition, 2, 77, options)
    for seat in (0, 1):
        assert table.view(0)["revealed"] is None and table.view(0)["result"] is None
        table.play(seat, "draw_deck")
        events = table.play_events(seat, "stop_drawing")
    assert table.phase == "finished"
    position = table.position()
    for viewer in EVERYBODY:
        view = table.view(viewer)
        assert view["revealed"]["seed"] == position["seed"]
        assert view["revealed"]["deck"] == position["deck"]
        assert view["revealed"]["ticket_pile"] == position["pile"]
        assert view["revealed"]["unseen_out"] == position["unseen_out"]
        for shown, player in zip(view["revealed"]["players"], position["players"], strict=True):
            assert shown["hand"] == player["hand"] and shown["out"] == player["out"]
            assert shown["tickets"] == player["tickets"] and shown["road_pile"] == player["road"]
        assert view["result"] == table.score()
        assert seen(events, "game_finished", viewer)[0]["result"] == table.score()
        for seat in view["result"]["seats"]:
            assert set(seat["longest_path"]) == {"length", "routes", "bonus"}
            assert seat["tickets"]


@pytest.mark.clause("INFO-27")
@pytest.mark.scenario("S-164")
def test_at_the_end_borrowed_routes_are_public():
    """Seat 0's station in Essen borrows a route of seat 1 for a ticket."""
    board = rules_engine.builtin_board("europe")
    ends = {route.id: {route.a, route.b} for route in board.routes}
    ticket = next(ticket for ticket in board.tickets if ticket.id == "t_berlin_roma")
    assert {ticket.start, ticket.targets[0].to} == {"berlin", "roma"}
    own = {"berlin_wien": 0, "munchen_wien": 0, "munchen_venezia": 0}
    assert ends["roma_venezia"] == {"roma", "venezia"}
    table = Table.set(
        "europe",
        2,
        options={"max_turns": 11},
        routes={**own, "roma_venezia": 1},
        stations={0: ["venezia"]},
        tickets={0: ["t_berlin_roma"]},
    )
    table.play(0, "draw_deck")
    table.play(0, "stop_drawing")
    for viewer in EVERYBODY:
        seat = table.view(viewer)["result"]["seats"][0]
        assert seat["loans"] == [{"city": "venezia", "route": "roma_venezia"}]


@pytest.mark.clause("INFO-27")
@pytest.mark.parametrize("edition", ALL)
def test_a_game_that_ends_during_a_choice_of_tickets_lays_the_offer_open_too(edition):
    """Seat 1 leaves while seat 0 looks at tickets: the game is over, and nothing stays hidden."""
    table = Table.set(edition, 2)
    table.play(0, "draw_tickets")
    offer = table.player(0)["offer"]
    table.retire(1)
    assert table.phase == "finished"
    for viewer in EVERYBODY:
        assert all(f'"{ticket}"' in table.view_text(viewer) for ticket in offer)


@pytest.mark.clause("INFO-16", "INFO-20")
@pytest.mark.parametrize("edition", BOARDS)
def test_a_view_holds_what_the_table_allows_and_nothing_else(edition):
    """Whoever adds to views has to come here and to section 6 first."""
    view = begun(edition, 2).view(0)
    assert set(view) == set(
        "edition options phase active_seats turn round final_turns_left you players row deck_size discard "
        "ticket_pile_size tickets_out routes stations tunnel result revealed".split()
    )
    assert set(view["you"]) == set("seat hand tickets offered chosen out".split())
    assert set(view["players"][1]) == set(
        "seat choosing hand_size hand_at_least ticket_count offered_count completed_tickets wagons stations score "
        "yard road_pile_size retired".split()
    )
