"""A ruleset: one edition on one board with its options and player count, as flat tables."""

import json
from hashlib import sha256, shake_256
from typing import Final

from turntable_rules.engine.actions import (
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    KEEP_TICKETS,
    SAME_PER_COLOUR,
    SMALL_PAYMENTS,
    THREE_SETS,
)
from turntable_rules.engine.board import Board, CardSet
from turntable_rules.engine.cards import CARD_TYPES, COLOUR_COUNT, COLOUR_NAMES, EMPTY, ROW_SIZE
from turntable_rules.engine.claim_table import ClaimTable
from turntable_rules.engine.edition import LOCOS_ANYWHERE, Edition
from turntable_rules.engine.options import Options
from turntable_rules.engine.tickets import TicketTable

RAIL: Final = 0
FERRY: Final = 1
TUNNEL: Final = 2
KIND_OF_ROUTE: Final = {"rail": RAIL, "ferry": FERRY, "tunnel": TUNNEL}


class Ruleset:
    """Everything fixed during a game; immutable, shared by all its states."""

    def __init__(
        self, edition: Edition, options: Options, players: int, board: Board | None, cards: CardSet | None
    ) -> None:
        self.edition = edition
        self.options = options
        self.players = players
        self.board = board
        self.card_set = cards
        self.yards = edition.yards
        self.flushes = edition.flushes
        self.reshuffles = edition.reshuffles
        self.loco_ends_draw = edition.face_up_loco_cost == 2
        self.must_draw_second = options.must_draw_second
        self.flush_limit = options.flush_limit
        self.max_turns = options.max_turns
        self.composition: list[int] = [edition.cards_per_colour] * COLOUR_COUNT + [edition.locos]
        self._place_tables()
        self._route_tables()
        self._ticket_tables()
        self._number_actions()
        self._zobrist_tables()
        self.digest = self._digest()
        self.fingerprint = sha256(self._identity().encode()).digest()[:8]

    def _place_tables(self) -> None:
        board = self.board
        self.place_ids: list[str] = [place.id for place in board.places] if board else []
        self.place_index: dict[str, int] = {name: index for index, name in enumerate(self.place_ids)}
        self.cities: list[int] = []
        """Places where a station may stand: never an exit of a country (8.2)."""
        self.members: dict[str, list[int]] = {name: [index] for name, index in self.place_index.items()}
        """City or country id to its places; a country is the set of its exits (SWI-COUNTRY-3)."""
        if board is not None:
            self.cities = [index for index, place in enumerate(board.places) if place.country is None]
            for country in board.countries:
                self.members[country.id] = [self.place_index[name] for name in country.exits]
        self.city_number: dict[int, int] = {place: number for number, place in enumerate(self.cities)}

    def _route_tables(self) -> None:
        routes = self.board.routes if self.board else ()
        points = dict(self.edition.route_points)
        anywhere = self.edition.loco_use == LOCOS_ANYWHERE
        self.route_ids: list[str] = [route.id for route in routes]
        self.route_index: dict[str, int] = {name: index for index, name in enumerate(self.route_ids)}
        self.route_a: list[int] = [self.place_index[route.a] for route in routes]
        self.route_b: list[int] = [self.place_index[route.b] for route in routes]
        self.route_length: list[int] = [route.length for route in routes]
        self.route_colour: list[int] = [
            EMPTY if route.colour is None else COLOUR_NAMES.index(route.colour) for route in routes
        ]
        self.route_kind: list[int] = [KIND_OF_ROUTE[route.kind] for route in routes]
        self.route_locos: list[int] = [route.locos for route in routes]
        self.route_points: list[int] = [points[route.length] for route in routes]
        self.takes_locos: list[bool] = [anywhere or kind == TUNNEL for kind in self.route_kind]
        self.bit: list[int] = []
        bit = 1
        for _ in routes:
            self.bit.append(bit)
            bit *= 2
        self.all_routes = bit - 1
        self.double_closes_all = self.players <= self.edition.double_closed_up_to
        self.group: list[int] = []
        """Mask of the tracks of each route's double group, itself included."""
        for index, route in enumerate(routes):
            mask = self.bit[index]
            for other, twin in enumerate(routes):
                if route.double_group is not None and twin.double_group == route.double_group:
                    mask |= self.bit[other]
            self.group.append(mask)
        self.has_tunnels = TUNNEL in self.route_kind
        self.loan_order: list[int] = sorted(range(len(self.route_ids)), key=lambda r: self.route_ids[r])
        """Routes by id: station loans are compared by route id (EUR-STATION-14)."""
        self.claims = ClaimTable(self.route_length, self.route_colour, self.route_locos, self.takes_locos)

    def _ticket_tables(self) -> None:
        self.ticket_ids: list[str] = []
        self.ticket_long: list[bool] = []
        starts: list[list[int]] = []
        targets: list[list[list[int]]] = []
        self.ticket_points: list[list[int]] = []
        self.ticket_needs: list[list[int]] = []
        self.ticket_cities: list[list[int]] = []
        """Per ticket of the card game, the numbers of the big cities it names."""
        self.city_bonus: list[int] = []
        self.city_names: list[str] = []
        if self.board is not None:
            for ticket in self.board.tickets:
                self.ticket_ids.append(ticket.id)
                self.ticket_long.append(ticket.long)
                starts.append(self.members[ticket.start])
                targets.append([self.members[target.to] for target in ticket.targets])
                self.ticket_points.append([target.points for target in ticket.targets])
        self.ticket_table = TicketTable(starts, targets, self.ticket_points)
        if self.card_set is not None:
            self.city_names = [city.id for city in self.card_set.big_cities]
            self.city_bonus = [city.bonus for city in self.card_set.big_cities]
            for destination in self.card_set.destinations:
                self.ticket_ids.append(destination.id)
                self.ticket_long.append(False)
                self.ticket_points.append([destination.points])
                self.ticket_needs.append(list(destination.cards))
                self.ticket_cities.append([self.city_names.index(name) for name in destination.big_cities])
        self.ticket_index: dict[str, int] = {name: index for index, name in enumerate(self.ticket_ids)}

    def _number_actions(self) -> None:
        edition = self.edition
        self.max_offer = max(edition.tickets_dealt + edition.long_tickets_dealt, edition.tickets_drawn)
        end = KEEP_TICKETS + (1 << self.max_offer)
        self.tunnel_pay = end
        if self.has_tunnels:
            end += SMALL_PAYMENTS
        self.build_station = end
        if edition.stations:
            end += SMALL_PAYMENTS * len(self.cities)
        self.claim = end
        end += len(self.claims.route)
        self.play_same = end
        if self.yards:
            end += COLOUR_COUNT * SAME_PER_COLOUR
        self.play_three = end
        if self.yards:
            end += len(THREE_SETS)
        self.action_count = end
        self.full_draw: list[int] = [DRAW_DECK, *range(DRAW_ROW, DRAW_ROW + ROW_SIZE)]
        self.full_start: list[int] = [*self.full_draw, DRAW_TICKETS]

    def _zobrist_tables(self) -> None:
        """Fixed random numbers, under 2^60, for the incremental part of the state hash."""
        places, routes, tickets = len(self.place_ids), len(self.route_ids), len(self.ticket_ids)
        size = self.players * (routes + places + tickets)
        raw = shake_256(b"turntable-zobrist/1").digest(8 * size)
        numbers = [int.from_bytes(raw[8 * i : 8 * i + 8], "big") >> 4 for i in range(size)]
        self.zobrist_route: list[int] = numbers[: self.players * routes]
        self.zobrist_station: list[int] = numbers[self.players * routes : self.players * (routes + places)]
        self.zobrist_ticket: list[int] = numbers[self.players * (routes + places) :]

    def _digest(self) -> str:
        if self.board is not None:
            return self.board.digest
        return self.card_set.digest if self.card_set is not None else ""

    def _identity(self) -> str:
        return json.dumps(
            [self.edition.id, self.players, self.options.to_json(self.edition), self.digest], sort_keys=True
        )

    def hand_start(self, seat: int) -> int:
        """Where a seat's counts begin in the flat lists of hands and road piles."""
        return seat * CARD_TYPES
