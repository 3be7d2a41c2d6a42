"""Building stations (EUR-STATION-1 to -8)."""

from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.hand import discard, payment_facts, spend
from turntable_rules.engine.settle import settle_if_needed
from turntable_rules.engine.state import State
from turntable_rules.engine.turn import end_turn


def build_station(
    state: State, seat: int, place: int, colour: int, wagons: int, locos: int, log: Log
) -> None:
    """Pay for a station and put it on a city; wagons are not used."""
    rules = state.rules
    spend(state, seat, colour, wagons, locos)
    discard(state, colour, wagons, locos)
    state.stations[seat] = (*state.stations[seat], place)
    state.key ^= rules.zobrist_station[place * rules.players + seat]
    if log is not None:
        log.append(
            Event(
                "station_built",
                {
                    "seat": seat,
                    "city": rules.place_ids[place],
                    "payment": payment_facts(colour, wagons, locos),
                },
            )
        )
    settle_if_needed(state, log)
    end_turn(state, log)


def station_owner(state: State, place: int) -> int:
    """The seat whose station stands on a place, or -1."""
    for seat in range(state.rules.players):
        if place in state.stations[seat]:
            return seat
    return -1
