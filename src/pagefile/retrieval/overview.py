"""What answers a question about all that is known of the person who asks: it has no words by which an answer is found."""

from __future__ import annotations

from pagefile.ports import Store
from pagefile.queries import Where
from pagefile.records import Record, Scope

#: Records that are looked through. Of a longer memory the newest are left out, which are likely to stand in the conversation.
_MOST = 500


async def all_known(store: Store, scope: Scope, where: Where, limit: int) -> list[Record]:
    """The records that tell most of a person: pinned ones, then the important, the often used and the newest."""
    page = await store.records(scope, where=where, limit=_MOST)
    told = [record for record in page.items if record.kind != "summary"]
    told.sort(key=lambda record: (record.pinned, record.importance, record.evidence_count, record.learned_at), reverse=True)
    distinct = {record.text: record for record in reversed(told)}
    return [record for record in told if distinct[record.text] is record][:limit]
