"""Who calls: the token they bring, and the address they call from."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import unquote

from turntable_session.core.port import Caller
from turntable_session.problems import Problem

MAX_ADDRESS: Final = 100


def parse_networks(text: str) -> list[IPv4Network | IPv6Network]:
    """Networks separated by commas."""
    return [ip_network(network.strip()) for network in text.split(",") if network.strip()]


class Peer:
    """The other end of a connection; what it says of its own callers is believed only if it is trusted."""

    def __init__(self, peer: str, trusted: Iterable[IPv4Network | IPv6Network]) -> None:
        self.address = address_of(peer)
        self.is_trusted = _is_in(self.address, trusted)

    def caller(self, authorization: str, forwarded: str) -> Caller:
        """The caller of one call."""
        address = forwarded[:MAX_ADDRESS] if forwarded and self.is_trusted else self.address
        return Caller(parse_authorization(authorization), address)


def parse_authorization(authorization: str) -> str:
    """The token of `Bearer <token>`; empty for nothing."""
    if not authorization:
        return ""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Problem("unauthenticated", "authorization is `Bearer` and a token")
    return token


def address_of(peer: str) -> str:
    """The address in gRPC's name of a peer, such as `ipv4:127.0.0.1:4711` or `ipv6:%5B::1%5D:4711`."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return kind  # a socket of this machine has no address
    return rest.rpartition(":")[0].strip("[]")


def _is_in(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    if address == "unix":
        return True
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks)
