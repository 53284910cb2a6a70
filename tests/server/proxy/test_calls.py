"""Where a client asks for it, the model may use the memory's own tools: they are run inside, and the client sees its own alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import httpx
import openai
import pytest

import pagefile.server.proxy.calls as calls
from pagefile.memory import AsyncMemory
from pagefile.models.openai import OpenAIModel
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


class Cut(httpx.AsyncByteStream):
    """A body that comes in these pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


def cut(body: bytes, *places: int) -> httpx.Response:
    """A stream of events that is cut at these places."""
    pieces = [body[start:stop] for start, stop in pairwise((0, *places, len(body)))]
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Cut(*pieces))


def test_events_that_end_in_two_letters_are_read_wherever_they_are_cut(alone: Callable[..., Between]) -> None:
    asking = "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in (searching(), end("tool_calls"))).encode() + b"data: [DONE]\r\n\r\n"
    answers = list[httpx.Response]()
    transport = httpx.MockTransport(lambda request: answers.pop(0))
    on = alone(model=OpenAIModel("test-model", base_url="http://127.0.0.1:9/v1"), upstream_transport=transport)
    first = asking.index(b"\r\n\r\n")
    for places in [(at,) for at in range(first - 1, first + 6)] + [tuple(range(1, len(asking)))]:
        answers[:] = [cut(asking, *places), cut("".join(f"data: {json.dumps(one)}\r\n\r\n" for one in (told("黑麦"), end())).encode())]
        passed = on.chat([user("What of bread?")], headers={**ASKED, "X-Pagefile-Mode": "incognito"}, stream=True).content.decode()
        assert "memory_search" not in passed
        assert [value["choices"][0]["delta"].get("content") for value in values(passed)] == ["黑麦", None]


def values(passed: str) -> list[dict[str, Any]]:
    """The data of the events that came, but for the end."""
    lines = (line.removeprefix("data:").strip() for line in passed.splitlines() if line.startswith("data:"))
    return [json.loads(line) for line in lines if line != "[DONE]"]


@pytest.mark.parametrize("index", ["0", 0.0, None, [], {"a": 1}, -1, True])
@pytest.mark.parametrize("stream", [False, True])
def test_a_place_that_is_no_number_hides_a_call_all_the_same(between: Callable[..., Between], index: Any, stream: bool) -> None:
    asking = searching()
    asking["choices"][0]["delta"]["tool_calls"][0]["index"] = index
    if not stream:
        asking = {"choices": [{"index": 0, "message": asking["choices"][0]["delta"], "finish_reason": "tool_calls"}]}
    on = between([events(asking, end("tool_calls")) if stream else Raw(body=asking), say("None.")])
    passed = on.chat([user("What of bread?")], headers=ASKED, **({"stream": True} if stream else {}))
    assert passed.status_code == 200
    assert "memory_search" not in passed.text
    assert len(on.endpoint.chats) == 2


@pytest.mark.parametrize("index", ["0", [], {"a": 1}, None])
def test_a_choice_whose_place_is_no_number_passes(between: Callable[..., Between], index: Any) -> None:
    one = {**told("Rye.")["choices"][0], "index": index}
    on = between([events({"choices": [one]}, end())])
    passed = on.chat([user("Which bread?")], headers=ASKED, stream=True)
    assert "Rye." in passed.text
    assert passed.text.endswith("[DONE]\n\n")


WRITTEN = [
    '<tool_call>\n{"name": "memory_search", "arguments": {"query": "bread"}}\n</tool_call>',
    '{"name": "memory_search", "arguments": {"query": "bread"}}',
    '```json\n{"name": "memory_search", "arguments": {"query": "bread"}}\n```',
    "<function=memory_search><parameter=query>bread</parameter></function>",
]


@pytest.mark.parametrize("written", WRITTEN, ids=["tag", "JSON", "fence", "function"])
@pytest.mark.parametrize(("before", "answer"), [("", "It is rye."), ("I look.\n", "It is rye."), ("我查一下。\n", "是黑麦。")])
@pytest.mark.parametrize("stream", [False, True])
def test_a_call_of_ours_that_is_written_into_the_words_is_run(
    between: Callable[..., Between], written: str, before: str, answer: str, stream: bool
) -> None:
    on = between([say(before + written), say(answer)])
    on.tell("I bake rye bread.")
    choice = asked(on, "Which bread do I bake?", stream=stream)
    assert choice.message.content == (before + answer if stream else answer)
    assert choice.finish_reason == "stop"
    last = on.endpoint.chats[1]["messages"][-2:]
    assert [message["role"] for message in last] == ["assistant", "tool"]
    assert last[0]["tool_calls"][0]["function"]["name"] == "memory_search"
    assert "rye" in last[1]["content"]
    on.wait_for(lambda kept: len(kept) == 3)
    assert "memory_search" not in str(on.kept())


@pytest.mark.parametrize(
    "text",
    [
        "\n\n Use `memory_search` or {a: 1} [2], like x<y.\n\n",
        '<think>I could call {"name": "memory_search", "arguments": {"query": "x"}}.</think>\n\n好的，不用查。\n',
        'Like this:\n```python\nmemory_search("x")\n```\n',
        '<tool_call>{"name": "elsewhere", "arguments": {}}</tool_call>',
    ],
    ids=["mentioned", "thought of", "shown", "somebody else's"],
)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("size", [1, 5, 400])
def test_words_that_are_no_call_of_ours_pass_letter_by_letter(between: Callable[..., Between], text: str, stream: bool, size: int) -> None:
    on = between([say(text, size=size)])
    assert asked(on, "What do you say to that?", stream=stream).message.content == text
    assert len(on.endpoint.chats) == 1


def test_words_that_could_have_become_a_call_are_told_where_an_answer_has_no_end(between: Callable[..., Between]) -> None:
    on = between([events(told('{"name": "memory_se'))])
    passed = on.chat([user("Which bread?")], headers=ASKED, stream=True).text
    assert "".join(one["choices"][0]["delta"]["content"] for one in values(passed)) == '{"name": "memory_se'


def test_an_answer_of_very_many_bytes_is_not_gathered(between: Callable[..., Between], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_LONGEST_EVENT", 100_000)
    whole = b" " * 300_000 + b'{"choices": []}'
    event = b"data: " + b"x" * 300_000
    on = between([Raw(body=whole), Raw(headers={"Content-Type": "text/event-stream"}, body=event)])
    assert on.chat([user("Which bread?")], headers=ASKED).content == whole
    assert on.chat([user("Which bread, then?")], headers=ASKED, stream=True).content.rstrip() == event
