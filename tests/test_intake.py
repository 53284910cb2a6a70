"""What applications have in their hands is taken in sanely, or refused with a reason."""

from __future__ import annotations

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
