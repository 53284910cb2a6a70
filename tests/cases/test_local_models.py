"""Small models behind small servers: what they garble, cut, forget or promise costs no fact, no session and no reply."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pagefile.events import ToolReturned, Warned
from pagefile.language.tokens import count_message
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.models.scripted import ScriptedModel
from pagefile.testing.openai_server import OpenAIServer, Raw, Script, Streamed, refuse
from pagefile.testing.openai_server import call as called
from pagefile.testing.openai_server import say as said_by_server

from .homes import STORES, call
from .talks import EVERY_STATUS, Talk, fact, reply, talking

#: Two facts as they should come, and what they say.
GOOD = reply(fact("I live in Lisbon", "residence", "Lisbon"), fact("我女儿叫小雨", "child", "小雨", number=2))
FACTS = ["user · child: 小雨", "user · residence: Lisbon"]
SAID = ("Well, as of now I live in Lisbon of all places", "对了，我女儿叫小雨")
_INNER = json.dumps(json.loads(GOOD)["facts"], ensure_ascii=False)


@asynccontextmanager
async def served(folder: Path, *replies: Script, store: str = "memory", **more: Any) -> AsyncIterator[tuple[Talk, OpenAIServer]]:
    """A memory whose model stands behind a server with these replies; facts are found by it and by rules."""
    with OpenAIServer(list(replies)) as server:
        model = OpenAIModel("small:3b", base_url=server.url, patience=Patience(retries=0, silence=20))
        async with talking(folder, store, model=model, learn="model", **more) as talk:
            yield talk, server


async def told(talk: Talk) -> int:
    await talk.user.add(list(SAID), session="s")
    return await talk.memory.flush()


def say(text: str, **options: Any) -> Streamed:
    """A reply of a server that does not count what it read."""
    return said_by_server(text, **({"usage": None} | options))


def calls(name: str, arguments: str | Mapping[str, Any], **options: Any) -> Streamed:
    """The same, of one call."""
    return called(name, arguments, **({"usage": None} | options))


# --- what they garble --------------------------------------------------------------------------------------------------

_OTHER_KEYS = [
    {"行": 1, "原文": "I live in Lisbon", "person": "user", "predicate": "lives in", "object": "Lisbon"},
    {"line_number": "2", "evidence": "我女儿叫小雨", "entity": "用户", "relation": "女儿", "answer": "小雨"},
]

#: Replies that have all facts in them, in the forms that small models give them.
GARBLED = {
    "in a fence": f"```json\n{GOOD}\n```",
    "in prose": f"Sure! Here are the facts I found:\n\n{GOOD}\n\nLet me know if you need more.",
    "after a thought": f"<think>The user lives in {{Lisbon}}. {{\"facts\": []}}</think>\n{GOOD}",
    "after a thought without a beginning": f"So they live in Lisbon.</think>{GOOD}",
    "with trailing commas": GOOD.replace("}]", "},]").replace('"}', '",}'),
    "a bare list": _INNER,
    "two lists": _INNER.replace("}, {", "}]\n[{"),
    "a line each": "\n".join(json.dumps(one, ensure_ascii=False) for one in json.loads(_INNER)),
    "single quotes": GOOD.replace('"', "'"),
    "Python": str(json.loads(GOOD)),
    "other keys": json.dumps({"memories": _OTHER_KEYS}, ensure_ascii=False),
    "a bad escape": GOOD.replace("Lisbon", "Lis\\bon", 0).replace("小雨", "小\\u96e8"),
    "full-width marks": GOOD.replace("{", "｛").replace("}", "｝").replace('", "', '"，"'),
    "comments": GOOD.replace("[{", "[ // the facts\n{"),
    "text around 中文": f"好的，以下是提取的事实：\n```\n{GOOD}\n```\n希望对你有帮助！",
    "a string in a string": json.dumps({"result": GOOD}),
    "twice": GOOD + "\n" + GOOD,
    "as a tool call in the text": f'<tool_call>{{"name": "save", "arguments": {GOOD}}}</tool_call>',
}  # fmt: skip


@pytest.mark.parametrize("form", GARBLED)
async def test_facts_are_read_in_whatever_form_they_come(form: str, tmp_path: Path) -> None:
    async with served(tmp_path, say(GARBLED[form])) as (talk, server):
        assert await told(talk) == 0
        assert await talk.facts() == FACTS
        assert len(server.chats) == 1
        assert {record.extractor for record in await talk.records()} <= {"rules", "model:small:3b"}


async def test_a_real_tool_call_in_place_of_a_reply_is_read_too(tmp_path: Path) -> None:
    async with served(tmp_path, calls("save_facts", GOOD)) as (talk, _):
        assert await told(talk) == 0
        assert await talk.facts() == FACTS


EMPTY = [
    '{"facts": []}',
    "[]",
    "{}",
    "null",
    "None.",
    "No facts.",
    "没有",
    "空",
    "```json\n[]\n```",
    "<think>nothing here</think>[]",
    '{"facts": null}',
    "There are no facts.",
]


@pytest.mark.parametrize("answer", EMPTY)
async def test_an_answer_that_there_is_nothing_is_an_answer(answer: str, tmp_path: Path) -> None:
    async with served(tmp_path, say(answer)) as (talk, server):
        await talk.user.add(["The weather was odd in the hills, they say", "听说山里的天气很怪"], session="s")
        assert await talk.memory.flush() == 0
        talk.clock.advance(days=1)
        assert await talk.memory.flush() == 0
        assert len(server.chats) == 1
        assert not [job for job in (await talk.memory.jobs()).items if job.state == "dead" or job.error]
        assert talk.memory.trouble is None


#: Replies that break off or say something else; with how many of the two facts are whole in them.
BROKEN: dict[str, tuple[Script, int]] = {
    "cut in the second fact": (say(GOOD[: GOOD.index("小雨") + 1]), 1),
    "cut in the first fact": (say(GOOD[:30]), 0),
    "cut in a thought": (say("<think>The user lives in Lisbon and"), 0),
    "refused": (say("I'm sorry, I can't help with personal information."), 0),
    "拒绝": (say("很抱歉，我无法处理个人信息。"), 0),
    "prose": (say("The user lives in Lisbon and has a daughter."), 0),
    "empty": (say(""), 0),
    "a web page": (say("<html><body>502 Bad Gateway</body></html>"), 0),
    "an error": (say('{"error": "model is overloaded"}'), 0),
    "only the end": (say(GOOD[-20:]), 0),
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("form", BROKEN)
async def test_what_is_whole_is_kept_and_the_rest_is_asked_for_once_more(form: str, store: str, tmp_path: Path) -> None:
    broken, _ = BROKEN[form]
    async with served(tmp_path, broken, say(GOOD), store=store) as (talk, server):
        assert await told(talk) == 0
        assert await talk.facts() == FACTS
        assert len(server.chats) == 2


@pytest.mark.parametrize("form", BROKEN)
async def test_what_stays_unreadable_waits_where_it_can_be_seen_and_is_read_when_the_model_is_better(form: str, tmp_path: Path) -> None:
    broken, whole = BROKEN[form]
    said = ("Lisbon has become my home", "小雨是我女儿来着")
    good = reply(fact("Lisbon has become my home", "residence", "Lisbon"), fact("小雨是我女儿", "child", "小雨", number=2))
    async with served(tmp_path, *[broken] * 4) as (talk, server):
        await talk.user.add(list(said), session="s")
        assert await talk.memory.flush() == 1
        assert not [record for record in await talk.records(*EVERY_STATUS) if "sorry" in record.text or "抱歉" in record.text]
        talk.clock.advance(minutes=2)
        assert await talk.memory.flush() == 1
        (job,) = [job for job in (await talk.memory.jobs()).items if job.kind == "extract"]
        assert job.error
        assert talk.memory.trouble
        assert whole in (0, 1)
        server.replies += [say(good)] * 4
        await talk.user.add("And one more thing: nothing", session="another")
        talk.clock.advance(hours=1)
        assert await talk.memory.flush() == 0
        assert "user · residence: Lisbon" in await talk.facts()


@pytest.mark.parametrize(
    "failure",
    [
        refuse(401, "no key"),
        refuse(500, "boom"),
        refuse(429, "slow down"),
        Streamed(deltas=({"content": '{"facts": [{'},), cut=True),
        Raw(body=b"<html>login</html>"),
    ],
)
async def test_a_server_that_fails_for_days_loses_nothing(failure: Script, tmp_path: Path) -> None:
    async with served(tmp_path, *[failure] * 50, store="file") as (talk, _):
        await talk.user.add("Lisbon has become my home", session="s")
        for _ in range(12):
            await talk.memory.flush()
            talk.clock.advance(hours=6)
        (job,) = [job for job in (await talk.memory.jobs()).items if job.kind == "extract"]
        assert job.state in ("queued", "dead")
        assert job.error
        assert "Lisbon has become my home" in await talk.found("Lisbon")
    # Another day, another server, and a person who tries again.
    async with served(tmp_path, say(reply(fact("Lisbon has become my home", "residence", "Lisbon"))), store="file") as (talk, _):
        talk.clock.advance(days=30)
        assert await talk.memory.revive([job.id]) == (job.state == "dead")
        assert await talk.memory.flush() == 0
        assert await talk.facts() == ["user · residence: Lisbon"]


# --- what they cut -----------------------------------------------------------------------------------------------------


async def test_a_server_that_reads_only_the_end_of_the_prompt_has_given_no_answer(tmp_path: Path) -> None:
    cut = say('{"facts": []}', usage={"prompt_tokens": 90, "completion_tokens": 5, "total_tokens": 95})
    async with served(tmp_path, *[cut] * 4) as (talk, _):
        await talk.user.add("Lisbon has become my home", session="s")
        assert await talk.memory.flush() == 1
        talk.clock.advance(minutes=2)
        await talk.memory.flush()
        (job,) = [job for job in (await talk.memory.jobs()).items if job.kind == "extract"]
        assert "num_ctx" in str(job.error)


async def test_a_chat_whose_server_cuts_the_prompt_is_warned(tmp_path: Path) -> None:
    cut = say("Hm?", usage={"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25})
    async with served(tmp_path, cut) as (talk, _):
        events = [event async for event in talk.user.chat(session="s").stream("What do you know about " + "my many many things, " * 100)]
        assert [event for event in events if isinstance(event, Warned) and "20" in event.text]


@pytest.mark.parametrize("text", ["I went for a walk and then I saw a film about the sea. ", "我散了步，然后看了一部关于大海的电影。"])
@pytest.mark.parametrize("window", [4_096, 8_192, 128_000])
async def test_the_prompt_is_short_whatever_was_said_and_the_conversation_stands_last(text: str, window: int, tmp_path: Path) -> None:
    model = ScriptedModel([reply()] * 100, context_window=window)
    async with talking(tmp_path, model=model, learn="model") as talk:
        await talk.user.add([f"{number}: {text * 12}" for number in range(12)], session="s")
        await talk.user.add(f"Lisbon has become my home. {text}", session="s")
        assert await talk.memory.flush() == 0
        for request in model.requests:
            assert sum(count_message(message["role"], message["content"]) for message in request.messages) < 2_000
            assert request.messages[-1]["role"] == "user"
            assert text.strip()[:5] in request.messages[-1]["content"][-400:]
            assert (request.temperature, request.tools) == (0.0, ())
        assert "Lisbon" in model.requests[-1].messages[-1]["content"]


# --- calls they garble -------------------------------------------------------------------------------------------------

ARGUMENTS = [
    '{"a":',
    "null",
    "[1]",
    '"x"',
    "",
    "{'query': 'tea'}",
    '{"query": "tea"',
    '{"query": 5}',
    "{}",
    "true",
    "x" * 5_000,
    '{"query": "' + "\\u12",
]


@pytest.mark.parametrize("arguments", ARGUMENTS)
@pytest.mark.parametrize("name", ["memory_search", "memory_append", "conversation_search", "memory_replace", "no_such_tool"])
async def test_a_call_with_broken_arguments_gets_an_error_and_bricks_nothing(arguments: str, name: str, tmp_path: Path) -> None:
    replies = [calls(name, arguments), say("Let me answer without it."), say("Yes, still here.")]
    async with served(tmp_path, *replies) as (talk, server):
        chat = talk.user.chat(session="s")
        events = [event async for event in chat.stream("Do I like tea?")]
        (returned,) = [event for event in events if isinstance(event, ToolReturned)]
        assert not returned.ok
        assert len(returned.result) < 1_000
        assert await chat.turn("Are you there?") == "Yes, still here."
        for body in server.chats:  # the server is strict: it refuses histories that real ones refuse
            for message in body["messages"]:
                for one in message.get("tool_calls") or ():
                    assert isinstance(json.loads(one["function"]["arguments"]), dict)
        assert not await talk.records(*EVERY_STATUS)


@pytest.mark.parametrize(
    "written",
    ['<tool_call>{"name": "memory_search", "arguments": {"query": "tea"}}</tool_call>',
     '<tool_call>\n{"name": "memory_search", "arguments": {"query": "tea"}\n</tool_call>',
     '<tool_call>{"name": "memory_search", "arguments": {"query": "tea"}'],
)  # fmt: skip
async def test_a_call_that_is_spelled_out_in_the_text_is_made_and_neither_shown_nor_kept_as_words(written: str, tmp_path: Path) -> None:
    async with served(tmp_path, say(f"Let me look. {written}"), say("You like tea.")) as (talk, server):
        await talk.user.remember("I like tea")
        said = await talk.user.chat(session="s").turn("What do I like?")
        assert "tool_call" not in said
        assert said.endswith("You like tea.")
        assert [message["role"] for message in server.chats[-1]["messages"]][-1] == "tool"
        for message in (await talk.user.messages()).items:
            assert "<tool_call>" not in message.text
        assert len(await talk.records(*EVERY_STATUS)) == 1


async def test_a_call_of_an_unknown_tool_in_the_text_is_only_text(tmp_path: Path) -> None:
    written = 'Use <tool_call>{"name": "rm", "arguments": {"path": "/"}}</tool_call> with care.'
    async with served(tmp_path, say(written)) as (talk, _):
        assert "rm" in await talk.user.chat(session="s").turn("How are calls written?")
        assert not await talk.records(*EVERY_STATUS)


# --- what they promise -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "promise", ["Saved!", "I've saved that to your memory.", "好的，我已经记住了！", "Noted. memory_append(likes tea)"]
)
@pytest.mark.parametrize(("said", "holds"), [("I like tea", "user · likes: tea"), ("我住在北京", "user · residence: 北京")])
async def test_what_is_kept_does_not_depend_on_what_a_model_says_it_keeps(promise: str, said: str, holds: str, tmp_path: Path) -> None:
    async with talking(tmp_path, model=ScriptedModel([promise] * 2)) as talk:
        assert await talk.user.chat(session="s").turn(said) == promise
        assert await talk.user.chat(session="t").turn("Please save that quokkas are marsupials") == promise
        await talk.memory.flush()
        assert await talk.facts(*EVERY_STATUS) == [holds]  # what was really written, for everybody to see
        assert said in await talk.found(said)


@pytest.mark.parametrize("supports_tools", [True, False])
@pytest.mark.parametrize(
    ("said", "asks"), [("My daughter is called Emma", "What is my daughter called?"), ("我女儿叫小雨", "我女儿叫什么？")]
)
async def test_what_is_remembered_is_shown_to_a_model_that_never_uses_a_tool(
    said: str, asks: str, supports_tools: bool, tmp_path: Path
) -> None:
    model = ScriptedModel(["Hm.", "Hm."], supports_tools=supports_tools)
    async with talking(tmp_path, model=model) as talk:
        await talk.tell(said)
        await talk.user.chat(session="new").turn(asks)
        assert said in "\n".join(str(message["content"]) for message in model.requests[-1].messages)


# --- two at once -------------------------------------------------------------------------------------------------------


def _pairs_up(messages: Sequence[dict[str, Any]]) -> bool:
    """Whether each result of a tool follows the call it answers, and each call has one."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return False
        waiting += [one["id"] for one in message.get("tool_calls") or ()]
    return not waiting


