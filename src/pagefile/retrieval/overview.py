"""What answers a question about all that is known of the person who asks: it has no words by which an answer is found."""

from __future__ import annotations

from pagefile.ports import Store
from pagefile.queries import Where
from pagefile.records import Record, Scope

#: Records read at once.
_PAGE = 1_000


async def all_known(store: Store, scope: Scope, where: Where, limit: int) -> list[Record]:
    """The records that tell most of a person: pinned ones, then the important, the often said and the newest."""
    told, after = list[Record](), None
    while True:
        page = await store.records(scope, where=where, after=after, limit=_PAGE)
        told += [record for record in page.items if record.kind != "summary"]
        if (after := page.cursor) is None:
            break
    told.sort(key=lambda record: (record.pinned, record.importance, record.evidence_count, record.learned_at), reverse=True)
    distinct = {record.text: record for record in reversed(told)}
    return [record for record in told if distinct[record.text] is record][:limit]
