"""Taking out of what holds, and bringing back: forgetting, restoring, undoing and reverting. ``scoped.py`` is its front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pagefile.block_versions import revert_blocks, undo_block
from pagefile.entities import ENTITY
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.items import item_of
from pagefile.language.keys import known_by, record_keys
from pagefile.lifecycle.forget import Request
from pagefile.lifecycle.giving_way import GaveWay, Gone, hold_again, overruled
from pagefile.lifecycle.ledger import said_at
from pagefile.lifecycle.reconcile import covered
from pagefile.lifecycle.rivals import rivals
from pagefile.lifecycle.undo import Learnt, begins, ends, left_by_erasing, read_again, revert, undo, undo_name
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.ports import Store
from pagefile.queries import Item, Where
from pagefile.receipts import EraseReceipt, Keyed
from pagefile.recorder import Recorded, Recorder
from pagefile.records import Add, Cause, Change, Edit, HistoryEntry, Record, Restore, Retire, Scope
from pagefile.retrieval.indexing import record_indexing
from pagefile.stores.aliases import by_key
from pagefile.stores.changes import block_named, restored_record
from pagefile.stores.rules import stays_erased

#: Messages of a session that are read at once.
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What ``forget`` took out of recall, or would take out."""

    items: tuple[Item, ...]
    #: Empty if it was only looked at (``dry_run``), or forgotten already.
    entries: tuple[HistoryEntry, ...]


