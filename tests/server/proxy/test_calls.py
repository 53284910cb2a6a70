"""Where a client asks for it, the model may use the memory's own tools: they are run inside, and the client sees its own alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest

from pagefile.memory import AsyncMemory
from pagefile.testing.openai_server import Streamed, call, say
from tests.server.proxy.conftest import Between, user

ASKED = {"X-Pagefile-Tools": "plain"}
LOOK: Any = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


def asked(on: Between, text: str, *, stream: bool, tools: list[Any] | None = None, headers: dict[str, str] = ASKED) -> Any:
    """The message that a client gets."""
    options: dict[str, Any] = {"tools": tools} if tools else {}
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0, default_headers=headers) as client:
        if not stream:
            return client.chat.completions.create(model="test-model", messages=[user(text)], **options).choices[0]  # type: ignore[call-overload]
        with client.chat.completions.stream(model="test-model", messages=[user(text)], **options) as streamed:
            return streamed.get_final_completion().choices[0]


def offered(on: Between, place: int = 0) -> list[str]:
    return [tool["function"]["name"] for tool in on.endpoint.chats[place].get("tools", ())]


@pytest.mark.parametrize("stream", [False, True])
def test_a_call_of_ours_is_run_and_the_client_sees_the_answer_alone(between: Callable[..., Between], stream: bool) -> None:
    on = between([call("memory_append", {"label": "human", "content": "Kim bakes bread."}), say("I keep that.")])

    async def prepare(memory: AsyncMemory) -> None:
        await memory.scope("me").write_block("human", "", description="the person")

    on.server.call(prepare)
    choice = asked(on, "I am Kim and I bake bread.", stream=stream)
    assert choice.message.content == "I keep that."
    assert not choice.message.tool_calls
    assert choice.finish_reason == "stop"
    assert "memory_append" in offered(on)
    second = on.endpoint.chats[1]["messages"]
    assert [message["role"] for message in second[-2:]] == ["assistant", "tool"]

    async def blocks(memory: AsyncMemory) -> list[str]:
        return [block.text for block in await memory.scope("me").blocks()]

    assert any("Kim bakes bread." in text for text in on.server.call(blocks))
    assert on.kept() == [("user", "I am Kim and I bake bread."), ("assistant", "I keep that.")]


@pytest.mark.parametrize("stream", [False, True])
def test_calls_of_the_client_beside_ours_reach_the_client(between: Callable[..., Between], stream: bool) -> None:
    heads = [
        {"index": 0, "id": "c0", "type": "function", "function": {"name": "memory_search", "arguments": '{"query": "bread"}'}},
        {"index": 1, "id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
    ]
    on = between([Streamed(deltas=({"role": "assistant", "content": None, "tool_calls": heads},), finish="tool_calls")])
    choice = asked(on, "Look for bread, please.", stream=stream, tools=[LOOK])
    assert [made.function.name for made in choice.message.tool_calls] == ["look"]
    assert choice.finish_reason == "tool_calls"
    assert len(on.endpoint.chats) == 1
    assert [made.name for made in on.messages()[1].tool_calls] == ["look"]


def test_a_tool_of_the_clients_own_goes_before_one_of_the_same_name(between: Callable[..., Between]) -> None:
    own = {
        "type": "function",
        "function": {"name": "memory_search", "description": "mine", "parameters": {"type": "object", "properties": {}}},
    }
    on = between([call("memory_search", {})])
    choice = asked(on, "Search for bread, please.", stream=False, tools=[own])
    assert choice.message.tool_calls[0].function.name == "memory_search"
    assert offered(on).count("memory_search") == 1
    assert on.endpoint.chats[0]["tools"][0] == own


def test_a_model_that_calls_without_end_is_asked_a_few_times(between: Callable[..., Between]) -> None:
    on = between([call("conversation_search", {"query": f"bread {turn}"}) for turn in range(5)] + [say("I do not know.")])
    assert asked(on, "What of bread, please?", stream=False).message.content == "I do not know."
    assert len(on.endpoint.chats) == 6
    assert offered(on, 5) == []


def test_no_tool_is_offered_unless_it_is_asked_for(between: Callable[..., Between]) -> None:
    on = between([say("Yes."), say("Yes.")])
    asked(on, "Is it bread, then?", stream=False, headers={})
    assert "tools" not in on.endpoint.chats[0]
    asked(on, "Is it bread, then, now?", stream=False, headers={**ASKED, "X-Pagefile-Mode": "off"})
    assert "tools" not in on.endpoint.chats[1]


def test_incognito_a_model_can_search_and_not_write(between: Callable[..., Between]) -> None:
    on = between([say("Yes.")], endpoint={"strict": False})
    asked(on, "Is it bread, then?", stream=False, headers={**ASKED, "X-Pagefile-Mode": "incognito"})
    assert "memory_search" in offered(on)
    assert not {"memory_append", "memory_replace"} & set(offered(on))
    assert on.kept() == []


def test_an_unknown_set_is_refused(between: Callable[..., Between]) -> None:
    on = between()
    reply = on.chat([user("Is it?")], headers={"X-Pagefile-Tools": "all"})
    assert reply.status_code == 400
    assert "plain" in json.loads(reply.content)["error"]["message"]
