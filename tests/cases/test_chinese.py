"""Chinese is found as it is written and asked for: short words, mixed scripts, both character sets, dates."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pagefile.memory import AsyncMemory
from pagefile.settings import Settings
from pagefile.testing.fakes import FakeClock

from .homes import STORES

NOON = datetime(2026, 5, 27, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SAID = (
    "用户服务器部署在腾讯云国内节点", "重跑gen-itgc后报错", "我每天早上看早报", "C盘满了", "我叫张三丰，在腾讯上班", "我不喜欢吃香菜",
    "我喜歡聽周杰倫的歌", "ＡＢＣ１２３全角测试", "小明的電話是13800138000", "我家的猫叫豆豆😀", "昨晚和李雷吃了火锅", "我对花生过敏",
    "女儿叫王小美，五岁", "他住在北京市朝阳区三里屯", "今天天气很好", "我換了新工作", "周三开会讨论预算", "iPhone15Pro坏了",
    "妈妈的生日是农历八月十五", "我没有孩子", "用Python写了个爬虫", "𠮷野家的牛肉飯",
)  # fmt: skip
ASKED = {
    "腾讯云": 0, "itgc": 1, "gen-itgc": 1, "早报": 2, "C盘": 3, "c盘": 3, "盘": 3, "张三丰": 4, "张三": 4, "我在哪里上班？": 15, "香菜": 5,
    "我喜欢吃香菜吗？": 5, "周杰伦": 6, "周杰倫": 6, "abc123": 7, "小明的电话": 8, "豆豆": 9, "😀": 9, "我家猫叫什么名字": 9, "李雷": 10,
    "火锅": 10, "过敏": 11, "小美": 12, "王": 12, "三里屯": 13, "换了新工作": 15, "预算": 16, "iphone": 17, "生日": 18, "没有孩子": 19,
    "python": 20, "爬虫": 20, "𠮷野家": 21, "牛肉饭": 21,
}  # fmt: skip


@pytest.fixture(scope="module", params=STORES)
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a memory that was told everything is kept; ``:memory:`` is told anew by each test."""
    if request.param == "memory":
        return ":memory:"
    path = str(tmp_path_factory.mktemp("chinese") / "m.db")

    async def tell_once() -> None:
        async with await told(path):
            pass

    asyncio.run(tell_once())
    return path


async def told(location: str) -> AsyncMemory:
    """Words alone: what is found here is found without any embedder."""
    memory = await AsyncMemory.open(location, embedder="none", settings=Settings(timezone="Asia/Shanghai"), now=FakeClock(NOON))
    user = memory.scope("小明")
    if (await user.messages()).total == 0:
        await user.add([
            {"role": "user", "content": text, "said_at": NOON - timedelta(days=60 - number)} for number, text in enumerate(SAID)
        ])  # fmt: skip
        await user.add({"role": "user", "content": "买了一辆自行车", "said_at": "2026-05-26T23:30:00+08:00"}, session="车")
        await user.add({"role": "user", "content": "看了牙医", "said_at": "2026-05-20T09:00:00+08:00"}, session="牙")
    return memory


@pytest.mark.parametrize("query", ASKED)
async def test_a_question_in_chinese_finds_what_was_said(home: str, query: str) -> None:
    async with await told(home) as memory:
        user = memory.scope("小明")
        # The message itself, or a fact that was learnt from it and stands in its place.
        cited = [source.message for hit in await user.search(query, limit=3) for source in hit.sources]
        assert SAID[ASKED[query]] in [(await user.get(id)).text for id in cited]


@pytest.mark.parametrize("greeting", ["你好", "嗯", "谢谢", "？？？", "。", "hi"])
async def test_small_talk_in_chinese_recalls_nothing(home: str, greeting: str) -> None:
    async with await told(home) as memory:
        assert not await memory.scope("小明").search(greeting)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("昨天", ["买了一辆自行车"]),
        ("上周三", ["看了牙医"]),
        ("2026年5月20日", ["看了牙医"]),
        ("last Wednesday", ["看了牙医"]),
        ("前天", []),
    ],
)
async def test_times_in_words_bound_a_search_by_the_days_of_the_users_zone(home: str, words: str, expected: list[str]) -> None:
    async with await told(home) as memory:
        found = await memory.scope("小明").search("自行车 牙医", since=words, until=words, floor=0.0)
        assert [hit.text for hit in found] == expected
        assert found.filtered_out > 0


@pytest.mark.parametrize(
    ("likes", "dislikes"), [("我喜欢吃香菜", "我不喜欢吃香菜"), ("I like cilantro", "I do not like cilantro")], ids=["zh", "en"]
)
async def test_the_same_negated_is_another_record_that_takes_its_place(home: str, likes: str, dislikes: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        user = memory.scope("小明")
        for text in (likes, dislikes):
            await user.remember(text)
        assert [(record.text, record.evidence_count) for record in (await user.list()).items] == [(dislikes, 1)]
        assert [record.text for record in (await user.list(history=True)).items] == [likes, dislikes]


async def test_names_identifiers_and_labels_in_chinese_are_kept_as_they_are(home: str) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        user = memory.scope("张三", tenant="公司")
        await user.add({"role": "user", "content": "你好，世界", "name": "李雷", "id": "消息一"}, session="星期一", agent="助手")
        await user.remember("住在北京", tags=["住址"])
        await user.write_block("人物", "张三")
        (hit,) = await user.search("世界", speaker="李雷", session="星期一", agent="助手")
        assert (hit.session, hit.speaker, hit.sources[0].external_id) == ("星期一", "李雷", "消息一")
        assert len(await user.search("北京", tags=["住址"])) == 1
        assert [(await user.history("block:人物"))[0].after["text"]] == ["张三"]
