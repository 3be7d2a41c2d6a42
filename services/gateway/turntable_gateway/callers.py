"""Who asks: the bearer token, the address, and the key that makes a request safe to repeat."""

from typing import Any

from litestar.connection import ASGIConnection

from turntable_session.core.port import Caller
from turntable_session.problems import Problem

Connection = ASGIConnection[Any, Any, Any, Any]


def caller_of(connection: Connection) -> Caller:
    """The caller of a request; a token is only ever in the header."""
    header = connection.headers.get("authorization", "")
    scheme, _, token = header.partition(" ")
    if header and (scheme.lower() != "bearer" or not token.strip()):
        raise Problem("unauthenticated", "the header Authorization is not `Bearer <token>`")
    address = connection.client.host if connection.client else ""
    return Caller(token.strip(), address)


def key_of(connection: Connection) -> str:
    """The idempotency key, or an empty one."""
    return connection.headers.get("idempotency-key", "")
