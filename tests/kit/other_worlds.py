"""Positions that differ from a given one only in what a viewer may not know."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import turntable_rules as rules_engine
from tests.kit.setting import NAMES
from tests.kit.table import Table

CARD_NAMES = list(NAMES.values())


def other_world(
    table: Table,
    viewer: int | None,
    chance: Random,
    *,
    deck_top: int = 0,
    pile_top: int = 0,
    reseed: bool = True,
) -> Table | None:
    """Another table that the viewer cannot tell from this one; None if the shuffle gave an impossible one.

    The top `deck_top` cards and `pile_top` tickets stay as they are. Without `reseed` so do seed and counter, and
    waiting setup choices keep as many tickets: the last choice makes these numbers public.
    """
    position: dict[str, Any] = json.loads(json.dumps(table.position()))
    _mix_cards(position, viewer, chance, deck_top)
    _mix_tickets(table, position, viewer, chance, pile_top, reseed)
    if reseed:
        position["seed"] = chance.randbytes(32).hex()
        position["draws"] += chance.randrange(5)
    other = Table(rules_engine.from_position(table.state.rules, position))
    return None if rules_engine.invariants(other.state) else other


def _mix_cards(position: dict[str, Any], viewer: int | None, chance: Random, deck_top: int) -> None:
    """Shuffle the deck, road piles, and what other hands hold beyond their public bounds."""
    deck = position["deck"]
    pool = deck[deck_top:]
    dealt_anew: list[tuple[dict[str, Any], str, Counter[str], int]] = []
    for seat, player in enumerate(position["players"]):
        zones = [] if seat == viewer else [("hand", Counter(player["hand_at_least"]))]
        if seat != viewer or seat not in position["options"].get("peek_own_pile", ()):
            zones.append(("road", Counter()))
        for zone, known in zones:
            free = Counter(player[zone])
            free.subtract(known)
            pool += list(free.elements())
            dealt_anew.append((player, zone, known, free.total()))
    chance.shuffle(pool)
    for player, zone, known, size in dealt_anew:
        dealt = known + Counter(pool[:size])
        del pool[:size]
        player[zone] = {card: dealt[card] for card in CARD_NAMES if dealt[card]}
    position["deck"] = deck[:deck_top] + pool


def _mix_tickets(
    table: Table,
    position: dict[str, Any],
    viewer: int | None,
    chance: Random,
    pile_top: int,
    any_number: bool,
) -> None:
    """Shuffle the pile with the tickets of others, long ones among long ones, and choose anew for others at setup."""
    rules = table.state.rules
    long = {name for name, is_long in zip(rules.ticket_ids, rules.ticket_long, strict=True) if is_long}
    places: list[tuple[list[str], int]] = [
        (position["pile"], index) for index in range(pile_top, len(position["pile"]))
    ]
    places += [(position["unseen_out"], index) for index in range(len(position["unseen_out"]))]
    for seat, player in enumerate(position["players"]):
        if seat != viewer:
            for zone in ("tickets", "offer", "out"):
                places += [(player[zone], index) for index in range(len(player[zone]))]
    for kind in (True, False):
        chosen = [(zone, index) for zone, index in places if (zone[index] in long) == kind]
        mixed = [zone[index] for zone, index in chosen]
        chance.shuffle(mixed)
        for (tickets, index), ticket in zip(chosen, mixed, strict=True):
            tickets[index] = ticket
    for seat, player in enumerate(position["players"]):
        if seat != viewer and player["choice"] is not None:
            fewest = rules.edition.setup_keep
            number = chance.randint(fewest, len(player["offer"])) if any_number else len(player["choice"])
            kept = chance.sample(player["offer"], number)
            player["choice"] = [ticket for ticket in player["offer"] if ticket in kept]
