"""A secret that nobody calls so is known by the question before it; evasions and ordinary answers stay."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagefile.language.secret_answers import asks_for, find_answer, may_answer

ASKING = [
    ("What is your password?", "password"),
    ("what's the wifi password?", "password"),
    ("Please enter your password.", "password"),
    ("Sure! To log in I need two things: your user name and your password. What's the password?", "password"),
    ("Password?", "password"),
    ("And your PIN?", "pin"),
    ("Can you send me the verification code?", "code"),
    ("What's your API key?", "api key"),
    ("What is your seed phrase?", "seed phrase"),
    ("你的密码是多少？", "password"),
    ("请告诉我密码", "password"),
    ("把密码发给我", "password"),
    ("WiFi密码是什么？", "password"),
    ("密码呢？", "password"),
    ("请输入验证码", "code"),
    ("你的PIN码是多少？", "pin"),
]
NOT_ASKING = [
    "Did you change your password?",
    "When did you last change your password?",
    "Is your password strong?",
    "Never share your password with anyone. What is your name?",
    "I never ask for your password.",
    "What key is the song in?",
    "What is your name?",
    "你忘记密码了吗？",
    "密码多久改一次？",
    "不要把密码告诉别人",
    "",
]
#: What is said, and the part of it that is the password.
ANSWERS = [
    ("hunter2", "hunter2"),
    ("sunshine", "sunshine"),
    ("It's hunter2", "hunter2"),
    ("Sure, hunter2!Q", "hunter2!Q"),
    ("hunter2, thanks", "hunter2"),
    ("letmein please", "letmein"),
    ("correct horse battery staple", "correct horse battery staple"),
    ("'dragon'", "dragon"),
    ("48 21 77", "48 21 77"),
    ("好的，hunter2", "hunter2"),
    ("我的密码是sunshine", "sunshine"),
    ("用的是abc123，别告诉别人", "abc123"),
    ("一二三四五六", "一二三四五六"),
]
NO_ANSWERS = [
    *("no", "yes", "none", "later", "ok", "thanks", "sorry", "idk", "what?", "not sure", "no idea", "hold on", "wait a minute"),
    *("I don't remember", "I won't tell you", "Why do you ask?", "for which site?", "it's complicated", "I forgot it, let me look"),
    *("I live in Oslo now", "I am allergic to peanuts", "[secret: password]"),
    *("不知道", "忘了", "没有密码", "我不能告诉你", "稍等", "哪个网站的？", "我住在深圳"),
]


@pytest.mark.parametrize(("text", "kind"), ASKING, ids=[text for text, _ in ASKING])
def test_a_question_for_a_secret_is_known(text: str, kind: str) -> None:
    assert asks_for(text) == kind


@pytest.mark.parametrize("text", NOT_ASKING)
def test_talk_about_secrets_asks_for_none(text: str) -> None:
    assert asks_for(text) is None


@pytest.mark.parametrize(("text", "secret"), ANSWERS, ids=[text for text, _ in ANSWERS])
def test_what_answers_is_the_secret_however_it_is_put(text: str, secret: str) -> None:
    found = find_answer(text, "password")
    assert found is not None
    start, end, kind = found
    assert (text[start:end], kind) == (secret, "password")
    assert may_answer(text)


@pytest.mark.parametrize("text", NO_ANSWERS)
def test_evasions_and_other_answers_stay(text: str) -> None:
    assert find_answer(text, "password") is None


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("4821", "pin", True),
        ("sunshine", "pin", False),
        ("G-839201", "code", True),
        ("Zx9Kq2Lm", "api key", True),
        ("Oslo", "api key", False),
    ],
)
def test_what_can_answer_depends_on_what_was_asked_for(text: str, kind: str, found: bool) -> None:
    assert (find_answer(text, kind) is not None) is found


def test_a_seed_phrase_is_taken_whole() -> None:
    words = "abandon ability able about above absent absorb abstract absurd abuse access accident"
    assert find_answer(words, "seed phrase") == (0, len(words), "seed phrase")


@example("00:::::\u00a8", "api key")
@given(st.text(max_size=250), st.sampled_from(["password", "pin", "code", "api key", "seed phrase"]))
def test_any_text_can_be_judged_and_what_is_found_stands_in_it(text: str, kind: str) -> None:
    asks_for(text)
    found = find_answer(text, kind)
    assert found is None or 0 <= found[0] < found[1] <= len(text)
    assert found is None or may_answer(text)
