"""The rules service as an operator runs it: a process with settings in its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import turntable_rules

SOURCES = Path(turntable_rules.__file__).resolve().parents[1]


def environment(settings: dict[str, object]) -> dict[str, str]:
    """The environment of a server with these settings and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNTABLE_RULES_")}
    given = {f"TURNTABLE_RULES_{name.upper()}": str(value) for name, value in settings.items()}
    return {**kept, "PYTHONPATH": str(SOURCES), "PYTHONDONTWRITEBYTECODE": "1", **given}


def command() -> list[str]:
    return [sys.executable, "-m", "turntable_rules.server"]


def failed_start(**settings: object) -> tuple[int, str]:
    """Exit code and error text of a server that is expected not to start."""
    done = subprocess.run(
        command(), env=environment(settings), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


class RulesProcess:
    """A running server; leaving the `with` ends it if the test has not."""

    def __init__(self, log: Path, **settings: object) -> None:
        self.log_file = log
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                command(),
                env=environment({"port": 0, **settings}),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert " listens on " in line, log.read_text()
        self.address = line.split(" listens on ")[1].strip()

    def log(self) -> list[dict[str, Any]]:
        """The log so far; every line has to be JSON."""
        return [json.loads(line) for line in self.log_file.read_text().splitlines()]

    @property
    def metrics_address(self) -> str:
        """Where the Prometheus page is, by the log."""
        return str(self.log()[0]["metrics"])

    def terminate(self) -> None:
        """Ask it to stop, as an operator's SIGTERM does."""
        self.process.terminate()

    def wait(self, seconds: float = 30) -> int:
        """Its exit code."""
        return self.process.wait(seconds)

    def __enter__(self) -> RulesProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


def until(condition: Any, seconds: float = 20) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
