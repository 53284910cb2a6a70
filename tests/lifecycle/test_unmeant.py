"""Examples, templates, fiction and play are not learnt from; what is meant stays."""

from __future__ import annotations

import pytest

from tests.lifecycle.test_screen_introduced import left


@pytest.mark.parametrize(
    "text",
    [
        "简历模板：我叫王五，是一名厨师，住在三亚",
        "我的小说开头：我叫阿离，住在三亚",
        "测试一下：我住在三亚",
        "Lorem: I live in Reno",
        "My cover letter template: I am a doctor from Reno",
        'e.g. "I live in Reno"',
        "比如“我住在三亚”",
        "If anyone asks, I'm a doctor from Reno.",
        "In another life I am a doctor in Reno.",
        "April fools! I'm moving to Reno.",
        "如果有人问，我住在三亚。",
        "My neighbour goes, I'm allergic to dust.",
        "She was like, I'm allergic to dust.",
        "病人主诉：我对花粉过敏",
        "客户反馈：我住在三亚",
        "“我住在三亚”——小何",
    ],
)
def test_what_is_not_meant_is_not_learnt_from(text: str) -> None:
    assert not any(word in left(text) for word in ("Reno", "三亚", "doctor", "allergic", "过敏"))


@pytest.mark.parametrize(
    "text",
    [
        "I live in Reno",
        "For example, I live in Reno and like it",
        "I wrote a template for work. I live in Reno.",
        "My life in Reno: I live near the river in Reno",
        "**Home**: I live in Reno",
        "我在写小说。我住在三亚",
        "我 2026/05/01 09:12\n我住在三亚",
        "比如说，我住在三亚",
        "It goes well, I live in Reno now",
    ],
)
def test_what_is_meant_stays(text: str) -> None:
    assert "Reno" in left(text) or "三亚" in left(text)
