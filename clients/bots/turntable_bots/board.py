"""The board as a bot sees it: plain facts, given once at the start of a game.

{"routes": [{"id", "from", "to", "length", "colour" (null for gray), "kind" ("rail", "ferry" or "tunnel"),
             "locos"?, "takesLocos"?, "points"?, "doubleGroup"?}],
 "countries"?: {id: [exits]}, "tickets": [...] (as in a view), "doubleClosesAll"?, "faceUpLocoCost"?,
 "unusedStationPoints"?}
"""

from dataclasses import dataclass

from turntable_bots.bot import Form


@dataclass(frozen=True, slots=True)
class Route:
    """One track between two places, which have numbers here."""

    number: int
    id: str
    a: int
    b: int
    length: int
    colour: str | None
    locos: int
    """Fewest locos it can be paid with."""
    takes_locos: bool
    points: int
    double_group: str | None


class Board:
    """Routes and places by number; empty where a game has no board."""

    def __init__(self, facts: Form | None) -> None:
        facts = facts or {"routes": ()}
        self.places: dict[str, int] = {}
        self.routes = [self._route(number, route) for number, route in enumerate(facts["routes"])]
        self.countries: dict[str, list[int]] = {
            country: [self._place(name) for name in exits]
            for country, exits in facts.get("countries", {}).items()
        }
        self.by_id = {route.id: route for route in self.routes}
        self.at: list[list[Route]] = [[] for _ in self.places]
        """The routes at each place."""
        groups: dict[str, list[int]] = {}
        for route in self.routes:
            self.at[route.a].append(route)
            self.at[route.b].append(route)
            if route.double_group is not None:
                groups.setdefault(route.double_group, []).append(route.number)
        self.twins: list[list[int]] = [
            [twin for twin in groups.get(route.double_group or "", ()) if twin != route.number]
            for route in self.routes
        ]
        """Per route, the other tracks of its double route."""
        self.double_closes_all = bool(facts.get("doubleClosesAll", True))
        self.face_up_loco_cost = int(facts.get("faceUpLocoCost", 2))
        self.unused_station_points = int(facts.get("unusedStationPoints", 0))

    def _route(self, number: int, route: Form) -> Route:
        return Route(
            number=number,
            id=route["id"],
            a=self._place(route["from"]),
            b=self._place(route["to"]),
            length=route["length"],
            colour=route["colour"],
            locos=route.get("locos", 0),
            takes_locos=route.get("takesLocos", True),
            points=route["points"] if "points" in route else route["length"],
            double_group=route.get("doubleGroup"),
        )

    def _place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))

    def ends(self, name: str) -> list[int]:
        """The places of a city or country; none if no route leads there."""
        if name in self.countries:
            return self.countries[name]
        return [self.places[name]] if name in self.places else []
