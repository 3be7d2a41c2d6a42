"""Typed moves to action numbers and back, in a given position."""

from turntable_rules.engine.actions import (
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    KEEP_TICKETS,
    KIND_BUILD_STATION,
    KIND_CLAIM,
    KIND_DRAW_DECK,
    KIND_DRAW_ROW,
    KIND_DRAW_TICKETS,
    KIND_KEEP_TICKETS,
    KIND_PASS,
    KIND_PLAY_SAME,
    KIND_PLAY_THREE,
    KIND_STOP_DRAWING,
    KIND_TUNNEL_ABANDON,
    KIND_TUNNEL_PAY,
    MAX_SAME_LOCOS,
    MAX_SAME_WAGONS,
    PASS,
    SMALL_PAYMENTS,
    STOP_DRAWING,
    THREE_INDEX,
    THREE_SETS,
    TUNNEL_ABANDON,
    same_cards,
    same_offset,
    small_payment,
    small_payment_cards,
)
from turntable_rules.engine.cards import COLOUR_NAMES, EMPTY
from turntable_rules.engine.check import check, check_draw_row, check_turn, kind_of
from turntable_rules.engine.check_cards import check_play_same, check_play_three
from turntable_rules.engine.check_routes import check_claim, check_station, check_tunnel_pay
from turntable_rules.engine.legal import legal_actions
from turntable_rules.engine.moves import (
    BuildStation,
    Claim,
    DrawDeck,
    DrawRow,
    DrawTickets,
    KeepTickets,
    Move,
    Pass,
    Payment,
    PlaySame,
    PlayThree,
    StopDrawing,
    TunnelAbandon,
    TunnelPay,
)
from turntable_rules.engine.refusals import IllegalMove, Refusal
from turntable_rules.engine.state import NOT_CHOSEN, SETUP_TICKETS, State
from turntable_rules.engine.ticket_choice import split

_KIND: dict[type, int] = {
    DrawDeck: KIND_DRAW_DECK,
    DrawRow: KIND_DRAW_ROW,
    DrawTickets: KIND_DRAW_TICKETS,
    StopDrawing: KIND_STOP_DRAWING,
    Pass: KIND_PASS,
    TunnelAbandon: KIND_TUNNEL_ABANDON,
    KeepTickets: KIND_KEEP_TICKETS,
    TunnelPay: KIND_TUNNEL_PAY,
    BuildStation: KIND_BUILD_STATION,
    Claim: KIND_CLAIM,
    PlaySame: KIND_PLAY_SAME,
    PlayThree: KIND_PLAY_THREE,
}
_WORDLESS: dict[int, tuple[int, Move]] = {
    KIND_DRAW_DECK: (DRAW_DECK, DrawDeck()),
    KIND_DRAW_TICKETS: (DRAW_TICKETS, DrawTickets()),
    KIND_STOP_DRAWING: (STOP_DRAWING, StopDrawing()),
    KIND_PASS: (PASS, Pass()),
    KIND_TUNNEL_ABANDON: (TUNNEL_ABANDON, TunnelAbandon()),
}


def to_move(state: State, seat: int, action: int) -> Move:
    """The typed move behind an action number; for `keep_tickets` the offer of the seat says which tickets."""
    rules = state.rules
    kind = kind_of(rules, action)
    if kind in _WORDLESS:
        return _WORDLESS[kind][1]
    if kind == KIND_DRAW_ROW:
        return DrawRow(action - DRAW_ROW)
    if kind == KIND_KEEP_TICKETS:
        kept, _ = split(state.offer[seat], action - KEEP_TICKETS)
        return KeepTickets(tuple(rules.ticket_ids[ticket] for ticket in kept))
    if kind == KIND_TUNNEL_PAY:
        return TunnelPay(_payment(*small_payment_cards(action - rules.tunnel_pay)))
    if kind == KIND_BUILD_STATION:
        city, payment = divmod(action - rules.build_station, SMALL_PAYMENTS)
        return BuildStation(rules.place_ids[rules.cities[city]], _payment(*small_payment_cards(payment)))
    if kind == KIND_CLAIM:
        claim = action - rules.claim
        route, locos = rules.claims.route[claim], rules.claims.locos[claim]
        wagons = rules.route_length[route] - locos
        return Claim(rules.route_ids[route], _payment(rules.claims.colour[claim], wagons, locos))
    if kind == KIND_PLAY_SAME:
        colour, wagons, locos = same_cards(action - rules.play_same)
        return PlaySame(COLOUR_NAMES[colour], wagons, locos)
    if kind == KIND_PLAY_THREE:
        return PlayThree(tuple(COLOUR_NAMES[colour] for colour in THREE_SETS[action - rules.play_three]))
    raise IllegalMove(Refusal("unknown_action", "COMMON-TURN-1", f"there is no action {action}"))


def _payment(colour: int, wagons: int, locos: int) -> Payment:
    return Payment(None if colour == EMPTY else COLOUR_NAMES[colour], wagons, locos)


def legal_moves(state: State, seat: int = -1) -> list[Move]:
    """The legal moves of a seat (see `legal_actions`), in the order of their numbers."""
    actions = legal_actions(state, seat)
    owner = state.active if seat == -1 else seat
    if seat == -1 and state.phase == SETUP_TICKETS:
        owner = state.choice.index(NOT_CHOSEN)
    return [to_move(state, owner, action) for action in actions]


