"""A working copy of the records that a decision is about, and the changes that were made to it. Pure: what it says is applied elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pagefile.language.keys import fact_key, record_keys, text_key
from pagefile.lifecycle.attributes import akin
from pagefile.lifecycle.facts import USER, Claim
from pagefile.records import Add, Cause, Change, Edit, Indexing, Record, Reinforce, Source, Status, Supersede

#: Attributes of what happens once, at its own time.
EVENTS = frozenset({"experience", "visited", "plan", "deadline"})


def said_at(record: Record) -> datetime:
    """When a record was last said; what was never said, when it was learnt."""
    return record.said_at or record.learned_at


def claim_keys(claim: Claim) -> tuple[str, ...]:
    """Under which keys records that a claim can touch are filed."""
    words = text_key(claim.text)
    return (words,) if is_note(claim) else (fact_key(claim.subject, claim.attribute), words, *_other_readings(claim))


def _other_readings(claim: Claim) -> tuple[str, ...]:
    """The keys under which rules may have filed what a model reads in the same words."""
    if not claim.extractor.startswith("model:"):
        return ()
    keys = [fact_key(claim.subject, attribute) for attribute in akin(claim.attribute)]
    if claim.attribute in EVENTS and claim.subject != USER:
        keys.append(fact_key(USER, claim.attribute))
    return tuple(keys)


def is_note(claim: Claim) -> bool:
    """Whether a claim is known by its text alone: it has no value, or nobody knows whose or of what."""
    return not claim.value.strip() or not claim.subject or claim.attribute == "note"


class Ledger:
    """Records by key. Each verb changes the copy as a store would, and notes the change; what changes nothing is not noted."""

    def __init__(
        self,
        known: Iterable[Record],
        *,
        now: datetime,
        new_id: Callable[[], str],
        actor: str,
        index: Callable[[Record], Indexing],
    ) -> None:
        self._now, self._new_id, self._actor, self._index = now, new_id, actor, index
        self._records: dict[str, Record] = {}
        self._by_key: dict[str, dict[str, None]] = {}
        self.changes: list[Change] = []
        for record in known:
            self._keep(record)

    def about(self, claim: Claim) -> tuple[Record, ...]:
        """Records of any status that a claim can touch, in the order they came."""
        # Notes are looked up by their text alone; those that are here already are few, and may say the same in other words.
        keys = dict.fromkeys((*claim_keys(claim), fact_key(claim.subject, claim.attribute)))
        ids = dict.fromkeys(id for key in keys for id in self._by_key.get(key, ()))
        return tuple(self._records[id] for id in ids)

    def add(self, claim: Claim, status: Status, why: str, **fields: Any) -> Record:
        """Write a new record of what was claimed."""
        record = self._record(claim, status, **fields)
        self.changes.append(Add(item=record, cause=self._cause(why), indexing=self._index(record)))
        return self._keep(record)

    def supersede(self, old: Record, claim: Claim, why: str, *, valid_to: datetime | None, **fields: Any) -> Record:
        """Put a new record of what was claimed in the place of an old one. What is pinned stays pinned."""
        made = self._record(claim, "current", **({"pinned": old.pinned} | fields))
        valid_to = valid_to or made.valid_from or self._now
        self.changes.append(Supersede(target=old.id, item=made, cause=self._cause(why), indexing=self._index(made), valid_to=valid_to))
        self._keep(replace(old, status="superseded", valid_to=valid_to, retired_at=self._now, version=old.version + 1))
        return self._keep(replace(made, supersedes=old.id))

    def end(self, old: Record, why: str, *, valid_to: datetime | None) -> Record:
        """Take a record out of what holds without putting another one in its place."""
        return self.edit(old, why, status="superseded", valid_to=valid_to or self._now, retired_at=self._now)

    def reinforce(self, record: Record, claim: Claim, why: str, *, counts: bool, moves: bool = True) -> Record:
        """It was said again: merge the sources; ``counts``: as evidence of its own; ``moves``: it was last said then."""
        sources = tuple(source for source in dict.fromkeys(claim.sources) if source not in record.sources)
        later = claim.said_at if moves and claim.said_at > said_at(record) else None
        if not (sources or counts or later):
            return record
        self.changes.append(Reinforce(target=record.id, cause=self._cause(why), sources=sources, said_at=later, counts=counts))
        return self._keep(
            replace(
                record,
                sources=(*record.sources, *sources),
                said_at=later or record.said_at,
                evidence_count=record.evidence_count + counts,
                version=record.version + 1,
            )
        )

    def edit(self, record: Record, why: str, **fields: Any) -> Record:
        """Give a record other values."""
        if "valid_from" in fields or "valid_to" in fields:
            fields = _possible({"valid_from": record.valid_from, "valid_to": record.valid_to} | fields)
        changed = {name: value for name, value in fields.items() if getattr(record, name) != value}
        if not changed:
            return record
        made = replace(record, **changed, version=record.version + 1)
        indexing = self._index(made) if "text" in changed else None
        self.changes.append(Edit(target=record.id, fields=changed, cause=self._cause(why), indexing=indexing))
        return self._keep(made)

    def _record(self, claim: Claim, status: Status, **fields: Any) -> Record:
        known: dict[str, Any] = {
            "id": self._new_id(),
            "kind": claim.kind,
            "text": claim.text,
            "status": status,
            "subject": claim.subject or None,
            "attribute": claim.attribute or None,
            "value": claim.value.strip() or None,
            "polarity": claim.polarity,
            "tags": claim.tags,
            "entities": claim.entities,
            "confidence": claim.confidence,
            "importance": claim.importance,
            "valid_from": claim.valid_from,
            "valid_to": claim.valid_to,
            "learned_at": self._now,
            "said_at": claim.said_at,
            "extractor": claim.extractor,
            "speaker": claim.speaker,
            "trust": claim.trust,
            "sources": tuple(dict.fromkeys(claim.sources)),
            "session": claim.session,
            "agent": claim.agent,
            "privacy": claim.privacy,
        }
        return Record(**_possible(known | fields))

    def _keep(self, record: Record) -> Record:
        self._records[record.id] = record
        for key in record_keys(record):
            self._by_key.setdefault(key, {})[record.id] = None
        return record

    def _cause(self, why: str) -> Cause:
        return Cause(actor=self._actor, reason=why, at=self._now)


def _possible(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with times that can be: what ended before it began has a beginning that nobody knows."""
    first, last = fields["valid_from"], fields["valid_to"]
    return fields | {"valid_from": None} if first is not None and last is not None and last < first else fields


def merged(first: Sequence[Source], second: Sequence[Source]) -> tuple[Source, ...]:
    """Sources of both, none twice."""
    return tuple(dict.fromkeys((*first, *second)))
