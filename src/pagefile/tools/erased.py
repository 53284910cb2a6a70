"""What was erased is not written back into core memory by a model that still remembers it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from pagefile.errors import ToolError
from pagefile.language.keys import fact_key, known_by, record_known_by, text_key
from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim, Utterance
from pagefile.lifecycle.reconcile import marks_of
from pagefile.lifecycle.rules import find_claims
from pagefile.prompts import words
from pagefile.tools.calls import Caller

#: A statement in a block stands on a line, behind a dash or a name, or in a sentence.
_SENTENCE = late_pattern(r"[^.!?。！？；;\n]+")
_BULLET = late_pattern(r"^\W*(?:[\w ]{1,20}[:：]\s*)?")


async def require_not_erased(caller: Caller, before: str, after: str) -> None:
    """Raise ToolError if a text has new words that say what was erased, and that nobody said again since.

    The application may write them all the same: it writes past the system calls.
    """
    known = set(before.splitlines())
    added = [line.strip() for line in after.splitlines() if line.strip() and line not in known]
    if not added:
        return
    store, claims = caller.parts.store, await asyncio.to_thread(_claims, added, caller)
    pieces = list(dict.fromkeys(piece for line in added for piece in _pieces(line)))
    marks = dict.fromkeys(mark for piece in pieces for mark in record_known_by(piece, None, None, None, "positive"))
    marks |= dict.fromkeys(mark for claim in claims for mark in marks_of(claim))
    times = await store.erased(caller.scope, tuple(marks))
    erased = {mark for mark, time in zip(marks, times, strict=True) if time is not None}
    if not erased:
        return
    keys = [*(text_key(piece) for piece in pieces), *(fact_key(claim.subject, claim.attribute) for claim in claims)]
    filed = await store.keyed(caller.scope, tuple(dict.fromkeys(keys)))
    # Said again since: it is known once more.
    erased -= {mark for record in filed.records if record.status == "current" for mark in known_by(record)}
    if erased:
        raise ToolError(words("tools", "erased", caller.wording))


def _pieces(line: str) -> Iterator[str]:
    """A line, and the statements in it."""
    for whole in (line, _BULLET.sub("", line)):
        yield whole
        yield from (sentence.strip() for sentence in _SENTENCE.findall(whole) if sentence.strip())


def _claims(lines: list[str], caller: Caller) -> list[Claim]:
    now = caller.parts.now()
    return find_claims(
        [Utterance(message=str(number), text=line, said_at=now, zone=caller.parts.zone) for number, line in enumerate(lines)]
    )
