"""Reading records, blocks and history; counting uses."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.ports import Store
from pagefile.queries import Where
from pagefile.records import Add, Block, Edit
from pagefile.testing.fakes import START, make_cause, numbered_id
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, all_pages, ids, learn, record_of, say


async def add_blocks(store: Store, *blocks: Block) -> None:
    await store.apply(ALICE, [Add(item=block, cause=make_cause()) for block in blocks])


class RecordsContract(Contract):
    # --- by id ---

    async def test_items_come_in_the_order_asked_with_none_for_what_is_not_there(self, store: Store) -> None:
        (record,) = await learn(store, "learnt")
        (message,) = await say(store, "said")
        assert await store.get(ALICE, [message.id, "nobody", record.id, message.id]) == (message, None, record, message)
        assert await store.get(ALICE, []) == ()

    async def test_very_many_ids_can_be_asked_at_once(self, store: Store) -> None:
        (record,) = await learn(store, "learnt")
        items = await store.get(ALICE, [*(f"nobody {number}" for number in range(40_000)), record.id])
        assert (len(items), items[-1]) == (40_001, record)

    # --- scanning ---

    async def test_records_are_listed_oldest_first_page_by_page(self, store: Store) -> None:
        records = await learn(store, *"abcdefg")
        assert await all_pages(partial(store.records, ALICE)) == records

    async def test_records_that_come_while_a_scan_runs_are_listed_once_whatever_their_ids(self, store: Store) -> None:
        records = await learn(store, *"abcd")
        first = await store.records(ALICE, limit=2)
        await learn(store, "e", id=numbered_id(0))
        await store.erase(ALICE, ids=[records[1].id])
        rest = await store.records(ALICE, limit=10, after=first.cursor)
        assert [record.text for record in (*first.items, *rest.items)] == list("abcde")
        assert (first.total, rest.total) == (4, 4)

    async def test_a_scan_holds_to_its_filters_and_counts_by_them(self, store: Store) -> None:
        await learn(store, "a", "b", kind="fact")
        await learn(store, "c", "d", "e", kind="event", tags=("trip",))
        await learn(store, "f", kind="event", tags=("trip",), status="pending")
        page = await store.records(ALICE, where=Where(kinds=("event",), tags=("trip",)), limit=2)
        assert ([record.text for record in page.items], page.total) == (["c", "d"], 3)

    async def test_messages_are_no_records(self, store: Store) -> None:
        await say(store, "said")
        assert (await store.records(ALICE)).total == 0

    # --- use ---

    async def test_a_use_is_counted_without_a_new_version_or_history(self, store: Store) -> None:
        (record,) = await learn(store, "learnt")
        (message,) = await say(store, "said")
        await store.mark_used(ALICE, [record.id, "nobody", message.id], at=START)
        await store.mark_used(ALICE, [record.id], at=START + timedelta(hours=1))
        kept = await record_of(store, record.id)
        assert (kept.use_count, kept.last_used_at, kept.version) == (2, START + timedelta(hours=1), 1)
        assert len(await store.history(ALICE, record.id)) == 1

    # --- blocks ---

    async def test_blocks_come_by_label(self, store: Store) -> None:
        human = Block(label="human", text="Alice, 张三", description="about the user", token_limit=100, read_only=True)
        persona = Block(label="persona")
        await add_blocks(store, persona, human)
        assert await store.blocks(ALICE) == (human, persona)

    async def test_an_agents_own_block_hides_the_shared_one_from_that_agent_alone(self, store: Store) -> None:
        shared, other = Block(label="persona", text="shared"), Block(label="human")
        own = Block(label="persona", text="own", agent="cook")
        await add_blocks(store, shared, own, other)
        assert await store.blocks(ALICE) == (other, shared)
        assert await store.blocks(ALICE, "cook") == (other, own)
        assert await store.blocks(ALICE, every=True) == (other, shared, own)
        assert await store.blocks(BOB, every=True) == ()
        assert await store.blocks(ALICE, "pilot") == (other, shared)

    async def test_a_block_is_edited_by_label_in_its_own_place(self, store: Store) -> None:
        await add_blocks(store, Block(label="persona", text="shared"), Block(label="persona", text="own", agent="cook"))
        edit = Edit(target="persona", agent="cook", fields={"text": "new", "token_limit": 9}, cause=make_cause(), expected_version=1)
        await store.apply(ALICE, [edit])
        assert [(block.text, block.version) for block in await store.blocks(ALICE)] == [("shared", 1)]
        assert [(block.text, block.token_limit, block.version) for block in await store.blocks(ALICE, "cook")] == [("new", 9, 2)]

    async def test_a_blocks_history_is_under_its_label_and_agent(self, store: Store) -> None:
        await add_blocks(store, Block(label="persona", text="shared"), Block(label="persona", text="own", agent="cook"))
        await store.apply(ALICE, [Edit(target="persona", fields={"text": "new"}, cause=make_cause("asked"))])
        added, edited = await store.history(ALICE, "block:persona")
        assert (added.change, added.after["text"]) == ("add", "shared")
        assert (edited.change, edited.before["text"], edited.after["text"], edited.cause.reason) == ("edit", "shared", "new", "asked")
        (own,) = await store.history(ALICE, "block:cook/persona")
        assert own.after["text"] == "own"

    async def test_blocks_whose_names_have_slashes_are_kept_apart(self, store: Store) -> None:
        names = [("a", "b/c"), ("a/b", "c"), (None, "a/b/c"), ("a", "b%2Fc"), ("a%2Fb", "c")]
        await add_blocks(store, *(Block(label=label, text=f"{agent} {label}", agent=agent) for agent, label in names))
        for agent, label in names:
            assert f"{agent} {label}" in [block.text for block in await store.blocks(ALICE, agent)]
        (entry,) = await store.history(ALICE, "block:a/b%2Fc")
        assert entry.after["text"] == "a b/c"
        (entry,) = await store.history(ALICE, "block:a%2Fb/c")
        assert entry.after["text"] == "a/b c"

    async def test_a_block_that_exists_cannot_be_added_again(self, store: Store) -> None:
        await add_blocks(store, Block(label="persona", text="first"))
        with pytest.raises(ConflictError):
            await add_blocks(store, Block(label="persona", text="second"))
        assert [block.text for block in await store.blocks(ALICE)] == ["first"]

    async def test_a_block_edited_in_between_is_a_conflict(self, store: Store) -> None:
        await add_blocks(store, Block(label="persona"))
        edit = Edit(target="persona", fields={"text": "new"}, cause=make_cause(), expected_version=1)
        await store.apply(ALICE, [edit])
        with pytest.raises(ConflictError):
            await store.apply(ALICE, [edit])

    async def test_an_unknown_block_or_field_is_refused(self, store: Store) -> None:
        await add_blocks(store, Block(label="persona", text="shared"))
        with pytest.raises(NotFound):
            await store.apply(ALICE, [Edit(target="persona", agent="cook", fields={"text": "x"}, cause=make_cause())])
        for fields in ({"importance": 1.0}, {"label": "other"}, {"agent": "cook"}, {"version": 5}):
            with pytest.raises(InputError):
                await store.apply(ALICE, [Edit(target="persona", fields=fields, cause=make_cause())])

    async def test_blocks_are_not_searched_and_are_no_records(self, store: Store) -> None:
        await add_blocks(store, Block(label="persona", text="shared"))
        assert ids((await store.records(ALICE)).items) == []

    # --- history ---

    async def test_what_never_changed_has_no_history(self, store: Store) -> None:
        (message,) = await say(store, "said")
        assert await store.history(ALICE, message.id) == ()
        assert await store.history(ALICE, "nobody") == ()

    async def test_history_is_oldest_first_and_each_entry_has_an_id_of_its_own(self, store: Store) -> None:
        (record,) = await learn(store, "learnt")
        for number in range(12):
            fields = {"importance": number / 20}
            await store.apply(ALICE, [Edit(target=record.id, fields=fields, cause=make_cause(str(number)))])
        entries = await store.history(ALICE, record.id)
        assert [entry.cause.reason for entry in entries[1:]] == [str(number) for number in range(12)]
        assert len(set(ids(entries))) == 13