@pytest.mark.parametrize("store", STORES)
async def test_two_turns_at_once_in_one_session_come_one_after_the_other(store: str, tmp_path: Path) -> None:
    replies: list[Script] = []
    for number in range(2):
        replies += [calls("memory_search", {"query": "tea"}, id=f"call_{number}", delay=0.05), say(f"answer {number}", delay=0.05)]
    async with served(tmp_path, *replies, store=store) as (talk, server):
        answers = await asyncio.gather(talk.user.chat(session="s").turn("first?"), talk.user.chat(session="s").turn("second?"))
        assert sorted(answers) == ["answer 0", "answer 1"]
        assert all(_pairs_up(body["messages"]) for body in server.chats)
        assert [message.role for message in (await talk.user.messages("s")).items] == ["user", "assistant", "tool", "assistant"] * 2
        server.replies.append(say("fine"))
        assert await talk.user.chat(session="s").turn("and now?") == "fine"


async def test_turns_in_several_sessions_do_not_wait_for_each_other(tmp_path: Path) -> None:
    model = ScriptedModel([[call("memory_search", {"query": "tea"}), call("memory_search", {"query": "me"}, id="call_b")], *["fine"] * 9])
    async with talking(tmp_path, model=model) as talk:
        answers = await asyncio.gather(*(talk.user.chat(session=f"s{number}").turn("hello there?") for number in range(9)))
        assert answers == ["fine"] * 9
