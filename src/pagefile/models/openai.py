"""Any model behind the Chat Completions API: OpenAI, Ollama, vLLM, LM Studio, llama.cpp, DeepSeek, Qwen …"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from pagefile.errors import SettingsError
from pagefile.events import TextDelta
from pagefile.language.tokens import count
from pagefile.models.failures import Failure, back_off, failure_of, is_loopback, shown_url
from pagefile.models.repetition import Repetition
from pagefile.models.replies import ReplyBroken, ReplyReader
from pagefile.models.requests import Json, chat_body, to_leave_out
from pagefile.models.streams import DONE, Events, lines_of
from pagefile.models.windows import known_window
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI_URL = "https://api.openai.com/v1"
#: Seconds for what a server sends after it said that its reply is whole.
_LAST_WORDS = 0.5
_BAD_REQUEST = frozenset({400, 422, 501})


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for an endpoint, in seconds, and how often to try again before the first piece came."""

    connect: float = 10.0
    #: The longest silence: before the first piece (a local model reads the whole window first) and between two.
    silence: float = 300.0
    retries: int = 2
    #: The first wait between two tries; doubled each time.
    first_wait: float = 0.5
    #: An endpoint that asks for a longer wait than this is given up at once.
    longest_wait: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """A model that an endpoint lists."""

    name: str
    #: Tokens, where the endpoint says it.
    context_window: int | None = None


