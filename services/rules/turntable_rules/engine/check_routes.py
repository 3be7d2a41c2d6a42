"""Checks of claims, tunnels and stations, rule by rule."""

from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, COLOUR_COUNT, EMPTY, LOCO
from turntable_rules.engine.refusals import Refusal
from turntable_rules.engine.ruleset import FERRY
from turntable_rules.engine.state import State
from turntable_rules.engine.stations import station_owner


def check_claim(state: State, seat: int, route: int, colour: int, wagons: int, locos: int) -> Refusal | None:
    """COMMON-CLAIM and COMMON-DOUBLE for one route and one payment."""
    refusal = _check_route_open(state, seat, route)
    if refusal is None:
        refusal = _check_payment(state, route, colour, wagons, locos)
    if refusal is None:
        refusal = check_held(state, seat, colour, wagons, locos, "COMMON-CLAIM-1")
    return refusal


def _check_route_open(state: State, seat: int, route: int) -> Refusal | None:
    rules = state.rules
    if state.owner[route] != EMPTY:
        return Refusal(
            "route_taken", "COMMON-CLAIM-11", f"{rules.route_ids[route]} belongs to seat {state.owner[route]}"
        )
    for other, owner in enumerate(state.owner):
        if owner == EMPTY or not rules.group[route] & rules.bit[other]:
            continue
        if owner == seat:
            return Refusal(
                "own_double_track",
                "COMMON-DOUBLE-2",
                f"seat {seat} owns {rules.route_ids[other]} of the same double route",
            )
        if rules.double_closes_all:
            return Refusal(
                "track_closed",
                "COMMON-DOUBLE-3",
                f"with {rules.players} players {rules.route_ids[other]} closes the other tracks to all",
            )
    if state.wagons[seat] < rules.route_length[route]:
        return Refusal(
            "not_enough_wagons",
            "COMMON-CLAIM-6",
            f"{rules.route_ids[route]} needs {rules.route_length[route]} wagons",
            f"{state.wagons[seat]} are left: claim a route no longer than that",
        )
    return None


def _check_payment(state: State, route: int, colour: int, wagons: int, locos: int) -> Refusal | None:
    """Whether the cards fit the route, whoever holds them."""
    rules = state.rules
    length = rules.route_length[route]
    if wagons < 0 or locos < 0 or wagons + locos != length:
        return Refusal(
            "wrong_card_count",
            "COMMON-CLAIM-1",
            f"{wagons + locos} cards for a route of {length}",
            f"play exactly {length}",
        )
    if locos and not rules.takes_locos[route]:
        return Refusal(
            "locos_not_accepted",
            "SWI-LOCO-2",
            "locos may be played only on tunnels",
            f"play {length} wagon cards of one colour",
        )
    if locos < rules.route_locos[route]:
        clause = "EUR-FERRY-2" if rules.route_kind[route] == FERRY else "COMMON-CLAIM-1"
        return Refusal(
            "too_few_locos",
            clause,
            f"this ferry takes at least {rules.route_locos[route]} locos",
            "wagon cards never stand for them",
        )
    needed = rules.route_colour[route]
    if wagons and needed != EMPTY and colour != needed:
        return Refusal(
            "wrong_colour",
            "COMMON-CLAIM-3",
            f"{CARD_NAMES[colour]} cards on a {CARD_NAMES[needed]} route",
            f"play {CARD_NAMES[needed]} cards" + (" or locos" if rules.takes_locos[route] else ""),
        )
    return None


def check_held(state: State, seat: int, colour: int, wagons: int, locos: int, clause: str) -> Refusal | None:
    """Whether the hand holds the cards."""
    start = seat * CARD_TYPES
    if wagons > 0 and state.hands[start + colour] < wagons:
        held, name = state.hands[start + colour], CARD_NAMES[colour]
        return Refusal(
            "cards_not_held", clause, f"{wagons} {name} cards are not in the hand", f"it holds {held}"
        )
    if state.hands[start + LOCO] < locos:
        held = state.hands[start + LOCO]
        return Refusal("cards_not_held", clause, f"{locos} locos are not in the hand", f"it holds {held}")
    return None


def check_station(
    state: State, seat: int, place: int, colour: int, wagons: int, locos: int
) -> Refusal | None:
    """EUR-STATION-2, -4, -5, -17."""
    rules = state.rules
    cost = len(state.stations[seat]) + 1
    if cost > rules.edition.stations:
        return Refusal(
            "no_station_left", "EUR-STATION-17", f"all {rules.edition.stations} stations are built"
        )
    owner = station_owner(state, place)
    if owner != -1:
        return Refusal(
            "city_occupied", "EUR-STATION-2", f"{rules.place_ids[place]} has a station of seat {owner}"
        )
    if wagons < 0 or locos < 0 or wagons + locos != cost:
        return Refusal(
            "wrong_card_count",
            "EUR-STATION-4",
            f"{wagons + locos} cards for station number {cost}",
            f"play exactly {cost} of one colour, locos in place of any",
        )
    return check_held(state, seat, colour, wagons, locos, "EUR-STATION-4")


def check_tunnel_pay(state: State, seat: int, colour: int, wagons: int, locos: int) -> Refusal | None:
    """EUR-TUNNEL-7, -8, -10."""
    if wagons < 0 or locos < 0 or wagons + locos != state.due:
        return Refusal(
            "wrong_card_count",
            "EUR-TUNNEL-10",
            f"{wagons + locos} extra cards where {state.due} are due",
            f"play exactly {state.due}, or abandon",
        )
    if wagons and state.tunnel_colour == EMPTY:
        return Refusal(
            "wrong_colour",
            "EUR-TUNNEL-8",
            "after a base of locos alone the extra cards are locos",
            "play locos, or abandon",
        )
    if wagons and colour != state.tunnel_colour:
        used = CARD_NAMES[state.tunnel_colour]
        return Refusal(
            "wrong_colour",
            "EUR-TUNNEL-7",
            f"the colour used is {used}",
            f"play {used} cards or locos, or abandon",
        )
    return check_held(state, seat, colour, wagons, locos, "EUR-TUNNEL-10")


def can_claim(state: State, seat: int) -> bool:
    """Whether any claim is possible at all."""
    rules = state.rules
    for route, length in enumerate(rules.route_length):
        for locos in range(length + 1):
            for colour in range(COLOUR_COUNT):
                if check_claim(state, seat, route, colour, length - locos, locos) is None:
                    return True
    return False