class Retraction:
    """Takes items of one scope out of what holds, and brings them back."""

    def __init__(self, parts: Parts, recorder: Recorder, scope: Scope, actor: str | None = None) -> None:
        """``actor``: who makes the changes, if it is not the user."""
        self._parts = parts
        self._store = parts.store
        self._recorder = recorder
        self._scope = scope
        self._actor = actor or f"user:{scope.user}"

    async def meant_alone(self, ids: Sequence[str], request: Request) -> tuple[str, ...]:
        """Ids of what a request means among these. Of a message that says something else as well only the records that are meant go; if
        none is, the message goes and they stay."""
        kept: dict[str, None] = {}
        for id in ids:
            item = await item_of(self._store, self._scope, id)
            if isinstance(item, Record):
                kept |= {id: None} if request.concerns(item) else {}
                continue
            learnt = [record for record in await self._store.citing(self._scope, [id]) if record.status in ("current", "pending")]
            meant = [record for record in learnt if self._is_meant(record, item, ids, request)]
            kept |= {record.id: None for record in meant}
            if len(meant) == len(learnt) or (not meant and request.means(_left_of(item, learnt))):
                kept[id] = None
        return tuple(kept)

    def _is_meant(self, record: Record, message: Message, ids: Sequence[str], request: Request) -> bool:
        named = record.id in ids and request.concerns(record)
        return named or any(request.says_with(record, words) for words in _cited(message, record))

    async def forget(self, items: Sequence[Item], *, reason: str, dry_run: bool, alone: bool = False) -> Forgotten:
        """Take items out of recall; with a message goes what was learnt from it alone. ``alone``: nothing goes with them."""
        cause, targets = self._cause(reason), {item.id: item for item in items}
        messages = set() if alone else {item.id for item in items if isinstance(item, Message)}
        for record in await self._store.citing(self._scope, sorted(messages)):
            if record.status in ("current", "pending") and all(source.message in messages for source in record.sources):
                targets[record.id] = record
        if dry_run:
            return Forgotten(items=tuple(targets.values()), entries=())
        recorded = await self._recorder.change(self._scope, [Retire(target=id, cause=cause) for id in targets])
        return Forgotten(items=tuple(targets.values()), entries=tuple(each for each in recorded.entries if each.change == "retire"))

    async def restore(self, id: str, *, reason: str) -> HistoryEntry:
        """Bring back what was forgotten or superseded; what contradicts it is superseded. With a message comes what went with it."""
        item = await item_of(self._store, self._scope, id)
        made = await self._bring_back(item, self._cause(reason))
        history = (*await self._store.history(self._scope, id), *made)
        entry = next((each for each in reversed(history) if each.change == "restore" and each.target == id), None)
        if entry is None:
            raise InputError(f"{id!r} was never forgotten: there is nothing to restore")
        return entry

    async def _bring_back(self, item: Item, cause: Cause) -> tuple[HistoryEntry, ...]:
        records = [item] if isinstance(item, Record) else await self._went_with(item)
        back = [restored_record(each, await self._store.history(self._scope, each.id)) for each in records]
        ids = dict.fromkeys((item.id, *(record.id for record in records)))

        def decide(known: Keyed) -> tuple[list[Change], tuple[()]]:
            others = [record for record in known.records if record.id not in ids]
            losers = {edit.target: edit for each in back for edit in rivals(each, others, cause)}
            return [*(Restore(target=id, cause=cause) for id in ids), *losers.values()], ()

        keys = dict.fromkeys(key for record in records for key in record_keys(record))
        return (await self._recorder.change(self._scope, decide, keys=tuple(keys))).entries

    async def _went_with(self, message: Message) -> list[Record]:
        """The records that were forgotten together with a message."""
        history = await self._store.history(self._scope, message.id)
        gone_at = next((entry.cause.at for entry in reversed(history) if entry.change == "retire"), None)
        citing = await self._store.citing(self._scope, [message.id])
        return [record for record in citing if record.status == "retired" and record.retired_at == gone_at]

    async def undo(self, id: str, *, reason: str) -> tuple[HistoryEntry, ...]:
        """Take back one change, by its id in the history, with what ceased to hold by it."""
        entry = await self._store.entry(self._scope, id)
        if entry is None:
            raise NotFound(f"there is no change {id!r} here; ids come from history, changes and why")
        if block_named(entry.target):
            return await undo_block(self._parts, self._scope, entry, cause=self._cause(reason))
        if entry.target.startswith(ENTITY):
            named = undo_name(entry, by_key(await self._store.aliases(self._scope)), cause=self._cause(reason))
            return await self._store.apply(self._scope, named) if named else ()
        item, cause = await item_of(self._store, self._scope, entry.target), self._cause(reason)
        if isinstance(item, Message) and entry.change == "retire":
            return await self._bring_back(item, cause) if item.retired else ()
        if isinstance(item, Record) and ends(entry):
            # It is the change to which it gave way that is taken back.
            entry, item = await self._gave_way_to(entry, item)
        items: dict[str, Item] = {item.id: item}
        changes = list(undo(entry, item, cause=cause))
        if isinstance(item, Record):
            changes += await self._with_it(entry, item, items, cause)
        changes = [_indexed(each, items) for each in changes]
        back = [made for change in changes if (made := _brought_back(change, items))]

        def decide(known: Keyed) -> tuple[Sequence[Change], tuple[()]]:
            since = {record.id for record in known.records if record.learned_at > entry.cause.at}
            if any(rival.target in since for record in back for rival in rivals(record, known.records, cause)):
                raise ConflictError(f"something else holds now in the place of {back[0].id!r}; take back or forget that first")
            return changes, ()

        keys = dict.fromkeys(key for record in back for key in record_keys(record))
        return (await self._recorder.change(self._scope, decide, keys=tuple(keys))).entries

    async def _with_it(self, entry: HistoryEntry, record: Record, items: dict[str, Item], cause: Cause) -> list[Change]:
        """The changes of others that follow when a change of a record is taken back. ``items`` gets what they change, as it is."""
        known = _Known(self._store, self._scope, (await self._store.keyed(self._scope, record_keys(record))).records)
        items |= {each.id: each for each in known.records if each.id not in items}
        if entry.change == "retire":
            back = [await known.change_at(each, entry.cause.at) for each in known.records if each.id != record.id]
            return [change for each in back if each and begins(each) for change in undo(each, items[each.target], cause=cause)]
        if not begins(entry):
            return []
        gave_way = await known.gave_way(record, at=None if entry.change == "add" else entry.cause.at)
        return list(hold_again([Gone(record=replace(record, status="current"), gave_way=gave_way)], cause=cause))

    async def _gave_way_to(self, entry: HistoryEntry, record: Record) -> tuple[HistoryEntry, Record]:
        """The record that a record gave way to with a change, and the change of that one; if there is none, what was given."""
        known = _Known(self._store, self._scope, (await self._store.keyed(self._scope, record_keys(record))).records)
        for other in known.records:
            began = await known.change_at(other, entry.cause.at)
            if other.id == record.id or began is None or not begins(began):
                continue
            if other.supersedes == record.id or any(gone.record.id == record.id for gone in await known.gave_way(other)):
                return began, other
        return entry, record

    async def revert(self, messages: Sequence[str], *, reason: str, session: str | None = None) -> tuple[HistoryEntry, ...]:
        """Forget all that was learnt from some messages, and learn nothing more from them. ``session``: they are all of this one; what a
        model wrote into the blocks in it is taken out again."""
        cause = self._cause(reason)
        learnt, items = await self._learnt_from(messages)
        changes = revert(learnt, messages=frozenset(messages), cause=cause)
        found = await self._store.get(self._scope, messages)
        shown = [item.id for item in found if isinstance(item, Message) and not item.superseded]
        # Hidden, they are read no more: neither recalled nor learnt from.
        hidden = [Edit(target=id, fields={"superseded": True}, cause=cause) for id in shown]
        entries = (await self._change_unless_opposed([*changes, *hidden], items)).entries
        if session is None:
            return entries
        agents = {item.agent for item in found if isinstance(item, Message)}
        return (*entries, *await revert_blocks(self._parts, self._scope, session, agents, cause=cause))

    async def erase(self, ids: Sequence[str] | None, session: str | None) -> EraseReceipt:
        """Remove for good. What had given way to what was learnt from the messages holds again. With a fact go the messages that say
        nothing else; others that it was learnt from are hidden."""
        words, hidden = await self._words_of(ids or ())
        messages = () if ids is None and session is None else await self.messages_of(session) if session is not None else ids or ()
        learnt, items = await self._learnt_from(messages)
        cause = self._cause("what replaced it was erased")
        back = left_by_erasing(learnt, messages=frozenset(messages), cause=cause)
        await self._show(read_again(learnt, messages=frozenset(messages)), cause)
        gone = self._cause("a fact that was learnt from it was erased")
        await self._recorder.change(self._scope, [Retire(target=id, cause=gone) for id in hidden])
        # What is being read just now must not be learnt a moment later.
        async with self._recorder.alone(self._scope):
            receipt = await self._store.erase(self._scope, ids=None if ids is None else (*ids, *words), session=session)
        found = await self._store.get(self._scope, [change.target for change in back if not isinstance(change, Add)])
        there = {item.id: item for item in found if item is not None}
        left = [change for change in back if not isinstance(change, Add) and change.target in there]
        await self._change_unless_opposed(left, items | there)
        return receipt

    async def _words_of(self, ids: Sequence[str]) -> tuple[list[str], list[str]]:
        """The messages from which the facts among these items were learnt: those that say nothing else, and the others."""
        found = await self._store.get(self._scope, ids) if ids else ()
        # Summaries and notes cite messages of which they do not have the words.
        facts = [item for item in found if isinstance(item, Record) and item.extractor and item.kind != "summary"]
        cited = dict.fromkeys(source.message for record in facts for source in record.sources)
        messages = [item for item in await self._store.get(self._scope, [*cited]) if isinstance(item, Message) and item.id not in ids]
        learnt = await self._store.citing(self._scope, [message.id for message in messages]) if messages else ()
        alone, others = list[str](), list[str]()
        for message in messages:
            citing = [record for record in learnt if message.id in {source.message for source in record.sources}]
            stays = any(record.id not in ids and record.status != "retired" and record.kind != "summary" for record in citing)
            going = [replace(record, status="retired") for record in citing if record.id in ids]
            if not stays and covered(message, going):
                alone.append(message.id)
            elif not message.retired:
                others.append(message.id)
        return alone, others

    async def _show(self, messages: Sequence[str], cause: Cause) -> None:
        """Let messages be read again that are hidden."""
        found = await self._store.get(self._scope, messages) if messages else ()
        hidden = [item.id for item in found if isinstance(item, Message) and item.superseded]
        await self._recorder.change(self._scope, [Edit(target=id, fields={"superseded": False}, cause=cause) for id in hidden])

    async def _change_unless_opposed(self, changes: Sequence[Change], items: Mapping[str, Item]) -> Recorded:
        """Write changes, but for those that would let something hold again that was erased. What cannot stand beside what holds now
        gives way to that."""
        targets = {change.target for change in changes if not isinstance(change, Add)}
        back = [(change, made) for change in changes if not await self._is_erased(made := _brought_back(change, items))]

        def decide(known: Keyed) -> tuple[Sequence[Change], tuple[()]]:
            others = {record.id: record for record in known.records if record.id not in targets}
            return [_unless_opposed(change, record, others) for change, record in back], ()

        keys = dict.fromkeys(key for _, record in back if record for key in record_keys(record))
        return await self._recorder.change(self._scope, decide, keys=tuple(keys))

    async def _is_erased(self, record: Record | None) -> bool:
        """Whether what a record says was erased elsewhere."""
        times = () if record is None else await self._store.erased(self._scope, known_by(record))
        return record is not None and any(stays_erased(record, time) for time in times)

    async def _learnt_from(self, messages: Sequence[str]) -> tuple[list[Learnt], dict[str, Item]]:
        """The records that cite some messages, and all that are filed with them."""
        citing = await self._store.citing(self._scope, messages)
        keys = dict.fromkeys(key for record in citing for key in record_keys(record))
        known = _Known(self._store, self._scope, (await self._store.keyed(self._scope, tuple(keys))).records)
        times = await self._times(citing)
        learnt = []
        for record in citing:
            stands = replace(record, status="current") if _is_denial(record) else record
            gone = Gone(record=stands, gave_way=await known.gave_way(record), followed_by=known.followed_by(record))
            last = {times.get(source.message) for source in record.sources if source.message in messages}
            left = [time for source in record.sources if source.message not in messages and (time := times.get(source.message))]
            said_at = max(left) if left and record.said_at in last and max(left) < (record.said_at or max(left)) else None
            learnt.append(Learnt(gone=gone, history=await known.history(record), said_at=said_at))
        return learnt, {record.id: record for record in (*known.records, *citing)}

    async def _times(self, records: Sequence[Record]) -> dict[str, datetime]:
        """When the messages that records cite were said."""
        cited = dict.fromkeys(source.message for record in records for source in record.sources if len(record.sources) > 1)
        found = await self._store.get(self._scope, tuple(cited)) if cited else ()
        return {item.id: item.said_at for item in found if isinstance(item, Message)}

    async def messages_of(self, session: str) -> tuple[str, ...]:
        """Ids of all messages of a session."""
        ids: list[str] = []
        after: str | None = None
        where = Where(statuses=("current", "superseded", "retired"))
        while True:
            page = await self._store.messages(self._scope, session, where=where, after=after, limit=_PAGE)
            ids += [message.id for message in page.items]
            if page.cursor is None:
                return tuple(ids)
            after = page.cursor

    def _cause(self, reason: str) -> Cause:
        return Cause(actor=self._actor, reason=reason, at=self._parts.now())


