"""Offering and keeping tickets, at setup and in mid-game (COMMON-TICKET, COMMON-SETUP-6 to -10)."""

from turntable_rules.engine.edition import OUT_OF_GAME, SHUFFLED_BACK
from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.rng import shuffle
from turntable_rules.engine.state import NOT_CHOSEN, TICKET_CHOICE, Ids, State
from turntable_rules.engine.turn import begin_turn, end_turn, pass_on


def names(state: State, tickets: Ids) -> list[object]:
    """Ticket ids by name."""
    return [state.rules.ticket_ids[ticket] for ticket in tickets]


def take_from_pile(state: State, count: int) -> Ids:
    """Up to `count` tickets from the top of the pile (COMMON-TICKET-3)."""
    pile = state.pile
    left = max(0, len(pile) - count)
    state.pile = pile[:left]
    return tuple(reversed(pile[left:]))


def offer(state: State, seat: int, tickets: Ids, log: Log) -> None:
    """Show tickets to one seat (INFO-10)."""
    state.offer[seat] = tickets
    if log is not None:
        log.append(
            Event(
                "tickets_offered",
                {"seat": seat, "count": len(tickets)},
                seat,
                {"tickets": names(state, tickets)},
            )
        )


def draw_tickets(state: State, seat: int, log: Log) -> None:
    """Draw tickets to choose from (FSM-9)."""
    offer(state, seat, take_from_pile(state, state.rules.edition.tickets_drawn), log)
    state.phase = TICKET_CHOICE


def keep_drawn(state: State, seat: int, mask: int, log: Log) -> None:
    """Keep some of the tickets drawn in mid-game; the turn is over."""
    rejected = _keep(state, seat, mask, log)
    _put_away(state, seat, rejected, state.rules.edition.draw_rejects)
    end_turn(state, log)


def keep_at_setup(state: State, seat: int, mask: int, log: Log) -> None:
    """Record a choice; when the last one is in, deal with all of them in seat order (COMMON-SETUP-7, -9)."""
    state.choice[seat] = mask
    if log is not None:
        kept, rejected = split(state.offer[seat], mask)
        private: dict[str, object] = {"kept": names(state, kept), "rejected": names(state, rejected)}
        log.append(Event("setup_chosen", {"seat": seat}, seat, private))
    if NOT_CHOSEN in state.choice:
        return
    carry_out_choices(state, log)
    if state.is_retired(state.first):
        if log is not None:
            log.append(Event("turn_skipped", {"seat": state.first}))
        pass_on(state, log)
    else:
        begin_turn(state, state.first, log)


def carry_out_choices(state: State, log: Log) -> None:
    """Move the tickets of every seat that has chosen to where they belong."""
    any_rejected = False
    policy = state.rules.edition.setup_rejects
    for seat in range(state.rules.players):
        if state.choice[seat] == NOT_CHOSEN:
            continue
        rejected = _keep(state, seat, state.choice[seat], log)
        state.choice[seat] = NOT_CHOSEN
        any_rejected = any_rejected or bool(rejected)
        _put_away(state, seat, rejected, policy)
    if policy == SHUFFLED_BACK and any_rejected:
        pile = list(state.pile)
        shuffle(state.seed, state.draws, pile)
        state.draws += 1
        state.pile = tuple(pile)


def split(tickets: Ids, mask: int) -> tuple[Ids, Ids]:
    """The tickets kept and rejected by a choice, each in the order offered."""
    kept: list[int] = []
    rejected: list[int] = []
    for index, ticket in enumerate(tickets):
        if mask >> index & 1:
            kept.append(ticket)
        else:
            rejected.append(ticket)
    return tuple(kept), tuple(rejected)


def _keep(state: State, seat: int, mask: int, log: Log) -> Ids:
    """Give the kept tickets to the seat; returns the rejected ones."""
    rules = state.rules
    kept, rejected = split(state.offer[seat], mask)
    for ticket in kept:
        state.key ^= rules.zobrist_ticket[ticket * rules.players + seat]
    state.tickets[seat] = state.tickets[seat] + kept
    state.offer[seat] = ()
    if log is not None:
        private: dict[str, object] = {
            "tickets_kept": names(state, kept),
            "tickets_rejected": names(state, rejected),
        }
        public: dict[str, object] = {"seat": seat, "kept": len(kept), "rejected": len(rejected)}
        log.append(Event("tickets_kept", public, seat, private))
    return rejected


def _put_away(state: State, seat: int, rejected: Ids, policy: int) -> None:
    """COMMON-TICKET-6, -7: out of the game, or under the pile with the last offered deepest."""
    if policy == OUT_OF_GAME:
        state.out[seat] = state.out[seat] + rejected
    else:
        state.pile = tuple(reversed(rejected)) + state.pile
