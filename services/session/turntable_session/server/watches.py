"""Iterating only until something else happens."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")


async def until(event: asyncio.Event, items: AsyncIterator[T]) -> AsyncIterator[T]:
    """The items, until there are no more or the event happens; whoever makes them is told that it is over."""
    happening = asyncio.create_task(event.wait())
    next_item: asyncio.Task[T] | None = None
    try:
        while True:
            next_item = asyncio.create_task(anext(items))  # type: ignore[arg-type]
            await asyncio.wait((next_item, happening), return_when=asyncio.FIRST_COMPLETED)
            if not next_item.done():
                return
            try:
                item = next_item.result()
            except StopAsyncIteration:
                return
            yield item
    finally:
        for task in (happening, next_item):
            if task is not None:
                task.cancel()
        await asyncio.gather(*filter(None, (happening, next_item)), return_exceptions=True)
        close = getattr(items, "aclose", None)
        if close is not None:
            await close()
