"""What the tools do: each is a method or two of the memory of one user.

What a host's model writes is not the person's own word, whatever it says about it: it is kept as ``assistant_said``, so that it waits to be
confirmed, is found as what it is, and takes no place of anything that the person said. The setting ``mcp_trust`` can say otherwise.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

import pagefile.server.mcp.shown as shown
from pagefile.access import Right
from pagefile.beliefs import Quote as Words
from pagefile.errors import InputError, NotFound, ToolError
from pagefile.language.personal import find_personal
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.lifecycle.screen import screen
from pagefile.messages import Message
from pagefile.prompts import Wording, words
from pagefile.queries import Item
from pagefile.records import HistoryEntry, Kind, Record, Status, Trust
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.mcp.forms import (
    Account,
    Answer,
    AskWhy,
    Changed,
    Entry,
    Forget,
    Form,
    Found,
    Gone,
    Kept,
    Listed,
    ListMemories,
    Quote,
    Recall,
    Remember,
    Update,
)

#: Who stands in the history as the one who made a change.
ACTOR = "mcp"
#: What is found and listed: also what waits to be confirmed, and says so.
_SHOWN: tuple[Status, ...] = ("current", "pending")
_RECORDS: tuple[Kind, ...] = ("fact", "event", "procedure", "passage", "summary")
#: Records among which one is looked for by its words.
_CANDIDATES = 50
#: Whoever looks further down asks for something else.
_MOST_FOUND = 200
_PREVIEW = 120
#: Changes among which that of a call is looked for; others may write meanwhile.
_LATEST = 50
#: What stands in the place of a secret.
_MARKER = re.compile(r"\[secret: [a-z ]{3,12}\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """For whom, and how, a tool is called."""

    memory: AsyncScopedMemory
    wording: Wording
    #: How far what the model writes is believed.
    trust: Trust
    #: In which times are told.
    zone: tzinfo
    #: The program whose model calls, as it names itself.
    client: str | None = None
    #: Whether it may be shown what it did not write itself.
    reads: bool = True

    def say(self, section: str, **values: object) -> str:
        return words("mcp", section, self.wording, **values)

    def item(self, kept: Item, score: float | None = None) -> Entry:
        return shown.item(kept, self.zone, score)

    def reason(self, tool: str) -> str:
        return f"{tool}, called by {self.client}" if self.client else f"{tool} was called"


# --- writing -------------------------------------------------------------------------------------------------------------


async def remember(form: Remember, call: Call) -> Kept:
    """Keep what a model writes."""
    text, redacted = await _stated(form.text, call)
    before = (await call.memory.changes(limit=1)).items
    record = await _written(text, call, kind=form.kind, tags=form.tags or ())
    replaced = await _items([record.supersedes] if record.supersedes else [], call)
    known = not await _is_new(record, before, call)
    if known:
        said = call.say("known")
    elif record.status == "pending":
        said = call.say("waiting", id=record.id)
    else:
        said = call.say("replaced" if replaced else "kept")
    outcome = "known" if known else "waiting" if record.status == "pending" else "replaced" if replaced else "kept"
    return _kept(outcome, record, replaced, [said, *([call.say("redacted")] if redacted else [])], call)


async def update(form: Update, call: Call) -> Kept:
    """Put what a model writes in the place of a record, or beside it, if the person said what stands there."""
    old = await _record(form.id, form.old_text, call)
    text, redacted = await _stated(form.text, call)
    extra = [call.say("redacted")] if redacted else []
    if _is_the_persons(old, call):
        record = await _written(text, call, kind="fact")
        return _kept("waiting", record, [], [call.say("not replaced", id=record.id), *extra], call)
    try:
        done = await call.memory.correct(text, id=old.id, trust=call.trust, reason=call.reason("update"))
    except InputError as error:
        raise _personal_or(error, text, call) from error
    replaced = await _items(done.superseded, call)
    section = "replaced waiting" if done.record.status == "pending" else "replaced"
    return _kept("replaced", done.record, replaced, [call.say(section, id=done.record.id), *extra], call)


async def forget(form: Forget, call: Call) -> Gone:
    """Take a memory out of recall."""
    id = form.id if form.text is None else (await _record(form.id, form.text, call)).id
    if id is None:
        raise ToolError(call.say("id or text"))
    try:
        would = await call.memory.forget(id, dry_run=True)
    except NotFound as error:
        raise ToolError(call.say("missing", id=_preview(id))) from error
    for each in would.items:
        if isinstance(each, Record) and call.trust < Trust.USER_SAID and (each.pinned or each.trust is Trust.USER_CONFIRMED):
            raise ToolError(call.say("not yours", text=_preview(each.text if call.reads else each.id), id=each.id))
    entries = shown.fitting(would.items, call.item)
    if form.dry_run:
        return Gone(outcome="would_forget", forgotten=entries, message=call.say("would forget"))
    await call.memory.forget(id, reason=call.reason("forget"))
    return Gone(outcome="forgotten", forgotten=entries, message=call.say("forgotten", id=id))


async def _is_new(record: Record, before: Sequence[HistoryEntry], call: Call) -> bool:
    """Whether a record was written since the change that was the latest ``before``."""
    for entry in (await call.memory.changes(limit=_LATEST)).items:
        if before and entry.id == before[0].id:
            break
        if entry.target == record.id and entry.change in ("add", "supersede"):
            return True
    return False


def _kept(outcome: str, record: Record, replaced: Sequence[Item], said: Sequence[str], call: Call) -> Kept:
    entries = shown.fitting(replaced if call.reads else [], call.item, shown.MOST_BYTES // 2)
    return Kept.model_validate({"outcome": outcome, "memory": call.item(record), "replaced": entries, "message": " ".join(said)})


async def _written(text: str, call: Call, *, kind: Kind, tags: Sequence[str] = ()) -> Record:
    try:
        return await call.memory.remember(text, kind=kind, tags=tags, trust=call.trust, reason=call.reason("remember"))
    except InputError as error:
        raise _personal_or(error, text, call) from error


def _personal_or(error: InputError, text: str, call: Call) -> Exception:
    """What to tell a model of a text that was refused: whether a personal identifier may be kept is no model's to say."""
    return ToolError(call.say("personal")) if find_personal(text) else error


