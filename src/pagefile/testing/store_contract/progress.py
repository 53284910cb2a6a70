"""How far learning has come, kept with what was learnt; and what it cost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import anyio
import pytest

from pagefile.costs import Purpose, Spent
from pagefile.errors import NotFound
from pagefile.ports import NewJob, Progress, Store
from pagefile.records import Add, Change, Retire, Scope
from pagefile.testing.fakes import START, make_cause, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, ids, learn, retire, say

CHAT: Purpose = "chat"
LEARN: Purpose = "learn"
TODAY = START.date()


async def move(store: Store, seq: int, *, session: str = "s", name: str = "rules") -> None:
    await store.apply(ALICE, [], progress=Progress(session=session, name=name, seq=seq))


class ProgressContract(Contract):
    # --- progress ---

    async def test_each_reader_of_each_session_has_its_own_progress(self, store: Store) -> None:
        await move(store, 3)
        await move(store, 2, name="model")
        await move(store, 7, session="other")
        assert await store.progress(ALICE, "s") == {"rules": 3, "model": 2}
        assert await store.progress(ALICE, "other") == {"rules": 7}
        assert await store.progress(ALICE, "nothing") == await store.progress(BOB, "s") == {}

    async def test_progress_never_moves_back(self, store: Store) -> None:
        seen = []
        for seq in (5, 3, 5, 6, 0):
            await move(store, seq)
            seen.append((await store.progress(ALICE, "s"))["rules"])
        assert seen == [5, 5, 5, 6, 6]

    async def test_progress_is_kept_together_with_the_changes(self, store: Store) -> None:
        record = make_record("tea")
        await store.apply(ALICE, [Add(item=record, cause=make_cause())], progress=Progress(session="s", name="rules", seq=1))
        bad: list[Change] = [Add(item=make_record("milk"), cause=make_cause()), Retire(target="nobody", cause=make_cause())]
        with pytest.raises(NotFound):
            await store.apply(ALICE, bad, progress=Progress(session="s", name="rules", seq=2))
        assert await store.progress(ALICE, "s") == {"rules": 1}
        assert ids((await store.records(ALICE)).items) == [record.id]

    async def test_progress_that_names_its_message_is_kept_while_that_stands_there(self, store: Store) -> None:
        _, two = await say(store, "one", "two")
        await retire(store, two.id)
        await store.apply(ALICE, [], progress=Progress(session="s", name="rules", seq=2, message=two.id))
        assert await store.progress(ALICE, "s") == {"rules": 2}

    @pytest.mark.parametrize("gone", ["message", "session", "scope", "session begun anew", "scope begun anew"])
    async def test_what_was_read_in_a_message_that_was_erased_meanwhile_is_not_written(self, store: Store, gone: str) -> None:
        _, two = await say(store, "one", "two")
        what: dict[str, Any] = {"message": {"ids": [two.id]}, "session": {"session": "s"}, "scope": {}}
        await store.erase(ALICE, **what[gone.split()[0]])
        if "anew" in gone:
            await say(store, "three", "four")
        add = Add(item=make_record("tea"), cause=make_cause())
        progress = Progress(session="s", name="rules", seq=two.seq, message=two.id)
        before = await store.jobs(), await store.scopes()
        with pytest.raises(NotFound):
            await store.apply(ALICE, [add], jobs=[NewJob(kind="learn")], progress=progress)
        assert (await store.jobs(), await store.scopes()) == before
        assert (await store.progress(ALICE, "s"), (await store.records(ALICE)).total) == ({}, 0)

    @pytest.mark.parametrize(
        "wrong", [{"seq": 2}, {"session": "other"}, {"session": "nothing"}, {"message": "nobody"}, {"message": "record"}], ids=str
    )
    async def test_a_message_stands_at_one_place_alone(self, store: Store, wrong: dict[str, Any]) -> None:
        one, _ = await say(store, "one", "two")
        await say(store, "three", session="other")
        await learn(store, "tea", id="record", session="s")
        await say(store, "his", scope=BOB, id="his")
        for fields in (wrong, {"message": "his"}):
            named = replace(Progress(session="s", name="rules", seq=1, message=one.id), **fields)
            with pytest.raises(NotFound):
                await store.apply(ALICE, [], progress=named)
        assert await store.progress(ALICE, "s") == await store.progress(ALICE, "other") == {}

    async def test_progress_goes_with_its_session_and_stays_while_something_of_it_stays(self, store: Store) -> None:
        one, two = await say(store, "one", "two")
        await say(store, "three", session="other")
        await move(store, 2)
        await move(store, 1, session="other")
        await store.erase(ALICE, ids=[one.id])
        assert await store.progress(ALICE, "s") == {"rules": 2}
        # Its numbers begin at 1 again: an old progress would hide what is said then.
        await store.erase(ALICE, ids=[two.id])
        assert await store.progress(ALICE, "s") == {}
        await store.erase(ALICE, session="other")
        assert await store.progress(ALICE, "other") == {}

    async def test_progress_goes_with_its_scope(self, store: Store) -> None:
        await say(store, "one")
        await move(store, 1)
        await store.erase(ALICE)
        await say(store, "two")
        assert await store.progress(ALICE, "s") == {}

    # --- what was spent ---

    async def test_what_is_spent_adds_up_by_scope_and_day(self, store: Store) -> None:
        assert await store.spend(ALICE, TODAY) == Spent()
        assert await store.spend(ALICE, TODAY, Spent(calls=1, input_tokens=800, cached_tokens=500, output_tokens=100)) == Spent(
            calls=1, input_tokens=800, cached_tokens=500, output_tokens=100
        )
        assert await store.spend(ALICE, TODAY, Spent(calls=2, cached_tokens=1)) == Spent(
            calls=3, input_tokens=800, cached_tokens=501, output_tokens=100
        )
        assert await store.spend(ALICE, TODAY + timedelta(days=1), Spent(output_tokens=5)) == Spent(output_tokens=5)
        assert await store.spend(BOB, TODAY, Spent(calls=1)) == Spent(calls=1)
        assert (await store.spend(ALICE, TODAY)).tokens == 900

    async def test_what_a_chat_costs_is_told_from_what_learning_costs(self, store: Store) -> None:
        await store.spend(ALICE, TODAY, Spent(calls=1), purpose="learn")
        assert await store.spend(ALICE, TODAY, Spent(calls=5, input_tokens=7), purpose="chat") == Spent(calls=5, input_tokens=7)
        assert await store.spend(ALICE, TODAY) == await store.spend(ALICE, TODAY, purpose="learn") == Spent(calls=1)
        assert await store.spend(ALICE, TODAY, purpose="chat") == Spent(calls=5, input_tokens=7)

    async def test_costs_are_listed_by_day_scope_and_purpose(self, store: Store) -> None:
        tomorrow = TODAY + timedelta(days=1)
        for scope, day, purpose, calls in [
            (BOB, tomorrow, CHAT, 1),
            (BOB, TODAY, LEARN, 2),
            (ALICE, TODAY, LEARN, 3),
            (BOB, TODAY, CHAT, 4),
        ]:
            await store.spend(scope, day, Spent(calls=calls), purpose=purpose)
        listed = [(one.day, one.scope, one.purpose, one.spent.calls) for one in await store.costs()]
        assert listed == [(TODAY, BOB, "chat", 4), (TODAY, BOB, "learn", 2), (TODAY, ALICE, "learn", 3), (tomorrow, BOB, "chat", 1)]
        assert [one.spent.calls for one in await store.costs(ALICE)] == [3]
        assert [one.spent.calls for one in await store.costs(since=tomorrow)] == [1]
        assert [one.spent.calls for one in await store.costs(BOB, until=TODAY)] == [4, 2]
        assert await store.costs(Scope("default", "nobody")) == await store.costs(since=tomorrow, until=TODAY) == ()

    async def test_looking_at_what_was_spent_makes_no_scope(self, store: Store) -> None:
        await store.spend(ALICE, TODAY)
        assert (await store.scopes()).total == 0

    async def test_what_many_spend_at_once_is_all_counted(self, store: Store) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(store.spend, ALICE, TODAY, Spent(calls=1, input_tokens=10))
        assert await store.spend(ALICE, TODAY) == Spent(calls=20, input_tokens=200)

    async def test_what_was_spent_goes_with_its_scope(self, store: Store) -> None:
        await store.spend(ALICE, TODAY, Spent(calls=1))
        await store.spend(ALICE, TODAY, Spent(calls=1), purpose="chat")
        await store.erase(ALICE)
        assert await store.spend(ALICE, TODAY) == Spent()
        assert await store.costs() == ()
