"""Who wins (COMMON-TIE), with the tie-breaks of each ruleset."""

from __future__ import annotations

import pytest

from tests.kit.fan_boards import Json, fan_board, line, ticket
from tests.kit.table import Table
from turntable_rules import Board

BOARDS = ["usa-2004", "usa", "lyon", "europe", "switzerland"]


class Networks:
    """A board made of one network per seat: lines of routes, given by their lengths, that touch nothing else."""

    def __init__(self) -> None:
        self.routes: list[Json] = []
        self.tickets: list[Json] = []
        self.owner: dict[str, int] = {}
        self.held: dict[int, list[str]] = {}

    def line(self, seat: int, *lengths: int, ticket_points: int | None = None) -> Networks:
        """Routes in a line owned by the seat; a ticket from end to end, completed, if points are given."""
        start = f"s{seat}n{len(self.routes)}"
        for at, length in enumerate(lengths):
            added = line(f"{start}p{at}-{start}p{at + 1}", length)
            self.routes.append(added)
            self.owner[added["id"]] = seat
        if ticket_points is not None:
            self._ticket(seat, f"{start}p0-{start}p{len(lengths)}", ticket_points)
        return self

    def fails(self, seat: int, points: int) -> Networks:
        """A ticket of the seat along a route that nobody has claimed."""
        start = f"f{seat}n{len(self.routes)}"
        self.routes.append(line(f"{start}a-{start}b", 1))
        self._ticket(seat, f"{start}a-{start}b", points)
        return self

    def _ticket(self, seat: int, ends: str, points: int) -> None:
        added = ticket(ends, points)
        self.tickets.append(added)
        self.held.setdefault(seat, []).append(added["id"])

    def board(self) -> Board:
        return fan_board(self.routes, self.tickets)

    def table(self, edition: str, players: int, **facts: object) -> Table:
        return Table.set(edition, players, board=self.board(), routes=self.owner, tickets=self.held, **facts)


def totals(table: Table) -> list[int]:
    return [seat["total"] for seat in table.score()["seats"]]


def ranks(table: Table) -> list[int]:
    return [seat["rank"] for seat in table.score()["seats"]]


@pytest.mark.scenario("S-179")
@pytest.mark.clause("COMMON-TIE-1", "COMMON-END-6")
def test_the_highest_total_wins_and_nobody_is_asked():
    """Each has a route of six (15) and shares the longest path (10); tickets make the difference."""
    networks = Networks()
    for seat, points in enumerate((95, 93, 65)):
        networks.line(seat, 6, ticket_points=points)
    t = networks.table("usa", 3, active=2, final_turns_left=1)
    t.play(2, "draw_deck")
    events = t.play(2, "stop_drawing")
    assert events[-1]["type"] == "game_finished" and t.phase == "finished"
    assert totals(t) == [120, 118, 90]
    assert t.score()["winners"] == [0] and ranks(t) == [1, 2, 3]


@pytest.mark.clause("COMMON-TIE-1")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("best", [0, 1, 2])
def test_neither_seat_nor_tickets_nor_path_beat_points(edition, best):
    """The others have more tickets or the longest path, and fewer points."""
    many, long = (best + 1) % 3, (best + 2) % 3
    networks = Networks().line(best, 4, 3, ticket_points=40)
    networks.line(many, 1, ticket_points=1).line(many, 1, ticket_points=1).line(many, 1, ticket_points=1)
    networks.line(long, 4, 4, 1)
    t = networks.table(edition, 3)
    assert t.score()["winners"] == [best]
    assert ranks(t)[many] == 3


@pytest.mark.scenario("S-111")
@pytest.mark.clause("COMMON-SCORE-1", "COMMON-TIE-2")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon"])
def test_tied_on_points_the_more_completed_tickets_win(edition):
    networks = Networks().line(0, 6, 6, 6, ticket_points=20).line(0, 6, ticket_points=8).fails(0, 11)
    networks.line(1, 6, ticket_points=12)
    for _ in range(4):
        networks.line(1, 6)
    t = networks.table(edition, 2)
    first, second = t.score()["seats"]
    assert (first["routes"], second["routes"]) == (60, 75)
    assert (first["longest_path"]["bonus"], second["longest_path"]["bonus"]) == (10, 0)
    assert totals(t) == [87, 87]
    assert t.score()["winners"] == [0] and ranks(t) == [1, 2]


