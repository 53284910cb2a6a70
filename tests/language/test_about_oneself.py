"""Questions about all that is known of who asks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pagefile.language.about_oneself import asks_for_all
from pagefile.memory import AsyncMemory
from pagefile.queries import Where
from pagefile.records import Add, Scope
from pagefile.retrieval.overview import all_known
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import START, make_cause, make_record, numbered_id


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about me?", "Tell me about myself.", "who am I?", "What do you remember?", "Tell me everything you know about me",
        "Do you still remember me?", "what have you saved about me so far", "Hi, what do you know about me?",
        "你知道我什么？", "你还记得我吗？", "我是谁？", "关于我你知道些什么？",
        "你对我了解多少？", "你都记住了我的哪些事？",
    ],
)  # fmt: skip
def test_who_asks_for_all_that_is_known_is_understood(question: str) -> None:
    assert asks_for_all(question)


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about Rome?",
        "Do you remember my dog's name?",
        "Tell me about the meeting.",
        "你知道上海吗？",
        "你还记得我的狗叫什么吗？",
        "我是谁的老板？",
        "",
    ],
)
def test_what_is_asked_of_something_else_is_no_such_question(question: str) -> None:
    assert not asks_for_all(question)


@pytest.mark.parametrize("question", ["What do you know about me?", "你知道我什么？"])
async def test_all_that_holds_is_found_and_told_and_nothing_of_others(question: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        for text in ("I live in Rome.", "I'm allergic to peanuts.", "我的狗叫小白。"):
            await alice.add(text, session="before")
        await alice.add("I moved to Oslo.", session="before")
        await bob.add("I live in Kyoto.")
        await memory.flush()
        found = [hit.text for hit in await alice.search(question)]
        told = await alice.chat(session="now").turn(question)
        for words in ("peanuts", "小白", "Oslo"):
            assert any(words in text for text in found) and words in told
        assert "Rome." not in told and "Kyoto" not in told
        assert [hit.kind for hit in await memory.scope("carol").search(question)] == []


async def test_the_newest_of_very_many_facts_is_told_first() -> None:
    store = MemoryStore()
    old = START - timedelta(days=900)
    records = [make_record(f"fact {number}", learned_at=old, id=numbered_id(number)) for number in range(1_200)]
    newest = make_record("住在奥斯陆", learned_at=START, id=numbered_id(1_200))
    scope = Scope("default", "alice")
    await store.apply(scope, [Add(item=each, cause=make_cause()) for each in (*records, newest)])
    assert (await all_known(store, scope, Where(), 3))[0] == newest
