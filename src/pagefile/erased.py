"""What was erased is not written back into core memory: not by a model that still remembers it, nor by an older version of a block."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence

from pagefile.language.keys import fact_key, known_by, record_known_by, text_key
from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim, Utterance
from pagefile.lifecycle.reconcile import marks_of
from pagefile.lifecycle.rules import find_claims
from pagefile.parts import Parts
from pagefile.records import Scope

#: A statement in a block stands on a line, behind a dash or a name, or in a sentence.
_SENTENCE = late_pattern(r"[^.!?。！？；;\n]+")
_BULLET = late_pattern(r"^\W*(?:[\w ]{1,20}[:：]\s*)?")


async def without_erased(parts: Parts, scope: Scope, text: str, *, before: str = "") -> str:
    """A text without the lines that say what was erased, and that nobody said again since; the same text if there is none.

    ``before``: what it stands in the place of; lines of that may stay.
    """
    erased = await _erased(parts, scope, text, before)
    return "".join(line for line in text.splitlines(keepends=True) if line.splitlines()[0] not in erased) if erased else text


async def _erased(parts: Parts, scope: Scope, text: str, before: str) -> frozenset[str]:
    known = set(before.splitlines())
    added = [line for line in dict.fromkeys(text.splitlines()) if line.strip() and line not in known]
    if not added:
        return frozenset()
    told = await asyncio.to_thread(_told, [line.strip() for line in added], parts)
    store, marks = parts.store, dict.fromkeys(mark for each, _ in told for mark in each)
    times = await store.erased(scope, tuple(marks))
    erased = {mark for mark, time in zip(marks, times, strict=True) if time is not None}
    if not erased:
        return frozenset()
    filed = await store.keyed(scope, tuple(dict.fromkeys(key for _, keys in told for key in keys)))
    # Said again since: it is known once more.
    erased -= {mark for record in filed.records if record.status == "current" for mark in known_by(record)}
    return frozenset(line for line, (each, _) in zip(added, told, strict=True) if not erased.isdisjoint(each))


def _told(lines: Sequence[str], parts: Parts) -> list[tuple[Collection[str], Collection[str]]]:
    """Of each line the marks of what it says, and the keys that this is filed under."""
    claims: dict[str, list[Claim]] = {}
    now = parts.now()
    said = [Utterance(message=str(number), text=line, said_at=now, zone=parts.zone) for number, line in enumerate(lines)]
    for claim in find_claims(said):
        for source in claim.sources:
            claims.setdefault(source.message, []).append(claim)
    return [_marks_and_keys(line, claims.get(str(number), ())) for number, line in enumerate(lines)]


def _marks_and_keys(line: str, claims: Sequence[Claim]) -> tuple[Collection[str], Collection[str]]:
    pieces = list(dict.fromkeys(_pieces(line)))
    marks = [mark for piece in pieces for mark in record_known_by(piece, None, None, None, "positive")]
    marks += [mark for claim in claims for mark in marks_of(claim)]
    keys = [*(text_key(piece) for piece in pieces), *(fact_key(claim.subject, claim.attribute) for claim in claims)]
    return dict.fromkeys(marks), dict.fromkeys(keys)


def _pieces(line: str) -> Iterator[str]:
    """A line, and the statements in it."""
    for whole in (line, _BULLET.sub("", line)):
        yield whole
        yield from (sentence.strip() for sentence in _SENTENCE.findall(whole) if sentence.strip())
