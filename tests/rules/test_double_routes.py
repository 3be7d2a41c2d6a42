"""Double routes (COMMON-DOUBLE), and boards that are refused for their routes (COMMON-CLAIM-15, -16)."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import fan_board, fan_board_text, line, route
from tests.kit.table import Table
from turntable_rules import Board, BoardError, builtin_board, parse_board, ruleset

# Two tracks of a double route, how each is paid by 'oooo kkkk' or gray by 'pppp', and the most players with one track.
PAIRS = [
    ("usa-2004", "chicago_pittsburgh_1", "3black", "chicago_pittsburgh_2", "3orange", 3),
    ("usa", "chicago_pittsburgh_1", "3black", "chicago_pittsburgh_2", "3orange", 3),
    ("lyon", "r17", "3black", "r18", "3orange", 3),
    ("europe", "edinburgh_london_1", "4black", "edinburgh_london_2", "4orange", 3),
    ("switzerland", "bern-luzern-1", "4black", "bern-luzern-2", "4orange", 2),
]
HAND = "kkkkoooo"
COUNTS = [(*pair, players) for pair in PAIRS for players in range(2, 4 if pair[0] == "switzerland" else 6)]


def load_faults(text: str) -> list[str]:
    """The clauses for which a board file is refused."""
    with pytest.raises(BoardError) as refused:
        parse_board(text)
    return [fault.clause or fault.code for fault in refused.value.faults]


def three_tracks() -> Board:
    tracks = [route(f"xy{number}", "x-y", 2, double_group="xy") for number in (1, 2, 3)]
    return fan_board([*tracks, line("y-z", 3)])


@pytest.mark.clause("COMMON-DOUBLE-3", "COMMON-DOUBLE-4")
@pytest.mark.parametrize(("edition", "one", "_paid", "two", "price", "threshold", "players"), COUNTS)
def test_the_second_track_is_open_to_others_above_the_threshold_only(
    edition, one, _paid, two, price, threshold, players
):
    t = Table.set(edition, players, routes={one: 0}, hands={1: HAND}, active=1)
    if players <= threshold:
        assert t.refuses(1, f"claim {two} {price}", clause="COMMON-DOUBLE-3")
    else:
        t.play(1, f"claim {two} {price}")
        assert t.position()["routes"] == {one: 0, two: 1}


@pytest.mark.clause("COMMON-DOUBLE-2")
@pytest.mark.parametrize(("edition", "one", "_paid", "two", "price", "threshold", "players"), COUNTS)
def test_nobody_owns_both_tracks(edition, one, _paid, two, price, threshold, players):
    t = Table.set(edition, players, routes={one: 0}, hands={0: HAND})
    assert t.refuses(0, f"claim {two} {price}", clause="COMMON-DOUBLE-2")


@pytest.mark.clause("COMMON-DOUBLE-2", "COMMON-DOUBLE-3")
@pytest.mark.parametrize(("edition", "one", "paid", "two", "price", "threshold"), PAIRS)
def test_a_track_closes_with_the_claim_itself_and_either_may_be_first(
    edition, one, paid, two, price, threshold
):
    for first, first_price, second, second_price in ((one, paid, two, price), (two, price, one, paid)):
        t = Table.set(edition, threshold, hands={0: HAND, 1: HAND})
        assert t.allows(0, f"claim {second} {second_price}")
        t.play(0, f"claim {first} {first_price}")
        assert t.refuses(1, f"claim {second} {second_price}", clause="COMMON-DOUBLE-3")


@pytest.mark.clause("COMMON-DOUBLE-2")
@pytest.mark.parametrize(("edition", "one", "paid", "two", "price", "threshold"), PAIRS)
def test_a_claim_closes_the_other_track_to_its_owner_alone_above_the_threshold(
    edition, one, paid, two, price, threshold
):
    """The track closes as the game goes on, not only in a position that is set up."""
    players = threshold + 1
    t = Table.set(edition, players, hands={0: HAND, 1: HAND})
    t.play(0, f"claim {one} {paid}")
    assert t.allows(1, f"claim {two} {price}")
    for seat in range(1, players):
        t.play(seat, "draw_deck")
        t.play(seat, "draw_deck")
    assert t.refuses(0, f"claim {two} {price}", clause="COMMON-DOUBLE-2")


@pytest.mark.scenario("S-063")
@pytest.mark.clause("COMMON-DOUBLE-3", "USA-DOUBLE-1")
@pytest.mark.parametrize("edition", ["usa-2004", "usa"])
def test_with_three_players_the_second_track_is_closed_until_the_end(edition):
    t = Table.set(
        edition, 3, hands={0: "kkk", 1: "oooo", 2: "oooo"}, options={"max_turns": 24, "first_player": 0}
    )
    t.play(0, "claim chicago_pittsburgh_1 3black")
    while t.phase != "finished":
        if t.active:
            assert t.refuses(t.active, "claim chicago_pittsburgh_2 3orange", clause="COMMON-DOUBLE-3")
        t.play(t.active, "draw_deck")
        t.play(t.active, "stop_drawing")
    assert t.position()["turns"] == 24


@pytest.mark.clause("USA-DOUBLE-1")
@pytest.mark.parametrize("players", [2, 3])
def test_one_track_of_each_usa_double_route_can_be_used(players):
    """With the first track of every pair taken, all others between these cities are closed to everybody."""
    tracks = [one for one in builtin_board("usa").routes if one.double_group]
    for seat in range(players):
        for taken in ("_1", "_2"):
            # As many as 45 wagons allow.
            owned, wagons = {}, 0
            for one in tracks:
                if one.id.endswith(taken) and wagons + one.length <= 45:
                    owned[one.id] = 0
                    wagons += one.length
            t = Table.set("usa", players, routes=owned, deck="", spare=seat, active=seat)
            listed = {move.split(" ")[1] for move in t.moves(seat) if move.startswith("claim")}
            groups = {one.double_group for one in tracks if one.id in owned}
            assert not listed & {one.id for one in tracks if one.double_group in groups}


@pytest.mark.scenario("S-064")
@pytest.mark.clause("COMMON-DOUBLE-2", "COMMON-DOUBLE-4")
def test_with_four_players_another_player_takes_the_second_track():
    t = Table.set("usa", 4, hands={0: "oookkk", 1: "ooo"}, routes={"chicago_pittsburgh_1": 0})
    assert t.refuses(0, "claim chicago_pittsburgh_2 3orange", clause="COMMON-DOUBLE-2")
    t.play(0, "draw_tickets")
    t.play(0, t.moves(0)[0])
    t.play(1, "claim chicago_pittsburgh_2 3orange")
    assert t.position()["routes"] == {"chicago_pittsburgh_1": 0, "chicago_pittsburgh_2": 1}


@pytest.mark.scenario("S-065")
@pytest.mark.clause("EUR-DOUBLE-1", "COMMON-DOUBLE-2")
def test_double_tunnels_follow_the_same_rule():
    t = Table.set("europe", 4, hands={0: "www", 1: "www"}, routes={"madrid_pamplona_1": 0})
    deck = t.position()["deck"]
    assert t.refuses(0, "claim madrid_pamplona_2 3white", clause="COMMON-DOUBLE-2")
    assert t.position()["deck"] == deck and t.phase == "turn_start"
    t = Table.set(
        "europe", 4, hands={1: "www"}, routes={"madrid_pamplona_1": 0}, active=1, deck_top="rrr", row="uuggg"
    )
    t.play(1, "claim madrid_pamplona_2 3white")
    assert t.position()["routes"] == {"madrid_pamplona_1": 0, "madrid_pamplona_2": 1}


@pytest.mark.scenario("S-067")
@pytest.mark.clause("COMMON-DOUBLE-1", "COMMON-DOUBLE-5")
@pytest.mark.parametrize("seat", [0, 1])
def test_routes_side_by_side_to_different_places_are_independent(seat):
    """On the board brest_paris and brest_dieppe leave Brest together."""
    t = Table.set("europe", 2, hands={seat: "oo"}, routes={"brest_paris": 0}, active=seat)
    t.play(seat, "claim brest_dieppe 2orange")
    assert t.position()["routes"] == {"brest_paris": 0, "brest_dieppe": seat}


@pytest.mark.clause("COMMON-DOUBLE-5")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon", "europe", "switzerland"])
def test_on_no_board_does_a_claim_close_routes_between_other_places(edition):
    """Each claim of one route leaves every route between other places open to both players."""
    board = builtin_board("usa" if edition == "usa-2004" else edition)
    for taken in board.routes[::9]:
        ends = {taken.a, taken.b}
        apart = {other.id for other in board.routes if {other.a, other.b} != ends}
        for seat in (0, 1):
            t = Table.set(edition, 2, routes={taken.id: 0}, deck="", spare=seat, active=seat)
            listed = {move.split(" ")[1] for move in t.moves(seat) if move.startswith("claim")}
            assert listed == apart


@pytest.mark.scenario("S-068")
@pytest.mark.clause("SWI-COUNTRY-4", "COMMON-DOUBLE-6")
@pytest.mark.parametrize("seat", [0, 1])
def test_two_exits_of_one_country_are_not_a_double_route(seat):
    east, west = "kreuzlingen-germany_kreuzlingen_east", "kreuzlingen-germany_kreuzlingen_west"
    t = Table.set("switzerland", 2, hands={0: "w", 1: "o"}, active=0, row="rrrkk")
    t.play(0, f"claim {east} 1white")
    t = Table.set("switzerland", 2, hands={seat: "o"}, routes={east: 0}, active=seat)
    t.play(seat, f"claim {west} 1orange")
    assert t.position()["routes"] == {east: 0, west: seat}


@pytest.mark.scenario("S-186")
@pytest.mark.clause("COMMON-DOUBLE-7")
def test_three_tracks_with_three_players():
    t = Table.set("usa", 3, board=three_tracks(), hands={0: "rr", 1: "gg", 2: "ww"}, row="kkkpp")
    t.play(0, "claim xy2 2red")
    for track in ("xy1", "xy3"):
        assert t.refuses(1, f"claim {track} 2green", clause="COMMON-DOUBLE-3")
    t.play(1, "draw_deck")
    t.play(1, "stop_drawing")
    assert t.refuses(2, "claim xy1 2white", clause="COMMON-DOUBLE-3")


@pytest.mark.scenario("S-186")
@pytest.mark.clause("COMMON-DOUBLE-7")
def test_three_tracks_with_four_players():
    t = Table.set(
        "usa", 4, board=three_tracks(), hands={0: "rrrr", 1: "gggg", 2: "wwww", 3: "kkkk"}, row="yyypp"
    )
    t.play(0, "claim xy2 2red")
    t.play(1, "claim xy1 2green")
    t.play(2, "claim xy3 2white")
    assert t.position()["routes"] == {"xy1": 1, "xy2": 0, "xy3": 2}
    t = Table.set("usa", 4, board=three_tracks(), hands={0: "rrrr"}, routes={"xy2": 0, "xy1": 1})
    assert t.refuses(0, "claim xy3 2red", clause="COMMON-DOUBLE-2")


@pytest.mark.clause("COMMON-DOUBLE-1")
def test_the_tracks_of_a_fan_board_may_differ_in_length():
    tracks = [route("short", "x-y", 2, double_group="xy"), route("long", "y-x", 5, double_group="xy")]
    board = fan_board([*tracks, line("y-z", 3)])
    t = Table.set("usa", 2, board=board, hands={1: "rrrrr"}, routes={"short": 0}, active=1)
    assert t.refuses(1, "claim long 5red", clause="COMMON-DOUBLE-3")


@pytest.mark.clause("COMMON-DOUBLE-1")
def test_a_group_between_different_places_is_refused_at_load():
    text = fan_board_text([line("x-y", 2, double_group="g"), line("x-z", 2, double_group="g")])
    assert load_faults(text) == ["COMMON-DOUBLE-1"]


@pytest.mark.clause("COMMON-DOUBLE-6")
@pytest.mark.parametrize("groups", [(None, None), ("g", None), ("g", "h")])
def test_routes_sharing_both_ends_must_share_a_group(groups):
    tracks = [route(f"xy{at}", "x-y", 2 + at, double_group=group) for at, group in enumerate(groups)]
    assert load_faults(fan_board_text(tracks)) == ["COMMON-DOUBLE-6"]


@pytest.mark.clause("COMMON-CLAIM-15")
@pytest.mark.parametrize(
    ("edition", "scored", "unscored"),
    [
        ("usa-2004", (1, 2, 3, 4, 5, 6), (7, 8)),
        ("usa", (1, 2, 3, 4, 5, 6), (7, 8)),
        ("lyon", (1, 2, 3, 4, 5, 6), (7, 8)),
        ("europe", (1, 2, 3, 4, 6, 8), (5, 7)),
        ("switzerland", (1, 2, 3, 4, 5, 6), (7, 8)),
    ],
)
def test_a_board_with_a_length_that_scores_nothing_is_refused(edition, scored, unscored):
    for length in scored:
        ruleset(edition, 2, None, fan_board([line("x-y", length)]))
    for length in unscored:
        with pytest.raises(BoardError) as refused:
            ruleset(edition, 2, None, fan_board([line("x-y", length)]))
        assert [fault.clause for fault in refused.value.faults] == ["COMMON-CLAIM-15"]


@pytest.mark.clause("COMMON-CLAIM-16")
def test_a_board_with_a_tunnel_that_is_a_ferry_too_is_refused():
    text = fan_board_text([line("x-y", 3, kind="tunnel", locomotives=1)])
    assert load_faults(text) == ["COMMON-CLAIM-16"]
    parse_board(fan_board_text([line("x-y", 3, kind="tunnel"), line("y-z", 3, kind="ferry", locomotives=1)]))
