"""The gateway as people run it: one process with an embedded store and bot workers beside it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("services/rules", "services/session", "services/gateway", "clients/bots")


class GatewayProcess:
    """A running server; leaving the `with` ends it as Ctrl-C would."""

    def __init__(self, data: Path, **settings: object) -> None:
        self.data = data
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(str(ROOT / source) for source in SOURCES),
            "TURNTABLE_GATEWAY_PORT": "0",
            "TURNTABLE_GATEWAY_BOT_WORKERS": "1",
            "TURNTABLE_SESSION_DATA": str(data),
            **{name.upper(): str(value) for name, value in settings.items()},
        }
        self.said: list[str] = []
        self.url = ""

    def __enter__(self) -> Self:
        with (self.data.parent / "gateway.log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "turntable_gateway"],
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        found = re.search(r"http://\S+", self.said[0] if self.said else "")
        if found is None:
            self.stop()
            raise AssertionError((self.data.parent / "gateway.log").read_text())
        self.url = found[0]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> int:
        """Interrupt it and wait; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code
