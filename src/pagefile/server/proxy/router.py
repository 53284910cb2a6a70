"""The OpenAI-compatible interface: an application that speaks it remembers once its base URL is that of this server."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.responses import Response

import pagefile.server.proxy.relay as relay
from pagefile.adding import off_loop
from pagefile.errors import InputError, NotAllowed, NotFound
from pagefile.exchange import Exchange, Mode
from pagefile.records import Scope
from pagefile.server.caller import BOTH, Caller, ReadCaller, Rights, State, WriteCaller
from pagefile.server.problems import RESPONSES
from pagefile.server.proxy.calls import CallingRelay
from pagefile.server.proxy.embeddings import embedded
from pagefile.server.proxy.helpers import is_helper_call
from pagefile.server.proxy.local import Local
from pagefile.server.proxy.relay import Relay
from pagefile.server.proxy.request import Wanted, parsed, wanted
from pagefile.server.proxy.responses import ResponsesRelay, foreign, messages_of, session_of
from pagefile.server.proxy.upstream import headers_to_send
from pagefile.server.state import ServerState

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"], responses=RESPONSES)

#: What else an endpoint may be asked for. It is passed on as it is; memory has no part in it.
_PASSED_ON = (
    *("completions", "moderations", "rerank", "audio/speech", "audio/transcriptions", "audio/translations"),
    *("images/generations", "images/edits", "images/variations"),
)


@router.post("/chat/completions", summary="Chat, with what is remembered", response_model=None)
async def chat_completions(request: Request, caller: WriteCaller, state: State) -> Any:
    """As OpenAI's: https://platform.openai.com/docs/api-reference/chat. The headers X-Pagefile-User, X-Pagefile-Tenant,
    X-Pagefile-Session and X-Pagefile-Mode say whose memory it is, which conversation goes on, and what memory is to do."""
    content = await request.body()
    body = await off_loop(len(content), parsed, content)
    if body is None:
        return _to_endpoint(request, caller, state, content, {}) if state.upstream else _refused("the body is no JSON object")
    asked = wanted(request.headers, body, state.settings)
    messages = _messages(body)
    if messages is None or is_helper_call(body):
        asked = replace(asked, mode="off")
    if body.get("n") not in (None, 1):
        asked = replace(asked, tools=None)  # one choice may call while another answers: there is no going on behind both
    exchange = await _begun(request, caller, state, asked, messages or [])
    if state.upstream is not None:
        calls = exchange is not None and asked.tools is not None
        return _to_endpoint(request, caller, state, content, body, exchange, calls=calls)
    if messages is None:
        raise InputError("messages must be a list of at least one message, each an object with role and content")
    return Local(state.memory.model, body, exchange.messages() if exchange else messages, exchange)


async def _begun(request: Request, caller: Caller, state: ServerState, asked: Wanted, messages: list[Mapping[str, Any]]) -> Exchange | None:
    """The exchange, with what is new in the journal; None: memory has no part in it. Raises NotFound, NotAllowed, InputError."""
    scope = _scope(caller, asked)
    request.state.scope = scope
    if asked.mode == "off":
        return None
    mine = state.memory.scope(scope.user, tenant=scope.tenant)
    calls = state.upstream is not None and asked.mode != "learn"
    exchange = mine.exchange(messages, session=asked.session, mode=asked.mode, toolset=asked.tools if calls else None)
    await exchange.begin()
    return exchange


def _scope(caller: Caller, asked: Wanted) -> Scope:
    """Whose memory it is. Raises NotFound, NotAllowed, InputError."""
    try:
        return caller.scope(asked.user, tenant=asked.tenant, right=_rights(asked.mode))
    except NotAllowed as error:
        if not caller.has("write"):
            raise
        hint = "or send X-Pagefile-Mode: learn, by which nothing that is kept is shown, and which needs no right to read"
        raise NotAllowed(f"{error}, {hint}") from error


def _rights(mode: Mode) -> Rights:
    """What is shown to the model its answer may repeat: the key must be allowed to read it. All routes need the right to write."""
    return ("write",) if mode in ("off", "learn") else BOTH


def _messages(body: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """The messages of a request; None: they are none that could be read."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(one, Mapping) for one in messages):
        return None
    return messages


def _to_endpoint(
    request: Request,
    caller: Caller,
    state: ServerState,
    content: bytes,
    body: Mapping[str, Any],
    exchange: Exchange | None = None,
    *,
    calls: bool = False,
) -> Relay:
    assert state.upstream is not None, "the caller looked"
    sent = _request(request, caller, state, content, body)
    if calls and exchange is not None:
        return CallingRelay(state.upstream, sent, exchange)
    return Relay(state.upstream, sent, exchange=exchange)


