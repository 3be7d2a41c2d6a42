"""A game as it is stored now and then, so that loading need not replay it from its beginning."""

from typing import Final

import msgspec

from turntable_session.domain.entries import UnknownFormat
from turntable_session.domain.game import Game, UnknownRevision
from turntable_session.domain.rules import Rules
from turntable_session.domain.sheet import Sheet

FORMAT: Final = 1


class Snapshot(msgspec.Struct, array_like=True, frozen=True):
    """The sheet and the position of a game; empty bytes before the start."""

    format: int
    sheet: Sheet
    state: bytes

    def __repr__(self) -> str:
        return f"Snapshot({self.sheet!r})"


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Snapshot)


async def pack_game(game: Game, rules: Rules) -> bytes:
    """The game as it is stored."""
    state = b"" if game.position is None else await rules.pack(game.position)
    return _encoder.encode(Snapshot(FORMAT, game.sheet, state))


async def unpack_game(data: bytes, rules: Rules) -> Game:
    """A stored game of any format there has been."""
    snapshot = _decoder.decode(data)
    if snapshot.format != FORMAT:
        raise UnknownFormat(
            f"snapshots of format {snapshot.format} are newer than this program, which reads {FORMAT}"
        )
    sheet = snapshot.sheet
    if sheet.engine != rules.revision:
        raise UnknownRevision(f"engine revision {sheet.engine}; this process has {rules.revision}")
    table = await rules.table(sheet.settings)
    position = await rules.unpack(table, snapshot.state) if snapshot.state else None
    return Game(sheet, table, position)
