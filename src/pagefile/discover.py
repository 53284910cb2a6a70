"""Finds a language model to talk to: a configured one, else one that runs on this machine, else none; and checks one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio

from pagefile.errors import ModelError, ModelRefused, ModelUnavailable, SettingsError
from pagefile.messages import ToolCall
from pagefile.models.failures import is_loopback, shown_url
from pagefile.models.offline import OfflineModel
from pagefile.models.ollama import OllamaModel
from pagefile.models.openai import OPENAI_URL, OpenAIModel, Patience, ServedModel
from pagefile.ports import Model, ModelEvent, ModelRequest, ToolSpec
from pagefile.settings import Settings

FORMS = (
    "give PAGEFILE_MODEL as “offline”, “ollama/qwen3:4b” (or vllm/…, lmstudio/…, llamacpp/…), “openai/gpt-4o-mini”, "
    "“name@http://host:port/v1”, or as a name together with PAGEFILE_BASE_URL"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A kind of model server that people run on their own machine."""

    #: What stands before the slash in PAGEFILE_MODEL.
    prefix: str
    title: str
    port: int
    #: Tokens it reads by default where it does not say.
    window: int | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


#: In the order they are asked, each on the port it has by default.
LOCAL_SERVERS = (
    # Where it is not spoken to in its own way it cuts what is longer than this without a word, whatever the model can do.
    LocalServer(prefix="ollama", title="Ollama", port=11434, window=4_096),
    LocalServer(prefix="vllm", title="vLLM", port=8000),
    LocalServer(prefix="lmstudio", title="LM Studio", port=1234, window=4_096),
    LocalServer(prefix="llamacpp", title="llama.cpp", port=8080),
)
#: A server on this machine answers within this many seconds or is passed over.
PROBE_SECONDS = 0.3