def _request(request: Request, caller: Caller, state: ServerState, content: bytes, body: Mapping[str, Any]) -> relay.Request:
    """What goes to the endpoint."""
    assert state.upstream is not None, "the caller looked"
    path, query = request.url.path.removeprefix("/v1/"), request.url.query
    return relay.Request(
        method=request.method,
        path=f"{path}?{query}" if query else path,
        headers=headers_to_send(request.headers, upstream=state.upstream, open_door=caller.key is None),
        content=content,
        body=body,
    )


@router.post("/responses", summary="A response, with what is remembered", response_model=None)
async def responses(request: Request, caller: WriteCaller, state: State) -> Any:
    """As OpenAI's: https://platform.openai.com/docs/api-reference/responses. Passed on to an endpoint that has it; with the same headers as
    a chat."""
    if state.upstream is None:
        raise NotFound("no endpoint is set that could do this; use /v1/chat/completions, or set PAGEFILE_MODEL")
    content = await request.body()
    body = await off_loop(len(content), parsed, content)
    if body is None:
        return _refused("the body is no JSON object")
    messages = messages_of(body)
    asked = replace(wanted(request.headers, body, state.settings), tools=None)
    if not messages or is_helper_call({**body, "messages": messages}):
        asked = replace(asked, mode="off")
    scope = _scope(caller, asked)
    if name := foreign(body, scope, strict=caller.key is not None):
        return _not_found(f"{name} names nothing of this user's that is known here; send the whole history as input instead", name)
    asked = replace(asked, session=asked.session or session_of(body, scope))
    exchange = await _begun(request, caller, state, asked, messages)
    return ResponsesRelay(state.upstream, _request(request, caller, state, content, body), exchange, scope)


@router.get("/models", summary="The models there are", response_model=None)
async def models(request: Request, caller: ReadCaller, state: State) -> Any:
    """Those of the endpoint; without one, the model that answers from memory."""
    if state.upstream is not None:
        return _to_endpoint(request, caller, state, b"", {})
    return JSONResponse({"object": "list", "data": [_own_model(state)]})


@router.get("/models/{name:path}", summary="One model", response_model=None)
async def model(name: str, request: Request, caller: ReadCaller, state: State) -> Any:
    """As the endpoint tells of it."""
    if "%" in name or any(part in ("", ".", "..") for part in name.split("/")):
        raise NotFound("there is no model of this name")  # it would be another address of the endpoint
    if state.upstream is not None:
        return _to_endpoint(request, caller, state, b"", {})
    own = _own_model(state)
    if name != own["id"]:
        raise NotFound(f"there is no model {name!r:.100} here, but {own['id']!r}")
    return JSONResponse(own)


def _own_model(state: ServerState) -> dict[str, Any]:
    return {"id": state.memory.model.name, "object": "model", "created": int(time.time()), "owned_by": "pagefile"}


@router.post("/embeddings", summary="Vectors of texts", response_model=None)
async def embeddings(request: Request, caller: ReadCaller, state: State) -> Any:
    """By the endpoint; where there is none, or it makes no vectors, by the memory's own embedder."""
    content = await request.body()
    embedder = state.memory.embedder

    async def own() -> Response:
        if embedder is None:
            raise NotFound("no endpoint and no embedder makes vectors here; set PAGEFILE_EMBEDDER, or install pagefile[local]")
        body = parsed(content)
        return _refused("the body is no JSON object") if body is None else JSONResponse(await embedded(embedder, body))

    if state.upstream is None:
        return await own()
    sent = _request(request, caller, state, content, {})
    return Relay(state.upstream, sent, instead=None if embedder is None else own)


async def passed_on(request: Request, caller: WriteCaller, state: State) -> Any:
    """Passed on to the endpoint and back as it is. Memory has no part in it."""
    if state.upstream is None:
        raise NotFound("no endpoint is set that could do this; set PAGEFILE_MODEL or PAGEFILE_BASE_URL")
    return _to_endpoint(request, caller, state, await request.body(), {})


for _path in _PASSED_ON:
    router.add_api_route(f"/{_path}", passed_on, methods=["POST"], response_model=None, summary=f"Passed on: {_path}")


def _not_found(why: str, what: str) -> JSONResponse:
    error = {"message": f"{why}; nothing was asked", "type": "invalid_request_error", "param": what, "code": f"{what}_not_found"}
    return JSONResponse({"error": error}, 404)


def _refused(why: str) -> JSONResponse:
    error = {"message": f"{why}; nothing was asked", "type": "invalid_request_error", "param": None, "code": "invalid_body"}
    return JSONResponse({"error": error}, 400)
