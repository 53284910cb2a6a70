"""Everything of one user as lines, and taken in again: here, or by another Pagefile.

Each line is a JSON object with a ``type``: "scope" first, then "message", "record", "alias", "block", "task" and "checkpoint", and "end"
last.
Whoever takes them in may have been given them by anybody. What was said is looked through and learnt from like anything that is said;
finished memories wait until somebody confirms them; whoever is known here already, and the user, becomes nobody else by another name; core
memory is written only if that is asked for; and whose memory it becomes never stands in the lines.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from enum import Enum
from typing import Any, TypeAlias

import pagefile.arguments as arguments
import pagefile.tasks as tasks
from pagefile.beliefs import Beliefs
from pagefile.blocks import find_block, write_block
from pagefile.entities import ENTITY, ME, Alias
from pagefile.errors import ConflictError, InputError
from pagefile.intake import name_to_keep, without_answers
from pagefile.language.entities import entity_key, name_mark
from pagefile.language.keys import record_keys
from pagefile.learner import learning_jobs
from pagefile.messages import Draft, Message, Refused
from pagefile.parts import Parts
from pagefile.ports import Store
from pagefile.queries import Page, Where
from pagefile.records import Cause, Merge, Record, Scope, Source, Trust, identifier
from pagefile.sessions import draft_of, saved_message
from pagefile.stores.aliases import by_key, merged
from pagefile.worker import Worker

FORMAT = "pagefile scope"
#: Of the format. A reader refuses what is newer than itself.
VERSION = 1

#: A line: an object, or the JSON text of one.
Line: TypeAlias = Mapping[str, Any] | str
Lines: TypeAlias = Iterable[Line] | AsyncIterable[Line]

_PAGE = 500
_ALL = Where(statuses=("pending", "current", "superseded", "retired"))
#: Messages that are written in one transaction.
_PORTION = 64
#: Lines that could not be used and are told of one by one; the others are counted.
MOST_TOLD = 100
_RECORD_FIELDS = (
    "text", "kind", "subject", "attribute", "value", "polarity", "tags", "entities", "confidence", "importance", "valid_from", "valid_to",
    "expires_at", "privacy",
)  # fmt: skip
_BLOCK_FIELDS = ("text", "description", "token_limit", "read_only")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of the lines that were given."""

    #: Messages that are new here, and records that now wait to be confirmed.
    messages: int = 0
    records: int = 0
    #: Names that now stand for the same as another one.
    aliases: int = 0
    blocks: int = 0
    tasks: int = 0
    #: Lines whose content stands here already.
    known: int = 0
    #: Lines that are not taken in: what was forgotten, superseded or erased, names that would stand for the user or for anybody else who
    #: is known here already, and core memory unless it is asked for.
    left_out: int = 0
    #: Lines that could not be used, and the first of them with the reason.
    failed: int = 0
    refused: tuple[Refused, ...] = ()
    #: Whether the last line was there: without it the lines were cut short.
    complete: bool = False


# --- giving ------------------------------------------------------------------------------------------------------------


async def export(parts: Parts, scope: Scope) -> AsyncGenerator[dict[str, Any], None]:
    """All of a scope, a line at a time: also what was forgotten or superseded, which stands there with its status."""
    yield {
        "type": "scope",
        "format": FORMAT,
        "version": VERSION,
        "tenant": scope.tenant,
        "user": scope.user,
        "exported_at": parts.now().isoformat(),
    }
    counts = dict.fromkeys(("message", "record", "alias", "block", "task", "checkpoint"), 0)
    async for line in _content(parts, scope):
        counts[line["type"]] += 1
        yield line
    yield {"type": "end", **{f"{name}{'es' if name == 'alias' else 's'}": number for name, number in counts.items()}}


async def _content(parts: Parts, scope: Scope) -> AsyncIterator[dict[str, Any]]:
    store = parts.store

    def messages(after: str | None) -> Any:
        return store.messages(scope, None, where=_ALL, after=after, limit=_PAGE)

    def records(after: str | None) -> Any:
        return store.records(scope, where=_ALL, after=after, limit=_PAGE)

    async for message in _every(messages):
        yield {
            "type": "message",
            "session": message.session,
            **saved_message(message),
            **({"retired": True} if message.retired else {}),
        }
    async for record in _every(records):
        yield {"type": "record", **_plain(record)}
    for alias in await store.aliases(scope):
        yield {"type": "alias", "name": alias.name, "into": alias.into_name}
    for block in await store.blocks(scope, every=True):
        yield {"type": "block", **_plain(block)}
    for task in await tasks.list_tasks(parts, scope):
        yield {"type": "task", **_plain(task)}
    for checkpoint in await tasks.list_checkpoints(parts, scope):
        yield {"type": "checkpoint", **_plain(checkpoint)}