def _cited(message: Message, record: Record) -> list[str]:
    """The words of a message that a record rests on."""
    spans = [source.span or (0, len(message.text)) for source in record.sources if source.message == message.id]
    return [message.text[start:end] for start, end in spans]


def _left_of(message: Message, records: Sequence[Record]) -> str:
    """What a message says besides what these records rest on."""
    text = message.text
    for record in records:
        for words in _cited(message, record):
            text = text.replace(words, "\n")
    return text


class _Known:
    """Records that are filed together, and which of them gave way to which."""

    def __init__(self, store: Store, scope: Scope, records: Sequence[Record]) -> None:
        self.records = records
        self._store, self._scope = store, scope
        self._histories: dict[str, tuple[HistoryEntry, ...]] = {}
        # What was taken back itself is followed by nothing any more.
        self._after = {each.supersedes: each for each in records if each.supersedes is not None and each.status != "retired"}
        self._superseded: dict[str, list[Record]] = {}
        for each in records:
            for key in record_keys(each) if each.status == "superseded" else ():
                self._superseded.setdefault(key, []).append(each)

    async def history(self, record: Record) -> tuple[HistoryEntry, ...]:
        if record.id not in self._histories:
            self._histories[record.id] = await self._store.history(self._scope, record.id)
        return self._histories[record.id]

    async def change_at(self, record: Record, at: datetime) -> HistoryEntry | None:
        """The last change of a record at some time."""
        return next((entry for entry in reversed(await self.history(record)) if entry.cause.at == at), None)

    def followed_by(self, record: Record) -> Record | None:
        """The record to which one gave way, as far as they tell themselves."""
        if record.status != "superseded" or record.id in self._after:
            return self._after.get(record.id)
        others = (each for each in self.records if each.id != record.id and each.status != "retired")
        return next((each for each in others if each.learned_at == record.retired_at), None)

    async def gave_way(self, record: Record, *, at: datetime | None = None) -> tuple[GaveWay, ...]:
        """The records that gave way to one; ``at``: with the change at that time, and not before it came."""
        history = await self.history(record)
        denial = _is_denial(record)
        times = {entry.cause.at for entry in history if begins(entry) or (denial and entry.change == "add")}
        began = times if at is None else times & {at}
        near = {each.id: each for key in record_keys(record) for each in self._superseded.get(key, ()) if each.id != record.id}
        found = list[GaveWay]()
        holds = replace((await self._as_it_was(record)).held if record.status == "superseded" else record, status="current")
        for each in near.values():
            if each.retired_at not in began and (at is not None or not _came_later(each, record)):
                continue
            gone = await self._as_it_was(each)
            if record.supersedes == each.id or rivals(holds, [gone.held], Cause(actor="", reason="", at=_later(record, each))):
                found.append(gone)
        return tuple(found)

    async def _as_it_was(self, record: Record) -> GaveWay:
        history = await self.history(record)
        told = any(ends(entry) and entry.before.get("status") in ("current", "pending") for entry in history)
        held = restored_record(record, history) if told else overruled(record, self.records)
        return GaveWay(record=record, held=held, told=told)


