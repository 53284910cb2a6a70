"""A scripted OpenAI-compatible server on loopback: real HTTP, canned, delayed, cut or broken replies.

    with OpenAIServer([say("Hello"), call("memory_search", {"query": "food"}), refuse(429, retry_after=0)]) as server:
        model = OpenAIModel("test-model", base_url=server.url)
        ...
        server.requests[0].body["messages"]

Serves ``/v1/chat/completions`` (streamed and whole), ``/v1/models`` and ``/v1/embeddings``. Every chat request goes through
``check_chat_request`` first: what the real API would refuse is answered with a 400, so that a test of ours cannot pass with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeAlias

from pagefile.testing.chat_requests import InvalidRequest, check_chat_request

__all__ = [
    "InvalidRequest",
    "OpenAIServer",
    "Raw",
    "Received",
    "Reply",
    "Script",
    "Streamed",
    "call",
    "check_chat_request",
    "hash_vector",
    "refuse",
    "say",
]

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed:
    """A reply made of deltas. Asked for without ``stream``, they are put together into one message."""

    #: As in the API: ``{"content": "Hel"}``, ``{"tool_calls": [{"index": 0, …}]}`` … A dict with "choices", "usage" or "error" is
    #: sent as it is; bytes go out raw (garbage, comments).
    deltas: tuple[Json | bytes, ...] = ()
    #: None: no such chunk.
    finish: str | None = "stop"
    #: None: the server counts nothing.
    usage: Json | None = field(default_factory=lambda: {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})
    #: Seconds before the headers, and before each delta.
    delay: float = 0.0
    pause: float = 0.0
    #: The connection breaks after the deltas: no finish, no end.
    cut: bool = False
    #: Send comments between the deltas, as gateways do to keep a connection open.
    keep_alive: bool = False
    #: Further headers, such as those that tell of limits.
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A reply given byte by byte: an error, a page of HTML, a whole completion …"""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | str | Json = b""
    delay: float = 0.0


Reply: TypeAlias = Streamed | Raw
#: A reply, or what makes one from the body of the request.
Script: TypeAlias = Reply | Callable[[Json], Reply]


def say(text: str, *, size: int = 5, **options: Any) -> Streamed:
    """A reply of text, in pieces of ``size`` characters. ``options`` are fields of Streamed."""
    pieces: list[Json | bytes] = [{"content": text[at : at + size]} for at in range(0, len(text), size)]
    return Streamed(deltas=({"role": "assistant", "content": ""}, *pieces), **options)


def call(name: str, arguments: Mapping[str, Any] | str, *, id: str = "call_1", **options: Any) -> Streamed:
    """A reply of one tool call, its arguments in three pieces."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    third = max(1, len(text) // 3)
    head: Json = {"index": 0, "id": id, "type": "function", "function": {"name": name, "arguments": ""}}
    pieces = [text[:third], text[third : 2 * third], text[2 * third :]]
    deltas: list[Json | bytes] = [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces if piece]
    return Streamed(deltas=({"role": "assistant", "content": None, "tool_calls": [head]}, *deltas), **{"finish": "tool_calls", **options})


def refuse(status: int, message: str = "no", *, code: str | None = None, retry_after: float | str | None = None, delay: float = 0.0) -> Raw:
    """An error in the form of the OpenAI API."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Raw(status=status, headers=headers, body={"error": {"message": message, "type": "error", "code": code}}, delay=delay)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A request as it came."""

    method: str
    path: str
    #: Names in lower case.
    headers: Mapping[str, str]
    #: The JSON body; empty for a GET.
    body: Json
    #: Set when the client hung up before the reply was whole.
    hung_up: threading.Event


def hash_vector(text: str, dimension: int = 8) -> list[float]:
    """A vector that depends on nothing but the text."""
    digest = hashlib.shake_256(text.encode("utf-8", "replace")).digest(dimension)
    return [byte / 127.5 - 1.0 for byte in digest]


class OpenAIServer:
    """Answers chat requests with ``replies`` in turn, on a free port of 127.0.0.1. One without a reply left is answered with a 500.

    ``models``: the ids, or whole entries, that ``/v1/models`` lists. ``embed`` makes the vectors of the texts, or a Raw reply.
    ``pages``: further paths for GET, such as ``{"/api/ps": {...}}``; ``forms``: for POST, with what makes the reply from the body.
    ``strict=False`` lets invalid chat requests through.
    """

    def __init__(
        self,
        replies: Sequence[Script] = (),
        *,
        models: Sequence[str | Json] | Raw = ("test-model",),
        embed: Callable[[list[str]], list[list[float]] | Raw] | None = None,
        pages: Mapping[str, Json] | None = None,
        forms: Mapping[str, Callable[[Json], Raw]] | None = None,
        strict: bool = True,
        port: int = 0,
    ) -> None:
        self.replies: list[Script] = list(replies)
        self.models = models
        self.embed = embed or (lambda texts: [hash_vector(text) for text in texts])
        self.pages = dict(pages or {})
        self.forms = dict(forms or {})
        self.strict = strict
        #: Every request, in the order they came.
        self.requests: list[Received] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def chats(self) -> list[Json]:
        """The bodies of the chat requests, in order."""
        return [request.body for request in self.requests if request.path.endswith("/chat/completions")]

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        # Open streams are left to their daemon threads: a test must not wait for a reply that it gave up.
        self._server.block_on_close = False
        self._server.server_close()

    def next_reply(self, body: Json) -> Reply:
        with self._lock:
            script = self.replies.pop(0) if self.replies else refuse(500, "the script of the test server has no reply left")
        return script(body) if callable(script) else script

    def record(self, request: Received) -> None:
        with self._lock:
            self.requests.append(request)


