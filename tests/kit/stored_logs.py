"""The logs as a store has them, replayed with the engine: the other half of a history."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec

from tests.kit.histories import Entry
from turntable_rules import state_hash
from turntable_session.core.answers import Update
from turntable_session.core.desk import Desk
from turntable_session.core.metrics import Metrics
from turntable_session.core.updates import update_for
from turntable_session.domain.entries import decode_entry
from turntable_session.domain.game import Commit, Diverged, Game, advance, created
from turntable_session.domain.ids import bucket_of
from turntable_session.domain.snapshots import pack_game
from turntable_session.problems import Problem
from turntable_session.rules.in_process import LocalRules
from turntable_session.store import names
from turntable_session.store.redis_store import RedisStore

_encode = msgspec.json.Encoder(order="deterministic").encode


def digest_of(update: Update) -> str:
    """A stable digest of an update, whatever front it came through."""
    return hashlib.blake2b(_encode(msgspec.to_builtins(update)), digest_size=8).hexdigest()


@dataclass
class StoredLog:
    """One game's log; `faults` are contradictions inside the store, each beginning with its kind."""

    game: str
    entries: list[Entry] = field(default_factory=list)
    commits: dict[int, Commit] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def version(self) -> int:
        return self.entries[-1].version if self.entries else 0

    def shown(self, version: int, seat: int | None) -> str | None:
        """The digest of what a seat, or a spectator, has to be shown of a version; None if there is no such version."""
        commit = self.commits.get(version)
        return None if commit is None else digest_of(update_for(commit, seat))

    def pauses(self) -> list[float]:
        """Seconds between each commit and the next."""
        times = [self.commits[version].entry.at for version in sorted(self.commits)]
        return [(after - before) / 1000 for before, after in pairwise(times)]


class LogReader:
    """Reads logs past every cache: straight from the stream, and once more as a fresh process would load the game."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self._rules = LocalRules()
        self._desk = Desk(store, self._rules, Metrics())

    async def read(self, game: str, keys: Mapping[bytes, str]) -> StoredLog:
        """The log of a game; `keys` names the stored keys of requests that the caller knows."""
        log = StoredLog(game)
        lane = self._store.servers.lane(bucket_of(game))
        stream: Sequence[Any] = await lane.call(("XRANGE", names.log(game), "-", "+"))
        pairs: Sequence[bytes] = await lane.call(("HGETALL", names.keys(game)))
        key_of: dict[int, str] = {}
        for key, fact in zip(pairs[::2], pairs[1::2], strict=True):
            version = int(fact.partition(b":")[0])
            if version in key_of:
                log.faults.append(f"doubled: version {version} has two keys")
            key_of[version] = keys.get(key, key.hex())
        last = await self._replay(log, stream, key_of)
        if not log.faults and last is not None:
            await self._compare(log, last)
        return log

    async def _replay(self, log: StoredLog, stream: Sequence[Any], key_of: Mapping[int, str]) -> Game | None:
        game: Game | None = None
        for place, (_, data) in stream:
            version, entry = int(place.partition(b"-")[0]), decode_entry(data)
            if version not in key_of:
                log.faults.append(f"doubled: the key of version {version} was used again or is missing")
            replayed = ""
            try:
                if game is None:
                    game, commit = await created(log.game, entry, self._rules)
                else:
                    commit = await advance(game, entry, self._rules)
                log.commits[version] = commit
                if entry.hash and game.position is not None:
                    replayed = state_hash(game.position.handle)
            except (Diverged, Problem) as error:
                log.faults.append(f"hash: version {version} does not replay: {error}")
                return None
            digest = log.shown(version, None)
            log.entries.append(
                Entry(version, key_of.get(version), entry.move, entry.hash.hex(), replayed, digest)
            )
        return game

    async def _compare(self, log: StoredLog, replayed: Game) -> None:
        """What a process that knows nothing loads (head, snapshot and the entries after it) is the replayed log."""
        self._desk.forget(log.game)
        try:
            loaded = await self._desk.fresh(log.game)
        except Problem as problem:
            log.faults.append(f"hash: the stored state cannot be loaded: {problem.detail}")
            return
        # A clock may have moved since the log was read.
        for data in await self._store.entries(log.game, replayed.sheet.version + 1, loaded.sheet.version):
            await advance(replayed, decode_entry(data), self._rules)
        if await pack_game(loaded, self._rules) != await pack_game(replayed, self._rules):
            log.faults.append(
                f"hash: the stored state at {loaded.sheet.version} is not what the log leads to"
            )
