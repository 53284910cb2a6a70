"""What an endpoint may say that no endpoint should: the client gets an answer that it can read, and the question is kept."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Sequence

import httpx
import pytest

from pagefile.models.openai import OpenAIModel
from tests.server.proxy.conftest import Between, user

Piece = bytes | threading.Event


class Scripted:
    """An endpoint that answers each request with the same bytes, whatever they mean. An event among them is waited for."""

    def __init__(self, *pieces: Piece) -> None:
        self._pieces = pieces
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            read = b""
            while b"\r\n\r\n" not in read:
                read += connection.recv(65_536)
            head, _, body = read.partition(b"\r\n\r\n")
            length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0)
            while len(body) < length:
                body += connection.recv(65_536)
            for piece in self._pieces:
                if isinstance(piece, threading.Event):
                    piece.wait(20)
                else:
                    connection.sendall(piece)

    def close(self) -> None:
        self._listening.close()


@pytest.fixture
def before(alone: Callable[..., Between]) -> Iterator[Callable[..., Between]]:
    """Starts a server in front of an endpoint that says these bytes."""
    made: list[Scripted] = []

    def start(*pieces: Piece) -> Between:
        made.append(Scripted(*pieces))
        return alone(model=OpenAIModel("test-model", base_url=made[-1].url))

    yield start
    for one in made:
        one.close()


def head(status: str = "200 OK", kind: str = "application/json", *more: str) -> bytes:
    return "\r\n".join((f"HTTP/1.1 {status}", f"Content-Type: {kind}", *more, "", "")).encode()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "pieces",
    [
        (head("200 OK", "application/json", "Content-Length: 100"),),
        (head("200 OK", "application/json", "Transfer-Encoding: chunked"),),
        (head("200 OK", "text/event-stream", "Transfer-Encoding: chunked"),),
        (head("500 Oh", "application/json", "Content-Length: 100"),),
    ],
    ids=["whole", "chunked", "a stream", "an error"],
)
@pytest.mark.parametrize("packed", ["gzip", "identity"])
def test_an_answer_that_breaks_off_before_its_first_byte_is_an_error(
    before: Callable[..., Between], pieces: Sequence[Piece], stream: bool, packed: str
) -> None:
    on = before(*pieces)
    reply = on.chat([user("I live in Oslo.")], stream=stream, headers={"Accept-Encoding": packed})
    assert reply.status_code == 502
    assert set(reply.json()["error"]) == {"message", "type", "param", "code"}
    assert "broke off" in reply.json()["error"]["message"]
    assert on.kept() == [("user", "I live in Oslo.")]


@pytest.mark.parametrize("packed", ["gzip", "identity"])
def test_a_stream_begins_for_the_client_when_it_begins(before: Callable[..., Between], packed: str) -> None:
    go_on = threading.Event()
    on = before(head("200 OK", "text/event-stream", "Transfer-Encoding: chunked"), go_on, b"7\r\ndata: 1\r\n", b"0\r\n\r\n")
    body = {"model": "m", "messages": [user("And?")], "stream": True}
    with httpx.stream("POST", f"{on.url}/chat/completions", json=body, headers={"Accept-Encoding": packed}, timeout=15) as reply:
        assert reply.status_code == 200
        go_on.set()
        assert reply.read() == b"data: 1"


@pytest.mark.parametrize("packed", ["gzip", "identity"])
def test_each_piece_of_an_answer_is_passed_on_when_it_comes(before: Callable[..., Between], packed: str) -> None:
    go_on = threading.Event()
    on = before(
        head("200 OK", "application/json", "Transfer-Encoding: chunked"), b"1\r\n \r\n", b"1\r\n \r\n", go_on, b"2\r\n{}\r\n0\r\n\r\n"
    )
    body = {"model": "m", "messages": [user("And?")]}
    with httpx.stream("POST", f"{on.url}/chat/completions", json=body, headers={"Accept-Encoding": packed}, timeout=15) as reply:
        pieces = reply.iter_raw()
        assert next(pieces) == b" "
        go_on.set()
        assert b"".join(pieces).strip() == b"{}"


@pytest.mark.parametrize("status", ["999 Odd", "600 Odd", "700 Odd"])
def test_a_status_that_is_none_is_a_bad_gateway(before: Callable[..., Between], status: str) -> None:
    on = before(head(status, "application/json", "Content-Length: 2") + b"{}")
    reply = on.chat([user("I live in Oslo.")])
    assert reply.status_code == 502
    assert status[:3] in reply.json()["error"]["message"]
    assert on.kept() == [("user", "I live in Oslo.")]


@pytest.mark.parametrize("status", ["204 No Content", "205 Reset Content", "304 Not Modified", "299 Odd", "599 Odd"])
def test_other_statuses_pass(before: Callable[..., Between], status: str) -> None:
    on = before(head(status, "application/json", *(() if status[:3] in ("204", "304") else ("Content-Length: 0",))))
    reply = on.chat([user("I live in Oslo.")])
    assert reply.status_code == int(status[:3])
    assert reply.content == b""
    assert on.kept() == [("user", "I live in Oslo.")]


@pytest.mark.parametrize("stream", [False, True])
def test_headers_in_other_letters_pass_as_they_are(before: Callable[..., Between], stream: bool) -> None:
    more = ("x-request-id: 请求-7", "x-note: grüße", "Content-Length: 2")
    on = before(head("200 OK", "application/json", *more) + b"{}")
    reply = on.chat([user("I live in Oslo.")], stream=stream)
    assert reply.status_code == 200
    sent = {name.lower(): value for name, value in reply.headers.raw}
    assert sent[b"x-note"] == "grüße".encode()
    assert sent[b"x-request-id"] == b"%E8%AF%B7%E6%B1%82-7"
