"""Games in Redis 7 or newer, Valkey, or a cluster of either."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from redis.exceptions import (
    AskError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from turntable_session.domain.ids import MOST_BUCKETS, bucket_of
from turntable_session.domain.sheet import STATUSES
from turntable_session.problems import Problem
from turntable_session.store import names
from turntable_session.store.feed import RedisFeed
from turntable_session.store.lanes import Command, LaneDown, Unconfirmed
from turntable_session.store.port import (
    DUE_KINDS,
    Append,
    DueKind,
    Listed,
    Loaded,
    News,
    Repeated,
    Saved,
    Stale,
)
from turntable_session.store.scripts import COMMIT, DELETE, EXPIRE, LEASE, LOAD, RESET_DUE, Script
from turntable_session.store.servers import Servers, StoreError, StoreSettings

_MOVED: Final = (MovedError, AskError, ClusterDownError, MasterDownError, ReadOnlyError, TryAgainError)
_FIRST_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 0.5
_META: Final = "tt:{b0000}:meta"


class RedisStore:
    """The store's adapter for Redis. Commands are repeated after a failure, because every one of them may be."""

    def __init__(self, settings: StoreSettings) -> None:
        self.settings = settings
        self.buckets = settings.buckets
        self.servers = Servers(settings)

    async def start(self) -> None:
        """Connect, and agree on the number of buckets; raises StoreError."""
        if not 1 <= self.buckets <= MOST_BUCKETS:
            raise StoreError(f"there are 1 to {MOST_BUCKETS} buckets, not {self.buckets}")
        await self.servers.start()
        try:
            stored = await self._call(0, ("HGET", _META, "buckets"))
            # Games of a bucket beyond the number would never be found due again.
            self.buckets = max(self.buckets, int(stored or 0))
            await self._call(0, ("HSET", _META, "buckets", self.buckets, "format", 1))
        except Problem as problem:
            raise StoreError(problem.detail) from problem

    async def _run(
        self, bucket: int, script: Script, keys: Sequence[str], *arguments: Any, confirm: bool = False
    ) -> Any:
        return await self._call(
            bucket, ("EVALSHA", script.digest, len(keys), *keys, *arguments), confirm=confirm
        )

    async def _call(self, bucket: int, command: Command, *, confirm: bool = False) -> Any:
        """Carry a command out; while the store changes or is out of reach, again, for so long as patience lasts."""
        end = time.monotonic() + self.settings.patience
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self.servers.lane(bucket).call(command, confirm=confirm)
            except NoScriptError:
                continue  # the lane loads the scripts before the next command
            except Unconfirmed as error:
                raise Problem(
                    "unconfirmed", "saved, but not confirmed by every copy in time: repeat it"
                ) from error
            except (LaneDown, *_MOVED) as error:
                if time.monotonic() + pause > end:
                    raise Problem("unavailable", "the store does not answer") from error
            except OutOfMemoryError as error:
                raise Problem("unavailable", "the store is full") from error
            except ResponseError as error:
                raise Problem("unavailable", f"the store refuses: {str(error).split(' ', 1)[0]}") from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            await self.servers.refresh()

    async def _confirm(self, bucket: int) -> None:
        """Be sure of what was saved before: servers confirm a connection's own writes, and a first try used another."""
        if self.settings.durability == "acknowledged":
            await self._call(bucket, ("SET", names.pulse(bucket), ""), confirm=True)

    async def append(self, append: Append) -> Saved | Repeated | Stale:
        """Commit one entry."""
        bucket = bucket_of(append.game)
        keys = [
            *names.all_of(append.game),
            *(names.due(bucket, kind) for kind in append.due),
            *(names.listed(bucket, name) for name in append.lists_left),
            *(names.listed(bucket, name) for name in append.lists_entered),
        ]
        flag = "b" if append.due.get("bot") is not None else "-"
        reply = await self._run(
            bucket,
            COMMIT,
            keys,
            append.version,
            append.tag,
            append.key,
            append.digest,
            append.entry,
            append.new_tag,
            append.snapshot,
            append.game,
            names.news(bucket),
            flag,
            len(append.due),
            *("" if due is None else due for due in append.due.values()),
            append.member,
            append.created,
            len(append.lists_left),
            confirm=True,
        )
        word, fact = reply
        if word == b"saved":
            return Saved(int(fact))
        if word == b"stale":
            return Stale(int(fact))
        await self._confirm(bucket)
        return _repeated(fact)

    async def load(self, game: str, version: int, tag: bytes, key: bytes = b"") -> Loaded | None:
        """What is new of a game; None if there is none."""
        reply = await self._run(bucket_of(game), LOAD, names.all_of(game), version, tag, key)
        if reply is None:
            return None
        repeated = None
        if reply[1] is not None:
            repeated = _repeated(reply[1])
            await self._confirm(bucket_of(game))
        if len(reply) == 2:
            return Loaded(int(reply[0]), repeated, True)
        entries = [one[1][1] for one in reply[4]]
        return Loaded(int(reply[0]), repeated, False, int(reply[2]), reply[3], entries, reply[5])

    async def entries(self, game: str, first: int, last: int) -> list[bytes]:
        """Entries of the log by version, both ends included."""
        reply = await self._call(bucket_of(game), ("XRANGE", names.log(game), f"{first}-0", f"{last}-0"))
        return [one[1][1] for one in reply]

    async def lease(self, bucket: int, kind: DueKind, now: int, until: int, most: int) -> list[str]:
        """Take games for which something is due."""
        return [
            game.decode()
            for game in await self._run(bucket, LEASE, (names.due(bucket, kind),), now, until, most)
        ]

    async def reset_due(self, game: str, version: int, kind: DueKind, time: int | None) -> None:
        """Set or clear a due time, unless the game has moved on."""
        keys = (names.head(game), names.due_of(game, kind))
        await self._run(bucket_of(game), RESET_DUE, keys, version, "" if time is None else time, game)

    async def expire(self, game: str, version: int, after_ms: int) -> None:
        """Let a game that is kept elsewhere go."""
        keys = (*names.all_of(game), names.due_of(game, "archive"))
        await self._run(bucket_of(game), EXPIRE, keys, version, after_ms, game)

    async def delete(self, game: str, member: str, audit: bytes) -> bool:
        """Delete a game; whether there was one."""
        bucket = bucket_of(game)
        dues = [names.due(bucket, kind) for kind in DUE_KINDS]
        lists = [names.listed(bucket, name) for name in ("all", *STATUSES)]
        keys = (*names.all_of(game), names.audit(bucket), *dues, *lists)
        reply = await self._run(
            bucket, DELETE, keys, game, member, names.news(bucket), len(dues), audit, confirm=True
        )
        return bool(reply)

    async def newest(self, status: str, before: tuple[int, str] | None, most: int) -> list[Listed]:
        """The newest of every bucket, merged; equal times are ordered by member, so that no page repeats one."""
        top = "+inf" if before is None else before[0]
        reading = [
            self._call(bucket, ("ZRANGE", names.listed(bucket, status), top, "-inf", "BYSCORE", "REV",
                                "LIMIT", 0, most + 1, "WITHSCORES"))
            for bucket in range(self.buckets)
        ]  # fmt: skip
        found: list[tuple[int, str]] = []
        for reply in await asyncio.gather(*reading):
            found += [
                (int(score), member.decode()) for member, score in zip(reply[::2], reply[1::2], strict=True)
            ]
        found.sort(reverse=True)
        if before is not None:
            found = [place for place in found if place < before]
        return [Listed(member.split(":")[1], member.split(":")[0], at) for at, member in found[:most]]

    async def unlist(self, game: str, member: str) -> None:
        """Take a game that is gone out of the lists."""
        bucket = bucket_of(game)
        for name in ("all", *STATUSES):
            await self._call(bucket, ("ZREM", names.listed(bucket, name), member))

    def feed(self, tell: Callable[[News], None]) -> RedisFeed:
        """News of the buckets asked for, from then on."""
        return RedisFeed(self.servers, tell)

    async def ping(self) -> float:
        """Seconds all servers took to answer."""
        started = time.perf_counter()
        buckets = {self.servers.address_of(bucket): bucket for bucket in range(self.buckets)}
        await asyncio.gather(*(self._call(bucket, ("PING",)) for bucket in buckets.values()))
        return time.perf_counter() - started

    async def close(self) -> None:
        """Let go of the servers."""
        await self.servers.close()


def _repeated(fact: bytes) -> Repeated:
    version, _, digest = fact.partition(b":")
    return Repeated(int(version), digest)
