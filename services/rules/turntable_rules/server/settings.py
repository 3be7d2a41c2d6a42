"""Settings of the rules service, read from the environment once at the start."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

_PREFIX = "TURNTABLE_RULES_"


class SettingsError(ValueError):
    """Settings that are unknown or make no sense; all of them, in words."""


@dataclass(frozen=True)
class Settings:
    """One value per environment variable `TURNTABLE_RULES_<NAME>`."""

    host: str = "127.0.0.1"
    port: int = 50051
    """0 for any free port; the port chosen is logged."""
    metrics_port: int = -1
    """Port of the Prometheus page on the same host; 0 for any free port, -1 for none."""
    max_message_bytes: int = 4 * 1024 * 1024
    max_batch: int = 4096
    """Most positions in one request or stream message."""
    max_streams: int = 1000
    """Most calls under way on one connection."""
    grace_seconds: float = 10.0
    """How long calls under way may take to end when the service stops."""
    reflection: bool = True
    tls_certificate: str = ""
    """Files in PEM form; certificate and key together turn TLS on, a client authority makes it mutual."""
    tls_key: str = ""
    tls_client_authority: str = ""
    log_level: str = "info"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from environment variables; raises SettingsError with everything that is wrong."""
    faults: list[str] = []
    known = {field.name: field for field in fields(Settings)}
    values: dict[str, object] = {}
    for variable, text in environment.items():
        if not variable.startswith(_PREFIX):
            continue
        name = variable.removeprefix(_PREFIX).lower()
        if name not in known:
            listed = ", ".join(_PREFIX + field.upper() for field in known)
            faults.append(f"{variable} is not a setting; there are {listed}")
            continue
        try:
            values[name] = _parse(known[name].type, text)
        except ValueError as error:
            faults.append(f"{variable}: {error}")
    settings = Settings(**values)  # type: ignore[arg-type]
    faults += _faults(settings)
    if faults:
        raise SettingsError("; ".join(faults))
    return settings


def _parse(kind: object, text: str) -> object:
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
    if name in ("int", "float"):
        try:
            return int(text) if name == "int" else float(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a {'whole ' * (name == 'int')}number") from None
    if name == "bool":
        if text.lower() not in ("true", "false", "1", "0", "yes", "no"):
            raise ValueError(f"{text!r} is neither true nor false")
        return text.lower() in ("true", "1", "yes")
    return text


def _faults(settings: Settings) -> list[str]:
    faults: list[str] = []
    ranges = {
        "port": (0, 65535),
        "metrics_port": (-1, 65535),
        "max_message_bytes": (1024, 1 << 30),
        "max_batch": (1, 1 << 20),
        "max_streams": (1, 1 << 20),
        "grace_seconds": (0, 3600),
    }
    for name, (low, high) in ranges.items():
        if not low <= getattr(settings, name) <= high:
            faults.append(f"{_PREFIX}{name.upper()} is not from {low} to {high}")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        faults.append(f"{_PREFIX}LOG_LEVEL is not debug, info, warning or error")
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        faults.append("a TLS certificate and its key go together")
    if settings.tls_client_authority and not settings.tls_certificate:
        faults.append("a client authority needs a TLS certificate and key")
    for name in ("tls_certificate", "tls_key", "tls_client_authority"):
        path = getattr(settings, name)
        if path and not Path(path).is_file():
            faults.append(f"{_PREFIX}{name.upper()}: there is no file {path}")
    return faults
