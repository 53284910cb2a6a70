"""What becomes of a record when messages that it cites are erased. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from pagefile.records import Record


def without(record: Record, erased: Collection[str], left: Collection[str]) -> Record | None:
    """The record without these messages among its sources, and without the evidence that they were; None: it goes with them.

    ``left``: the messages that it cites and that stay. A summary may tell of each of its sources, and what an extractor read has the
    words of the first; other messages only said it again.
    """
    if not left or record.kind == "summary" or (record.extractor and record.sources[0].message in erased):
        return None
    lost = {source.message for source in record.sources if source.message in erased}
    return replace(
        record,
        sources=tuple(source for source in record.sources if source.message not in erased),
        evidence_count=max(1, record.evidence_count - len(lost)),
        version=record.version + 1,
    )


def told_without(fields: Mapping[str, Any], erased: Collection[str]) -> Mapping[str, Any]:
    """What a change of the history tells of a record, without these messages among its sources; the same if none is."""
    sources = fields.get("sources", ())
    left = [source for source in sources if source["message"] not in erased]
    return fields if len(left) == len(sources) else {**fields, "sources": left}
