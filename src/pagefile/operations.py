"""The operations log: what was asked of a memory and what came of it, as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.words import terms
from pagefile.messages import Receipt
from pagefile.parts import Parts
from pagefile.ports import Operation
from pagefile.queries import Hit, Hits
from pagefile.records import HistoryEntry, Scope

#: Characters of a query that are kept.
MOST_KEPT = 1_000
#: Ids of one line: of a long import the first ones.
MOST_NAMED = 100


async def prune(parts: Parts, scope: Scope) -> int:
    """Drop what is too old or too much of the log of a scope; returns how many lines went."""
    log = parts.log
    return await parts.store.prune_operations(scope, before=parts.now() - timedelta(days=log.days), keep=max(1, log.lines))


def added(receipt: Receipt, *, at: datetime) -> Operation:
    """The line of messages that were added. What was said stands in the journal, under these ids."""
    counts = {"stored": receipt.stored, "duplicates": receipt.duplicates, "refused": len(receipt.refused), "redacted": receipt.redacted}
    return Operation(
        kind="add",
        parameters={},
        result={name: number for name, number in counts.items() if number},
        at=at,
        session=receipt.session,
        items=tuple(message.id for message in receipt.messages[:MOST_NAMED]),
    )


def written(entries: Sequence[HistoryEntry]) -> Operation:
    """The line of a write to records. What was written stands in the history, under these ids."""
    return Operation(
        kind="write",
        parameters={"actor": entries[0].cause.actor},
        result={"changes": dict(Counter(entry.change for entry in entries)), "entries": [entry.id for entry in entries]},
        at=entries[0].cause.at,
        items=tuple(dict.fromkeys(entry.target for entry in entries)),
    )


def recalled(query: str, hits: Hits, *, at: datetime, session: str | None = None) -> Operation:
    """The line of a search."""
    return Operation(
        kind="recall",
        # The caller's words, with what nobody may keep taken out of them.
        parameters={"query": redact(clean(query)[:MOST_KEPT]).text},
        result={"retrieved": len(hits), "tokens": sum(hit.tokens for hit in hits), "mode": hits.mode},
        at=at,
        session=None if session is None else redact(session).text,
        items=tuple(hit.id for hit in hits),
    )


def answered(
    query: str,
    hits: Sequence[Hit],
    reply: str,
    *,
    model: str,
    at: datetime,
    session: str,
    messages: Sequence[str],
    rules: str = "",
) -> Operation:
    """The line of a chat turn: what it was given, and what of that its reply shows. ``messages``: ids of what was said in it. ``rules``:
    the hash of the resident rules that held."""
    return Operation(
        kind="turn",
        parameters={"query": query[:MOST_KEPT], "model": model, **({"rules": rules} if rules else {})},
        result={
            "retrieved": len(hits),
            "used": used_in(reply, hits, query),
            "tokens": sum(hit.tokens for hit in hits),
            "messages": list(messages),
        },
        at=at,
        session=session,
        # With what was said goes the line that repeats it.
        items=(*(hit.id for hit in hits), *messages),
    )


def used_in(reply: str, notes: Sequence[Hit], query: str) -> list[str]:
    """Ids of the notes of which a reply says something that the question did not say: at least half of the words a note adds, or three."""
    asked, said = set(terms(query)), set(terms(reply))
    return [note.id for note in notes if _shares(set(terms(note.text)) - asked, said)]


def _shares(added: set[str], said: set[str]) -> bool:
    shared = len(added & said)
    return shared > 0 and (shared >= 3 or 2 * shared >= len(added))
