"""Judges a history of games: what clients were told and watchers saw, against the log that was kept.

A pure program. Times are of one clock. Keys are unique in their game, so that a retry is known by its key. Digests are
of the public part of an update, equal for whoever saw it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf
from typing import Literal

Outcome = Literal["ok", "refused", "unknown"]
Kind = Literal["update", "view", "resumed"]


@dataclass(frozen=True)
class Request:
    """One attempt to play: what was sent, and what its sender was told; unknown if no or a doubtful answer came."""

    client: str
    game: str
    key: str
    version: int
    move: str
    start: float
    end: float
    outcome: Outcome
    answered: int | None = None
    digest: str | None = None
    code: str | None = None


@dataclass(frozen=True)
class Sighting:
    """One thing a watcher saw: an update; a full view of a version; or that its stream was resumed after a version."""

    version: int
    at: float
    digest: str | None = None
    kind: Kind = "update"


@dataclass(frozen=True)
class Watch:
    """All a watcher saw of a game in its order; `to_end` if it had to see the log's last version."""

    watcher: str
    game: str
    sightings: Sequence[Sighting]
    to_end: bool = False


@dataclass(frozen=True)
class Entry:
    """One entry of the stored log, with the hash of the position and the hash a replay gives; "" for no position."""

    version: int
    key: str | None
    move: str
    state_hash: str = ""
    replayed_hash: str = ""
    digest: str | None = None


@dataclass(frozen=True)
class History:
    """Everything observed, and the logs by game as they are at the end."""

    requests: Sequence[Request]
    watches: Sequence[Watch]
    logs: dict[str, Sequence[Entry]]


def violations(history: History, *, lossy_since: float | None = None, lossy_until: float = inf) -> list[str]:
    """Every promise this history breaks, each beginning with its game and the kind of breach.

    Where the store was killed and does not promise more, what was told or shown from `lossy_since` to `lossy_until`
    may be lost: the last versions of a game together, and nothing else.
    """
    window = (inf, -inf) if lossy_since is None else (lossy_since, lossy_until)
    requests, watches = defaultdict(list), defaultdict(list)
    for request in history.requests:
        requests[request.game].append(request)
    for watch in history.watches:
        watches[watch.game].append(watch)
    games = sorted({*history.logs, *requests, *watches})
    return [
        f"{game}: {fault}"
        for game in games
        for fault in Trial(requests[game], watches[game], history.logs.get(game, ()), window).faults()
    ]


@dataclass(frozen=True)
class Excuse:
    """A fault that a loss would explain, with the version and the time of what was told or shown."""

    version: int
    at: float
    fault: str


