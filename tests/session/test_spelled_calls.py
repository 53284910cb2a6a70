"""A turn whose model spells its calls out in the text: they are made; nobody sees, keeps or learns their text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pagefile import AsyncMemory
from pagefile.events import TextDelta, ToolCalled, ToolReturned
from pagefile.messages import Message
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.scoped import AsyncScopedMemory
from pagefile.testing.openai_server import OpenAIServer, Script, say

ARGUMENTS = '{"label": "human", "content": "养了一只叫小花的猫"}'
CALL = f'{{"name": "memory_append", "arguments": {ARGUMENTS}}}'
FORMS = {
    "Hermes": f"<tool_call>\n{CALL}\n</tool_call>",
    "Qwen-Coder": "<tool_call>\n<function=memory_append>\n<parameter=label>\nhuman\n</parameter>\n<parameter=content>\n养了一只叫小花的猫\n"
    "</parameter>\n</function>\n</tool_call>",
    "GLM": "<tool_call>memory_append\n<arg_key>label</arg_key>\n<arg_value>human</arg_value>\n<arg_key>content</arg_key>\n"
    "<arg_value>养了一只叫小花的猫</arg_value>\n</tool_call>",
    "Llama": f"<function=memory_append>{ARGUMENTS}</function>",
    "Llama, Python mark": f"<|python_tag|>{CALL}",
    "Mistral": f"[TOOL_CALLS][{CALL}]",
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>memory_append\n"
    f"```json\n{ARGUMENTS}\n```<｜tool▁call▁end｜>",
    "Gemma": '```tool_code\nprint(memory_append(label="human", content="养了一只叫小花的猫"))\n```',
    "single quotes": f"<tool_call>{CALL}</tool_call>".replace('"', "'"),
    "last brace lost": f"<tool_call>{CALL[:-1]}</tool_call>",
}
MARKS = ("tool", "memory_append", "<", ">", "```", "▁", "{", "arg_")


@dataclass(kw_only=True)
class Served:
    memory: AsyncMemory
    alice: AsyncScopedMemory
    server: OpenAIServer

    async def journal(self) -> list[Message]:
        return list((await self.alice.messages("s", limit=50)).items)


@asynccontextmanager
async def served(folder: Path, replies: Sequence[Script]) -> AsyncIterator[Served]:
    with OpenAIServer(replies) as server:
        model = OpenAIModel("small:3b", base_url=server.url, patience=Patience(retries=0, silence=20), context_window=8_192)
        async with await AsyncMemory.open(folder / "memory.db", embedder="none", model=model, learn="rules") as memory:
            yield Served(memory=memory, alice=memory.scope("alice"), server=server)


@pytest.mark.parametrize("form", FORMS)
async def test_it_is_made_and_never_seen_kept_or_learnt(form: str, tmp_path: Path) -> None:
    replies = [say(f"好的，我记下来。\n{FORMS[form]}", size=3, usage=None), say("记好了：小花。", usage=None)]
    async with served(tmp_path, replies) as made:
        events = [event async for event in made.alice.chat(session="s").stream("我养了一只叫小花的猫。")]
        shown = "".join(event.text for event in events if isinstance(event, TextDelta))
        assert "记好了：小花。" in shown and not any(mark in shown for mark in MARKS)
        assert [event.ok for event in events if isinstance(event, ToolReturned)] == [True]
        journal = await made.journal()
        assert [(message.role, len(message.tool_calls)) for message in journal] == [
            ("user", 0),
            ("assistant", 1),
            ("tool", 0),
            ("assistant", 0),
        ]
        assert not any(mark in message.text for message in journal if message.role != "tool" for mark in MARKS)
        assert "养了一只叫小花的猫" in next(block.text for block in await made.alice.blocks() if block.label == "human")
        await made.memory.flush()
        records = (await made.alice.list(statuses=("current", "pending", "superseded", "retired"), limit=100)).items
        assert not any(mark in f"{record.text} {record.value}" for record in records for mark in MARKS)
        assert len(made.server.chats) == 2


async def test_talk_about_calls_is_an_answer(tmp_path: Path) -> None:
    answer = '通义千问这样写：\n```xml\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "北京"}}\n</tool_call>\n```\n就这样。'
    async with served(tmp_path, [say(answer, usage=None)]) as made:
        assert await made.alice.chat(session="s").turn("<tool_call> 是怎么写的？") == answer
        assert [message.text for message in await made.journal()] == ["<tool_call> 是怎么写的？", answer]


async def test_a_client_that_goes_away_in_the_middle_of_a_call_leaves_no_piece_of_it(tmp_path: Path) -> None:
    async with served(tmp_path, [say(f"我看看。\n{FORMS['Hermes']}", size=2, pause=0.02, usage=None), say("在。", usage=None)]) as made:
        stream = made.alice.chat(session="s").stream("你好")
        shown = ""

        async def listen() -> None:
            nonlocal shown
            async for event in stream:
                shown += event.text if isinstance(event, TextDelta) else ""

        task = asyncio.create_task(listen())
        while "。" not in shown:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await stream.aclose()
        said = [(message.role, message.text) for message in await made.journal()]
        assert said[0] == ("user", "你好") and len(said) == 2
        assert said[1][1].startswith("我看看。") and not any(mark in said[1][1] for mark in MARKS)
        assert await made.alice.chat(session="s").turn("还在吗？") == "在。"


async def test_a_client_that_goes_away_while_a_call_is_made_leaves_it_with_a_result(tmp_path: Path) -> None:
    async with served(tmp_path, [say(FORMS["GLM"], usage=None), say("在。", usage=None)]) as made:
        stream = made.alice.chat(session="s").stream("你好")
        async for event in stream:
            if isinstance(event, ToolCalled):
                break
        await stream.aclose()
        journal = await made.journal()
        assert [message.role for message in journal] == ["user", "assistant", "tool"]
        assert journal[2].tool_call_id == journal[1].tool_calls[0].id
        assert await made.alice.chat(session="s").turn("还在吗？") == "在。"
