"""A text is cut at the ends of its sentences, and nowhere else; the words of a summary are whole sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.lifecycle.excerpts import pieces
from pagefile.lifecycle.running_summary import shortened


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Chen and Mr. and Mrs. Li came to St. Petersburg.",
        "I like fruit, e.g. apples, i.e. red ones, etc. and so on.",
        "We met Prof. J. R. Smith at 9 a.m. on Monday.",
        "It weighs 3.5 kg and costs $2.99 at node.js prices.",
        "It is version 1.2.3 of No. 5.",
        "The U.S. Army came on Jan. 3 at 5 p.m. sharp!",
        "1. Buy milk.",
        "(Dr. Wu said so.)",
        "cf. Fig. 3 in Vol. 2, approx. p. 40",
        "他说面粉要3.5公斤，约合7.7磅。",
        "王医生（Dr. Wang）在 St. Mary 医院。",
        "访问 example.com 看看吧！",
    ],
)
def test_an_abbreviation_a_number_or_a_name_ends_no_sentence(text: str) -> None:
    assert pieces(text) == [text]
    assert pieces(f"{text} And then we left." if text[-1] in ".!”)" else f"{text}\nAnd then we left.")[-1] == "And then we left."


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I said no. Then he left.", ["I said no.", "Then he left."]),
        ("We eat at 5 p.m. Then we go etc. Fine.", ["We eat at 5 p.m.", "Then we go etc.", "Fine."]),
        ("你好。我住在成都！真的吗？是的", ["你好。", "我住在成都！", "真的吗？", "是的"]),
        ("one\ntwo. three", ["one", "two.", "three"]),
        ("1. Buy milk.\n2. Call Dr. Wu\n3. Done", ["1. Buy milk.", "2. Call Dr. Wu", "3. Done"]),
        ("“Go.” He went.", ["“Go.”", "He went."]),
        ("  \n ", []),
    ],
)
def test_a_sentence_ends_where_it_ends(text: str, parts: list[str]) -> None:
    assert pieces(text) == parts


@given(
    st.lists(st.sampled_from(["a", "I", ".", "。", "! ", ". ", "\n", "3", "Dr. ", "etc. ", "word ", "“", "”", "(", "字"]), max_size=60).map(
        "".join
    )
)
def test_no_word_is_lost_and_none_is_made_up(text: str) -> None:
    assert "".join("".join(pieces(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "line", ["Dr. Chen told Mr. Li that the boat weighs 3.5 tons, e.g. without its mast.", "王医生说船重3.5吨，不算桅杆。"]
)
def test_a_shortened_text_has_whole_sentences_only(line: str) -> None:
    text = " ".join(f"{line} Plank {number} of the boat was painted blue on a Monday." for number in range(20))
    assert set(shortened(text, 60).splitlines()) <= set(pieces(text))
