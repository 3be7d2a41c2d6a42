"""Who sits where, until play begins."""

import re
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from turntable_session.core.answers import Changed, Seated
from turntable_session.core.desk import Decision
from turntable_session.core.office import Office, must_be_open
from turntable_session.core.port import Caller
from turntable_session.core.requests import identify
from turntable_session.domain.game import Game
from turntable_session.domain.settings import MAX_NAME, check_name, unknown_bot
from turntable_session.domain.sheet import Sheet
from turntable_session.domain.tokens import SEAT, derived_token, same_hash, token_hash
from turntable_session.problems import Problem, malformed, no_such_game

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_MAX_ENTROPY: Final = 1024


class Seating(Office):
    """Sitting down, leaving, bots in seats, and the start."""

    async def take_seat(
        self,
        caller: Caller,
        game: str,
        name: str,
        seat: int | None = None,
        external_id: str = "",
        entropy_hash: str = "",
        invite_code: str = "",
        key: str = "",
    ) -> Seated:
        """Sit down, in the lowest free seat unless one is named."""
        name = check_name(name)
        if len(external_id) > MAX_NAME or not external_id.isprintable():
            raise malformed(f"an external id has at most {MAX_NAME} printable characters")
        if entropy_hash and not _HASH.fullmatch(entropy_hash):
            raise malformed("an entropy hash is a SHA-256 in 64 hex digits")
        request = identify(caller, "sit", game, key, name, seat, external_id, entropy_hash)
        identity = request.key.hex()

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            self._may_sit(sheet, caller, invite_code)
            must_be_open(sheet)
            place = _free_seat(sheet, seat)
            token = derived_token(self.secret, SEAT, game, str(place), identity)
            facts = {
                "name": name,
                "token": token_hash(token),
                "external_id": external_id,
                "entropy_hash": entropy_hash,
            }
            return Decision(self.entry(sheet, "sit", "player", place, facts=facts))

        change = await self.desk.change(game, request, decide)
        place = change.commit.entry.seat
        token = derived_token(self.secret, SEAT, game, str(place), identity)
        return Seated(place, token, change.commit.version)

    def _may_sit(self, sheet: Sheet, caller: Caller, invite_code: str) -> None:
        if sheet.settings.visibility != "private":
            return
        invited = bool(invite_code) and same_hash(sheet.invite, token_hash(invite_code))
        if not invited and self.access.role(sheet, caller).is_stranger:
            raise no_such_game(sheet.id)

    async def leave_seat(self, caller: Caller, game: str, seat: int, key: str = "") -> Changed:
        """Leave the seat of an open game: its player, or the host for them."""

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            role = self.access.role(sheet, caller)
            must_be_open(sheet)
            _seat_exists(sheet, seat)
            if role.seat != seat and not role.is_host and not role.is_operator:
                raise Problem(
                    "forbidden" if caller.token else "unauthenticated", "this is another player's seat"
                )
            if sheet.seats[seat].kind != "player":
                raise Problem("wrong_phase", "nobody sits there")
            return Decision(self.entry(sheet, "leave", "player" if role.seat == seat else "host", seat))

        change = await self.desk.change(game, identify(caller, "leave", game, key, seat), decide)
        return Changed(change.commit.version, seat)

    async def assign_seat(self, caller: Caller, game: str, seat: int, bot: str, key: str = "") -> Changed:
        """Give a seat of an open game to a bot, or with an empty name open it; for the host."""
        if bot and bot not in self.bots:
            raise malformed(unknown_bot(bot, self.bots))

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            self.access.host(sheet, caller)
            must_be_open(sheet)
            _seat_exists(sheet, seat)
            if bot and sheet.seats[seat].kind == "player":
                raise Problem("seat_taken", f"a player sits in seat {seat}")
            return Decision(self.entry(sheet, "assign", "host", seat, facts={"bot": bot}))

        change = await self.desk.change(game, identify(caller, "assign", game, key, seat, bot), decide)
        return Changed(change.commit.version, seat)

    async def start_game(self, caller: Caller, game: str, fill: str = "", key: str = "") -> Changed:
        """Start an open game, bots in the seats still open; for the host."""
        if fill and fill not in self.bots:
            raise malformed(unknown_bot(fill, self.bots))

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            self.access.host(sheet, caller)
            must_be_open(sheet)
            if not fill and any(seat.kind == "open" for seat in sheet.seats):
                raise Problem("not_started", "seats are open: name a bot to fill them with")
            return Decision(self.entry(sheet, "start", "host", facts={"fill": fill}))

        change = await self.desk.change(game, identify(caller, "start", game, key, fill), decide)
        return Changed(change.commit.version)

    async def reveal_entropy(self, caller: Caller, game: str, entropy: bytes, key: str = "") -> Changed:
        """Disclose what a seat adds to the seed; the game starts when all have."""
        if not 1 <= len(entropy) <= _MAX_ENTROPY:
            raise malformed(f"entropy has 1 to {_MAX_ENTROPY} bytes")

        async def decide(table: Game) -> Decision:
            sheet = table.sheet
            seat = self.access.seat(sheet, caller)
            must_be_open(sheet)
            promised = sheet.seats[seat].entropy_hash
            if not promised or not compare_digest(sha256(entropy).hexdigest(), promised):
                raise malformed("this is not the entropy the seat has promised")
            return Decision(self.entry(sheet, "reveal", "player", seat, facts={"entropy": entropy}))

        change = await self.desk.change(game, identify(caller, "reveal", game, key, entropy), decide)
        return Changed(change.commit.version, change.commit.entry.seat)


def _seat_exists(sheet: Sheet, seat: int) -> None:
    if not 0 <= seat < len(sheet.seats):
        raise malformed(f"there is no seat {seat}; seats are 0 to {len(sheet.seats) - 1}")


def _free_seat(sheet: Sheet, wanted: int | None) -> int:
    if wanted is not None:
        _seat_exists(sheet, wanted)
        if sheet.seats[wanted].kind != "open":
            raise Problem("seat_taken", f"seat {wanted} is taken")
        return wanted
    for number, seat in enumerate(sheet.seats):
        if seat.kind == "open":
            return number
    raise Problem("game_full", "no seat is free")
