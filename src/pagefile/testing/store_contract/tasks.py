"""Task state and the operations log; counts; closing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from functools import partial
from typing import Any

import pytest

from pagefile.errors import InputError, StoreError
from pagefile.ports import Operation, Store
from pagefile.records import Add, Block, Scope, TaskState
from pagefile.testing.fakes import START, make_cause
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, all_pages, embed, learn, say


def operation(kind: str, **parameters: Any) -> Operation:
    return Operation(kind=kind, parameters=parameters, result={"ok": True}, at=START)


class TasksContract(Contract):
    # --- task state ---

    @pytest.mark.parametrize("value", [None, 0, -1.5, "文字", True, [], {"step": {"done": [1, None, "二"]}}], ids=str)
    async def test_any_json_value_is_kept(self, store: Store, value: Any) -> None:
        state = TaskState(key="booking", value=value, step=3, updated_at=START, expires_at=START + timedelta(days=1))
        await store.put_task(ALICE, state)
        assert await store.task(ALICE, "booking", now=START) == state

    async def test_a_value_that_is_no_json_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.put_task(ALICE, TaskState(key="k", value={1, 2}, updated_at=START))
        assert await store.task(ALICE, "k", now=START) is None

    async def test_the_last_state_written_counts(self, store: Store) -> None:
        for step in range(3):
            await store.put_task(ALICE, TaskState(key="k", value=step, step=step, updated_at=START))
        state = await store.task(ALICE, "k", now=START)
        assert state is not None
        assert (state.value, state.step) == (2, 2)

    async def test_an_expired_state_is_gone(self, store: Store) -> None:
        await store.put_task(ALICE, TaskState(key="k", value=1, updated_at=START, expires_at=START + timedelta(hours=1)))
        assert await store.task(ALICE, "k", now=START + timedelta(minutes=59)) is not None
        assert await store.task(ALICE, "k", now=START + timedelta(hours=1)) is None

    async def test_dropping_a_state_says_whether_it_was_there(self, store: Store) -> None:
        await store.put_task(ALICE, TaskState(key="k", value=1, updated_at=START))
        assert await store.drop_task(ALICE, "k")
        assert not await store.drop_task(ALICE, "k")
        assert await store.task(ALICE, "k", now=START) is None

    async def test_states_are_listed_by_key_and_by_how_the_key_begins(self, store: Store) -> None:
        for key in ("trip/2", "trip/1", "旅行/1", "trip", "Trip/3", "50%_x"):
            await store.put_task(ALICE, TaskState(key=key, value=[key], updated_at=START))
        await store.put_task(ALICE, TaskState(key="trip/0", value=0, updated_at=START, expires_at=START))
        await store.put_task(BOB, TaskState(key="trip/9", value=0, updated_at=START))
        states = await store.tasks(ALICE, now=START)
        assert [state.key for state in states] == ["50%_x", "Trip/3", "trip", "trip/1", "trip/2", "旅行/1"]
        assert [state.value for state in await store.tasks(ALICE, now=START, prefix="trip/")] == [["trip/1"], ["trip/2"]]
        assert [state.key for state in await store.tasks(ALICE, now=START, prefix="旅")] == ["旅行/1"]
        assert await store.tasks(ALICE, now=START, prefix="%") == await store.tasks(ALICE, now=START, prefix="t_ip") == ()

    # --- the operations log ---

    async def test_operations_are_listed_newest_first_while_new_ones_come(self, store: Store) -> None:
        await say(store, "a")
        for number in range(5):
            await store.log(ALICE, operation("search", query=f"茶 {number}", limits=[1, 2]))
        first = await store.operations(ALICE, limit=2)
        await store.log(ALICE, operation("add"))
        rest = await store.operations(ALICE, limit=10, after=first.cursor)
        expected = [operation("search", query=f"茶 {number}", limits=[1, 2]) for number in (4, 3, 2, 1, 0)]
        assert [*first.items, *rest.items] == expected
        assert (await store.operations(ALICE)).total == 6
        assert (await all_pages(partial(store.operations, ALICE)))[0] == operation("add")

    async def test_lines_that_are_given_together_stand_in_their_order(self, store: Store) -> None:
        await say(store, "a")
        await store.log(ALICE, *(operation("search", query=str(number)) for number in range(3)))
        await store.log(ALICE)
        assert [line.parameters["query"] for line in (await store.operations(ALICE)).items] == ["2", "1", "0"]

    async def test_old_lines_can_be_dropped_and_those_of_which_enough_newer_ones_are_there(self, store: Store) -> None:
        await say(store, "a")
        await say(store, "a", scope=BOB)
        elsewhere = timezone(timedelta(hours=8))
        for scope in (ALICE, BOB):
            times = [START + timedelta(hours=hours) for hours in range(6)]
            await store.log(
                scope, *(replace(operation("search", query=str(hours)), at=at.astimezone(elsewhere)) for hours, at in enumerate(times))
            )
        assert await store.prune_operations(ALICE, before=START + timedelta(hours=2), keep=10) == 2
        assert await store.prune_operations(ALICE, before=START, keep=3) == 1
        assert await store.prune_operations(ALICE, before=START, keep=3) == 0
        assert [line.parameters["query"] for line in (await store.operations(ALICE)).items] == ["5", "4", "3"]
        assert (await store.operations(BOB)).total == 6
        assert await store.prune_operations(Scope("default", "nobody"), before=START, keep=1) == 0
        with pytest.raises(InputError):
            await store.prune_operations(ALICE, before=START, keep=0)

    async def test_a_line_about_a_scope_that_is_not_there_is_not_written(self, store: Store) -> None:
        await store.log(ALICE, operation("search", query="Zanzibar"))
        await say(store, "a")
        await store.erase(ALICE)
        # Of a search that was begun before.
        await store.log(ALICE, operation("search", query="Sansibar"))
        assert (await store.scopes()).total == 0
        await say(store, "b")
        assert (await store.operations(ALICE)).total == 0
        assert await store.occurrences(["Zanzibar", "Sansibar"]) == (0, 0)

    # --- counts ---

    async def test_counts_are_of_the_scope_asked_or_of_everything(self, store: Store) -> None:
        messages = await say(store, "a", "b", session="one")
        await say(store, "c", session="two")
        await learn(store, "d")
        await store.apply(ALICE, [Add(item=Block(label="persona"), cause=make_cause())])
        await embed(store, {messages[0].id: (1.0,)})
        await say(store, "e", scope=BOB)
        mine, everything = await store.stats(ALICE), await store.stats()
        assert (mine.scopes, mine.sessions, mine.messages, mine.records, mine.blocks) == (1, 2, 3, 1, 1)
        assert (mine.vectors, mine.jobs) == ({"model-a": 1}, {"queued": 3})
        assert (everything.scopes, everything.sessions, everything.messages) == (2, 3, 4)
        assert everything.jobs == {"queued": 4}
        assert everything.bytes >= 0

    async def test_an_empty_store_counts_nothing(self, store: Store) -> None:
        counts = await store.stats()
        assert (counts.scopes, counts.sessions, counts.messages, counts.records, counts.blocks) == (0, 0, 0, 0, 0)
        assert (counts.vectors, counts.jobs) == ({}, {})
        assert (await store.stats(ALICE)).messages == 0

    # --- closing ---

    async def test_closing_twice_is_harmless_and_a_closed_store_refuses_work(self, store: Store) -> None:
        await say(store, "a")
        await store.close()
        await store.close()
        with pytest.raises(StoreError):
            await store.messages(ALICE, "s")
        with pytest.raises(StoreError):
            await say(store, "b")

    async def test_a_store_says_where_its_data_is(self, store: Store) -> None:
        assert store.location
