"""What a search in the SQLite store keeps in memory, and that it is never behind the file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlite_help import ALICE, BOB, CAUSE, START, draft, indexing, near, new_vector, random_units, words

from pagefile.errors import InvalidVector
from pagefile.ports import Store
from pagefile.queries import Candidates, Probe, Where
from pagefile.records import Add, Edit, Record, Retire
from pagefile.stores.memory import MemoryStore
from pagefile.stores.sqlite import SqliteStore
from pagefile.stores.sqlite import columns as columns_module


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db")
    yield store
    await store.close()


@pytest.fixture
async def other(tmp_path: Path, store: SqliteStore) -> AsyncIterator[SqliteStore]:
    """A second store on the same file, as another process would have it."""
    other = await SqliteStore.open(tmp_path / "memory.db")
    yield other
    await other.close()


def ids(found: Candidates) -> set[str]:
    return {candidate.id for candidate in found.items}


def cosines(found: Candidates) -> dict[str, float | None]:
    return {candidate.id: candidate.signals.cosine for candidate in found.items}


async def test_a_cache_sees_what_another_store_appended(store: SqliteStore, other: SqliteStore) -> None:
    await store.append(ALICE, "s", [draft("red tea")])
    assert len(ids(await store.search(ALICE, words("tea")))) == 1
    for number in range(3):
        await other.append(ALICE, f"s{number}", [draft("green tea"), draft("coffee")])
        assert len(ids(await store.search(ALICE, words("tea")))) == number + 2


async def test_a_cache_sees_vectors_that_another_store_put_changed_and_dropped(store: SqliteStore, other: SqliteStore) -> None:
    drafts = [draft(f"text {number}") for number in range(5)]
    vectors = random_units(5, 8)
    await store.append(ALICE, "s", drafts)
    await store.put_vectors(ALICE, "e", [new_vector(drafts[0], vectors[0])])
    assert ids(await store.search(ALICE, near(vectors[0]))) == {drafts[0].id}
    await other.put_vectors(ALICE, "e", [new_vector(each, vector) for each, vector in zip(drafts, vectors, strict=True)])
    assert len(ids(await store.search(ALICE, near(vectors[0])))) == 5
    await other.put_vectors(ALICE, "e", [new_vector(drafts[1], -vectors[1])])
    assert cosines(await store.search(ALICE, near(vectors[1])))[drafts[1].id] == pytest.approx(-1.0)
    await other.drop_vectors("another")
    found = await store.search(ALICE, near(vectors[0]))
    assert not found.items
    assert found.without_vector == 5


async def test_a_cache_sees_that_another_store_edited_retired_and_erased(store: SqliteStore, other: SqliteStore) -> None:
    record = Record(id="r", kind="fact", text="works at Acme", learned_at=START)
    await store.apply(ALICE, [Add(item=record, cause=CAUSE, indexing=indexing("works Acme"))])
    said = draft("Acme is large")
    await store.append(ALICE, "s", [said])
    assert ids(await store.search(ALICE, words("Acme"))) == {"r", said.id}
    await other.apply(ALICE, [Edit(target="r", fields={"text": "works at Beta"}, cause=CAUSE, indexing=indexing("works Beta"))])
    assert ids(await store.search(ALICE, words("Acme"))) == {said.id}
    assert ids(await store.search(ALICE, words("Beta"))) == {"r"}
    await other.apply(ALICE, [Retire(target=said.id, cause=CAUSE)])
    assert ids(await store.search(ALICE, words("Acme"))) == set()
    await other.erase(ALICE, ids=["r"])
    assert ids(await store.search(ALICE, words("Beta"))) == set()
    await other.erase(ALICE)
    await other.append(ALICE, "s", [draft("Acme again")])
    assert len(ids(await store.search(ALICE, words("Acme")))) == 1


async def test_an_edit_takes_the_vector_of_the_old_text_away(store: SqliteStore) -> None:
    record = Record(id="r", kind="fact", text="old", learned_at=START)
    await store.apply(ALICE, [Add(item=record, cause=CAUSE, indexing=indexing("old"))])
    source = replace(draft("old", id="r"))
    await store.put_vectors(ALICE, "e", [new_vector(source, [1.0, 0.0])])
    assert ids(await store.search(ALICE, near([1.0, 0.0]))) == {"r"}
    await store.apply(ALICE, [Edit(target="r", fields={"text": "new"}, cause=CAUSE, indexing=indexing("new"))])
    assert ids(await store.search(ALICE, near([1.0, 0.0]))) == set()
    # Looked at in between, and changed in other ways too.
    await store.apply(ALICE, [Edit(target="r", fields={"importance": 0.9}, cause=CAUSE)])
    assert ids(await store.search(ALICE, near([1.0, 0.0]))) == set()
    assert await store.put_vectors(ALICE, "e", [new_vector(source, [1.0, 0.0])]) == 0
    assert await store.put_vectors(ALICE, "e", [new_vector(draft("new", id="r"), [0.0, 1.0])]) == 1
    assert cosines(await store.search(ALICE, near([0.0, 1.0]))) == {"r": pytest.approx(1.0)}


async def test_one_new_vector_does_not_load_the_others_again(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts, vectors = [draft(f"text {number}") for number in range(50)], random_units(51, 8)
    await store.append(ALICE, "s", drafts)
    await store.put_vectors(ALICE, "e", [new_vector(each, vector) for each, vector in zip(drafts, vectors, strict=False)])
    await store.search(ALICE, near(vectors[0]))
    read: list[int] = []
    original = columns_module.fetch

    def counting(connection, sql, parameters):  # type: ignore[no-untyped-def]
        rows = original(connection, sql, parameters)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(columns_module, "fetch", counting)
    late = draft("late")
    await store.append(ALICE, "s", [late])
    await store.put_vectors(ALICE, "e", [new_vector(late, vectors[50])])
    assert late.id in ids(await store.search(ALICE, near(vectors[50])))
    assert read
    assert max(read) <= 2


async def test_a_new_embedder_is_never_taken_for_one_that_was_dropped(store: SqliteStore) -> None:
    said = draft("tea")
    await store.append(ALICE, "s", [said])
    await store.append(BOB, "s", [replace(said, id="b")])
    await store.put_vectors(BOB, "e", [new_vector(replace(said, id="b"), [1.0, 0.0])])
    assert not (await store.search(ALICE, near([1.0, 0.0]))).items  # Alice's cache knows the embedder, and no vector
    await store.drop_vectors("f")
    await store.put_vectors(ALICE, "f", [new_vector(said, [0.0, 1.0, 0.0])])
    probe = Probe(vector=[0.0, 1.0, 0.0], embedder="f", neighbours=0)
    assert cosines(await store.search(ALICE, probe)) == {said.id: pytest.approx(1.0)}


async def test_a_search_that_is_refused_leaves_the_cache_alone(store: SqliteStore) -> None:
    said = draft("tea")
    await store.append(ALICE, "s", [said])
    await store.put_vectors(ALICE, "e", [new_vector(said, [1.0, 0.0])])
    await store.search(ALICE, near([1.0, 0.0]))
    held = store._cache.bytes
    with pytest.raises(InvalidVector):
        await store.search(ALICE, near([1.0, 0.0, 0.0]))
    assert store._cache.bytes == held
    assert cosines(await store.search(ALICE, near([1.0, 0.0]))) == {said.id: pytest.approx(1.0)}


async def test_a_cache_too_small_for_anything_still_finds_everything(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "small.db", cache_bytes=1)
    for scope in (ALICE, BOB):
        await store.append(scope, "s", [draft("tea")])
    for _ in range(3):
        for scope in (ALICE, BOB):
            assert len(ids(await store.search(scope, words("tea")))) == 1
    await store.close()


async def filled(store: Store, drafts: list, vectors: np.ndarray) -> Store:  # type: ignore[type-arg]
    for number in range(0, len(drafts), 10):
        await store.append(ALICE, f"s{number % 40}", drafts[number : number + 10])
    await store.put_vectors(ALICE, "e", [new_vector(each, vector) for each, vector in zip(drafts, vectors, strict=True)])
    return store


@pytest.mark.parametrize("where", [Where(), Where(sessions=("s10",)), Where(not_in_window=("s20", 5))], ids=["all", "session", "window"])
async def test_the_compact_index_gives_the_store_the_same_candidates(tmp_path: Path, where: Where) -> None:
    random = np.random.default_rng(8)
    drafts = [draft(" ".join(random.choice(["tea", "milk", "cup", "red", "茶"], 4))) for _ in range(300)]
    vectors = random_units(300, 16)
    stores = [await SqliteStore.open(tmp_path / "memory.db", compact_from=100), MemoryStore()]
    probe = Probe(terms={"tea": 1.0, "茶": 2.0}, vector=vectors[7].tolist(), embedder="e", where=where, limit=20, neighbours=1)
    compact, exact = [await (await filled(store, drafts, vectors)).search(ALICE, probe) for store in stores]
    assert ids(compact) == ids(exact)
    assert cosines(compact) == pytest.approx(cosines(exact), abs=0.005)
    assert compact.cosines.mean == pytest.approx(exact.cosines.mean, abs=0.005)
    assert compact.cosines.deviation == pytest.approx(exact.cosines.deviation, rel=0.05)
    assert compact.cosines.count == exact.cosines.count
    for each in stores:
        await each.close()


async def test_a_scope_that_spans_many_rows_of_postings_is_found_whole(store: SqliteStore) -> None:
    await store.append(ALICE, "s", [draft("tea" if number % 2 else "milk") for number in range(2_500)])
    found = await store.search(ALICE, replace(words("tea"), limit=5_000))
    assert len(found.items) == 1_250
    await store.erase(ALICE, ids=[candidate.id for candidate in found.items[:1_000]])
    assert len((await store.search(ALICE, replace(words("tea"), limit=5_000))).items) == 250
    assert len((await store.search(ALICE, replace(words("milk"), limit=5_000))).items) == 1_250
