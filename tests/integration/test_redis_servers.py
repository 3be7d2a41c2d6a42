"""The real servers that tests run on: of all kinds, and whatever is done to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis
from redis.cluster import RedisCluster as ClusterClient

from tests.kit.redis_servers import (
    RedisCluster,
    RedisServer,
    embedded_binary,
    free_port,
    remains,
    running_store,
    store_kinds,
    until,
)
from tools import redis_binaries
from tools.redis_binaries import RedisMissingError, redis_server
from turntable_session.store import embedded

pytestmark = pytest.mark.tree

ROOT = Path(redis_binaries.__file__).resolve().parent.parent
BINARIES = {"embedded": embedded_binary, "redis": redis_server}
SCRIPT = "redis.call('SPUBLISH', KEYS[1], ARGV[1]) return redis.call('INCR', KEYS[1])"

# Prints the server's process id, pauses the server and waits to be killed.
TEST_RUN = """
import sys
from pathlib import Path
from tests.kit.redis_servers import RedisServer, embedded_binary
server = RedisServer(embedded_binary(), Path(sys.argv[1]))
server.start()
server.pause()
print(server.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("kind", store_kinds())
def test_every_kind_of_store_runs_scripts_and_sharded_channels(kind: str, tmp_path: Path) -> None:
    with running_store(kind, tmp_path) as store:
        settings = {"protocol": 3, "decode_responses": True}
        client: redis.Redis | ClusterClient = (
            ClusterClient.from_url(store.url, **settings)
            if isinstance(store, RedisCluster)
            else redis.Redis.from_url(store.url, **settings)
        )
        with client:
            for key in ("{b0000}:game", "{b0001}:game", "{b0002}:game"):
                channel = client.pubsub()
                channel.ssubscribe(key)
                digest = client.script_load(SCRIPT)
                assert client.evalsha(digest, 1, key, "news") == 1
                heard: list[str] = []

                def nothing_heard(channel=channel, heard=heard) -> str | None:
                    read = getattr(channel, "get_sharded_message", channel.get_message)
                    message = read(ignore_subscribe_messages=True, timeout=0.1)
                    heard.extend([message["data"]] if message and message["type"] == "smessage" else [])
                    return None if heard else "nothing heard"

                until(nothing_heard, 10)
                assert heard == ["news"]
                channel.close()


@pytest.mark.parametrize("kind", BINARIES)
@pytest.mark.parametrize("appendfsync", ["everysec", "always"])
def test_what_was_answered_outlasts_a_kill(kind: str, appendfsync: str, tmp_path: Path) -> None:
    with RedisServer(BINARIES[kind](), tmp_path, appendfsync=appendfsync) as server:
        assert server.ask("CONFIG", "GET", "appendfsync") == ["appendfsync", appendfsync]
        url, pid = server.url, server.pid
        server.ask("SET", "key", "kept")
        server.kill()
        assert not server.alive
        with pytest.raises(redis.ConnectionError):
            server.ask("PING")
        server.start()
        assert server.url == url and server.pid != pid
        assert server.ask("GET", "key") == "kept"
        server.restart()
        assert server.ask("GET", "key") == "kept"


def test_without_a_file_a_restart_forgets(tmp_path: Path) -> None:
    with RedisServer(embedded_binary(), tmp_path, config={"maxmemory": "100mb"}) as server:
        assert server.ask("CONFIG", "GET", "maxmemory") == ["maxmemory", str(100 * 2**20)]
        server.ask("SET", "key", "gone")
        server.restart()
        assert server.ask("GET", "key") is None


def test_a_paused_server_keeps_its_connections_and_answers_later(tmp_path: Path) -> None:
    with RedisServer(embedded_binary(), tmp_path) as server, server.client() as client:
        client.ping()
        connection = client.connection_pool.get_connection()
        server.pause()
        connection.send_command("INCR", "count")
        assert not connection.can_read(timeout=0.2)
        server.resume()
        assert connection.read_response() == 1
        client.connection_pool.release(connection)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    server = RedisServer(embedded_binary(), tmp_path, config={"no-such-setting": "1"})
    with pytest.raises(RuntimeError, match="no-such-setting"):
        server.start()


def test_a_port_taken_by_somebody_faster_is_exchanged_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(embedded_binary(), tmp_path / "stranger") as stranger:
        ports = iter([stranger.port, free_port()])
        monkeypatch.setattr("tests.kit.redis_servers.free_port", lambda: next(ports))
        with RedisServer(embedded_binary(), tmp_path / "server") as server:
            assert server.port != stranger.port
            assert server.ask("PING")


def test_a_killed_test_run_leaves_no_server_behind_not_even_a_paused_one(tmp_path: Path) -> None:
    path = f"{Path(embedded.__file__).resolve().parents[2]}{os.pathsep}{ROOT}"
    with subprocess.Popen(
        [sys.executable, "-c", TEST_RUN, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert remains(pid)() is not None
        process.send_signal(signal.SIGKILL)
        until(remains(pid), 10)


def test_a_cluster_survives_the_kill_of_a_master(tmp_path: Path) -> None:
    with (
        RedisCluster(redis_server(), tmp_path, appendfsync="everysec") as cluster,
        ClusterClient.from_url(cluster.url, protocol=3, decode_responses=True) as client,
    ):
        first = cluster.masters()[0]
        keys = [f"{{b{number:04}}}:key" for number in range(16)]
        assert {client.get_node_from_key(key).port for key in keys} == {
            node.port for node in cluster.masters()
        }
        for key in keys:
            client.set(key, key)
        # A replica that has not heard of a write cannot keep it.
        for master in cluster.masters():
            assert master.ask("WAIT", 1, 5000) == 1
        start = time.monotonic()
        assert cluster.kill_master(0) is first
        cluster.wait_ok(10)
        assert time.monotonic() - start > 1, "no failover is that fast: the dead master was still counted"
        assert first not in cluster.masters() and len(cluster.masters()) == 3
        assert [client.get(key) for key in keys] == keys
        cluster.restart_node(first)
        assert first.alive and first not in cluster.masters()
        assert first.ask("ROLE")[0] == "slave"
        pids = [node.pid for node in cluster.nodes]
    assert [remains(pid)() for pid in pids] == [None] * 6


def test_a_missing_redis_is_a_message_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(redis_binaries, "PLACE", tmp_path / "redis")
    with pytest.raises(RedisMissingError, match="no apt-get to get one with: install Redis 7 or newer"):
        redis_server()


def test_a_redis_on_path_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = tmp_path / "redis-server"
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert redis_server() == server
