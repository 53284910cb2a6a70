"""Through the public search: what belongs to the answer comes back, and what does not is counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from pagefile import AsyncMemory, AsyncScopedMemory
from pagefile.testing.fakes import FakeClock

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
SAID = {
    "alice": (
        ("2024-03-02", "I live in York."),
        ("2025-02-11", "I moved to Bristol."),
        ("2025-11-03", "I went climbing at the new hall."),
        ("2025-12-08", "Climbing again, my fingers hurt."),
        ("2026-01-10", "My brother lives in Leeds."),
        ("2026-01-12", "My passport expires in March 2027."),
        ("2026-01-13", "My driving licence expires in 2031."),
    ),
    "小明": (
        ("2024-03-02", "我住在武汉。"),
        ("2025-02-11", "我搬到杭州了。"),
        ("2025-11-03", "今晚我去新的场馆攀岩了。"),
        ("2025-12-08", "又去攀岩了，手指好疼。"),
        ("2026-01-10", "我哥哥住在成都。"),
        ("2026-01-12", "我的护照2027年3月到期。"),
        ("2026-01-13", "我的驾照2031年到期。"),
    ),
}


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    clock = FakeClock(NOW)
    async with await AsyncMemory.open(":memory:", embedder="none", now=clock) as made:
        for user, lines in SAID.items():
            for day, text in lines:
                said = {"role": "user", "content": text, "said_at": f"{day}T12:00:00+00:00"}
                await made.scope(user).add(said, session=day)
                await made.flush()
        yield made


async def found(scope: AsyncScopedMemory, question: str, **options: object) -> list[str]:
    """The day of each hit's message; of a record that of the message it was learnt from."""
    hits = await scope.search(question, **options)  # type: ignore[arg-type]
    return [hit.session or "" for hit in hits]


@pytest.mark.parametrize(
    ("user", "question", "days"),
    [
        ("alice", "Where do I live?", ["2025-02-11"]),
        ("小明", "我住在哪里？", ["2025-02-11"]),
        ("alice", "Where does my brother live?", ["2026-01-10"]),
        ("小明", "我哥哥住在哪里？", ["2026-01-10"]),
        ("alice", "When does my passport expire?", ["2026-01-12"]),
        ("小明", "我的护照什么时候到期？", ["2026-01-12"]),
        ("alice", "Where did I live in 2024?", ["2024-03-02"]),
        ("小明", "2024年我住在哪里？", ["2024-03-02"]),
        ("alice", "When did I first go climbing?", ["2025-11-03", "2025-12-08"]),
        ("小明", "我第一次攀岩是什么时候？", ["2025-11-03", "2025-12-08"]),
        ("alice", "When did I last go climbing?", ["2025-12-08", "2025-11-03"]),
        ("小明", "我最近一次攀岩是什么时候？", ["2025-12-08", "2025-11-03"]),
    ],
)
async def test_only_what_belongs_to_the_answer_comes_back(memory: AsyncMemory, user: str, question: str, days: list[str]) -> None:
    assert await found(memory.scope(user), question) == days


@pytest.mark.parametrize(("user", "question"), [("alice", "Where did I live before?"), ("小明", "我以前住在哪里？")])
async def test_what_no_longer_holds_answers_a_question_about_the_past_unless_the_caller_says_what_counts(
    memory: AsyncMemory, user: str, question: str
) -> None:
    scope = memory.scope(user)
    assert (await found(scope, question))[0] == "2024-03-02"
    assert "2024-03-02" not in await found(scope, question, as_of="2026-05-01")
    assert "2024-03-02" not in await found(scope, question, statuses=("current", "pending"))


async def test_what_is_left_out_is_counted_and_comes_with_a_floor_of_0(memory: AsyncMemory) -> None:
    scope, question = memory.scope("alice"), "When does my passport expire?"
    hits = await scope.search(question)
    assert (len(hits), hits.left_out) == (1, 1)
    every = await scope.search(question, floor=0)
    assert len(every) > 1 and every.left_out == 0


async def test_what_a_request_to_forget_means_is_looked_for_among_all(memory: AsyncMemory) -> None:
    scope = memory.scope("alice")
    await scope.remember("My brother's favourite tea is oolong tea.")
    kept = await scope.remember("My favourite drink is oolong tea.")
    forgotten = await scope.forget(query="oolong tea", dry_run=True)
    assert kept.id in {item.id for item in forgotten.items} and len(forgotten.items) == 2


PILLS = ("After lunch I take the blue pill.", "Before bed I take the red pill.")
CHINESE_PILLS = ("午饭之后我吃蓝色的药。", "睡觉之前我吃红色的药。")


@pytest.mark.parametrize(
    ("lines", "question", "place"),
    [
        (PILLS, "Which pill before bed?", 1),
        (PILLS, "What do I take after lunch?", 0),
        (CHINESE_PILLS, "睡觉之前我吃什么药？", 1),
        (CHINESE_PILLS, "午饭之后我吃什么药？", 0),
        (("My sister has my passport.",), "Where is my passport?", 0),
        (("我姐姐拿着我的护照。",), "我的护照在哪？", 0),
        (("My mother gave me a Rolex.",), "Who gave me my Rolex?", 0),
        (("我姐姐欠我五百块。",), "谁欠我钱？", 0),
        (("My boss told me the launch moved to May.",), "When is my launch?", 0),
        (("老板说我下周可以休假。",), "我什么时候可以休假？", 0),
        (("My sister is allergic to shellfish.",), "What are we allergic to?", 0),
        (("我姐姐对海鲜过敏。",), "我们对什么过敏？", 0),
        (("My friend Luc lives in Paris.",), "Do I know anyone in Paris?", 0),
        (("The manager approves refunds over 100 euros.",), "Who approves my refund over 100 euros?", 0),
        (("经理批准一百欧元以上的退款。",), "谁批准我的退款？", 0),
        (("The neighbours have our spare key.",), "Where is our spare key?", 0),
        (("My name is Sam Hale.", "Sam Smith is my plumber."), "Who is my plumber?", 1),
        (("我叫王磊。", "张伟是我的水管工。"), "谁是我的水管工？", 1),
        (("My dog's name is Rex.", "My neighbour's dog is called Fido."), "What is my dog's name?", 0),
        (("我的狗叫旺财。", "我邻居的狗叫来福。"), "我的狗叫什么名字？", 0),
        (("I used to live in Bergen.", "I moved to Oslo in 2020."), "Where did I live in 2015?", 0),
        (("我以前住在成都。", "我2020年搬到了杭州。"), "我2015年住在哪？", 0),
    ],
)
async def test_an_answer_is_not_taken_for_one_about_somebody_else_or_another_time(
    lines: tuple[str, ...], question: str, place: int
) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none", now=FakeClock(NOW)) as made:
        scope = made.scope("alice")
        for day, text in enumerate(lines, 1):
            await scope.add({"role": "user", "content": text, "said_at": f"2026-03-{day:02}T12:00:00+00:00"}, session=str(day))
            await made.flush()
        assert (await found(scope, question, limit=1)) == [str(place + 1)]
