"""The history of a whole scope: every change, newest first, and one change by its id."""

from __future__ import annotations

from functools import partial

import pytest

from pagefile.ports import Store
from pagefile.queries import Page
from pagefile.records import Add, Block, Edit, HistoryEntry, Retire, Supersede
from pagefile.testing.fakes import make_cause, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, all_pages, flag, ids, learn, retire, rewrite, say


class HistoryContract(Contract):
    async def test_changes_of_records_messages_and_blocks_come_newest_first(self, store: Store) -> None:
        (message,) = await say(store, "said")
        (record,) = await learn(store, "works at Acme")
        await store.apply(ALICE, [Add(item=Block(label="persona"), cause=make_cause())])
        await flag(store, message.id)
        new = make_record("works at Beta")
        await store.apply(ALICE, [Supersede(target=record.id, item=new, cause=make_cause()), Retire(target=message.id, cause=make_cause())])
        page = await store.changes(ALICE)
        assert [(entry.target, entry.change) for entry in page.items] == [
            (message.id, "retire"),
            (new.id, "add"),
            (record.id, "supersede"),
            (message.id, "edit"),
            ("block:persona", "add"),
            (record.id, "add"),
        ]
        assert (page.total, page.cursor) == (6, None)

    async def test_the_same_changes_are_in_the_history_of_each_target(self, store: Store) -> None:
        records = await learn(store, "one", "two")
        await rewrite(store, records[0].id, "three")
        entries = [entry for record in records for entry in await store.history(ALICE, record.id)]
        changes = (await store.changes(ALICE)).items
        assert sorted(ids(changes)) == sorted(ids(entries))
        assert all(entry in changes for entry in entries)

    async def test_pages_stay_in_step_while_others_change_and_erase(self, store: Store) -> None:
        records = await learn(store, *"abcdef")
        first = await store.changes(ALICE, limit=2)
        await learn(store, "g")
        await store.erase(ALICE, ids=[records[1].id])
        rest = await store.changes(ALICE, limit=10, after=first.cursor)
        assert [entry.after["text"] for entry in (*first.items, *rest.items)] == [*"fedca"]
        assert (first.total, rest.total) == (6, 6)
        assert [entry.after["text"] for entry in await all_pages(partial(store.changes, ALICE), limit=2)] == [*"gfedca"]

    async def test_changes_since_one_come_oldest_first(self, store: Store) -> None:
        await learn(store, *"abc")
        seen = (await store.changes(ALICE, limit=1)).items[0].id
        await learn(store, *"def")
        page = await store.changes(ALICE, after=seen, limit=2, newest_first=False)
        assert [entry.after["text"] for entry in page.items] == [*"de"]
        assert (page.total, page.cursor) == (6, page.items[-1].id)
        rest = await store.changes(ALICE, after=page.cursor, newest_first=False)
        assert [entry.after["text"] for entry in rest.items] == ["f"]
        whole = await store.changes(ALICE, newest_first=False)
        assert [entry.after["text"] for entry in whole.items] == [*"abcdef"]
        assert (await store.changes(BOB, newest_first=False)).items == ()

    async def test_a_change_is_found_by_its_id_which_no_other_has(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        await store.apply(ALICE, [Add(item=Block(label="persona"), cause=make_cause())])
        await retire(store, record.id)
        await store.apply(ALICE, [Edit(target="persona", fields={"text": "x"}, cause=make_cause("asked", actor="user:alice"))])
        entries = (await store.changes(ALICE)).items
        assert len({entry.id for entry in entries}) == 4
        for entry in entries:
            assert await store.entry(ALICE, entry.id) == entry

    @pytest.mark.parametrize("id", ["", "nobody", "0", "-1", "1.5", "٣", "9" * 50, "1 OR 1=1"], ids=repr)
    async def test_an_id_of_no_change_is_none(self, store: Store, id: str) -> None:
        await learn(store, "tea")
        assert await store.entry(ALICE, id) is None

    async def test_changes_of_another_scope_are_not_shown(self, store: Store) -> None:
        await learn(store, "his", "his too", scope=BOB)
        (record,) = await learn(store, "mine")
        assert [entry.target for entry in (await store.changes(ALICE)).items] == [record.id]
        for entry in (await store.changes(BOB)).items:
            mine = await store.entry(ALICE, entry.id)
            assert mine is None or mine.target == record.id

    async def test_where_nothing_changed_there_is_nothing(self, store: Store) -> None:
        empty: Page[HistoryEntry] = Page(items=(), cursor=None, total=0)
        assert await store.changes(ALICE) == empty
        await say(store, "said")
        assert await store.changes(ALICE) == empty
        (record,) = await learn(store, "tea")
        await store.erase(ALICE, ids=[record.id])
        assert await store.changes(ALICE) == empty
