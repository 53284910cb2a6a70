"""What every request gets: an id, safe headers, a packed reply, and a line in the log without a word that anybody said."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

import pagefile.server.logs as logs
from pagefile.errors import InputError, SettingsError
from pagefile.memory import AsyncMemory
from pagefile.records import Scope
from pagefile.server.caller import Reader

from .conftest import client_of

SAID = "Zanzibar is where 小王 hid the key"


def add_routes(app: FastAPI) -> None:
    @app.get("/api/v1/found/{item}")
    async def found(memory: Reader, item: str, q: str = "") -> dict[str, str]:
        return {"text": SAID * 100}

    @app.post("/api/v1/refused")
    async def refused(memory: Reader, body: dict[str, Any]) -> None:
        raise InputError(f"{body['text']} cannot be used")

    @app.post("/api/v1/broken")
    async def broken(body: dict[str, Any]) -> None:
        raise ValueError(body["text"])

    @app.get("/api/v1/stream")
    async def stream() -> StreamingResponse:
        async def events() -> AsyncIterator[bytes]:
            for number in range(3):
                yield f"data: {number}{' ' * 2_000}\n\n".encode()

        return StreamingResponse(events(), media_type="text/event-stream")


@pytest.fixture
async def asked(memory: AsyncMemory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(memory, change=add_routes) as client:
        yield client


@pytest.fixture
def written() -> Iterator[StringIO]:
    """What is logged, as JSON lines."""
    stream, names = StringIO(), ("pagefile", "uvicorn", "uvicorn.error", "uvicorn.access")
    before = [
        (name, logging.getLogger(name).handlers[:], logging.getLogger(name).propagate, logging.getLogger(name).level) for name in names
    ]
    logs.set_up("json", stream)
    yield stream
    for name, handlers, propagate, level in before:
        logger = logging.getLogger(name)
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)


def lines(written: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


# --- ids and headers ----------------------------------------------------------------------------------------------------


async def test_every_reply_has_an_id_of_its_own(asked: httpx.AsyncClient) -> None:
    paths = ("/healthz", "/nothing", "/api/v1/found/1", "/openapi.json")
    ids = [(await asked.get(path)).headers["x-request-id"] for path in paths for _ in range(3)]
    assert len(set(ids)) == len(ids)


async def test_the_id_that_a_client_gives_is_kept_if_it_is_one(asked: httpx.AsyncClient) -> None:
    assert (await asked.get("/healthz", headers={"x-request-id": "trace-7.a_b"})).headers["x-request-id"] == "trace-7.a_b"
    for odd in ("", "a b", "<script>", "x" * 200, '","level":"error', "-", "é"):
        answer = await asked.get("/healthz", headers={"x-request-id": odd.encode()})
        assert answer.headers["x-request-id"] != odd


@pytest.mark.parametrize("secret", ["ghp_" + "Qq4rSt7uVw1xYz8aBc3dEf6gHi9jKl2mNo5p", "pf_ms7lw4wo_" + "b2" * 26])
async def test_an_id_with_a_secret_in_it_is_not_taken_over_and_not_logged(asked: httpx.AsyncClient, written: StringIO, secret: str) -> None:
    answer = await asked.get("/api/v1/found/1", headers={"x-request-id": secret})
    (line,) = lines(written)
    assert line["request_id"] == answer.headers["x-request-id"]
    assert secret not in written.getvalue()


@pytest.mark.parametrize("path", ["/healthz", "/nothing", "/api/v1/found/1", "/api/v1/stream", "/metrics"])
async def test_every_reply_has_safe_headers(asked: httpx.AsyncClient, path: str) -> None:
    headers = (await asked.get(path)).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


async def test_a_large_reply_is_packed_for_who_can_unpack_it(asked: httpx.AsyncClient) -> None:
    packed = await asked.get("/api/v1/found/1", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in packed.headers["vary"].lower()
    plain = await asked.get("/api/v1/found/1", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == packed.json()
    assert int(packed.headers["content-length"]) < len(plain.content) / 5
    assert len(gzip.compress(plain.content)) < len(plain.content)
    assert "content-encoding" not in (await asked.get("/healthz")).headers


async def test_a_stream_of_events_is_never_packed(asked: httpx.AsyncClient) -> None:
    """It would be held back until there is enough to pack."""
    answer = await asked.get("/api/v1/stream", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.text.count("data: ") == 3


# --- the log ------------------------------------------------------------------------------------------------------------


async def test_a_request_is_a_line_of_json_that_names_the_route_and_not_what_was_asked(
    asked: httpx.AsyncClient, memory: AsyncMemory, written: StringIO
) -> None:
    new = await memory.create_key("test", acts_as="*")
    await asked.get(f"/api/v1/found/Zanzibar?q={SAID}&user=小王", headers={"authorization": f"Bearer {new.secret}", "x-request-id": "r1"})
    (line,) = lines(written)
    assert (line["request_id"], line["method"], line["route"], line["status"]) == ("r1", "GET", "/api/v1/found/{item}", 200)
    assert 0 <= line["first_ms"] <= line["ms"]
    assert line["key"] == new.key.id
    text = written.getvalue()
    for hidden in ("Zanzibar", "小王", json.dumps("小王")[1:-1], new.secret, new.secret.rpartition("_")[2]):
        assert hidden not in text


async def test_a_user_has_one_name_in_the_log_that_does_not_say_who_it_is(asked: httpx.AsyncClient, written: StringIO) -> None:
    for user in ("alice", "alice", "bob"):
        await asked.get(f"/api/v1/found/1?user={user}")
    names = [line["user"] for line in lines(written)]
    assert names[0] == names[1] != names[2]
    assert not {"alice", "bob"} & set(names)
    # Joined, tenant and user would be the same.
    assert logs.UserNames(b"x").of(Scope("a", "bc")) != logs.UserNames(b"x").of(Scope("ab", "c"))
    assert logs.UserNames().of(Scope("a", "b")) != logs.UserNames().of(Scope("a", "b"))


@pytest.mark.parametrize("path", ["/api/v1/refused", "/api/v1/broken"])
async def test_an_error_is_logged_without_its_words(asked: httpx.AsyncClient, written: StringIO, path: str) -> None:
    await asked.post(path, json={"text": SAID})
    text = written.getvalue()
    assert "Zanzibar" not in text
    assert "小王" not in text
    assert path in text


async def test_an_unexpected_error_is_logged_with_its_kind_and_place(asked: httpx.AsyncClient, written: StringIO) -> None:
    await asked.post("/api/v1/broken", json={"text": SAID}, headers={"x-request-id": "r2"})
    failed, request = lines(written)
    assert (failed["level"], failed["error"], failed["request_id"]) == ("error", "ValueError", "r2")
    assert "test_requests.py" in failed["where"][-1]
    assert request["status"] == 500


async def test_whoever_asks_whether_it_lives_does_not_fill_the_log(asked: httpx.AsyncClient, written: StringIO) -> None:
    for path in ("/healthz", "/readyz"):
        await asked.get(path)
    assert written.getvalue() == ""
    await asked.get("/healthz", headers={"host": "evil.com"})
    assert lines(written)[0]["status"] == 403


async def test_an_address_that_is_none_of_ours_is_not_logged(asked: httpx.AsyncClient, written: StringIO) -> None:
    await asked.request("ZANZIBAR", "/Zanzibar")
    (line,) = lines(written)
    assert (line["method"], line["route"]) == ("OTHER", "none")
    assert "anzibar" not in written.getvalue().lower()


def test_what_the_library_logs_is_told_without_texts_and_messages_of_errors(written: StringIO) -> None:
    logger = logging.getLogger("pagefile.indexer")
    logger.warning("no usable vector for %s: %s, after %d times", "Zanzibar", ValueError("Zanzibar"), 3)
    try:
        raise InputError("Zanzibar") from ValueError("Zanzibar")
    except InputError:
        logger.exception("a job failed")
    first, second = lines(written)
    assert first["said"] == "no usable vector for …: ValueError, after 3 times"
    assert second["error"] == "InputError from ValueError"
    assert "Zanzibar" not in written.getvalue()


def test_secrets_in_the_log_are_masked(written: StringIO) -> None:
    logging.getLogger("uvicorn.error").warning("odd header: %s", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    assert "abcdefghijkl" not in written.getvalue()
    assert "odd header" in written.getvalue()


@pytest.mark.parametrize("form", ["json", "text", "off"])
def test_the_forms_of_the_log(form: str) -> None:
    assert logs.form_of(form) == form


def test_another_form_is_refused() -> None:
    with pytest.raises(SettingsError, match="json, text or off"):
        logs.form_of("verbose")


async def test_as_text_a_request_is_a_short_line(asked: httpx.AsyncClient, written: StringIO) -> None:
    logs.set_up("text", written)
    await asked.get("/api/v1/found/Zanzibar", headers={"x-request-id": "r3"})
    (line,) = written.getvalue().splitlines()
    assert "GET /api/v1/found/{item} 200" in line
    assert "request_id=r3" in line
