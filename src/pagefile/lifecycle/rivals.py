"""What cannot stand beside a record: whoever makes a record hold supersedes it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.reconcile import reconcile
from pagefile.records import Cause, Edit, Indexing, Record, Reinforce, Supersede, Trust


def rivals(record: Record, known: Iterable[Record], cause: Cause) -> list[Edit]:
    """The changes that supersede all current records that contradict a current one, or say the same; none for a record that is not
    current, or is known by its text alone."""
    if record.status != "current" or not (record.subject and record.attribute and record.value):
        return []
    others = {each.id: each for each in known if each.id != record.id and each.status == "current"}
    claim = replace(claim_of(record), said_at=cause.at, trust=Trust.USER_CONFIRMED, quarantined=False)
    # What is added is not written: only what goes is asked for.
    plan = reconcile(
        [claim], list(others.values()), now=cause.at, new_id=lambda: record.id, actor=cause.actor, index=lambda made: Indexing()
    )
    losers = dict.fromkeys(change.target for change in plan.changes if isinstance(change, Supersede | Reinforce))
    begins = record.valid_from or cause.at
    return [superseded(others[id], max(filter(None, (others[id].valid_from, begins))), cause) for id in losers if id in others]


def superseded(record: Record, valid_to: object, cause: Cause) -> Edit:
    """The change that lets a record hold no more, with nothing in its place."""
    return Edit(target=record.id, fields={"status": "superseded", "valid_to": valid_to, "retired_at": cause.at}, cause=cause)


def claim_of(record: Record) -> Claim:
    """What a record with subject, attribute and value states."""
    return Claim(
        subject=record.subject or "",
        attribute=record.attribute or "",
        value=record.value or "",
        polarity=record.polarity,
        kind=record.kind,
        text=record.text,
        sources=record.sources,
        said_at=record.said_at or record.learned_at,
        valid_from=record.valid_from,
        valid_to=record.valid_to,
        speaker=record.speaker,
        trust=record.trust,
        quarantined=record.trust <= Trust.TOOL_OUTPUT,
        session=record.session,
        agent=record.agent,
        tags=record.tags,
        entities=record.entities,
        confidence=record.confidence,
        importance=record.importance,
        privacy=record.privacy,
        extractor=record.extractor or "",
    )
