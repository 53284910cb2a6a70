"""Looks things up for a model: what it finds is cut to a budget of tokens, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from pagefile.context.render import notes_for_model
from pagefile.errors import ToolError
from pagefile.language.dates import parse_time
from pagefile.language.text import clean
from pagefile.messages import Message, Role
from pagefile.prompts import words
from pagefile.queries import Hit, Hits, ItemKind, Where
from pagefile.records import Source, Status, Trust
from pagefile.retrieval.layers import FACTS_FIRST, layered
from pagefile.retrieval.recall import recall
from pagefile.tools.calls import PREVIEW, Caller

#: Whose messages a search shows: a system message is an instruction, and no memory.
_HEARD = ("user", "assistant", "tool")
#: Kinds of records.
RECORDS: tuple[ItemKind, ...] = ("fact", "event", "procedure", "passage", "summary")
#: What is found in the archive: also what waits to be confirmed.
FOUND: tuple[Status, ...] = ("current", "pending")
#: Whoever looks further down asks for something else.
MOST_HITS = 200


async def search(caller: Caller, query: str, *, limit: int, page: int = 1) -> str:
    """Look for what was learnt and said, but for what the model sees already: first in the records, then in the journal."""
    where = Where(not_in_window=(caller.session, caller.window_start), alive_at=caller.parts.now())
    # As many for every page: what comes first on one of them must not move to another.
    hits = await recall(caller.parts, caller.scope, clean(query), where=where, limit=MOST_HITS)
    return _shown(replace(hits, hits=layered(hits.hits, FACTS_FIRST)), caller, limit, page)


async def archive(caller: Caller, query: str, *, tags: Sequence[str] = (), limit: int, page: int = 1, with_messages: bool = False) -> str:
    """Look for records, also for what waits to be confirmed, and what rests on messages that the model sees: it may be a note of its own.

    ``tags``: those that have all of these. ``with_messages``: and for what was said.
    """
    parts, query, needed = caller.parts, clean(query), MOST_HITS if with_messages else _needed(limit, page)
    where = Where(kinds=RECORDS, statuses=FOUND, tags=tuple(tags) or None, alive_at=parts.now())
    hits = await recall(parts, caller.scope, query, where=where, limit=needed)
    if with_messages:
        where = Where(kinds=("message",), not_in_window=(caller.session, caller.window_start), alive_at=parts.now())
        said = await recall(parts, caller.scope, query, where=where, limit=needed)
        # A message that is the source of a record was found with it.
        cited = {source.message for hit in hits.hits for source in hit.sources}
        best = sorted((*hits.hits, *(hit for hit in said.hits if hit.id not in cited)), key=lambda hit: -hit.score)
        hits = replace(hits, hits=layered(best, FACTS_FIRST), below_floor=hits.below_floor + said.below_floor)
    return _shown(hits, caller, limit, page)


async def conversation(
    caller: Caller,
    query: str,
    *,
    since: str | None,
    until: str | None,
    role: Role | None = None,
    session: str | None = None,
    limit: int,
    page: int = 1,
) -> str:
    """Look for what was said, within dates, by whom and in which session; without a query, everything said within them."""
    parts = caller.parts
    now, query = parts.now(), clean(query).strip()
    first, last = _edge("since", since, now, caller), _edge("until", until, now, caller)
    session = None if session is None else await _session(session, caller)
    where = Where(
        kinds=("message",),
        roles=_HEARD if role is None else (role,),
        sessions=None if session is None else (session,),
        not_in_window=(caller.session, caller.window_start),
        since=first,
        until=last,
        alive_at=now,
    )
    if query:
        hits = await recall(parts, caller.scope, query, where=where, limit=_needed(limit, page))
        return _shown(hits, caller, limit, page)
    if first is None and last is None and session is None:
        raise ToolError(words("tools", "no dates", caller.wording))
    found = await parts.store.messages(caller.scope, session, where=where, limit=_needed(limit, page))
    said = tuple(_as_hit(message) for message in found.items if message.text.strip())
    return _shown(Hits(hits=said), caller, limit, page, more=found.total - len(found.items))


def _needed(limit: int, page: int) -> int:
    """Hits to look for: those of the pages up to this one, and one that tells whether there is another page."""
    return min(MOST_HITS, limit * page + 1)


def _edge(name: Literal["since", "until"], text: str | None, now: datetime, caller: Caller) -> datetime | None:
    if not text or not text.strip():
        return None
    found = parse_time(clean(text), reference=now, zone=caller.parts.zone)
    edge = found.start if name == "since" else found.end
    if edge is None:
        # "since: until May" names no beginning. Searching everything instead would be a wrong answer that looks right.
        raise ToolError(words("tools", "open date", caller.wording, name=name, text=text[:PREVIEW]))
    return edge


async def _session(name: str, caller: Caller) -> str:
    """A session of this scope by its name. Searching all of them instead would be a wrong answer that looks right."""
    info = None if (name := clean(name).strip()) == "" else await caller.parts.store.session(caller.scope, name)
    if info is None:
        raise ToolError(words("tools", "no session", caller.wording, session=name[:PREVIEW]))
    return info.session


def _as_hit(message: Message) -> Hit:
    trust = {"user": Trust.USER_SAID, "assistant": Trust.ASSISTANT_SAID}.get(message.role, Trust.TOOL_OUTPUT)
    return Hit(
        id=message.id,
        kind="message",
        text=message.text,
        score=1.0,
        time=message.said_at,
        session=message.session,
        speaker=message.speaker,
        role=message.role,
        sources=(Source(message=message.id, external_id=message.external_id),),
        trust=trust,
        tokens=message.tokens,
    )


def _shown(found: Hits, caller: Caller, limit: int, page: int, more: int = 0) -> str:
    """One page of what was found: at most so many, and no more than there is room for. ``more``: what was not even looked at."""
    hits, pages = list(found.hits), 0
    while True:
        notes = notes_for_model(hits[:limit], zone=caller.parts.zone, wording=caller.wording, limit=caller.max_tokens)
        shown = {hit.id for hit in notes.hits}
        left = [hit for hit in hits if hit.id not in shown]
        pages += 1
        if pages == page or not shown:
            break
        hits = left
    if not notes.hits:
        return _nothing(found, caller, page)
    text = f"{words('tools', 'found', caller.wording, number=len(notes.hits))}\n{notes.text}"
    waiting = len(left) + more
    return f"{text}\n{words('tools', 'more', caller.wording, number=waiting, page=page + 1)}" if waiting else text


def _nothing(found: Hits, caller: Caller, page: int) -> str:
    if page > 1 and found.hits:
        return words("tools", "no page", caller.wording, page=page)
    detail = ""
    if found.below_floor or found.filtered_out:
        detail = f" {words('tools', 'nothing detail', caller.wording, below=found.below_floor, filtered=found.filtered_out)}"
    return words("tools", "nothing", caller.wording, detail=detail)
