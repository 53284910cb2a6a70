"""A caller of system calls, and what tests ask of one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from pagefile.intake import draft
from pagefile.messages import ToolCall
from pagefile.models.scripted import ScriptedModel
from pagefile.parts import Parts
from pagefile.records import Add, Block, Scope
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock, FakeIds, make_cause
from pagefile.tools import TOOLSETS, AnyTool, Caller, ToolResult, ToolsetName, execute

SHANGHAI = ZoneInfo("Asia/Shanghai")
ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")


def caller(store: MemoryStore | None = None, clock: FakeClock | None = None, **fields: object) -> Caller:
    parts = Parts(
        store=store or MemoryStore(),
        embedder=None,
        model=ScriptedModel(name="m"),
        now=clock or FakeClock(),
        new_id=FakeIds(),
        zone=SHANGHAI,
    )
    return Caller(parts=parts, **({"scope": ALICE, "session": "now"} | fields))  # type: ignore[arg-type]  # fields of the test's own


async def add_block(made: Caller, label: str = "human", text: str = "", **fields: object) -> None:
    block = Block(label=label, text=text, **fields)  # type: ignore[arg-type]  # fields of the test's own
    await made.parts.store.apply(made.scope, [Add(item=block, cause=make_cause())])


async def add(made: Caller, *messages: Mapping[str, object] | str, session: str = "before", scope: Scope = ALICE) -> None:
    await made.parts.store.append(scope, session, [draft(message, parts=made.parts) for message in messages])


async def ask(made: Caller, name: str, **arguments: object) -> ToolResult:
    return await ask_in("plain", made, name, **arguments)


async def ask_in(toolset: ToolsetName, made: Caller, name: str, **arguments: object) -> ToolResult:
    return await ask_of(TOOLSETS[toolset], made, name, **arguments)


async def ask_of(tools: Sequence[AnyTool], made: Caller, name: str, **arguments: object) -> ToolResult:
    return await execute(ToolCall(id="c", name=name, arguments=json.dumps(arguments)), made, tools)


async def text_of(made: Caller, label: str = "human") -> str:
    return next(block.text for block in await made.parts.store.blocks(made.scope, made.agent) if block.label == label)
