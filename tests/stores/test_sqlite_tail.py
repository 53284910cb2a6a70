"""The newest items of a scope, whose terms are not in the postings yet: a search cannot tell them from the others."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_help import ALICE, CAUSE, START, draft, indexing, occurrences, words
from test_contract import FAST

from pagefile.errors import ConflictError
from pagefile.ports import Store
from pagefile.queries import Candidates
from pagefile.records import Add, Edit, Record, Retire
from pagefile.stores.memory import MemoryStore
from pagefile.stores.sqlite import SqliteStore
from pagefile.stores.sqlite.postings import Tail, _terms_of_row, terms_row
from pagefile.testing.store_contract.sequences import SequencesContract, assert_alike

FOLD_FROM = 4


class TestAnyWritesWithATailOfThree(SequencesContract):
    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        with tempfile.TemporaryDirectory(dir=FAST) as folder:
            store = await SqliteStore.open(Path(folder) / "memory.db", fold_from=3)
            yield store
            await store.close()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", fold_from=FOLD_FROM)
    yield store
    await store.close()


def ids(found: Candidates) -> list[str]:
    return sorted(candidate.id for candidate in found.items)


def tail_and_postings(path: Path) -> tuple[int, int]:
    """How many items of the only scope are in the tail, and how many pairs of term and item in the postings."""
    connection = sqlite3.connect(path)
    try:
        (tail,) = connection.execute("SELECT max(last_item, (SELECT max(item) FROM items)) - folded FROM scopes").fetchone()
        (pairs,) = connection.execute("SELECT ifnull(sum(length(packed)), 0) / 4 FROM postings").fetchone()
    finally:
        connection.close()
    return tail, pairs


def fact(id: str, text: str) -> Add:
    return Add(item=Record(id=id, kind="fact", text=text, learned_at=START), cause=CAUSE, indexing=indexing(text))


def edit(id: str, text: str) -> Edit:
    return Edit(target=id, fields={"text": text}, cause=CAUSE, indexing=indexing(text))


async def test_the_terms_of_new_items_wait_until_there_are_enough(tmp_path: Path, store: SqliteStore) -> None:
    seen = []
    for _ in range(5):
        await store.append(ALICE, "s", [draft("red tea")])
        seen.append(tail_and_postings(tmp_path / "memory.db"))
    assert seen == [(1, 0), (2, 0), (3, 0), (0, 8), (1, 8)]
    await store.append(ALICE, "s", [draft("green tea") for _ in range(10)])
    assert tail_and_postings(tmp_path / "memory.db") == (0, 30)


async def test_scores_are_the_same_before_and_after_a_fold(store: SqliteStore) -> None:
    reference = MemoryStore()
    probe = replace(words("tea milk 茶 nothing"), neighbours=1)
    for number in range(3 * FOLD_FROM):
        text = ["tea tea tea", "milk", "", "茶 milk milk", "tea cup cup"][number % 5]
        said, learnt = draft(text), fact(f"r{number}", f"{text} cup")
        for each in (store, reference):
            await each.append(ALICE, f"s{number % 2}", [said])
            if number % 3 == 0:
                await each.apply(ALICE, [learnt])
        assert_alike(await store.search(ALICE, probe), await reference.search(ALICE, probe))
    await reference.close()


@pytest.mark.parametrize("others", [0, FOLD_FROM], ids=["in the tail", "in the postings"])
async def test_an_edited_text_is_found_by_its_new_terms_alone(store: SqliteStore, others: int) -> None:
    await store.apply(ALICE, [fact("r", "tea tea milk")])
    for _ in range(others):
        await store.append(ALICE, "s", [draft("coffee")])
    # So many terms that the tail has an index.
    assert ids(await store.search(ALICE, words(" ".join(f"word{number}" for number in range(100)) + " tea"))) == ["r"]
    await store.apply(ALICE, [edit("r", "milk cup")])
    assert ids(await store.search(ALICE, words("tea"))) == []
    assert ids(await store.search(ALICE, words("milk"))) == ids(await store.search(ALICE, words("cup"))) == ["r"]
    await store.apply(ALICE, [edit("r", "")])
    assert ids(await store.search(ALICE, words("milk"))) == []
    await store.apply(ALICE, [edit("r", "tea")])
    assert ids(await store.search(ALICE, words("tea"))) == ["r"]
    assert (await store.erase(ALICE, ids=["r"])).postings == 1
    assert ids(await store.search(ALICE, words("tea"))) == []


async def test_an_erase_counts_what_was_in_the_tail_and_in_the_postings(tmp_path: Path, store: SqliteStore) -> None:
    drafts = [draft(f"zorka{number} tea tea") for number in range(FOLD_FROM + 2)]
    for each in drafts:
        await store.append(ALICE, "s", [each])
    receipt = await store.erase(ALICE, ids=[drafts[0].id, drafts[-1].id])
    assert (receipt.messages, receipt.postings) == (2, 4)
    assert ids(await store.search(ALICE, words("tea"))) == [each.id for each in drafts[1:-1]]
    assert tail_and_postings(tmp_path / "memory.db") == (2, 6)
    assert (await store.erase(ALICE)).postings == 8
    assert occurrences(tmp_path / "memory.db", "zorka") == 0


async def test_a_cache_sees_that_another_store_folded(tmp_path: Path, store: SqliteStore) -> None:
    patient = await SqliteStore.open(tmp_path / "memory.db", fold_from=1_000)
    drafts = [draft(f"tea word{number}") for number in range(12)]
    for number, each in enumerate(drafts):
        # Seven wait, the eighth is written by the store that folds, the rest wait again.
        await (store if number == 7 else patient).append(ALICE, "s", [each])
        for reader in (patient, store):
            assert ids(await reader.search(ALICE, words("tea"))) == [one.id for one in drafts[: number + 1]]
    assert tail_and_postings(tmp_path / "memory.db") == (4, 16)
    await store.apply(ALICE, [Retire(target=drafts[-1].id, cause=CAUSE)])
    await patient.erase(ALICE, ids=[drafts[0].id])
    for reader in (patient, store):
        assert ids(await reader.search(ALICE, words("tea"))) == [one.id for one in drafts[1:-1]]
    await patient.close()


async def test_a_refused_write_folds_nothing(tmp_path: Path, store: SqliteStore) -> None:
    drafts = [draft("tea") for _ in range(FOLD_FROM - 1)]
    await store.append(ALICE, "s", drafts)
    with pytest.raises(ConflictError, match="already"):
        await store.append(ALICE, "s", [draft("tea"), draft("tea", id=drafts[0].id)])
    with pytest.raises(ConflictError, match="already"):
        await store.apply(ALICE, [fact("r", "tea"), fact("r", "tea")])
    assert tail_and_postings(tmp_path / "memory.db") == (FOLD_FROM - 1, 0)
    assert ids(await store.search(ALICE, words("tea"))) == [each.id for each in drafts]


# --- the form of the rows -----------------------------------------------------------------------------------------------

terms = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
term_counts = st.dictionaries(terms, st.integers(1, 40), min_size=1, max_size=6)


@given(term_counts)
def test_a_row_of_terms_keeps_every_count(counts: dict[str, int]) -> None:
    assert _terms_of_row(terms_row(counts) or b"") == counts


@given(st.lists(term_counts, max_size=5), terms)
def test_a_tail_finds_the_same_item_by_item_as_by_its_index(items: list[dict[str, int]], term: str) -> None:
    folded = 1_021  # so that the tail reaches over the end of a chunk
    found = []
    for indexed in (False, True):
        tail = Tail(folded)
        for _ in range(100 if indexed else 0):
            tail.rows("")
        tail.put({folded + 1 + place: terms_row(counts) or b"" for place, counts in enumerate(items)})
        entries = [packed[start : start + 4] for _, packed in tail.rows(term) for start in range(0, len(packed), 4)]
        found.append([(int.from_bytes(each, "little") >> 16, int.from_bytes(each, "little") & 0xFFFF) for each in entries])
    first = folded + 1 - (((folded + 1) >> 10) << 10)
    assert found[0] == found[1] == [(first + place, counts[term]) for place, counts in enumerate(items) if term in counts]
