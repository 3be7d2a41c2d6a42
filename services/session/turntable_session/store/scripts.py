"""The Lua scripts by name; each is one atomic step."""

from hashlib import sha1
from importlib.resources import files
from typing import NamedTuple


class Script(NamedTuple):
    """A script and the digest a server knows it by once it is loaded."""

    name: str
    text: bytes
    digest: str


def _read(name: str) -> Script:
    text = (files(__package__) / "lua" / f"{name}.lua").read_bytes()
    return Script(name, text, sha1(text, usedforsecurity=False).hexdigest())


COMMIT = _read("commit")
LOAD = _read("load")
LEASE = _read("lease")
RESET_DUE = _read("reset_due")
EXPIRE = _read("expire")
DELETE = _read("delete")
ALL = (COMMIT, LOAD, LEASE, RESET_DUE, EXPIRE, DELETE)
