"""Reading positions in their readable form, with all faults at once."""

from collections.abc import Mapping, Sequence

from turntable_rules.engine.bad_position import BadPosition
from turntable_rules.engine.cards import CARD_NAMES, CARD_TYPES, COLOUR_COUNT, COLOUR_NAMES, EMPTY, ROW_SIZE
from turntable_rules.engine.derived import derive
from turntable_rules.engine.position import POSITION_FORMAT
from turntable_rules.engine.rng import SEED_BYTES
from turntable_rules.engine.ruleset import Ruleset
from turntable_rules.engine.state import (
    ENDING_NAMES,
    NO_TRIGGER,
    NOT_CHOSEN,
    PHASE_NAMES,
    RUNNING,
    Ids,
    State,
)

_BIG = 1_000_000_000
_KEYS = (
    "format edition player_count options board seed draws phase active first turns round final_turns_left passed "
    "row_stands ending deck row discard pile unseen_out routes tunnel players"
).split()
_PLAYER_KEYS = (
    "hand hand_at_least tickets offer choice out completed wagons score stations retired yard road"
).split()


def from_position(rules: Ruleset, position: object) -> State:
    """The state of a position; raises BadPosition for anything malformed. `invariants` judges the rest."""
    reader = _Reader(rules)
    state = reader.state(position)
    if reader.faults:
        raise BadPosition(reader.faults)
    derive(state)
    return state


