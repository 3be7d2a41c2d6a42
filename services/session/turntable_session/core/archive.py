"""Where records of finished games are kept for good: written once, safe on disk before the store lets go."""

import asyncio
import json
import os
import secrets
from pathlib import Path
from typing import Any, Protocol

from turntable_session.domain.ids import is_game_id


class Archive(Protocol):
    """Keeps records. Writing the same one again changes nothing."""

    async def write(self, game: str, record: dict[str, Any]) -> None:
        """Keep a record; when this returns, it is safe."""

    async def read(self, game: str) -> dict[str, Any] | None:
        """The record of a game, or None."""


class DirectoryArchive:
    """A directory with one file per game, in a folder per bucket."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    async def write(self, game: str, record: dict[str, Any]) -> None:
        """Write, sync and rename: a file that exists under its name is complete."""
        await asyncio.to_thread(self._write, game, record)

    async def read(self, game: str) -> dict[str, Any] | None:
        """The record of a game, or None."""
        return await asyncio.to_thread(self._read, game)

    def _path(self, game: str) -> Path:
        return self.directory / game[:4] / f"{game}.json"

    def _write(self, game: str, record: dict[str, Any]) -> None:
        path = self._path(game)
        text = json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"
        # A record that differs is of an end that was lost with a server: the log in the store is the truth.
        if self._text(game) != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Process ids are the same in many containers, which may share the directory.
            unfinished = path.with_suffix(f".{secrets.token_hex(8)}.part")
            with unfinished.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        # Also for one that was there: its writer may have been killed before it came here.
        for directory in (path.parent, self.directory):
            sync_directory(directory)

    def _read(self, game: str) -> dict[str, Any] | None:
        text = self._text(game) if is_game_id(game) else None
        if text is None:
            return None
        record: dict[str, Any] = json.loads(text)
        return record

    def _text(self, game: str) -> str | None:
        try:
            return self._path(game).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None


def sync_directory(directory: Path) -> None:
    """Make a new name in a directory survive a crash."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
