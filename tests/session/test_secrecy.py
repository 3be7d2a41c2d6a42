"""Secrets stay secret: tokens are kept as hashes, and no log, metric, error or representation tells anything."""

from __future__ import annotations

import logging
from random import Random

import pytest
from prometheus_client import generate_latest

from tests.kit.house import NOBODY, OPERATOR, House
from tests.kit.other_worlds import other_world
from tests.kit.table import Table
from turntable_rules import State
from turntable_session.core.port import Caller
from turntable_session.domain.game import Game
from turntable_session.domain.rules import Position
from turntable_session.problems import Problem
from turntable_session.store import names

pytestmark = pytest.mark.tree


async def test_no_secret_is_in_a_log_a_metric_an_error_or_a_representation(
    local: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = await local.table("europe", 3, visibility="private")
    said: list[str] = []
    random = Random(1)
    for number in range(60):
        await table.move(random)
        game = await local.core.desk.fresh(table.id)
        said += [repr(game), repr(game.position), repr(table.host), repr(local.core.access)]
        for attempt in ({"type": "claim", "route": "x", "payment": {}}, 4711, "claim nowhere 3red", {}):
            with pytest.raises(Problem) as caught:
                await local.sessions.play_move(
                    table.caller(number % 3), table.id, game.sheet.version, attempt
                )
            said += [repr(caught.value), str(caught.value), str(caught.value.facts), str(caught.value.faults)]
    await local.sessions.freeze_game(table.host, table.id, "why not")
    sheet = (await local.core.desk.fresh(table.id)).sheet
    state: State = (await local.core.desk.fresh(table.id)).position.handle  # type: ignore[union-attr]
    said += [record.getMessage() + str(record.__dict__) for record in caplog.records]
    said.append(generate_latest(local.metrics.registry).decode())
    text = "\n".join(said)
    secrets = [sheet.seed.hex(), repr(sheet.seed)[2:-1], state.deck.hex(), repr(state.deck)[2:-1]]
    secrets += [*table.tokens.values(), table.host.token, table.invite, OPERATOR, local.secret.hex()]
    _, commits = await local.core.desk.history(table.id, sheet.version)
    secrets += [commit.entry.hash.hex() for commit in commits if commit.entry.hash]
    for secret in secrets:
        assert secret not in text


async def test_tokens_are_stored_as_hashes_only(local: House) -> None:
    table = await local.table("usa", 2, visibility="private")
    await table.play(30)
    lane = local.store.servers.lane(int(table.id[:4]))
    stored = b""
    for key in names.all_of(table.id):
        stored += await lane.call(("DUMP", key))
    head = await lane.call(("HGETALL", names.head(table.id)))
    entries = await local.store.entries(table.id, 1, 40)
    everything = stored + b"".join(head) + b"".join(entries)
    for token in (*table.tokens.values(), table.host.token, table.invite):
        assert token.encode() not in everything and token[4:].encode() not in everything


async def test_tokens_of_other_games_and_near_misses_open_nothing(local: House) -> None:
    table, other = await local.table(), await local.table()
    token = table.tokens[0]
    for wrong in (
        other.tokens[0],
        other.host.token,
        token[:-1],
        token + "A",
        token.swapcase(),
        "tts_",
        " " + token,
    ):
        with pytest.raises(Problem) as caught:
            await local.sessions.legal_moves(Caller(wrong), table.id)
        assert caught.value.code == "unauthenticated"
    with pytest.raises(Problem) as caught:
        await local.sessions.legal_moves(NOBODY, table.id)
    assert caught.value.code == "unauthenticated"
    with pytest.raises(Problem) as caught:
        await local.sessions.play_move(table.host, table.id, 3, {"type": "draw_deck"})
    assert caught.value.code == "forbidden"


@pytest.mark.parametrize("edition", ["usa", "europe", "card"])
async def test_a_seat_gets_equal_answers_in_worlds_that_differ_only_in_what_it_may_not_know(
    local: House, edition: str
) -> None:
    table = await local.table(edition, 3)
    random = Random(7)
    compared = 0
    for _ in range(25):
        await table.move(random)
        game = await local.core.desk.fresh(table.id)
        assert game.position is not None
        for seat in range(3):
            answers = await everything_for(local, game, seat)
            world = other_world(Table(game.position.handle.clone()), seat, random)
            if world is not None:
                position = Position(
                    world.state, game.position.phase, game.position.active_seats, game.position.turn
                )
                elsewhere = Game(game.sheet, game.table, position)
                assert await everything_for(local, elsewhere, seat) == answers
                compared += 1
    assert compared >= 50


async def everything_for(house: House, game: Game, seat: int) -> list[object]:
    view = await house.core.view_of(game, seat)
    assert game.position is not None
    legal = await house.core.desk.rules.legal_moves(game.position, seat)
    return [view.game, view.view, view.result, legal]
