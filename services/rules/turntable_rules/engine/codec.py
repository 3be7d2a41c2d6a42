"""States as compact bytes, `turntable-state/1`: two letters, a version, the ruleset's fingerprint, then the fields."""

from typing import Final

from turntable_rules.engine.bad_position import BadPosition
from turntable_rules.engine.cards import CARD_TYPES, COLOUR_COUNT, EMPTY, ROW_SIZE
from turntable_rules.engine.derived import derive
from turntable_rules.engine.rng import SEED_BYTES
from turntable_rules.engine.ruleset import Ruleset
from turntable_rules.engine.state import FINISHED, FORFEIT, NO_TUNNEL, Ids, State

_MAGIC: Final = b"TT"
_VERSION: Final = 1
_HEADER: Final = 11
_SCORE_ZERO: Final = 0x80000000


def encode(state: State) -> bytes:
    """The whole state; `decode` gives it back."""
    rules = state.rules
    out: list[int] = []
    _put_word(out, state.draws)
    _put_word(out, state.turns)
    out += [
        state.phase,
        state.active,
        state.first,
        state.round,
        state.final_left + 1,
        state.passed,
        state.retired,
        1 if state.row_stands else 0,
        state.ending,
    ]
    for card in state.row:
        out.append(card + 1)
    out += state.discard
    out += state.hands
    out += state.known
    _put_ids(out, state.pile)
    _put_ids(out, state.unseen_out)
    for seat in range(rules.players):
        _put_seat(out, state, seat)
    _put_owners(out, state.owner)
    if rules.has_tunnels:
        _put_half(out, state.tunnel_route + 1)
        out += [state.tunnel_colour + 1, state.tunnel_wagons, state.tunnel_locos, state.due]
        _put_ids(out, state.revealed)
    out += state.yard_wagons
    out += state.yard_locos
    out += state.road
    out.append(state.deck_left)
    return (
        _MAGIC
        + bytes([_VERSION])
        + rules.fingerprint
        + state.seed
        + bytes(out)
        + state.deck[: state.deck_left]
    )


def _put_seat(out: list[int], state: State, seat: int) -> None:
    out.append(state.choice[seat] + 1)
    out.append(state.wagons[seat])
    _put_word(out, state.score[seat] + _SCORE_ZERO)
    _put_ids(out, state.tickets[seat])
    _put_ids(out, state.offer[seat])
    _put_ids(out, state.out[seat])
    _put_ids(out, state.completed[seat])
    _put_ids(out, state.stations[seat])


def _put_half(out: list[int], value: int) -> None:
    out.append(value >> 8)
    out.append(value & 255)


def _put_word(out: list[int], value: int) -> None:
    out.append(value >> 24)
    out.append(value >> 16 & 255)
    out.append(value >> 8 & 255)
    out.append(value & 255)


def _put_ids(out: list[int], ids: Ids) -> None:
    """A count, then one byte each, or an escape and two each for the rare long list."""
    if all([number < 256 for number in ids]) and len(ids) < 255:
        out.append(len(ids))
        out += ids
        return
    out.append(255)
    _put_half(out, len(ids))
    for number in ids:
        _put_half(out, number)


def _put_owners(out: list[int], owner: list[int]) -> None:
    """Two routes to a byte; there are at most five seats."""
    for at in range(0, len(owner) - 1, 2):
        out.append((owner[at] + 1) * 16 + owner[at + 1] + 1)
    if len(owner) % 2:
        out.append((owner[-1] + 1) * 16)


def decode(rules: Ruleset, data: bytes) -> State:
    """The state of its bytes; raises BadPosition if they are none of this ruleset. `invariants` judges the rest."""
    if data[:2] != _MAGIC:
        raise BadPosition(["these bytes are not a state"])
    if len(data) < _HEADER + SEED_BYTES:
        raise BadPosition(["the bytes end too early"])
    if data[2] != _VERSION:
        raise BadPosition([f"state format {data[2]} is unknown; this engine reads {_VERSION}"])
    if data[3:_HEADER] != rules.fingerprint:
        raise BadPosition(["the state belongs to another ruleset (edition, players, options or board)"])
    state = State(rules, data[_HEADER : _HEADER + SEED_BYTES], True)
    source = _Source(data, _HEADER + SEED_BYTES)
    _get_fields(source, state)
    _get_seats(source, state)
    state.owner = source.owners(len(rules.route_ids), rules.players)
    state.tunnel_route = NO_TUNNEL
    state.tunnel_colour = EMPTY
    state.tunnel_wagons = 0
    state.tunnel_locos = 0
    state.due = 0
    state.revealed = ()
    if rules.has_tunnels:
        state.tunnel_route = source.half(len(rules.route_ids) + 1) - 1
        state.tunnel_colour = source.byte(COLOUR_COUNT + 1) - 1
        state.tunnel_wagons = source.byte(256)
        state.tunnel_locos = source.byte(256)
        state.due = source.byte(4)
        state.revealed = source.ids(CARD_TYPES)
    yards = rules.players if rules.yards else 0
    state.yard_wagons = source.counts(COLOUR_COUNT * yards)
    state.yard_locos = source.counts(COLOUR_COUNT * yards)
    state.road = source.counts(CARD_TYPES * yards)
    state.deck_left = source.byte(256)
    state.deck = source.rest(state.deck_left)
    if source.fault:
        raise BadPosition([source.fault])
    derive(state)
    return state


