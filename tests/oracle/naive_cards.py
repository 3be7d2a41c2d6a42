"""Counting cards, payments, and the deck, row and discard (COMMON-DECK, COMMON-ROW, COMMON-FLUSH)."""

from typing import Any

from .naive_random import shuffled
from .naive_rules import CARDS, COLOURS, LOCO, Counts, Position, is_card


def add(counts: Counts, card: str, number: int = 1) -> None:
    """Add cards to a count object, leaving zero counts out."""
    total = counts.get(card, 0) + number
    if total < 0:
        raise AssertionError(f"fewer than no {card} cards")
    counts.pop(card, None)
    if total > 0:
        counts[card] = total


def cards_in(counts: Counts) -> list[str]:
    """List the cards of a count object, sorted by number."""
    return [card for card in CARDS for _ in range(counts.get(card, 0))]


def payment(colour: str | None, wagons: int, locos: int) -> dict[str, Any]:
    """Make a payment; the colour is null exactly when no wagon card is in it (0.3)."""
    return {"colour": colour if wagons > 0 else None, "wagons": wagons, "locos": locos}


def payment_counts(paid: dict[str, Any]) -> Counts:
    """Give the cards of a payment."""
    counts: Counts = {}
    if paid["wagons"] > 0:
        add(counts, paid["colour"], paid["wagons"])
    if paid["locos"] > 0:
        add(counts, LOCO, paid["locos"])
    return counts


def payment_text(paid: dict[str, Any]) -> str:
    """Write a payment: 3red, 2red+1loco or 3loco."""
    parts = []
    if paid["wagons"] > 0:
        parts.append(f"{paid['wagons']}{paid['colour']}")
    if paid["locos"] > 0:
        parts.append(f"{paid['locos']}{LOCO}")
    return "+".join(parts)


def parse_payment(text: str) -> dict[str, Any]:
    """Read what `payment_text` writes."""
    paid = payment(None, 0, 0)
    for part in text.split("+"):
        number = int("".join(c for c in part if c.isdigit()))
        card = "".join(c for c in part if not c.isdigit())
        if card == LOCO:
            paid["locos"] = number
        else:
            paid["wagons"] = number
            paid["colour"] = card
    return paid


def holds(hand: Counts, paid: dict[str, Any]) -> bool:
    """Tell whether a hand has the cards of a payment."""
    return all(hand.get(card, 0) >= number for card, number in payment_counts(paid).items())


def leave_hand(player: dict[str, Any], counts: Counts) -> None:
    """Take cards out of a hand, lowering the public bound (INFO-INFER-2)."""
    for card, number in counts.items():
        add(player["hand"], card, -number)
        add(player["hand_at_least"], card, -min(number, player["hand_at_least"].get(card, 0)))


def return_to_hand(player: dict[str, Any], counts: Counts) -> None:
    """Give committed cards back to a hand, raising the public bound (INFO-INFER-2)."""
    for card, number in counts.items():
        add(player["hand"], card, number)
        add(player["hand_at_least"], card, number)


def reshuffle_if_empty(position: Position) -> None:
    """Make the discard the new deck as soon as the deck is empty (COMMON-DECK-3, CARD-DRAW-3)."""
    if is_card(position) or position["deck"] or not position["discard"]:
        return
    bottom_to_top = shuffled(position, cards_in(position["discard"]))
    position["deck"] = bottom_to_top[::-1]
    position["discard"] = {}


def draw_from_deck(position: Position) -> str:
    """Take the top card of the deck, reshuffling at once when that empties it."""
    card: str = position["deck"].pop(0)
    reshuffle_if_empty(position)
    return card


def fill_row(position: Position) -> None:
    """Fill empty slots, the lowest first (COMMON-DECK-6 b, COMMON-ROW-1, CARD-DRAW-4)."""
    for slot in range(5):
        if position["row"][slot] is None and position["deck"]:
            position["row"][slot] = draw_from_deck(position)
            position["row_stands"] = False


def flush_is_due(position: Position) -> bool:
    """Test COMMON-FLUSH-1, -2, -5 and -6 one by one."""
    row = position["row"]
    if None in row:
        return False
    if row.count(LOCO) < 3:
        return False
    loose = row + position["deck"] + cards_in(position["discard"])
    return sum(card in COLOURS for card in loose) >= 3


def settle(position: Position) -> None:
    """Reshuffle, fill the row and flush until nothing changes (COMMON-DECK-6)."""
    if is_card(position):
        fill_row(position)
        return
    flushes = 0
    while True:
        reshuffle_if_empty(position)
        fill_row(position)
        if not flush_is_due(position) or position["row_stands"]:
            return
        if flushes == position["options"]["flush_limit"]:
            position["row_stands"] = True  # COMMON-FLUSH-7
            return
        for slot in range(5):
            add(position["discard"], position["row"][slot])
            position["row"][slot] = None
        position["row_stands"] = False
        flushes += 1
