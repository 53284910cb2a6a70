"""Whatever the messages hold, the body is one that real endpoints take."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.language.text import clean
from pagefile.models.requests import chat_body
from pagefile.ports import ModelRequest, ToolSpec
from pagefile.testing.openai_server import check_chat_request

TOOL = ToolSpec(name="memory_search", description="find", parameters={"type": "object", "properties": {"n": {"maximum": math.inf}}})


def body_of(*messages: dict[str, Any], **options: Any) -> dict[str, Any]:
    return chat_body(ModelRequest(messages=messages, **options), model="m", temperature=None)


def test_the_body_holds_what_was_asked_and_nothing_else() -> None:
    assert body_of({"role": "user", "content": "hi"}) == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_options_of_the_request_win_over_those_of_the_model() -> None:
    request = ModelRequest(messages=[{"role": "user", "content": "hi"}], temperature=0.0, max_tokens=5, tools=[TOOL])
    body = chat_body(request, model="m", temperature=0.7)
    assert (body["temperature"], body["max_tokens"], body["tools"][0]["function"]["name"]) == (0.0, 5, "memory_search")
    check_chat_request(body)


def test_refused_options_are_left_out() -> None:
    request = ModelRequest(messages=[{"role": "user", "content": "hi"}], temperature=0.0, max_tokens=5, tools=[TOOL], schema={})
    without = {"stream_options", "temperature", "max_tokens", "tools", "response_format"}
    body = chat_body(request, model="m", temperature=None, without=without)
    assert body.keys() == {"model", "messages", "stream", "max_completion_tokens"}


def test_a_schema_becomes_the_form_of_the_reply_and_holds_sound_values_only() -> None:
    schema = {"type": "object", "properties": {"n": {"maximum": math.inf}}, "title": "\ud800"}
    body = body_of({"role": "user", "content": "hi"}, schema=schema)
    form = body["response_format"]["json_schema"]["schema"]
    assert (form["type"], form["properties"]["n"]["maximum"], form["title"]) == ("object", None, "\ufffd")
    check_chat_request(body)


@settings(deadline=None, max_examples=30)
@given(content=st.text(alphabet=st.characters(), max_size=20), name=st.text(max_size=80))
def test_any_text_makes_a_valid_request(content: str, name: str) -> None:
    body = body_of(
        {"role": "user", "content": content + "\ud83d\ude00 \ud800 \0", "name": name},
        {"role": "user", "content": [{"type": "text", "text": content + "\udfff"}]},
        tools=[TOOL],
    )
    check_chat_request(body)
    json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    assert "😀" in body["messages"][0]["content"]


def test_a_speakers_name_is_kept_as_far_as_the_interface_allows() -> None:
    names = [body_of({"role": "user", "content": "x", "name": name})["messages"][0].get("name") for name in ("Dr. Li Wei", "小雨", "")]
    assert names == ["Dr._Li_Wei", "小雨", None]


@pytest.mark.parametrize("written", ['{"a":', "null", "[1]", "", None, {"吃": "辣"}, '{"a": "\\ud800", "b": NaN}', '{"a":' * 100_000])
def test_the_arguments_of_past_calls_are_sent_as_an_object(written: Any) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "memory_search", "arguments": written}}
    check_chat_request(
        body_of(
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": "none"},
        )
    )


# --- forms of a conversation that some chat templates refuse


def joined(*messages: dict[str, Any], without: set[str]) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = chat_body(ModelRequest(messages=messages), model="m", temperature=None, without=without)["messages"]
    return sent


def said(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


def test_neighbours_of_one_role_are_joined_with_a_blank_line() -> None:
    talk = [
        said("system", "s"),
        said("user", "notes"),
        said("user", "吃什么？"),
        said("assistant", "a"),
        said("assistant", "b"),
        said("user", "c"),
    ]
    assert joined(*talk, without={"neighbours"}) == [
        said("system", "s"),
        said("user", "notes\n\n吃什么？"),
        said("assistant", "a\n\nb"),
        said("user", "c"),
    ]


def test_parts_are_put_behind_each_other() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:,"}}
    assert joined(said("user", "notes"), said("user", [{"type": "text", "text": "look"}, image]), without={"neighbours"}) == [
        said("user", [{"type": "text", "text": "notes"}, {"type": "text", "text": "look"}, image])
    ]


def test_who_said_what_is_still_told() -> None:
    both = joined(said("user", "notes"), said("user", "hi", name="Mia"), said("user", "ho", name="Ann"), without={"neighbours"})
    assert both == [said("user", "notes\n\nMia: hi\n\nAnn: ho")]
    assert joined(said("user", "hi", name="Mia"), said("user", "ho", name="Mia"), without={"neighbours"}) == [
        said("user", "hi\n\nho", name="Mia")
    ]


def test_calls_and_their_results_are_never_joined() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "memory_search", "arguments": "{}"}}
    other = {**call, "id": "d"}
    talk = [said("user", "x"), said("assistant", "a"), said("assistant", None, tool_calls=[call, other])]
    talk += [said("tool", "1", tool_call_id="c"), said("tool", "2", tool_call_id="d"), said("assistant", "b")]
    assert joined(*talk, without={"neighbours"}) == talk
    check_chat_request({"model": "m", "messages": joined(*talk, without={"neighbours"})})


def test_without_a_system_role_the_system_text_opens_the_first_message_of_the_user() -> None:
    assert joined(said("system", "Be kind."), said("user", "notes"), said("user", "hi"), without={"system"}) == [
        said("user", "Be kind.\n\nnotes\n\nhi")
    ]
    assert joined(said("system", "Be kind."), said("assistant", "hi"), said("system", "Stop."), without={"system"}) == [
        said("user", "Be kind."),
        said("assistant", "hi"),
        said("user", "Stop."),
    ]


ROLES = st.sampled_from(["user", "assistant", "system"])


@given(st.lists(st.tuples(ROLES, st.text(min_size=1, max_size=5), st.sampled_from([None, "Mia", "Ann"])), min_size=1, max_size=8))
def test_joined_messages_alternate_and_lose_no_word(talk: list[tuple[str, str, str | None]]) -> None:
    messages = [said(role, text) | ({"name": name} if name else {}) for role, text, name in talk]
    sent = joined(*messages, without={"system"})
    roles = [message["role"] for message in sent]
    assert all(first != second for first, second in pairwise(roles)) and "system" not in roles
    whole = "\n\n".join(message["content"] for message in sent)
    assert all(clean(text) in whole for _, text, _ in talk)
