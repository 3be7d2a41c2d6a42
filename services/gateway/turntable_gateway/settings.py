"""Settings of the gateway, read from the environment once at the start."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

_PREFIX: Final = "TURNTABLE_GATEWAY_"


class SettingsError(ValueError):
    """Settings that are unknown or make no sense; all of them, in words."""


@dataclass(frozen=True)
class Settings:
    """One value per environment variable `TURNTABLE_GATEWAY_<NAME>`."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 for any free port; the port chosen is printed."""
    session: str = "local"
    """`local` for a core in this process, or a session service: grpc://host:port."""
    grace_seconds: float = 5.0
    bot_workers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes in which bots think; 0 for none beside this gateway."""
    log_level: str = "info"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from environment variables; raises SettingsError with everything that is wrong."""
    faults: list[str] = []
    values: dict[str, object] = {}
    known = {field.name: field for field in fields(Settings)}
    for variable, text in environment.items():
        if not variable.startswith(_PREFIX):
            continue
        name = variable.removeprefix(_PREFIX).lower()
        if name not in known:
            faults.append(
                f"{variable} is not a setting; there are {', '.join(_PREFIX + n.upper() for n in known)}"
            )
            continue
        kind = {"int": int, "float": float}.get(getattr(known[name].type, "__name__", ""), str)
        try:
            values[name] = kind(text)
        except ValueError:
            faults.append(f"{variable}: {text!r} is not a number")
    settings = Settings(**values)  # type: ignore[arg-type]
    if not 0 <= settings.port <= 65535 or settings.bot_workers < 0 or settings.grace_seconds < 0:
        faults.append("a port is 0 to 65535, and nothing is negative")
    if settings.session != "local" and not settings.session.startswith(("grpc://", "grpcs://")):
        faults.append(f"{_PREFIX}SESSION is neither `local` nor grpc://host:port")
    if faults:
        raise SettingsError("; ".join(faults))
    return settings
