"""Which values say the same, which say more, and which are merely alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.lifecycle.values import is_generic, likeness, resembles, same_value

SAME = """
residence|Beijing|北京
residence|beijing|BEIJING
residence|臺北|台北市
residence|上海市|上海
residence|Ｙｏｒｋ|York
residence|an old mill|old mill
likes|spicy food|spicy foods
likes|spicy food|辣
likes|the Beatles|Beatles
likes|hiking|to hike
likes|swimming|swim
likes|drinking coffee|coffee
likes|喝咖啡|coffee
likes|吃辣|辣的
likes|流行音樂|流行音乐
likes|cats|cat
likes|children|child
likes|colourful shirts|colorful shirt
diet|辣|辣的食物
diet|vegetarian|吃素
diet|香菜|coriander
allergy|peanut|花生
allergy|peanuts|the peanut
occupation|a nurse|nurse
occupation|护士|Nurse
occupation|一名老师|teacher
employer|Acme Inc.|Acme
employer|腾讯公司|騰訊
employer|Tencent|腾讯
language|Chinese|中文
language|Mandarin|普通话
nationality|Chinese|中国人
age|three|3
age|三|3
age|三岁|3 years old
age|twenty-five|25
age|二十五岁|25
birthday|May 5|5月5号
birthday|the 5th of May|五月五日
birthday|1990-05-05|May 5th, 1990
wake time|7am|早上七点
wake time|七点半|7:30
bedtime|11pm|晚上十一点
phone|+86 138 0000 1111|13800001111
email|Me@Here.org|me@here.org
marital status|not married|单身
marital status|married|已婚
favourite colour|blue|蓝色
favourite day|Sunday|星期天
pet|一只猫|cat
pet|two cats|2 cats
pet|两只猫|2只猫
habit|runs every morning|running in the morning
habit|每天早上跑步|每日早晨跑步
constraint|don't call after nine|do not call after 9
answer style|no jargon, short sentences|short sentences with no jargon
name|José|Jose
"""

DIFFERENT = """
residence|Beijing|Nanjing
residence|北京|南京
residence|York|New York
residence|Mexico|New Mexico
likes|tea|green tea
likes|红茶|绿茶
likes|peanuts|peanut butter
allergy|peanuts|peanut butter
allergy|苹果|苹果派
likes|nuts|nut-free cake
likes|dogs|hot dogs
likes|sugar|no sugar
likes|糖|无糖
likes|Monday|Monday.com
likes|swimming|swimming pools
skill|C|C++
skill|C#|C++
skill|Java|JavaScript
answer style|加糖|不加糖
constraint|call after 9|do not call after 9
constraint|no meetings on Monday|no meetings on Friday
constraint|don't call after 9|don't call after 8
name|King|Kim
name|张三|张三丰
name|Tom|Tim
pet|Tom|Tom's dog
age|3|13
birthday|May 5|May 6
birthday|5月5日|5月15日
wake time|7:00|7:30
bedtime|11pm|11am
phone|13800001111|13800001112
employer|Apple|Apple Records
employer|Bank|Bank of America
school|Boston University|Boston College
plan|from Paris to Rome|from Rome to Paris
plan|去北京出差|去南京出差
goal|run a marathon|win a marathon
goal|学法语|学德语
occupation|nurse|nurse manager
favourite number|7|17
favourite team|Real Madrid|Real Sociedad
deadline|report one|report two
"""

REFINES = """
employer|Google in London|Google
employer|Acme (Leeds)|Acme
school|Stanford University|Stanford
school|清华大学|清华
residence|York, England|York
residence|上海浦东|上海
residence|a flat in Leeds|Leeds
residence|east London|London
occupation|software engineer|engineer
occupation|数学老师|老师
occupation|nurse at a hospital|a nurse
name|Anna Smith|Anna
pet|two cats|cat
pet|两只猫|猫
pet|a cat called Tom|cat
habit|run every day before breakfast|run
habit|每天早上跑步|早上跑步
birthday|May 5, 1990|5 May
wake time|7am|7
plan|go to Berlin with Anna|go to Berlin
"""


def rows(table: str) -> list[tuple[str, str, str]]:
    return [(attribute, first, second) for attribute, first, second in (line.split("|") for line in table.strip().splitlines())]


@pytest.mark.parametrize(("attribute", "first", "second"), rows(SAME))
def test_the_same_in_other_words(attribute: str, first: str, second: str) -> None:
    assert likeness(first, second, attribute) == likeness(second, first, attribute) == "same"
    assert same_value(first, second, attribute)


@pytest.mark.parametrize(("attribute", "first", "second"), rows(DIFFERENT))
def test_what_is_merely_alike_is_different(attribute: str, first: str, second: str) -> None:
    assert likeness(first, second, attribute) == likeness(second, first, attribute) == "different"
    assert not same_value(first, second, attribute)


@pytest.mark.parametrize(("attribute", "exact", "vague"), rows(REFINES))
def test_a_value_with_detail_refines_the_one_without(attribute: str, exact: str, vague: str) -> None:
    assert (likeness(exact, vague, attribute), likeness(vague, exact, attribute)) == ("refines", "vaguer")


@pytest.mark.parametrize(("attribute", "first", "second"), [("pet", "two cats", "three cats"), ("child", "两个女儿", "3个女儿")])
def test_another_number_of_the_same_is_a_recount(attribute: str, first: str, second: str) -> None:
    assert likeness(first, second, attribute) == likeness(second, first, attribute) == "recounted"


@pytest.mark.parametrize(
    ("value", "attribute", "generic"),
    [
        ("dog", "pet", True),
        ("any pets", "pet", True),
        ("一只猫", "pet", True),
        ("宠物", "pet", True),
        ("wife", "partner", True),
        ("妻子", "partner", True),
        ("my mother", "parent", True),
        ("孩子", "child", True),
        ("allergies", "allergy", True),
        ("Rex", "pet", False),
        ("Sarah", "partner", False),
        ("花生", "allergy", False),
    ],
)
def test_a_generic_value_only_says_what_the_attribute_says(value: str, attribute: str, generic: bool) -> None:
    assert is_generic(value, attribute) is generic


@pytest.mark.parametrize(
    ("first", "second", "loosely", "alike"),
    [
        pytest.param("在安静的咖啡馆工作", "安静的咖啡馆里工作", False, True, id="paraphrase"),
        pytest.param("long walks by the sea at night", "long walks at night by the sea", False, True, id="order"),
        pytest.param("tea", "green tea", False, False, id="one sort"),
        pytest.param("red wine", "white wine", True, False, id="listed"),
        pytest.param("York last week", "York", True, True, id="cut out elsewhere"),
        pytest.param("room 12 on floor 3", "room 12 on floor 4", True, False, id="numbers"),
        pytest.param("加糖的热牛奶咖啡", "不加糖的热牛奶咖啡", True, False, id="denial"),
    ],
)
def test_readings_of_the_same_words_resemble_each_other(first: str, second: str, loosely: bool, alike: bool) -> None:
    assert resembles(first, second, "likes", loosely=loosely) is alike


values = st.text("ab 一两只猫的了不 '!.,5十百万号\u0301\u200bxＡ点年月-", max_size=8) | st.text(max_size=8)
attributes = st.sampled_from(
    ("likes", "residence", "age", "birthday", "phone", "wake time", "habit", "pet", "employer", "name", "unforeseen")
)


@given(values, values, attributes)
def test_likeness_is_the_same_from_both_sides(first: str, second: str, attribute: str) -> None:
    turned = {"refines": "vaguer", "vaguer": "refines"}
    there = likeness(first, second, attribute)
    assert likeness(second, first, attribute) == turned.get(there, there)
    assert likeness(first, first, attribute) == "same"


@given(
    values,
    st.sampled_from(("not ", "no ", "不", "没")),
    attributes.filter(lambda name: name not in ("age", "birthday", "phone", "wake time")),
)
def test_a_word_that_says_no_always_counts(value: str, no: str, attribute: str) -> None:
    if any(word in value.lower() for word in ("不", "没", "no")) or not value.strip() or not any(each.isalnum() for each in value):
        return
    assert not same_value(f"{no}{value}", value, attribute)
