from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.asked_times import asked_time

KINDS = {
    "past": (
        "Where did I live before?", "What was my previous job?", "What did I say before about my favourite dish?",
        "What was my old address?", "What was my former employer?", "Which city did I live in previously?",
        "我以前住哪里？", "我之前住在哪儿？", "我原来在哪家公司？", "我的旧地址是什么？",
        "我的前任领导是谁？", "我上一份工作是什么？", "我曾經住在哪裡？",
    ),
    "how often": (
        "How often did I go bouldering?", "How many times was I in Rome?",
        "我去攀岩过几次？", "我蒸过多少次桑拿？", "我多久去一次健身房？",
    ),
    "first": (
        "When did I go to the gym for the first time?", "What did I do first in Vienna?", "Which city did we visit first?",
        "我第一次去北京是什么时候？",
        "我们在南京先做了什么？", "我最早在哪里上班？",
    ),
    "last": (
        "When did I last see Tom?", "When was the last time I called my mother?", "我最近一次看牙是什么时候？", "我上次去上海是哪天？",
    ),
    "since": (
        "Since when do I live here?", "How long have I worked at Acme?", "When did I start learning the guitar?",
        "我从什么时候开始学吉他的？", "我住这里多久了？",
    ),
    "when": ("When does my passport expire?", "What day is my exam?", "我的护照什么时候到期？", "星期几开会？"),
    "current": ("Where do I live now?", "Who is my manager at the moment?", "我现在住在哪里？", "我目前的公司是哪家？"),
}  # fmt: skip
ANCHORED = (
    ("What did we do after the museum?", "after", "the museum"),
    ("Where did I work before Globex?", "before", "globex"),
    ("施肥之后我做了什么？", "after", "施肥"),
    ("去远航之前我在哪里工作？", "before", "去远航"),
)
NOT_ABOUT_TIME = (
    "What is my first name?",
    "Who lives on the first floor?",
    "What is my favourite colour?",
    "Which film did Ann recommend?",
    "我的名字是什么？",
    "我哥哥最喜欢的球员是谁？",
    "第几次会议讨论了预算？",
)


@pytest.mark.parametrize(("kind", "question"), [(kind, question) for kind, questions in KINDS.items() for question in questions])
def test_what_a_question_asks_about_time_is_told_in_both_languages(kind: str, question: str) -> None:
    asked = asked_time(question)
    assert asked is not None and asked.kind == kind


@pytest.mark.parametrize(("question", "kind", "anchor"), ANCHORED)
def test_what_something_came_after_or_before_is_told_too(question: str, kind: str, anchor: str) -> None:
    asked = asked_time(question)
    assert asked is not None and (asked.kind, asked.anchor) == (kind, anchor)


@pytest.mark.parametrize("question", NOT_ABOUT_TIME)
def test_other_questions_ask_nothing_about_time(question: str) -> None:
    assert asked_time(question) is None


@pytest.mark.parametrize(
    "question", ["Where was I before 2020?", "Where did I live before May?", "三天之前我在哪里？", "2020年之前我住哪？"]
)
def test_a_time_is_nothing_that_something_comes_after_or_before(question: str) -> None:
    asked = asked_time(question)
    assert asked is None or not asked.anchor


def test_only_questions_about_the_past_look_back_on_what_no_longer_holds() -> None:
    past, now = asked_time("我以前住哪里？"), asked_time("Where do I live now?")
    assert past is not None and past.looks_back
    assert now is not None and not now.looks_back


@given(
    st.text(max_size=400),
    st.sampled_from(["", "What did I do after ", "我去了", "how often "]),
    st.sampled_from(["", "？", " before?", "之后做了什么？"]),
)
def test_of_any_text_only_what_was_before_or_after_has_something_it_is_measured_by(text: str, lead: str, end: str) -> None:
    asked = asked_time(f"{lead}{text}{end}")
    assert asked is None or bool(asked.anchor) == (asked.kind in ("before", "after"))