async def _stated(text: str, call: Call) -> tuple[str, bool]:
    """What is left of a text that is screened like everything that is learnt, and whether a secret was taken out. Raises ToolError if
    nothing is left: an order to a model is nothing to remember."""
    safe = redact(clean(text).strip())
    left = await asyncio.to_thread(_screened, safe.text) if safe.text else ""
    if not left:
        raise ToolError(call.say("no statement"))
    return left, safe.count > 0


def _screened(text: str) -> str:
    now = datetime.now(UTC)
    # Whether personal identifiers may be kept is asked when it is written.
    message = Message(id="", session="", seq=1, role="assistant", text=text, said_at=now, recorded_at=now, tokens=0, consent=True)
    left = "".join(each.text for each in screen([message], owner=(), zone=UTC)).split()
    # The screen takes out what stands for a secret, too; that says nothing bad of the rest.
    return text if left == _MARKER.sub(" ", text).split() else " ".join(left)


# --- reading -------------------------------------------------------------------------------------------------------------


async def recall(form: Recall, call: Call) -> Found:
    """Search the memory."""
    asked = form.model_dump(exclude={"cursor", "limit"})
    start = shown.place(form.cursor, asked, 0, call.wording)
    if start >= _MOST_FOUND:
        raise ToolError(call.say("wrong cursor"))
    hits = await call.memory.search(
        clean(form.query),
        limit=min(_MOST_FOUND, start + form.limit + 1),
        since=form.since,
        until=form.until,
        as_of=form.as_of,
        history=form.history,
        statuses=_SHOWN,
    )
    page = hits.hits[start : start + form.limit]
    scores = {hit.id: hit.score for hit in page}
    items = await _items(list(scores), call)
    entries = shown.fitting(items, lambda each: call.item(each, scores[each.id]))
    # What was erased since it was found is passed over, too.
    last = start + (len(page) if len(entries) == len(items) else list(scores).index(items[len(entries)].id))
    more = len(hits.hits) > last and last < _MOST_FOUND
    said = [call.say("note" if entries else "nothing"), *([call.say("more")] if more else [])]
    return Found(
        found=entries,
        message=" ".join(said),
        cursor=shown.cursor(last, asked) if more else None,
        warnings=[clean(each)[: 2 * _PREVIEW] for each in hits.warnings[:3]] or None,
    )


async def list_memories(form: ListMemories, call: Call) -> Listed:
    """List records."""
    asked = form.model_dump(exclude={"cursor", "limit"})
    after = shown.place(form.cursor, asked, "", call.wording) or None
    filters: Mapping[str, Any] = {
        "kinds": None if form.kind is None else (form.kind,),
        "tags": None if form.tag is None else (form.tag,),
        "statuses": ("pending",) if form.waiting else _SHOWN,
    }
    page = await call.memory.list(**filters, after=after, limit=form.limit)
    entries = shown.fitting(page.items, call.item)
    if len(entries) < len(page.items):
        # The cursor of a page stands after its last one.
        page = await call.memory.list(**filters, after=after, limit=len(entries))
    said = [call.say("note" if entries else "nothing listed"), *([call.say("more")] if page.cursor else [])]
    cursor = None if page.cursor is None else shown.cursor(page.cursor, asked)
    return Listed(memories=entries, total=page.total, message=" ".join(said), cursor=cursor)


