"""Opening a channel to a service by its address."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

_MAX_MESSAGE_BYTES: Final = 64 * 1024 * 1024
_OPTIONS: Final = (
    # Servers come back within seconds; waiting longer between attempts only lengthens an outage.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", _MAX_MESSAGE_BYTES),
)
_KEEPALIVE: Final = (
    # A peer that has vanished without a word is noticed although nothing is sent to it.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
)


@dataclass(frozen=True)
class TlsFiles:
    """Files in PEM form: whom to trust, and who we are where the service asks for it."""

    authority: str = ""
    """Empty for the authorities of the system."""
    certificate: str = ""
    key: str = ""


def open_channel(address: str, tls: TlsFiles | None = None, *, keepalive: bool = True) -> grpc.aio.Channel:
    """A channel to `grpc://host:port`, or with TLS to `grpcs://host:port`; ValueError for anything else.

    `keepalive` is for services that allow it; the others would close the connection.
    """
    scheme, separator, target = address.partition("://")
    if not separator or scheme not in ("grpc", "grpcs") or not target:
        raise ValueError(f"{address!r} is not an address such as grpc://localhost:50052")
    options = (*_OPTIONS, *(_KEEPALIVE if keepalive else ()))
    if scheme == "grpc":
        return grpc.aio.insecure_channel(target, options)
    return grpc.aio.secure_channel(target, _credentials(tls or TlsFiles()), options)


def _credentials(tls: TlsFiles) -> grpc.ChannelCredentials:
    authority, key, certificate = (
        Path(file).read_bytes() if file else None for file in (tls.authority, tls.key, tls.certificate)
    )
    return grpc.ssl_channel_credentials(authority, key, certificate)
