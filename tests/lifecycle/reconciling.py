"""Claims by hand, and a mind that reconciles them and keeps what comes of it in a real store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.decision import Outcome
from pagefile.lifecycle.facts import USER, Claim
from pagefile.lifecycle.reconcile import Plan, keys_of, reconcile
from pagefile.queries import Where
from pagefile.records import Add, Cause, Change, Record, Retire, Scope, Source, Status, Trust
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeIds, indexing_of, make_record

ALICE = Scope("default", "alice")
#: The first day that anything is said on.
MONDAY = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_EVERYTHING = Where(statuses=("pending", "current", "superseded", "retired"))


def day(number: float) -> datetime:
    """Nine in the morning, so many days after the first."""
    return MONDAY + timedelta(days=number)


def claim(attribute: str, value: str, when: float = 0, /, **fields: Any) -> Claim:
    """What the user said on a day, in a message of its own and a session of that day; any field can be given."""
    said_at = fields.pop("said_at", day(when))
    message = fields.pop("message", f"message of {attribute} {value} {when} {fields.get('polarity', '')}")
    span = fields.pop("span", (0, 40))
    known = attribute_of(attribute)
    defaults: dict[str, Any] = {
        "subject": USER,
        "attribute": attribute,
        "value": value,
        "kind": known.kind,
        "text": f"{fields.get('subject', 'I')} {'not ' if fields.get('polarity') == 'negative' else ''}{attribute} {value}",
        "sources": (Source(message=message, span=span),),
        "said_at": said_at,
        "valid_from": said_at,
        "session": f"session {said_at:%Y-%m-%d}",
        "extractor": "rules",
    }
    return Claim(**(defaults | fields))


class Mind:
    """Learns claims as the worker does: look up by key, decide, apply in one transaction."""

    def __init__(self, *known: Record) -> None:
        self._store, self._new_id = MemoryStore(), FakeIds(1_000_000)
        self.clock = day(400)
        if known:
            self._apply([Add(item=record, cause=self._cause()) for record in known])

    def learn(self, *claims: Claim) -> tuple[Outcome, ...]:
        """Reconcile claims in one batch and apply the plan; returns what became of each."""
        return self.plan(claims).outcomes

    def plan(self, claims: Sequence[Claim]) -> Plan:
        """As ``learn``, but returns the whole plan."""
        self.clock += timedelta(seconds=1)
        keyed = asyncio.run(self._store.keyed(ALICE, keys_of(claims)))
        plan = reconcile(
            claims, keyed.records, now=self.clock, new_id=self._new_id, actor="worker", index=lambda one: indexing_of(one.text)
        )
        self._apply(plan.changes)
        return plan

    def forget(self, id: str, when: float) -> None:
        """Retire a record on a day."""
        self._apply([Retire(target=id, cause=Cause(actor="user:alice", reason="forget it", at=day(when)))])

    def records(self, *statuses: Status) -> list[Record]:
        """Records of these statuses, oldest first; all without one."""
        page = asyncio.run(self._store.records(ALICE, where=_EVERYTHING, limit=1_000))
        return [record for record in page.items if not statuses or record.status in statuses]

    def values(self, attribute: str, *, subject: str = USER, status: Status = "current") -> set[str]:
        """Values of an attribute; those of negative records with a "not " before them."""
        return {
            ("not " if record.polarity == "negative" else "") + (record.value or record.text)
            for record in self.records(status)
            if (record.subject, record.attribute) == (subject, attribute)
        }

    def only(self, status: Status = "current") -> Record:
        """The one record of a status."""
        (record,) = self.records(status)
        return record

    def _apply(self, changes: Sequence[Change]) -> None:
        asyncio.run(self._store.apply(ALICE, changes))

    def _cause(self) -> Cause:
        return Cause(actor="user:alice", reason="a test", at=self.clock)


def confirmed(attribute: str, value: str, when: float, **fields: Any) -> Record:
    """A record that the user wrote or confirmed himself."""
    return make_record(
        f"I {attribute} {value}",
        **(
            {
                "subject": USER,
                "attribute": attribute,
                "value": value,
                "trust": Trust.USER_CONFIRMED,
                "said_at": day(when),
                "valid_from": day(when),
            }
            | fields
        ),
    )
