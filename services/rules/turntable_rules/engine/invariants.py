"""What holds in every state between two moves; `invariants` lists what does not."""

from typing import Final

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, COLOUR_COUNT, EMPTY, LOCO
from turntable_rules.engine.derived import open_routes, zobrist_key
from turntable_rules.engine.drawing import second_draw_possible
from turntable_rules.engine.ruleset import TUNNEL
from turntable_rules.engine.settle import flush_due
from turntable_rules.engine.state import (
    ACTION,
    AFTER_FIRST_CARD,
    FINISHED,
    NO_TRIGGER,
    NO_TUNNEL,
    NOT_CHOSEN,
    RUNNING,
    SETUP_TICKETS,
    TICKET_CHOICE,
    TUNNEL_PENDING,
    TURN_START,
    State,
)

_MOST: Final = 1_000_000_000
"""No game has more turns or random events; four bytes hold them with room to spare."""


def invariants(state: State, just_read: bool = False) -> list[str]:
    """Everything that is broken, in words; empty for a sound state. Secrets are not quoted.

    A state just read has had its derived fields computed, so they need not be compared.
    """
    broken: list[str] = []
    _cards(state, broken)
    _tickets(state, broken)
    _routes(state, broken)
    _stations(state, broken)
    _phase(state, broken)
    _counters(state, broken)
    if state.rules.yards:
        _yards(state, broken)
    else:
        _settled(state, broken)
    if just_read:
        return broken
    if state.key != zobrist_key(state):
        broken.append("the incremental key differs from the recomputed one")
    if state.open != open_routes(state):
        broken.append("the open routes differ from those that follow from the owners")
    return broken


def _cards(state: State, broken: list[str]) -> None:
    """COMMON-DECK-1, INFO-INFER-2."""
    totals = [0] * CARD_TYPES
    for zone in (state.discard, state.hands, state.road):
        card = 0
        for count in zone:
            if count < 0:
                broken.append("a count of cards is negative")
            totals[card] += count
            card = card + 1 if card < CARD_TYPES - 1 else 0
    for card in state.deck[: state.deck_left]:
        totals[card] += 1
    for card in state.row:
        if card != EMPTY:
            totals[card] += 1
    for card in state.revealed:
        totals[card] += 1
    if state.tunnel_route != NO_TUNNEL:
        if state.tunnel_colour != EMPTY:
            totals[state.tunnel_colour] += state.tunnel_wagons
        totals[LOCO] += state.tunnel_locos
    for column, wagons in enumerate(state.yard_wagons):
        totals[column % COLOUR_COUNT] += wagons
    totals[LOCO] += sum(state.yard_locos)
    for card, total in enumerate(totals):
        if total != state.rules.composition[card]:
            broken.append(
                f"there are {total} {CARD_NAMES[card]} cards, not {state.rules.composition[card]} (COMMON-DECK-1)"
            )
    for at, bound in enumerate(state.known):
        if not 0 <= bound <= state.hands[at]:
            broken.append(
                f"the public bound on a card of seat {at // CARD_TYPES} exceeds the hand (INFO-INFER-2)"
            )


def _tickets(state: State, broken: list[str]) -> None:
    """Every ticket is in exactly one place; setup choices keep enough."""
    seen = [0] * len(state.rules.ticket_ids)
    zones = [state.pile, state.unseen_out, *state.tickets, *state.offer, *state.out, *state.completed]
    for zone in zones:
        for ticket in zone:
            seen[ticket] += 1
    for ticket, count in enumerate(seen):
        if count != 1:
            broken.append(f"ticket {state.rules.ticket_ids[ticket]} is in {count} places, not one")
    for seat, choice in enumerate(state.choice):
        if choice == NOT_CHOSEN:
            continue
        if state.phase != SETUP_TICKETS:
            broken.append(f"seat {seat} has a setup choice waiting outside setup")
        elif bin(choice).count("1") < state.rules.edition.setup_keep:
            broken.append(f"seat {seat} has kept too few tickets (COMMON-TICKET-2)")


def _routes(state: State, broken: list[str]) -> None:
    """Reserves and running scores follow from the routes owned (COMMON-SCORE-2); double routes are respected."""
    rules = state.rules
    wagons = [rules.edition.wagons] * rules.players
    points = [0 if rules.yards else rules.options.start_score] * rules.players
    owned = [0] * rules.players
    everyone = 0
    for route, owner in enumerate(state.owner):
        if owner == EMPTY:
            continue
        wagons[owner] -= rules.route_length[route]
        points[owner] += rules.route_points[route]
        rivals = rules.group[route] & (everyone if rules.double_closes_all else owned[owner])
        if rivals:
            broken.append(f"another track of {rules.route_ids[route]} is claimed as well (COMMON-DOUBLE)")
        owned[owner] |= rules.bit[route]
        everyone |= rules.bit[route]
    for seat in range(rules.players):
        for ticket in state.completed[seat]:
            points[seat] += rules.ticket_points[ticket][0]
        if wagons[seat] != state.wagons[seat] or wagons[seat] < 0:
            broken.append(
                f"seat {seat} has {state.wagons[seat]} wagons where its routes leave {wagons[seat]}"
            )
        if points[seat] != state.score[seat]:
            broken.append(
                f"seat {seat} has a score of {state.score[seat]} where {points[seat]} follow (COMMON-SCORE-2)"
            )
        if state.completed[seat] and not rules.yards:
            broken.append(f"seat {seat} has completed tickets before the end")


