"""Whether a seat may play an action, and if not, why: a chain of guards with one reason each.

Written rule by rule, independently of `legal`, for any numbers a caller may send.
"""

from turntable_rules.engine.actions import (
    DRAW_ROW,
    KEEP_TICKETS,
    KIND_BUILD_STATION,
    KIND_CLAIM,
    KIND_DRAW_DECK,
    KIND_DRAW_ROW,
    KIND_DRAW_TICKETS,
    KIND_KEEP_TICKETS,
    KIND_NAMES,
    KIND_PASS,
    KIND_PLAY_SAME,
    KIND_PLAY_THREE,
    KIND_STOP_DRAWING,
    KIND_TUNNEL_ABANDON,
    KIND_TUNNEL_PAY,
    SMALL_PAYMENTS,
    THREE_SETS,
    same_cards,
    small_payment_cards,
)
from turntable_rules.engine.cards import EMPTY, LOCO, ROW_SIZE
from turntable_rules.engine.check_cards import can_place, check_play_same, check_play_three
from turntable_rules.engine.check_routes import can_claim, check_claim, check_station, check_tunnel_pay
from turntable_rules.engine.refusals import Refusal
from turntable_rules.engine.ruleset import Ruleset
from turntable_rules.engine.state import (
    ACTION,
    AFTER_FIRST_CARD,
    FINISHED,
    NOT_CHOSEN,
    SETUP_TICKETS,
    TICKET_CHOICE,
    TUNNEL_PENDING,
    TURN_START,
    State,
)

_MOVES_IN_PHASE = {
    SETUP_TICKETS: (KIND_KEEP_TICKETS,),
    TURN_START: (KIND_DRAW_DECK, KIND_DRAW_ROW, KIND_CLAIM, KIND_DRAW_TICKETS, KIND_BUILD_STATION, KIND_PASS),
    ACTION: (KIND_DRAW_DECK, KIND_DRAW_ROW, KIND_PLAY_SAME, KIND_PLAY_THREE, KIND_DRAW_TICKETS, KIND_PASS),
    AFTER_FIRST_CARD: (KIND_DRAW_DECK, KIND_DRAW_ROW, KIND_STOP_DRAWING),
    TICKET_CHOICE: (KIND_KEEP_TICKETS,),
    TUNNEL_PENDING: (KIND_TUNNEL_PAY, KIND_TUNNEL_ABANDON),
    FINISHED: (),
}

_PHASE_CLAUSE = {
    SETUP_TICKETS: "COMMON-SETUP-10",
    TURN_START: "FSM-13",
    ACTION: "FSM-13",
    AFTER_FIRST_CARD: "COMMON-TURN-6",
    TICKET_CHOICE: "COMMON-TICKET-13",
    TUNNEL_PENDING: "COMMON-TURN-6",
}


def kind_of(rules: Ruleset, action: int) -> int:
    """The kind of an action, or -1 if the ruleset has no such number."""
    if action < 0 or action >= rules.action_count:
        return -1
    if action < DRAW_ROW:
        return KIND_DRAW_DECK
    if action < DRAW_ROW + ROW_SIZE:
        return KIND_DRAW_ROW
    if action < KEEP_TICKETS:
        return (KIND_DRAW_TICKETS, KIND_STOP_DRAWING, KIND_PASS, KIND_TUNNEL_ABANDON)[
            action - DRAW_ROW - ROW_SIZE
        ]
    if action < rules.tunnel_pay:
        return KIND_KEEP_TICKETS
    if action < rules.build_station:
        return KIND_TUNNEL_PAY
    if action < rules.claim:
        return KIND_BUILD_STATION
    if action < rules.play_same:
        return KIND_CLAIM
    return KIND_PLAY_SAME if action < rules.play_three else KIND_PLAY_THREE