#: Tried in this order where OpenAI itself is configured and no model is named.
_OPENAI_DEFAULTS = ("gpt-5-mini", "gpt-4.1-mini", "gpt-4o-mini")
_NO_CHAT = re.compile(
    r"(?i)embed|rerank|(^|[/_-])(bge|gte|e5|m3e|minilm|jina|colbert|clip)([-_:.]|$)|whisper|transcri|(^|[-_/])(tts|asr|ocr)([-_:.]|$)|speech|"
    r"dall-e|image|diffusion|flux|sora|moderation|guard|realtime|audio|davinci|babbage|instruct-0914"
)
#: Served by way of the local Ollama, but computed on its makers' machines.
_CLOUD = re.compile(r"[:-]cloud$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The model that was chosen."""

    model: Model
    #: For a person: which model, and why it and no other.
    what: str
    #: Where messages and recalled notes are sent; None: nowhere.
    sends_to: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """What came of trying a model out."""

    reachable: bool
    #: Whether the endpoint lists the model; None: it has no list.
    listed: bool | None
    #: Whether it answered a request of one token.
    answers: bool
    #: Whether it made a proper tool call when asked for one.
    tools: bool
    seconds: float
    #: For a person: all of it in a sentence, with what to do where something failed.
    said: str


async def find_model(
    *,
    model: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    openai_base_url: str | None = None,
    openai_api_key: str | None = None,
    context_window: int | None = None,
    probe_local: bool = True,
    must_answer: bool = True,
    servers: Sequence[LocalServer] = LOCAL_SERVERS,
) -> Found:
    """The model to use: what is configured, else what ``OPENAI_*`` says, else a server on this machine, else OfflineModel.

    A configured endpoint that cannot be used raises ModelUnavailable, ModelRefused or SettingsError, and nothing else is tried in its
    place; unless ``must_answer`` is False, for programs that go on for long: then one that cannot be reached at present is taken as it is
    configured. No key goes to an endpoint that it was not configured for.
    """
    has_openai = bool(openai_base_url or openai_api_key)
    named = _parse(model, base_url=base_url, openai_base_url=openai_base_url, has_openai=has_openai, servers=servers)
    if named is _OFFLINE:
        return Found(model=OfflineModel(), what="no language model (offline was asked for): answers from memory alone", sends_to=None)
    if named is not None:
        key = api_key or (openai_api_key if _same_host(named.url, openai_base_url or OPENAI_URL) else None)
        try:
            return await _configured(named, api_key=key, context_window=context_window, servers=servers)
        except ModelUnavailable as error:
            if must_answer:
                raise
            return _unreached(named, error, api_key=key, context_window=context_window, servers=servers)
    running, passed_over = await _running(servers if probe_local else ())
    for server, listed in running:
        wanted = [served for served in listed if (served.name == model if model else _chats(served.name))]
        if wanted:
            return await _local(server, wanted[0], context_window)
        passed_over.append(f"{server.title} has no {'model ' + repr(model) if model else 'chat model of its own'}")
    if model is not None:
        raise SettingsError(f"no endpoint is known for the model {model!r} ({'; '.join(passed_over)}); {FORMS}")
    why = "; ".join(["no PAGEFILE_MODEL or OPENAI_API_KEY is set", *passed_over])
    return Found(model=OfflineModel(), what=f"no language model found ({why}): answers from memory alone", sends_to=None)


def model_settings(settings: Settings) -> dict[str, Any]:
    """The settings by which a model is found."""
    return {
        "model": settings.model,
        "base_url": settings.base_url,
        "api_key": settings.api_key,
        "openai_base_url": settings.openai_base_url,
        "openai_api_key": settings.openai_api_key,
        "context_window": settings.context_window or None,
    }


async def check_model(model: Model) -> ModelCheck:
    """Try a model out with two short requests: one for a single token, one that asks for a tool call."""
    started = time.monotonic()
    listed: bool | None = None
    if isinstance(model, OpenAIModel):
        try:
            listed = model.name in [served.name for served in await model.models()]
        except ModelRefused:
            listed = None  # an endpoint without a list of models is fine; if the key is wrong, the next request says so
        except ModelError as error:
            return _failed(error, started, reachable=False, listed=None)
    try:
        await _events(model, ModelRequest(messages=[{"role": "user", "content": "Say hi."}], max_tokens=1))
    except ModelError as error:
        return _failed(error, started, reachable=not isinstance(error, ModelUnavailable), listed=listed)
    tools, why = await _calls_tools(model)
    seconds = time.monotonic() - started
    said = f"it answers ({seconds:.1f} s for two short requests), and {'makes tool calls' if tools else f'makes no tool calls: {why}'}"
    return ModelCheck(reachable=True, listed=listed, answers=True, tools=tools, seconds=seconds, said=said)


# --- what is configured -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A configured endpoint. ``model`` None: the first that suits."""

    model: str | None
    url: str
    #: Which setting it came from, for messages.
    by: str


_OFFLINE = _Named(model=None, url="", by="")


def _parse(
    model: str | None, *, base_url: str | None, openai_base_url: str | None, has_openai: bool, servers: Sequence[LocalServer]
) -> _Named | None:
    """Which endpoint the settings mean; None: they name none."""
    if model is not None and not model.strip():
        raise SettingsError(f"the model's name is empty; {FORMS}")
    if model == "offline":
        return _OFFLINE
    if model and (at := re.search(r"@(?=https?://)", model)):
        return _Named(model=model[: at.start()] or None, url=_endpoint(model[at.end() :], "PAGEFILE_MODEL"), by="PAGEFILE_MODEL")
    if base_url:
        # With an address of its own, a name is taken as it is: gateways have models called "openai/…".
        return _Named(model=model, url=_endpoint(base_url, "PAGEFILE_BASE_URL"), by="PAGEFILE_BASE_URL")
    prefix, slash, rest = (model or "").partition("/")
    for server in servers:
        if slash and prefix == server.prefix:
            return _Named(model=rest or None, url=server.url, by="PAGEFILE_MODEL")
    if has_openai or (slash and prefix == "openai"):
        name = rest or None if slash and prefix == "openai" else model
        by = "OPENAI_BASE_URL" if openai_base_url else "OPENAI_API_KEY"
        return _Named(model=name, url=_endpoint(openai_base_url or OPENAI_URL, by), by=by)
    return None


def _endpoint(url: str, setting: str) -> str:
    """The base URL, with the /v1 that people leave out."""
    parts = urlsplit(url.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SettingsError(f"{setting} has {shown_url(url)!r}, which is no address of a server; give http://host:port/v1")
    return url.strip().rstrip("/") + ("" if parts.path.strip("/") else "/v1")


def _same_host(url: str, other: str) -> bool:
    return urlsplit(url)[:2] == urlsplit(other)[:2]


async def _configured(named: _Named, *, api_key: str | None, context_window: int | None, servers: Sequence[LocalServer]) -> Found:
    """The model of a configured endpoint, which is asked what it serves, so that a wrong address is found now and not in a chat."""
    listed = await _list(named, api_key)
    name = named.model or _choose(listed, named)
    if named.model and listed and name not in {served.name for served in listed}:
        # "ollama/qwen3" with an address of its own; Ollama also lists "qwen3" as "qwen3:latest".
        names = [served.name for served in listed]
        name = next((n for n in (name.partition("/")[2], f"{name}:latest", f"{name.partition('/')[2]}:latest") if n in names), name)
    # A server of one model answers to any name, and with that model.
    served = next((served for served in listed if served.name == name or len(listed) == 1), None)
    server = next((server for server in servers if urlsplit(named.url).port == server.port), None)
    unlisted = f"; the endpoint does not list it, but has {_names(listed)}" if listed and served is None else ""
    return Found(
        model=await _model(name, named.url, server=server, served=served, api_key=api_key, context_window=context_window),
        what=f"{name} at {shown_url(named.url)} (set by {named.by}{unlisted})",
        sends_to=_target(named.url, name),
    )


def _unreached(
    named: _Named, error: ModelUnavailable, *, api_key: str | None, context_window: int | None, servers: Sequence[LocalServer]
) -> Found:
    """What is configured, without having asked it anything."""
    if named.model is None:
        return Found(model=OfflineModel(), what=f"no language model: {error}", sends_to=None)
    ollama = any(server.prefix == "ollama" and urlsplit(named.url).port == server.port for server in servers)
    kind = OllamaModel if ollama else OpenAIModel
    return Found(
        model=kind(named.model, base_url=named.url, api_key=api_key, context_window=context_window),
        what=f"{named.model} at {shown_url(named.url)} (set by {named.by}), which cannot be reached at present",
        sends_to=_target(named.url, named.model),
    )


async def _list(named: _Named, api_key: str | None) -> tuple[ServedModel, ...]:
    # Short but not hasty: a server that just starts is slow, and one that is off says so at once.
    probe = OpenAIModel("any", base_url=named.url, api_key=api_key, patience=Patience(connect=5, silence=15, retries=1))
    try:
        return await probe.models()
    except ModelRefused as error:
        # No list of models is no fault: some gateways have none. A wrong key or address shows there too, but then a name does not help.
        if named.model is None or re.search(r"HTTP (3\d\d|401|403)\b", str(error)):
            raise
        return ()
    except ModelUnavailable as error:
        raise ModelUnavailable(f"{error}. It was set by {named.by}; to go without a model, set PAGEFILE_MODEL=offline") from error
    finally:
        await probe.close()


def _choose(listed: Sequence[ServedModel], named: _Named) -> str:
    names = [served.name for served in listed]
    if name := next((name for name in (*_OPENAI_DEFAULTS, *filter(_chats, names)) if name in names), None):
        return name
    raise SettingsError(f"{shown_url(named.url)} lists no model to chat with ({_names(listed)}); name one: {FORMS}")


# --- what runs on this machine ------------------------------------------------------------------------------------------


async def _running(servers: Sequence[LocalServer]) -> tuple[list[tuple[LocalServer, tuple[ServedModel, ...]]], list[str]]:
    """The servers that answer, in order, with what they serve; and why the others were passed over."""
    answers: dict[LocalServer, tuple[ServedModel, ...] | str] = {}

    async def ask(server: LocalServer) -> None:
        answers[server] = await _probe(server)

    async with anyio.create_task_group() as group:
        for server in servers:
            group.start_soon(ask, server)
    quiet = [server.title for server in servers if answers[server] == ""]
    passed_over = [f"no {_either(quiet)} runs on this machine"] if quiet else []
    passed_over += [answer for answer in answers.values() if isinstance(answer, str) and answer]
    return [(server, answer) for server in servers if isinstance(answer := answers[server], tuple)], passed_over


async def _probe(server: LocalServer) -> tuple[ServedModel, ...] | str:
    """What it serves, or why it cannot be used; "" when nothing is there."""
    try:
        # The port first: nearly always nothing is there, and then the HTTP client need not even be loaded.
        with anyio.fail_after(PROBE_SECONDS):
            await (await anyio.connect_tcp("127.0.0.1", server.port)).aclose()
    except (OSError, TimeoutError):
        return ""
    model = OpenAIModel("any", base_url=server.url, patience=Patience(connect=PROBE_SECONDS, silence=PROBE_SECONDS, retries=0))
    try:
        return await model.models() or f"{server.title} on port {server.port} serves no model"
    except ModelError:
        return f"what is on port {server.port} is no {server.title}"
    finally:
        await model.close()


async def _local(server: LocalServer, served: ServedModel, context_window: int | None) -> Found:
    model = await _model(served.name, server.url, server=server, served=served, context_window=context_window)
    return Found(model=model, what=f"{served.name}, found in {server.title} on this machine", sends_to=_target(server.url, served.name))


async def _model(
    name: str,
    url: str,
    *,
    server: LocalServer | None,
    served: ServedModel | None,
    api_key: str | None = None,
    context_window: int | None = None,
) -> OpenAIModel:
    """A model, spoken to in the way of its server."""
    if server is not None and server.prefix == "ollama":
        try:
            return await OllamaModel.for_served(name, base_url=url, api_key=api_key, context_window=context_window)
        except ModelRefused:
            pass  # something else answers on its port: it is spoken to as all others are
    window = context_window or (served.context_window if served else None) or (server.window if server else None)
    return OpenAIModel(name, base_url=url, api_key=api_key, context_window=window)


def _chats(name: str) -> bool:
    """Whether a model of this name can be talked to, and is computed where it is listed."""
    return not _NO_CHAT.search(name) and not _CLOUD.search(name)


def _target(url: str, name: str) -> str:
    if is_loopback(url):
        return f"{shown_url(url)}, and from there to the cloud" if _CLOUD.search(name) else f"{shown_url(url)} (this machine)"
    return shown_url(url)


def _either(titles: Sequence[str]) -> str:
    return " or ".join([", ".join(titles[:-1]), titles[-1]]) if len(titles) > 1 else titles[0]


def _names(listed: Sequence[ServedModel]) -> str:
    names = [served.name for served in listed]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "") if names else "none"


# --- trying one out -----------------------------------------------------------------------------------------------------

_TOOL = ToolSpec(
    name="report_number",
    description="Reports a number to the person who asked.",
    parameters={"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
)


async def _calls_tools(model: Model) -> tuple[bool, str]:
    if not model.supports_tools:
        return False, "it takes none"
    asked = ModelRequest(
        messages=[{"role": "user", "content": "Call the tool report_number with the number 7. Write nothing else."}],
        tools=[_TOOL],
        max_tokens=512,
    )
    try:
        calls = [event for event in await _events(model, asked) if isinstance(event, ToolCall) and event.name == _TOOL.name]
    except ModelError as error:
        return False, str(error)
    if not calls:
        return False, "it answered with text" if model.supports_tools else "it takes none"
    try:
        proper = isinstance(json.loads(calls[0].arguments), dict)
    except ValueError:
        proper = False
    return proper, "" if proper else f"its arguments are no JSON object: {calls[0].arguments[:80]}"


async def _events(model: Model, request: ModelRequest) -> list[ModelEvent]:
    return [event async for event in model.stream(request)]


def _failed(error: ModelError, started: float, *, reachable: bool, listed: bool | None) -> ModelCheck:
    seconds = time.monotonic() - started
    return ModelCheck(reachable=reachable, listed=listed, answers=False, tools=False, seconds=seconds, said=str(error))