async def why(form: AskWhy, call: Call) -> Account:
    """Account for a record: its quotes, then its changes, as many as there is room for."""
    asked = form.model_dump(exclude={"cursor"})
    start = shown.place(form.cursor, asked, 0, call.wording)
    try:
        known = await call.memory.why(form.id)
    except NotFound as error:
        raise ToolError(call.say("missing", id=_preview(form.id))) from error
    rows: list[Words | HistoryEntry] = [*known.quotes, *known.history]
    memory = call.item(known.record)
    room = shown.MOST_BYTES // 2 if start == 0 else shown.MOST_BYTES - shown.size(memory) - 1_000

    def row(one: Words | HistoryEntry) -> Quote | Changed:
        return shown.quote(one, call.zone) if isinstance(one, Words) else shown.change(one, call.zone)

    made = shown.fitting(rows[start:], row, room)
    end = start + len(made)
    said = [call.say("note"), *([call.say("more")] if end < len(rows) else [])]
    return Account(
        memory=memory,
        quotes=[each for each in made if isinstance(each, Quote)],
        changes=[each for each in made if isinstance(each, Changed)],
        erased=list(known.missing[:20]) or None,
        message=" ".join(said),
        cursor=shown.cursor(end, asked) if end < len(rows) else None,
    )


# --- which one is meant --------------------------------------------------------------------------------------------------


async def _record(id: str | None, text: str | None, call: Call) -> Record:
    """The one record that is meant. Raises ToolError, with what could be meant."""
    if (id is None) == (text is None):
        raise ToolError(call.say("id or text"))
    if id is not None:
        try:
            kept = await call.memory.get(id)
        except NotFound as error:
            raise ToolError(call.say("missing", id=_preview(id))) from error
        if not isinstance(kept, Record):
            raise ToolError(call.say("fits none", text=_preview(id)))
        return kept
    assert text is not None, "one of the two is given"
    return await _with_words(clean(text).strip(), call)


async def _with_words(text: str, call: Call) -> Record:
    if not text:
        raise ToolError(call.say("id or text"))
    hits = await call.memory.search(text, limit=_CANDIDATES, floor=0.0, kinds=_RECORDS, statuses=_SHOWN)
    records = [each for each in await _items([hit.id for hit in hits.hits], call) if isinstance(each, Record)]
    wanted = _comparable(text)
    exact = [each for each in records if _comparable(each.text) == wanted]
    fitting = exact or [each for each in records if wanted in _comparable(each.text)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        found = "\n".join(shown.line(each) for each in fitting[:10])
        raise ToolError(call.say("fits several", text=_preview(text), found=found))
    raise ToolError(call.say("fits none", text=_preview(text)))


def _comparable(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".。!！")


def _is_the_persons(record: Record, call: Call) -> bool:
    """Whether a record is the person's own word, which a model's word does not replace."""
    return call.trust < Trust.USER_SAID and (record.pinned or record.trust >= Trust.USER_SAID)


async def _items(ids: Sequence[str], call: Call) -> list[Item]:
    """The items with these ids that are there still."""
    found: list[Item] = []
    for id in ids:
        try:
            found.append(await call.memory.get(id))
        except NotFound:
            continue  # erased since
    return found


def _preview(text: str) -> str:
    return redact(clean(text)).text[:_PREVIEW]


# --- the table -----------------------------------------------------------------------------------------------------------

#: Name → the right it needs, and what it does.
DEEDS: Mapping[str, tuple[Right, Callable[[Any, Call], Awaitable[Answer]]]] = {
    "remember": ("write", remember),
    "recall": ("read", recall),
    "forget": ("write", forget),
    "update": ("write", update),
    "list_memories": ("read", list_memories),
    "why": ("read", why),
}


def looks_up(form: Form) -> bool:
    """Whether a call that writes finds by words what is kept, or shows it without changing it: that needs the right to read as well."""
    if isinstance(form, Forget):
        return form.text is not None or form.dry_run
    return isinstance(form, Update) and form.old_text is not None


__all__ = ["ACTOR", "DEEDS", "Call", "Entry", "Form", "looks_up"]
