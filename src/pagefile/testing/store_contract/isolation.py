"""Scopes: whatever an id looks like, nothing of one scope is read or changed from another."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import pytest

from pagefile.costs import Spent
from pagefile.errors import InputError, NotFound
from pagefile.language.keys import text_key
from pagefile.ports import NewJob, NewVector, Operation, Progress, Store
from pagefile.queries import Where
from pagefile.records import Add, Block, Change, Edit, Merge, Reinforce, Restore, Retire, Scope, Source, Split, Supersede, TaskState
from pagefile.testing.fakes import START, hash_of, indexing_of, make_cause, make_record, make_vector
from pagefile.testing.store_contract.base import (
    ALICE,
    BOB,
    EMBEDDER,
    EVERY_STATUS,
    Contract,
    all_pages,
    embed,
    ids,
    learn,
    meaning,
    record_of,
    retire,
    say,
    words,
)

LOOKALIKES = [
    (Scope("acme", "john-doe"), Scope("acme", "john_doe")),
    (Scope("acme", "alice"), Scope("acme-corp", "alice")),
    (Scope("acme", "alice"), Scope("acme", "alice2")),
    (Scope("acme", "%"), Scope("acme", "alice")),
    (Scope("acme", "_lice"), Scope("acme", "alice")),
    (Scope("acme", "x') OR 1=1 --"), Scope("acme", "x")),
    (Scope("acme", '"quoted"'), Scope("acme", "'quoted'")),
    (Scope("acme", "Alice"), Scope("acme", "alice")),
    (Scope("a", "b/c"), Scope("a/b", "c")),
    (Scope("a", "b:c"), Scope("a:b", "c")),
    (Scope("acme", "🙂"), Scope("acme", "🙃")),
    (Scope("acme", "张三"), Scope("acme", "张")),
    (Scope("acme", "x" * 255 + "1"), Scope("acme", "x" * 255 + "2")),
    (Scope("acme", "1"), Scope("acme", "01")),
    (Scope("acme", "*"), Scope("acme", "**")),
    (Scope("acme", "null"), Scope("acme", "None")),
]


async def fill(store: Store, scope: Scope, mark: str) -> list[str]:
    """Something of everything, each with the mark in it; returns the ids of the items."""
    said = await say(store, f"tea {mark}", f"hidden {mark}", scope=scope, external_id=None, agent="cook", speaker="Al")
    sources = (Source(message=said[0].id),)
    learnt = await learn(
        store, f"likes tea {mark}", f"old {mark}", scope=scope, tags=("drink",), entities=("Lyon",), session="s", sources=sources
    )
    block = Add(item=Block(label="persona", text=mark), cause=make_cause(mark))
    job, progress = NewJob(kind="learn", payload={"mark": mark, "session": "s"}), Progress(session="s", name="rules", seq=1)
    merge = Merge(target=f"city {mark}", into="Lyon", cause=make_cause(mark))
    await store.apply(scope, [block, merge], jobs=[job], progress=progress)
    await retire(store, said[1].id, learnt[1].id, scope=scope)
    await store.set_window(scope, "s", window_start=1, summary=mark)
    await embed(store, {said[0].id: (1.0,), learnt[0].id: (0.6, 0.8)}, scope)
    await store.put_task(scope, TaskState(key="k", value=mark, updated_at=START))
    await store.log(scope, Operation(kind="add", parameters={"text": mark}, result={}, at=START, session="s", items=(said[0].id,)))
    await store.spend(scope, START.date(), Spent(calls=1, input_tokens=len(mark)))
    return [*ids(said), *ids(learnt)]


async def read_everything(store: Store, scope: Scope, known_ids: list[str]) -> dict[str, Any]:
    """What every read of the store gives for a scope; empty if it has nothing."""
    everything = Where(statuses=EVERY_STATUS)
    reads: dict[str, Any] = {
        "messages": (await store.messages(scope, "s", where=everything)).items,
        "all messages": (await store.messages(scope, None, where=everything, newest_first=True)).items,
        "window": await store.window(scope, "s"),
        "session": await store.session(scope, "s"),
        "sessions": (await store.sessions(scope)).items,
        "items": [item for item in await store.get(scope, known_ids) if item is not None],
        "records": (await store.records(scope, where=everything)).items,
        "history": [entry for id in (*known_ids, "block:persona") for entry in await store.history(scope, id)],
        "blocks": await store.blocks(scope),
        "words": (await store.search(scope, words("tea hidden old", neighbours=2, where=everything))).items,
        "vectors": (await store.search(scope, meaning(1.0, neighbours=2, where=everything))).items,
        "unembedded": (await store.unembedded(EMBEDDER, scope=scope)).items,
        "jobs": (await store.jobs(scope=scope)).items,
        "task": await store.task(scope, "k", now=START),
        "tasks": await store.tasks(scope, now=START),
        "operations": (await store.operations(scope)).items,
        "keyed": (await store.keyed(scope, [text_key(item.text) for item in await store.get(scope, known_ids) if item])).records,
        "citing": await store.citing(scope, known_ids),
        "named": await store.named(scope),
        "naming": await store.naming(scope, ["lyon"]),
        "aliases": await store.aliases(scope),
        "progress": await store.progress(scope, "s"),
        "changes": (await store.changes(scope)).items,
        "spent": await store.spend(scope, START.date()) != Spent(),
        "costs": await store.costs(scope),
        "scopes": [each for each in await all_pages(store.scopes, limit=100) if each == scope],
    }
    counts = await store.stats(scope)
    reads["counts"] = counts.messages + counts.records + counts.blocks + counts.sessions + sum(counts.vectors.values())
    return {name: value for name, value in reads.items() if value}


class IsolationContract(Contract):
    @pytest.mark.parametrize(("one", "other"), LOOKALIKES, ids=lambda scope: f"{scope.tenant[:9]}/{scope.user[-9:]}")
    async def test_no_read_shows_anything_of_a_scope_that_looks_alike(self, store: Store, one: Scope, other: Scope) -> None:
        known = await fill(store, one, "of the one")
        assert await read_everything(store, other, known) == {}
        mine = await read_everything(store, one, known)
        assert len(mine) == 27
        known += await fill(store, other, "of the other")
        assert await read_everything(store, one, known) == mine
        assert "of the one" not in repr(await read_everything(store, other, known))

    async def test_the_same_id_in_two_scopes_is_two_items(self, store: Store) -> None:
        (mine,) = await learn(store, "mine")
        (his,) = await learn(store, "his", scope=BOB, id=mine.id)
        assert (await record_of(store, mine.id), await record_of(store, mine.id, BOB)) == (mine, his)

    async def test_nothing_of_another_scope_can_be_changed_by_its_id(self, store: Store) -> None:
        known = await fill(store, BOB, "bobs")
        before = await read_everything(store, BOB, known)
        record, message = known[2], known[0]
        changes: list[Change] = [
            Retire(target=record, cause=make_cause()),
            Retire(target=message, cause=make_cause()),
            Restore(target=known[1], cause=make_cause()),
            Reinforce(target=record, cause=make_cause()),
            Edit(target=record, fields={"text": "x"}, cause=make_cause(), indexing=indexing_of("x")),
            Edit(target="persona", fields={"text": "x"}, cause=make_cause()),
            Supersede(target=record, item=make_record("x"), cause=make_cause()),
            Split(target="city bobs", cause=make_cause()),
        ]
        for change in changes:
            with pytest.raises(NotFound):
                await store.apply(ALICE, [change])
        with pytest.raises(InputError):
            await store.set_window(ALICE, "s", window_start=2, summary="x")
        await store.mark_used(ALICE, [record], at=START)
        vector = NewVector(id=record, hash=hash_of("likes tea bobs"), vector=make_vector(-1.0))
        assert await store.put_vectors(ALICE, EMBEDDER, [vector]) == 0
        assert not await store.drop_task(ALICE, "k")
        await store.erase(ALICE, ids=known)
        await store.erase(ALICE, session="s")
        await store.erase(ALICE)
        assert await read_everything(store, BOB, known) == before

    async def test_many_scopes_written_at_once_stay_apart(self, store: Store) -> None:
        scopes = [Scope("acme", f"user{number}") for number in range(10)]

        async def live(scope: Scope) -> None:
            for turn in range(3):
                await say(store, f"tea {scope.user} {turn}", scope=scope)
                await learn(store, f"fact {scope.user} {turn}", scope=scope)

        async with anyio.create_task_group() as group:
            for scope in scopes:
                group.start_soon(live, scope)
        for scope in scopes:
            texts = [item.text for item in (await store.messages(scope, "s")).items]
            assert texts == [f"tea {scope.user} {turn}" for turn in range(3)]
            assert {record.text for record in (await store.records(scope)).items} == {f"fact {scope.user} {turn}" for turn in range(3)}
            assert len((await store.search(scope, words("tea"))).items) == 3

    async def test_scopes_are_listed_once_each_page_by_page(self, store: Store) -> None:
        scopes = [*(Scope("acme", f"user{number}") for number in range(5)), Scope("other", "user0")]
        for scope in (*scopes, *scopes):
            await say(store, "hello", scope=scope)
        listed = await all_pages(partial(store.scopes), limit=2)
        assert (len(listed), set(listed)) == (6, set(scopes))
        assert (await store.scopes(limit=2)).total == 6
        page = await store.scopes(limit=2, tenant="acme")
        assert (page.items, page.total) == (tuple(scopes[:2]), 5)
        assert (await store.scopes(after=page.cursor, tenant="acme")).items == tuple(scopes[2:5])
        assert (await store.scopes(tenant="acm_")).total == 0

    async def test_reading_makes_no_scope(self, store: Store) -> None:
        await read_everything(store, ALICE, ["nobody"])
        await store.erase(ALICE)
        assert (await store.scopes()).items == ()
