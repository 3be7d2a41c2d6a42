"""Names of keys. The bucket in braces is the hash tag, so that everything a commit touches is on one node."""

from turntable_session.domain.ids import bucket_of


def head(game: str) -> str:
    """Hash: version, tag and latest snapshot of a game."""
    return f"tt:{{b{game[:4]}}}:{game}:head"


def log(game: str) -> str:
    """Stream: the entries of a game; the id of an entry is its version."""
    return f"tt:{{b{game[:4]}}}:{game}:log"


def keys(game: str) -> str:
    """Hash: idempotency keys of a game, each with its version and the digest of its request."""
    return f"tt:{{b{game[:4]}}}:{game}:keys"


def due(bucket: int, kind: str) -> str:
    """Sorted set: games of a bucket that something is due for, by time."""
    return f"tt:{{b{bucket:04d}}}:due:{kind}"


def listed(bucket: int, status: str) -> str:
    """Sorted set: public games of a bucket by status, by time of creation."""
    return f"tt:{{b{bucket:04d}}}:list:{status}"


def news(bucket: int) -> str:
    """Sharded channel: which game of a bucket has a new version."""
    return f"tt:{{b{bucket:04d}}}:news"


def audit(bucket: int) -> str:
    """Stream: games deleted, by whom and why."""
    return f"tt:{{b{bucket:04d}}}:audit"


def pulse(bucket: int) -> str:
    """Written for its own sake: whatever is confirmed after it confirms everything before it on its server."""
    return f"tt:{{b{bucket:04d}}}:pulse"


def all_of(game: str) -> tuple[str, str, str]:
    """The keys of one game alone."""
    return head(game), log(game), keys(game)


def due_of(game: str, kind: str) -> str:
    """The due set a game is in."""
    return due(bucket_of(game), kind)
