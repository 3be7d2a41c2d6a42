"""Claiming routes, tunnels included (COMMON-CLAIM, COMMON-DOUBLE, EUR-TUNNEL)."""

from typing import Final

from turntable_rules.engine.cards import CARD_NAMES, EMPTY, LOCO
from turntable_rules.engine.events import Event, Facts, Log
from turntable_rules.engine.hand import discard, give_back, payment_facts, spend
from turntable_rules.engine.ruleset import TUNNEL
from turntable_rules.engine.settle import draw_top, reshuffle, settle_if_needed
from turntable_rules.engine.state import NO_TUNNEL, TUNNEL_PENDING, State
from turntable_rules.engine.turn import end_turn

_REVEALED: Final = 3


def claim(state: State, seat: int, route: int, colour: int, locos: int, log: Log) -> None:
    """Pay for a route and take it; a tunnel is attempted first."""
    wagons = state.rules.route_length[route] - locos
    spend(state, seat, colour, wagons, locos)
    if state.rules.route_kind[route] == TUNNEL:
        _attempt_tunnel(state, seat, route, colour, wagons, locos, log)
        return
    discard(state, colour, wagons, locos)
    _take_route(state, seat, route)
    if log is not None:
        log.append(_claimed(state, seat, route, payment_facts(colour, wagons, locos), None))
    settle_if_needed(state, log)
    end_turn(state, log)


def _take_route(state: State, seat: int, route: int) -> None:
    """Place the wagons, score, and close what the claim closes."""
    rules = state.rules
    state.wagons[seat] -= rules.route_length[route]
    state.score[seat] += rules.route_points[route]
    state.owner[route] = seat
    state.key ^= rules.zobrist_route[route * rules.players + seat]
    close_tracks(state, seat, route)


def close_tracks(state: State, seat: int, route: int) -> None:
    """COMMON-DOUBLE-2, -3, -4: which tracks nobody, or this seat alone, may still claim."""
    rules = state.rules
    group = rules.group[route]
    bit = rules.bit[route]
    for other in range(rules.players):
        mask = state.open[other]
        gone = mask & (group if other == seat or rules.double_closes_all else bit)
        state.open[other] = mask ^ gone


def _claimed(state: State, seat: int, route: int, payment: Facts, extra: Facts | None) -> Event:
    rules = state.rules
    return Event(
        "route_claimed",
        {
            "seat": seat,
            "route": rules.route_ids[route],
            "payment": payment,
            "extra": extra,
            "points": rules.route_points[route],
        },
    )


def _attempt_tunnel(
    state: State, seat: int, route: int, colour: int, wagons: int, locos: int, log: Log
) -> None:
    """Commit the base payment, reveal up to three cards, and see what is due (EUR-TUNNEL-1 to -9)."""
    state.tunnel_route = route
    state.tunnel_colour = colour
    state.tunnel_wagons = wagons
    state.tunnel_locos = locos
    revealed: list[int] = []
    while len(revealed) < _REVEALED and state.deck_left:
        revealed.append(draw_top(state))
        reshuffle(state, log)  # EUR-TUNNEL-15; what is revealed and committed is not in the discard
    due = 0
    for card in revealed:
        if card == LOCO or card == colour:
            due += 1
    state.revealed = tuple(revealed)
    state.due = due
    if log is not None:
        log.append(
            Event(
                "tunnel_revealed",
                {
                    "seat": seat,
                    "route": state.rules.route_ids[route],
                    "payment": payment_facts(colour, wagons, locos),
                    "revealed": [CARD_NAMES[card] for card in revealed],
                    "due": due,
                },
            )
        )
    if due:
        state.phase = TUNNEL_PENDING
    else:
        _finish_tunnel(state, seat, 0, 0, log)


def pay_tunnel(state: State, seat: int, wagons: int, locos: int, log: Log) -> None:
    """Play the extra cards and claim the tunnel (EUR-TUNNEL-10)."""
    spend(state, seat, state.tunnel_colour, wagons, locos)
    _finish_tunnel(state, seat, wagons, locos, log)


def _finish_tunnel(state: State, seat: int, extra_wagons: int, extra_locos: int, log: Log) -> None:
    route, colour = state.tunnel_route, state.tunnel_colour
    wagons, locos = state.tunnel_wagons, state.tunnel_locos
    discard(state, colour, wagons + extra_wagons, locos + extra_locos)
    _take_route(state, seat, route)
    if log is not None:
        extra = (
            payment_facts(colour if extra_wagons else EMPTY, extra_wagons, extra_locos) if state.due else None
        )
        log.append(_claimed(state, seat, route, payment_facts(colour, wagons, locos), extra))
    _end_attempt(state, log)


def abandon_tunnel(state: State, seat: int, log: Log) -> None:
    """Take the base cards back; the turn is over (EUR-TUNNEL-13)."""
    if log is not None:
        log.append(
            Event("tunnel_abandoned", {"seat": seat, "route": state.rules.route_ids[state.tunnel_route]})
        )
    give_back(state, seat, state.tunnel_colour, state.tunnel_wagons, state.tunnel_locos)
    _end_attempt(state, log)


def _end_attempt(state: State, log: Log) -> None:
    """Discard the revealed cards (EUR-TUNNEL-14), settle once (COMMON-DECK-5), end the turn."""
    for card in state.revealed:
        state.discard[card] += 1
    state.tunnel_route = NO_TUNNEL
    state.tunnel_colour = EMPTY
    state.tunnel_wagons = 0
    state.tunnel_locos = 0
    state.revealed = ()
    state.due = 0
    settle_if_needed(state, log)
    end_turn(state, log)
