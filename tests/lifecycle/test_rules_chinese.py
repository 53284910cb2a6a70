"""What holds for every claim that the Chinese rules read, and how times, scripts, persons and claims that ended are told."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_chinese_help import SAID_AT, SHANGHAI, read, shown

from pagefile.lifecycle.facts import Claim

#: Pieces of Chinese talk, in any order: most of it makes no sense.
PIECES = (
    *(
        "我",
        "我朋友小杰",
        "我弟弟",
        "他",
        "她",
        "小红",
        "老婆",
        "你",
        "我们",
        "不",
        "没",
        "不再",
        "已经",
        "以前",
        "可能",
        "最",
        "每天",
        "上周",
        "下周三",
        "今天",
    ),
    *(
        "叫",
        "是",
        "住在",
        "搬到",
        "在",
        "上班",
        "喜欢",
        "讨厌",
        "不吃",
        "对",
        "过敏",
        "有一只猫",
        "养了",
        "去过",
        "打算",
        "会",
        "今年",
        "生日是",
        "目标是",
    ),
    *(
        "张三",
        "上海",
        "臺北",
        "腾讯",
        "老师",
        "咖啡",
        "花生",
        "冰岛",
        "弹吉他",
        "28岁",
        "5月3号",
        "跑步",
        "高血压",
        "Google",
        "PM",
        "“你好”",
        "（真的）",
    ),
    *(
        "，",
        "。",
        "、",
        "和",
        "但是",
        "了",
        "的",
        "吗",
        "？",
        "！",
        " ",
        "\n",
        "😀",
        "如果",
        "他说",
        "帮我写",
        "以后",
        "别",
        "用英文回答",
        "不对，",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=300, deadline=None)
def test_every_claim_cites_words_of_its_message(text: str) -> None:
    for claim in read(text):
        (source,) = claim.sources
        assert source.span is not None
        begin, end = source.span
        assert 0 <= begin < end <= len(text)
        assert claim.value.strip() == claim.value != ""
        # 吃素 is a vegetarian diet however it is said, and 猫 may be the pet that a clause is about.
        assert claim.value == "素食" or claim.value in text
        assert claim.extractor == "rules"
        assert claim.valid_from is None or claim.valid_to is None or claim.valid_from <= claim.valid_to


@given(st.text(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_text_is_too_odd_to_read(text: str) -> None:
    assert isinstance(read(text), list)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=200, deadline=None)
def test_a_question_mark_at_the_end_adds_no_claim(text: str) -> None:
    assert len(read(text.rstrip("。，！？ \n") + "吗？")) <= len(read(text)) + text.count("\n")


SIMPLIFIED_AND_TRADITIONAL = [
    ("我对花生过敏", "我對花生過敏"),
    ("我住在台北", "我住在臺北"),
    ("我讨厌香菜", "我討厭香菜"),
    ("我喜欢听音乐", "我喜歡聽音樂"),
    ("我儿子叫小宝", "我兒子叫小寶"),
    ("我养了一只猫叫橘子", "我養了一隻貓叫橘子"),
    ("我每天早上跑步", "我每天早上跑步"),
    ("我下周三要去北京出差", "我下週三要去北京出差"),
    ("我不会开车", "我不會開車"),
    ("我戒烟了", "我戒煙了"),
    ("请用繁体中文回答", "請用繁體中文回答"),
    ("以后不要用专业术语", "以後不要用專業術語"),
    ("我学的是计算机专业", "我學的是計算機專業"),
    ("我离开腾讯了", "我離開騰訊了"),
    ("我结婚了", "我結婚了"),
    ("我有高血压", "我有高血壓"),
    ("我会说广东话", "我會講廣東話"),
    ("我会说粤语", "我會說粵語"),
    ("我闺蜜叫小雨", "我閨蜜叫小雨"),
    ("我的职业是摄影师", "我的職業是攝影師"),
    ("我周一没空", "我週一沒空"),
    ("我去过冰岛", "我去過冰島"),
    ("医生说我有脂肪肝", "醫生說我有脂肪肝"),
]


@pytest.mark.parametrize(("simplified", "traditional"), SIMPLIFIED_AND_TRADITIONAL)
def test_traditional_characters_say_the_same_and_stay_as_they_were_written(simplified: str, traditional: str) -> None:
    first, second = read(simplified), read(traditional)
    assert first and [(claim.attribute, claim.polarity, claim.ended) for claim in first] == [
        (claim.attribute, claim.polarity, claim.ended) for claim in second
    ]
    assert all(claim.value in traditional for claim in second)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我今年２８岁", ["age=２８岁"]),
        ("我在Ｇｏｏｇｌｅ上班", ["employer=Ｇｏｏｇｌｅ"]),
        ("我住在上海,喜欢爬山", ["residence=上海", "likes=爬山"]),
        ("我住在上海 喜欢爬山 不吃辣", ["residence=上海", "likes=爬山", "diet=-辣"]),
        ("我喜欢爬山😀我不吃辣", ["likes=爬山", "diet=-辣"]),
        ("俺在杭州做前端 base杭州", ["occupation=前端", "residence=杭州"]),
        ("我叫 Lucy，在 Google 做 PM", ["name=Lucy", "employer=Google", "occupation=PM"]),
    ],
)
def test_width_spaces_and_emoji_do_not_matter(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected


def one(text: str) -> Claim:
    (claim,) = read(text)
    return claim


def day(month: int, number: int, year: int = 2023) -> datetime:
    return datetime(year, month, number, tzinfo=SHANGHAI)


def test_an_event_is_dated_by_its_own_words() -> None:
    claim = one("上周去了巴黎")
    assert claim.text == "我上周（2023-05-15 至 2023-05-21）去了巴黎"
    assert (claim.valid_from, claim.valid_to) == (day(5, 15), day(5, 22))
    assert claim.kind == "event"


def test_a_move_holds_from_when_it_happened() -> None:
    assert one("我上个月搬到深圳了").valid_from == day(4, 1)


def test_a_state_holds_from_when_it_was_said_unless_a_beginning_is_stated() -> None:
    assert one("我住在上海").valid_from == SAID_AT
    assert one("我2019年开始在字节上班").valid_from == day(1, 1, 2019)


def test_a_plan_is_dated_by_what_is_still_to_come() -> None:
    assert one("我下周三要去北京出差").valid_from == day(5, 31)
    assert one("报告五月三号交").valid_from == day(5, 3, 2024)


def test_a_closed_period_is_a_past_fact_and_nothing_that_ended_now() -> None:
    claim = one("2015年到2018年在阿里工作")
    assert (claim.valid_from, claim.valid_to, claim.polarity) == (day(1, 1, 2015), day(1, 1, 2019), "positive")


def test_a_time_before_the_comma_belongs_to_what_follows() -> None:
    assert one("去年，我搬到了西安").valid_from == day(1, 1, 2022)


def test_what_is_liked_has_no_date_because_a_day_is_liked() -> None:
    claim = one("我讨厌星期一")
    assert claim.text == "我讨厌星期一"
    assert claim.valid_from == SAID_AT


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("我喜欢跑步、游泳和看书", ["我喜欢跑步", "我喜欢游泳", "我喜欢看书"]),
        ("我不吃香菜，对海鲜过敏", ["我不吃香菜", "我对海鲜过敏"]),
        ("刚搬到杭州", ["我刚搬到杭州"]),
        ("我朋友小杰不喜欢足球，喜欢篮球", ["我朋友小杰不喜欢足球", "我朋友小杰不喜欢足球", "小杰喜欢篮球"]),
        ("老婆对海鲜过敏", ["我老婆对海鲜过敏"]),
        ("我弟弟叫小明。他喜欢打篮球", ["我弟弟叫小明", "小明喜欢打篮球"]),
        ("我养了一条狗，名字叫旺财", ["我的狗叫旺财"]),
        ("以后回答简短点", ["以后回答简短点"]),
    ],
)
def test_the_text_of_a_claim_stands_alone(said: str, texts: list[str]) -> None:
    assert [claim.text for claim in read(said)] == texts


@pytest.mark.parametrize(
    "said",
    [
        "小红和小明吵架了，他喜欢足球",
        "我弟弟喜欢篮球，我哥哥喜欢足球。他不吃辣",
        "他喜欢足球",
        "我朋友小杰来了。小红也来了。她喜欢茶",
    ],
)
def test_a_pronoun_that_may_mean_several_people_means_nobody(said: str) -> None:
    assert not [claim for claim in read(said) if claim.text.startswith(("他", "她")) or "辣" in claim.value or "茶" in claim.value]


def test_a_pronoun_means_the_one_person_it_can_mean() -> None:
    assert shown(read("我妈住在老家，我弟弟在上学。她不吃辣"))[-1] == "用户的妈妈.diet=-辣"


def test_another_speaker_is_the_subject_of_what_they_say_of_themselves() -> None:
    claims = read("我不吃辣，我弟弟喜欢足球", subject="王芳")
    assert shown(claims) == ["王芳.diet=-辣", "王芳的弟弟.likes=足球"]


def test_a_phone_number_is_learnt_only_with_consent() -> None:
    assert read("我的手机号是13800000000") == []
    assert shown(read("我的手机号是13800000000", consent=True)) == ["phone=13800000000"]


def test_named_people_pets_and_places_are_entities_and_kept_verbatim() -> None:
    assert one("我有一只猫叫咪咪").entities == ("咪咪",)
    assert one("我住在上海").entities == ("上海",)
    assert one("我有一只猫叫咪咪").tags == ("猫",)


@pytest.mark.parametrize(
    "said", ["翻译下面这段话。我住在上海。我有一只猫。", "帮我润色以下内容：\n我对花生过敏\n我住在火星", "我住在上海是开玩笑的"]
)
def test_text_to_work_on_is_not_the_speakers_own(said: str) -> None:
    assert read(said) == []
