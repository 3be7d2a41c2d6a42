"""Structured logs: one JSON object a line, facts by allow-list, never a position, seed, hand or token."""

import json
import logging
import sys
import time
from typing import Final

LOGGER: Final = logging.getLogger("turntable.session")
_ROOT: Final = logging.getLogger("turntable")

_FACTS: Final = (
    "act",
    "address",
    "by",
    "code",
    "compiled",
    "duty",
    "edition",
    "error",
    "fault",
    "game",
    "method",
    "metrics",
    "reason",
    "seconds",
    "store",
    "version",
)


class _JsonLines(logging.Formatter):
    """Formats a record as one line of JSON with the facts of the allow-list."""

    def format(self, record: logging.LogRecord) -> str:
        passed = f".{int(record.msecs):03}Z"
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + passed,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name in _FACTS:
            if hasattr(record, name):
                line[name] = getattr(record, name)
        if record.exc_info and record.exc_info[0] is not None:
            # The type and place only: a message could quote what was sent.
            line["error"] = record.exc_info[0].__name__
            trace = record.exc_info[2]
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            if trace is not None:
                line["place"] = f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}"
        return json.dumps(line)


def start_logging(level: str) -> None:
    """Send the log of the service and its core to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    _ROOT.handlers[:] = [handler]
    _ROOT.setLevel(level.upper())
    _ROOT.propagate = False
