"""What errors look like from outside: one form, the right status, no secrets, nothing of the inside."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import BaseModel

import pagefile.errors as errors
from pagefile.memory import AsyncMemory

from .conftest import client_of

SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"


class Body(BaseModel):
    name: str
    number: int = 0


def add_routes(raised: Exception | None = None) -> Any:
    def add(app: FastAPI) -> None:
        async def fail() -> None:
            assert raised is not None
            raise raised

        async def take(body: Body) -> str:
            return body.name

        for prefix in ("/api/v1", "/v1"):
            app.get(f"{prefix}/fail")(fail)
            app.post(f"{prefix}/take")(take)

    return add


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (errors.InputError("x"), 400, "invalid-input"),
        (errors.InvalidIdentifier("x"), 400, "invalid-identifier"),
        (errors.NotFound("x"), 404, "not-found"),
        (errors.ConflictError("x"), 409, "conflict"),
        (errors.StaleRevision("x"), 409, "conflict"),
        (errors.Erased("x"), 409, "erased"),
        (errors.SessionBusy("x"), 409, "session-busy"),
        (errors.BlockFull("x"), 409, "block-full"),
        (errors.NotAuthenticated("x"), 401, "not-authenticated"),
        (errors.NotAllowed("x"), 403, "not-allowed"),
        (errors.TooMany("x", retry_after=7.2), 429, "too-many-requests"),
        (errors.StoreUnavailable("x"), 503, "store-unavailable"),
        (errors.ModelUnavailable("x"), 502, "model-unavailable"),
        (errors.ModelRefused("x"), 502, "model-refused"),
        (errors.ContextExceeded("x"), 400, "context-exceeded"),
        (errors.EmbedderError("x"), 502, "embedder-failed"),
    ],
)
async def test_each_kind_of_error_has_its_status(memory: AsyncMemory, error: Exception, status: int, kind: str) -> None:
    async with client_of(memory, change=add_routes(error)) as client:
        answer = await client.get("/api/v1/fail")
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        body = answer.json()
        assert (body["type"], body["status"], body["detail"]) == (f"urn:pagefile:error:{kind}", status, "x")
        assert body["request_id"] == answer.headers["x-request-id"]
        retry = {429: "8", 503: "1"}.get(status) or ("1" if kind == "session-busy" else None)
        assert answer.headers.get("retry-after") == retry
        openai = await client.get("/v1/fail")
        assert openai.status_code == status
        assert openai.json()["error"]["message"] == "x"


@pytest.mark.parametrize(
    "error", [ValueError("Zanzibar"), RuntimeError(SECRET), errors.StoreCorrupt("/home/alice/pagefile.db"), KeyError("x")]
)
async def test_of_other_errors_nothing_is_told_but_where_to_look(memory: AsyncMemory, error: Exception) -> None:
    async with client_of(memory, change=add_routes(error)) as client:
        for path in ("/api/v1/fail", "/v1/fail"):
            answer = await client.get(path)
            assert answer.status_code == 500
            assert str(error) not in answer.text
            assert answer.headers["x-request-id"] in answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"


async def test_secrets_in_errors_are_masked(memory: AsyncMemory) -> None:
    async with client_of(memory, change=add_routes(errors.InputError(f"the key {SECRET} is wrong; 密码：hunter2abc"))) as client:
        for path in ("/api/v1/fail", "/v1/fail"):
            assert SECRET not in (text := (await client.get(path)).text)
            assert "hunter2abc" not in text


async def test_a_long_error_is_cut(memory: AsyncMemory) -> None:
    async with client_of(memory, change=add_routes(errors.InputError("x" * 100_000))) as client:
        assert len((await client.get("/api/v1/fail")).content) < 3_000


async def test_a_body_of_the_wrong_form_is_told_field_by_field_without_its_words(memory: AsyncMemory) -> None:
    async with client_of(memory, change=add_routes()) as client:
        answer = await client.post("/api/v1/take", json={"number": "Zanzibar"})
        assert answer.status_code == 422
        assert [one["where"] for one in answer.json()["errors"]] == ["body.name", "body.number"]
        assert "Zanzibar" not in answer.text
        openai = await client.post("/v1/take", json={"number": "Zanzibar"})
        assert "body.name" in openai.json()["error"]["message"]
        assert "Zanzibar" not in openai.text


@pytest.mark.parametrize("body", [b"", b"{", b'{"name": "\xff"}', b"[" * 100_000, b'{"name": 1e999}', b"null", b'"x"'])
async def test_what_is_no_json_is_the_senders_fault(memory: AsyncMemory, body: bytes) -> None:
    async with client_of(memory, change=add_routes()) as client:
        answer = await client.post("/api/v1/take", content=body, headers={"content-type": "application/json"})
        assert 400 <= answer.status_code < 500, answer.text
        assert answer.headers["content-type"] == "application/problem+json"


async def test_an_address_without_a_route_and_a_wrong_method_are_told_in_the_same_form(memory: AsyncMemory) -> None:
    async with client_of(memory, change=add_routes()) as client:
        assert (await client.get("/api/v1/nothing")).json()["type"] == "urn:pagefile:error:not-found"
        assert (await client.get("/v1/nothing")).json()["error"]["code"] == "not_found"
        wrong = await client.get("/api/v1/take")
        assert wrong.status_code == 405
        assert wrong.headers["allow"] == "POST"
        assert wrong.json()["status"] == 405


async def test_the_openapi_document_knows_the_form_of_errors(memory: AsyncMemory) -> None:
    async with client_of(memory) as client:
        document = (await client.get("/openapi.json")).json()
        assert set(document["components"]["schemas"]["Problem"]["required"]) == {"type", "title", "status", "detail", "request_id"}
        assert "FieldProblem" in document["components"]["schemas"]
