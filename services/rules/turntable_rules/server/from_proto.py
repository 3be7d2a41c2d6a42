"""Protobuf messages as the engine's plain data: options, typed moves and readable positions."""

from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from turntable_proto.game.v1 import move_pb2, options_pb2, position_pb2
from turntable_rules import Move
from turntable_rules.engine.cards import CARD_NAMES
from turntable_rules.engine.moves import (
    BuildStation,
    Claim,
    DrawDeck,
    DrawRow,
    DrawTickets,
    KeepTickets,
    Pass,
    Payment,
    PlaySame,
    PlayThree,
    StopDrawing,
    TunnelAbandon,
    TunnelPay,
)
from turntable_rules.server.errors import malformed
from turntable_rules.server.to_proto import enum_prefix, fields_of

_WORDLESS: dict[str, Move] = {
    "draw_deck": DrawDeck(),
    "draw_tickets": DrawTickets(),
    "tunnel_abandon": TunnelAbandon(),
    "stop_drawing": StopDrawing(),
    "pass_turn": Pass(),
}


def options_given(options: options_pb2.GameOptions) -> dict[str, object]:
    """The options a message names, by the engine's names."""
    given: dict[str, object] = {}
    for field, value in options.ListFields():
        if field.enum_type is not None:
            given[field.name] = _enum_name(field.enum_type, value, field.name)
        elif field.is_repeated:
            given[field.name] = list(value)
        else:
            given[field.name] = value
    return given


def _enum_name(enum: Any, number: int, where: str) -> str:
    value = enum.values_by_number.get(number)
    if value is None:
        raise malformed(f"{where}: {number} is not a value of {enum.name}")
    return str(value.name.removeprefix(enum_prefix(enum)).lower())


def card_name(card: int, where: str) -> str:
    """The name of a card that has to be one."""
    if not 1 <= card <= len(CARD_NAMES):
        raise malformed(f"{where}: {card} is not a card")
    return CARD_NAMES[card - 1]


def move_from_proto(message: move_pb2.Move) -> Move:
    """A typed move; whether it is legal is another question."""
    kind = message.WhichOneof("move")
    match kind:
        case None:
            raise malformed("the move is empty")
        case "keep_tickets":
            return KeepTickets(tuple(message.keep_tickets.tickets))
        case "draw_row":
            return DrawRow(message.draw_row.slot)
        case "claim":
            return Claim(message.claim.route, _payment(message.claim))
        case "build_station":
            return BuildStation(message.build_station.city, _payment(message.build_station))
        case "tunnel_pay":
            return TunnelPay(_payment(message.tunnel_pay))
        case "play_same":
            same = message.play_same
            return PlaySame(card_name(same.colour, "colour"), same.wagons, same.locos)
        case "play_three":
            return PlayThree(tuple(card_name(card, "colours") for card in message.play_three.colours))
        case _:
            return _WORDLESS[kind]


def _payment(message: move_pb2.Claim | move_pb2.BuildStation | move_pb2.TunnelPay) -> Payment | None:
    if not message.HasField("payment"):
        return None
    payment = message.payment
    colour = card_name(payment.colour, "payment.colour") if payment.colour else None
    return Payment(colour, payment.wagons, payment.locos)


def position_from_proto(message: position_pb2.Position, options: dict[str, object]) -> dict[str, object]:
    """A readable position; `options` are those of its ruleset, complete."""
    position = read(message, "position")
    position["options"] = options
    return position


def read(message: Message, where: str) -> dict[str, object]:
    """A message as plain data: absent is null, enums are names, lists of counts and owners are objects."""
    facts: dict[str, object] = {}
    for name, field in fields_of(message).items():
        if name == "options":
            continue
        value = getattr(message, name)
        inside = f"{where}.{name}"
        if field.is_repeated:
            facts[name] = _read_list(field, value, inside)
        elif field.has_presence and not message.HasField(name):
            facts[name] = None
        elif field.message_type is not None:
            facts[name] = (
                list(value.tickets) if field.message_type.name == "TicketChoice" else read(value, inside)
            )
        elif field.enum_type is not None:
            facts[name] = _enum_name(field.enum_type, value, inside) if value else None
        elif isinstance(value, bytes):
            facts[name] = value.hex()
        else:
            facts[name] = value
    return facts


def _read_list(field: Any, value: Sequence[Any], where: str) -> object:
    kind = field.message_type
    if kind is None:
        if field.enum_type is None:
            return list(value)
        return [_enum_name(field.enum_type, item, where) if item else None for item in value]
    if kind.name == "CardCount":
        return _unique([(card_name(item.card, where), item.count) for item in value], where, "counted twice")
    if kind.name == "RouteOwner":
        return _unique([(item.route, item.seat) for item in value], where, "owned twice")
    return [read(item, f"{where}[{index}]") for index, item in enumerate(value)]


def _unique(pairs: list[tuple[str, int]], where: str, fault: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in pairs:
        if name in found:
            raise malformed("the position is not sound", [f"{where}: {name} is {fault}"])
        found[name] = number
    return found
