"""A record or message by its id, or a sentence that says why there is none."""

from __future__ import annotations

from pagefile.errors import InputError, NotFound
from pagefile.ports import Store
from pagefile.queries import Item
from pagefile.records import Record, Scope


async def item_of(store: Store, scope: Scope, id: str) -> Item:
    """Raises NotFound."""
    item = (await store.get(scope, [id]))[0]
    if item is None:
        raise NotFound(f"there is no record or message {id!r} here; ids come from search, list or add")
    return item


async def record_of(store: Store, scope: Scope, id: str) -> Record:
    """Raises NotFound, and InputError for a message."""
    item = await item_of(store, scope, id)
    if not isinstance(item, Record):
        raise InputError(f"{id!r} is a message: what was said is not edited; forget it or erase it")
    return item
