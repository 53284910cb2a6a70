"""Tool calls and their results, made to pair up, whatever a crash, another process or an import left in the journal. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pagefile.messages import Message, ToolCall


def repair(messages: Sequence[Message], *, interrupted: str) -> tuple[Message, ...]:
    """The messages in a form that every endpoint takes.

    Each call is followed by exactly one result: one that came later is pulled up to it, a missing one becomes a result with the
    text ``interrupted``, a second one and one without a call are left out. Ids of calls that were used before get a suffix. Messages
    with nothing in them are left out.
    """
    results = _results(messages)
    used: set[str] = set()
    repaired: list[Message] = []
    for position, message in enumerate(messages):
        if message.role == "tool" or not (message.text.strip() or message.tool_calls):
            continue
        if message.role != "assistant" or not message.tool_calls:
            repaired.append(replace(message, tool_calls=()) if message.tool_calls else message)
            continue
        pairs = [(call, results.get((position, call.id))) for call in _once(message.tool_calls)]
        named = [(replace(call, id=_fresh(call.id, message.seq, used)), result) for call, result in pairs]
        repaired.append(replace(message, tool_calls=tuple(call for call, _ in named)))
        for call, result in named:
            answer = result or _missing(message, interrupted)
            repaired.append(answer if answer.tool_call_id == call.id else replace(answer, tool_call_id=call.id))
    return tuple(repaired)


def _results(messages: Sequence[Message]) -> Mapping[tuple[int, str], Message]:
    """Position of the calling message and id of the call → its first result. An id belongs to the last call before it."""
    made: dict[str, int] = {}
    results: dict[tuple[int, str], Message] = {}
    for position, message in enumerate(messages):
        if message.role == "tool" and message.tool_call_id in made:
            results.setdefault((made[message.tool_call_id], message.tool_call_id), message)
        elif message.role == "assistant":
            made.update({call.id: position for call in message.tool_calls})
    return results


def _once(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    first: dict[str, ToolCall] = {}
    for call in calls:
        first.setdefault(call.id, call)
    return tuple(first.values())


def _fresh(id: str, seq: int, used: set[str]) -> str:
    """An id that no earlier call has: some models count from call_0 in each reply, and some endpoints refuse that."""
    fresh, number = id, seq
    while not fresh or fresh in used:
        fresh, number = f"{id or 'call'}-{number}", number + 1
    used.add(fresh)
    return fresh


def _missing(caller: Message, text: str) -> Message:
    return replace(caller, role="tool", text=text, parts=None, tool_calls=(), speaker=None, tokens=len(text.encode()))
