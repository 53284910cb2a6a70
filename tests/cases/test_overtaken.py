"""What a change overtakes, and what only looks as if it did: the traps of comparing words instead of what they say."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from pagefile.errors import InputError

from .homes import STORES
from .talks import EVERY_STATUS, WAYS, Reader, fact, reply, talking


@pytest.mark.parametrize("way", ["add", "remember"])
@pytest.mark.parametrize(
    "pair",
    [
        ("I like notebooks", "I like books"), ("I like knots", "I like nothing fancy, just tea"),
        ("I work at Notion", "My sister works at Ion"),
        ("I love the Netherlands", "I love nether worlds"), ("我喜欢不锈钢锅", "我喜欢铁锅"), ("我喜欢吃无花果", "我喜欢吃苹果"),
        ("我喜欢非洲鼓", "我喜欢架子鼓"),
        ("我喜欢《不能说的秘密》", "我喜欢《秘密》"),
    ],
    ids=lambda pair: " / ".join(pair),
)  # fmt: skip
async def test_a_word_that_has_a_no_in_it_is_no_denial(pair: tuple[str, str], way: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(*pair, by=way)
        assert not await talk.records("superseded", "retired")
        assert {record.polarity for record in await talk.records()} <= {"positive"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("before", "after", "holds"), [
    ("I eat meat", "I do not eat meat", "user · diet: not meat"), ("I drink alcohol", "I don't drink alcohol", "user · diet: not alcohol"),
    ("I like to be called Max", "I don't like to be called Max", None), ("我吃肉", "我不吃肉", "user · diet: not 肉"),
])  # fmt: skip
async def test_the_word_not_alone_makes_the_difference(before: str, after: str, holds: str | None, way: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(before, after, by=way)
        if holds is not None:
            assert holds in await talk.facts()
        assert not ({before, after} <= {record.text for record in await talk.records() if record.attribute not in (None, "note")})


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Berlin", "I live in Munich"),
        ("我喜欢咖啡", "我不喜欢咖啡"),
        ("My favourite colour is blue", "My favourite colour is red"),
    ],
)
async def test_there_and_back_and_there_again_leaves_one_fact_each_time(one: str, other: str, way: str, store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        for number in range(6):
            said = (one, other)[number % 2]
            await talk.tell(said, by=way)
            assert [record.text for record in await talk.records()] == [said]
            assert said in (await talk.found(said))[0]
        assert len(await talk.records("superseded")) == 5


@pytest.mark.parametrize("store", STORES)
async def test_an_edit_there_and_back_is_one_row_under_one_id(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        record = await talk.user.remember("I live in Berlin")
        for text in ("I live in Munich", "I live in Berlin", "I live in Berlin", "我住在北京", "I live in Berlin"):
            await talk.user.edit(record.id, text=text)
            assert [(one.id, one.text) for one in await talk.records(*EVERY_STATUS)] == [(record.id, text)]
            assert await talk.found(text, kinds=["fact"]) == [text]


@pytest.mark.parametrize("store", STORES)
async def test_an_empty_list_means_none_and_never_all(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I like tea", "我住在北京")
        before, said = await talk.facts(*EVERY_STATUS), (await talk.user.messages()).total
        for name in ("kinds", "session", "statuses"):
            assert not await talk.found("tea 北京", **{name: []})
        assert not (await talk.user.list(statuses=[])).items
        assert not (await talk.user.list(kinds=[])).items
        for verb in (talk.user.forget, talk.user.erase):
            with contextlib.suppress(InputError):
                await verb([])
            assert (await talk.facts(*EVERY_STATUS), (await talk.user.messages()).total) == (before, said)
        with contextlib.suppress(InputError):
            await talk.user.revert(source=[])
        assert (await talk.facts(*EVERY_STATUS), (await talk.user.messages()).total) == (before, said)
        for nothing in ("", " "):
            with pytest.raises(InputError):
                await talk.user.erase(session=nothing)
            with pytest.raises(InputError):
                await talk.user.forget(query=nothing)


@pytest.mark.parametrize("query", ["everything", "all", "it", "the", "I", "一切", "所有的", "我", "user", "用户", "a b c", "?"])
async def test_a_query_that_says_nothing_forgets_nothing(query: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I like tea", "我住在北京", "My daughter is called Emma")
        before = await talk.facts()
        await talk.user.forget(query=query)
        assert await talk.facts() == before


@pytest.mark.parametrize(
    ("query", "stays"),
    [
        ("I like coffee", "I don't like tea"),
        ("I don't like tea", "I like coffee"),
        ("我不喜欢爵士乐", "我喜欢爬山"),
        ("我喜欢爬山", "我不喜欢爵士乐"),
    ],
)
async def test_what_is_said_of_another_thing_or_the_other_way_round_is_not_meant(query: str, stays: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I like coffee", "I don't like tea", "我喜欢爬山", "我不喜欢爵士乐")
        await talk.user.forget(query=query)
        assert stays in [record.text for record in await talk.records()]
        assert query not in [record.text for record in await talk.records()]


#: What is said, and what makes it no longer so.
OVERTAKEN = [
    ("我讨厌坐飞机", "我不讨厌坐飞机了"), ("我不会做饭", "我会做饭了"), ("我每天跑步", "我不跑步了"), ("I smoke", "I quit smoking"),
    ("我抽烟", "我戒烟了"),
    ("我养了一只猫", "我的猫去世了"), ("I drive a Tesla", "I sold my Tesla"), ("I have no kids", "I have a son named Leo"),
    ("我没有孩子", "我有一个女儿叫小雨"),
    ("I don't have any pets", "I got a puppy named Max"), ("The deadline is June 1", "The deadline moved to June 15"),
    ("截止日期是6月1日", "截止日期改到6月15日了"),
    ("I weigh 80 kg", "I weigh 75 kg now"), ("I usually get up at 7", "I get up at 6 now"),
    ("Please answer in English", "Please answer in Chinese from now on"),
    ("I have two cats", "I have three cats now"), ("I'm single", "I got married last Saturday"), ("我有女朋友", "我们分手了"),
    ("My favourite player is Messi", "now it is Ronaldo"), ("My favorite color is blue.", "It's green now."),
    ("I hate flying", "I don't hate flying any more"), ("I dislike cats", "I no longer dislike cats"),
    ("I can't eat gluten", "I can eat gluten again"), ("I can't swim", "I can swim now"), ("I run every day", "I don't run any more"),
    ("I drink coffee every morning", "I don't drink coffee any more"), ("I'm learning Spanish", "I stopped learning Spanish"),
    ("I want to learn piano", "I gave up on piano"), ("I have a dog called Rex", "Rex died last week"),
    ("My boyfriend is called Tom", "Tom and I broke up"), ("I'm a student at MIT", "I graduated from MIT"),
    ("I'm unemployed", "I got a job at Google"), ("I have a meeting on Friday at 3pm", "The meeting was moved to Monday"),
    ("I prefer tea over coffee", "I prefer coffee over tea"), ("I can't stand jazz", "I can stand jazz now"),
    ("I'm pregnant", "I gave birth last week"), ("I'm vegetarian", "I started eating meat again"),
    ("I live in Rome", "I moved out of Rome"), ("I work at Acme", "I got laid off"), ("I weigh 80 kg", "it's 76 kg now"),
    ("I hate rain", "I stopped hating rain"),
    ("我最喜欢的球员是梅西", "现在是C罗"), ("我讨厌香菜", "我不再讨厌香菜了"), ("我喝酒", "我不喝酒了"), ("我没有车", "我买车了"),
    ("我不能吃麸质", "我又能吃麸质了"), ("我周三要开会", "会议改到周五了"), ("比起茶我更喜欢咖啡", "比起咖啡我更喜欢茶"),
    ("我是大学生", "我毕业了"), ("我怀孕20周了", "我生了个女儿"), ("我失业了", "我找到工作了"), ("我想学钢琴", "我放弃学钢琴了"),
    ("我在学西班牙语", "我不学西班牙语了"), ("我有一辆本田", "我把本田卖了"), ("我女朋友叫小王", "我和小王分手了"),
    ("我有慢性胃炎", "我胃炎好了"),
    ("我怕狗", "我不怕狗了"), ("我每天早上喝一杯咖啡", "我不喝咖啡了"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), OVERTAKEN)
async def test_what_is_overtaken_by_what_happened_holds_no_more(before: str, after: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(before, after, session="one")
        said = before.rstrip(".")
        assert not [record.text for record in await talk.records() if record.text.startswith(said)]


#: What only sounds like a correction.
NO_CORRECTION = [
    "no comment",
    "no secret",
    "no problem",
    "No, thanks",
    "No way!",
    "no sugar please",
    "Actually, nice weather",
    "Sorry, I was busy",
    "不对吧",
    "其实还好",
    "不是吧",
    "没有问题",
    "不用了",
]


@pytest.mark.parametrize("text", NO_CORRECTION)
@pytest.mark.parametrize("said", ["I live in Berlin", "我住在北京"])
async def test_what_only_sounds_like_a_correction_corrects_nothing(said: str, text: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(said, text, session="one")
        assert [record.text for record in await talk.records() if record.attribute == "residence"] == [said]
        assert not await talk.records("superseded")


@pytest.mark.parametrize("way", ["written down", "read by a model"])
async def test_a_style_that_changes_has_a_timeline(way: str, tmp_path: Path) -> None:
    said = {"minimalist": "my style is minimalist", "vintage": "my style is vintage these days"}

    def found(prompt: str) -> str:
        return reply(*(fact(text, "style", value) for value, text in said.items() if text in prompt))

    async with talking(tmp_path, model=Reader(found), learn="model") as talk:
        for value, text in said.items():
            if way == "written down":
                await talk.user.remember(text, subject="user", attribute="style", value=value)
            else:
                await talk.tell(text)
            talk.clock.advance(days=30)
        held = [(record.value, record.status) for record in await talk.user.timeline("style")]
        assert held == [("minimalist", "superseded"), ("vintage", "current")]
