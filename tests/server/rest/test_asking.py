"""What a request may look like: parameters that there are, and texts as programs send them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.server.rest.help import API, JSON, Rest

pytestmark = pytest.mark.anyio

#: Half of a character, as a program sends it that cuts texts anywhere.
HALF = "\\ud83d"


@pytest.mark.parametrize(
    ("method", "path", "name", "meant"),
    [
        ("GET", "/records", "limt", "limit"),
        ("GET", "/records", "usr", "user"),
        ("GET", "/messages", "sesion", "session"),
        ("POST", "/messages", "wiat", "wait"),
        ("GET", "/events", "last", None),
        ("GET", "/stats", "数量", None),
    ],
)
async def test_a_parameter_that_there_is_not_is_refused_and_the_one_that_is_meant_is_named(
    client: httpx.AsyncClient, method: str, path: str, name: str, meant: str | None
) -> None:
    body = {"json": {"messages": ["I like tea."]}} if method == "POST" else {}
    reply = await client.request(method, f"{API}{path}", params={name: "3"}, **body)
    assert reply.status_code == 422
    (problem,) = reply.json()["errors"]
    assert problem["where"] == f"query.{name}"
    assert problem["problem"].endswith(f"did you mean {meant}?" if meant else "user")
    assert (await client.get(f"{API}/messages")).json()["items"] == []


async def test_parameters_are_looked_at_under_the_api_alone(client: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/docs", "/openapi.json", "/v1/models"):
        assert (await client.get(path, params={"version": "3"})).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/messages", f'{{"messages": ["tea {HALF}"]}}'),
        ("POST", "/records", f'{{"text": "I like tea {HALF}", "tags": ["茶{HALF}"]}}'),
        ("POST", "/search", f'{{"query": "喝什么{HALF}"}}'),
        ("PUT", "/blocks/human", f'{{"text": "我是小雨{HALF}"}}'),
        ("PUT", "/tasks/trip", f'{{"value": {{"to{HALF}": "Oslo{HALF}"}}}}'),
        ("POST", "/context", f'{{"messages": [{{"role": "user", "content": "tea{HALF}"}}]}}'),
        ("POST", "/forget", f'{{"query": "tea{HALF}"}}'),
    ],
)
async def test_half_of_a_character_does_not_make_a_request_fail(alice: Rest, method: str, path: str, body: str) -> None:
    reply = await alice.call(method, path, expect=None, content=body, headers=JSON)
    assert reply.status_code in (200, 201), reply.text
    assert "\\ud8" not in reply.text


async def test_half_of_a_character_in_a_name_is_refused(alice: Rest) -> None:
    for path, body in (("/messages", f'{{"messages": ["tea{HALF}"], "session": "s{HALF}"}}'), ("/revert", f'{{"session": "会话{HALF}"}}')):
        reply = await alice.call("POST", path, expect=422, content=body, headers=JSON)
        assert [one["where"] for one in reply["errors"]] == ["body.session"]


async def test_what_else_is_wrong_with_a_text_is_told(alice: Rest) -> None:
    body: Any = f'{{"text": "{HALF}", "kind": "nonsense"}}'
    reply = await alice.call("POST", "/records", expect=422, content=body, headers=JSON)
    assert [one["where"] for one in reply["errors"]] == ["body.kind"]