def _get_fields(source: "_Source", state: State) -> None:
    players = state.rules.players
    state.draws = source.word()
    state.turns = source.word()
    state.phase = source.byte(FINISHED + 1)
    state.active = source.byte(players)
    state.first = source.byte(players)
    state.round = source.byte(3)
    state.final_left = source.byte(players + 2) - 1
    state.passed = source.byte(1 << players)
    state.retired = source.byte(1 << players)
    state.row_stands = source.byte(2) == 1
    state.ending = source.byte(FORFEIT + 1)
    state.row = [source.byte(CARD_TYPES + 1) - 1 for _ in range(ROW_SIZE)]
    state.discard = source.counts(CARD_TYPES)
    state.hands = source.counts(CARD_TYPES * players)
    state.known = source.counts(CARD_TYPES * players)
    state.pile = source.ids(len(state.rules.ticket_ids))
    state.unseen_out = source.ids(len(state.rules.ticket_ids))


def _get_seats(source: "_Source", state: State) -> None:
    tickets, places = len(state.rules.ticket_ids), len(state.rules.place_ids)
    state.choice = []
    state.wagons = []
    state.score = []
    state.tickets = []
    state.offer = []
    state.out = []
    state.completed = []
    state.stations = []
    for _ in range(state.rules.players):
        choice = source.byte(256) - 1
        state.wagons.append(source.byte(256))
        state.score.append(source.word() - _SCORE_ZERO)
        state.tickets.append(source.ids(tickets))
        offer = source.ids(tickets)
        state.offer.append(offer)
        state.choice.append(choice if choice < 1 << len(offer) else source.failed(-1))
        state.out.append(source.ids(tickets))
        state.completed.append(source.ids(tickets))
        state.stations.append(source.ids(places))


class _Source:
    """Reads bytes one after another; the first thing wrong is remembered and everything after it reads as zero."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at
        self.fault = ""

    def failed(self, value: int) -> int:
        if not self.fault:
            self.fault = f"byte {self.at} is out of range"
        return value

    def byte(self, bound: int) -> int:
        """The next byte, which has to be under `bound`."""
        if self.fault:
            return 0
        if self.at >= len(self.data):
            self.fault = "the bytes end too early"
            return 0
        value = self.data[self.at]
        if value >= bound:
            return self.failed(0)
        self.at += 1
        return value

    def half(self, bound: int) -> int:
        value = self.byte(256) * 256 + self.byte(256)
        return value if value < bound else self.failed(0)

    def word(self) -> int:
        high = self.byte(256) * 256 + self.byte(256)
        return high * 65536 + self.byte(256) * 256 + self.byte(256)

    def counts(self, size: int) -> list[int]:
        end = self.at + size
        if self.fault or end > len(self.data):
            self.fault = self.fault or "the bytes end too early"
            return [0] * size
        values = list(self.data[self.at : end])
        self.at = end
        return values

    def ids(self, bound: int) -> Ids:
        count = self.byte(256)
        wide = count == 255
        if wide:
            count = self.half(65536)
        if count > len(self.data) - self.at:
            self.fault = self.fault or "the bytes end too early"
            return ()
        found = [self.half(bound) if wide else self.byte(bound) for _ in range(count)]
        return tuple(found)

    def owners(self, routes: int, players: int) -> list[int]:
        """Two routes to a byte; the half after the last of an odd number has to be empty."""
        packed = self.counts((routes + 1) // 2)
        owner: list[int] = []
        most = 0
        for both in packed:
            high, low = both >> 4, both & 15
            owner.append(high - 1)
            owner.append(low - 1)
            if high > most:
                most = high
            if low > most:
                most = low
        if routes % 2 and owner.pop() != EMPTY:
            self.failed(0)
        if most > players:
            self.failed(0)
        return owner

    def rest(self, size: int) -> bytes:
        """All that is left, which has to be `size` cards."""
        left = self.data[self.at :]
        if len(left) != size:
            self.fault = self.fault or f"{len(left)} bytes where {size} cards should be"
        elif left and max(left) >= CARD_TYPES:
            self.failed(0)
        return left
