"""How the endpoint is asked: once, unless it is sure that it heard nothing; and what is done where it has none of it."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import numpy as np
import pytest

import pagefile.server.proxy.embeddings as embeddings
from pagefile.models.openai import OpenAIModel
from pagefile.server.proxy.embeddings import embedded
from pagefile.testing.openai_server import Raw
from tests.server.proxy.conftest import Between, user

ANSWER = b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}]}'


@contextmanager
def breaking(*deeds: str) -> Iterator[tuple[str, list[bytes]]]:
    """An endpoint that does one deed for each request, and the requests: "answer", or "close" or "reset" the connection."""
    heard, left = list[bytes](), list(deeds)

    def serve(connection: socket.socket) -> None:
        with connection:
            while left:
                data = connection.recv(1_000_000)
                if not data:
                    return
                while b"\r\n\r\n" in data and len(data.partition(b"\r\n\r\n")[2]) < _length(data):
                    data += connection.recv(1_000_000)
                heard.append(data)
                deed = left.pop(0)
                if deed != "answer":
                    if deed == "reset":
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(ANSWER)}\r\n\r\n"
                connection.sendall(head.encode() + ANSWER)

    def accept() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", heard
        listening.shutdown(socket.SHUT_RDWR)


def _length(request: bytes) -> int:
    lines = request.partition(b"\r\n\r\n")[0].lower().split(b"\r\n")
    return next(int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:"))


@pytest.mark.parametrize("deed", ["close", "reset"])
def test_a_request_that_the_endpoint_may_be_at_work_on_is_not_sent_again(alone: Callable[..., Between], deed: str) -> None:
    with breaking(deed, "answer") as (url, heard):
        on = alone(model=OpenAIModel("m", base_url=url))
        assert on.chat([user("Is it so?")]).status_code == 502
        assert len(heard) == 1


def test_a_request_on_a_connection_that_was_just_closed_is_sent_again(alone: Callable[..., Between]) -> None:
    with breaking("answer", "close", "answer") as (url, heard):
        on = alone(model=OpenAIModel("m", base_url=url))
        assert [on.chat([user(text)]).status_code for text in ("Is it so?", "Is that so, too?")] == [200, 200]
        assert len(heard) == 3


def test_a_connection_that_is_reset_after_it_was_used_before_is_not_tried_again(alone: Callable[..., Between]) -> None:
    with breaking("answer", "reset", "answer") as (url, heard):
        on = alone(model=OpenAIModel("m", base_url=url))
        assert [on.chat([user(text)]).status_code for text in ("Is it so?", "Is that so, too?")] == [200, 502]
        assert len(heard) == 2


def test_the_endpoints_key_is_not_told_to_who_asks_for_vectors(between: Callable[..., Between]) -> None:
    key = "sk-of-the-server-1234"
    refused = Raw(status=401, body={"error": {"message": f"Incorrect API key provided: {key}"}})
    on = between(key=key, endpoint={"embed": lambda texts: refused})
    reply = httpx.post(f"{on.url}/embeddings", json={"input": "tea", "model": "m"})
    assert reply.status_code == 401
    assert "Incorrect API key provided" in reply.text
    assert key not in reply.text


class Tiny:
    """Makes a vector of two numbers."""

    id, weights = "tiny", 0

    async def dimension(self) -> int:
        return 2

    async def embed(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 2), np.float32)


async def test_tokens_of_many_texts_are_counted_off_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[threading.Thread] = set()
    count = embeddings.count

    def counted(text: str) -> int:
        threads.add(threading.current_thread())
        return count(text)

    monkeypatch.setattr(embeddings, "count", counted)
    made = await embedded(Tiny(), {"input": ["今天天气很好 and the tea is green " * 100] * 20})  # type: ignore[arg-type]
    assert made["usage"]["total_tokens"] > 20
    assert threads
    assert threading.main_thread() not in threads