def check(state: State, seat: int, action: int) -> Refusal | None:
    """The reason why the seat may not play the action, or None if it may."""
    rules = state.rules
    kind = kind_of(rules, action)
    refusal = check_turn(state, seat, kind)
    if refusal is not None:
        return refusal
    if kind == KIND_CLAIM:
        claim = action - rules.claim
        route = rules.claims.route[claim]
        locos = rules.claims.locos[claim]
        return check_claim(
            state, seat, route, rules.claims.colour[claim], rules.route_length[route] - locos, locos
        )
    if kind == KIND_BUILD_STATION:
        offset = action - rules.build_station
        colour, wagons, locos = small_payment_cards(offset % SMALL_PAYMENTS)
        return check_station(state, seat, rules.cities[offset // SMALL_PAYMENTS], colour, wagons, locos)
    if kind == KIND_TUNNEL_PAY:
        colour, wagons, locos = small_payment_cards(action - rules.tunnel_pay)
        return check_tunnel_pay(state, seat, colour, wagons, locos)
    if kind == KIND_PLAY_SAME:
        colour, wagons, locos = same_cards(action - rules.play_same)
        return check_play_same(state, seat, colour, wagons, locos)
    if kind == KIND_PLAY_THREE:
        first, second, third = THREE_SETS[action - rules.play_three]
        return check_play_three(state, seat, [first, second, third])
    return _check_simple(state, seat, kind, action)


def _check_simple(state: State, seat: int, kind: int, action: int) -> Refusal | None:
    if kind == KIND_KEEP_TICKETS:
        return check_keep(state, seat, action - KEEP_TICKETS)
    if kind == KIND_DRAW_ROW:
        return check_draw_row(state, action - DRAW_ROW)
    if kind == KIND_DRAW_DECK and state.deck_left == 0:
        return Refusal(
            "deck_empty", "COMMON-DRAW-2", "the deck is empty", "take a face-up card if there is one"
        )
    if kind == KIND_DRAW_TICKETS and not state.pile:
        return Refusal("pile_empty", "COMMON-TICKET-4", "the ticket pile is empty")
    if kind == KIND_STOP_DRAWING and state.rules.must_draw_second:
        return Refusal(
            "must_draw_second", "COMMON-DRAW-6", "a second card has to be drawn", "draw one that can be drawn"
        )
    if kind == KIND_PASS and _other_move(state, seat):
        return Refusal(
            "other_moves_possible",
            "COMMON-PASS-1",
            "passing is for a seat with no other move",
            "play one of them",
        )
    return None


def check_turn(state: State, seat: int, kind: int) -> Refusal | None:
    """Whether the seat may act now, and with a move of this kind (-1: of no kind at all)."""
    if state.phase == FINISHED:
        return Refusal("game_finished", "COMMON-END-5", "the game is finished")
    if not 0 <= seat < state.rules.players:
        return Refusal(
            "unknown_seat", "COMMON-TURN-4", f"there is no seat {seat}", f"0 to {state.rules.players - 1}"
        )
    if state.is_retired(seat):
        return Refusal("seat_retired", "COMMON-RESIGN-2", f"seat {seat} has left the game")
    if state.phase == SETUP_TICKETS:
        if state.choice[seat] != NOT_CHOSEN:
            return Refusal(
                "already_chosen", "COMMON-SETUP-8", "the choice of tickets is final", "wait for the others"
            )
    elif seat != state.active:
        return Refusal("not_your_turn", "COMMON-TURN-4", f"it is the turn of seat {state.active}")
    if kind == -1 or not _exists(state.rules, kind):
        return Refusal("unknown_action", "COMMON-TURN-1", "this ruleset has no such action", _named(state))
    if kind not in _MOVES_IN_PHASE[state.phase]:
        return Refusal(
            "wrong_phase",
            _PHASE_CLAUSE[state.phase],
            f"{KIND_NAMES[kind]} is not possible now",
            _named(state),
        )
    return None


def _exists(rules: Ruleset, kind: int) -> bool:
    """Whether the ruleset lists the kind at all."""
    if kind == KIND_CLAIM:
        return not rules.yards
    if kind == KIND_BUILD_STATION:
        return rules.edition.stations > 0
    if kind == KIND_PLAY_SAME or kind == KIND_PLAY_THREE:
        return rules.yards
    if kind == KIND_TUNNEL_PAY or kind == KIND_TUNNEL_ABANDON:
        return rules.has_tunnels
    return True


def _named(state: State) -> str:
    """The kinds of move of the phase, for a refusal; not those the hand can pay for."""
    kinds = [KIND_NAMES[kind] for kind in _MOVES_IN_PHASE[state.phase] if _exists(state.rules, kind)]
    return "now: " + ", ".join(kinds)


def check_draw_row(state: State, slot: int) -> Refusal | None:
    """COMMON-ROW-3, COMMON-DRAW-4."""
    if not 0 <= slot < ROW_SIZE:
        return Refusal("unknown_slot", "COMMON-DRAW-1", f"the row has no slot {slot}", "slots 0 to 4")
    card = state.row[slot]
    if card == EMPTY:
        return Refusal("slot_empty", "COMMON-ROW-3", f"slot {slot} is empty", "take a slot that holds a card")
    if card == LOCO and state.phase == AFTER_FIRST_CARD and state.rules.loco_ends_draw:
        return Refusal(
            "loco_barred",
            "COMMON-DRAW-4",
            "a face-up loco counts as two cards and cannot be the second",
            "draw blind or take a coloured card",
        )
    return None


def check_keep(state: State, seat: int, mask: int) -> Refusal | None:
    """COMMON-TICKET-2, -5, -13."""
    offered = len(state.offer[seat])
    if mask >= 1 << offered:
        return Refusal(
            "ticket_not_offered",
            "COMMON-TICKET-13",
            "only tickets of the offer can be kept",
            f"{offered} are offered",
        )
    edition = state.rules.edition
    at_setup = state.phase == SETUP_TICKETS
    fewest = edition.setup_keep if at_setup else min(edition.draw_keep, offered)
    if bin(mask).count("1") < fewest:
        clause = "COMMON-TICKET-2" if at_setup else "COMMON-TICKET-5"
        return Refusal(
            "too_few_tickets", clause, "too few tickets kept", f"keep at least {fewest} of {offered}"
        )
    return None


def _other_move(state: State, seat: int) -> bool:
    """Whether the seat could do anything but pass; building a station does not count (COMMON-PASS-1)."""
    if state.deck_left or state.pile:
        return True
    for card in state.row:
        if card != EMPTY:
            return True
    return can_place(state, seat) if state.rules.yards else can_claim(state, seat)