@pytest.mark.clause("COMMON-TIE-2")
@pytest.mark.parametrize("edition", BOARDS)
@pytest.mark.parametrize("more", [0, 1])
def test_two_small_tickets_beat_a_big_one_in_a_tie(edition, more):
    less = 1 - more
    networks = Networks().line(more, 3, ticket_points=2).line(more, 2, ticket_points=3)
    networks.line(less, 3, ticket_points=5).line(less, 2)
    t = networks.table(edition, 2)
    assert totals(t)[0] == totals(t)[1]
    assert t.score()["winners"] == [more]


@pytest.mark.clause("COMMON-TIE-2")
def test_failed_tickets_do_not_count_in_a_tie():
    networks = Networks().line(0, 4).fails(0, 1).fails(0, 1).fails(0, 1)
    networks.line(1, 3, ticket_points=1).line(1, 1, ticket_points=8)
    t = networks.table("usa", 3)
    # 7 − 3 + 10 with three tickets, none completed; 4 + 1 + 1 + 8 with two.
    assert totals(t)[:2] == [14, 14]
    assert t.score()["winners"] == [1]


@pytest.mark.scenario("S-112")
@pytest.mark.clause("USA-TIE-1", "COMMON-TIE-3")
@pytest.mark.parametrize("edition", ["usa-2004", "usa", "lyon"])
@pytest.mark.parametrize(("a", "b", "c"), [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_path_is_compared_among_the_tied_only(edition, a, b, c):
    networks = Networks().line(a, 6, 6, 6, 6, 6)
    networks.line(b, 6, 6, 6, 6, 4).line(b, 3).line(b, 3)
    networks.line(c, 6, 6, 6, 6, 6, 5).fails(c, 60)
    t = networks.table(edition, 3)
    result = t.score()["seats"]
    assert [result[seat]["longest_path"]["length"] for seat in (a, b, c)] == [30, 28, 35]
    assert [result[seat]["longest_path"]["bonus"] for seat in (a, b, c)] == [0, 0, 10]
    assert [result[seat]["total"] for seat in (a, b, c)] == [75, 75, 35]
    assert t.score()["winners"] == [a]
    assert [ranks(t)[seat] for seat in (a, b, c)] == [1, 2, 3]


@pytest.mark.clause("COMMON-TIE-3")
def test_a_seat_out_of_the_tie_does_not_come_back():
    """A leads in tickets and B has the longer path: the first criterion decides, the second is not reached."""
    networks = Networks().line(0, 3, ticket_points=2).line(0, 2, ticket_points=3)
    networks.line(1, 3, 2, ticket_points=5).line(2, 6).fails(2, 30)
    t = networks.table("usa", 3)
    assert totals(t) == [11, 11, -5]
    assert [seat["longest_path"]["length"] for seat in t.score()["seats"]] == [3, 5, 6]
    assert t.score()["winners"] == [0] and ranks(t) == [1, 2, 3]


@pytest.mark.scenario("S-113")
@pytest.mark.clause("COMMON-TIE-4")
@pytest.mark.parametrize("edition", BOARDS)
def test_those_tied_in_everything_share_the_victory(edition):
    networks = Networks().line(0, 3, 2, ticket_points=5).line(1, 2, 3, ticket_points=5).line(2, 1)
    t = networks.table(edition, 3)
    assert t.score()["winners"] == [0, 1] and ranks(t) == [1, 1, 3]


@pytest.mark.clause("COMMON-TIE-4")
@pytest.mark.parametrize("edition", [*BOARDS, "card"])
def test_a_game_without_anything_is_won_by_all(edition):
    t = Table.set(edition, 3)
    assert t.score()["winners"] == [0, 1, 2]


@pytest.mark.scenario("S-114")
@pytest.mark.clause("EUR-TIE-1")
def test_in_europe_fewer_stations_come_before_the_longer_path():
    networks = Networks().line(0, 4).line(0, 4).line(0, 1).line(1, 4, 2)
    t = networks.table("europe", 2, stations={0: ["s0n0p0"], 1: ["s1n3p0", "s1n3p1"]})
    # 15 for routes and 8 for two stations; 9 for routes, 4 for one station, 10 for the longest path.
    assert totals(t) == [23, 23]
    assert t.score()["winners"] == [0]


@pytest.mark.scenario("S-115")
@pytest.mark.clause("SWI-TIE-1", "COMMON-TIE-4")
def test_in_switzerland_the_path_breaks_no_tie():
    networks = Networks().line(0, 4, 2).line(1, 4).line(1, 4).line(1, 3).line(1, 1)
    t = networks.table("switzerland", 2)
    assert [seat["longest_path"]["length"] for seat in t.score()["seats"]] == [6, 4]
    assert totals(t) == [119, 119]
    assert t.score()["winners"] == [0, 1]
