"""Who and what records name, and which names stand for the same."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pagefile.entities import Alias, Within
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.ports import Store
from pagefile.queries import Probe
from pagefile.records import Edit, HistoryEntry, Merge, Retire, Scope, Split
from pagefile.testing.fakes import START, make_cause
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, ids, learn, rewrite, say


async def keys(store: Store, scope: Scope = ALICE) -> list[str]:
    return [each.key for each in await store.named(scope)]


async def merge(store: Store, name: str, into: str, scope: Scope = ALICE) -> tuple[HistoryEntry, ...]:
    return await store.apply(scope, [Merge(target=name, into=into, cause=make_cause())])


async def split(store: Store, name: str, scope: Scope = ALICE) -> tuple[HistoryEntry, ...]:
    return await store.apply(scope, [Split(target=name, cause=make_cause())])


class NamesContract(Contract):
    async def test_records_are_found_by_whom_they_name(self, store: Store) -> None:
        anna, tom, both = await learn(store, "Anna lives in Lyon", "Tom's boss is 王强", "王强认识小李")
        assert await keys(store) == ["anna", "lyon", "tom", "小李", "王强"]
        assert ids(await store.naming(ALICE, ["anna"])) == [anna.id]
        assert ids(await store.naming(ALICE, ["王强"])) == [tom.id, both.id]
        assert ids(await store.naming(ALICE, ["王强", "tom", "lyon"])) == [anna.id, tom.id, both.id]
        assert ids(await store.naming(ALICE, ["王强", "anna"], limit=2)) == [tom.id, both.id]
        assert await store.naming(ALICE, []) == await store.naming(ALICE, ["nobody", "%", ""]) == ()

    async def test_records_that_name_something_are_asked_for_by_what_holds_and_when(self, store: Store) -> None:
        day = timedelta(days=1)
        (late,) = await learn(store, "Anna is late", valid_from=START + 9 * day)
        (early,) = await learn(store, "Anna is early", valid_from=START, valid_to=START + day, status="superseded")
        (brief,) = await learn(store, "Anna is brief", valid_from=START + 5 * day, expires_at=START + 6 * day)
        for within, found in (
            (Within(), [early, brief, late]),
            (Within(statuses=("current",)), [brief, late]),
            (Within(statuses=("superseded",)), [early]),
            (Within(as_of=START), [early]),
            (Within(as_of=START + day), []),
            (Within(as_of=START + 5 * day), [brief]),
            (Within(alive_at=START + 6 * day), [early, late]),
            (Within(since=START + 5 * day, until=START + 9 * day), [brief]),
        ):
            assert ids(await store.naming(ALICE, ["anna"], within=within)) == ids(found)
            assert ids(await store.naming(ALICE, ["anna"], within=within, limit=1)) == ids(found)[-1:]

    async def test_a_name_tells_how_often_and_when_it_was_named(self, store: Store) -> None:
        times = [START + timedelta(days=day) for day in (3, 1, 2)]
        for time, name in zip(times, ("Anna", "ANNA", "Ánna"), strict=True):
            await learn(store, f"on day {time.day}", subject=name, attribute="x", value="1", valid_from=time)
        (anna,) = await store.named(ALICE, ["anna", "nobody"])
        assert (anna.name, anna.records, anna.first, anna.last) == ("Ánna", 3, times[1], times[0])

    async def test_the_index_follows_what_a_record_says(self, store: Store) -> None:
        (record,) = await learn(store, "Anna lives in Lyon")
        await rewrite(store, record.id, "Anna lives in Paris")
        assert await keys(store) == ["anna", "paris"]
        await store.apply(ALICE, [Edit(target=record.id, fields={"entities": ("Bob",)}, cause=make_cause())])
        assert await keys(store) == ["anna", "bob", "paris"]
        await store.apply(ALICE, [Edit(target=record.id, fields={"importance": 0.9}, cause=make_cause())])
        assert await keys(store) == ["anna", "bob", "paris"]

    async def test_the_index_can_be_made_anew(self, store: Store) -> None:
        await learn(store, "Anna lives in Lyon", "王强认识小李")
        before = await store.named(ALICE)
        assert (await store.name_anew(ALICE), await store.name_anew(BOB)) == (2, 0)
        assert await store.named(ALICE) == before
        assert len(await store.naming(ALICE, ["小李"])) == 1
        assert (await store.stats()).scopes == 1

    async def test_the_index_of_very_many_records_is_made_anew(self, store: Store) -> None:
        await learn(store, *(f"Anna met Bob{number}" for number in range(310)))
        before = await store.named(ALICE)
        assert await store.name_anew(ALICE) == 310
        assert await store.named(ALICE) == before

    async def test_what_was_replaced_is_named_and_what_waits_or_was_forgotten_is_not(self, store: Store) -> None:
        await learn(store, "Anna is here", status="superseded")
        await learn(store, "Bob is here", status="pending")
        (gone,) = await learn(store, "Carl is here")
        await store.apply(ALICE, [Retire(target=gone.id, cause=make_cause())])
        assert await keys(store) == ["anna"]
        assert await store.naming(ALICE, ["bob", "carl"]) == ()

    async def test_a_merge_is_kept_with_its_reason_and_split_exactly(self, store: Store) -> None:
        (made,) = await merge(store, "Bob", "Robert Smith")
        assert (made.target, made.change, made.before, made.after) == (
            "entity:bob", "merge", {}, {"name": "Bob", "into": "Robert Smith"},
        )  # fmt: skip
        assert (made.cause.actor, made.cause.reason) == ("user:alice", "test")
        alias = Alias(key="bob", name="Bob", into="robert smith", into_name="Robert Smith")
        assert await store.aliases(ALICE) == (alias,)
        assert (await store.search(ALICE, Probe(terms={"anna": 1.0}))).merged == {"bob", "robert smith"}
        await merge(store, "老王", "王建国")
        (undone,) = await split(store, "BOB")
        assert (undone.change, undone.before, undone.after) == ("split", made.after, {})
        assert [each.name for each in await store.aliases(ALICE)] == ["老王"]
        assert await store.history(ALICE, "entity:bob") == (made, undone)

    async def test_a_split_says_from_what_if_it_must_be_that(self, store: Store) -> None:
        await merge(store, "Ulli", "Nina")
        with pytest.raises(ConflictError):
            await store.apply(ALICE, [Split(target="Ulli", into="Ulrika", cause=make_cause())])
        assert len(await store.aliases(ALICE)) == 1
        await store.apply(ALICE, [Split(target="Ulli", into="NINA", cause=make_cause())])
        assert await store.aliases(ALICE) == ()

    async def test_names_are_merged_in_chains_but_never_in_a_circle(self, store: Store) -> None:
        await merge(store, "a", "b")
        await merge(store, "b", "c")
        for name, into in (("c", "a"), ("c", "b"), ("c", "C"), ("a", "d")):
            with pytest.raises(ConflictError):
                await merge(store, name, into)
        with pytest.raises(NotFound):
            await split(store, "c")
        for name, into in (("...", "a"), ("z", "。"), ("me", "z"), ("", "a"), ("z", "x" * 300)):
            with pytest.raises(InputError):
                await merge(store, name, into)
        assert [(each.key, each.into) for each in await store.aliases(ALICE)] == [("a", "b"), ("b", "c")]

    async def test_of_changes_that_cannot_all_be_made_none_is(self, store: Store) -> None:
        with pytest.raises(ConflictError):
            await store.apply(ALICE, [Merge(target=name, into=into, cause=make_cause()) for name, into in (("a", "b"), ("b", "a"))])
        assert await store.aliases(ALICE) == ()
        assert (await store.changes(ALICE)).total == 0

    async def test_names_of_another_scope_are_not_there(self, store: Store) -> None:
        await learn(store, "Anna lives in Lyon")
        await merge(store, "Ann", "Anna")
        assert (await store.named(BOB), await store.aliases(BOB), await store.naming(BOB, ["anna"])) == ((), (), ())
        assert (await store.search(BOB, Probe(terms={"anna": 1.0}))).merged == frozenset()
        with pytest.raises(NotFound):
            await split(store, "Ann", BOB)
        await learn(store, "Anna lives in Rome", scope=BOB)
        await store.erase(BOB)
        assert (len(await store.named(ALICE)), len(await store.aliases(ALICE))) == (2, 1)

    async def test_with_the_last_record_that_names_them_aliases_are_erased(self, store: Store) -> None:
        first, last = await learn(store, "Quetzal lives in Lyon", "Quetzal moved")
        await merge(store, "Quetzy", "Quetzal")
        await merge(store, "Leo", "Leonard")
        await split(store, "Leo")
        await merge(store, "Old Quetzal", "Nobody")
        await split(store, "Old Quetzal")
        await store.erase(ALICE, ids=[first.id])
        assert [each.key for each in await store.aliases(ALICE)] == ["quetzy"]
        receipt = await store.erase(ALICE, ids=[last.id])
        assert receipt.history == 2
        assert (await store.aliases(ALICE), await store.named(ALICE)) == ((), ())
        assert await store.history(ALICE, "entity:quetzy") == ()
        assert len(await store.history(ALICE, "entity:leo")) == 2
        assert [entry.target for entry in (await store.changes(ALICE)).items] == ["entity:old quetzal"] * 2 + ["entity:leo"] * 2

    async def test_a_name_that_a_record_had_once_goes_with_it(self, store: Store) -> None:
        (record,) = await learn(store, "王小娟住在成都")
        await merge(store, "王小娟", "阿娟")
        await rewrite(store, record.id, "she lives there")
        await store.erase(ALICE, ids=[record.id])
        assert (await store.aliases(ALICE), (await store.changes(ALICE)).items) == ((), ())

    async def test_an_alias_goes_with_the_message_that_alone_has_its_name(self, store: Store) -> None:
        (message,) = await say(store, "我今天见到了老王")
        await merge(store, "老王", "王建国")
        await merge(store, "Bob", "Robert")
        await store.erase(ALICE, ids=[message.id])
        assert [each.key for each in await store.aliases(ALICE)] == ["bob"]

    async def test_an_alias_of_a_name_that_others_still_have_stays(self, store: Store) -> None:
        record, other = await learn(store, "Anna lives in Lyon", "Anna sings")
        await merge(store, "Ann", "Anna")
        await store.erase(ALICE, ids=[record.id])
        assert len(await store.aliases(ALICE)) == 1
        assert ids(await store.naming(ALICE, ["anna"])) == [other.id]

    async def test_everything_of_a_scope_takes_the_names_along(self, store: Store) -> None:
        await learn(store, "Anna lives in Lyon")
        await merge(store, "Ann", "Anna")
        await store.erase(ALICE)
        assert (await store.named(ALICE), await store.aliases(ALICE), (await store.changes(ALICE)).items) == ((), (), ())
        await merge(store, "Ann", "Hannah")
        assert [each.into for each in await store.aliases(ALICE)] == ["hannah"]

    async def test_a_merge_makes_no_decision_on_records_stale(self, store: Store) -> None:
        await learn(store, "Anna lives in Lyon")
        before = await store.keyed(ALICE, [])
        await merge(store, "Ann", "Anna")
        assert await store.keyed(ALICE, []) == before