def _is_denial(record: Record) -> bool:
    """Whether it is kept as history because it denies something, without an end: what it ended gave way to it."""
    return record.status == "superseded" and record.retired_at is None and record.valid_to is None


def _came_later(record: Record, other: Record) -> bool:
    """Whether a record was overruled before it came, by another one that was there and was said later. A denial without an end is kept
    against what is older, and never held."""
    if record.retired_at is not None or record.valid_to is None:
        return False
    return other.learned_at <= record.learned_at and said_at(other) >= said_at(record)


def _later(first: Record, second: Record) -> datetime:
    return max(first.learned_at, second.learned_at)


def _brought_back(change: Change, items: Mapping[str, Item]) -> Record | None:
    """The record as it is to hold again, if this change makes it so."""
    if not isinstance(change, Restore | Edit) or not isinstance(item := items.get(change.target), Record):
        return None
    if item.status == "current":
        return None
    made = replace(item, status="current") if isinstance(change, Restore) else replace(item, **change.fields)
    return made if made.status == "current" else None


def _unless_opposed(change: Change, record: Record | None, others: Mapping[str, Record]) -> Change:
    """A change that lets ``record`` hold again; where something else holds against it now, the one that lets it give way to that."""
    opposed = rivals(record, others.values(), change.cause) if record is not None else []
    if record is None or not opposed:
        return change
    first = min((others[each.target] for each in opposed), key=lambda each: each.learned_at)
    ends = {"valid_to": max(filter(None, (record.valid_from, first.valid_from)), default=change.cause.at), "retired_at": first.learned_at}
    return Edit(target=record.id, fields=ends, cause=change.cause)


def _indexed(change: Change, items: Mapping[str, Item]) -> Change:
    """An edit of a record, with how it is found from then on."""
    if isinstance(change, Edit) and isinstance(item := items[change.target], Record):
        return replace(change, indexing=record_indexing(replace(item, **change.fields)), expected_version=item.version)
    return change
