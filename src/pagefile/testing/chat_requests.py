"""What a Chat Completions endpoint accepts: the strictest common rules of OpenAI, vLLM, DeepSeek and llama.cpp."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SPEAKER = re.compile(r"[^\s<|\\/>]{1,64}")


class InvalidRequest(AssertionError):
    """A request that a real endpoint would refuse. The message says which part, and why."""


def check_chat_request(body: Mapping[str, Any]) -> None:
    """Raise InvalidRequest if a real endpoint would refuse this body.

    Checks what goes wrong when windows are assembled: roles, empty messages, tool calls and their results (each call answered
    once, right after it, nothing orphaned), tool definitions, numbers, and that all text can be encoded.
    """
    _require(isinstance(body, Mapping), "the body is no object")
    _require(isinstance(body.get("model"), str) and body["model"], "model must be a name")
    _check_values(body, "body")
    tools = body.get("tools")
    if tools is not None:
        _check_tools(tools)
    _require(tools is not None or "tool_choice" not in body, "tool_choice without tools")
    _require(body.get("stream") or "stream_options" not in body, "stream_options is only allowed with stream")
    temperature, most = body.get("temperature"), body.get("max_tokens", body.get("max_completion_tokens"))
    _require(temperature is None or 0 <= temperature <= 2, f"temperature is {temperature}, not 0..2")
    _require(most is None or (isinstance(most, int) and most >= 1), f"max_tokens is {most!r}, not a positive integer")
    messages = body.get("messages")
    if not isinstance(messages, Sequence) or isinstance(messages, str) or not messages:
        raise InvalidRequest("messages must be a list of at least one message")
    for at, message in enumerate(messages):
        _check_message(message, f"messages[{at}]")
    _check_pairs(messages)
    # Chat templates of local models (Qwen, Mistral, Gemma) refuse a conversation without anybody to answer.
    _require(any(message["role"] in {"user", "tool"} for message in messages), "no user message")


def _require(condition: object, why: str) -> None:
    if not condition:
        raise InvalidRequest(why)


def _check_values(value: Any, where: str) -> None:
    if isinstance(value, str):
        _require(not any("\ud800" <= character <= "\udfff" for character in value), f"{where} has a lone surrogate")
        _require("\0" not in value, f"{where} has a NUL")
    elif isinstance(value, float):
        _require(math.isfinite(value), f"{where} is {value}, which is no JSON")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _check_values(item, f"{where}.{key}")
    elif isinstance(value, Sequence):
        for at, item in enumerate(value):
            _check_values(item, f"{where}[{at}]")


def _check_tools(tools: Any) -> None:
    _require(isinstance(tools, Sequence) and tools, "tools must not be an empty list")
    names: set[str] = set()
    for tool in tools:
        function: Mapping[str, Any] = tool.get("function") or {}
        name = str(function.get("name"))
        _require(tool.get("type") == "function", f"tool type {tool.get('type')!r}, not 'function'")
        _require(_NAME.fullmatch(name), f"tool name {name!r} does not match {_NAME.pattern}")
        _require(name not in names, f"two tools are named {name!r}")
        _require((function.get("parameters") or {"type": "object"}).get("type") == "object", f"parameters of {name!r} are no object schema")
        names.add(name)


def _check_message(message: Any, where: str) -> None:
    _require(isinstance(message, Mapping), f"{where} is no object")
    role = message.get("role")
    _require(role in ROLES, f"{where}.role is {role!r}, not one of {sorted(ROLES)}")
    known = {"role", "content", "name", "tool_calls", "tool_call_id", "refusal"}
    _require(set(message) <= known, f"{where} has unknown fields {sorted(set(message) - known)}")
    speaker = message.get("name")
    _require("name" not in message or (isinstance(speaker, str) and _SPEAKER.fullmatch(speaker)), f"{where}.name is {speaker!r}")
    _require(role == "assistant" or "tool_calls" not in message, f"{where} of role {role!r} has tool_calls")
    _require(role == "tool" or "tool_call_id" not in message, f"{where} of role {role!r} has a tool_call_id")
    calls = message.get("tool_calls")
    _require(calls is None or (isinstance(calls, Sequence) and len(calls) > 0), f"{where}.tool_calls is empty: leave it out")
    _check_content(message.get("content"), where, optional=bool(calls))
    for call in calls or ():
        _check_call(call, where)
    if role == "tool":
        _require(isinstance(message.get("tool_call_id"), str) and message["tool_call_id"], f"{where} has no tool_call_id")


def _check_content(content: Any, where: str, *, optional: bool) -> None:
    if content is None:
        _require(optional, f"{where}.content is null; only an assistant's message with tool_calls may be")
        return
    if isinstance(content, str):
        return
    if not isinstance(content, Sequence) or not content:
        raise InvalidRequest(f"{where}.content is neither text nor a list of parts")
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if not isinstance(kind, str) or kind not in part:
            raise InvalidRequest(f"{where}.content has a part without a type and its value: {part!r}")


def _check_call(call: Any, where: str) -> None:
    function = call.get("function") or {}
    _require(isinstance(call.get("id"), str) and call["id"], f"{where} has a tool call without id")
    _require(call.get("type") == "function", f"{where} has a tool call of type {call.get('type')!r}")
    name = function.get("name")
    _require(isinstance(name, str) and _NAME.fullmatch(name), f"{where} calls a tool named {name!r}")
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        raise InvalidRequest(f"{where}: arguments must be JSON text, not {type(arguments).__name__}")
    try:
        parsed = json.loads(arguments)
    except ValueError as error:
        raise InvalidRequest(f"{where}: arguments are no JSON ({error}): {arguments[:80]!r}") from error
    # OpenAI lets it pass; the templates of vLLM and llama.cpp fail on it for ever.
    _require(isinstance(parsed, dict), f"{where}: arguments are no JSON object: {arguments[:80]!r}")


def _check_pairs(messages: Sequence[Mapping[str, Any]]) -> None:
    """Every tool call is answered once, by the messages right after it; nothing else is."""
    open_calls: set[str] = set()
    seen: set[str] = set()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            answered = message["tool_call_id"]
            _require(answered in open_calls, f"messages[{at}] answers {answered!r}, which no tool call before it asked for")
            open_calls.remove(answered)
            continue
        _require(not open_calls, f"messages[{at}] comes before the results of the tool calls {sorted(open_calls)}")
        for call in message.get("tool_calls") or ():
            _require(call["id"] not in seen, f"messages[{at}] uses the tool call id {call['id']!r} again")
            seen.add(call["id"])
            open_calls.add(call["id"])
    _require(not open_calls, f"the tool calls {sorted(open_calls)} have no results")
