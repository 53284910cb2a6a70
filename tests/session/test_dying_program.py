"""A program that is killed in the middle of a turn takes nothing with it that was said, and leaves a session that others can go on with."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from pagefile import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.testing.openai_server import check_chat_request

DYING = Path(__file__).parent / "dying.py"
#: Where it is killed, and who has said something by then.
LEFT = {
    "asked": ["user"],
    "said": ["user"],
    "called": ["user", "assistant"],
    "answered": ["user", "assistant", "tool", "tool"],
}


@pytest.mark.parametrize("where", LEFT)
async def test_another_program_goes_on_where_it_was_killed(where: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    program = await asyncio.create_subprocess_exec(sys.executable, str(DYING), str(path), where, stdout=asyncio.subprocess.PIPE)
    assert program.stdout is not None
    assert (await asyncio.wait_for(program.stdout.readline(), 60)).strip() == b"here"
    model = ScriptedModel(["我在。"])
    async with await AsyncMemory.open(path, embedder="none", model=model, learn="off") as memory:
        alice = memory.scope("alice")
        # Begun while the other is still at work: it waits.
        answer = asyncio.create_task(alice.chat(session="shared").turn("还在吗？"))
        await asyncio.sleep(0.2)
        assert not answer.done()
        program.kill()
        await program.wait()
        assert await asyncio.wait_for(answer, 30) == "我在。"
        journal = (await alice.messages("shared", limit=50)).items
        assert [message.role for message in journal] == [*LEFT[where], "user", "assistant"]
        assert journal[0].text == "我的问题"
        (request,) = model.requests
        tools = [{"type": "function", "function": {"name": one.name, "parameters": one.parameters}} for one in request.tools]
        check_chat_request({"model": "m", "messages": list(request.messages), "tools": tools})
        assert sum(message["role"] == "tool" for message in request.messages) == (2 if where in {"called", "answered"} else 0)
        assert "我的问题" in str(request.messages)
