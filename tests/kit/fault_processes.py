"""Session processes and bot workers, to be killed, paused and started again at the same address."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from tests.kit.redis_servers import free_port
from tools.rules_process import ROOT, Build, own_build

SECRET = "a secret of the fault tests"
OPERATOR = "operator of the fault tests"
SOURCES = ("services/session", "clients/bots")
START_SECONDS = 30.0
PAUSE = 0.1


def settings_for(store: str, data: str, **more: str) -> dict[str, str]:
    """Settings that all processes on one store share, with which faults are felt soon."""
    return {
        "store": store,
        "data": data,
        "secret": SECRET,
        "operator_token": OPERATOR,
        "store_timeout": "1.0",
        "store_patience": "1.0",
        "tick_seconds": "0.05",
        "log_level": "error",
        **more,
    }


class Service:
    """One session process after the other, all at the same port; a context manager, so that none is left behind."""

    module = "turntable_session.server"

    def __init__(self, settings: Mapping[str, str], build: Build | None = None) -> None:
        self.port = free_port()
        self._build = build or own_build()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNTABLE_")}
        path = os.pathsep.join([self._build.path, *(str(ROOT / source) for source in SOURCES)])
        self._environment = {**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        for name, value in self._settings(settings).items():
            self._environment[f"TURNTABLE_SESSION_{name.upper()}"] = value
        self._process: subprocess.Popen[str] | None = None

    def _settings(self, settings: Mapping[str, str]) -> dict[str, str]:
        return {**settings, "port": str(self.port)}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it serves; as often as it takes, because a store that is away stops the start."""
        end = time.monotonic() + START_SECONDS
        while not self._says_something():
            self.kill()
            if time.monotonic() > end:
                raise TimeoutError(f"{self.module} does not start")
            time.sleep(PAUSE)

    def _says_something(self) -> bool:
        self._process = subprocess.Popen(
            [str(self._build.python), "-m", self.module],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        return self._process.stdout.readline() != ""

    def kill(self) -> None:
        """End it without a word of warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()

    def restart(self) -> None:
        """Kill it, and start it at the same port."""
        self.kill()
        self.start()

    def pause(self) -> None:
        """Let it stand still, its connections open."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)


class BotWorker(Service):
    """One bot worker after the other."""

    module = "turntable_session.bots"

    def _settings(self, settings: Mapping[str, str]) -> dict[str, str]:
        return dict(settings)
