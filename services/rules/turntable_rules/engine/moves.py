"""Typed moves, as people and programs outside the engine name them, and their JSON shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from turntable_rules.engine.refusals import IllegalMove, Refusal


@dataclass(frozen=True)
class Payment:
    """Cards played; `colour` is None exactly when there are no wagon cards."""

    colour: str | None
    wagons: int
    locos: int


@dataclass(frozen=True)
class KeepTickets:
    """Keep these of the tickets offered."""

    tickets: tuple[str, ...]


@dataclass(frozen=True)
class DrawDeck:
    """Draw a train card blind."""


@dataclass(frozen=True)
class DrawRow:
    """Take a face-up train card."""

    slot: int


@dataclass(frozen=True)
class DrawTickets:
    """Draw tickets to choose from."""


@dataclass(frozen=True)
class Claim:
    """Claim a route, or attempt a tunnel; the payment has to be named (COMMON-CLAIM-14)."""

    route: str
    payment: Payment | None


@dataclass(frozen=True)
class BuildStation:
    """Build a station on a city."""

    city: str
    payment: Payment | None


@dataclass(frozen=True)
class TunnelPay:
    """Play the extra cards due for a tunnel."""

    payment: Payment | None


@dataclass(frozen=True)
class TunnelAbandon:
    """Give the tunnel up and take the base cards back."""


@dataclass(frozen=True)
class StopDrawing:
    """Be content with one card."""


@dataclass(frozen=True)
class PlaySame:
    """Place a set of one colour in the yard."""

    colour: str
    wagons: int
    locos: int


@dataclass(frozen=True)
class PlayThree:
    """Place three cards of three colours in the yard."""

    colours: tuple[str, ...]


@dataclass(frozen=True)
class Pass:
    """Do nothing, where nothing can be done."""


Move: TypeAlias = (
    KeepTickets
    | DrawDeck
    | DrawRow
    | DrawTickets
    | Claim
    | BuildStation
    | TunnelPay
    | TunnelAbandon
    | StopDrawing
    | PlaySame
    | PlayThree
    | Pass
)

_WORDLESS: dict[str, Move] = {
    "draw_deck": DrawDeck(),
    "draw_tickets": DrawTickets(),
    "tunnel_abandon": TunnelAbandon(),
    "stop_drawing": StopDrawing(),
    "pass": Pass(),
}
_NAME_OF_WORDLESS = {move: name for name, move in _WORDLESS.items()}


def malformed(message: str) -> IllegalMove:
    """A move that cannot be read at all."""
    return IllegalMove(Refusal("malformed_move", "FSM-13", message))


def move_to_json(move: Move) -> dict[str, object]:
    """The move as `{"type": ...}`."""
    match move:
        case KeepTickets(tickets):
            return {"type": "keep_tickets", "tickets": list(tickets)}
        case DrawRow(slot):
            return {"type": "draw_row", "slot": slot}
        case Claim(route, payment):
            return {"type": "claim", "route": route, "payment": _payment_to_json(payment)}
        case BuildStation(city, payment):
            return {"type": "build_station", "city": city, "payment": _payment_to_json(payment)}
        case TunnelPay(payment):
            return {"type": "tunnel_pay", "payment": _payment_to_json(payment)}
        case PlaySame(colour, wagons, locos):
            return {"type": "play_same", "colour": colour, "wagons": wagons, "locos": locos}
        case PlayThree(colours):
            return {"type": "play_three", "colours": list(colours)}
        case _:
            return {"type": _NAME_OF_WORDLESS[move]}


def _payment_to_json(payment: Payment | None) -> dict[str, object] | None:
    if payment is None:
        return None
    return {"colour": payment.colour, "wagons": payment.wagons, "locos": payment.locos}


def move_from_json(data: object) -> Move:
    """Read a move; raises IllegalMove with `malformed_move` for anything that is not one."""
    if not isinstance(data, Mapping):
        raise malformed("a move is an object with a type")
    fields = _Fields(data)
    kind = fields.text("type")
    if kind in _WORDLESS:
        move: Move = _WORDLESS[kind]
    elif kind == "keep_tickets":
        move = KeepTickets(fields.texts("tickets"))
    elif kind == "draw_row":
        move = DrawRow(fields.number("slot"))
    elif kind == "claim":
        move = Claim(fields.text("route"), fields.payment())
    elif kind == "build_station":
        move = BuildStation(fields.text("city"), fields.payment())
    elif kind == "tunnel_pay":
        move = TunnelPay(fields.payment())
    elif kind == "play_same":
        move = PlaySame(fields.text("colour"), fields.number("wagons"), fields.number("locos"))
    elif kind == "play_three":
        move = PlayThree(fields.texts("colours"))
    else:
        raise malformed(f"no move is called {kind!r}")
    fields.no_others()
    return move


class _Fields:
    """Reads the fields of one object, each of the right type."""

    def __init__(self, data: Mapping[object, object]) -> None:
        self.data = data
        self.read: set[str] = set()

    def get(self, name: str) -> object:
        self.read.add(name)
        if name not in self.data:
            raise malformed(f"{name} is missing")
        return self.data[name]

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise malformed(f"{name} is not a text")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.get(name)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            raise malformed(f"{name} is not a list of texts")
        return tuple(value)

    def number(self, name: str) -> int:
        value = self.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise malformed(f"{name} is not a whole number")
        return value

    def payment(self) -> Payment | None:
        self.read.add("payment")
        value = self.data.get("payment")
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise malformed("payment is not an object")
        fields = _Fields(value)
        colour = None if fields.get("colour") is None else fields.text("colour")
        payment = Payment(colour, fields.number("wagons"), fields.number("locos"))
        fields.no_others()
        return payment

    def no_others(self) -> None:
        for name in self.data:
            if name not in self.read:
                raise malformed(f"{str(name)!r} does not belong to this move")
