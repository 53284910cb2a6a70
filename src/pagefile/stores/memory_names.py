"""Which records name what, in a scope that is held in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagefile.entities import Alias, Named, Within
from pagefile.records import Record, Scope
from pagefile.stores.memory_access import HeldAccess
from pagefile.stores.memory_space import Space
from pagefile.stores.rules import item_time


class HeldNames(HeldAccess):
    """The part of a store that is about names."""

    async def named(self, scope: Scope, keys: Sequence[str] | None = None) -> tuple[Named, ...]:
        space = self._space_of(scope)
        found = (
            [] if space is None else [(key, self._known(space, [key])) for key in (space.naming if keys is None else dict.fromkeys(keys))]
        )
        return tuple(
            Named(
                key=key,
                name=next(mention.name for mention in space.mentions[records[-1].id] if mention.key == key),
                records=len(records),
                first=min(map(item_time, records)),
                last=max(map(item_time, records)),
            )
            for key, records in sorted(found, key=lambda one: one[0].encode())
            if space is not None and records
        )

    async def naming(self, scope: Scope, keys: Sequence[str], *, within: Within = Within(), limit: int | None = None) -> tuple[Record, ...]:
        space = self._space_of(scope)
        # Sorted as they were added, so that of equal times that tells.
        found = sorted((record for record in self._known(space, keys) if within.has(record)), key=item_time) if space else []
        return tuple(found if limit is None else found[max(0, len(found) - limit) :])

    async def name_anew(self, scope: Scope) -> int:
        space = self._space_of(scope)
        if space is None:
            return 0
        space.file(dict(space.records))
        return len(space.records)

    async def aliases(self, scope: Scope) -> tuple[Alias, ...]:
        space = self._space_of(scope)
        return () if space is None else tuple(alias for _, alias in sorted(space.aliases.items(), key=lambda one: one[0].encode()))

    def _space_of(self, scope: Scope) -> Space | None:
        self._check_open()
        return self._spaces.get(scope)

    def _known(self, space: Space, keys: Iterable[str]) -> list[Record]:
        """Records that hold or held and name one of these, oldest first."""
        ids = set[str]().union(*(space.naming.get(key, ()) for key in keys))
        records = (space.records[id] for id in sorted(ids, key=space.positions.__getitem__))
        return [record for record in records if record.status in ("current", "superseded")]
