"""``python -m benchmarks.upstream``: a scripted model endpoint in a process of its own, for measuring what stands between it and a client.

It prints its URL. The model ``at-once`` answers without delay, ``thinks`` takes half a second for a reply, a tenth of it before the first
word.
"""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

AT_ONCE, THINKS = "at-once", "thinks"
_WORDS = ("That", " is", " good", " to", " know", ",", " thank", " you", ".", "")
_SECONDS = {AT_ONCE: 0.0, THINKS: 0.05}


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        return
    if scope["method"] == "GET":
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "benchmark"} for name in _SECONDS]
        await _whole(send, {"object": "list", "data": listed})
        return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    asked = json.loads(body)
    if asked.get("stream"):
        await _stream(send, asked["model"])
    else:
        await asyncio.sleep(_SECONDS[asked["model"]] * len(_WORDS))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "".join(_WORDS)}}
        await _whole(send, {"id": "c", "object": "chat.completion", "created": 0, "model": asked["model"], "choices": [choice]})


async def _whole(send: Send, value: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(value).encode()})


async def _stream(send: Send, model: str) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    for word in _WORDS:
        if _SECONDS[model]:
            await asyncio.sleep(_SECONDS[model])
        choice = {"index": 0, "delta": {"content": word}, "finish_reason": None if word else "stop"}
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": [choice]}
        await send({"type": "http.response.body", "body": f"data: {json.dumps(chunk)}\n\n".encode(), "more_body": True})
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", flush=True)
    config = uvicorn.Config(app, interface="asgi3", lifespan="off", log_config=None, access_log=False, timeout_keep_alive=60)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
