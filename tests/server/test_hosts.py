"""Web pages elsewhere cannot use a server on this machine through a browser: names, origins, CORS."""

from __future__ import annotations

import httpx
import pytest

from pagefile.errors import SettingsError
from pagefile.memory import AsyncMemory
from pagefile.server.app import create_app
from pagefile.settings import Settings

from .conftest import client_of


async def status(client: httpx.AsyncClient, **headers: str) -> int:
    return (await client.get("/readyz", headers={name.replace("_", "-"): value for name, value in headers.items()})).status_code


@pytest.mark.parametrize("host", ["localhost", "localhost:8642", "127.0.0.1:1", "127.1.2.3", "[::1]:8642", "LOCALHOST:80"])
async def test_it_answers_to_the_names_of_this_machine(client: httpx.AsyncClient, host: str) -> None:
    assert await status(client, host=host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.com",
        "evil.com:8642",
        "127.0.0.1.evil.com",
        "localhost.evil.com",
        "192.168.0.1",
        "",
        "localhost@evil.com",
        "127.0.0.1, evil.com",
    ],
)
async def test_it_answers_to_no_other_name(client: httpx.AsyncClient, host: str) -> None:
    """A page can have its own name point at this machine (DNS rebinding)."""
    assert await status(client, host=host) == 403


async def test_it_says_what_to_set(client: httpx.AsyncClient) -> None:
    refused = await client.get("/api/v1/x", headers={"host": "memory.example.com"})
    assert refused.json()["type"] == "urn:pagefile:error:host-not-allowed"
    assert "PAGEFILE_ALLOWED_HOSTS" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("pagefile", 200),
        ("a.example.com:80", 200),
        ("A.B.EXAMPLE.COM", 200),
        ("example.com", 403),
        ("notexample.com", 403),
        ("pagefile.evil", 403),
    ],
)
async def test_it_answers_to_the_names_that_are_set(memory: AsyncMemory, host: str, expected: int) -> None:
    async with client_of(memory, allowed_hosts="pagefile, *.example.com") as client:
        assert await status(client, host=host) == expected


@pytest.mark.parametrize(("host", "expected"), [("192.168.0.7:8642", 200), ("[fe80::1]", 200), ("evil.com", 403), ("localhost", 200)])
async def test_bound_to_every_address_it_answers_to_addresses_but_not_to_names(memory: AsyncMemory, host: str, expected: int) -> None:
    async with client_of(memory, host="0.0.0.0") as client:
        assert await status(client, host=host) == expected


async def test_bound_to_a_name_it_answers_to_that(memory: AsyncMemory) -> None:
    async with client_of(memory, host="mybox.lan") as client:
        assert await status(client, host="mybox.lan:8642") == 200
        assert await status(client, host="other.lan") == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.com", "null", "https://127.0.0.1:8642.evil.com", "http://localhost:3000", "file://", "http://[::1", "//["]
)
async def test_pages_of_another_origin_are_refused(client: httpx.AsyncClient, origin: str) -> None:
    assert await status(client, host="127.0.0.1:8642", origin=origin) == 403
    refused = await client.post("/api/v1/x", headers={"origin": origin})
    assert refused.status_code == 403
    assert not [name for name in refused.headers if name.startswith("access-control-")]


async def test_pages_of_its_own_are_served(client: httpx.AsyncClient) -> None:
    assert await status(client, host="127.0.0.1:8642", origin="http://127.0.0.1:8642", sec_fetch_site="same-origin") == 200


async def test_what_a_page_elsewhere_embeds_is_refused_but_a_link_to_it_is_not(client: httpx.AsyncClient) -> None:
    assert await status(client, sec_fetch_site="cross-site", sec_fetch_mode="no-cors") == 403
    assert await status(client, sec_fetch_site="cross-site", sec_fetch_mode="navigate") == 200


async def test_without_the_setting_no_page_is_told_that_it_may(client: httpx.AsyncClient) -> None:
    asked = await client.options("/api/v1/x", headers={"origin": "http://evil.com", "access-control-request-method": "POST"})
    assert asked.status_code == 403
    assert not [name for name in asked.headers if name.startswith("access-control-")]


async def test_pages_of_an_origin_that_is_set_are_served(memory: AsyncMemory) -> None:
    await memory.create_key("test", user="alice")
    async with client_of(memory, allowed_origins="https://chat.example.com/, http://localhost:3000") as client:
        page = {"origin": "https://chat.example.com"}
        # A browser asks before it sends a key, and without one.
        may = await client.options(
            "/api/v1/x",
            headers=page | {"access-control-request-method": "POST", "access-control-request-headers": "authorization,x-stainless-os"},
        )
        assert may.status_code == 200
        assert may.headers["access-control-allow-origin"] == "https://chat.example.com"
        assert "authorization" in may.headers["access-control-allow-headers"].lower()
        assert "access-control-allow-credentials" not in may.headers
        answered = await client.get("/readyz", headers=page)
        assert answered.headers["access-control-allow-origin"] == "https://chat.example.com"
        assert "x-request-id" in answered.headers["access-control-expose-headers"].lower()
        assert (await client.get("/api/v1/x", headers=page)).status_code == 401
        assert (await client.get("/readyz", headers={"origin": "https://chat.example.com.evil.com"})).status_code == 403


@pytest.mark.parametrize("origins", ["*", "chat.example.com", "https://*.example.com", "https://a.com/path", "ftp://a.com", "http://[::1"])
async def test_an_origin_that_is_none_is_refused_at_the_start(memory: AsyncMemory, origins: str) -> None:
    with pytest.raises(SettingsError, match="PAGEFILE_ALLOWED_ORIGINS"):
        create_app(memory, Settings(allowed_origins=origins))
