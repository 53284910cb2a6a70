"""What a decision is made on: records by their keys and by their sources, and the revision that tells whether it still holds."""

from __future__ import annotations

from typing import Any

import anyio
import anyio.lowlevel
import pytest

from pagefile.errors import NotFound, StaleRevision
from pagefile.language.keys import fact_key, record_keys, text_key
from pagefile.ports import NewJob, Progress, Store
from pagefile.records import Add, Block, Change, Edit, Record, Reinforce, Restore, Retire, Source, Supersede
from pagefile.testing.fakes import FAR_AHEAD, START, indexing_of, make_cause, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, flag, ids, learn, record_of, retire, rewrite, say

WORK: dict[str, Any] = {"subject": "user", "attribute": "employer", "value": "Acme"}


async def filed(store: Store, *keys: str) -> list[str]:
    """Ids of Alice's records under these keys."""
    return ids((await store.keyed(ALICE, keys)).records)


async def revision(store: Store) -> int:
    return (await store.keyed(ALICE, [])).revision


class KeysContract(Contract):
    # --- by key ---

    @pytest.mark.parametrize(
        ("text", "fields", "keys"),
        [
            ("Works at Acme.", WORK, (text_key("works at ACME"), fact_key("User", "EMPLOYER"))),
            ("我住在深圳。", {"subject": "用户", "attribute": "住址", "value": "深圳"}, (text_key("我住在深圳"), fact_key("用户", "住址"))),
            ("Keep it short", {"kind": "procedure"}, (text_key("keep it short!"),)),
            ("?!", {"subject": "user"}, (text_key("?!"),)),
        ],
        ids=["English", "Chinese", "no property", "no words"],
    )
    async def test_a_record_is_filed_under_its_words_and_its_property(
        self, store: Store, text: str, fields: dict[str, Any], keys: tuple[str, ...]
    ) -> None:
        (record,) = await learn(store, text, **fields)
        await learn(store, "something else", subject="user", attribute="colour", value="red")
        for key in keys:
            assert await filed(store, key) == [record.id], key
        assert (await store.keyed(ALICE, keys)).records == (record,)

    async def test_records_of_any_status_come_oldest_first_and_once(self, store: Store) -> None:
        first, second, third = await learn(store, "one", "two", "three", **WORK)
        (pending,) = await learn(store, "one", status="pending")
        replacing = Supersede(target=second.id, item=make_record("four", **WORK), cause=make_cause())
        await store.apply(ALICE, [Retire(target=first.id, cause=make_cause()), replacing])
        keys = [text_key("one"), fact_key("user", "employer"), text_key("one"), text_key("four"), "unknown"]
        expected = [first.id, second.id, third.id, pending.id, replacing.item.id]
        assert await filed(store, *keys) == expected
        found = (await store.keyed(ALICE, keys)).records
        assert found == await store.get(ALICE, expected)
        assert [record.status for record in found] == ["retired", "superseded", "current", "pending", "current"]

    async def test_after_an_edit_a_record_is_filed_anew_and_no_longer_under_what_it_was(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme", **WORK)
        await rewrite(store, record.id, "is employed by Acme")
        await store.apply(ALICE, [Edit(target=record.id, fields={"attribute": "client"}, cause=make_cause())])
        await store.apply(ALICE, [Edit(target=record.id, fields={"value": "Acme Ltd", "pinned": True}, cause=make_cause())])
        assert await filed(store, text_key("works at Acme"), fact_key("user", "employer")) == []
        for key in (text_key("is employed by Acme"), fact_key("user", "client")):
            assert await filed(store, key) == [record.id]
        await store.apply(ALICE, [Edit(target=record.id, fields={"subject": None}, cause=make_cause())])
        assert await filed(store, fact_key("user", "client")) == []

    @pytest.mark.parametrize("key", ["nobody", "", "%", "fact\x1fuser\x1f%", "fact\x1fuser", "text\x1f", "' OR '1'='1"], ids=repr)
    async def test_a_key_of_no_record_finds_nothing(self, store: Store, key: str) -> None:
        await learn(store, "works at Acme", **WORK)
        assert await filed(store, key) == []
        assert await filed(store) == []

    async def test_very_many_keys_can_be_asked_at_once(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        assert await filed(store, *(f"nobody {number}" for number in range(5_000)), text_key("works at Acme")) == [record.id]

    async def test_messages_blocks_other_scopes_and_what_was_erased_are_not_there(self, store: Store) -> None:
        await say(store, "tea")
        await store.apply(ALICE, [Add(item=Block(label="persona", text="tea"), cause=make_cause())])
        await learn(store, "tea", scope=BOB)
        gone, kept = await learn(store, "tea", "tea")
        await store.erase(ALICE, ids=[gone.id])
        assert await filed(store, text_key("tea")) == [kept.id]

    async def test_a_use_changes_nothing_of_where_a_record_is_filed(self, store: Store) -> None:
        (record,) = await learn(store, "tea")
        await store.mark_used(ALICE, [record.id], at=START)
        (found,) = (await store.keyed(ALICE, record_keys(record))).records
        assert found.use_count == 1

    # --- the revision ---

    async def test_a_scope_that_is_not_there_has_revision_zero_and_is_not_made(self, store: Store) -> None:
        assert await revision(store) == 0
        assert (await store.scopes()).total == 0

    async def test_every_call_that_changes_a_record_makes_a_new_revision(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        seen = [await revision(store)]
        edit = Edit(target=record.id, fields={"pinned": True}, cause=make_cause())
        new = make_record("works at Beta")
        calls: list[list[Change]] = [
            [Reinforce(target=record.id, cause=make_cause())],
            [edit, Retire(target=record.id, cause=make_cause())],
            [Restore(target=record.id, cause=make_cause())],
            [Supersede(target=record.id, item=new, cause=make_cause())],
            [Add(item=make_record(text), cause=make_cause()) for text in "abc"],
        ]
        for changes in calls:
            await store.apply(ALICE, changes)
            seen.append(await revision(store))
        assert len({0, *seen}) == 7

    @pytest.mark.parametrize("way", ["message", "record", "session"])
    async def test_an_erase_makes_a_new_revision(self, store: Store, way: str) -> None:
        (message,) = await say(store, "said")
        (record,) = await learn(store, "works at Acme")
        before = await revision(store)
        ways: dict[str, dict[str, Any]] = {"message": {"ids": [message.id]}, "record": {"ids": [record.id]}, "session": {"session": "s"}}
        await store.erase(ALICE, **ways[way])
        assert await revision(store) not in (0, before)
        with pytest.raises(StaleRevision):
            await store.apply(ALICE, [Add(item=make_record("x"), cause=make_cause())], revision=before)

    async def test_a_scope_that_was_erased_and_written_anew_has_no_revision_that_it_had(self, store: Store) -> None:
        seen: list[int] = []
        for _ in range(3):
            await say(store, "said")
            for text in ("one", "two"):
                seen.append(await revision(store))
                await learn(store, text, said_at=FAR_AHEAD)
            seen.append(await revision(store))
            await store.erase(ALICE)
            assert await revision(store) == 0
        assert len({0, *seen}) == 10
        for before in seen:
            with pytest.raises(StaleRevision):
                await store.apply(ALICE, [Add(item=make_record("x"), cause=make_cause())], revision=before)
        assert (await store.scopes()).total == 0

    async def test_what_changes_no_record_makes_no_new_revision(self, store: Store) -> None:
        retired, other = await learn(store, "works at Acme", "tea")
        await retire(store, retired.id)
        before = await revision(store)
        (message,) = await say(store, "said")
        block = Add(item=Block(label="persona"), cause=make_cause())
        same = Reinforce(target=other.id, cause=make_cause(), counts=False)
        await store.apply(
            ALICE, [block, Retire(target=message.id, cause=make_cause()), Retire(target=retired.id, cause=make_cause()), same]
        )
        await store.apply(ALICE, [Edit(target="persona", fields={"text": "x"}, cause=make_cause())], jobs=[NewJob(kind="learn")])
        await flag(store, message.id)
        await store.mark_used(ALICE, [other.id], at=START)
        await store.apply(ALICE, [], progress=Progress(session="s", name="rules", seq=1))
        await learn(store, "his", scope=BOB)
        with pytest.raises(NotFound):
            await store.apply(ALICE, [Add(item=make_record("x"), cause=make_cause()), Retire(target="nobody", cause=make_cause())])
        assert await revision(store) == before

    async def test_changes_decided_at_the_present_revision_are_made(self, store: Store) -> None:
        (record,) = await learn(store, "works at Acme")
        await store.apply(ALICE, [Retire(target=record.id, cause=make_cause())], revision=await revision(store))
        await store.apply(BOB, [Add(item=make_record("first"), cause=make_cause())], revision=0)
        assert (await record_of(store, record.id)).status == "retired"
        assert (await store.records(BOB)).total == 1

    @pytest.mark.parametrize("decided_at", ["at none", "one before", "one ahead", "far ahead"])
    async def test_changes_decided_at_another_revision_are_refused_whole(self, store: Store, decided_at: str) -> None:
        (record,) = await learn(store, "works at Acme")
        earlier = await revision(store)
        await rewrite(store, record.id, "works at Beta")
        now = await revision(store)
        before, history, jobs = await record_of(store, record.id), await store.changes(ALICE), await store.jobs()
        new = Add(item=make_record("x"), cause=make_cause(), indexing=indexing_of("x"))
        block = Add(item=Block(label="persona"), cause=make_cause())
        retiring = Retire(target=record.id, cause=make_cause())
        with pytest.raises(StaleRevision):
            await store.apply(
                ALICE,
                [retiring, new, block],
                jobs=[NewJob(kind="learn")],
                revision={"at none": 0, "one before": earlier, "one ahead": now + 1, "far ahead": now + 10**9}[decided_at],
                progress=Progress(session="s", name="rules", seq=1),
            )
        assert (await record_of(store, record.id), await store.changes(ALICE), await store.jobs()) == (before, history, jobs)
        assert (await store.progress(ALICE, "s"), await store.blocks(ALICE), await revision(store)) == ({}, (), now)

    async def test_of_twenty_who_decide_on_one_key_at_once_one_adds_and_the_others_reinforce(self, store: Store) -> None:
        async def decide(number: int) -> None:
            record = make_record("Works at Acme", said_at=FAR_AHEAD, sources=(Source(message=f"m{number}"),), **WORK)
            while True:
                known = await store.keyed(ALICE, record_keys(record))
                await anyio.lowlevel.checkpoint()
                change: Change = Add(item=record, cause=make_cause(), indexing=indexing_of(record.text))
                if known.records:
                    change = Reinforce(target=known.records[0].id, cause=make_cause(), sources=record.sources)
                try:
                    await store.apply(ALICE, [change], revision=known.revision)
                    return
                except StaleRevision:
                    continue

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(decide, number)
        (kept,) = (await store.records(ALICE)).items
        assert isinstance(kept, Record)
        assert (kept.evidence_count, {source.message for source in kept.sources}) == (20, {f"m{number}" for number in range(20)})

    # --- by source ---

    async def test_records_that_cite_a_message_come_oldest_first_and_once(self, store: Store) -> None:
        one, two, other = await say(store, "one", "two", "other")
        both = await learn(
            store, "both", sources=(Source(message=two.id, span=(0, 1)), Source(message=one.id), Source(message=one.id, span=(0, 2)))
        )
        retired, pending = await learn(store, "retired", "pending", sources=(Source(message=one.id),), status="pending")
        await retire(store, retired.id)
        await learn(store, "none")
        await learn(store, "elsewhere", sources=(Source(message=other.id),))
        assert ids(await store.citing(ALICE, [one.id, two.id])) == ids([*both, retired, pending])
        assert await store.citing(ALICE, [two.id, two.id, "nobody"]) == tuple(both)
        assert await store.citing(ALICE, []) == await store.citing(ALICE, ["nobody", "%", ""]) == ()

    async def test_citing_follows_the_sources_of_a_record(self, store: Store) -> None:
        old, new, last = await say(store, "old", "new", "last")
        (record,) = await learn(store, "tea", sources=(Source(message=old.id),))
        await store.apply(ALICE, [Reinforce(target=record.id, cause=make_cause(), sources=(Source(message=new.id),))])
        assert ids(await store.citing(ALICE, [new.id])) == [record.id]
        await store.apply(ALICE, [Edit(target=record.id, fields={"sources": (Source(message=last.id),)}, cause=make_cause())])
        assert ids(await store.citing(ALICE, [last.id])) == [record.id]
        assert await store.citing(ALICE, [old.id, new.id]) == ()
        await store.erase(ALICE, ids=[record.id])
        assert await store.citing(ALICE, [last.id]) == ()

    async def test_a_message_need_not_be_in_the_journal_to_be_cited(self, store: Store) -> None:
        (record,) = await learn(store, "tea", sources=(Source(message="from elsewhere"),))
        assert await store.citing(ALICE, ["from elsewhere"]) == (record,)
        assert await store.citing(BOB, ["from elsewhere"]) == ()
