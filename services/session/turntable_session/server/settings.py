"""Settings of the session service, read from the environment once at the start."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Final

_PREFIX: Final = "TURNTABLE_SESSION_"
_RANGES: Final = {
    "port": (0, 65535),
    "metrics_port": (-1, 65535),
    "max_message_bytes": (64 * 1024, 1 << 30),
    "max_streams": (1, 1 << 20),
    "max_in_flight": (1, 1 << 20),
    "call_seconds": (0.1, 3600),
    "grace_seconds": (0, 3600),
}


class SettingsError(ValueError):
    """Settings that are unknown or make no sense; all of them, in words."""


@dataclass(frozen=True)
class Settings:
    """One value per environment variable `TURNTABLE_SESSION_<NAME>`."""

    host: str = "127.0.0.1"
    port: int = 50052
    """0 for any free port; the port chosen is logged."""
    metrics_port: int = -1
    """Port of the Prometheus page on the same host; 0 for any free port, -1 for none."""
    max_message_bytes: int = 4 * 1024 * 1024
    max_streams: int = 10_000
    """Most calls and watches under way on one connection."""
    max_in_flight: int = 1024
    """Most calls under way on one exchange; further ones wait unread."""
    call_seconds: float = 60.0
    """How long a call of an exchange may take, whatever its caller says."""
    grace_seconds: float = 10.0
    """How long calls under way may take to end when the service stops."""
    reflection: bool = True
    trusted_peers: str = "127.0.0.0/8,::1/128"
    """Networks of gateways whose word for the address of their own callers is taken; comma-separated."""
    tls_certificate: str = ""
    """Files in PEM form; certificate and key together turn TLS on, a client authority makes it mutual."""
    tls_key: str = ""
    tls_client_authority: str = ""
    log_level: str = "info"


def read_settings(environment: Mapping[str, str], others: frozenset[str] = frozenset()) -> Settings:
    """Settings from environment variables; raises SettingsError with everything that is wrong.

    `others` are names of settings that belong to somebody else, such as `store`.
    """
    faults: list[str] = []
    known = {field.name: field for field in fields(Settings)}
    values: dict[str, object] = {}
    for variable, text in environment.items():
        name = variable.removeprefix(_PREFIX).lower()
        if not variable.startswith(_PREFIX) or name in others:
            continue
        if name not in known:
            listed = ", ".join(_PREFIX + other.upper() for other in sorted({*known, *others}))
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
    if kind in (int, float):
        try:
            return int(text) if kind is int else float(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a {'whole ' * (kind is int)}number") from None
    if kind is bool:
        if text.lower() not in ("true", "false", "1", "0", "yes", "no"):
            raise ValueError(f"{text!r} is neither true nor false")
        return text.lower() in ("true", "1", "yes")
    return text


def _faults(settings: Settings) -> list[str]:
    faults: list[str] = []
    for name, (low, high) in _RANGES.items():
        if not low <= getattr(settings, name) <= high:
            faults.append(f"{_PREFIX}{name.upper()} is not from {low} to {high}")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        faults.append(f"{_PREFIX}LOG_LEVEL is not debug, info, warning or error")
    for network in filter(None, settings.trusted_peers.split(",")):
        try:
            ip_network(network.strip())
        except ValueError:
            faults.append(f"{_PREFIX}TRUSTED_PEERS: {network!r} is not a network such as 10.0.0.0/8")
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        faults.append("a TLS certificate and its key go together")
    if settings.tls_client_authority and not settings.tls_certificate:
        faults.append("a client authority needs a TLS certificate and key")
    for name in ("tls_certificate", "tls_key", "tls_client_authority"):
        path = getattr(settings, name)
        if path and not Path(path).is_file():
            faults.append(f"{_PREFIX}{name.upper()}: there is no file {path}")
    return faults
