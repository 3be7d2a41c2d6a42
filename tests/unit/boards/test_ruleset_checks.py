"""Whether a board can be played under a ruleset."""

from __future__ import annotations

import pytest

from tests.unit.boards.small import small_board, spread
from turntable_rules.boards import Code, builtin_board, faults_for, parse_board

SMALL = parse_board(spread(small_board()))  # lengths 1 to 4, one long ticket and two others
USA_LENGTHS = frozenset({1, 2, 3, 4, 5, 6})
EUROPE_LENGTHS = frozenset({1, 2, 3, 4, 6, 8})


@pytest.mark.clause("COMMON-CLAIM-15")
def test_a_length_without_points_is_refused() -> None:
    """COMMON-CLAIM-15: the European table scores no 5, the American one no 8."""
    usa = faults_for(
        builtin_board("usa"), lengths_scored=EUROPE_LENGTHS, long_tickets_needed=0, tickets_needed=15
    )
    assert {fault.code for fault in usa} == {Code.LENGTH_NOT_SCORED}
    assert len(usa) == 10
    europe = faults_for(
        builtin_board("europe"), lengths_scored=USA_LENGTHS, long_tickets_needed=0, tickets_needed=15
    )
    (fault,) = europe
    number = int(fault.path.removeprefix("routes[").removesuffix("].length"))
    assert builtin_board("europe").routes[number].length == 8
    assert "COMMON-CLAIM-15" in str(fault)


@pytest.mark.clause("COMMON-CLAIM-15")
@pytest.mark.parametrize(
    ("board", "lengths", "long", "dealt"),
    [
        ("usa", USA_LENGTHS, 0, 15),
        ("lyon", USA_LENGTHS, 0, 15),
        ("europe", EUROPE_LENGTHS, 5, 15),
        ("switzerland", USA_LENGTHS, 0, 15),
    ],
)
def test_published_boards_suit_their_rules(
    board: str, lengths: frozenset[int], long: int, dealt: int
) -> None:
    """COMMON-CLAIM-15, 8.2: with the most players of section 1."""
    assert not faults_for(
        builtin_board(board), lengths_scored=lengths, long_tickets_needed=long, tickets_needed=dealt
    )


@pytest.mark.parametrize(
    ("long", "dealt", "codes"),
    [
        (0, 3, []),
        (0, 4, [Code.TOO_FEW_TICKETS]),
        (1, 2, []),
        (1, 3, [Code.TOO_FEW_TICKETS]),
        (2, 2, [Code.TOO_FEW_LONG_TICKETS]),
        (2, 3, [Code.TOO_FEW_LONG_TICKETS, Code.TOO_FEW_TICKETS]),
    ],
)
def test_tickets_to_deal(long: int, dealt: int, codes: list[Code]) -> None:
    """8.2: long tickets for all players; the others count alone where long ones are dealt."""
    faults = faults_for(SMALL, lengths_scored=USA_LENGTHS, long_tickets_needed=long, tickets_needed=dealt)
    assert [fault.code for fault in faults] == codes
    assert {fault.path for fault in faults} <= {"tickets"}
    assert all(fault.line is None for fault in faults)
