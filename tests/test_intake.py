"""What applications have in their hands is taken in sanely, or refused with a reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.errors import InputError
from pagefile.intake import draft, fingerprint, moment
from pagefile.messages import Draft
from pagefile.models.offline import OfflineModel
from pagefile.parts import Parts
from pagefile.stores.memory import MemoryStore

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 5, 24, 10, 0, tzinfo=SHANGHAI)
NESTED: list[Any] = []
for _ in range(5000):
    NESTED = [NESTED]
PARTS = Parts(store=MemoryStore(), embedder=None, model=OfflineModel(), now=lambda: NOW, new_id=lambda: "id", zone=SHANGHAI)


def take(message: Mapping[str, Any] | str) -> Draft:
    return draft(message, parts=PARTS)


def test_plain_text_is_said_by_the_user_now() -> None:
    taken = take("hello")
    assert (taken.role, taken.text, taken.said_at, taken.recorded_at) == ("user", "hello", NOW, NOW)


def test_a_message_keeps_its_id_its_name_and_its_own_time_with_the_offset() -> None:
    taken = take({"role": "user", "content": "hi", "id": " m1 ", "name": "Ann", "said_at": "2023-05-24T19:17:00+02:00"})
    assert (taken.external_id, taken.speaker, taken.said_at.isoformat()) == ("m1", "Ann", "2023-05-24T19:17:00+02:00")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2023-05-24", "2023-05-24T00:00:00+08:00"),
        ("2023-05-24T19:17", "2023-05-24T19:17:00+08:00"),
        ("2023-05-24T11:17:00Z", "2023-05-24T11:17:00+00:00"),
        (datetime(2023, 5, 24, 19, 17), "2023-05-24T19:17:00+08:00"),
        (1684927020, "2023-05-24T19:17:00+08:00"),
        (1684927020000, "2023-05-24T19:17:00+08:00"),
        ("1684927020", "2023-05-24T19:17:00+08:00"),
    ],
)
def test_times_without_a_zone_are_in_the_configured_one(given: object, expected: str) -> None:
    assert moment(given, SHANGHAI).isoformat() == expected


@pytest.mark.parametrize("given", ["yesterday-ish", "", 1e300, float("nan"), True, [], "2023-13-01"])
def test_a_time_that_cannot_be_read_is_refused(given: object) -> None:
    with pytest.raises(InputError):
        moment(given, SHANGHAI)


def test_parts_give_their_text_and_a_marker_for_each_image() -> None:
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    taken = take({"role": "user", "content": parts})
    assert taken.text == "look\n[image]"
    assert taken.parts == tuple(parts)


def test_a_file_is_named_in_its_marker() -> None:
    taken = take({"role": "user", "content": [{"type": "file", "file": {"filename": "账单.pdf", "file_data": "…"}}]})
    assert taken.text == "[file: 账单.pdf]"


def test_parts_of_text_alone_are_kept_as_text() -> None:
    taken = take({"role": "user", "content": [{"type": "text", "text": "a"}, "b"]})
    assert (taken.text, taken.parts) == ("a\nb", None)


def test_a_call_of_a_tool_needs_no_content() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}
    taken = take({"role": "assistant", "content": None, "tool_calls": [call]})
    assert (taken.tool_calls[0].name, taken.tool_calls[0].arguments) == ("search", '{"q": "x"}')


def test_an_empty_result_of_a_tool_is_kept() -> None:
    assert take({"role": "tool", "content": "", "tool_call_id": "c1"}).tool_call_id == "c1"


@pytest.mark.parametrize(("role", "kept"), [("developer", "system"), ("function", "tool"), ("USER", "user"), ("ai", "assistant")])
def test_other_names_of_roles_are_understood(role: str, kept: str) -> None:
    assert take({"role": role, "content": "x"}).role == kept


@pytest.mark.parametrize(
    "message",
    [
        {"role": "wizard", "content": "x"},
        {"role": None, "content": "x"},
        {"role": "user", "content": ""},
        {"role": "user", "content": "  \n"},
        {"role": "user", "content": None},
        {"role": "user", "content": []},
        {"role": "user", "content": 3},
        {"role": "user", "content": b"bytes"},
        {"role": "user", "content": [3]},
        {"role": "user", "content": "x", "id": "a\x00b"},
        {"role": "user", "content": "x", "id": "x" * 300},
        {"role": "assistant", "content": None, "tool_calls": "x"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        {"role": "user", "content": [{"type": "x", "data": {1, 2}}]},
        {"role": "user", "content": [{"type": "x", "v": float("nan")}]},
        {"role": "user", "content": [{"type": "x", "v": 10**5000}]},
        {"role": "user", "content": [{"type": "x", "v": NESTED}]},
        {"role": "user", "content": "x", "said_at": "9999-12-31T23:00:00Z"},
        {"role": "user", "content": "x", "said_at": "0001-01-01T00:00:00+08:00"},
        ["not", "a", "mapping"],
        42,
    ],
)
def test_what_cannot_be_kept_is_refused(message: Any) -> None:
    with pytest.raises(InputError):
        take(message)


def test_broken_characters_are_mended_and_the_rest_is_kept() -> None:
    assert take("Acme moved\x00 to Shenzhen").text == "Acme moved to Shenzhen"
    assert take("smile \ud83d\ude00").text == "smile 😀"
    assert take("half \ud83d").text == "half \ufffd"
    call = {"id": "c", "function": {"name": "f", "arguments": "\ud83d"}}
    assert take({"role": "assistant", "content": None, "tool_calls": [call]}).tool_calls[0].arguments == "\ufffd"
    assert take({"role": "user", "content": [{"type": "image_url", "alt": "\ud83d"}]}).parts == ({"type": "image_url", "alt": "\ufffd"},)


def test_two_megabytes_are_kept_whole() -> None:
    assert len(take("word " * 400_000).text) == 2_000_000


@given(
    st.dictionaries(
        st.sampled_from(["role", "content", "name", "id", "said_at", "tool_calls"]), st.one_of(st.text(), st.none(), st.integers())
    )
)
def test_anything_is_taken_or_refused_and_what_is_taken_can_be_written(message: dict[str, Any]) -> None:
    try:
        taken = take(message)
    except InputError:
        return
    taken.text.encode("utf-8")
    assert "\x00" not in taken.text
    assert taken.said_at.utcoffset() is not None


def test_a_fingerprint_tells_other_content_and_another_session() -> None:
    messages = [{"role": "user", "content": "a"}]
    assert fingerprint("s", messages) == fingerprint("s", [dict(messages[0])])
    assert fingerprint("s", messages) != fingerprint("t", messages)
    assert fingerprint("s", messages) != fingerprint("s", [{"role": "user", "content": "b"}])


def test_seconds_and_datetimes_agree() -> None:
    assert moment(0, UTC) == datetime(1970, 1, 1, tzinfo=UTC)


def test_a_fingerprint_can_be_made_of_anything() -> None:
    circle: dict[str, Any] = {"role": "user"}
    circle["content"] = [circle]
    assert fingerprint("s", [circle, {1: "a", "b": 2}, "x"]) == fingerprint("s", [circle, {1: "a", "b": 2}, "x"])  # type: ignore[dict-item,list-item]


# --- secrets, origin, consent ---------------------------------------------------------------------------------------------

PASSWORD = "My password is hunter2."


def everything(taken: Draft) -> str:
    calls = [(call.id, call.name, call.arguments) for call in taken.tool_calls]
    return json.dumps([taken.text, taken.parts, taken.speaker, calls, list(taken.indexing.terms)])


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool"])
def test_secrets_are_taken_out_of_the_text_before_it_is_counted_and_indexed(role: str) -> None:
    taken = take({"role": role, "content": PASSWORD})
    plain = take({"role": role, "content": "My password is [secret: password]."})
    assert taken.text == plain.text == "My password is [secret: password]."
    assert (taken.redacted, plain.redacted) == (1, 0)
    assert (taken.tokens, taken.indexing) == (plain.tokens, plain.indexing)


def test_secrets_are_taken_out_of_every_text_of_the_parts_and_counted_once() -> None:
    parts = [
        {"type": "text", "text": PASSWORD},
        {"type": "image_url", "image_url": {"url": "https://bob:hunter2@example.com/a.png"}},
        {"type": "input", "fields": [{"api_key": "8f14e45fhunter2ceea1"}, "密码：hunter2"]},
    ]
    taken = take({"role": "user", "content": parts})
    assert "hunter2" not in everything(taken)
    assert taken.redacted == 4


def test_an_image_in_a_data_url_stays() -> None:
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "sk-aB3dE5fG7hJ9kL1m" * 9}}
    assert take({"role": "user", "content": [part]}).parts == (part,)


@pytest.mark.parametrize(
    ("arguments", "redacted"),
    [
        ('{"user": "bob", "password": "hunter2"}', '{"user": "bob", "password": "[secret: password]"}'),
        ('{"pin": 4821}', '{"pin": "[secret: pin]"}'),
        ('{"\\u5bc6\\u7801": "hunter2"}', '{"密码": "[secret: password]"}'),
        ('{"note": "say \\"hi\\"; my password is hunter2"}', '{"note": "say \\"hi\\"; my password is [secret: password]"}'),
        ('{"inner": "{\\"password\\": \\"hunter2\\"}"}', '{"inner": "{\\"password\\": \\"[secret: password]\\"}"}'),
        ({"token": "abc123def456"}, '{"token": "[secret: token]"}'),
        ('{"password": "hunter2', '{"password": "[secret: password]'),
    ],
    ids=str,
)
def test_arguments_of_a_call_lose_their_secrets_and_stay_json(arguments: Any, redacted: str) -> None:
    call = {"id": "c1", "function": {"name": "login", "arguments": arguments}}
    taken = take({"role": "assistant", "content": None, "tool_calls": [call]})
    assert (taken.tool_calls[0].arguments, taken.redacted) == (redacted, 1)


def test_arguments_without_secrets_stay_as_they_were_written() -> None:
    written = '{"q":  "caf\\u00e9",\n "max_tokens": 4096}'
    call = {"id": "c1", "function": {"name": "search", "arguments": written}}
    assert take({"role": "assistant", "content": None, "tool_calls": [call]}).tool_calls[0].arguments == written


def test_a_speaker_and_a_tool_lose_their_secrets_too() -> None:
    call = {"id": "c1", "function": {"name": "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ", "arguments": "{}"}}
    taken = take({"role": "assistant", "name": "password: hunter2", "content": None, "tool_calls": [call]})
    assert (taken.speaker, taken.tool_calls[0].name, taken.redacted) == ("password: [secret: password]", "[secret: api key]", 2)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["hunter2", "my password is hunter2", "密码：abc123", "x", '"', "\\", "[secret: pin]"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["password", "pin", "token", "密码", "otp", "a", '"']), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, st.booleans())
def test_json_arguments_stay_json_whatever_is_taken_out(value: Any, ascii_only: bool) -> None:
    call = {"id": "c1", "function": {"name": "f", "arguments": json.dumps(value, ensure_ascii=ascii_only)}}
    taken = take({"role": "assistant", "content": None, "tool_calls": [call]})
    json.loads(taken.tool_calls[0].arguments)
    again = take(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": taken.tool_calls[0].arguments}}],
        }
    )
    assert (again.redacted, again.tool_calls) == (0, taken.tool_calls)


@pytest.mark.parametrize("origin", ["said", "imported", "file", "web"])
def test_a_message_tells_where_it_came_from(origin: str) -> None:
    assert take({"role": "user", "content": "x", "origin": origin}).origin == origin


def test_where_messages_came_from_can_be_given_for_all_of_them() -> None:
    assert draft("x", parts=PARTS, origin="imported").origin == "imported"
    assert draft({"role": "user", "content": "x", "origin": "web"}, parts=PARTS, origin="imported").origin == "web"


def test_consent_is_explicit_or_not_given() -> None:
    assert take({"role": "user", "content": "x", "consent": "explicit"}).consent
    assert not take({"role": "user", "content": "x", "consent": None}).consent
    assert not take("x").consent


@pytest.mark.parametrize(
    "field", [{"origin": "moon"}, {"origin": 3}, {"origin": ""}, {"consent": True}, {"consent": "yes"}, {"consent": ""}], ids=str
)
def test_an_unknown_origin_or_consent_is_refused(field: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        take({"role": "user", "content": "x"} | field)
