"""One position: small integers and short lists; cheap to clone."""

from typing import Final

from turntable_rules.engine.cards import CARD_TYPES, COLOUR_COUNT, EMPTY, ROW_SIZE
from turntable_rules.engine.ruleset import Ruleset

SETUP_TICKETS: Final = 0
TURN_START: Final = 1
ACTION: Final = 2
AFTER_FIRST_CARD: Final = 3
TICKET_CHOICE: Final = 4
TUNNEL_PENDING: Final = 5
FINISHED: Final = 6
PHASE_NAMES: Final = (
    "setup_tickets",
    "turn_start",
    "action",
    "after_first_card",
    "ticket_choice",
    "tunnel_pending",
    "finished",
)

RUNNING: Final = 0
NORMAL: Final = 1
MAX_TURNS: Final = 2
FORFEIT: Final = 3
ENDING_NAMES: Final = ("running", "normal", "max_turns", "forfeit")

NOT_CHOSEN: Final = -1
NO_TRIGGER: Final = -1
NO_TUNNEL: Final = -1

Ids = tuple[int, ...]


class State:
    """A position of one game. Tuples and `deck` are replaced, never changed, so clones share them."""

    def __init__(self, rules: Ruleset, seed: bytes, blank: bool = False) -> None:
        self.rules = rules
        self.seed = seed
        if blank:  # `clone` fills in the rest
            return
        players = rules.players
        self.draws = 0
        self.phase = SETUP_TICKETS
        self.active = 0
        self.first = 0
        self.turns = 0
        self.round = 1
        self.final_left = NO_TRIGGER
        self.passed = 0
        """Mask of the seats in the current unbroken succession of passes (COMMON-END-7)."""
        self.retired = 0
        """Mask of retired seats (COMMON-RESIGN)."""
        self.row_stands = False
        self.ending = RUNNING
        self.deck = b""
        """Bottom to top; only the first `deck_left` cards are still there."""
        self.deck_left = 0
        self.row: list[int] = [EMPTY] * ROW_SIZE
        self.discard: list[int] = [0] * CARD_TYPES
        self.hands: list[int] = [0] * (CARD_TYPES * players)
        self.known: list[int] = [0] * (CARD_TYPES * players)
        """Public lower bounds on the hands (INFO-INFER-2)."""
        self.pile: Ids = ()
        """Tickets, bottom to top."""
        self.unseen_out: Ids = ()
        self.tickets: list[Ids] = [()] * players
        self.offer: list[Ids] = [()] * players
        self.choice: list[int] = [NOT_CHOSEN] * players
        """Setup choices waiting for the others, as masks over the offer."""
        self.out: list[Ids] = [()] * players
        self.completed: list[Ids] = [()] * players
        self.wagons: list[int] = [rules.edition.wagons] * players
        self.score: list[int] = [0 if rules.yards else rules.options.start_score] * players
        self.stations: list[Ids] = [()] * players
        self.owner: list[int] = [EMPTY] * len(rules.route_ids)
        self.open: list[int] = [rules.all_routes] * players
        """Per seat, the mask of routes it may still claim; follows from `owner`."""
        self.key = 0
        """Zobrist number of routes, stations and tickets held; follows from them."""
        self.tunnel_route = NO_TUNNEL
        self.tunnel_colour = EMPTY
        self.tunnel_wagons = 0
        self.tunnel_locos = 0
        self.revealed: Ids = ()
        self.due = 0
        yards = players if rules.yards else 0
        self.yard_wagons: list[int] = [0] * (COLOUR_COUNT * yards)
        self.yard_locos: list[int] = [0] * (COLOUR_COUNT * yards)
        self.road: list[int] = [0] * (CARD_TYPES * yards)

    def clone(self) -> "State":
        """An independent copy."""
        copy = State(self.rules, self.seed, True)
        copy.draws = self.draws
        copy.phase = self.phase
        copy.active = self.active
        copy.first = self.first
        copy.turns = self.turns
        copy.round = self.round
        copy.final_left = self.final_left
        copy.passed = self.passed
        copy.retired = self.retired
        copy.row_stands = self.row_stands
        copy.ending = self.ending
        copy.deck = self.deck
        copy.deck_left = self.deck_left
        copy.row = self.row[:]
        copy.discard = self.discard[:]
        copy.hands = self.hands[:]
        copy.known = self.known[:]
        copy.pile = self.pile
        copy.unseen_out = self.unseen_out
        copy.tickets = self.tickets[:]
        copy.offer = self.offer[:]
        copy.choice = self.choice[:]
        copy.out = self.out[:]
        copy.completed = self.completed[:]
        copy.wagons = self.wagons[:]
        copy.score = self.score[:]
        copy.stations = self.stations[:]
        copy.owner = self.owner[:]
        copy.open = self.open[:]
        copy.key = self.key
        copy.tunnel_route = self.tunnel_route
        copy.tunnel_colour = self.tunnel_colour
        copy.tunnel_wagons = self.tunnel_wagons
        copy.tunnel_locos = self.tunnel_locos
        copy.revealed = self.revealed
        copy.due = self.due
        copy.yard_wagons = self.yard_wagons[:]
        copy.yard_locos = self.yard_locos[:]
        copy.road = self.road[:]
        return copy

    def is_retired(self, seat: int) -> bool:
        """Whether the seat has left the game (COMMON-RESIGN-1)."""
        return bool(self.retired >> seat & 1)


def seats_to_act(state: State) -> list[int]:
    """Every seat that owes a decision."""
    if state.phase == FINISHED:
        return []
    if state.phase == SETUP_TICKETS:
        return [seat for seat, choice in enumerate(state.choice) if choice == NOT_CHOSEN]
    return [state.active]
