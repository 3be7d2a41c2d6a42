"""How the greedy bot plays on a board: claim what the plan needs, else draw what it lacks."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Final

from turntable_bots.board import Board
from turntable_bots.bot import Form
from turntable_bots.plans import CLOSED, Plan, distances, plan, prices
from turntable_bots.wishes import demand, wishes

WAGON_WORTH: Final = 1.0
"""Points that a ticket has to bring for every wagon it takes."""
LATE: Final = 5
"""Wagons of any player at which the end is near."""
GOOD_HAND: Final = 14
FULL_HAND: Final = 20
"""Cards in hand with which routes of four, and then of any length, are good enough when nothing is planned."""


class BoardPlay:
    """One decision on a board."""

    def __init__(self, board: Board, view: Form, moves: Sequence[Form], chance: Random) -> None:
        self.board = board
        self.view = view
        self.moves = moves
        self.chance = chance
        self.you = view["you"]
        self.seat: int = self.you["seat"]
        self.hand: Mapping[str, int] = self.you["hand"]
        players, left = view["players"], view["finalTurnsLeft"]
        self.wagons: int = players[self.seat]["wagons"]
        self.fewest_wagons = min(player["wagons"] for player in players)
        self.is_late = left is not None or self.fewest_wagons <= LATE
        self.is_last_turn = left is not None and left <= len(players)

    @cached_property
    def price(self) -> list[int]:
        """What each route would cost this seat."""
        stations = [city for city, owner in self.view["stations"].items() if owner == self.seat]
        return prices(self.board, self.view["routes"], self.seat, stations)

    @cached_property
    def open_tickets(self) -> list[Form]:
        """Tickets held and not yet completed."""
        return [ticket for ticket in self.you["tickets"] if not ticket["completed"]]

    @cached_property
    def plan(self) -> Plan:
        """The routes this seat wants."""
        return plan(self.board, self.price, self.open_tickets, self.wagons)

    def keep(self) -> Form:
        """The tickets worth most for the wagons they take, together with those held."""
        offered = {ticket["id"]: ticket for ticket in self.you["offered"]}
        best, most = self.moves[0], float("-inf")
        for move in self.moves:
            wanted = [*self.open_tickets, *(offered[name] for name in move["tickets"])]
            found = plan(self.board, self.price, wanted, min(self.wagons, self.fewest_wagons))
            worth = found.won - found.lost - WAGON_WORTH * found.wagons + self.chance.random() / 100
            if worth > most:
                best, most = move, worth
        return best

    def pay_tunnel(self) -> Form:
        """The payment with fewest locos; giving up only where none is possible."""
        payments = [move for move in self.moves if move["type"] == "tunnel_pay"]
        return min(payments, key=lambda move: int(move["payment"]["locos"])) if payments else self.moves[0]

    def turn(self) -> Form:
        """A claim on the plan, a station for a blocked ticket, a long route, or cards."""
        claims: dict[str, list[Form]] = {}
        others: dict[str, list[Form]] = {}
        for move in self.moves:
            if move["type"] == "claim":
                claims.setdefault(move["route"], []).append(move)
            else:
                others.setdefault(move["type"], []).append(move)
        stations = others.get("build_station", [])
        if self.is_last_turn:
            chosen = self._completing(claims) or self._station(stations, self.open_tickets)
        else:
            chosen = self._planned(claims) or self._station(stations, self.plan.blocked)
        return chosen or self._long(claims) or self._card(others) or self._any(claims)

    def _planned(self, claims: Mapping[str, list[Form]]) -> Form | None:
        """The longest route of the plan that can be paid."""
        payable = [route for route in self.plan.routes if route.id in claims]
        if not payable:
            return None
        return self._cheapest(claims[max(payable, key=lambda route: route.length).id])

    def _completing(self, claims: Mapping[str, list[Form]]) -> Form | None:
        """The route that by itself completes tickets of the greatest value."""
        best, most = "", 0
        for name in claims:
            route = self.board.by_id.get(name)
            if route is not None:
                price = self._only_own()
                price[route.number] = 0
                won = plan(self.board, price, self.open_tickets, 0).won
                if won > most:
                    best, most = name, won
        return self._cheapest(claims[best]) if best else None

    def _only_own(self) -> list[int]:
        """Prices for a seat that can claim nothing more."""
        return [price if price == 0 else CLOSED for price in self.price]

    def _cheapest(self, payments: Sequence[Form]) -> Form:
        """Fewest locos, then the colour that the plan can best spare."""
        needed = demand(self.plan.routes)

        def cost(move: Form) -> tuple[int, int]:
            paid = move["payment"]
            spare = self.hand.get(paid["colour"], 0) - needed.get(paid["colour"], 0) - paid["wagons"]
            return paid["locos"], -spare

        return min(payments, key=cost)

    def _station(self, builds: Sequence[Form], blocked: Iterable[Form]) -> Form | None:
        """A station where a rival's route is all that a ticket lacks, if that is worth more than the station."""
        if not builds:
            return None
        own = self._only_own()
        for ticket in sorted(blocked, key=lambda ticket: -_least(ticket)):
            if 2 * _least(ticket) <= self.board.unused_station_points:
                break
            places = self._loan_places(ticket, own)
            fitting = [move for move in builds if self.board.places.get(move["city"]) in places]
            if fitting:
                return self._cheapest(fitting)
        return None

    def _loan_places(self, ticket: Form, own: Sequence[int]) -> tuple[int, ...]:
        """The ends of a rival's route that would complete the ticket; none if there is no such route."""
        board = self.board
        near, _ = distances(board, own, board.ends(ticket["from"]))
        for target in ticket["targets"]:
            far, _ = distances(board, own, board.ends(target["to"]))
            for name in self.view["routes"]:
                route = board.by_id.get(name)
                if route is not None and (
                    (route.a in near and route.b in far) or (route.b in near and route.a in far)
                ):
                    return route.a, route.b
        return ()

    def _long(self, claims: Mapping[str, list[Form]]) -> Form | None:
        """The longest route, if nothing is planned or the end is near; the fuller the hand the shorter it may be."""
        if not claims or (self.plan.routes and not self.is_late):
            return None
        longest = max(claims.values(), key=_cards_paid)
        held = sum(self.hand.values())
        enough = 1 if self.is_late or held >= FULL_HAND else 4 if held >= GOOD_HAND else 6
        return self._cheapest(longest) if _cards_paid(longest) >= enough else None

    def _card(self, others: Mapping[str, list[Form]]) -> Form | None:
        """The card of the row that helps most, else one from the deck."""
        row: list[str | None] = self.view["row"]
        free = [
            route
            for route in self.board.routes
            if self.price[route.number] > 0 and route.length <= self.wagons
        ]
        wished = wishes(self.board, self.plan.routes, free, self.hand, row)
        best: Form | None = None
        most = 0.0
        for move in others.get("draw_row", []):
            worth = wished.get(row[move["slot"]] or "", 0.0)
            if worth > most:
                best, most = move, worth
        for kind in ("draw_deck", "draw_row"):
            if best is None and kind in others:
                best = others[kind][0]
        return best

    def _any(self, claims: Mapping[str, list[Form]]) -> Form:
        """Whatever is left: a claim rather than new tickets."""
        for payments in claims.values():
            return self._cheapest(payments)
        for kind in ("stop_drawing", "pass", "draw_tickets"):
            for move in self.moves:
                if move["type"] == kind:
                    return move
        return self.moves[0]


def _least(ticket: Form) -> int:
    """What a ticket costs when it is lost."""
    return min(int(target["points"]) for target in ticket["targets"])


def _cards_paid(payments: Sequence[Form]) -> int:
    """The length of the route that these are payments for."""
    paid = payments[0]["payment"]
    return int(paid["wagons"] + paid["locos"])
