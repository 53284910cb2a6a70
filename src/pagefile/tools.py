"""The system calls: what a model may ask of its memory.

A model is an untrusted program. Whose memory a call reaches comes from the ``Caller``, never from the arguments; arguments are
checked before anything is done; whatever goes wrong is a sentence for the model, never an exception.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pagefile.context.render import notes_for_model
from pagefile.errors import BlockFull, ConflictError, EmbedderError, InputError, NotFound, StoreError, ToolError
from pagefile.language.dates import parse_time
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.language.tokens import count
from pagefile.messages import Message, ToolCall
from pagefile.parts import Parts
from pagefile.ports import ToolSpec
from pagefile.prompts import Wording, words
from pagefile.queries import Hit, Hits, Where
from pagefile.records import Block, Cause, Edit, Scope, Source, Trust
from pagefile.retrieval.recall import recall

#: A call that is changed under its hands by somebody else is tried again this often.
_ATTEMPTS = 3
_PREVIEW = 120
#: Whose messages a search shows: a system message is an instruction, and no memory.
_HEARD = ("user", "assistant", "tool")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """For whom, and from where, a model makes a system call."""

    parts: Parts
    scope: Scope
    session: str
    agent: str | None = None
    #: First sequence number that the model sees already.
    window_start: int = 1
    #: Tokens a result may take.
    max_tokens: int = 1_000
    wording: Wording = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call came to, as the model reads it."""

    text: str
    ok: bool
    #: What a person should know of it; the model need not.
    warning: str | None = None


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AppendArguments(_Arguments):
    """Of ``memory_append``."""

    label: str
    content: str


class ReplaceArguments(_Arguments):
    """Of ``memory_replace``."""

    label: str
    old_content: str
    new_content: str


class SearchArguments(_Arguments):
    """Of ``memory_search``."""

    query: str = Field(min_length=1)
    limit: int = Field(5, ge=1, le=50)