async def _every(page_after: Callable[[str | None], Any]) -> AsyncIterator[Any]:
    after: str | None = None
    while True:
        page: Page[Any] = await page_after(after)
        for item in page.items:
            yield item
        if page.cursor is None:
            return
        after = page.cursor


def _plain(value: Any) -> Any:
    """A value of ours in the types of JSON; what is None is left out."""
    if hasattr(value, "__dataclass_fields__"):
        named = {each.name: getattr(value, each.name) for each in fields(value)}
        return {name: _plain(one) for name, one in named.items() if one is not None}
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


# --- taking in ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Counts:
    messages: int = 0
    records: int = 0
    aliases: int = 0
    blocks: int = 0
    tasks: int = 0
    known: int = 0
    left_out: int = 0
    failed: int = 0
    refused: list[Refused] = field(default_factory=list)

    def refuse(self, place: int, error: object) -> None:
        self.failed += 1
        if len(self.refused) < MOST_TOLD:
            self.refused.append(Refused(index=place, reason=str(error)))


class Import:
    """Takes lines in, one after the other."""

    def __init__(self, parts: Parts, worker: Worker, beliefs: Beliefs, scope: Scope, *, blocks: bool, consent: bool) -> None:
        self._parts = parts
        self._store: Store = parts.store
        self._worker = worker
        self._beliefs = beliefs
        self._scope = scope
        self._wants_blocks = blocks
        self._consent = consent
        self._counts = _Counts()
        #: Messages of one session that wait to be written, with the places of their lines.
        self._waiting: list[tuple[int, str, Draft]] = []
        #: Names that are to stand for others, with the places of their lines, and those that were known before.
        self._aliases: list[tuple[int, str, str]] = []
        self._known_before: set[str] = set()
        self._actor = f"user:{scope.user}"

    async def take(self, lines: Lines) -> Imported:
        """Take in all lines. Raises InputError, having taken in nothing, if the first is not that of an export."""
        place, ended = -1, False
        async for given in in_order(lines):
            if isinstance(given, str) and not given.strip():
                continue
            place += 1
            try:
                line = await asyncio.to_thread(_object, given) if len(given) > 100_000 else _object(given)
                if place == 0:
                    _check_first(line)
                    # What is learnt from the lines themselves does not count as known here.
                    self._known_before = {each.key for each in await self._store.named(self._scope)}
                    continue
                ended = line.get("type") == "end"
                if not ended:
                    await self._line(place, line)
            except InputError as error:
                if place == 0:
                    raise
                self._counts.refuse(place, error)
        if place < 0:
            raise InputError(f'there are no lines; give what an export gave, from its first line of type "scope" and format "{FORMAT}" on')
        await self._write()
        await self._merge(self._aliases)
        values = {each.name: getattr(self._counts, each.name) for each in fields(_Counts)}
        return Imported(**values | {"refused": tuple(sorted(self._counts.refused, key=lambda one: one.index)), "complete": ended})

    async def _line(self, place: int, line: Mapping[str, Any]) -> None:
        kind = line.get("type")
        if kind == "message":
            await self._message(place, line)
            return
        if kind == "alias":
            self._alias(place, line)
            return
        known = {"record": self._record, "block": self._block, "task": self._task, "checkpoint": self._checkpoint}
        if (take := known.get(str(kind))) is None:
            raise InputError(f"a line of type {kind!r:.40} is not known; known are message, alias, {', '.join(known)} and end")
        # Records cite messages: these must be there.
        await self._write()
        await take(line)

    async def _message(self, place: int, line: Mapping[str, Any]) -> None:
        session = name_to_keep(line.get("session", ""), "session")
        if line.get("retired"):
            self._counts.left_out += 1
            return
        said = {name: value for name, value in line.items() if name not in ("type", "session", "seq", "retired")}
        made = await asyncio.to_thread(draft_of, said, self._parts)
        if self._waiting and (self._waiting[0][1] != session or len(self._waiting) >= _PORTION):
            await self._write()
        self._waiting.append((place, session, made))

    async def _write(self) -> None:
        """Write the messages that wait, all of one session."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        found = await self._store.get(self._scope, [one.id for _, _, one in waiting])
        new: dict[str, tuple[int, Draft]] = {}
        for (place, session, one), item in zip(waiting, found, strict=True):
            if isinstance(item, Message) and (item.session, item.role, item.text) == (session, one.role, one.text):
                self._counts.known += 1
            elif item is not None or one.id in new:
                self._counts.refuse(place, f"another message or record has the id {one.id!r:.80} here")
            else:
                new[one.id] = (place, one)
        session = waiting[0][1]
        heard = await without_answers(self._parts, self._scope, session, [one for _, one in new.values()])
        if not heard:
            return
        outcomes = await self._store.append(self._scope, session, heard, jobs=learning_jobs(self._parts, session, heard))
        for (place, one), made in zip(new.values(), outcomes, strict=True):
            if made.outcome == "conflict":
                self._counts.refuse(place, f"a message with the id {one.external_id!r:.80} and other content stands in this session")
            self._counts.messages += made.outcome == "stored"
            self._counts.known += made.outcome == "duplicate"
            self._counts.left_out += made.outcome == "erased"
        self._worker.wrote(self._scope, sum(made.outcome == "stored" for made in outcomes))
        self._worker.said(self._scope)

    async def _record(self, line: Mapping[str, Any]) -> None:
        """A finished memory waits until it is confirmed, whatever it was where it comes from."""
        if line.get("status", "current") not in ("current", "pending"):
            self._counts.left_out += 1
            return
        if not isinstance(line.get("id", ""), str):
            raise InputError("the id of a record must be text")
        given = {"text": "", "kind": "fact"} | {name: line[name] for name in _RECORD_FIELDS if line.get(name) is not None}
        made = arguments.new_record(
            self._parts,
            given,
            session=line.get("session"),
            agent=line.get("agent"),
            trust=Trust.IMPORTED,
            sources=await self._sources(line.get("sources", [])),
        )
        known = (await self._store.keyed(self._scope, record_keys(made))).records
        if any(record.text == made.text and record.status != "retired" for record in known):
            self._counts.known += 1
            return
        kept = await self._remembered(made, given)
        self._counts.records += kept is not None
        self._counts.left_out += kept is None

    async def _remembered(self, made: Record, given: Mapping[str, Any]) -> Record | None:
        """The record as it is kept; None: it was erased, or forgotten, or something better is known."""
        try:
            return await self._beliefs.remember(made, given=[*given], reason="it was imported", consent=self._consent, actor=self._actor)
        except InputError as error:
            if type(error) is InputError:
                raise
            return None

    async def _sources(self, given: object) -> list[Source]:
        """Those of the cited messages that are here."""
        if not isinstance(given, Sequence) or isinstance(given, str) or not all(isinstance(one, Mapping) for one in given):
            raise InputError("the sources of a record must be a list of mappings")
        named = [(identifier(one.get("message", ""), "message of a source"), one.get("span")) for one in given]
        found = await self._store.get(self._scope, [id for id, _ in named]) if named else ()
        return [
            Source(message=id, span=_span(span, item), external_id=item.external_id)
            for (id, span), item in zip(named, found, strict=True)
            if isinstance(item, Message)
        ]

    def _alias(self, place: int, line: Mapping[str, Any]) -> None:
        name, into = name_to_keep(line.get("name", ""), "name"), name_to_keep(line.get("into", ""), "into")
        self._aliases.append((place, name, into))

    async def _merge(self, aliases: Sequence[tuple[int, str, str]]) -> None:
        """Let names stand for the same that nobody spoke of here. Whoever made the lines must not say who anybody is that is known here,
        least of all the user; and what was split here, or stands otherwise, stays so."""
        standing = by_key(await self._store.aliases(self._scope))
        strange = await self._strangers({entity_key(name) for _, *pair in aliases for name in pair}, standing)
        cause = Cause(actor=self._actor, reason="it was imported", at=self._parts.now())
        merges: list[Merge] = []
        for place, name, into in aliases:
            keys = entity_key(name), entity_key(into)
            if keys[0] in standing and standing[keys[0]].into == keys[1]:
                self._counts.known += 1
            elif all(keys) and not strange.issuperset(keys):
                self._counts.left_out += 1
            else:
                try:
                    merge = Merge(target=name, into=into, cause=cause)
                    standing[keys[0]] = merged(merge, standing)
                    merges.append(merge)
                except ConflictError:
                    self._counts.left_out += 1
                except InputError as error:
                    self._counts.refuse(place, error)
        for start in range(0, len(merges), _PAGE):
            await self._apply(merges[start : start + _PAGE])

    async def _apply(self, merges: Sequence[Merge]) -> None:
        try:
            self._counts.aliases += len(await self._store.apply(self._scope, merges))
        except ConflictError:
            # Somebody merged names meanwhile: which of these it concerns is found one by one.
            if len(merges) == 1:
                self._counts.left_out += 1
                return
            for merge in merges:
                await self._apply([merge])

    async def _strangers(self, keys: set[str], standing: Mapping[str, Alias]) -> set[str]:
        """Those of some keys that were neither known here before these lines came, nor merged, split or erased."""
        keys = keys - self._known_before - standing.keys() - {alias.into for alias in standing.values()} - {ME}
        ordered = sorted(keys)
        erased = await self._store.erased(self._scope, [name_mark(key) for key in ordered])
        left = [key for key, time in zip(ordered, erased, strict=True) if time is None]
        return {key for key in left if not await self._store.history(self._scope, f"{ENTITY}{key}")}

    async def _block(self, line: Mapping[str, Any]) -> None:
        label, agent = name_to_keep(line.get("label", ""), "label"), arguments.optional(line.get("agent"), "agent")
        old = await find_block(self._parts, self._scope, label, agent)
        if old is not None and old.text == line.get("text"):
            self._counts.known += 1
        elif not self._wants_blocks or (old is not None and old.text.strip()):
            # What stands in core memory is in every window, and what is written here stays.
            self._counts.left_out += 1
        else:
            values = {name: line.get(name) for name in _BLOCK_FIELDS}
            await write_block(self._parts, self._scope, label, values, agent=agent, actor=self._actor, reason="it was imported")
            self._counts.blocks += 1

    async def _task(self, line: Mapping[str, Any]) -> None:
        key = line.get("key", "")
        if await tasks.find_task(self._parts, self._scope, key) is not None:
            self._counts.known += 1
            return
        step, expires_at = line.get("step", 0), line.get("expires_at")
        await tasks.put_task(self._parts, self._scope, key, line.get("value"), step=step, expires_at=expires_at)
        self._counts.tasks += 1

    async def _checkpoint(self, line: Mapping[str, Any]) -> None:
        key, session = line.get("key", ""), name_to_keep(line.get("session", ""), "session")
        if await tasks.find_checkpoint(self._parts, self._scope, key) is not None:
            self._counts.known += 1
            return
        await tasks.put_checkpoint(self._parts, self._scope, session, key, line.get("state"))
        self._counts.tasks += 1


async def in_order(lines: Lines) -> AsyncIterator[Line]:
    """The lines one by one, whether they come at once or over time."""
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield line
        return
    if isinstance(lines, str | bytes | Mapping):
        raise InputError("give the lines one by one, such as a list of them or an open file")
    for line in lines:
        yield line


def _object(given: Line) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    try:
        value = json.loads(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the line is no JSON: {str(error)[:200]}") from error
    if not isinstance(value, Mapping):
        raise InputError(f"a line must be an object with a type, not {type(value).__name__}")
    return value


def _check_first(line: Mapping[str, Any]) -> None:
    if line.get("type") != "scope" or line.get("format") != FORMAT:
        raise InputError(f'the first line is not that of an export, of the type "scope" and the format "{FORMAT}"; nothing was taken in')
    version = line.get("version")
    if not isinstance(version, int) or version < 1 or version > VERSION:
        raise InputError(f"the export is of version {version!r:.20}; this Pagefile reads up to {VERSION}. Upgrade it, and import again")


def _span(given: object, message: Message) -> tuple[int, int] | None:
    if not isinstance(given, list | tuple) or len(given) != 2 or not all(type(edge) is int for edge in given):
        return None
    start, end = given
    return (start, end) if 0 <= start < end <= len(message.text) else None
