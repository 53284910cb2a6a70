"""What somebody else said to the speaker, in Chinese, is no fact about the speaker."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown

from pagefile.lifecycle.introduced import introduced


@pytest.mark.parametrize(
    "text",
    [
        "他跟我说：“我对花生过敏。”",
        "她对我说：我对花生过敏。",
        "同事和我说：我住在苏州。",
        "小陈给我讲：我住在苏州。",
        "室友向我承认：我不吃香菜。",
        "她的原话：我不吃香菜。",
    ],
)
def test_what_somebody_said_to_the_speaker_is_not_the_speakers(text: str) -> None:
    assert shown(read(text)) == []


def test_what_a_doctor_told_the_speaker_is_learnt() -> None:
    assert shown(read("医生跟我说我对花生过敏。")) == shown(read("我对花生过敏。")) != []


@pytest.mark.parametrize("text", ["小陈：我住在苏州", "房东：我住在楼上，你呢？", "奶奶：我不吃姜", "李老师：我养猫"])
def test_a_line_that_begins_with_somebodys_name_is_theirs(text: str) -> None:
    assert list(introduced(text)) == [(0, len(text))]


@pytest.mark.parametrize("text", ["周末：我去爬山", "小结：我住在苏州", "老家：我是四川人", "我：我不吃姜"])
def test_a_line_that_begins_with_a_heading_is_the_speakers(text: str) -> None:
    assert list(introduced(text)) == []
