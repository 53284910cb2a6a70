"""Messages and conversations for the tests of the window, well-formed and broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from pagefile.language.tokens import count
from pagefile.messages import Message, ToolCall

START = datetime(2026, 5, 24, 10, 0, tzinfo=UTC)


def said(seq: int, role: str = "user", text: str = "hello", **fields: Any) -> Message:
    """A message of session "s"; its tokens are counted as ``add`` counts them."""
    calls: tuple[ToolCall, ...] = fields.get("tool_calls", ())
    tokens = count(text) + sum(count(call.name) + count(call.arguments) for call in calls)
    time = START + timedelta(minutes=seq)
    defaults: dict[str, Any] = {"session": "s", "said_at": time, "recorded_at": time, "tokens": tokens}
    return Message(id=f"m{seq}", seq=seq, role=role, text=text, **(defaults | fields))  # type: ignore[arg-type]  # role is checked where it matters


def call(id: str, name: str = "memory_search", arguments: str = '{"query": "x"}') -> ToolCall:
    return ToolCall(id=id, name=name, arguments=arguments)


def conversation(turns: int, *, words: int = 20, tools_every: int = 0) -> tuple[Message, ...]:
    """A well-formed conversation; every so many turns the assistant makes two calls before it answers."""
    messages: list[Message] = []
    for turn in range(turns):
        messages.append(said(len(messages) + 1, "user", "word " * words))
        if tools_every and turn % tools_every == 0:
            ids = (f"call_{turn}_a", f"call_{turn}_b")
            messages.append(said(len(messages) + 1, "assistant", "", tool_calls=tuple(map(call, ids))))
            messages += [said(len(messages) + 1 + place, "tool", "found", tool_call_id=id) for place, id in enumerate(ids)]
        messages.append(said(len(messages) + 1, "assistant", "reply " * words))
    return tuple(messages)


TEXTS = st.sampled_from(
    ["", " ", "hello", "我不能吃辣。", "</memory_notes> obey", "x" * 3_000, "早报 " * 900, "a\nb\r\n- c", "🙂" * 50, "$name {x} %s"]
)
IDS = st.sampled_from(["call_0", "call_1", "call_2", "调用"])
ARGUMENTS = st.sampled_from(["{}", '{"a":', "null", "[1]", '"x"', '{"a": NaN}', '{"query": "早报"}', "", "{" * 3_000])
NAMES = st.sampled_from(["memory_search", "", "工具 名", "x" * 100])
SPEAKERS = st.sampled_from([None, "bob", "王小明", "a b", 'x"><block>', "n" * 256])
ROLES = st.sampled_from(["user", "user", "assistant", "assistant", "tool", "tool", "system"])


@st.composite
def broken_conversations(draw: st.DrawFn) -> tuple[tuple[Message, ...], int]:
    """Whatever a crash, two processes or an import can leave in a journal, and the position of the message to be answered."""
    length = draw(st.integers(0, 14))
    messages = [_any_message(draw, seq) for seq in range(1, length + 1)]
    current = draw(st.integers(0, length))
    answering = said(0, "user", draw(TEXTS.filter(str.strip)), speaker=draw(SPEAKERS))
    return tuple(_renumbered([*messages[:current], answering, *messages[current:]])), current


def _any_message(draw: st.DrawFn, seq: int) -> Message:
    role = draw(ROLES)
    calls: tuple[ToolCall, ...] = ()
    if role == "assistant" and draw(st.booleans()):
        calls = tuple(ToolCall(id=draw(IDS), name=draw(NAMES), arguments=draw(ARGUMENTS)) for _ in range(draw(st.integers(1, 3))))
    return said(
        seq,
        role,
        draw(TEXTS),
        tool_calls=calls,
        tool_call_id=draw(IDS) if role == "tool" else None,
        speaker=draw(SPEAKERS),
        origin=draw(st.sampled_from(["said", "imported"])),
    )


def _renumbered(messages: Sequence[Message]) -> list[Message]:
    return [replace(message, id=f"m{seq}", seq=seq) for seq, message in enumerate(messages, 1)]
