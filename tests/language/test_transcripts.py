"""Telling a talk that is written down from a question."""

from __future__ import annotations

import pytest

from pagefile.language.transcripts import is_transcript


@pytest.mark.parametrize(
    "text",
    [
        '<Bart>: "I found a pizza place!" <Assistant>: "Which one?" <Bart>: "The one by the river."',
        "Ann: I am back.\nBob: How was it?",
        "用户：我回来了。\n助手：玩得怎么样？",
        '<小明>:"我拿到满分了！" <Assistant>:"太棒了！"',
    ],
)
def test_a_talk_is_known_by_its_turns(text: str) -> None:
    assert is_transcript(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Where do I live?",
        "Note: the gate is green.",
        "What did Ann say at 10:30 about the 3:1 mix?",
        "提醒：明天开会。",
        "2024年5月3日上午10:30我在哪里？下午2:15呢？",
        "Question: what did I buy at the market last week?\nAnswer format: one line",
        "Subject: my flight\nDate: next Friday\nWhen do I leave?",
        "https://example.org/a\nhttps://example.org/b\nWhich of them did I save in May?",
        "10:30 dentist\n11:45 Ann\nWhich of these did I move last week?",
        "问题：我上周买了什么？\n回答格式：一行",
        "主题：我的航班\n时间：下周五",
        ":" * 100_000,
        "a" * 100_000 + ":",
    ],
)
def test_a_question_or_a_note_is_none(text: str) -> None:
    assert not is_transcript(text)
