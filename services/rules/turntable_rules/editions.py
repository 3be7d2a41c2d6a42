"""The six editions, and how a ruleset is built from one (rules.md section 1)."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from turntable_rules.boards.faults import BoardError
from turntable_rules.boards.library import builtin_board, builtin_cards
from turntable_rules.boards.ruleset_checks import faults_for
from turntable_rules.engine.board import Board
from turntable_rules.engine.edition import (
    FEWEST_STATIONS,
    LOCOS_IN_TUNNELS,
    LONGEST_PATH,
    MOST_CITY_BONUSES,
    MOST_TICKETS,
    OUT_OF_GAME,
    SHUFFLED_BACK,
    UNDER_PILE,
    Edition,
)
from turntable_rules.engine.options import OptionError, Options, parse_options
from turntable_rules.engine.ruleset import Ruleset

_USA: Final = Edition(
    id="usa",
    name="USA",
    data="usa",
    min_players=2,
    max_players=5,
    cards_per_colour=12,
    locos=14,
    hand_locos=0,
    hand_cards=4,
    tickets_dealt=3,
    long_tickets_dealt=0,
    setup_keep=2,
    setup_rejects=UNDER_PILE,
    tickets_drawn=3,
    draw_keep=1,
    draw_rejects=UNDER_PILE,
    must_draw_second=False,
    face_up_loco_cost=2,
    tie_breaks=(MOST_TICKETS, LONGEST_PATH),
    wagons=45,
    flushes=True,
    reshuffles=True,
    double_closed_up_to=3,
    route_points=((1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)),
    path_bonus=10,
)

# The other board editions are told by how they differ from the one above.

_USA_2004: Final = replace(_USA, id="usa-2004", name="USA (2004 text)", colour_aliases=(("brown", "orange"),))

_LYON: Final = replace(_USA_2004, id="lyon", name="Lyon trams", data="lyon")  # LYON-1

_EUROPE: Final = replace(
    _USA,
    id="europe",
    name="Europe",
    data="europe",
    long_tickets_dealt=1,
    setup_rejects=OUT_OF_GAME,
    tie_breaks=(MOST_TICKETS, FEWEST_STATIONS, LONGEST_PATH),
    stations=3,
    unused_station_points=4,
    route_points=((1, 1), (2, 2), (3, 4), (4, 7), (6, 15), (8, 21)),
)

_SWITZERLAND: Final = replace(
    _USA,
    id="switzerland",
    name="Switzerland",
    data="switzerland",
    max_players=3,
    tickets_dealt=5,
    setup_rejects=OUT_OF_GAME,
    draw_rejects=OUT_OF_GAME,
    must_draw_second=True,
    face_up_loco_cost=1,
    tie_breaks=(MOST_TICKETS,),
    wagons=40,
    start_score=100,
    loco_use=LOCOS_IN_TUNNELS,
    double_closed_up_to=2,
)

_CARD: Final = Edition(
    id="card",
    name="The Card Game",
    data="card_game",
    min_players=2,
    max_players=4,
    cards_per_colour=10,
    locos=16,
    hand_locos=1,
    hand_cards=7,
    tickets_dealt=6,
    long_tickets_dealt=0,
    setup_keep=1,
    setup_rejects=SHUFFLED_BACK,
    tickets_drawn=4,
    draw_keep=0,
    draw_rejects=UNDER_PILE,
    must_draw_second=True,
    face_up_loco_cost=2,
    tie_breaks=(MOST_TICKETS, MOST_CITY_BONUSES),
    yards=True,
    two_rounds_from=4,
    second_deal=4,
)

EDITIONS: Final[dict[str, Edition]] = {
    edition.id: edition for edition in (_USA_2004, _USA, _LYON, _EUROPE, _SWITZERLAND, _CARD)
}
"""The editions by id, in the order of rules.md."""


_KEPT: Final = 64
_kept: OrderedDict[tuple[str, int, Options, int], Ruleset] = OrderedDict()


def ruleset(
    edition: str, players: int, options: Mapping[str, object] | None = None, board: Board | None = None
) -> Ruleset:
    """The ruleset of an edition for a player count, options by name, and a board of one's own if given.

    Rulesets are immutable, so one that is in use already is shared.
    """
    if edition not in EDITIONS:
        raise OptionError([f"edition: {edition!r} is not one of {', '.join(EDITIONS)}"])
    facts = EDITIONS[edition]
    chosen = parse_options(facts, players, options or {})
    key = (edition, players, chosen, id(board))  # a kept ruleset keeps its board, so the id stays its own
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = _build(facts, players, chosen, board)
        if len(_kept) > _KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return found


def _build(edition: Edition, players: int, options: Options, board: Board | None) -> Ruleset:
    if edition.yards:
        if board is not None:
            raise OptionError([f"board: {edition.id} is played without a board"])
        return Ruleset(edition, options, players, None, builtin_cards())
    if board is None:
        board = builtin_board(edition.data)
    faults = faults_for(
        board,
        lengths_scored=frozenset(length for length, _ in edition.route_points),
        long_tickets_needed=players * edition.long_tickets_dealt,
        tickets_needed=players * edition.tickets_dealt,
    )
    if faults:
        raise BoardError(faults)
    return Ruleset(edition, options, players, board, None)
