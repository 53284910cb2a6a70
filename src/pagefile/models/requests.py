"""What is sent to a Chat Completions endpoint. Pure: a request goes in, a body that every server can read comes out."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from pagefile.language.json_text import object_text, sound_value
from pagefile.ports import ModelRequest, ToolSpec

Json: TypeAlias = dict[str, Any]

#: What some endpoints refuse and an answer can do without: fields of the body; and of the conversation, neighbouring messages of one
#: role and the role "system", which the chat templates of Gemma and the older Mistral models do not know.
OPTIONAL = ("stream_options", "temperature", "max_tokens", "tools", "response_format", "neighbours", "system")

_NOT_IN_NAMES = re.compile(r"[\s<|\\/>]+")


def chat_body(request: ModelRequest, *, model: str, temperature: float | None, without: Collection[str] = ()) -> Json:
    """The JSON body of a streamed request. ``without``: what of the OPTIONAL this endpoint refused."""
    messages = [_message(message) for message in request.messages]
    if "system" in without:
        # As a user's message it is the same text with less weight; joined, it opens the first one.
        messages = [message | {"role": "user"} if message["role"] == "system" else message for message in messages]
    if "system" in without or "neighbours" in without:
        messages = _joined(messages)
    body: Json = {"model": model, "messages": messages, "stream": True}
    wanted: Json = {
        "stream_options": {"include_usage": True},
        "temperature": request.temperature if request.temperature is not None else temperature,
        "max_tokens": request.max_tokens,
        "tools": [_tool(tool) for tool in request.tools] or None,
        "response_format": _form(request.schema) if request.schema is not None else None,
    }
    body |= {name: value for name, value in wanted.items() if value is not None and name not in without}
    if "max_tokens" in without and request.max_tokens is not None:
        body["max_completion_tokens"] = request.max_tokens  # the newer name of it; servers know one or the other
    return body


def to_leave_out(refused: str | None, body: Json, without: Collection[str]) -> str | None:
    """What to leave out of the next request after an endpoint ``refused`` something of ``body``, made ``without`` what was known before.

    None: it is out already, or it never was in.
    """
    roles = {message["role"] for message in body["messages"]}
    if refused == "neighbours" and refused in without and "tool" not in roles:
        refused = "system"  # templates that do not know this role find it out of turn, however the others alternate
    present = refused in body or refused == "neighbours" or (refused == "system" and "system" in roles)
    return refused if present and refused not in without else None


def _message(message: Mapping[str, Any]) -> Json:
    sound: Json = sound_value(message)
    if isinstance(sound.get("name"), str):
        sound["name"] = _NOT_IN_NAMES.sub("_", sound["name"])[:64]
    if not sound.get("name", True):
        del sound["name"]
    for call in sound.get("tool_calls") or ():
        if isinstance(call, dict) and isinstance(call.get("function"), dict):
            call["function"]["arguments"] = object_text(call["function"].get("arguments"))
    return sound


def _tool(tool: ToolSpec) -> Json:
    return {
        "type": "function",
        "function": sound_value({"name": tool.name, "description": tool.description, "parameters": tool.parameters}),
    }


def _form(schema: Mapping[str, Any]) -> Json:
    # Not "strict": that form of OpenAI's demands that every field be required.
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": sound_value(schema)}}


def _joined(messages: Sequence[Json]) -> list[Json]:
    """The messages with neighbours of one role made one; tool calls and their results stay by themselves."""
    joined: list[Json] = []
    for message in messages:
        if joined and _may_join(joined[-1], message):
            joined[-1] = _pair(joined[-1], message)
        else:
            joined.append(message)
    return joined


def _may_join(first: Json, second: Json) -> bool:
    return first["role"] == second["role"] != "tool" and not first.get("tool_calls") and not second.get("tool_calls")


def _pair(first: Json, second: Json) -> Json:
    if first.get("name") != second.get("name"):
        first, second = _named_in_text(first), _named_in_text(second)
    one, other = first.get("content") or "", second.get("content") or ""
    if isinstance(one, str) and isinstance(other, str):
        return first | {"content": f"{one}\n\n{other}" if one and other else one or other}
    return first | {"content": [*_as_parts(one), *_as_parts(other)]}


def _named_in_text(message: Json) -> Json:
    """The speaker's name in front of the text: the joined message is of several speakers."""
    unnamed = {key: value for key, value in message.items() if key != "name"}
    if "name" not in message:
        return unnamed
    content = message.get("content") or ""
    mark = f"{message['name']}: "
    return unnamed | {"content": f"{mark}{content}" if isinstance(content, str) else [*_as_parts(mark), *content]}


def _as_parts(content: str | list[Json]) -> list[Json]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if content else []
