"""Bots in seats: leased, thought through in a process of their own, played like anybody's moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.kit.house import NOBODY, House
from turntable_rules import EDITIONS, verify_record
from turntable_session.bots.mind import Mind
from turntable_session.bots.thinker import Question
from turntable_session.bots.worker import Worker
from turntable_session.core.bot_registry import installed_bots
from turntable_session.core.desk import system_clock
from turntable_session.domain.settings import Clock, GameSettings, Policies

pytestmark = pytest.mark.tree


@asynccontextmanager
async def working(house: House, budget: float = 5.0) -> AsyncIterator[Worker]:
    """A worker at work."""
    worker = Worker(house.core, budget)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def finished(house: House, game: str, seconds: float = 60.0) -> None:
    """Wait until a game is over."""
    async with asyncio.timeout(seconds):
        version = 0
        while (
            facts := (await house.sessions.get_view(NOBODY, game, version, 10.0)).game
        ).status != "finished":
            version = facts.version


def outcomes(house: House) -> set[str]:
    """How the decisions of bots went."""
    samples = house.metrics.bot_moves.collect()
    return {sample.labels["outcome"] for metric in samples for sample in metric.samples}


def test_the_bots_are_found_by_their_entry_points() -> None:
    assert {"random", "greedy"} <= installed_bots()


@pytest.mark.parametrize("edition", EDITIONS)
async def test_bots_play_a_whole_game_by_themselves(local: House, edition: str) -> None:
    created = await local.sessions.create_game(
        NOBODY, GameSettings(edition, 2, bots={0: "random", 1: "greedy"})
    )
    game = created.view.game.id
    assert created.view.game.status == "running"
    async with working(local):
        await finished(local, game)
    record = await local.sessions.get_record(NOBODY, game)
    assert verify_record(record).valid
    assert {entry["by"] for entry in record["log"]} == {"bot"}
    assert outcomes(local) == {"played"}


async def test_people_and_bots_play_in_one_game(local: House) -> None:
    table = await local.table("card", 3, bots={1: "greedy"})
    async with working(local):
        async with asyncio.timeout(60):
            while (facts := await local.sessions.get_game(NOBODY, table.id)).status == "running":
                people = [seat for seat in facts.active_seats if seat != 1]
                if not people:
                    await local.sessions.get_view(NOBODY, table.id, facts.version, 5.0)
                    continue
                legal = await local.sessions.legal_moves(table.caller(people[0]), table.id)
                if legal.moves:
                    await local.sessions.play_move(
                        table.caller(people[0]), table.id, legal.version, legal.moves[0]["id"]
                    )
    assert verify_record(await local.sessions.get_record(NOBODY, table.id)).valid


async def test_two_workers_share_games_and_no_turn_is_played_twice(local: House, tmp_path: Path) -> None:
    async with House(local.url, tmp_path, secret=local.secret) as other:
        games = []
        for _ in range(4):
            settings = GameSettings("card", 2, bots={0: "random", 1: "random"})
            games.append((await local.sessions.create_game(NOBODY, settings)).view.game.id)
        async with working(local), working(other):
            for game in games:
                await finished(local, game)
        for game in games:
            assert verify_record(await local.sessions.get_record(NOBODY, game)).valid


async def test_a_bot_plays_for_the_absent_and_a_player_who_returns_has_the_seat_back(local: House) -> None:
    local.now = system_clock()
    clock = Clock("move", turn_ms=10_000, setup_ms=10_000)
    table = await local.table("usa", 2, clock=clock, policies=Policies(timeout="bot"))
    local.now += 10_000
    await local.core.keep_once()
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert [seat.state for seat in facts.seats] == ["away", "away"]
    await local.sessions.return_to_seat(table.caller(0), table.id)
    async with working(local):
        async with asyncio.timeout(20):
            while (facts := await local.sessions.get_game(NOBODY, table.id)).active_seats != [0]:
                if 0 in facts.active_seats:
                    legal = await local.sessions.legal_moves(table.caller(0), table.id)
                    if legal.moves:
                        version, move = legal.version, legal.moves[0]["id"]
                        await local.sessions.play_move(table.caller(0), table.id, version, move)
                await local.sessions.get_view(NOBODY, table.id, facts.version, 1.0)
    facts = await local.sessions.get_game(NOBODY, table.id)
    assert [seat.state for seat in facts.seats] == ["active", "away"]
    assert facts.active_seats == [0], "the bot has played its own turns and none of the player's"


BAD_BOTS = """
import time, os, sys

class Slow:
    def __init__(self, seed, board): pass
    def decide(self, view, legal_moves): time.sleep(60)

class Raises(Slow):
    def decide(self, view, legal_moves): raise RuntimeError(view)

class Dies(Slow):
    def decide(self, view, legal_moves): os._exit(3)

class Cheats(Slow):
    def decide(self, view, legal_moves): return {"id": 999_999}

class Talks(Slow):
    def decide(self, view, legal_moves):
        print("hello " * 1000); sys.stdout.flush()
        return legal_moves[0]
"""
POINTS = "[turntable.bots]\n" + "".join(
    f"{name.lower()} = bad_bots:{name}\n" for name in ("Slow", "Raises", "Dies", "Cheats", "Talks")
)


@pytest.fixture
def bad_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution of bots that misbehave, as somebody might install it."""
    site = tmp_path / "site"
    (site / "bad_bots-1.dist-info").mkdir(parents=True)
    (site / "bad_bots.py").write_text(BAD_BOTS)
    (site / "bad_bots-1.dist-info" / "entry_points.txt").write_text(POINTS)
    (site / "bad_bots-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: bad-bots\nVersion: 1\n"
    )
    root = Path(__file__).resolve().parents[2]
    sources = [site, root / "services/rules", root / "services/session", root / "clients/bots"]
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, sources)))


@pytest.mark.usefixtures("bad_bots")
@pytest.mark.parametrize(
    ("bot", "fault"),
    [("slow", "budget"), ("raises", "RuntimeError"), ("dies", "crash"), ("cheats", "illegal")],
)
async def test_a_bot_that_fails_is_found_out_and_the_next_question_is_answered(bot: str, fault: str) -> None:
    mind = Mind()
    legal = [{"id": 7, "type": "draw_deck"}]
    try:
        await mind.start()
        await mind.ask(
            Question("talks", b"", {}, legal, "b"), {}, 20.0
        )  # the process has started and imported
        answer = await mind.ask(Question(bot, b"", {"version": 1}, legal, "b"), {}, 1.0)
        assert (answer.fault, answer.move) == (fault, -1)
        good = await mind.ask(Question("talks", b"", {}, legal, "b"), {}, 20.0)
        assert (good.fault, good.move) == ("", 7)
    finally:
        await mind.kill()


@pytest.mark.usefixtures("bad_bots")
async def test_the_seat_of_a_failing_bot_plays_the_plainest_move(local: House) -> None:
    local.core.bots = frozenset({"raises"})
    created = await local.sessions.create_game(
        NOBODY, GameSettings("card", 2, bots={0: "raises", 1: "raises"})
    )
    async with working(local, 2.0):
        await finished(local, created.view.game.id)
    record = await local.sessions.get_record(NOBODY, created.view.game.id)
    assert verify_record(record).valid
    assert outcomes(local) == {"RuntimeError"}
    assert (
        record["log"][0]["move"]["type"] == "keep_tickets" and len(record["log"][0]["move"]["tickets"]) == 1
    )
