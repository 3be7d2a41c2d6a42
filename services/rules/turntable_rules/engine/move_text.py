"""Moves as one line of text (docs/engine.md)."""

import re

from turntable_rules.engine.moves import (
    BuildStation,
    Claim,
    DrawRow,
    KeepTickets,
    Move,
    Payment,
    PlaySame,
    PlayThree,
    TunnelPay,
    malformed,
    move_from_json,
    move_to_json,
)
from turntable_rules.engine.refusals import IllegalMove, Refusal

_CARDS = re.compile(r"([0-9]{1,3})([a-z]+)")
_SET = re.compile(r"([0-9]{1,3})\+([0-9]{1,3})")


def format_move(move: Move) -> str:
    """The move on one line."""
    match move:
        case KeepTickets(tickets):
            return "keep_tickets " + (",".join(tickets) or "-")
        case DrawRow(slot):
            return f"draw_row {slot}"
        case Claim(route, payment):
            return f"claim {route} {_format_payment(payment)}"
        case BuildStation(city, payment):
            return f"build_station {city} {_format_payment(payment)}"
        case TunnelPay(payment):
            return f"tunnel_pay {_format_payment(payment)}"
        case PlaySame(colour, wagons, locos):
            return f"play_same {colour} {wagons}+{locos}"
        case PlayThree(colours):
            return "play_three " + ",".join(colours)
        case _:
            return str(move_to_json(move)["type"])


def _format_payment(payment: Payment | None) -> str:
    if payment is None:
        return "-"
    parts = [f"{payment.wagons}{payment.colour}"] if payment.wagons else []
    if payment.locos or not parts:
        parts.append(f"{payment.locos}loco")
    return "+".join(parts)


def parse_move(text: str) -> Move:
    """Read a move; raises IllegalMove if the line is none."""
    words = text.split(" ")
    match words:
        case ["keep_tickets", tickets]:
            return KeepTickets(() if tickets == "-" else tuple(tickets.split(",")))
        case ["draw_row", slot] if slot.isascii() and slot.isdigit() and len(slot) < 4:
            return DrawRow(int(slot))
        case ["claim", route]:
            return Claim(route, None)
        case ["claim", route, payment]:
            return Claim(route, _parse_payment(payment))
        case ["build_station", city, payment]:
            return BuildStation(city, _parse_payment(payment))
        case ["tunnel_pay", payment]:
            return TunnelPay(_parse_payment(payment))
        case ["play_same", colour, cards] if found := _SET.fullmatch(cards):
            return PlaySame(colour, int(found[1]), int(found[2]))
        case ["play_three", colours]:
            return PlayThree(tuple(colours.split(",")))
        case [word]:
            return move_from_json({"type": word})
    raise malformed(f"{text!r} is not a move")


def _parse_payment(text: str) -> Payment | None:
    """`2red+1loco`; two colours are refused for what they are (COMMON-CLAIM-2)."""
    if text == "-":
        return None
    colours: dict[str, int] = {}
    locos = 0
    for part in text.split("+"):
        found = _CARDS.fullmatch(part)
        if found is None:
            raise malformed(f"{text!r} is not a payment; write 3red, 2red+1loco or 3loco")
        if found[2] == "loco":
            locos += int(found[1])
        elif int(found[1]):
            colours[found[2]] = colours.get(found[2], 0) + int(found[1])
    if len(colours) > 1:
        named = " and ".join(colours)
        raise IllegalMove(
            Refusal(
                "mixed_colours",
                "COMMON-CLAIM-2",
                f"{named} in one payment",
                "wagon cards of one colour, and locos",
            )
        )
    for colour, wagons in colours.items():
        return Payment(colour, wagons, locos)
    return Payment(None, 0, locos)
