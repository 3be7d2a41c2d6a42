"""Processes are killed or stand still while games end: each has one record, and it is that of its log."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.kit.fault_clients import Client
from tests.kit.fault_processes import OPERATOR, Service, settings_for
from tests.kit.house import NOBODY, House
from tests.kit.redis_servers import RedisServer, embedded_binary
from turntable_rules import verify_record
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.archive import DirectoryArchive
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings
from turntable_session.store import names
from turntable_session.store.servers import StoreError
from turntable_session.wiring import CoreSettings, open_core

pytestmark = [pytest.mark.tree, pytest.mark.timeout(110)]

GAMES = 60


async def finished_game(client: Client, number: int) -> str:
    """A game of some moves, ended by an operator's decision."""
    settings, host = GameSettings("card", 2), Caller("", "host")
    created = await client.insist(lambda door: door.create_game(host, settings, None, f"game {number}"))
    game = created.view.game.id
    tokens = []
    for name in ("Ann", "Bo"):
        taken = await client.insist(
            lambda door, name=name: door.take_seat(host, game, name, key=f"{number} {name}")  # type: ignore[misc]
        )
        tokens.append(Caller(taken.token))
    for token in tokens:
        legal = await client.insist(lambda door, token=token: door.legal_moves(token, game))  # type: ignore[misc]
        move = legal.moves[0]["id"]
        await client.insist(
            lambda door, token=token, at=legal.version, move=move: door.play_move(token, game, at, move, "m")  # type: ignore[misc]
        )
    await client.insist(lambda door: door.adjudicate_game(Caller(OPERATOR), game, [number % 2], key="end"))
    return game


async def test_processes_killed_while_games_end_lose_and_double_no_record(tmp_path: Path) -> None:
    with RedisServer(embedded_binary(), tmp_path / "store", appendfsync="everysec") as redis:
        settings = settings_for(redis.url, str(tmp_path / "data"), tick_seconds="0.02")
        with Service(settings) as one, Service(settings) as other:
            doors = [RemoteSessions(f"grpc://{service.address}", seconds=1.0) for service in (one, other)]
            client = Client(doors, 0, Counter())
            random = Random(1)
            games: list[str] = []

            async def finish() -> None:
                for number in range(GAMES):
                    games.append(await finished_game(client, number))

            finishing = asyncio.create_task(finish())
            kills = 0
            while not finishing.done() or kills < 8:
                await asyncio.sleep(random.random() * 0.2)
                victim = random.choice((one, other))
                if kills % 4 == 3:
                    victim.pause()
                    await asyncio.sleep(0.3)
                    victim.resume()
                else:
                    await asyncio.to_thread(victim.restart)
                kills += 1
            await finishing
            with redis.client() as asked:
                async with asyncio.timeout(30):
                    while any(asked.pttl(names.log(game)) < 0 for game in games):
                        await asyncio.sleep(0.05)
            archive = tmp_path / "data" / "archive"
            records = {path.stem: json.loads(path.read_text()) for path in archive.rglob("*.json")}
            assert sorted(records) == sorted(games) and len(games) == GAMES
            for game, record in records.items():
                assert verify_record(record).valid
                assert record == await client.insist(lambda door, game=game: door.get_record(NOBODY, game))  # type: ignore[misc]
            for door in doors:
                await door.close()


async def test_a_record_of_an_end_that_was_lost_gives_way_to_that_of_the_log(tmp_path: Path) -> None:
    """A game may end, be archived, lose its end with its server, and then end otherwise."""
    with RedisServer(embedded_binary(), tmp_path / "store", appendfsync="always") as redis:
        async with House(redis.url, tmp_path) as house:
            table = await house.table("card")
            (log,) = (redis.directory / "appendonlydir").glob("*.incr.aof")
            sizes, random, status = [log.stat().st_size], Random(1), ""
            while status != "finished":
                status = (await table.move(random)).update.status
                sizes.append(log.stat().st_size)
            await house.core.keep_once()
            lost = await house.core.archive.read(table.id)
            redis.kill()
            with log.open("r+b") as file:
                file.truncate(sizes[-10])
            redis.start()
            await table.play(random=Random(2))
            await house.core.keep_once()
            kept = await house.core.archive.read(table.id)
            assert kept == await house.sessions.get_record(NOBODY, table.id) != lost
            assert lost is not None and verify_record(lost).valid and verify_record(kept).valid


async def test_writers_with_the_same_process_id_do_not_disturb_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in containers that share a directory: one is slow, the other writes meanwhile."""
    archive = DirectoryArchive(tmp_path)
    game, record = "0001" + 24 * "a", {"log": ["entry"] * 1000}
    sync, seen = os.fsync, []

    def meanwhile(file: int) -> None:
        monkeypatch.setattr(os, "fsync", sync)
        archive._write(game, record)
        seen.append(archive._read(game))
        sync(file)

    monkeypatch.setattr(os, "fsync", meanwhile)
    archive._write(game, record)
    assert seen == [record] and archive._read(game) == record
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{game}.json"]


@pytest.mark.parametrize("text", ["", "00" * 31])
async def test_a_secret_that_was_cut_short_is_never_used(text: str, tmp_path: Path) -> None:
    """Killed at its first start between making the file and writing it, a server derived tokens from nothing."""
    (tmp_path / "secret").write_text(text)
    with pytest.raises(StoreError, match="secret"):
        await open_core(CoreSettings(data=str(tmp_path)), keeping=False)


async def test_a_server_killed_while_it_makes_its_secret_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: int) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(RuntimeError, match="killed"):
        await open_core(CoreSettings(data=str(tmp_path)), keeping=False)
    monkeypatch.undo()
    assert not (tmp_path / "secret").exists()
    core = await open_core(CoreSettings(data=str(tmp_path)), keeping=False)
    await core.close()
    assert len((tmp_path / "secret").read_text()) == 64