def check_move(state: State, seat: int, move: Move) -> Refusal | None:
    """The reason why the seat may not play the move, or None if it may."""
    try:
        to_action(state, seat, move)
    except IllegalMove as illegal:
        return illegal.refusal
    return None


def to_action(state: State, seat: int, move: Move) -> int:
    """The number of a legal move; raises IllegalMove with the reason if it is not legal."""
    kind = _KIND[type(move)]
    _raise_if(check_turn(state, seat, kind))
    if kind in _WORDLESS:
        action = _WORDLESS[kind][0]
    else:
        action = _Reading(state, seat).number(move)
    _raise_if(check(state, seat, action))
    return action


def _raise_if(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise IllegalMove(refusal)


class _Reading:
    """Turns names into numbers; what has no number is refused here, with the same reasons as elsewhere."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.rules = state.rules
        self.seat = seat

    def number(self, move: Move) -> int:
        match move:
            case DrawRow(slot):
                _raise_if(check_draw_row(self.state, slot))
                return DRAW_ROW + slot
            case KeepTickets(tickets):
                return KEEP_TICKETS + self.mask(tickets)
            case Claim(route, payment):
                return self.claim(route, payment)
            case BuildStation(city, payment):
                return self.station(city, payment)
            case TunnelPay(payment):
                colour, wagons, locos = self.cards(payment, "EUR-TUNNEL-10")
                _raise_if(check_tunnel_pay(self.state, self.seat, colour, wagons, locos))
                return self.rules.tunnel_pay + small_payment(colour, wagons, locos)
            case PlaySame(colour_name, wagons, locos):
                colour = self.colour(colour_name)
                _raise_if(check_play_same(self.state, self.seat, colour, wagons, locos))
                assert wagons <= MAX_SAME_WAGONS and locos <= MAX_SAME_LOCOS  # the hand holds them
                return self.rules.play_same + same_offset(colour, wagons, locos)
            case PlayThree(names):
                return self.three(names)
        raise AssertionError(move)

    def mask(self, tickets: tuple[str, ...]) -> int:
        offer = [self.rules.ticket_ids[ticket] for ticket in self.state.offer[self.seat]]
        mask = 0
        for name in tickets:
            if name not in offer or mask >> offer.index(name) & 1:
                listed = ", ".join(offer)
                raise IllegalMove(
                    Refusal(
                        "ticket_not_offered",
                        "COMMON-TICKET-13",
                        f"{name!r} is not among the tickets offered, or named twice",
                        f"offered: {listed}",
                    )
                )
            mask |= 1 << offer.index(name)
        return mask

    def claim(self, name: str, payment: Payment | None) -> int:
        if name not in self.rules.route_index:
            raise IllegalMove(Refusal("unknown_route", "COMMON-CLAIM-10", f"the board has no route {name!r}"))
        route = self.rules.route_index[name]
        colour, wagons, locos = self.cards(payment, "COMMON-CLAIM-14")
        _raise_if(check_claim(self.state, self.seat, route, colour, wagons, locos))
        claims = self.rules.claims
        if wagons == 0:
            return self.rules.claim + claims.all_loco[route]
        return self.rules.claim + claims.base[colour * len(self.rules.route_ids) + route] + locos

    def station(self, city: str, payment: Payment | None) -> int:
        place = self.rules.place_index.get(city, -1)
        if place not in self.rules.city_number:
            raise IllegalMove(Refusal("unknown_city", "EUR-STATION-2", f"the board has no city {city!r}"))
        colour, wagons, locos = self.cards(payment, "EUR-STATION-4")
        _raise_if(check_station(self.state, self.seat, place, colour, wagons, locos))
        offset = self.rules.city_number[place] * SMALL_PAYMENTS
        return self.rules.build_station + offset + small_payment(colour, wagons, locos)

    def three(self, names: tuple[str, ...]) -> int:
        colours = sorted(-1 if name == "loco" else self.colour(name) for name in names)
        _raise_if(check_play_three(self.state, self.seat, colours))
        first, second, third = colours
        return self.rules.play_three + THREE_INDEX[100 * first + 10 * second + third]

    def cards(self, payment: Payment | None, clause: str) -> tuple[int, int, int]:
        if payment is None:
            raise IllegalMove(
                Refusal(
                    "payment_missing",
                    clause,
                    "the cards to be played have to be named",
                    "name colour, wagons, locos",
                )
            )
        if (payment.colour is None) != (payment.wagons == 0):
            raise IllegalMove(
                Refusal(
                    "malformed_payment", clause, "a payment names a colour exactly when it has wagon cards"
                )
            )
        colour = EMPTY if payment.colour is None else self.colour(payment.colour)
        return colour, payment.wagons, payment.locos

    def colour(self, name: str) -> int:
        """A colour by name; editions may know it by another one (USA2004-COLOUR-1)."""
        for alias, real in self.rules.edition.colour_aliases:
            if name == alias:
                name = real
        if name not in COLOUR_NAMES:
            raise IllegalMove(
                Refusal(
                    "malformed_move",
                    "FSM-13",
                    f"there is no colour {name!r}",
                    "one of " + ", ".join(COLOUR_NAMES),
                )
            )
        return COLOUR_NAMES.index(name)
