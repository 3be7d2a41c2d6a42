"""A session server as a process on a free loopback port, for benchmarks and long runs."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tools.rules_process import ROOT, Build, RulesProcess

SOURCES = ("services/session", "clients/bots")


class SessionProcess(RulesProcess):
    """One server process with settings of its own."""

    def __init__(
        self,
        build: Build | None = None,
        settings: Mapping[str, str] | None = None,
        module: tuple[str, ...] = ("turntable_session.server",),
    ) -> None:
        super().__init__(build, {}, module)
        paths = [self.build.path, *(str(ROOT / source) for source in SOURCES)]
        given = {f"TURNTABLE_SESSION_{name.upper()}": value for name, value in (settings or {}).items()}
        self._environment |= {"PYTHONPATH": os.pathsep.join(paths), "TURNTABLE_SESSION_PORT": "0", **given}
