"""Through the public search: whom a fact is about, told apart by relation, by name and by merged names."""

from __future__ import annotations

import pytest

from pagefile import AsyncMemory, AsyncScopedMemory


async def found(scope: AsyncScopedMemory, question: str) -> set[str]:
    return {hit.text for hit in await scope.search(question)}


@pytest.mark.parametrize(
    ("facts", "question", "answer"),
    [
        (("My mother-in-law lives in Kiel", "My mother lives in Ulm"), "Where does my mother live?", 1),
        (("My stepfather lives in Kiel", "My father lives in Ulm"), "Where does my father live?", 1),
        (("My ex-wife lives in Kiel", "My wife lives in Ulm"), "Where does my ex-wife live?", 0),
        (("我前妻住在大连", "我老婆住在青岛"), "我老婆住在哪里？", 1),
        (("我后妈喜欢打麻将", "我妈喜欢跳舞"), "我妈喜欢什么？", 1),
        (("我婆婆住在大连", "我住在青岛"), "我住在哪里？", 1),
        (("My lawyer's birthday is May 3", "My birthday is June 5"), "When is my birthday?", 1),
        (("My podiatrist's birthday is May 3", "My birthday is June 5"), "When is my birthday?", 1),
        (("我月嫂住在大连", "我住在青岛"), "我住在哪里？", 1),
        (("Zoe's job is baker", "My job is welding"), "What is Zoe\u2019s job?", 0),
        (("José's job is baker", "My job is welding"), "What is José\u2019s job?", 0),
        (("O'Brien's job is baker", "My job is welding"), "What is O\u2019Brien's job?", 0),
        (("McKay's job is baker", "My job is welding"), "What is McKay's job?", 0),
    ],
)
async def test_a_fact_is_about_whom_it_names_and_nobody_near(facts: tuple[str, ...], question: str, answer: int) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        scope = memory.scope("alice")
        for fact in facts:
            await scope.remember(fact)
        assert await found(scope, question) == {facts[answer]}


@pytest.mark.parametrize(
    ("facts", "question"),
    [
        (("My dentist appointment is on May 3",), "When is my next appointment?"),
        (("My car is red",), "What colour is my car?"),
        (("My company is called Globex",), "What is my company called?"),
        (("我家住在青岛",), "我住在哪里？"),
    ],
)
async def test_what_is_mine_and_no_person_still_belongs_to_me(facts: tuple[str, ...], question: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        scope = memory.scope("alice")
        for fact in facts:
            await scope.remember(fact)
        assert await found(scope, question) == set(facts)


@pytest.mark.parametrize(
    ("facts", "names", "question"),
    [
        (
            ("Ned lives in Turin", "Edward lives in Graz", "Cora lives in Kiel", "Dora lives in Bern"),
            ("Ned", "Edward"),
            "Where does Ned live?",
        ),
        (("小明住在大连", "李明住在青岛", "小红住在成都"), ("小明", "李明"), "小明住在哪里？"),
    ],
)
async def test_merged_names_are_one_person_and_strangers_stay_out(facts: tuple[str, ...], names: tuple[str, str], question: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        scope = memory.scope("alice")
        for fact in facts:
            await scope.remember(fact)
        assert await found(scope, question) == {facts[0]}
        await scope.merge_entities(*names)
        assert await found(scope, question) == set(facts[:2])


@pytest.mark.parametrize(
    ("facts", "nickname", "question"),
    [
        (("My favourite food is ramen", "My sister's favourite food is sushi"), "Benny", "What is my favourite food?"),
        (("我住在青岛", "我姐姐住在大连"), "小贝", "我住在哪里？"),
    ],
)
async def test_a_nickname_of_mine_leaves_others_out_as_before(facts: tuple[str, ...], nickname: str, question: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        scope = memory.scope("alice")
        for fact in facts:
            await scope.remember(fact)
        await scope.merge_entities(nickname, "user")
        assert await found(scope, question) == {facts[0]}
