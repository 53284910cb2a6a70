"""The MCP server itself, over the official SDK: which requests there are, and how they are answered. The same for both transports."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

import pagefile.server.mcp.greeting as greeting
from pagefile.errors import AccessError, EmbedderError, InputError, PagefileError, StoreError, ToolError
from pagefile.language.text import clean
from pagefile.prompts import WORDINGS, Wording, words
from pagefile.server.mcp.forms import ANSWERS, FORMS, Answer, Form, plain
from pagefile.server.mcp.resources import BlockText, Watch

logger = logging.getLogger(__name__)

Context: TypeAlias = ServerRequestContext[Any, Any]
#: The prompt that teaches a model when to use the tools.
PROMPT = "use_memory"
_READ_ONLY = frozenset({"recall", "list_memories", "why"})
#: Doing it again changes nothing more.
_IDEMPOTENT = _READ_ONLY | {"remember", "forget"}
_DESTRUCTIVE = frozenset({"forget", "update"})
_PREVIEW = 200


class Doing(Protocol):
    """Does what is asked, once there is a memory. ``context`` says for whom. Each raises PagefileError."""

    async def call(self, tool: str, form: Form, context: Context) -> Answer:
        """What a tool answers."""
        ...

    async def blocks(self, context: Context) -> tuple[BlockText, ...]:
        """The blocks of core memory."""
        ...

    def redact(self, text: str) -> str:
        """The text of an error without secrets."""
        ...


@asynccontextmanager
async def _nothing(server: Server[Any]) -> AsyncIterator[None]:
    yield


def make_server(
    doing: Doing,
    wording: Wording,
    watch: Watch,
    *,
    keeps_sessions: bool,
    lifespan: Callable[[Server[Any]], AbstractAsyncContextManager[Any]] = _nothing,
) -> Server[Any]:
    """The server. ``keeps_sessions``: there is one connection that lasts, so that a client of the older protocol can be told of changes."""
    answering = _Answering(doing, wording, local=keeps_sessions)

    async def read(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await answering.read(context, params)

    async def subscribe(context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        watch.follow(await answering.block(context, params.uri), context)
        return types.EmptyResult()

    async def unsubscribe(context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        watch.leave(params.uri)
        return types.EmptyResult()

    server = Server(
        greeting.NAME,
        title=greeting.TITLE,
        version=greeting.own_version(),
        instructions=greeting.instructions(wording),
        lifespan=lifespan,
        on_list_tools=answering.tools,
        on_call_tool=answering.call,
        on_list_resources=answering.resources,
        on_list_resource_templates=answering.templates,
        on_read_resource=read,
        on_subscribe_resource=subscribe if keeps_sessions else None,
        on_unsubscribe_resource=unsubscribe if keeps_sessions else None,
        on_subscriptions_listen=watch.listen,
        on_list_prompts=answering.prompts,
        on_get_prompt=answering.prompt,
    )
    # The SDK would report each call to a collector of OpenTelemetry, if the program that starts us has set one up for itself.
    server.middleware.clear()
    return server


class _Answering:
    """Answers requests."""

    def __init__(self, doing: Doing, wording: Wording, *, local: bool) -> None:
        """``local``: the client is on this machine, and may know where the store is and what is wrong with it."""
        self._doing = doing
        self._local = local
        self._wording = wording
        self._tools = [_tool(name, wording) for name in FORMS]

    # --- tools -----------------------------------------------------------------------------------------------------------

    async def tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Every failure is a result that tells the model what went wrong and what to do."""
        name = params.name
        if name not in FORMS:
            return self._failed("no such tool", tool=clean(name)[:_PREVIEW], tools=", ".join(FORMS))
        try:
            answer = await self._doing.call(name, FORMS[name].model_validate(params.arguments or {}), context)
        except ValidationError as error:
            problem = self._doing.redact(_problems(error))
            return self._failed("wrong arguments", tool=name, problem=problem, known=", ".join(FORMS[name].model_fields))
        except (ToolError, InputError) as error:
            return _error(self._doing.redact(clean(str(error))))
        except AccessError as error:
            return self._failed("not allowed", problem=str(error))
        except (StoreError, EmbedderError) as error:
            logger.warning("%s failed: %s", name, error)
            told = self._doing.redact(clean(str(error))) if self._local else words("mcp", "see the log", self._wording)
            return self._failed("store failed", problem=f"{told}.")
        except PagefileError as error:
            return _error(self._doing.redact(clean(str(error))))
        except Exception:
            logger.exception("%s failed", name)
            return self._failed("failed")
        structured = answer.model_dump(mode="json", exclude_none=True)
        text = answer.model_dump_json(exclude_none=True)
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=structured)

    def _failed(self, section: str, **values: object) -> types.CallToolResult:
        return _error(words("mcp", section, self._wording, **values))

    # --- resources -------------------------------------------------------------------------------------------------------

    async def resources(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[self._resource(block) for block in await self._blocks(context)])

    async def templates(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        block = await self.block(context, params.uri)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=block.uri, mime_type="text/plain", text=block.text)])

    async def block(self, context: Context, uri: str) -> BlockText:
        """The block behind an address. Raises MCPError, the same for one that is not there and for one that is another's."""
        for block in await self._blocks(context):
            if block.uri == uri:
                return block
        shown = clean(uri)[:_PREVIEW]
        raise MCPError(types.INVALID_PARAMS, words("mcp", "no block", self._wording, uri=shown), data={"uri": shown})

    async def _blocks(self, context: Context) -> tuple[BlockText, ...]:
        try:
            return await self._doing.blocks(context)
        except PagefileError as error:
            if self._local or isinstance(error, AccessError | InputError):
                raise MCPError(types.INVALID_REQUEST, self._doing.redact(clean(str(error)))) from error
            logger.warning("blocks cannot be read: %s", error)
            raise MCPError(types.INTERNAL_ERROR, words("mcp", "see the log", self._wording)) from error

    def _resource(self, block: BlockText) -> types.Resource:
        return types.Resource(
            uri=block.uri,
            name=block.label,
            description=words("mcp", "block", self._wording, description=block.description).rstrip(" :：。"),
            mime_type="text/plain",
            size=len(block.text.encode()),
        )

    # --- the prompt ------------------------------------------------------------------------------------------------------

    async def prompts(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        language = types.PromptArgument(name="language", description=" / ".join(WORDINGS), required=False)
        prompt = types.Prompt(name=PROMPT, description=words("mcp", "prompt", self._wording), arguments=[language])
        return types.ListPromptsResult(prompts=[prompt])

    async def prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {clean(params.name)[:_PREVIEW]!r}; there is {PROMPT}")
        asked = (params.arguments or {}).get("language") or self._wording
        wording = next((each for each in WORDINGS if each == asked), None)
        if wording is None:
            raise MCPError(types.INVALID_PARAMS, f"the language must be one of {', '.join(WORDINGS)}, not {clean(asked)[:_PREVIEW]!r}")
        text = types.TextContent(text=words("mcp", "prompt text", wording))
        message = types.PromptMessage(role="user", content=text)
        return types.GetPromptResult(description=words("mcp", "prompt", wording), messages=[message])


def _tool(name: str, wording: Wording) -> types.Tool:
    """A tool as a host sees it."""
    arguments = plain(FORMS[name].model_json_schema())
    for each, schema in arguments["properties"].items():
        own = f"{name}.{each}"
        schema["description"] = words("mcp", own if each != "cursor" else "cursor", wording)
    title = words("mcp", f"{name}.title", wording)
    return types.Tool(
        name=name,
        title=title,
        description=words("mcp", name, wording),
        input_schema=arguments,
        output_schema=plain(ANSWERS[name].model_json_schema(mode="serialization")),
        annotations=types.ToolAnnotations(
            title=title,
            read_only_hint=name in _READ_ONLY,
            destructive_hint=name in _DESTRUCTIVE,
            idempotent_hint=name in _IDEMPOTENT,
            open_world_hint=False,
        ),
    )


def _error(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _problems(error: ValidationError) -> str:
    """What is wrong, without what was given: it may be long, or a secret."""
    found: Mapping[str, str] = {".".join(map(str, one["loc"]))[:80]: one["msg"] for one in error.errors(include_input=False)[:4]}
    return clean("; ".join(f"{name}: {said}" for name, said in found.items()))
