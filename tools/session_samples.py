"""Stored games of the present formats, as samples that later versions must still load.

python -m tools.session_samples --write: once per format; an old file is never written again.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from turntable_session.core.records import record_of
from turntable_session.domain import entries, snapshots
from turntable_session.domain.entries import FORMAT, Actor, Entry, Kind, encode_entry
from turntable_session.domain.game import Commit, Game, advance, created
from turntable_session.domain.settings import Clock, GameSettings, Policies
from turntable_session.domain.snapshots import pack_game
from turntable_session.rules.in_process import LocalRules

FILE = (
    Path(__file__).resolve().parent.parent
    / "tests"
    / "golden"
    / f"session-{entries.FORMAT}-{snapshots.FORMAT}.json"
)
TABLES = (("usa", 2), ("europe", 3), ("switzerland", 2), ("card", 4))


class Sample:
    """One game written down entry by entry, with every kind of entry a game can have."""

    def __init__(self, edition: str, seats: int) -> None:
        self.rules = LocalRules()
        self.random = Random(edition)
        self.settings = GameSettings(
            edition,
            seats,
            clock=Clock("bank", bank_ms=600_000, increment_ms=5_000),
            policies=Policies("auto", "retire"),
        )
        self.entries: list[Entry] = []
        self.commits: list[Commit] = []
        self.game: Game
        self.at = 1_800_000_000_000

    async def add(self, kind: Kind, by: Actor, seat: int = -1, **facts: Any) -> None:
        """Append an entry that changes no position, and carry it out."""
        await self._append(Entry(FORMAT, kind, by, self._time(), seat, facts=facts))

    def _time(self) -> int:
        self.at += self.random.randrange(9_000)
        return self.at

    async def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        if len(self.entries) == 1:
            self.game, commit = await created("0000" + "s" * 24, entry, self.rules)
        else:
            self.game = self.game.copy()
            commit = await advance(self.game, entry, self.rules)
        self.commits.append(commit)

    async def open(self) -> None:
        """Create the game and let everybody sit down."""
        facts = {
            "settings": msgspec.to_builtins(self.settings),
            "seed": self.random.randbytes(32),
            "seed_given": True,
            "host": self.random.randbytes(32),
            "invite": b"",
            "engine": self.rules.revision,
        }
        await self.add("create", "host", **facts)
        for seat in range(self.settings.seats):
            token = self.random.randbytes(32)
            await self.add(
                "sit", "player", seat, name=f"player {seat}", token=token, external_id="", entropy_hash=""
            )

    async def move(self) -> None:
        """Append a random move."""
        position = self.game.position
        assert position is not None
        seat = position.active_seats[0]
        legal = await self.rules.legal_moves(position, seat)
        outcome = await self.rules.play(position, seat, self.random.choice(legal)["id"])
        await self._append(Entry(FORMAT, "move", "player", self._time(), seat, outcome.move, outcome.hash))

    async def play(self) -> dict[str, Any]:
        """A whole game with an interruption; what a later version has to make of it."""
        await self.open()
        for _ in range(20):
            await self.move()
        await self.add("freeze", "host", reason="lunch")
        await self.add("resume", "operator", reason="")
        await self.add("takeover", "clock", 0, bot="random")
        await self.add("return", "player", 0)
        middle = await pack_game(self.game, self.rules)
        middle_version = self.game.sheet.version
        while self.game.sheet.status == "running":
            await self.move()
        return {
            "edition": self.settings.edition,
            "entries": [_text(encode_entry(entry)) for entry in self.entries],
            "snapshot": _text(middle),
            "snapshot_version": middle_version,
            "tag": _text(self.game.sheet.tag),
            "record": digest_of(await record_of(self.game, self.commits, self.rules)),
        }


def digest_of(record: dict[str, Any]) -> str:
    """What tells two records apart, shorter than a record."""
    return sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


async def samples() -> list[dict[str, Any]]:
    """A sample per table."""
    return [await Sample(edition, seats).play() for edition, seats in TABLES]


def main() -> None:
    """Write the file of the present formats, unless there is one."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tools.session_samples --write")
    if FILE.exists():
        sys.exit(f"{FILE.name} exists: samples of a format are written once")
    FILE.write_text(json.dumps(asyncio.run(samples()), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
