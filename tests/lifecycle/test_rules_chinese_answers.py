"""What a Chinese message says together with the one before: corrections and short answers."""

from __future__ import annotations

from datetime import datetime

import pytest
from rules_chinese_help import SHANGHAI, read, shown

CORRECTIONS = {
    ("我生日是五月三号", "不对，是五号"): ["birthday=五月五号"],
    ("我生日是5月3号", "说错了，应该是5月8号"): ["birthday=5月8号"],
    ("我住在上海", "不对，是苏州"): ["residence=苏州"],
    ("我住在上海", "其实我住在苏州"): ["residence=苏州"],
    ("我住在上海", "不是上海，是苏州"): ["residence=苏州", "residence=-上海"],
    ("我叫张珊", "我说错了，是张姗，不是张珊"): ["name=张姗", "name=-张珊"],
    ("我今年28岁", "抱歉，应该是29岁"): ["age=29岁"],
    ("我弟弟叫小明", "打错了，是小铭"): ["sibling=小铭"],
    ("报告五月三号交", "不对，是五号"): ["deadline=报告五月五号交"],
    ("我在腾讯上班", "不对，是在网易"): ["employer=网易"],
    ("我七点起床", "口误，是六点半"): ["wake time=六点半"],
    ("我對花生過敏", "不對，是對芒果"): ["allergy=芒果"],
    ("我住在上海", "不对，你理解错了"): [],
    ("我住在上海", "不是吧，这么贵"): [],
    ("我住在上海", "其实是因为房租便宜"): [],
    ("我喜欢茶", "其实我也喜欢咖啡"): ["likes=咖啡"],
    ("不对，是五号",): [],
    ("我周四下午三点看牙医", "不对，是周五下午三点，我看错了"): ["plan=看牙医"],
    ("我住在杭州", "说错了，是苏州，哈哈"): ["residence=苏州"],
    ("我今年35", "啊不，36，打错了"): ["age=36"],
    ("我对芒果过敏", "不是芒果，是菠萝"): ["allergy=菠萝", "allergy=-芒果"],
    ("我对芒果过敏", "不是对芒果过敏，是对菠萝过敏"): ["allergy=菠萝", "allergy=-芒果"],
    ("我下周三去北京出差", "行程改了，是下周五"): ["plan=去北京出差"],
    ("我生日是5月3号", "不对是5月4号"): ["birthday=5月4号"],
    ("我在阿里上班", "我上次说错了，我在腾讯上班"): ["employer=腾讯"],
    ("我老婆是医生", "我说错了，她是护士"): ["用户的老婆.occupation=护士"],
    ("你记错了，我住在苏州",): ["residence=苏州"],
    ("不是对芒果过敏，是对菠萝过敏",): ["allergy=菠萝", "allergy=-芒果"],
    ("我叫小宇，不叫小雨",): ["name=小宇", "name=-小雨"],
    ("我住在苏州，不是杭州",): ["residence=苏州", "residence=-杭州"],
    ("我女儿6岁，不是5岁",): ["用户的女儿.age=6岁", "用户的女儿.age=-5岁"],
    ("我是设计师，不是程序员",): ["occupation=设计师", "occupation=-程序员"],
}

SHORT_ANSWERS = {
    ("助手：你住在哪个城市？", "上海"): ["residence=上海"],
    ("助手：请问怎么称呼您？", "王芳"): ["name=王芳"],
    ("助手：你多大了？", "28岁"): ["age=28岁"],
    ("助手：你生日是几月几号？", "5月3号"): ["birthday=5月3号"],
    ("助手：你是做什么工作的？", "会计"): ["occupation=会计"],
    ("助手：你在哪家公司上班？", "腾讯"): ["employer=腾讯"],
    ("助手：你对什么过敏吗？", "花生和虾"): ["allergy=花生", "allergy=虾"],
    ("助手：有什么忌口吗？", "不吃香菜"): ["diet=-香菜"],
    ("助手：有什么忌口吗？", "没有"): [],
    ("助手：你平时喜欢什么？", "爬山、摄影"): ["likes=爬山", "likes=摄影"],
    ("助手：你最喜欢的颜色是什么？", "蓝色"): ["favourite colour=蓝色"],
    ("助手：你住在哪里？", "不告诉你"): [],
    ("助手：你住在哪里？", "你猜"): [],
    ("助手：今天想聊什么？", "上海"): [],
    ("助手：需要我推荐餐厅吗？", "好的，谢谢"): [],
    ("我有一只猫", "助手：真可爱，它叫什么名字？", "咪咪"): ["pet=咪咪"],
}


@pytest.mark.parametrize(("messages", "expected"), CORRECTIONS.items(), ids=lambda each: " / ".join(each))
def test_a_correction_takes_the_place_of_what_was_said(messages: tuple[str, ...], expected: list[str]) -> None:
    claims = read(*messages)
    assert shown(claims) == expected
    assert all(claim.correction for claim in claims if claim.attribute != "likes" and claim.polarity == "positive")


@pytest.mark.parametrize(("messages", "expected"), SHORT_ANSWERS.items(), ids=lambda each: " / ".join(each))
def test_a_short_answer_is_read_with_its_question(messages: tuple[str, ...], expected: list[str]) -> None:
    assert shown(read(*messages)) == expected


def test_the_record_of_a_correction_says_the_whole_fact() -> None:
    (claim,) = read("我生日是五月三号", "不对，是五号")
    assert claim.text == "我生日是五月五号"


def test_a_plan_put_to_another_time_is_told_with_that_time() -> None:
    (claim,) = read("我周四下午三点看牙医", "不对，是周五下午三点，我看错了")
    assert claim.text == "我周五下午三点（2023-05-26 15:00）看牙医"
    assert claim.valid_from == datetime(2023, 5, 26, 15, tzinfo=SHANGHAI)


def test_names_that_were_left_out_stand_beside_those_that_were_told() -> None:
    claims = read("我家有两只猫，一只叫像素", "不对，是三只猫，漏了豆包")
    assert shown(claims) == ["pet=三只猫", "pet=豆包"]
    assert not any(claim.correction for claim in claims)


def test_the_record_of_a_short_answer_says_what_was_asked() -> None:
    (claim,) = read("助手：好的。你住在哪个城市？", "上海")
    assert claim.text == "你住在哪个城市？上海"
