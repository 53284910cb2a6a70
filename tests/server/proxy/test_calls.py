"""Where a client asks for it, the model may use the memory's own tools: they are run inside, and the client sees its own alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest

from pagefile.memory import AsyncMemory
from pagefile.testing.openai_server import Raw, Streamed, call, say
from tests.server.proxy.conftest import Between, assistant, user

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


def events(*values: dict[str, Any], done: str = "data: [DONE]\n\n", between: str = "\n\n") -> Raw:
    sent = "".join(f"data: {json.dumps(value)}{between}" for value in values)
    return Raw(headers={"Content-Type": "text/event-stream"}, body=sent + done)


def searching(index: int = 0, place: int = 0) -> dict[str, Any]:
    made = {"index": place, "id": f"c{index}", "type": "function", "function": {"name": "memory_search", "arguments": '{"query": "bread"}'}}
    return {"choices": [{"index": index, "delta": {"role": "assistant", "content": None, "tool_calls": [made]}, "finish_reason": None}]}


def told(text: str, index: int = 0) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": {"role": "assistant", "content": text}, "finish_reason": None}]}


def end(reason: str = "stop", index: int = 0) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": {}, "finish_reason": reason}]}


@pytest.mark.parametrize("done", ["data: [DONE]\n\n", "data:[DONE]\n\n", "data:[DONE]", "event: end\ndata: [DONE]\r\n\r\n"])
def test_an_end_is_told_to_the_client_once_however_the_endpoint_writes_it(between: Callable[..., Between], done: str) -> None:
    on = between([events(searching(), end("tool_calls"), done=done), events(told("None."), end(), done=done)])
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0, default_headers=ASKED) as client:
        stream = client.chat.completions.create(model="test-model", messages=[user("What of bread?")], stream=True)
        assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "None."
    assert len(on.endpoint.chats) == 2


def test_events_with_one_line_end_between_them_are_read_one_by_one(between: Callable[..., Between]) -> None:
    replies = (searching(), end("tool_calls")), (told("None."), end())
    on = between([events(*each, between="\n") for each in replies])
    passed = on.chat([user("What of bread?")], headers=ASKED, stream=True).text
    assert "memory_search" not in passed
    assert "None." in passed


@pytest.mark.parametrize("stream", [False, True])
def test_calls_of_ours_are_hidden_in_every_choice(between: Callable[..., Between], stream: bool) -> None:
    chunks = [told("Rye."), searching(1), end("stop"), end("tool_calls", 1)]
    choices = [
        {"index": 0, "message": {"role": "assistant", "content": "Rye."}, "finish_reason": "stop"},
        {"index": 1, "message": searching(1)["choices"][0]["delta"], "finish_reason": "tool_calls"},
    ]
    on = between([events(*chunks) if stream else Raw(body={"choices": choices})])
    passed = on.chat([user("Which bread?")], headers=ASKED, **({"stream": True} if stream else {})).text
    assert "Rye." in passed
    assert "memory_search" not in passed
    assert '"finish_reason":"tool_calls"' not in passed.replace(" ", "")


def test_no_tool_is_offered_where_several_choices_are_wanted(between: Callable[..., Between]) -> None:
    on = between([say("Rye.")])
    on.chat([user("Which bread?")], headers=ASKED, n=2)
    assert "tools" not in on.endpoint.chats[0]
    assert "memory_search" not in json.dumps(on.endpoint.chats[0])


@pytest.mark.parametrize("stream", [False, True])
def test_what_all_rounds_cost_is_told_and_paid(between: Callable[..., Between], stream: bool) -> None:
    costs = [
        {"prompt_tokens": read, "completion_tokens": said, "total_tokens": read + said, "prompt_tokens_details": {"cached_tokens": cached}}
        for read, said, cached in ((1_000, 10, 1), (1_100, 5, 900))
    ]
    on = between([call("memory_search", {"query": "bread"}, usage=costs[0]), say("Rye.", usage=costs[1])])
    options: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
    with openai.OpenAI(base_url=on.url, api_key="none", max_retries=0, default_headers=ASKED) as client:
        made: Any = client.chat.completions.create(model="test-model", messages=[user("Which bread do I like?")], **options)
        usage = [chunk.usage for chunk in made if chunk.usage][-1] if stream else made.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (2_100, 15, 2_115)
    assert usage.prompt_tokens_details.cached_tokens == 901

    async def paid(memory: AsyncMemory) -> list[tuple[int, int, int]]:
        await memory.flush()
        return [(one.spent.calls, one.spent.input_tokens, one.spent.output_tokens) for one in await memory.costs() if one.purpose == "chat"]

    on.wait_for(lambda kept: len(kept) == 2)
    assert on.server.call(paid) == [(2, 2_100, 15)]


def test_a_call_that_is_spelled_out_passes_as_it_is_and_is_kept_as_a_call(between: Callable[..., Between]) -> None:
    text = 'I look.\n<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
    on = between([say(text), say("It is rye.")])
    assert asked(on, "Which bread is it?", stream=True, tools=[LOOK], headers={}).message.content == text
    (reply,) = [one for one in on.wait_for(lambda kept: len(kept) == 2)][1:]
    assert reply == ("assistant", "I look.")
    assert [made.name for made in on.messages()[1].tool_calls] == ["look"]
    # The client has it in its history as it came, and goes on.
    on.chat([user("Which bread is it?"), assistant(text), user("And what does it weigh, please?")], tools=[LOOK])
    assert [text for _, text in on.kept()] == ["Which bread is it?", "I look.", "And what does it weigh, please?", "It is rye."]
    assert len(on.sessions()) == 1


def test_parallel_calls_that_share_a_place_are_kept_as_two(between: Callable[..., Between]) -> None:
    def looking(id: str, where: str) -> dict[str, Any]:
        made = {"index": 0, "id": id, "type": "function", "function": {"name": "look", "arguments": json.dumps({"where": where})}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [made]}, "finish_reason": None}]}

    on = between([events(looking("c1", "厨房"), looking("c2", "cellar"), end("tool_calls"))])
    on.chat([user("Which bread is it?")], stream=True, tools=[LOOK])
    on.wait_for(lambda kept: len(kept) == 2)
    assert [json.loads(made.arguments) for made in on.messages()[1].tool_calls] == [{"where": "厨房"}, {"where": "cellar"}]


def test_a_call_without_arguments_is_known_again_however_the_client_writes_them(between: Callable[..., Between]) -> None:
    on = between([call("look", ""), say("It is rye."), say("Yes.")])
    asked(on, "Which bread is it?", stream=False, tools=[LOOK], headers={})
    for arguments, ends in (("", ()), ("{}", (assistant("It is rye."), user("Is it good?")))):
        made = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": arguments}}
        history = [
            {"role": "assistant", "content": None, "tool_calls": [made]},
            {"role": "tool", "tool_call_id": "call_1", "content": "rye"},
        ]
        on.chat([user("Which bread is it?"), *history, *ends], tools=[LOOK])
    assert [role for role, _ in on.kept()] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert len(on.sessions()) == 1
