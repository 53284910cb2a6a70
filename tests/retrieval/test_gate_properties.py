"""Whatever is said, the gate answers, answers the same again, and never makes up what to search for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.retrieval.courtesy import kernel
from pagefile.retrieval.gate import Lazy, Remark, Searched, decide
from pagefile.retrieval.likeness import likeness
from pagefile.retrieval.plain import plain

NOW = datetime(2026, 5, 24, 12, tzinfo=UTC)
LAZY: tuple[Lazy, ...] = ("always", "when-needed", "never")

_PIECES = (
    *("hi", "thanks", "what", "is", "my", "name", "?", "!", "哈哈", "你好", "我", "叫", "什么", "上次", "再", "一点", "1", "+", "2"),
    *("def", "(", ")", ":", "\n", "😂", "the", "last", "time", "Anna", "翻译", "İ", "ﬃ", "\x00", "\ud800"),
)
texts = st.text() | st.lists(st.sampled_from(_PIECES)).map(" ".join) | st.lists(st.sampled_from(_PIECES)).map("".join)
remarks = st.builds(Remark, role=st.sampled_from(["user", "assistant", "system", "tool"]), text=texts, age=st.integers(0, 100))
searches = st.builds(Searched, query=texts, turn=st.integers(1, 50))


@settings(max_examples=300, deadline=None)
@given(texts, st.lists(remarks, max_size=4), st.lists(texts, max_size=2), st.lists(searches, max_size=3), st.sampled_from(LAZY))
def test_it_never_raises_and_decides_the_same_again(
    text: str, window: list[Remark], blocks: list[str], searched: list[Searched], lazy: Lazy
) -> None:
    first = decide(text, window=window, blocks=blocks, searched=searched, now=NOW, lazy=lazy)
    assert first == decide(text, window=window, blocks=blocks, searched=searched, now=NOW, lazy=lazy)
    assert first.query in text
    assert first.why.partition(": ")[2]
    assert first.search == (first.layers not in ((), ("core",)))
    assert not (first.search and (first.same_as is not None or not first.mount_tools or not first.query))
    assert first.same_as is None or first.same_as in {one.turn for one in searched}


@given(texts.filter(lambda text: bool(text.strip())))
def test_always_searches_and_never_does_not(text: str) -> None:
    assert decide(text, now=NOW, lazy="always").search
    assert not decide(text, now=NOW, lazy="never").search


@pytest.mark.parametrize("lazy", LAZY)
@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_an_empty_text_is_never_searched_for(text: str, lazy: Lazy) -> None:
    decision = decide(text, now=NOW, lazy=lazy)
    assert (decision.search, decision.query, decision.mount_tools) == (False, "", False)


@given(texts)
def test_what_is_searched_for_lies_inside_the_text(text: str) -> None:
    start, end = kernel(text)
    assert 0 <= start <= end <= len(text)


@given(texts)
def test_the_plain_form_is_as_long_as_the_text(text: str) -> None:
    assert len(plain(text)) == len(text)


@given(texts, texts)
def test_likeness_is_a_share_the_same_both_ways_and_whole_for_the_same(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other) <= 1.0
    assert likeness(one, other) == pytest.approx(likeness(other, one))
    assert likeness(one, one) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "ha" * 50_000,
        "哈" * 50_000,
        "thanks " * 20_000,
        "a. " * 40_000,
        "我" * 100_000,
        "((((" * 20_000,
        "write a " * 20_000,
        " " * 99_999 + "x",
    ],
    ids=lambda text: text[:8],
)
@pytest.mark.timeout(10)
def test_a_long_text_takes_no_longer_than_a_page(text: str) -> None:
    decision = decide(text, window=[Remark(role="user", text=text)], blocks=[text], searched=[Searched(query=text + "y", turn=1)], now=NOW)
    assert decision.query in text
