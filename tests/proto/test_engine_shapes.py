"""Whatever the engine says has a place in the messages: positions, views, results and events of real games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from google.protobuf.descriptor import Descriptor

from tests.proto.shapes import Shapes
from turntable_proto.game.v1 import event_pb2, options_pb2, position_pb2, result_pb2, view_pb2
from turntable_rules import (
    EDITIONS,
    Event,
    State,
    apply,
    legal_actions,
    new_game,
    result_to_json,
    retire,
    ruleset,
    score,
    seats_to_act,
    to_position,
    view,
)

ENGINE_MD = (Path(__file__).resolve().parents[2] / "docs" / "engine.md").read_text("utf-8")


def play(
    edition: str, players: int, options: dict[str, object], quitter: bool
) -> Iterator[tuple[State, list[Event]]]:
    """A random game, state by state; a seat may leave in the middle."""
    chance = Random(f"{edition} {players} {quitter}")
    events: list[Event] = []
    state = new_game(ruleset(edition, players, options), chance.randbytes(32), events)
    yield state, events
    moves = 0
    while seats_to_act(state):
        seat = chance.choice(seats_to_act(state))
        if quitter and moves == 60:
            yield state, retire(state, seat)
        else:
            yield state, apply(state, seat, chance.choice(legal_actions(state, seat)))
        moves += 1


def games() -> Iterator[tuple[State, list[Event]]]:
    for name, edition in EDITIONS.items():
        peek: dict[str, object] = {"peek_own_pile": [0]} if edition.yards else {}
        yield from play(name, edition.max_players, peek, quitter=False)
        yield from play(
            name, edition.min_players, {**peek, "max_turns": 80, "first_player": 1}, quitter=False
        )
        yield from play(name, edition.max_players, {}, quitter=True)


@pytest.fixture(scope="module")
def shapes() -> Shapes:
    """Everything the engine said in a number of games, compared with the messages."""
    found = Shapes()
    for count, (state, events) in enumerate(games()):
        for event in events:
            compare_event(found, event)
        if count % 7 == 0 or not seats_to_act(state):
            found.message(to_position(state), position_pb2.Position.DESCRIPTOR)
            for seat in (None, 0, 1):
                found.message(view(state, seat), view_pb2.View.DESCRIPTOR)
        if not seats_to_act(state):
            found.message(result_to_json(score(state)), result_pb2.GameResult.DESCRIPTOR)
    return found


def compare_event(found: Shapes, event: Event) -> None:
    parts = [(event_pb2.Event.DESCRIPTOR, event.public)]
    if event.private is not None:
        parts.append((event_pb2.PrivatePart.DESCRIPTOR, event.private))
    for kind, facts in parts:
        field = kind.fields_by_name.get(event.type)
        if field is None or field.containing_oneof is None:
            found.faults.add(f"{kind.name} has no {event.type}")
            continue
        assert field.message_type is not None
        found.message(facts, field.message_type)
        if set(facts) != set(field.message_type.fields_by_name):
            found.faults.add(f"{field.message_type.name} has other fields than {sorted(facts)}")


def test_everything_the_engine_says_fits_a_message(shapes: Shapes) -> None:
    assert sorted(shapes.faults) == []


@pytest.mark.parametrize(
    "kind",
    [
        options_pb2.GameOptions.DESCRIPTOR,
        position_pb2.Position.DESCRIPTOR,
        position_pb2.PlayerPosition.DESCRIPTOR,
        position_pb2.Tunnel.DESCRIPTOR,
        view_pb2.View.DESCRIPTOR,
        view_pb2.PlayerView.DESCRIPTOR,
        view_pb2.OwnView.DESCRIPTOR,
        view_pb2.HeldTicket.DESCRIPTOR,
        view_pb2.Revealed.DESCRIPTOR,
        view_pb2.RevealedPlayer.DESCRIPTOR,
        result_pb2.GameResult.DESCRIPTOR,
        result_pb2.SeatResult.DESCRIPTOR,
        result_pb2.LongestPath.DESCRIPTOR,
        result_pb2.TicketResult.DESCRIPTOR,
        result_pb2.Loan.DESCRIPTOR,
        result_pb2.CityBonus.DESCRIPTOR,
    ],
    ids=lambda kind: kind.name,
)
def test_no_message_has_a_field_the_engine_never_fills(shapes: Shapes, kind: Descriptor) -> None:
    """So that a field cannot outlive what it was made for, nor a secret slip into a view unnoticed."""
    assert shapes.unmet(kind) == set()


def documented(column: int) -> dict[str, set[str]]:
    """Event types and their fields as the table of docs/engine.md lists them."""
    section = ENGINE_MD.split("\n## Events\n")[1].split("\n## ")[0]
    table: dict[str, set[str]] = {}
    for line in section.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            fields = re.sub(r"\([^)]*\)", "", cells[column])
            for name in re.findall(r"`(\w+)`", cells[0]):
                table[name] = {field.strip() for field in fields.split(",") if field.strip()}
    return table


def fields_in(kind: Descriptor) -> dict[str, set[str]]:
    return {
        field.name: set(field.message_type.fields_by_name)
        for field in kind.oneofs_by_name["type"].fields
        if field.message_type is not None
    }


def test_every_documented_event_has_its_message() -> None:
    assert fields_in(event_pb2.Event.DESCRIPTOR) == documented(1)


def test_every_documented_private_part_has_its_message() -> None:
    private = {name: fields for name, fields in documented(2).items() if fields}
    assert fields_in(event_pb2.PrivatePart.DESCRIPTOR) == private
