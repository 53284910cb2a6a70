"""Archival memory: what a model writes into the records goes the way of everything that is learnt, and is believed no more than that.

A fact is believed at once only where the person's own words say it plainly; what the model gathered, moods and one-off remarks wait for
a second signal. What waits is found by the model that noted it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pagefile.beliefs import NOTE, Beliefs
from pagefile.blocks import by_call
from pagefile.errors import ConflictError, InputError, ToolError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import find_claims
from pagefile.lifecycle.screen import screen
from pagefile.lifecycle.values import likeness
from pagefile.messages import Message
from pagefile.prompts import words
from pagefile.queries import Where
from pagefile.recorder import Recorder
from pagefile.records import Cause, Record, Retire, Source, Trust
from pagefile.retrieval.recall import recall
from pagefile.tools.calls import PREVIEW, Caller
from pagefile.tools.searches import FOUND, RECORDS

#: Records among which one is looked for by its words.
_CANDIDATES = 50
_CONFIDENCE = 0.7


class Absent(ToolError):
    """No record holds the text."""


async def insert(caller: Caller, content: str, *, tags: Sequence[str] = (), instead_of: Record | None = None) -> str:
    """Note a sentence. The answer says whether it is believed, or waits."""
    kept = await _noted(caller, content, tags=kept_tags(tags), instead_of=instead_of)
    return words("tools", "noted" if kept.status == "current" else "noted for now", caller.wording, text=kept.text)


def kept_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags as they are kept and looked for."""
    kept = (redact(clean(tag)).text.strip().lstrip("#").strip() for tag in tags)
    return tuple(dict.fromkeys(tag for tag in kept if tag))


async def _noted(caller: Caller, content: str, *, tags: tuple[str, ...], instead_of: Record | None) -> Record:
    if not clean(content).strip():
        raise ToolError(words("tools", "no content", caller.wording))
    if not (content := await asyncio.to_thread(_stated, clean(content).strip(), caller)):
        raise ToolError(words("tools", "no statement", caller.wording))
    parts, now = caller.parts, caller.parts.now()
    source = caller.heard[-1] if caller.heard else None
    record = Record(
        id=parts.new_id(),
        kind="fact",
        text=content,
        tags=tags,
        learned_at=now,
        said_at=now,
        session=caller.session,
        agent=caller.agent,
        trust=Trust.ASSISTANT_SAID,
        confidence=_CONFIDENCE,
        sources=() if source is None else (Source(message=source.id, external_id=source.external_id),),
    )
    said = await asyncio.to_thread(_said, caller.heard, caller)
    beliefs = Beliefs(parts, _recorder(caller), caller.scope)
    try:
        return await beliefs.remember(
            record,
            given=(),
            reason=_reason(caller),
            consent=False,
            actor=f"model:{parts.model.name}",
            judged=lambda claim: _judged(claim, said, instead_of),
        )
    except ConflictError as error:
        raise ToolError(words("tools", "not noted", caller.wording)) from error
    except InputError as error:
        raise ToolError(words("tools", "personal", caller.wording)) from error


async def replace_in(caller: Caller, old: str, new: str) -> str:
    """Note a record's sentence with new text in the place of old; where that is believed, it takes the record's place. What is not
    believed itself gives way in any case."""
    record = await holding(caller, old)
    text = record.text.replace(old, clean(new))
    if not text.strip():
        return await retire(caller, record)
    kept = await _noted(caller, text, tags=record.tags, instead_of=record)
    if record.status == "pending" and kept.id != record.id:
        (left,) = await caller.parts.store.get(caller.scope, [record.id])
        if isinstance(left, Record) and left.status == "pending":
            await _put_away(caller, left)
    return words("tools", "noted" if kept.status == "current" else "noted for now", caller.wording, text=kept.text)


async def remove(caller: Caller, text: str) -> str:
    """Put the one record away in which a text occurs."""
    return await retire(caller, await holding(caller, text))


async def holding(caller: Caller, text: str) -> Record:
    """The one record in which a text occurs, once. Raises ToolError."""
    where = Where(kinds=RECORDS, statuses=FOUND, alive_at=caller.parts.now())
    found = await recall(caller.parts, caller.scope, text, where=where, limit=_CANDIDATES, floor=0.0)
    records = [each for each in await caller.parts.store.get(caller.scope, [hit.id for hit in found.hits]) if isinstance(each, Record)]
    exact = [each for each in records if each.text.strip() == text.strip()]
    held = exact or [each for each in records if text in each.text]
    if len(held) == 1 and (exact or held[0].text.count(text) == 1):
        return held[0]
    if held:
        raise ToolError(words("tools", "in several records", caller.wording, number=len(held), texts=_lines(held)))
    raise Absent(words("tools", "in no record", caller.wording, texts=_lines(records[:3]) or "-"))


async def retire(caller: Caller, record: Record) -> str:
    """Put a record away, so that it is not found any more. What the person confirmed or pinned is the person's to remove."""
    if record.pinned or record.trust is Trust.USER_CONFIRMED:
        raise ToolError(words("tools", "not yours", caller.wording, text=record.text[:PREVIEW]))
    await _put_away(caller, record)
    return words("tools", "put away", caller.wording, text=record.text)


async def _put_away(caller: Caller, record: Record) -> None:
    cause = Cause(actor=f"model:{caller.parts.model.name}", reason=_reason(caller), at=caller.parts.now())
    await _recorder(caller).change(caller.scope, [Retire(target=record.id, cause=cause)])


def _recorder(caller: Caller) -> Recorder:
    return caller.recorder or Recorder(caller.parts, lambda scope, items: None)


def _reason(caller: Caller) -> str:
    return by_call(caller.call, caller.session)


def _lines(records: Sequence[Record]) -> str:
    return "\n".join(f"- {record.text[:PREVIEW]}" for record in records[:5])


# --- what the person said ------------------------------------------------------------------------------------------------


def _stated(content: str, caller: Caller) -> str:
    """What is left of it when it is screened like everything that is learnt: an order, a refusal or a note that was shown is nothing to
    remember."""
    now = caller.parts.now()
    message = Message(
        id="",
        session=caller.session,
        seq=1,
        role="assistant",
        text=content,
        said_at=now,
        recorded_at=now,
        tokens=0,
        # Whether personal identifiers may be kept is asked when it is written.
        consent=True,
    )
    left = "".join(each.text for each in screen([message], owner=(), zone=caller.parts.zone))
    return content if left == content else " ".join(left.split())


def _said(heard: Sequence[Message], caller: Caller) -> list[Claim]:
    """What the person stated in the messages that the model answers."""
    utterances = screen(heard, owner=(caller.scope.user,), zone=caller.parts.zone)
    return find_claims(utterances)


def _judged(claim: Claim, said: Sequence[Claim], instead_of: Record | None) -> Claim:
    """What the model notes, as far as the person's own words bear it out: then it is their word, and as lasting as they put it."""
    if claim.attribute == NOTE:
        return claim
    for own in said:
        same = (own.subject, own.attribute, own.polarity) == (claim.subject, claim.attribute, claim.polarity)
        if same and likeness(own.value, claim.value, claim.attribute) in ("same", "vaguer"):
            correction = own.correction or instead_of is not None
            return replace(own, text=claim.text, extractor=claim.extractor, correction=correction, agent=claim.agent)
    return claim
