"""Vectors: kept per embedder and text, searched exactly, refused when they cannot be compared."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from pagefile.errors import InputError, InvalidVector
from pagefile.ports import NewVector, Store
from pagefile.queries import Probe
from pagefile.records import Indexing
from pagefile.testing.fakes import hash_of, make_vector
from pagefile.testing.store_contract.base import (
    ALICE,
    BOB,
    EMBEDDER,
    Contract,
    all_pages,
    by_id,
    embed,
    ids,
    learn,
    meaning,
    near,
    rewrite,
    say,
    words,
)


def vector_for(text: str, id: str, numbers: list[float]) -> NewVector:
    return NewVector(id=id, hash=hash_of(text), vector=np.asarray(numbers, dtype=np.float32))


class VectorsContract(Contract):
    # --- search ---

    async def test_cosines_are_exact_for_messages_and_records(self, store: Store) -> None:
        (message,) = await say(store, "said")
        (record,) = await learn(store, "learnt")
        assert await embed(store, {message.id: (3.0, 4.0), record.id: (-1.0,)}) == 2
        assert await near(store, 1.0) == {message.id: pytest.approx(0.6, abs=1e-3), record.id: pytest.approx(-1.0, abs=1e-3)}

    async def test_the_length_of_a_vector_does_not_matter(self, store: Store) -> None:
        (message,) = await say(store, "said")
        await store.put_vectors(ALICE, EMBEDDER, [vector_for("said", message.id, [30.0, 40.0, 0.0, 0.0])])
        probe = Probe(vector=[5.0, 0.0, 0.0, 0.0], embedder=EMBEDDER)
        assert by_id(await store.search(ALICE, probe))[message.id].signals.cosine == pytest.approx(0.6, abs=1e-3)

    async def test_words_and_vectors_are_searched_in_one_look(self, store: Store) -> None:
        by_words, by_both, by_vector, neither = await say(store, "tea", "tea and cake", "a hot drink", "a bicycle")
        await embed(store, {by_both.id: (1.0, 0.1), by_vector.id: (1.0,), neither.id: (0.0, 1.0)})
        probe = Probe(terms={"tea": 1.0}, vector=make_vector(1.0).tolist(), embedder=EMBEDDER, limit=2, neighbours=0)
        candidates = by_id(await store.search(ALICE, probe))
        assert set(candidates) == {by_words.id, by_both.id, by_vector.id}
        assert (candidates[by_words.id].signals.cosine, candidates[by_vector.id].signals.words) == (None, 0.0)
        both = candidates[by_both.id].signals
        assert both.words > 0
        assert both.cosine is not None
        assert both.cosine > 0.9

    async def test_the_nearest_are_found_and_no_more_than_the_limit(self, store: Store) -> None:
        messages = await say(store, *(f"text {number}" for number in range(30)))
        await embed(store, {message.id: (1.0, number / 10) for number, message in enumerate(messages)})
        assert set(by_id(await store.search(ALICE, meaning(1.0, limit=4)))) == {message.id for message in messages[:4]}

    async def test_neighbours_of_what_a_vector_finds_have_signals_of_their_own(self, store: Store) -> None:
        one, two, three = await say(store, "a", "b", "c")
        await embed(store, {one.id: (0.0, 1.0), two.id: (1.0,)})
        candidates = by_id(await store.search(ALICE, meaning(1.0, limit=1, neighbours=1)))
        assert set(candidates) == {one.id, two.id, three.id}
        assert candidates[two.id].before == candidates[one.id].signals
        assert candidates[two.id].after == candidates[three.id].signals
        assert candidates[three.id].signals.cosine is None

    async def test_the_newest_vector_of_a_text_counts(self, store: Store) -> None:
        (message,) = await say(store, "said")
        await embed(store, {message.id: (1.0,)})
        assert await near(store, 1.0) == {message.id: pytest.approx(1.0, abs=1e-3)}
        await embed(store, {message.id: (0.0, 1.0)})
        assert await near(store, 1.0) == {message.id: pytest.approx(0.0, abs=1e-3)}
        assert (await store.stats(ALICE)).vectors == {EMBEDDER: 1}

    # --- embedders ---

    async def test_vectors_of_two_embedders_are_never_mixed(self, store: Store) -> None:
        one, two = await say(store, "one", "two")
        await embed(store, {one.id: (1.0,)}, embedder="model-a")
        await embed(store, {two.id: (1.0,)}, embedder="model-b")
        assert set(await near(store, 1.0, embedder="model-a")) == {one.id}
        assert set(await near(store, 1.0, embedder="model-b")) == {two.id}
        assert await near(store, 1.0, embedder="model-%") == {}
        candidates = await store.search(ALICE, meaning(1.0, embedder="model-a"))
        assert (candidates.cosines.count, candidates.without_vector) == (1, 1)

    async def test_an_item_may_have_a_vector_of_each_embedder_in_its_own_dimension(self, store: Store) -> None:
        (message,) = await say(store, "said")
        await embed(store, {message.id: (1.0,)}, embedder="model-a")
        await store.put_vectors(ALICE, "model-b", [vector_for("said", message.id, [0.0, 1.0])])
        assert await near(store, 1.0, embedder="model-a") == {message.id: pytest.approx(1.0, abs=1e-3)}
        probe = Probe(vector=[0.0, 1.0], embedder="model-b")
        assert by_id(await store.search(ALICE, probe))[message.id].signals.cosine == pytest.approx(1.0, abs=1e-3)

    async def test_dropping_vectors_keeps_those_of_one_embedder(self, store: Store) -> None:
        (mine,) = await say(store, "one")
        (his,) = await say(store, "one", scope=BOB)
        for embedder in ("model-a", "model-b", "model-c"):
            await embed(store, {mine.id: (1.0,)}, embedder=embedder)
        await embed(store, {his.id: (1.0,)}, scope=BOB, embedder="model-b")
        assert await store.drop_vectors("model-a") == 3
        assert (await store.stats()).vectors == {"model-a": 1}
        assert await near(store, 1.0, embedder="model-b") == {}
        assert set(await near(store, 1.0, embedder="model-a")) == {mine.id}

    async def test_an_embedder_whose_vectors_were_dropped_may_come_back_in_another_dimension(self, store: Store) -> None:
        (message,) = await say(store, "said")
        await embed(store, {message.id: (1.0,)}, embedder="model-b")
        await store.drop_vectors("model-a")
        assert await store.put_vectors(ALICE, "model-b", [vector_for("said", message.id, [0.0, 1.0])]) == 1

    # --- what is refused, and what is passed over ---

    @pytest.mark.parametrize(
        "numbers",
        [[0.0] * 4, [1.0, float("nan"), 0.0, 0.0], [float("inf"), 0.0, 0.0, 0.0], [1.0] * 3, [1.0] * 5, []],
        ids=["zero", "nan", "infinite", "short", "long", "empty"],
    )
    async def test_a_bad_vector_is_refused_and_nothing_of_the_call_is_kept(self, store: Store, numbers: list[float]) -> None:
        first, good, bad = await say(store, "first", "good", "bad")
        await embed(store, {first.id: (1.0,)})
        with pytest.raises(InvalidVector, match=bad.id):
            await store.put_vectors(
                ALICE, EMBEDDER, [vector_for("good", good.id, [1.0, 0.0, 0.0, 0.0]), vector_for("bad", bad.id, numbers)]
            )
        assert set(await near(store, 1.0)) == {first.id}
        assert set(by_id(await store.search(ALICE, words("good bad")))) == {good.id, bad.id}

    async def test_vectors_of_two_sizes_in_one_first_call_are_refused(self, store: Store) -> None:
        one, two = await say(store, "one", "two")
        with pytest.raises(InvalidVector):
            await store.put_vectors(ALICE, EMBEDDER, [vector_for("one", one.id, [1.0, 0.0]), vector_for("two", two.id, [1.0, 0.0, 0.0])])
        assert (await store.stats()).vectors == {}

    @pytest.mark.parametrize("numbers", [[0.0] * 4, [float("nan")] * 4, [1.0] * 3], ids=["zero", "nan", "short"])
    async def test_a_bad_query_vector_is_refused(self, store: Store, numbers: list[float]) -> None:
        (message,) = await say(store, "said")
        await embed(store, {message.id: (1.0,)})
        with pytest.raises(InvalidVector):
            await store.search(ALICE, Probe(vector=numbers, embedder=EMBEDDER))

    async def test_a_query_vector_without_its_embedder_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.search(ALICE, Probe(vector=[1.0, 0.0]))

    async def test_vectors_for_items_that_are_gone_changed_or_not_to_be_embedded_are_passed_over(self, store: Store) -> None:
        (kept,) = await say(store, "kept")
        (silent,) = await say(store, "silent", indexing=Indexing(terms={"silent": 1}))
        (gone,) = await say(store, "gone")
        (changed,) = await learn(store, "changed")
        await store.erase(ALICE, ids=[gone.id])
        await rewrite(store, changed.id, "other")
        late = [vector_for(text, item.id, [1.0, 0.0]) for text, item in (("kept", kept), ("gone", gone), ("changed", changed))]
        never = [vector_for("nobody", "nobody", [1.0, 0.0]), NewVector(id=silent.id, hash="", vector=make_vector(1.0, dimension=2))]
        assert await store.put_vectors(ALICE, EMBEDDER, [*late, *never]) == 1
        candidates = await store.search(ALICE, Probe(vector=[1.0, 0.0], embedder=EMBEDDER))
        assert {each.id for each in candidates.items if each.signals.cosine is not None} == {kept.id}

    # --- what still needs a vector ---

    async def test_items_without_a_vector_are_listed_with_the_hash_it_must_carry(self, store: Store) -> None:
        (message,) = await say(store, "said")
        (record,) = await learn(store, "learnt", scope=BOB)
        await say(store, "not to be embedded", indexing=Indexing(terms={"x": 1}))
        listed = (await store.unembedded(EMBEDDER)).items
        assert [(each.scope, each.item, each.hash) for each in listed] == [
            (ALICE, message, hash_of("said")),
            (BOB, record, hash_of("learnt")),
        ]
        assert [each.item for each in (await store.unembedded(EMBEDDER, scope=BOB)).items] == [record]

    async def test_what_a_search_cannot_find_by_meaning_is_what_waits_for_a_vector(self, store: Store) -> None:
        one, _, _ = await say(store, "one", "two", "three")
        await say(store, "not to be embedded", indexing=Indexing(terms={"x": 1}))
        await embed(store, {one.id: (1.0,)})
        assert (await store.search(ALICE, meaning(1.0))).without_vector == 2
        assert (await store.unembedded(EMBEDDER, scope=ALICE)).total == 2

    async def test_paging_through_them_while_embedding_reaches_everything(self, store: Store) -> None:
        messages = await say(store, *(f"text {number}" for number in range(7)))
        records = await learn(store, *(f"fact {number}" for number in range(4)), scope=BOB)
        listed = await all_pages(partial(store.unembedded, EMBEDDER))
        assert [each.item.id for each in listed] == [*ids(messages), *ids(records)]
        cursor = None
        while True:
            page = await store.unembedded(EMBEDDER, after=cursor, limit=3)
            for each in page.items:
                vector = NewVector(id=each.item.id, hash=each.hash, vector=make_vector(1.0))
                assert await store.put_vectors(each.scope, EMBEDDER, [vector]) == 1
            if (cursor := page.cursor) is None:
                break
        assert (await store.unembedded(EMBEDDER)).total == 0
        assert (await store.stats()).vectors == {EMBEDDER: 11}
