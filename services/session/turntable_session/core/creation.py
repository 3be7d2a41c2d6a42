"""Creating games."""

import secrets
from typing import Final

import msgspec

from turntable_session.core.answers import Created
from turntable_session.core.desk import Change
from turntable_session.core.office import Office
from turntable_session.core.port import Caller
from turntable_session.core.requests import Request, identify
from turntable_session.domain.entries import FORMAT, Entry
from turntable_session.domain.ids import game_id
from turntable_session.domain.settings import GameSettings, check_settings
from turntable_session.domain.tokens import HOST, INVITE, derived_token, token_hash
from turntable_session.problems import Problem, malformed

SEED_BYTES: Final = 32


class Creation(Office):
    """New games, and new games like old ones."""

    async def create_game(
        self, caller: Caller, settings: GameSettings, seed: bytes | None = None, key: str = ""
    ) -> Created:
        """Create a game; it starts at once if every seat has a bot."""
        check_settings(settings, self.bots)
        if seed is not None and len(seed) != SEED_BYTES:
            raise malformed(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        return await self._create(identify(caller, "create", "", key, settings, seed), settings, seed)

    async def create_rematch(self, caller: Caller, game: str, key: str = "") -> Created:
        """The same table with a new seed; for the host or a player of a game that is over."""
        old = (await self.desk.fresh(game)).sheet
        if self.access.role(old, caller).is_stranger:
            raise Problem("unauthenticated", "this needs the token of the host or of a seat")
        if not old.is_over:
            raise Problem("not_finished", "the game is not over")
        return await self._create(identify(caller, "rematch", game, key), old.settings, None)

    async def _create(self, request: Request, settings: GameSettings, seed: bytes | None) -> Created:
        # The id follows from the request, so that a repeated one finds the game it has created.
        identity = request.key.hex()
        new_id = game_id(self.secret, "create", identity, self.desk.store.buckets)
        host = derived_token(self.secret, HOST, new_id, identity)
        invite = derived_token(self.secret, INVITE, new_id) if settings.visibility == "private" else ""
        facts = {
            "settings": msgspec.to_builtins(settings),
            "seed": secrets.token_bytes(SEED_BYTES) if seed is None else seed,
            "seed_given": seed is not None,
            "host": token_hash(host),
            "invite": token_hash(invite) if invite else b"",
            "engine": self.desk.rules.revision,
        }
        entry = Entry(FORMAT, "create", "host", self.desk.now(), facts=facts)
        change: Change = await self.desk.create(new_id, entry, request)
        return Created(await self.view_of(change.game, None), host, invite)