@dataclass
class Trial:
    """The observations of one game against its log."""

    requests: Sequence[Request]
    watches: Sequence[Watch]
    log: Sequence[Entry]
    window: tuple[float, float]
    # What was told or shown and is in the log: (time, version).
    kept: list[tuple[float, int]] = field(init=False, default_factory=list)
    excuses: list[Excuse] = field(init=False, default_factory=list)

    def faults(self) -> Iterator[str]:
        entries = {entry.version: entry for entry in self.log}
        yield from self._log_faults()
        yield from self._answer_faults(entries)
        for watch in self.watches:
            yield from self._content_faults(watch, entries)
            yield from self._sequence_faults(watch)
        yield from self._key_faults()
        yield from self._order_faults()
        yield from self._disagreements()
        yield from self._losses_before_the_tail()

    def _may_be_lost(self, at: float) -> bool:
        return self.window[0] <= at <= self.window[1]

    def _log_faults(self) -> Iterator[str]:
        """Versions without a gap from 1, each key once, each hash as replayed."""
        versions: dict[str, int] = {}
        for expected, entry in enumerate(self.log, 1):
            if entry.version != expected:
                yield f"gap: the log has version {entry.version} where {expected} belongs"
            if entry.key is not None and entry.key in versions:
                yield f"doubled: key {entry.key} is in the log at {versions[entry.key]} and at {entry.version}"
            elif entry.key is not None:
                versions[entry.key] = entry.version
            if entry.state_hash != entry.replayed_hash:
                yield f"hash: a replay differs from what is stored at version {entry.version}"

    def _answer_faults(self, entries: Mapping[int, Entry]) -> Iterator[str]:
        """What was acknowledged is in the log where it was said to be."""
        for request in self.requests:
            if request.outcome == "ok":
                answered = request.answered or 0
                entry, told = (
                    entries.get(answered),
                    f"{request.client} was told {answered} for key {request.key}",
                )
                if entry is None or entry.key != request.key:
                    yield from self._lost(answered, request.end, f"lost: {told}, but it is not there")
                elif differ(entry.digest, request.digest):
                    yield from self._lost(
                        answered, request.end, f"rewritten: {told}, but the log holds other content"
                    )
                else:
                    self.kept.append((request.end, answered))

    def _content_faults(self, watch: Watch, entries: Mapping[int, Entry]) -> Iterator[str]:
        """What was shown is in the log."""
        for sighting in watch.sightings:
            if sighting.kind == "update":
                entry = entries.get(sighting.version)
                if entry is None or differ(entry.digest, sighting.digest):
                    fault = f"rewritten: watcher {watch.watcher} saw a version {sighting.version} that is not the log's"
                    yield from self._lost(sighting.version, sighting.at, fault)
                else:
                    self.kept.append((sighting.at, sighting.version))

    def _lost(self, version: int, at: float, fault: str) -> Iterator[str]:
        """A fault, unless a loss explains it."""
        if self._may_be_lost(at):
            self.excuses.append(Excuse(version, at, fault))
        else:
            yield fault

    def _sequence_faults(self, watch: Watch) -> Iterator[str]:
        """Each version is seen once, in order, from where the stream began or was resumed."""
        who = f"watcher {watch.watcher}"
        position, newest = 0, 0
        for number, sighting in enumerate(watch.sightings):
            version = sighting.version
            match sighting.kind:
                case "update" if version == position:
                    yield f"repeated: {who} saw version {version} twice"
                case "update" if version < position:
                    yield f"reordered: {who} saw version {version} after {position}"
                case "update" if version > position + 1:
                    yield f"missed: {who} saw version {version} after {position}"
                case "resumed" if number and version > newest:
                    yield f"missed: {who} resumed after version {version}, but had seen {newest}"
                case "view" if version < newest:
                    if not any(self._may_be_lost(earlier.at) for earlier in watch.sightings[:number]):
                        yield f"reordered: {who} got a view of version {version} after it had seen {newest}"
            position, newest = version, max(newest, version)
        last = self.log[-1].version if self.log else 0
        if watch.to_end and position != last:
            yield f"missed: {who} saw version {position} last, but the log ends with {last}"

    def _key_faults(self) -> Iterator[str]:
        """A key stands for one move and one version, and for none if it was refused each time."""
        attempts: dict[str | None, list[Request]] = defaultdict(list)
        for request in self.requests:
            attempts[request.key].append(request)
        for entry in self.log:
            tried = attempts.get(entry.key, [])
            if tried and all(request.outcome == "refused" for request in tried):
                yield f"resurrected: key {entry.key} was refused, but is in the log at {entry.version}"
            if tried and all(request.move != entry.move for request in tried):
                yield f"rewritten: key {entry.key} was sent with another move than {entry.move}"
        for key, tried in attempts.items():
            told = {r.answered for r in tried if r.outcome == "ok" and not self._may_be_lost(r.end)}
            if len(told) > 1:
                yield f"doubled: key {key} was acknowledged at {len(told)} versions"

    def _order_faults(self) -> Iterator[str]:
        """A move first sent when a version was known comes after that version, and after the one it was made on."""
        first: dict[str | None, tuple[float, int]] = {}
        for request in self.requests:
            start, made_on = first.get(request.key, (inf, request.version))
            first[request.key] = (min(start, request.start), min(made_on, request.version))
        lossy = self.window[0] < inf
        known = sorted((at, version) for at, version in self.kept if not self._may_be_lost(at))
        newest = list(accumulate((version for _, version in known), max))
        for entry in self.log:
            if entry.key in first:
                start, made_on = first[entry.key]
                before = bisect_left(known, (start, 0))
                # After a loss a move may be made on a version that is no more.
                bound = max(0 if lossy else made_on, newest[before - 1] if before else 0)
                if entry.version <= bound:
                    yield f"reordered: key {entry.key} is version {entry.version}, though sent when {bound} was known"

    def _disagreements(self) -> Iterator[str]:
        """Whoever saw a version saw the same, also where the log does not tell what."""
        contents: dict[int | None, set[str | None]] = defaultdict(set)
        for request in self.requests:
            if request.outcome == "ok" and not self._may_be_lost(request.end):
                contents[request.answered].add(request.digest)
        for watch in self.watches:
            for sighting in watch.sightings:
                if sighting.kind == "update" and not self._may_be_lost(sighting.at):
                    contents[sighting.version].add(sighting.digest)
        for version, found in contents.items():
            if len(found - {None}) > 1:
                yield f"rewritten: version {version} was told or shown with different contents"

    def _losses_before_the_tail(self) -> Iterator[str]:
        """A loss takes the end of what there was: no later version known before the loss may have survived it."""
        for excuse in self.excuses:
            # Without an end of the window, what was known before the excuse was for certain before the loss.
            end = excuse.at if self.window[1] == inf else self.window[1]
            if any(version >= excuse.version for at, version in self.kept if at <= end):
                yield f"{excuse.fault}, and it is not at the end of what was lost"


def differ(one: str | None, other: str | None) -> bool:
    """Whether two digests, where both are known, are different."""
    return one is not None and other is not None and one != other