class _Reader:
    """Reads values of the right shape; a wrong one is noted and replaced by a harmless one."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.faults: list[str] = []

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")

    def state(self, position: object) -> State:
        rules = self.rules
        data = self.fields("position", position, _KEYS)
        state = State(rules, self.seed(data.get("seed")))
        self.identity(data)
        state.draws = self.number("draws", data.get("draws"), 0, _BIG)
        state.phase = self.word("phase", data.get("phase"), PHASE_NAMES)
        state.active = self.seat("active", data.get("active"))
        state.first = self.seat("first", data.get("first"))
        state.turns = self.number("turns", data.get("turns"), 0, _BIG)
        state.round = self.number("round", data.get("round"), 1, 2)
        final = data.get("final_turns_left")
        state.final_left = (
            NO_TRIGGER if final is None else self.number("final_turns_left", final, 0, rules.players)
        )
        for seat in self.items("passed", data.get("passed")):
            state.passed |= 1 << self.seat("passed", seat)
        state.row_stands = self.truth("row_stands", data.get("row_stands"))
        ending = data.get("ending")
        state.ending = RUNNING if ending is None else self.word("ending", ending, ENDING_NAMES)
        deck = [
            self.word("deck", card, CARD_NAMES)
            for card in self.items("deck", data.get("deck"), sum(rules.composition))
        ]
        state.deck = bytes(reversed(deck))
        state.deck_left = len(deck)
        state.row = self.row(data.get("row"))
        state.discard = self.counts("discard", data.get("discard"))
        state.pile = tuple(reversed(self.tickets("pile", data.get("pile"))))
        state.unseen_out = self.tickets("unseen_out", data.get("unseen_out"))
        self.routes(state, data.get("routes"))
        self.tunnel(state, data.get("tunnel"))
        players = self.items("players", data.get("players"), rules.players)
        if len(players) != rules.players:
            self.fault("players", f"{len(players)} given, {rules.players} needed")
            return state
        for seat, player in enumerate(players):
            self.player(state, seat, player)
        return state

    def identity(self, data: Mapping[str, object]) -> None:
        rules = self.rules
        expected = {
            "format": POSITION_FORMAT,
            "edition": rules.edition.id,
            "player_count": rules.players,
            "options": rules.options.to_json(rules.edition),
            "board": rules.digest,
        }
        for key, value in expected.items():
            if data.get(key) != value:
                self.fault(key, f"{data.get(key)!r} does not fit the ruleset, which has {value!r}")

    def player(self, state: State, seat: int, player: object) -> None:
        rules = self.rules
        where = f"players[{seat}]"
        data = self.fields(where, player, _PLAYER_KEYS)
        cards = slice(seat * CARD_TYPES, (seat + 1) * CARD_TYPES)
        state.hands[cards] = self.counts(f"{where}.hand", data.get("hand"))
        state.known[cards] = self.counts(f"{where}.hand_at_least", data.get("hand_at_least"))
        state.tickets[seat] = self.tickets(f"{where}.tickets", data.get("tickets"))
        state.offer[seat] = self.tickets(f"{where}.offer", data.get("offer"), rules.max_offer)
        state.choice[seat] = self.choice(f"{where}.choice", data.get("choice"), state.offer[seat])
        state.out[seat] = self.tickets(f"{where}.out", data.get("out"))
        state.completed[seat] = self.tickets(f"{where}.completed", data.get("completed"))
        state.wagons[seat] = self.number(f"{where}.wagons", data.get("wagons"), 0, 255)
        state.score[seat] = self.number(f"{where}.score", data.get("score"), -_BIG, _BIG)
        cities = [rules.place_ids[place] for place in rules.cities]
        built = self.items(f"{where}.stations", data.get("stations"), rules.edition.stations)
        state.stations[seat] = tuple(
            rules.cities[self.word(f"{where}.stations", city, cities)] for city in built
        )
        if self.truth(f"{where}.retired", data.get("retired")):
            state.retired |= 1 << seat
        self.yard(state, seat, data.get("yard"))
        road = self.counts(f"{where}.road", data.get("road"))
        if rules.yards:
            state.road[cards] = road
        elif any(road):
            self.fault(f"{where}.road", "there are no road piles in this ruleset")

    def fields(self, where: str, value: object, keys: Sequence[str]) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            self.fault(where, "not an object")
            return {}
        for key in keys:
            if key not in value:
                self.fault(where, f"{key} is missing")
        for key in value:
            if key not in keys:
                self.fault(where, f"{key!r} is unknown")
        return value

    def items(self, where: str, value: object, most: int = _BIG) -> Sequence[object]:
        if not isinstance(value, (list, tuple)):
            self.fault(where, "not a list")
            return []
        if len(value) > most:
            self.fault(where, f"{len(value)} items, {most} at most")
            return []
        return value

    def number(self, where: str, value: object, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(where, f"{value!r} is not a whole number")
        elif not low <= value <= high:
            self.fault(where, f"{value} is not from {low} to {high}")
        else:
            return value
        return low if low > -_BIG else 0

    def seat(self, where: str, value: object) -> int:
        return self.number(where, value, 0, self.rules.players - 1)

    def truth(self, where: str, value: object) -> bool:
        if not isinstance(value, bool):
            self.fault(where, f"{value!r} is neither true nor false")
            return False
        return value

    def word(self, where: str, value: object, words: Sequence[str]) -> int:
        for alias, real in self.rules.edition.colour_aliases:  # USA2004-COLOUR-1
            if value == alias and real in words:
                value = real
        if isinstance(value, str) and value in words:
            return words.index(value)
        self.fault(where, f"{value!r} is unknown")
        return 0

    def seed(self, value: object) -> bytes:
        try:
            if isinstance(value, str) and len(value) == 2 * SEED_BYTES:
                return bytes.fromhex(value)
        except ValueError:
            pass
        self.fault("seed", f"not {2 * SEED_BYTES} hex digits")  # the seed is a secret: never quoted
        return bytes(SEED_BYTES)

    def counts(self, where: str, value: object) -> list[int]:
        counts = [0] * CARD_TYPES
        if not isinstance(value, Mapping):
            self.fault(where, "not an object of card counts")
            return counts
        for card, count in value.items():
            counts[self.word(where, card, CARD_NAMES)] = self.number(where, count, 0, 255)
        return counts

    def row(self, value: object) -> list[int]:
        cards = self.items("row", value)
        if len(cards) != ROW_SIZE:
            self.fault("row", f"{ROW_SIZE} slots are needed")
            return [EMPTY] * ROW_SIZE
        return [EMPTY if card is None else self.word("row", card, CARD_NAMES) for card in cards]

    def tickets(self, where: str, value: object, most: int = _BIG) -> Ids:
        names = self.items(where, value, most)
        index = self.rules.ticket_index
        found = [index.get(name, -1) if isinstance(name, str) else -1 for name in names]
        if -1 in found:
            self.fault(where, f"{names[found.index(-1)]!r} is not a ticket")
            return ()
        return tuple(found)

    def choice(self, where: str, value: object, offer: Ids) -> int:
        if value is None:
            return NOT_CHOSEN
        mask = 0
        for ticket in self.tickets(where, value):
            if ticket in offer:
                mask |= 1 << offer.index(ticket)
            else:
                self.fault(where, "not among the tickets offered")
        return mask

    def routes(self, state: State, value: object) -> None:
        if not isinstance(value, Mapping):
            self.fault("routes", "not an object of route owners")
            return
        for name, owner in value.items():
            route = self.rules.route_index.get(name, -1)
            if route == -1:
                self.fault("routes", f"{name!r} is not a route")
            else:
                state.owner[route] = self.seat(f"routes.{name}", owner)

    def tunnel(self, state: State, value: object) -> None:
        if value is None:
            return
        data = self.fields("tunnel", value, ("route", "payment", "revealed", "due"))
        payment = self.fields("tunnel.payment", data.get("payment"), ("colour", "wagons", "locos"))
        route = data.get("route")
        state.tunnel_route = self.word("tunnel.route", route, self.rules.route_ids)
        colour = payment.get("colour")
        state.tunnel_colour = (
            EMPTY if colour is None else self.word("tunnel.payment.colour", colour, COLOUR_NAMES)
        )
        state.tunnel_wagons = self.number("tunnel.payment.wagons", payment.get("wagons"), 0, 255)
        state.tunnel_locos = self.number("tunnel.payment.locos", payment.get("locos"), 0, 255)
        revealed = self.items("tunnel.revealed", data.get("revealed"), 3)
        state.revealed = tuple(self.word("tunnel.revealed", card, CARD_NAMES) for card in revealed)
        state.due = self.number("tunnel.due", data.get("due"), 0, 3)

    def yard(self, state: State, seat: int, value: object) -> None:
        where = f"players[{seat}].yard"
        columns = self.items(where, value, COLOUR_COUNT if self.rules.yards else 0)
        for item in columns:
            data = self.fields(where, item, ("colour", "wagons", "locos"))
            column = seat * COLOUR_COUNT + self.word(where, data.get("colour"), COLOUR_NAMES)
            state.yard_wagons[column] = self.number(where, data.get("wagons"), 0, 255)
            state.yard_locos[column] = self.number(where, data.get("locos"), 0, 255)