def _stations(state: State, broken: list[str]) -> None:
    """EUR-STATION-2, -17."""
    built: list[int] = []
    for seat, places in enumerate(state.stations):
        built += places
        if len(places) > state.rules.edition.stations:
            broken.append(f"seat {seat} has built too many stations (EUR-STATION-17)")
    if len(set(built)) != len(built):
        broken.append("two stations stand on one city (EUR-STATION-2)")
    for place in built:
        if place not in state.rules.cities:
            broken.append("a station stands on an exit")


def _phase(state: State, broken: list[str]) -> None:
    """The phase agrees with what is pending."""
    phase = state.phase
    if (phase == FINISHED) != (state.ending != RUNNING):
        broken.append("a finished game, and only that, has an ending")
    if phase == FINISHED:
        return
    if phase == (TURN_START if state.rules.yards else ACTION):
        broken.append("this ruleset never rests in that phase")
    offers = [seat for seat, offered in enumerate(state.offer) if offered]
    if phase == SETUP_TICKETS:
        if len(offers) != state.rules.players or NOT_CHOSEN not in state.choice:
            broken.append("during setup every seat has an offer and somebody is still to choose")
        if state.turns or any([bool(held) for held in state.tickets]):
            broken.append("nobody has played or holds tickets during setup")
    elif offers != ([state.active] if phase == TICKET_CHOICE else []):
        broken.append("only the active seat has an offer, and only while it chooses")
    if (state.tunnel_route != NO_TUNNEL) != (phase == TUNNEL_PENDING):
        broken.append("a tunnel is pending exactly in its phase")
    if phase == TUNNEL_PENDING:
        _tunnel(state, broken)
    if phase == AFTER_FIRST_CARD and not second_draw_possible(state):
        broken.append("there is no second card to draw (FSM-4)")
    if phase != SETUP_TICKETS and state.is_retired(state.active):
        broken.append("a retired seat has the turn (COMMON-RESIGN-2)")


def _tunnel(state: State, broken: list[str]) -> None:
    """A pending attempt is one the active seat could have made (EUR-TUNNEL-1 to -6)."""
    rules = state.rules
    route = state.tunnel_route
    wagons, locos = state.tunnel_wagons, state.tunnel_locos
    due = len([card for card in state.revealed if card in (LOCO, state.tunnel_colour)])
    if rules.route_kind[route] != TUNNEL or not state.open[state.active] & rules.bit[route]:
        broken.append("the pending route is not an open tunnel")
    if wagons + locos != rules.route_length[route] or (wagons == 0) != (state.tunnel_colour == EMPTY):
        broken.append("the base payment of the tunnel does not fit (EUR-TUNNEL-1)")
    elif wagons and rules.route_colour[route] not in (EMPTY, state.tunnel_colour):
        broken.append("the base payment of the tunnel has another colour (COMMON-CLAIM-3)")
    if state.wagons[state.active] < rules.route_length[route]:
        broken.append("the pending tunnel is longer than the reserve (COMMON-CLAIM-6)")
    if len(state.revealed) > 3 or due != state.due or due == 0:
        broken.append("the extra cards due do not follow from those revealed (EUR-TUNNEL-3, -4)")


def _counters(state: State, broken: list[str]) -> None:
    players = state.rules.players
    if state.turns > _MOST or state.draws > _MOST:
        broken.append(f"no game has more than {_MOST} turns or random events")
    if state.round not in (1, 2) or (state.round == 2 and not state.rules.yards):
        broken.append("there is no such round")
    if state.phase == FINISHED:
        return
    if state.final_left == 0 or state.final_left > players:
        broken.append("the turns left in the last round do not fit")
    if state.rules.max_turns and state.turns >= state.rules.max_turns:
        broken.append("all turns have been played (COMMON-END-8)")
    if players - bin(state.retired).count("1") < 2:
        broken.append("fewer than two seats are left (COMMON-RESIGN-4)")
    everybody = (1 << players) - 1
    if not state.rules.yards and state.passed and state.passed | state.retired == everybody:
        broken.append("everybody has passed (COMMON-END-7)")


def _settled(state: State, broken: list[str]) -> None:
    """COMMON-DECK-7 and COMMON-FLUSH at every decision."""
    if state.phase == FINISHED:
        return
    if state.deck_left == 0 and any(state.discard):
        broken.append("the deck is empty and the discard is not (COMMON-DECK-7)")
    if EMPTY in state.row and state.deck_left:
        broken.append("a slot of the row is empty and the deck is not (COMMON-DECK-7)")
    if flush_due(state):
        broken.append("three face-up locos have not been flushed (COMMON-FLUSH-1)")


def _yards(state: State, broken: list[str]) -> None:
    """CARD-YARD-5, -11, CARD-END-1."""
    for colour in range(COLOUR_COUNT):
        columns = range(colour, len(state.yard_wagons), COLOUR_COUNT)
        if len([column for column in columns if state.yard_wagons[column] + state.yard_locos[column]]) > 1:
            broken.append(f"{CARD_NAMES[colour]} is in two yards (CARD-YARD-11)")
        if any([state.yard_locos[column] and not state.yard_wagons[column] for column in columns]):
            broken.append(f"a {CARD_NAMES[colour]} column has locos alone (CARD-YARD-5)")
    starting = state.phase in (SETUP_TICKETS, ACTION)
    if starting and state.deck_left and state.final_left != NO_TRIGGER:
        broken.append("the last turns have begun while the deck has cards (CARD-END-1)")
    if EMPTY in state.row and state.deck_left:
        broken.append("a slot of the row is empty and the deck is not (COMMON-ROW-1)")
