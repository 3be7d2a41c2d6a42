"""Positions for tests: say what matters, the rest is filled in so that every card and ticket exists once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import turntable_rules as rules_engine
from turntable_rules.engine.cards import CARD_LETTERS, CARD_NAMES

NAMES = dict(zip(CARD_LETTERS, CARD_NAMES, strict=True))
SEED = bytes(range(32))


def cards(letters: str) -> list[str]:
    """Card names from letters `p w u y o k r g L` (blue is u, black is k); blanks are ignored."""
    return [NAMES[letter] for letter in letters.replace(" ", "")]


def counts(letters: str) -> dict[str, int]:
    """Card name to count, in card order."""
    listed = cards(letters)
    return {name: listed.count(name) for name in CARD_NAMES if name in listed}


def setting(
    edition: str,
    players: int = 2,
    *,
    options: Mapping[str, object] | None = None,
    board: rules_engine.Board | None = None,
    seed: bytes = SEED,
    phase: str | None = None,
    active: int = 0,
    hands: Mapping[int, str] | None = None,
    row: str = "rrruu",
    deck_top: str = "",
    deck: str | None = None,
    discard: str | None = None,
    spare: str | int = "deck",
    tickets: Mapping[int, Sequence[str]] | None = None,
    offers: Mapping[int, Sequence[str]] | None = None,
    pile: Sequence[str] | None = None,
    routes: Mapping[str, int] | None = None,
    stations: Mapping[int, Sequence[str]] | None = None,
    yards: Mapping[int, Mapping[str, tuple[int, int]]] | None = None,
    roads: Mapping[int, str] | None = None,
    completed: Mapping[int, Sequence[str]] | None = None,
    wagons: Mapping[int, int] | None = None,
    retired: Sequence[int] = (),
    final_turns_left: int | None = None,
    turns: int = 10,
    round: int = 1,
    passed: Sequence[int] = (),
    row_stands: bool = False,
    tunnel: Mapping[str, Any] | None = None,
    **more: object,
) -> dict[str, Any]:
    """A readable position at the start of a turn of `active`.

    Cards not named anywhere go under `deck_top` in a fixed mixed order, or where `spare` says: "deck", "discard",
    or a seat whose hand takes them. With `deck` the deck is exactly that (top first). `row` has five letters, `.` for
    an empty slot. Tickets not named lie in the pile below those of `pile`; with spare tickets unwanted, say
    `pile=[...]` and `out_rest=True`. Reserves and scores follow from the routes unless `wagons` says otherwise.
    """
    ruleset = rules_engine.ruleset(edition, players, options, board)
    out_rest = bool(more.pop("out_rest", False))
    position: dict[str, Any] = {
        "format": "turntable-position/1",
        "edition": edition,
        "player_count": players,
        "options": ruleset.options.to_json(ruleset.edition),
        "board": ruleset.digest,
        "seed": seed.hex(),
        "draws": 7,
        "phase": phase or ("action" if ruleset.yards else "turn_start"),
        "active": active,
        "first": 0,
        "turns": turns,
        "round": round,
        "final_turns_left": final_turns_left,
        "passed": list(passed),
        "row_stands": row_stands,
        "ending": None,
        "row": [None if letter == "." else NAMES[letter] for letter in row],
        "discard": counts(discard or ""),
        "unseen_out": [],
        "routes": dict(routes or {}),
        "tunnel": dict(tunnel) if tunnel else None,
    }
    position["players"] = [
        {
            "hand": counts((hands or {}).get(seat, "")),
            "hand_at_least": {},
            "tickets": list((tickets or {}).get(seat, ())),
            "offer": list((offers or {}).get(seat, ())),
            "choice": None,
            "out": [],
            "completed": list((completed or {}).get(seat, ())),
            "wagons": 0,
            "score": 0,
            "stations": list((stations or {}).get(seat, ())),
            "retired": seat in retired,
            "yard": [
                {"colour": colour, "wagons": column[0], "locos": column[1]}
                for colour, column in sorted(
                    (yards or {}).get(seat, {}).items(), key=lambda c: CARD_NAMES.index(c[0])
                )
            ],
            "road": counts((roads or {}).get(seat, "")),
        }
        for seat in range(players)
    ]
    _count_pieces(ruleset, position, wagons or {})
    _fill_cards(ruleset, position, deck_top, deck, discard, spare)
    _fill_tickets(ruleset, position, pile, out_rest)
    position.update(more)
    return position


def _count_pieces(ruleset: rules_engine.Ruleset, position: dict[str, Any], wagons: Mapping[int, int]) -> None:
    points = {ticket: ruleset.ticket_points[index][0] for ticket, index in ruleset.ticket_index.items()}
    for seat, player in enumerate(position["players"]):
        own = [ruleset.route_index[route] for route, owner in position["routes"].items() if owner == seat]
        reserve = ruleset.edition.wagons - sum(ruleset.route_length[route] for route in own)
        player["wagons"] = wagons.get(seat, reserve)
        player["score"] = (0 if ruleset.yards else ruleset.options.start_score) + sum(
            ruleset.route_points[route] for route in own
        )
        player["score"] += sum(points[ticket] for ticket in player["completed"])


def _fill_cards(
    ruleset: rules_engine.Ruleset,
    position: dict[str, Any],
    deck_top: str,
    deck: str | None,
    discard: str | None,
    spare: str | int,
) -> None:
    left = dict(zip(CARD_NAMES, ruleset.composition, strict=True))

    def take(zone: Mapping[str, int]) -> None:
        for card, count in zone.items():
            left[card] -= count

    top = cards(deck if deck is not None else deck_top)
    take({card: top.count(card) for card in set(top)})
    take({card: position["row"].count(card) for card in CARD_NAMES})
    take(position["discard"])
    for player in position["players"]:
        take(player["hand"])
        take(player["road"])
        for column in player["yard"]:
            take({column["colour"]: column["wagons"], "loco": column["locos"]})
    if position["tunnel"]:
        payment, revealed = position["tunnel"]["payment"], position["tunnel"]["revealed"]
        if payment["colour"]:
            take({payment["colour"]: payment["wagons"]})
        take({"loco": payment["locos"]})
        take({card: revealed.count(card) for card in CARD_NAMES})
    short = {card: count for card, count in left.items() if count < 0}
    assert not short, f"more cards named than exist: {short}"
    if spare == "deck":
        assert deck is None, "with an exact deck say where the spare cards go"
        # One of each in turn, so that the spare deck is mixed and ends in coloured cards.
        for turn in range(max(left.values())):
            top += [card for card in CARD_NAMES if left[card] > turn]
    else:
        zone = position["discard"] if spare == "discard" else position["players"][spare]["hand"]
        for card in CARD_NAMES:
            if left[card]:
                zone[card] = zone.get(card, 0) + left[card]
    position["deck"] = top


def _fill_tickets(
    ruleset: rules_engine.Ruleset, position: dict[str, Any], pile: Sequence[str] | None, out_rest: bool
) -> None:
    named = list(pile or ())
    for player in position["players"]:
        named += player["tickets"] + player["offer"] + player["out"] + player["completed"]
    rest = [ticket for ticket in ruleset.ticket_ids if ticket not in named]
    if ruleset.edition.long_tickets_dealt:
        long = {ruleset.ticket_ids[t] for t, is_long in enumerate(ruleset.ticket_long) if is_long}
        position["unseen_out"] = [ticket for ticket in rest if ticket in long]
        rest = [ticket for ticket in rest if ticket not in long]
    position["pile"] = list(pile or ())
    if out_rest:
        position["players"][0]["out"] += rest
    else:
        position["pile"] += rest
