"""`acknowledged`: no answer, not even a repeated one, before the replica has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.house import House
from tests.kit.redis_servers import RedisServer, embedded_binary, until
from turntable_session.problems import Problem
from turntable_session.store.servers import StoreSettings

pytestmark = [pytest.mark.tree, pytest.mark.timeout(100)]


async def test_a_retry_is_not_answered_before_the_replica_has_the_move(tmp_path: Path) -> None:
    binary = embedded_binary()
    with (
        RedisServer(binary, tmp_path / "master", appendfsync="always") as master,
        RedisServer(
            binary,
            tmp_path / "replica",
            appendfsync="always",
            config={"replicaof": f"127.0.0.1 {master.port}"},
        ) as replica,
    ):
        until(lambda: None if master.ask("ROLE")[2] else "no replica yet", 20)
        settings = StoreSettings(master.url, "acknowledged", replicas=1, timeout=1.5, patience=3.0)
        async with House(master.url, tmp_path, store=settings) as house:
            table = await house.table()
            legal = await house.sessions.legal_moves(table.caller(0), table.id)
            asked = (table.caller(0), table.id, legal.version, legal.moves[0]["id"], "key")
            replica.pause()
            try:
                for _ in range(2):
                    with pytest.raises(Problem) as caught:
                        await house.sessions.play_move(*asked)
                    assert caught.value.code in ("unconfirmed", "unavailable")
                # Another process, whose connections have written nothing yet.
                async with House(master.url, tmp_path, store=settings, secret=house.secret) as other:
                    with pytest.raises(Problem) as caught:
                        await other.sessions.play_move(*asked)
                    assert caught.value.code in ("unconfirmed", "unavailable")
            finally:
                replica.resume()
            played = await house.sessions.play_move(*asked)
            assert played.update.version == legal.version + 1