class _Server(ThreadingHTTPServer):
    #: Many clients may come at once.
    request_queue_size = 128


def _handler_of(scripted: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    """The handler class of one server. (http.server makes one handler object per connection and gives it no state.)"""

    class Handler(_Handler):
        owner = scripted

    return Handler


class _Handler(BaseHTTPRequestHandler):
    owner: OpenAIServer
    protocol_version = "HTTP/1.1"
    #: Small pieces go out at once, not when the last one was acknowledged.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on stderr: the test reads ``requests``."""

    def handle(self) -> None:
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_GET(self) -> None:
        self._record({})
        if self.path in self.owner.pages:
            self._send(Raw(body=self.owner.pages[self.path]))
        elif self.path.split("?")[0] == "/v1/models":
            self._send(_model_list(self.owner.models))
        else:
            self._send(refuse(404, f"no such path: {self.path}"))

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(data)
        except ValueError as error:
            self._record({})
            self._send(refuse(400, f"the body is not JSON: {error}"))
            return
        request = self._record(body)
        if self.path == "/v1/chat/completions":
            self._chat(request)
        elif self.path == "/v1/embeddings":
            self._embeddings(body)
        elif self.path in self.owner.forms:
            self._send(self.owner.forms[self.path](body))
        else:
            self._send(refuse(404, f"no such path: {self.path}"))

    def _record(self, body: Json) -> Received:
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(method=self.command, path=self.path, headers=headers, body=body, hung_up=threading.Event())
        self.owner.record(request)
        return request

    def _chat(self, request: Received) -> None:
        if self.owner.strict:
            try:
                check_chat_request(request.body)
            except InvalidRequest as error:
                self._send(refuse(400, str(error), code="invalid_request"))
                return
        reply = self.owner.next_reply(request.body)
        if isinstance(reply, Raw):
            self._send(reply)
        elif not request.body.get("stream"):
            time.sleep(reply.delay)
            self._send(Raw(body=_whole(reply), headers=reply.headers))
        else:
            self._stream(request, reply)

    def _stream(self, request: Received, reply: Streamed) -> None:
        time.sleep(reply.delay)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            for event in _events(reply, wants_usage=bool((request.body.get("stream_options") or {}).get("include_usage"))):
                time.sleep(reply.pause)
                self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
                self.wfile.flush()
            if not reply.cut:
                self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            request.hung_up.set()
        if reply.cut or request.hung_up.is_set():
            self.close_connection = True

    def _embeddings(self, body: Json) -> None:
        given = body.get("input", [])
        made = self.owner.embed([given] if isinstance(given, str) else list(given))
        if isinstance(made, Raw):
            self._send(made)
            return
        packed = body.get("encoding_format") == "base64"
        data = [{"object": "embedding", "index": at, "embedding": _packed(v) if packed else v} for at, v in enumerate(made)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self._send(Raw(body={"object": "list", "data": data, "model": body.get("model"), "usage": usage}))

    def _send(self, reply: Raw) -> None:
        time.sleep(reply.delay)
        body = reply.body
        data = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **reply.headers, "Content-Length": str(len(data))}
        self.send_response(reply.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _model_list(models: Sequence[str | Json] | Raw) -> Raw:
    if isinstance(models, Raw):
        return models
    entries = [{"id": model, "object": "model", "created": 0, "owned_by": "test"} if isinstance(model, str) else model for model in models]
    return Raw(body={"object": "list", "data": entries})


def _events(reply: Streamed, *, wants_usage: bool) -> list[bytes]:
    events: list[bytes] = []
    for delta in reply.deltas:
        if reply.keep_alive:
            events.append(b": keep-alive\n\n")
        events.append(delta if isinstance(delta, bytes) else _event(delta))
    if reply.cut:
        return events
    if reply.finish is not None:
        events.append(_event({"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]}))
    if wants_usage and reply.usage is not None:
        events.append(_event({"choices": [], "usage": reply.usage}))
    return [*events, b"data: [DONE]\n\n"]


def _event(delta: Json) -> bytes:
    whole = any(key in delta for key in ("choices", "usage", "error"))
    chunk = delta if whole else {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "test-model", **chunk}
    return f"data: {json.dumps(frame, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


def _whole(reply: Streamed) -> Json:
    """The deltas as one completion."""
    deltas = [delta for delta in reply.deltas if isinstance(delta, dict)]
    text = "".join(delta.get("content") or "" for delta in deltas)
    calls: dict[int, Json] = {}
    for piece in (piece for delta in deltas for piece in delta.get("tool_calls") or ()):
        made = calls.setdefault(piece.get("index", 0), {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        made["id"] = piece.get("id") or made["id"]
        made["function"]["name"] = piece["function"].get("name") or made["function"]["name"]
        made["function"]["arguments"] += piece["function"].get("arguments") or ""
    message: Json = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = list(calls.values())
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "test-model", "choices": [choice], "usage": reply.usage}


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
