"""The calls of a model: what it may ask of its memory, in sets to choose from, and the application's own tools beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pagefile.blocks import require_room
from pagefile.errors import EmbedderError, InputError, StoreError, ToolError
from pagefile.language.text import clean
from pagefile.messages import ToolCall
from pagefile.ports import ToolSpec
from pagefile.prompts import Wording, words
from pagefile.tools.calls import PREVIEW, Caller, SystemCall, parse
from pagefile.tools.own import Tool
from pagefile.tools.sets import TOOLSETS, ToolsetName, calls_of, guide

__all__ = [
    "TOOLSETS",
    "AnyTool",
    "Caller",
    "SystemCall",
    "Tool",
    "ToolResult",
    "ToolsetName",
    "calls_of",
    "execute",
    "find",
    "guide",
    "require_room",
    "tool_specs",
]

AnyTool: TypeAlias = SystemCall | Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call came to, as the model reads it."""

    text: str
    ok: bool
    #: What a person should know of it; the model need not.
    warning: str | None = None
    #: The model asked to be asked again after it.
    heartbeat: bool = False


def tool_specs(wording: Wording, tools: Sequence[AnyTool] = TOOLSETS["plain"]) -> tuple[ToolSpec, ...]:
    """Calls as they are offered to a model."""
    return tuple(tool.spec(wording) for tool in tools)


def find(name: str, tools: Sequence[AnyTool]) -> AnyTool | None:
    """The call of that name."""
    return next((tool for tool in tools if tool.name == name), None)


async def execute(call: ToolCall, caller: Caller, tools: Sequence[AnyTool] = TOOLSETS["plain"]) -> ToolResult:
    """Do what the model asks. Every failure is a result that tells the model what went wrong and what to do."""
    wording = caller.wording
    try:
        if (tool := find(call.name, tools)) is None:
            names = ", ".join(each.name for each in tools) or "-"
            raise ToolError(words("tools", "no tool", wording, name=call.name[:PREVIEW], tools=names))
        arguments = parse(tool.name, tool.arguments, call.arguments, wording)
        text = await tool.run(arguments, replace(caller, call=tool.name))
        return ToolResult(text=text, ok=True, heartbeat=bool(getattr(arguments, "request_heartbeat", False)))
    except (ToolError, InputError) as error:
        # Who failed is asked again, so that it can be mended.
        return ToolResult(text=clean(str(error)), ok=False, heartbeat=True)
    except (StoreError, EmbedderError) as error:
        return ToolResult(text=words("tools", "store failed", wording), ok=False, warning=f"{call.name} failed: {error}", heartbeat=True)