class OpenAIModel:
    """A language model at an OpenAI-compatible endpoint. Makes no request before the first use.

    ``base_url``: default OpenAI's. ``api_key``: sent to that endpoint only; local servers need none. ``context_window``: tokens of one
    request, question and answer; by default known for hosted models by name, else a safe 8,192: for a local server give what it was started
    with. ``temperature``: default the endpoint's own. An optional field of the request that the endpoint refuses is left out from then
    on; if it refuses tools, ``supports_tools`` becomes False. So are forms that its chat template refuses: neighbouring messages of one
    role are joined, a system text opens the first message of the user. A reply that comes to repeat itself is cut. Raises SettingsError
    for a key that cannot be sent.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        context_window: int | None = None,
        supports_tools: bool = True,
        temperature: float | None = None,
        patience: Patience = Patience(),
    ) -> None:
        self.name = model
        self.base_url = base_url or OPENAI_URL
        self.context_window = context_window or known_window(model)
        self.supports_tools = supports_tools
        self.echoes_memory = False
        self.patience = patience
        self._temperature = temperature
        self._key = _sound_key(api_key)
        self._client: AsyncOpenAI | None = None
        #: What the endpoint refused of the OPTIONAL: a property of the endpoint, learnt once.
        self._without: set[str] = set()

    @property
    def api_key(self) -> str | None:
        """What is sent to the endpoint as its key; None: nothing."""
        return self._key

    def __repr__(self) -> str:
        return f"OpenAIModel({self.name!r}, base_url={shown_url(self.base_url)!r})"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Answer piece by piece. Raises ModelUnavailable, ModelRefused, ContextExceeded. Closing the iterator ends the request."""
        attempt, guessed = 0, frozenset[str]()
        while True:
            without = guessed | self._without
            body = chat_body(request, model=self.name, temperature=self._temperature, without=without)
            taken = [call.get("id", "") for message in request.messages for call in message.get("tool_calls") or ()]
            tools = {**{name: {} for name in request.withheld}, **{tool.name: tool.parameters for tool in request.tools}}
            reader = ReplyReader(model=self.name, tools=tools, taken=taken)
            try:
                async with aclosing(self._attempt(body, reader)) as events:
                    async for event in events:
                        yield event
                self._without |= guessed
                return
            except _Failed as failed:
                failure = failed.failure
            if (refused := to_leave_out(failure.refused, body, without)) is not None:
                self._learn(refused)
                continue
            # Few endpoints say that it was the schema. If it was, the same request passes without it.
            if failure.status in _BAD_REQUEST and to_leave_out("response_format", body, without):
                guessed |= {"response_format"}
                continue
            await self._wait_or_raise(failure, attempt)
            attempt += 1

    async def models(self) -> tuple[ServedModel, ...]:
        """The models that the endpoint lists, in its order. Raises ModelError."""
        return _served(await self._answered(f"{self.base_url.rstrip('/')}/models"))

    async def _answered(self, url: str, body: Json | None = None) -> object:
        """What a GET, or a POST of ``body``, is answered with. Raises ModelError."""
        attempt = 0
        while True:
            client = self._open()
            try:
                if body is None:
                    return await client.get(url, cast_to=object)
                return await client.post(url, cast_to=object, body=body)
            except Exception as error:  # wide for the reason that _attempt gives
                failure = failure_of(error, url=url, key=self._key)
            await self._wait_or_raise(failure, attempt)
            attempt += 1

    async def close(self) -> None:
        """End the connections. A later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _attempt(self, body: Json, reader: ReplyReader) -> AsyncGenerator[ModelEvent, None]:
        repetition = Repetition()
        try:
            async with aclosing(self._chunks(body)) as chunks:
                async for chunk in chunks:
                    if text := reader.feed(chunk):
                        yield TextDelta(text=text)
                        if repetition.noticed(text):
                            reader.cut()
                            break
            rest, calls, reason = reader.finish()
        # Wide, but nothing is swallowed: what a broken connection raises differs with the client's version (of httpx, httpx2 or its own).
        except Exception as error:
            raise _Failed(failure_of(error, url=self._chat_url, key=self._key, said=reader.text)) from error
        if rest:
            yield TextDelta(text=rest)
        for call in calls:
            yield call
        usage = reader.usage(
            estimate_input=lambda: count(json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False), self.name),
            estimate_output=lambda: count(reader.text + "".join(call.name + call.arguments for call in calls), self.name),
        )
        yield ModelFinished(reason=reason, usage=usage)

    async def _chunks(self, body: Json) -> AsyncGenerator[object, None]:
        """The chunks as plain JSON values: servers leave out, add and misspell fields, so none is taken for granted."""
        from openai import AsyncStream  # noqa: PLC0415  # a second of import time, so at first use

        stream = await self._open().post("/chat/completions", cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object])
        try:
            kind = stream.response.headers.get("content-type", "")
            if "application/json" in kind:  # a server that cannot stream sends the whole completion
                yield json.loads(await stream.response.aread())
            elif "text/html" in kind:
                raise ReplyBroken("it answered with a web page. Is the base URL right (most end in /v1)?")
            else:
                events = Events()
                async with aclosing(lines_of(stream.response.aiter_bytes())) as lines:
                    async for line in lines:
                        for chunk in events.feed(line):
                            yield chunk
                            if chunk == DONE:
                                await _read_out(lines)
        finally:
            await stream.close()

    async def _lines(self, url: str, body: Json) -> AsyncGenerator[str, None]:
        """The lines of an answer that is streamed as one JSON value a line."""
        from openai import AsyncStream  # noqa: PLC0415  # a second of import time, so at first use

        stream = await self._open().post(url, cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object])
        try:
            async with aclosing(lines_of(stream.response.aiter_bytes())) as lines:
                async for line in lines:
                    if line.strip():
                        yield line
        finally:
            await stream.close()

    @property
    def _chat_url(self) -> str:
        return f"{self.base_url.rstrip('/')}/chat/completions"

    def _open(self) -> AsyncOpenAI:
        if self._client is None:
            import openai  # noqa: PLC0415  # a second of import time, so at first use

            wait = openai.Timeout(self.patience.silence, connect=self.patience.connect)
            # A proxy cannot reach the loopback of this machine; a redirect could carry the conversation to a host nobody configured.
            http = openai.DefaultAsyncHttpxClient(timeout=wait, trust_env=not is_loopback(self.base_url), follow_redirects=False)
            client = openai.AsyncOpenAI(base_url=self.base_url, api_key=self._key or "none", timeout=wait, max_retries=0, http_client=http)
            # The client takes these from the environment, whatever the endpoint is.
            if not re.search(r"(^|\.)openai\.com$", client.base_url.host):
                client.organization = client.project = None
            self._client = client
        return self._client

    def _learn(self, refused: str) -> None:
        self._without.add(refused)
        if refused == "tools":
            self.supports_tools = False

    async def _wait_or_raise(self, failure: Failure, attempt: int) -> None:
        patience = self.patience
        wait = back_off(attempt, first=patience.first_wait, longest=patience.longest_wait) if failure.wait is None else failure.wait
        if not failure.again or attempt >= patience.retries or wait > patience.longest_wait:
            raise failure.error from failure.cause
        await anyio.sleep(wait)


async def _read_out(lines: AsyncGenerator[str, None]) -> None:
    """Read what a server sends behind the end, so that the connection can be used again; but wait for no more than that."""
    with anyio.move_on_after(_LAST_WORDS):
        async for _ in lines:
            pass


def _sound_key(key: str | None) -> str | None:
    key = key.strip() if key else None
    if key and not (key.isascii() and key.isprintable()):
        raise SettingsError("the API key has characters that no key has (letters of another alphabet, a line break); copy it again")
    return key or None


class _Failed(Exception):
    """Carries a failure from one attempt to the loop over the attempts."""

    def __init__(self, failure: Failure) -> None:
        super().__init__("attempt failed")
        self.failure = failure


#: Where servers say how much they read: vLLM; OpenRouter, LM Studio; Groq; LM Studio; LM Studio's own list.
_WINDOW_FIELDS = ("max_model_len", "context_length", "context_window", "loaded_context_length", "max_context_length")


def _served(listed: object) -> tuple[ServedModel, ...]:
    entries = listed.get("data") if isinstance(listed, Mapping) else listed
    if not isinstance(entries, list):
        return ()
    return tuple(_served_model(entry) for entry in entries if isinstance(entry, Mapping) and entry.get("id"))


def _served_model(entry: Mapping[str, Any]) -> ServedModel:
    about = {**(entry["meta"] if isinstance(entry.get("meta"), Mapping) else {}), **entry}
    windows = (about.get(field) for field in (*_WINDOW_FIELDS, "n_ctx"))  # the last one is llama.cpp's
    return ServedModel(name=str(entry["id"]), context_window=next((w for w in windows if isinstance(w, int) and w > 0), None))
