"""Taking out of what holds, and bringing back: forgetting, restoring, undoing and reverting. ``scoped.py`` is its front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.items import item_of
from pagefile.language.keys import record_keys
from pagefile.lifecycle.rivals import rivals
from pagefile.lifecycle.undo import GaveWay, Learnt, before, begins, ends, hold_again, revert, undo
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.ports import EraseReceipt, Keyed
from pagefile.queries import Item, Where
from pagefile.recorder import Recorder
from pagefile.records import Cause, Change, Edit, HistoryEntry, Record, Restore, Retire, Scope
from pagefile.retrieval.indexing import record_indexing
from pagefile.stores.changes import restored_record

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

    def __init__(self, parts: Parts, recorder: Recorder, scope: Scope) -> None:
        self._parts = parts
        self._store = parts.store
        self._recorder = recorder
        self._scope = scope

    async def without_others(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of what a query means, without messages that say something else as well: of those only the records that are meant go."""
        kept: list[str] = []
        for id in ids:
            item = await item_of(self._store, self._scope, id)
            citing = await self._store.citing(self._scope, [id]) if isinstance(item, Message) else ()
            meant = {record.id in ids for record in citing if record.status in ("current", "pending")}
            if meant != {True, False}:
                kept.append(id)
        return tuple(kept)

    async def forget(self, items: Sequence[Item], *, reason: str, dry_run: bool) -> Forgotten:
        """Take items out of recall; with a message goes what was learnt from it alone."""
        cause, targets = self._cause(reason), {item.id: item for item in items}
        messages = {item.id for item in items if isinstance(item, Message)}
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
        if entry.target.startswith("block:"):
            raise InputError(f"the change {id!r} is one of a block; its earlier text is in the history: write it anew with write_block")
        item, cause = await item_of(self._store, self._scope, entry.target), self._cause(reason)
        if isinstance(item, Message) and entry.change == "retire":
            return await self._bring_back(item, cause) if item.retired else ()
        if isinstance(item, Record) and ends(entry):
            # It is the change to which it gave way that is taken back.
            entry, item = await self._gave_way_to(entry, item)
        gave_way = await self._gave_way(entry, item) if isinstance(item, Record) else []
        items: dict[str, Item] = {item.id: item, **{each.record.id: each.record for each in gave_way}}
        changes = [_indexed(each, items) for each in undo(entry, item, gave_way=gave_way, cause=cause)]
        back = [made for change in changes if (made := _brought_back(change, items))]

        def decide(known: Keyed) -> tuple[Sequence[Change], tuple[()]]:
            since = {record.id for record in known.records if record.learned_at > entry.cause.at}
            if any(rival.target in since for record in back for rival in rivals(record, known.records, cause)):
                raise ConflictError(f"something else holds now in the place of {back[0].id!r}; take back or forget that first")
            return changes, ()

        keys = dict.fromkeys(key for record in back for key in record_keys(record))
        return (await self._recorder.change(self._scope, decide, keys=tuple(keys))).entries

    async def _gave_way(self, entry: HistoryEntry, record: Record) -> list[GaveWay]:
        """The records that ceased to hold because of a change of this one."""
        if not begins(entry):
            return []
        known = await self._store.keyed(self._scope, record_keys(record))
        gone = [each for each in known.records if each.status == "superseded" and each.retired_at == entry.cause.at]
        found = [await self._ended(each, entry) for each in gone if each.id != record.id]
        return [each for each in found if each is not None and self._gives_way(each, record)]

    async def _gave_way_to(self, entry: HistoryEntry, record: Record) -> tuple[HistoryEntry, Record]:
        """The record that a record gave way to with a change, and the change of that one; if there is none, what was given."""
        known = await self._store.keyed(self._scope, record_keys(record))
        for other in known.records:
            history = await self._store.history(self._scope, other.id) if other.id != record.id else ()
            began = next((each for each in reversed(history) if each.cause.at == entry.cause.at and begins(each)), None)
            if began is not None and self._gives_way(GaveWay(record=record, entry=entry), other):
                return began, other
        return entry, record

    async def _ended(self, record: Record, other: HistoryEntry) -> GaveWay | None:
        """The change by which a record gave way at the time of another change."""
        history = await self._store.history(self._scope, record.id)
        entry = next((each for each in reversed(history) if each.cause.at == other.cause.at and ends(each)), None)
        return None if entry is None else GaveWay(record=record, entry=entry)

    def _gives_way(self, gone: GaveWay, record: Record) -> bool:
        """Whether it is this one that a record gave way to."""
        if record.supersedes == gone.record.id:
            return True
        return bool(rivals(replace(record, status="current"), [before(gone.entry, gone.record)], gone.entry.cause))

    async def revert(self, messages: Sequence[str], *, reason: str) -> tuple[HistoryEntry, ...]:
        """Forget all that was learnt from some messages, and learn nothing more from them."""
        cause = self._cause(reason)
        changes = revert(await self._learnt_from(messages), messages=frozenset(messages), cause=cause)
        found = await self._store.get(self._scope, messages)
        shown = [item.id for item in found if isinstance(item, Message) and not item.superseded]
        # Hidden, they are read no more: neither recalled nor learnt from.
        hidden = [Edit(target=id, fields={"superseded": True}, cause=cause) for id in shown]
        return (await self._recorder.change(self._scope, [*changes, *hidden])).entries

    async def erase(self, ids: Sequence[str] | None, session: str | None) -> EraseReceipt:
        """Remove for good. What had given way to what was learnt from the messages alone holds again."""
        messages = () if ids is None and session is None else await self.messages_of(session) if session is not None else ids or ()
        back = hold_again(await self._learnt_from(messages), messages=frozenset(messages), cause=self._cause("what replaced it was erased"))
        # What is being read just now must not be learnt a moment later.
        async with self._recorder.alone(self._scope):
            receipt = await self._store.erase(self._scope, ids=ids, session=session)
        found = await self._store.get(self._scope, [change.target for change in back])
        there: dict[str, Item] = {item.id: item for item in found if item is not None}
        made = [(change, _brought_back(change, there)) for change in back if change.target in there]
        keys = dict.fromkeys(key for _, record in made if record for key in record_keys(record))

        def decide(known: Keyed) -> tuple[Sequence[Change], tuple[()]]:
            return [change for change, record in made if record and not rivals(record, known.records, change.cause)], ()

        await self._recorder.change(self._scope, decide, keys=tuple(keys))
        return receipt

    async def _learnt_from(self, messages: Sequence[str]) -> list[Learnt]:
        learnt = []
        for record in await self._store.citing(self._scope, messages):
            history = await self._store.history(self._scope, record.id)
            # One that replaced nothing and was never changed since has nothing that gave way to it.
            changed = record.supersedes is not None or record.version > 1
            gave_way = [each for entry in history for each in await self._gave_way(entry, record)] if changed else []
            learnt.append(Learnt(record=record, history=history, gave_way=tuple(gave_way)))
        return learnt

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
        return Cause(actor=f"user:{self._scope.user}", reason=reason, at=self._parts.now())


def _brought_back(change: Change, items: Mapping[str, Item]) -> Record | None:
    """The record as it is to hold again, if this change makes it so."""
    if not isinstance(change, Restore | Edit) or not isinstance(item := items[change.target], Record) or item.status == "current":
        return None
    made = replace(item, status="current") if isinstance(change, Restore) else replace(item, **change.fields)
    return made if made.status == "current" else None


def _indexed(change: Change, items: Mapping[str, Item]) -> Change:
    """An edit of a record, with how it is found from then on."""
    if isinstance(change, Edit) and isinstance(item := items[change.target], Record):
        return replace(change, indexing=record_indexing(replace(item, **change.fields)), expected_version=item.version)
    return change
