"""What was said since an answer and may have changed it stays beside the answer; what has nothing to do with it does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pagefile.memory import AsyncMemory

pytestmark = pytest.mark.anyio

DAY = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def found(said: tuple[str, ...], question: str) -> list[str]:
    async with await AsyncMemory.open(":memory:", embedder="none", now=lambda: DAY + timedelta(days=30)) as memory:
        alice = memory.scope("alice")
        for place, text in enumerate(said):
            message = {"role": "user", "content": text, "said_at": (DAY + timedelta(days=place)).isoformat()}
            await alice.add(message, session=f"day {place}")
        await memory.flush()
        return [hit.text for hit in (await alice.search(question)).hits]


@pytest.mark.parametrize(
    ("said", "question", "since"),
    [
        (("Karl works at Nordwind.", "Karl quit Nordwind."), "Where does Karl work?", "quit"),
        (("Karl works at Nordwind.", "Karl joined Südstern."), "Where does Karl work?", "Südstern"),
        (("I take 20mg of folic acid.", "My dose went up to 40mg of folic acid."), "How much folic acid do I take?", "40mg"),
        (("My bus leaves at 7:05.", "Correction: it leaves at 7:35."), "When does my bus leave?", "7:35"),
        (("老周在海星公司上班。", "老周离开海星公司了。"), "老周在哪上班？", "离开"),
        (("老周在海星公司上班。", "老周跳槽去了飞鱼。"), "老周在哪上班？", "飞鱼"),
        (("房租是两千六。", "房租改成三千一了。"), "房租是多少？", "三千一"),
        (("我最喜欢的季节是春天。", "我现在最喜欢的是冬天。"), "我最喜欢什么季节？", "冬天"),
    ],
)
async def test_what_was_said_since_stands_beside_the_answer(said: tuple[str, ...], question: str, since: str) -> None:
    assert any(since in text for text in await found(said, question))


@pytest.mark.parametrize(
    ("said", "question", "other"),
    [
        (("Karl works at Nordwind.", "Karl bought a canoe."), "Where does Karl work?", "canoe"),
        (("Karl works at Nordwind.", "Vera quit her choir."), "Where does Karl work?", "choir"),
        (("I take 20mg of folic acid.", "I never take the lift."), "How much folic acid do I take?", "lift"),
        (("老周在海星公司上班。", "老周没吃午饭。"), "老周在哪上班？", "午饭"),
        (("房租是两千六。", "我不喝牛奶。"), "房租是多少？", "牛奶"),
    ],
)
async def test_what_has_nothing_to_do_with_the_answer_does_not(said: tuple[str, ...], question: str, other: str) -> None:
    assert not any(other in text for text in await found(said, question))


async def test_what_was_said_before_the_answer_changes_nothing() -> None:
    said = ("Karl left Westwerk.", "Karl works at Nordwind now.")
    assert all("Westwerk" not in text for text in await found(said, "Where does Karl work?"))
