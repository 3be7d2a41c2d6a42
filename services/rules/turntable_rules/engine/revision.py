"""The engine's revision: it changes whenever behaviour does, so that a record knows which rules it was played by."""

from typing import Final

ENGINE_REVISION: Final = 1