class ConversationArguments(_Arguments):
    """Of ``conversation_search``. A model that has no date gives none, null or an empty text."""

    query: str
    since: str | None = None
    until: str | None = None
    limit: int = Field(5, ge=1, le=50)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCall:
    """One system call: its name, the form of its arguments, and what it does."""

    name: str
    arguments: type[_Arguments]
    run: Callable[[Any, Caller], Awaitable[str]]

    def spec(self, wording: Wording) -> ToolSpec:
        """The call as it is offered to a model."""
        schema = self.arguments.model_json_schema()
        properties = {name: self._property(name, field, wording) for name, field in schema["properties"].items()}
        parameters = {
            "type": "object",
            "properties": properties,
            "required": schema.get("required", []),
            "additionalProperties": False,
        }
        return ToolSpec(name=self.name, description=words("tools", self.name, wording), parameters=parameters)

    def _property(self, name: str, field: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
        # Small models follow a plain type better than a choice of types with null.
        plain = next((choice for choice in field.get("anyOf", ()) if choice != {"type": "null"}), field)
        kept = {key: plain[key] for key in ("type", "minimum", "maximum") if key in plain}
        return {**kept, "description": words("tools", f"{self.name}.{name}", wording)}


async def execute(call: ToolCall, caller: Caller) -> ToolResult:
    """Do what the model asks. Every failure is a result that tells the model what went wrong and what to do."""
    try:
        system_call = _find(call.name, caller.wording)
        arguments = _arguments(system_call, call.arguments, caller.wording)
        return ToolResult(text=await system_call.run(arguments, caller), ok=True)
    except (ToolError, InputError) as error:
        return ToolResult(text=clean(str(error)), ok=False)
    except (StoreError, EmbedderError) as error:
        return ToolResult(text=words("tools", "store failed", caller.wording), ok=False, warning=f"{call.name} failed: {error}")


def require_room(block: Block, text: str, wording: Wording = "en") -> None:
    """Raise BlockFull if ``text`` is over the block's token limit; the message tells the present text and the space left."""
    tokens = count(text)
    if tokens <= block.token_limit:
        return
    used = count(block.text) if block.text else 0
    raise BlockFull(
        words(
            "tools",
            "block full",
            wording,
            label=block.label,
            tokens=tokens,
            limit=block.token_limit,
            used=used,
            left=max(0, block.token_limit - used),
            text=block.text,
        )
    )


# --- core memory -------------------------------------------------------------------------------------------------------


async def memory_append(arguments: AppendArguments, caller: Caller) -> str:
    """Add a line to a block."""
    content = redact(clean(arguments.content)).text
    if not content.strip():
        raise ToolError(words("tools", "no content", caller.wording))

    def appended(block: Block) -> str:
        if content.strip() in (line.strip() for line in block.text.splitlines()):
            return block.text
        return f"{block.text.rstrip(chr(10))}\n{content}" if block.text else content

    return await _rewrite(arguments.label, appended, caller, "memory_append")


async def memory_replace(arguments: ReplaceArguments, caller: Caller) -> str:
    """Put new text in the place of old text that occurs once in a block."""
    old, new = clean(arguments.old_content), redact(clean(arguments.new_content)).text
    if not old:
        raise ToolError(words("tools", "old empty", caller.wording))

    def replaced(block: Block) -> str:
        times = _occurrences(block.text, old)
        if times > 1:
            raise ToolError(words("tools", "occurs often", caller.wording, times=times, label=block.label))
        if not times:
            nearest = difflib.get_close_matches(old, block.text.splitlines(), n=3, cutoff=0.5)
            shown = "\n".join(nearest) or block.text or words("window", "empty", caller.wording)
            raise ToolError(words("tools", "occurs never", caller.wording, label=block.label, candidates=shown))
        return block.text.replace(old, new)

    return await _rewrite(arguments.label, replaced, caller, "memory_replace")


async def _rewrite(label: str, change: Callable[[Block], str], caller: Caller, call: str) -> str:
    for _ in range(_ATTEMPTS):
        block = await _block(label.strip(), caller)
        if block.read_only:
            raise ToolError(words("tools", "read only", caller.wording, label=block.label))
        text = change(block)
        if text == block.text:
            return words("tools", "unchanged", caller.wording, label=block.label)
        require_room(block, text, caller.wording)
        parts = caller.parts
        cause = Cause(actor=f"model:{parts.model.name}", reason=f"{call} in session {caller.session}", at=parts.now())
        edit = Edit(target=block.label, fields={"text": text}, cause=cause, expected_version=block.version, agent=block.agent)
        try:
            await parts.store.apply(caller.scope, [edit])
        except (ConflictError, NotFound):
            continue  # changed or removed in between: look again
        used = count(text) if text else 0
        shown = text or words("window", "empty", caller.wording)
        return words("tools", "saved", caller.wording, label=block.label, used=used, limit=block.token_limit, text=shown)
    raise ToolError(words("tools", "changed meanwhile", caller.wording, label=label))


async def _block(label: str, caller: Caller) -> Block:
    blocks = await caller.parts.store.blocks(caller.scope, caller.agent)
    for block in blocks:
        if block.label == label:
            return block
    labels = ", ".join(f'"{block.label}"' for block in blocks) or "-"
    raise ToolError(words("tools", "no block", caller.wording, label=label[:_PREVIEW], labels=labels))


def _occurrences(text: str, part: str) -> int:
    """How often a part occurs, overlapping occurrences included."""
    return sum(text.startswith(part, place) for place in range(len(text)))


# --- searches ----------------------------------------------------------------------------------------------------------


async def memory_search(arguments: SearchArguments, caller: Caller) -> str:
    """Look for records and messages that answer a question."""
    parts = caller.parts
    where = Where(not_in_window=(caller.session, caller.window_start), alive_at=parts.now())
    hits = await recall(parts, caller.scope, clean(arguments.query), where=where, limit=arguments.limit)
    return _found(hits, caller)


async def conversation_search(arguments: ConversationArguments, caller: Caller) -> str:
    """Look for what was said, within dates; without a query, everything said within them."""
    parts = caller.parts
    now, query = parts.now(), clean(arguments.query).strip()
    since = _edge("since", arguments.since, now, caller)
    until = _edge("until", arguments.until, now, caller)
    where = Where(
        kinds=("message",), roles=_HEARD, not_in_window=(caller.session, caller.window_start), since=since, until=until, alive_at=now
    )
    if query:
        hits = await recall(parts, caller.scope, query, where=where, limit=arguments.limit)
        return _found(hits, caller)
    if since is None and until is None:
        raise ToolError(words("tools", "no dates", caller.wording))
    page = await parts.store.messages(caller.scope, None, where=where, limit=arguments.limit)
    said = tuple(_as_hit(message) for message in page.items if message.text.strip())
    more = page.total - len(page.items)
    return _found(Hits(hits=said), caller) + (f"\n{words('tools', 'more', caller.wording, number=more)}" if more > 0 else "")


def _edge(name: Literal["since", "until"], text: str | None, now: datetime, caller: Caller) -> datetime | None:
    if not text or not text.strip():
        return None
    found = parse_time(clean(text), reference=now, zone=caller.parts.zone)
    edge = found.start if name == "since" else found.end
    if edge is None:
        # "since: until May" names no beginning. Searching everything instead would be a wrong answer that looks right.
        raise ToolError(words("tools", "open date", caller.wording, name=name, text=text[:_PREVIEW]))
    return edge


def _as_hit(message: Message) -> Hit:
    trust = {"user": Trust.USER_SAID, "assistant": Trust.ASSISTANT_SAID}.get(message.role, Trust.TOOL_OUTPUT)
    return Hit(
        id=message.id,
        kind="message",
        text=message.text,
        score=1.0,
        time=message.said_at,
        session=message.session,
        speaker=message.speaker,
        role=message.role,
        sources=(Source(message=message.id, external_id=message.external_id),),
        trust=trust,
        tokens=message.tokens,
    )


def _found(hits: Hits, caller: Caller) -> str:
    notes = notes_for_model(hits.hits, zone=caller.parts.zone, wording=caller.wording, limit=caller.max_tokens)
    if notes.hits:
        return f"{words('tools', 'found', caller.wording, number=len(notes.hits))}\n{notes.text}"
    detail = ""
    if hits.below_floor or hits.filtered_out:
        detail = f" {words('tools', 'nothing detail', caller.wording, below=hits.below_floor, filtered=hits.filtered_out)}"
    return words("tools", "nothing", caller.wording, detail=detail)


# --- the table ---------------------------------------------------------------------------------------------------------

SYSTEM_CALLS: tuple[SystemCall, ...] = (
    SystemCall(name="memory_append", arguments=AppendArguments, run=memory_append),
    SystemCall(name="memory_replace", arguments=ReplaceArguments, run=memory_replace),
    SystemCall(name="memory_search", arguments=SearchArguments, run=memory_search),
    SystemCall(name="conversation_search", arguments=ConversationArguments, run=conversation_search),
)


def tool_specs(wording: Wording) -> tuple[ToolSpec, ...]:
    """All system calls as they are offered to a model."""
    return tuple(call.spec(wording) for call in SYSTEM_CALLS)


def _find(name: str, wording: Wording) -> SystemCall:
    for call in SYSTEM_CALLS:
        if call.name == name:
            return call
    tools = ", ".join(call.name for call in SYSTEM_CALLS)
    raise ToolError(words("tools", "no tool", wording, name=name[:_PREVIEW], tools=tools))


def _arguments(call: SystemCall, text: str, wording: Wording) -> _Arguments:
    fields = ", ".join(call.arguments.model_fields)
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_object(call, text, str(error) or type(error).__name__, wording) from error
    if not isinstance(parsed, dict):
        raise _no_object(call, text, type(parsed).__name__, wording)
    try:
        return call.arguments.model_validate(parsed)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))[:_PREVIEW]}: {one['msg']}" for one in error.errors()[:4])
        raise ToolError(words("tools", "arguments wrong", wording, name=call.name, problem=problems, fields=fields)) from error


def _no_object(call: SystemCall, text: str, problem: str, wording: Wording) -> ToolError:
    preview = text if len(text) <= _PREVIEW else f"{text[:_PREVIEW]}…"
    fields = ", ".join(call.arguments.model_fields)
    return ToolError(words("tools", "arguments no object", wording, name=call.name, problem=problem, preview=clean(preview), fields=fields))
