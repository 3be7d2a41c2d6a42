"""The core: every use case in one object, over one store and one set of rules."""

from turntable_session.core.access import Access
from turntable_session.core.administration import Administration
from turntable_session.core.archive import Archive
from turntable_session.core.creation import Creation
from turntable_session.core.desk import Desk
from turntable_session.core.keeper import Keeper
from turntable_session.core.seating import Seating
from turntable_session.core.watching import Watching


class CoreSessions(Creation, Seating, Keeper, Watching, Administration):
    """The port `Sessions` in process, and what happens by itself."""

    def __init__(
        self,
        desk: Desk,
        access: Access,
        archive: Archive,
        secret: bytes,
        bots: frozenset[str] = frozenset(),
        fallback_bot: str = "",
    ) -> None:
        super().__init__(desk, access, secret, bots, fallback_bot)
        self.archive = archive
        self.start_watching()

    async def close(self) -> None:
        """Stop listening; the store is its owner's to close."""
        await self.stop_watching()
