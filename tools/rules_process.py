"""A rules server, or a stand-in for one, as a process on a free loopback port: started, measured, stopped by its id."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import turntable_rules
from tools import environment

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
STOP_SECONDS = 15.0


class Build:
    """An interpreter and its import path; `name` tells whether its engine is compiled."""

    def __init__(self, name: str, python: Path, path: str) -> None:
        self.name = name
        self.python = python
        self.path = path


def best_build() -> Build:
    """The compiled engine where it is up to date, else what this process runs itself."""
    compiled = environment.compiled_python()
    return own_build() if compiled is None else Build("compiled", compiled, str(ROOT))


def own_build() -> Build:
    """The interpreter and the engine of this process."""
    place = Path(turntable_rules.__file__).resolve().parents[1]
    name = "compiled" if turntable_rules.COMPILED else "interpreted"
    return Build(name, Path(sys.executable), f"{place}{os.pathsep}{ROOT}")


class RulesProcess:
    """One server process; a context manager, so that it never outlives its user."""

    def __init__(
        self,
        build: Build | None = None,
        settings: Mapping[str, str] | None = None,
        module: Sequence[str] = ("turntable_rules.server",),
    ) -> None:
        self.build = build or best_build()
        self._command = [str(self.build.python), "-m", *module]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNTABLE_RULES_")}
        given = {f"TURNTABLE_RULES_{name.upper()}": value for name, value in (settings or {}).items()}
        own = {"PYTHONPATH": self.build.path, "PYTHONDONTWRITEBYTECODE": "1", "TURNTABLE_RULES_PORT": "0"}
        self._environment = {**kept, **own, **given}
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in stop
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def __enter__(self) -> RulesProcess:
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if " listens on " not in line:
            errors = self.stop()
            raise RuntimeError(f"the server did not start: {line}{errors}")
        self.address = line.rsplit(" ", 1)[1].strip()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> str:
        """End the process, by force if it does not listen; what it wrote to its standard error."""
        process = self._process
        if process is not None:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
            if process.stdout is not None:
                process.stdout.close()
        errors = "" if self._errors.closed else self.log()
        self._errors.close()
        return errors

    def log(self) -> str:
        """What the server has written to its standard error so far."""
        size = os.fstat(self._errors.fileno()).st_size
        return os.pread(self._errors.fileno(), size, 0).decode("utf-8", "replace")

    def rss_kib(self) -> int:
        """Resident memory in KiB."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise RuntimeError("the server has no memory: it has ended")

    def cpu_seconds(self) -> float:
        """CPU time of all its threads so far, user and system."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
