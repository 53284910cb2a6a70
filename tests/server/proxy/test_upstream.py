"""Where requests go, and what of their headers does."""

from __future__ import annotations

import httpx
import pytest
from starlette.datastructures import Headers

from pagefile.memory import AsyncMemory
from pagefile.models.ollama import OllamaModel
from pagefile.models.openai import OpenAIModel
from pagefile.ports import Model
from pagefile.server.app import create_app
from pagefile.server.proxy.upstream import headers_to_send, open_upstream
from pagefile.settings import Settings


@pytest.mark.parametrize(
    ("model", "settings", "url", "key"),
    [
        (OpenAIModel("m", base_url="http://127.0.0.1:8000/v1", api_key="sk-one"), {}, "http://127.0.0.1:8000/v1/", "sk-one"),
        (OllamaModel("qwen3:4b"), {}, "http://127.0.0.1:11434/v1/", None),
        (OllamaModel("qwen3:4b", base_url="http://127.0.0.1:11434"), {}, "http://127.0.0.1:11434/v1/", None),
        (None, {"base_url": "http://127.0.0.1:9/v1", "api_key": "k"}, "http://127.0.0.1:9/v1/", "k"),
        (None, {"openai_api_key": "sk-openai"}, "https://api.openai.com/v1/", "sk-openai"),
        (None, {"openai_api_key": "sk-openai", "model": "offline"}, None, None),
        (None, {}, None, None),
    ],
)
async def test_the_endpoint_is_that_of_the_model_or_of_the_settings(
    model: Model | None, settings: dict[str, str], url: str | None, key: str | None
) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none", model=model) as memory:
        upstream = open_upstream(memory, Settings(**settings))
        if upstream is None:
            assert url is None
            return
        async with upstream:
            assert str(upstream.base_url) == url
            assert upstream.headers.get("authorization") == (f"Bearer {key}" if key else None)


@pytest.mark.parametrize(
    ("own", "open_door", "server_key", "sent"),
    [
        ("Bearer sk-proj-real-key", True, None, "Bearer sk-proj-real-key"),
        ("Bearer sk-proj-real-key", False, None, None),
        ("Bearer sk-proj-real-key", True, "sk-servers", None),
        ("Bearer pf_abc_secret", True, None, None),
        ("Bearer none", True, None, None),
        ("Basic YWJj", True, None, None),
    ],
)
def test_a_clients_key_goes_on_only_where_the_server_has_none_and_asks_for_none(
    own: str, open_door: bool, server_key: str | None, sent: str | None
) -> None:
    upstream = httpx.AsyncClient(headers={"Authorization": f"Bearer {server_key}"} if server_key else {})
    headers = headers_to_send(Headers({"authorization": own, "openai-organization": "org-1"}), upstream=upstream, open_door=open_door)
    assert headers.get("authorization") == sent
    assert ("openai-organization" in headers) is (sent is not None)


async def test_another_transport_can_stand_for_the_network() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"object": "list", "data": [{"id": str(request.url)}]})

    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        app = create_app(memory, Settings(base_url="http://endpoint.example/v1"), upstream_transport=httpx.MockTransport(answer))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            assert (await client.get("/v1/models")).json()["data"] == [{"id": "http://endpoint.example/v1/models"}]


@pytest.mark.parametrize(
    ("name", "goes_on"),
    [
        ("content-type", True),
        ("idempotency-key", True),
        ("openai-beta", True),
        ("anthropic-version", True),
        ("x-stainless-retry-count", True),
        ("openai-organization", False),
        ("anthropic-auth-token", False),
        ("x-forwarded-for", False),
        ("cf-connecting-ip", False),
        ("x-amz-security-token", False),
        ("x-pagefile-user", False),
        ("content-length", False),
    ],
)
def test_headers_go_on_that_are_known_to_be_for_an_endpoint(name: str, goes_on: bool) -> None:
    sent = headers_to_send(Headers({name: "1"}), upstream=httpx.AsyncClient(), open_door=True)
    assert (name in sent) is goes_on


async def test_what_an_endpoint_sets_for_one_user_goes_along_with_nobodys_request(memory: AsyncMemory) -> None:
    sent = list[str | None]()

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("cookie"))
        return httpx.Response(200, headers={"set-cookie": "a=b; Path=/"}, json={"data": []})

    upstream = open_upstream(memory, Settings(base_url="http://models.test/v1"), transport=httpx.MockTransport(answer))
    assert upstream is not None
    async with upstream:
        for _ in range(2):
            await upstream.get("models")
    assert sent == [None, None]


async def test_no_name_of_a_model_is_another_address_of_the_endpoint(memory: AsyncMemory) -> None:
    asked = list[str]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200, json={})

    app = create_app(memory, Settings(base_url="http://models.test/v1"), upstream_transport=httpx.MockTransport(answer))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client,
    ):
        for name in ("%252e%252e/files", "..%2ffiles", "a//b"):
            assert (await client.get(f"/v1/models/{name}")).status_code == 404
    assert asked == []
