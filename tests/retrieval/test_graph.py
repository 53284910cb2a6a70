"""The walk over names: from what a question names to what takes a second fact."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.memory import AsyncMemory
from pagefile.queries import Where
from pagefile.retrieval.graph import graph_hits, lifted, linked
from pagefile.scoped import AsyncScopedMemory
from pagefile.stores.memory import MemoryStore

pytestmark = pytest.mark.anyio

CHAIN = {"a": ["tom", "anna"], "b": ["anna", "siemens"], "c": ["siemens", "munich"], "far": ["otto", "ghent"]}


def test_what_is_nearer_weighs_more_and_what_hangs_together_with_nothing_is_left_out() -> None:
    near = linked(CHAIN, {"tom": 1.0})
    assert list(sorted(near, key=lambda id: -near[id])) == ["a", "b", "c"]
    assert near["a"] == 1.0
    assert linked(CHAIN, {"nobody": 1.0}) == linked(CHAIN, {}) == linked({}, {"tom": 1.0}) == {}


def test_a_walk_begins_at_records_too() -> None:
    near = linked(CHAIN, {}, {"b": 2.0, "unknown": 9.0})
    assert max(near, key=lambda id: near[id]) == "b"
    assert near["a"] == pytest.approx(near["c"])
    both = linked(CHAIN, {"tom": 1.0}, {"c": 1.0})
    assert both["b"] > linked(CHAIN, {"tom": 1.0})["c"]


def test_what_many_records_name_leads_on_less_than_what_few_do() -> None:
    crowd = {f"x{number}": ["berlin"] for number in range(20)}
    near = linked({"start": ["tom", "anna", "berlin"], "few": ["anna"], **crowd}, {"tom": 1.0})
    assert near["few"] > 4 * near["x0"]


@given(st.dictionaries(st.text("abc", min_size=1), st.lists(st.sampled_from("KLMN"), max_size=4), max_size=8), st.sampled_from("KLMNX"))
def test_nearness_is_a_share_and_the_nearest_is_one(named: dict[str, list[str]], key: str) -> None:
    near = linked(named, {key: 1.0})
    assert set(near) <= set(named)
    assert all(0 < weight <= 1 for weight in near.values())
    assert not near or max(near.values()) == 1.0


# --- in a memory ----------------------------------------------------------------------------------------------------------

FACTS = (
    "Tom's sister is Anna", "Anna works at Siemens", "Beth works at Philips", "Cody works at Bosch",
    "小李的老板是王强", "王强住在深圳", "程浩住在广州", "袁芳住在武汉",
)  # fmt: skip


@pytest.fixture
async def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
async def mine(store: MemoryStore) -> AsyncIterator[AsyncScopedMemory]:
    async with await AsyncMemory.open(store=store, embedder="none", learn="off") as memory:
        mine = memory.scope("alice")
        for fact in FACTS:
            await mine.remember(fact)
        yield mine


async def reached(store: MemoryStore, mine: AsyncScopedMemory, question: str, **where: object) -> list[str]:
    """The texts a walk reaches, the nearest first."""
    near = await graph_hits(store, mine.scope, question, {}, where=Where(**where))  # type: ignore[arg-type]  # given by name
    items = await store.get(mine.scope, sorted(near, key=lambda id: -near[id]))
    return [item.text for item in items if item is not None]


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("Where does the sister of Tom work?", ["Tom's sister is Anna", "Anna works at Siemens"]),
        ("小李的老板住在哪里？", ["小李的老板是王强", "王强住在深圳"]),
        ("What is the weather like?", []),
        ("今天天气怎么样？", []),
    ],
)
async def test_a_question_reaches_the_second_fact_and_nobody_elses(
    store: MemoryStore, mine: AsyncScopedMemory, question: str, facts: list[str]
) -> None:
    assert await reached(store, mine, question) == facts


async def test_a_walk_goes_over_aliases_and_to_messages(store: MemoryStore, mine: AsyncScopedMemory) -> None:
    await mine.merge_entities("Annie", "Anna")
    await mine.add(["Annie moved to Ghent.", "Joannie did not."])
    found = await reached(store, mine, "Where does the sister of Tom live?")
    assert "Annie moved to Ghent." in found
    assert "Joannie did not." not in found


async def test_nothing_that_does_not_pass_the_filters_is_reached(store: MemoryStore, mine: AsyncScopedMemory) -> None:
    assert await reached(store, mine, "Where does the sister of Tom work?", kinds=("message",)) == []
    assert await reached(store, mine, "Where does the sister of Tom work?", tags=("none",)) == []
    await mine.forget(query="Anna works at Siemens")
    assert await reached(store, mine, "Where does the sister of Tom work?") == ["Tom's sister is Anna"]


async def test_of_the_user_a_walk_begins_at_what_was_found(store: MemoryStore, mine: AsyncScopedMemory) -> None:
    record = await mine.remember("My brother is Otto")
    await mine.remember("Otto works at Lidl")
    other = await mine.remember("My street is quiet")
    near = await graph_hits(store, mine.scope, "Where does my brother work?", {other.id: 0.9, record.id: 0.8})
    items = await store.get(mine.scope, sorted(near, key=lambda id: -near[id]))
    assert [item.text for item in items if item is not None] == ["My brother is Otto", "Otto works at Lidl"]
    assert await graph_hits(store, mine.scope, "Where does my brother work?", {}) == {}


@pytest.mark.parametrize(
    ("question", "leads"),
    [
        ("Where does Anna work?", False),
        ("Where does Anna's boss work?", True),
        ("What does the firm make that Anna works for?", True),
        ("Who is the boss of Anna?", True),
        ("王强住在哪里？", False),
        ("王强的老板住在哪里？", True),
        ("王强最喜欢的餐厅在哪里？", True),
    ],
)
async def test_a_walk_goes_on_only_where_somebody_else_is_asked_for(
    store: MemoryStore, mine: AsyncScopedMemory, question: str, leads: bool
) -> None:
    for fact in (
        "Anna's boss works for a firm called Brightloom",
        "王强的老板最喜欢的餐厅叫川香园",
        "Brightloom is in Leeds",
        "川香园在城南",
    ):
        await mine.remember(fact)
    assert bool(await reached(store, mine, question)) is leads


def test_a_ranking_is_lifted_by_no_more_than_a_share_of_its_best() -> None:
    scores = np.array([0.6, 0.3, 0.2, 0.0])
    assert lifted(scores, ["a", "b", "c", "d"], {"c": 1.0, "d": 0.5}, 0.5).tolist() == pytest.approx([0.6, 0.3, 0.5, 0.15])
    assert lifted(np.zeros(2), ["a", "b"], {"a": 1.0}).tolist() == [0.0, 0.0]
    assert lifted(np.array([1.0, 0.9]), ["a", "b"], {"b": 1.0}).tolist() == [1.0, 1.0]
    assert lifted(np.zeros(0), [], {}).tolist() == []
