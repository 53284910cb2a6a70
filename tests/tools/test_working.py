"""A model keeps the status block by one call: what is known of the work at hand, and how far it has come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagefile.memory import AsyncMemory
from pagefile.messages import ToolCall
from pagefile.models.scripted import ScriptedModel
from pagefile.prompts import WORDINGS
from pagefile.records import Scope
from pagefile.tools import TOOLSETS, Caller, ToolResult, ToolsetName, calls_of, tool_specs
from pagefile.tools.calls import SystemCall
from pagefile.window import ChatSettings

from .callers import ALICE, add_block, ask_of, caller, text_of


async def update(made: Caller, toolset: ToolsetName = "plain", **arguments: object) -> ToolResult:
    return await ask_of(calls_of(toolset, status=True), made, "update_status", **arguments)


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_it_is_offered_beside_every_set_where_it_is_wanted_and_has_room_there(toolset: ToolsetName) -> None:
    (call,) = set(calls_of(toolset, status=True)) - set(calls_of(toolset))
    assert isinstance(call, SystemCall)
    assert calls_of(toolset) == TOOLSETS[toolset]
    assert ChatSettings(toolset=toolset).calls == TOOLSETS[toolset]
    for wording in WORDINGS:
        (spec,) = tool_specs(wording, [call])
        fields = spec.parameters["properties"]
        assert {name: fields[name]["type"] for name in ("known", "progress")} == {"known": "array", "progress": "array"}
        assert ("request_heartbeat" in fields) == (toolset == "memgpt")


@pytest.mark.parametrize(
    ("known", "progress", "text"),
    [
        (["two travellers"], ["flight booked"], "Known:\n- two travellers\nProgress:\n- flight booked"),
        (["两位旅客"], ["机票已订", "酒店等回复"], "已知：\n- 两位旅客\n进展：\n- 机票已订\n- 酒店等回复"),
        ("two travellers", "- flight booked", "Known:\n- two travellers\nProgress:\n- flight booked"),
    ],
)
async def test_one_call_writes_both_and_shows_what_stands_there(known: object, progress: object, text: str) -> None:
    made = caller()
    result = await update(made, known=known, progress=progress)
    assert result.ok
    assert text in result.text
    assert await text_of(made, "status") == text


async def test_what_is_not_given_stays_and_an_empty_list_removes() -> None:
    made = caller()
    await update(made, known=["two travellers"], progress=["flight booked"])
    await update(made, progress=["hotel booked"])
    assert await text_of(made, "status") == "Known:\n- two travellers\nProgress:\n- hotel booked"
    await update(made, known=[], progress=None)
    assert await text_of(made, "status") == "Progress:\n- hotel booked"
    assert not (await update(made)).ok
    assert not (await update(made, known=None)).ok
    assert not (await update(made, known=[1, 2])).ok
    assert not (await update(made, known={"a": "b"})).ok


async def test_it_is_written_in_the_models_name_and_a_call_that_fails_writes_nothing() -> None:
    made = caller(wording="zh")
    await add_block(made, "status", "已知：\n- 两位旅客", token_limit=30)
    full = await update(made, progress=["很长的一行" * 30])
    assert (full.ok, "超过上限 30" in full.text) == (False, True)
    assert (await update(made, progress=["机票已订"])).ok
    last = (await made.parts.store.history(ALICE, "block:status"))[-1]
    assert (last.cause.actor, last.cause.reason) == ("model:m", "update_status in session now")


async def test_a_read_only_status_is_the_applications() -> None:
    made = caller()
    await add_block(made, "status", "Known:\n- fixed", read_only=True)
    result = await update(made, known=["changed"])
    assert (result.ok, await text_of(made, "status")) == (False, "Known:\n- fixed")


async def test_an_agent_writes_the_status_that_it_sees() -> None:
    shared, planner = caller(), caller(agent="planner")
    planner = Caller(parts=shared.parts, scope=ALICE, session="now", agent="planner")
    await update(planner, known=["shared"])
    assert await text_of(shared, "status") == "Known:\n- shared"
    await add_block(shared, "status", "Known:\n- own", agent="planner")
    await update(planner, known=["own, later"])
    assert await text_of(planner, "status") == "Known:\n- own, later"
    assert await text_of(shared, "status") == "Known:\n- shared"


async def test_what_was_erased_is_not_written_back(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", model=ScriptedModel(name="m")) as memory:
        alice = memory.scope("alice")
        await alice.add("我对花生过敏。")
        await memory.flush()
        await alice.erase(session="default")
        made = Caller(parts=memory._parts, scope=Scope("default", "alice"), session="now")
        assert not (await update(made, known=["我对花生过敏"])).ok
        assert (await update(made, known=["喜欢爵士乐"])).ok


@pytest.mark.parametrize("toolset", ["plain", "memgpt"])
async def test_a_model_keeps_it_in_a_conversation_and_sees_it_in_the_next_turn(toolset: ToolsetName, tmp_path: Path) -> None:
    arguments = {"known": ["two travellers"], "progress": ["flight booked"], **({"request_heartbeat": True} if toolset == "memgpt" else {})}
    called = ToolCall(id="c1", name="update_status", arguments=json.dumps(arguments))
    said = [ToolCall(id="c2", name="send_message", arguments='{"message": "Booked."}')] if toolset == "memgpt" else "Booked."
    model = ScriptedModel([[called], said, said])
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", model=model) as memory:
        alice = memory.scope("alice")
        chat = alice.chat(settings=ChatSettings(toolset=toolset, status=True))
        assert await chat.turn("Book the flight for the two of us.") == "Booked."
        assert (await alice.status()).progress == ("flight booked",)
        await chat.turn("And now?")
        assert "- flight booked" in model.requests[-1].messages[0]["content"]
        assert (await alice.list()).items == (), "where a piece of work stands is no record"
