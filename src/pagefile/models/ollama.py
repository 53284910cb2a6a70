"""A model in Ollama, by Ollama's own API: the only way to tell it how much it is to read, where it would cut in silence."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from pagefile.models.openai import OpenAIModel
from pagefile.models.requests import Json

OLLAMA_URL = "http://127.0.0.1:11434/v1"
#: Tokens of a model that reads as many or more, unless its own file or the caller says otherwise: each takes memory of the machine.
USUAL_WINDOW = 8_192

_NUM_CTX = re.compile(r"(?m)^\s*num_ctx\s+(\d+)\s*$")
_DATA_URL = re.compile(r"data:[^;,]*;base64,(.*)", re.DOTALL)


class OllamaModel(OpenAIModel):
    """A language model in Ollama, which reads ``context_window`` tokens because each request says so (``num_ctx``).

    Through its OpenAI-compatible API Ollama reads 4,096 tokens or fewer, whatever the model can do, and cuts what is longer without a
    word. ``base_url``: with or without the ``/v1`` of that API. ``context_window``: default 8,192 tokens; ``for_served`` asks Ollama what
    the model can read. Otherwise as ``OpenAIModel``. See https://github.com/ollama/ollama/blob/main/docs/api.md.
    """

    def __init__(self, model: str, *, base_url: str = OLLAMA_URL, context_window: int | None = None, **options: Any) -> None:
        """``options``: as those of ``OpenAIModel``."""
        super().__init__(model, base_url=base_url, context_window=context_window or USUAL_WINDOW, **options)
        self._root = re.sub(r"/v1/?$", "", self.base_url.rstrip("/"))

    @classmethod
    async def for_served(
        cls, model: str, *, base_url: str = OLLAMA_URL, api_key: str | None = None, context_window: int | None = None
    ) -> OllamaModel:
        """The model as Ollama serves it: with the window of its own file, else the usual one, if it can read so much, and with tools if
        it knows them. Raises ModelError if there is no Ollama, or it has no such model."""
        made = cls(model, base_url=base_url, api_key=api_key, context_window=context_window)
        try:
            answer = await made._answered(f"{made._root}/api/show", {"model": model})
        except BaseException:
            await made.close()
            raise
        shown = answer if isinstance(answer, Mapping) else {}
        made.context_window = context_window or _window(shown)
        capabilities = shown.get("capabilities")
        made.supports_tools = "tools" in capabilities if isinstance(capabilities, list) else True
        return made

    async def _chunks(self, body: Json) -> AsyncGenerator[object, None]:
        chunks = NativeChunks()
        async for line in self._lines(f"{self._root}/api/chat", native_body(body, num_ctx=self.context_window)):
            yield chunks.as_completion(json.loads(line))

    @property
    def _chat_url(self) -> str:
        return f"{self._root}/api/chat"


def _window(shown: Mapping[str, Any]) -> int:
    """Tokens to read at once: what the model's file sets, else the usual number, and never more than the model can."""
    about = shown.get("model_info")
    sizes = about.items() if isinstance(about, Mapping) else ()
    most = next((size for name, size in sizes if name.endswith(".context_length") and isinstance(size, int) and size > 0), USUAL_WINDOW)
    own = _NUM_CTX.search(str(shown.get("parameters") or ""))
    return min(int(own[1]) if own and int(own[1]) > 0 else USUAL_WINDOW, most)


def native_body(body: Json, *, num_ctx: int) -> Json:
    """A Chat Completions body as the body of ``/api/chat``."""
    options = {"num_ctx": num_ctx, "temperature": body.get("temperature"), "num_predict": body.get("max_tokens")}
    form = body.get("response_format")
    native: Json = {
        "model": body["model"],
        "messages": _native_messages(body["messages"]),
        "stream": True,
        "options": {name: value for name, value in options.items() if value is not None},
    }
    if body.get("tools"):
        native["tools"] = body["tools"]
    if form:
        native["format"] = form["json_schema"]["schema"]
    return native


def _native_messages(messages: Sequence[Json]) -> list[Json]:
    called: dict[str, str] = {}
    native: list[Json] = []
    for message in messages:
        content = message.get("content") or ""
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        made: Json = {"role": message["role"], "content": "".join(_text_of(part) for part in parts)}
        if message.get("name"):
            # The API has no field for who speaks.
            made["content"] = f"{message['name']}: {made['content']}"
        if images := [image for part in parts if (image := _image_of(part))]:
            made["images"] = images
        if calls := message.get("tool_calls"):
            called |= {call["id"]: call["function"]["name"] for call in calls}
            made["tool_calls"] = [
                {"function": {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}} for call in calls
            ]
        if message["role"] == "tool":
            # It tells results apart by the name of the tool, and by their order.
            made["tool_name"] = called.get(message.get("tool_call_id", ""), "unknown")
        native.append(made)
    return native


def _text_of(part: Mapping[str, Any]) -> str:
    if part.get("type") == "text":
        return str(part.get("text") or "")
    return "" if _image_of(part) else "[image]"


def _image_of(part: Mapping[str, Any]) -> str | None:
    """The bytes of an image as base64; an image that would have to be fetched from somewhere is none."""
    about = part.get("image_url")
    found = _DATA_URL.match(str(about.get("url"))) if isinstance(about, Mapping) else None
    return found[1] if found else None


class NativeChunks:
    """Turns the lines of a streamed answer of ``/api/chat`` into chunks of a Chat Completion."""

    def __init__(self) -> None:
        self._calls = 0

    def as_completion(self, line: object) -> object:
        """One line as a chunk. What is no answer (an error, something unknown) is passed on as it is."""
        if not isinstance(line, Mapping) or "error" in line:
            return line
        message = line.get("message")
        message = message if isinstance(message, Mapping) else {}
        delta: Json = {"content": message.get("content"), "reasoning": message.get("thinking")}
        if calls := [self._call(call) for call in message.get("tool_calls") or () if isinstance(call, Mapping)]:
            delta["tool_calls"] = calls
        chunk: Json = {"choices": [{"delta": delta, "finish_reason": None}]}
        if line.get("done"):
            chunk["choices"][0]["finish_reason"] = line.get("done_reason") or "stop"
            counts = {"prompt_tokens": line.get("prompt_eval_count"), "completion_tokens": line.get("eval_count")}
            chunk["usage"] = {name: value for name, value in counts.items() if isinstance(value, int)}
        return chunk

    def _call(self, call: Mapping[str, Any]) -> Json:
        # Each comes whole, but they are numbered anew in each line, or not at all.
        self._calls += 1
        return {"index": self._calls, "id": call.get("id") or "", "function": call.get("function")}
