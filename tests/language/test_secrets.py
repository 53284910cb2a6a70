"""Secrets are taken out before anything is kept; talk about secrets is left alone."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_tables import CHINESE, KEYS, NAMED, TALK

from pagefile.language.secrets import find_secrets, redact, redact_values


def real(text: str) -> str:
    return text.replace("¦", "")


@pytest.mark.parametrize(("text", "secret"), [*KEYS, *NAMED, *CHINESE], ids=lambda value: str(value)[:40])
def test_a_secret_is_replaced_by_a_marker(text: str, secret: str | tuple[str, ...]) -> None:
    redacted = redact(real(text))
    assert redacted.count
    assert "[secret: " in redacted.text
    for one in [secret] if isinstance(secret, str) else secret:
        assert real(one) not in redacted.text
    assert redact(redacted.text) == type(redacted)(redacted.text, 0)


@pytest.mark.parametrize("text", TALK, ids=lambda text: text[:40])
def test_talk_about_secrets_and_what_only_looks_like_one_stays(text: str) -> None:
    assert redact(real(text)) == redact("").__class__(real(text), 0)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("My password is hunter2, and I live in York.", "My password is [secret: password], and I live in York."),
        ("我的密码是hunter2，别告诉别人。", "我的密码是[secret: password]，别告诉别人。"),
        ("postgres://bob:hunter2@db.local:5432/app?x=1", "postgres://bob:[secret: password]@db.local:5432/app?x=1"),
        ("export API_TOKEN='abc def' # mine", "export API_TOKEN='[secret: token]' # mine"),
        ('{"user": "bob", "password": "hunter2"}', '{"user": "bob", "password": "[secret: password]"}'),
        ("PIN: 4821, room 12", "PIN: [secret: pin], room 12"),
        ("验证码：482913，五分钟有效", "验证码：[secret: code]，五分钟有效"),
        ("changed the password from oldpass1 to newpass2", "changed the password from [secret: password] to [secret: password]"),
    ],
)
def test_what_stands_around_a_secret_stays_as_it_was(text: str, redacted: str) -> None:
    assert redact(text).text == redacted


def test_each_secret_is_counted() -> None:
    text = real("AK¦IAIOSFODNN7EXAMPLE and gh¦p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2; password: hunter2")
    assert redact(text).count == len(find_secrets(text)) == 3


def test_a_private_key_goes_whole_also_when_it_is_cut_off() -> None:
    lines = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7" for _ in range(20))
    key = f"-----BEGIN PRIVATE {'KEY'}-----\n{lines}\nQC7x=\n-----END PRIVATE {'KEY'}-----"
    assert redact(f"before\n{key}\nafter").text == "before\n[secret: private key]\nafter"
    for cut in range(60, len(key), 97):
        assert "MIIE" not in redact(f"before\n{key[:cut]}").text
    assert redact(f"so:\n{key[60:]}\nafter").text.endswith("[secret: private key]\nafter")


def test_data_urls_stay() -> None:
    url = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4" * 50
    assert redact(f"![a]({url})").count == 0
    assert redact_values({"image_url": {"url": url}, "token": url}) == ({"image_url": {"url": url}, "token": url}, 0)


@pytest.mark.parametrize(
    ("value", "redacted", "count"),
    [
        ({"password": "hunter2"}, {"password": "[secret: password]"}, 1),
        ({"pin": 4821, "rooms": 4821}, {"pin": "[secret: pin]", "rooms": 4821}, 1),
        ({"密码": "abc12345"}, {"密码": "[secret: password]"}, 1),
        ({"headers": [{"api_key": "8f14e45fceea167a"}, "my password is hunter2"]}, None, 2),
        ({"max_tokens": 4096, "password": None, "secret": True}, {"max_tokens": 4096, "password": None, "secret": True}, 0),
    ],
    ids=str,
)
def test_values_are_judged_by_the_names_they_stand_under(value: object, redacted: object, count: int) -> None:
    found, times = redact_values(value)
    assert times == count
    assert "hunter2" not in json.dumps(found)
    assert redacted is None or found == redacted


PIECES = st.sampled_from(
    [
        *(
            "password",
            "my password is ",
            "secret",
            "token",
            "api key",
            "密码",
            "密码是",
            "PIN",
            "验证码",
            "export X_TOKEN",
            "Bearer ",
            "-u ",
            "://",
            "@",
        ),
        *(
            "=",
            ": ",
            " ",
            "\n",
            '"',
            "'",
            "\\",
            "{",
            "}",
            "[",
            "]",
            "[secret: token]",
            "[secret: ",
            "hunter2",
            "abc123def456",
            "482913",
            "，",
            "İ",
        ),
        *(
            real("sk¦-proj-aB3dE5fG7hJ9kL1m"),
            real("gh¦p_aB3dE5fG7hJ9kL1mN2pQ"),
            "-----BEGIN PRIVATE " + "KEY-----",
            "A" * 40,
            "-----END PRIVATE " + "KEY-----",
        ),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=14).map("".join)))
def test_redacting_never_fails_and_again_finds_nothing(text: str) -> None:
    once = redact(text)
    assert (once.text == text) == (once.count == 0)
    assert redact(once.text).count == 0


@given(st.lists(PIECES, max_size=10).map("".join))
def test_spans_are_in_order_and_apart(text: str) -> None:
    spans = find_secrets(text)
    assert all(0 <= start < end <= len(text) for start, end, _ in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize(
    "unit",
    ["a", "-", " ", "7", "password is ", "密码", "sk-", "://a:b", "-----BEGIN PRIVATE " + "KEY-----\n", "token=", "eyJ", "[secret: "],
    ids=repr,
)
def test_a_megabyte_of_anything_is_read_in_one_go(unit: str) -> None:
    """A pattern that goes back over what it read would take hours, and the test would time out."""
    text = unit * (1_000_000 // len(unit))
    assert redact(text).count == 0


def test_a_secret_that_is_a_name_in_a_value_is_taken_out_too() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    found, times = redact_values({"令牌": [{secret: 1}]})
    assert times == 1 and secret not in str(found) and list(found["令牌"][0].values()) == [1]
