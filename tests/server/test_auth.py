"""Who is let in: with which key, from where, and for whose memory."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from pagefile.memory import AsyncMemory
from pagefile.server.addresses import is_loopback_host
from pagefile.server.auth import KeyRing
from pagefile.server.caller import Admin, ReadCaller, Reader, Writer

from .conftest import client_of


def add_routes(app: FastAPI) -> None:
    """Routes that only tell for whom they were asked."""

    @app.get("/api/v1/mine")
    async def read(memory: Reader) -> list[str]:
        return [memory.scope.tenant, memory.scope.user]

    @app.post("/api/v1/mine")
    async def write(memory: Writer) -> list[str]:
        return [memory.scope.tenant, memory.scope.user]

    @app.get("/api/v1/all")
    async def administer(caller: Admin) -> str | None:
        return caller.tenant

    @app.get("/v1/who")
    async def who(caller: ReadCaller, user: str | None = None) -> list[str]:
        scope = caller.scope(user)
        return [scope.tenant, scope.user]


@pytest.fixture
async def asked(memory: AsyncMemory) -> AsyncIterator[Any]:
    """Asks a path, with the secret of a key that was made with these fields."""
    apps: dict[str, httpx.AsyncClient] = {}
    async with contextlib.AsyncExitStack() as stack:

        async def ask(
            path: str, *, method: str = "GET", secret: str | None = None, peer: str = "127.0.0.1", **fields: Any
        ) -> httpx.Response:
            given = (await memory.create_key("test", **fields)).secret if fields else secret
            if peer not in apps:
                apps[peer] = await stack.enter_async_context(client_of(memory, peer=peer, change=add_routes, refused_per_minute=1_000))
            return await apps[peer].request(method, path, headers={"Authorization": f"Bearer {given}".encode()} if given else {})

        yield ask


# --- without keys -------------------------------------------------------------------------------------------------------


async def test_without_keys_programs_of_this_machine_may_do_everything(asked: Any) -> None:
    assert (await asked("/api/v1/mine")).json() == ["default", "me"]
    assert (await asked("/api/v1/mine?user=alice&tenant=acme", method="POST")).json() == ["acme", "alice"]
    assert (await asked("/api/v1/all")).json() is None
    # Many clients cannot go without a key, and send any.
    assert (await asked("/v1/who?user=小王", secret="sk-no-key-required")).json() == ["default", "小王"]
    assert (await asked("/api/v1/mine", peer="::1")).status_code == 200


async def test_without_keys_nobody_else_is_let_in(memory: AsyncMemory, asked: Any) -> None:
    refused = await asked("/api/v1/mine", peer="192.168.1.7")
    assert refused.status_code == 401
    async with client_of(memory, host="0.0.0.0", change=add_routes) as client:
        assert (await client.get("/api/v1/mine")).status_code == 401
        assert (await client.get("/healthz")).status_code == 200


async def test_without_keys_a_server_that_answers_to_a_public_name_lets_nobody_in(memory: AsyncMemory) -> None:
    new = await memory.create_key("last", user="alice")
    await memory.revoke_key(new.key.id)
    async with client_of(memory, allowed_hosts="mem.example.com") as client:
        for host in ("mem.example.com", "127.0.0.1:8642"):
            assert (await client.get("/api/v1/scopes", headers={"host": host})).status_code == 401
            assert (await client.get("/api/v1/scopes", headers={"host": host, "authorization": "Bearer sk-any"})).status_code == 401


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Real-IP"])
async def test_without_keys_what_a_proxy_passes_on_is_refused(client: httpx.AsyncClient, header: str) -> None:
    assert (await client.get("/api/v1/scopes")).status_code == 200
    assert (await client.get("/api/v1/scopes", headers={header: "203.0.113.9"})).status_code == 401


async def test_an_address_that_guesses_too_often_costs_no_look_into_the_store_and_keys_in_use_go_on(memory: AsyncMemory) -> None:
    new = await memory.create_key("used", user="alice")
    looked: list[str] = []
    find = memory.find_key

    async def counted(secret: str) -> Any:
        looked.append(secret)
        return await find(secret)

    memory.find_key = counted  # type: ignore[method-assign]  # counts, and asks the real one
    async with client_of(memory, refused_per_minute=2) as client:

        async def status(secret: str) -> int:
            return (await client.get("/api/v1/stats", headers={"authorization": f"Bearer {secret}"})).status_code

        assert await status(new.secret) == 200
        assert [await status(f"pf_aaaaaaaa_{number}") for number in range(5)] == [401, 401, 429, 429, 429]
        assert looked == [new.secret, "pf_aaaaaaaa_0", "pf_aaaaaaaa_1"]
        assert await status(new.secret) == 200


async def test_the_settings_say_whose_memory_is_meant_where_nobody_does(memory: AsyncMemory) -> None:
    async with client_of(memory, change=add_routes, user="小王", tenant="家") as client:
        assert (await client.get("/api/v1/mine")).json() == ["家", "小王"]


# --- with keys ----------------------------------------------------------------------------------------------------------


async def test_once_there_is_a_key_one_is_needed_on_this_machine_too(memory: AsyncMemory, asked: Any) -> None:
    await memory.create_key("other", user="alice")
    for path in ("/api/v1/mine", "/api/v1/all", "/v1/who", "/nothing", "/metrics", "/mcp"):
        refused = await asked(path)
        assert refused.status_code == 401, path
        assert refused.headers["www-authenticate"].startswith("Bearer")
    for path in ("/healthz", "/readyz", "/openapi.json"):
        assert (await asked(path)).status_code == 200, path


async def test_an_expired_key_is_refused_and_still_closes_the_server(memory: AsyncMemory, asked: Any) -> None:
    new = await memory.create_key("brief", user="alice", expires=timedelta(microseconds=1))
    assert (await asked("/api/v1/mine", secret=new.secret)).status_code == 401
    assert "expired" in (await asked("/api/v1/mine", secret=new.secret)).json()["detail"]
    assert (await asked("/api/v1/mine")).status_code == 401


@pytest.mark.parametrize("secret", ["pf_aaaaaaaa_bbbb", "sk-1", "密钥", "pf_" + "x" * 5_000])
async def test_an_unknown_key_is_refused(memory: AsyncMemory, asked: Any, secret: str) -> None:
    await memory.create_key("other", user="alice")
    refused = await asked("/api/v1/mine", secret=secret)
    assert refused.status_code == 401
    assert secret not in refused.text


async def test_a_bound_key_speaks_for_its_user_alone(asked: Any) -> None:
    bound = {"user": "alice", "tenant": "acme"}
    assert (await asked("/api/v1/mine", **bound)).json() == ["acme", "alice"]
    assert (await asked("/api/v1/mine?user=alice&tenant=acme", method="POST", **bound)).json() == ["acme", "alice"]
    # The same id, written otherwise.
    assert (await asked("/api/v1/mine?user=%20alice%20", **bound)).json() == ["acme", "alice"]
    for query in ("user=bob", "user=alic", "user=ALICE", "tenant=acme-corp", "tenant=default&user=alice", "user=*", "user=%25"):
        refused = await asked(f"/api/v1/mine?{query}", **bound)
        assert refused.status_code == 404, query
        assert refused.json()["detail"] == "there is no such user here, or none that this key may name"
    assert (await asked("/api/v1/mine?user=", **bound)).status_code == 400


async def test_a_key_for_several_users_must_be_told_which(asked: Any) -> None:
    wide = {"acts_as": "team/*"}
    assert (await asked("/api/v1/mine?user=team/小王", **wide)).json() == ["default", "team/小王"]
    assert (await asked("/api/v1/mine?user=me", **wide)).status_code == 404
    refused = await asked("/api/v1/mine", **wide)
    assert refused.status_code == 400
    assert "parameter user" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("rights", "allowed"),
    [(["read"], {"read"}), (["write"], {"write"}), (["read", "write"], {"read", "write"}), (["admin"], {"admin"})],
)
async def test_a_key_may_do_what_its_rights_say_and_nothing_else(asked: Any, rights: list[str], allowed: set[str]) -> None:
    routes = {"read": ("GET", "/api/v1/mine?user=a"), "write": ("POST", "/api/v1/mine?user=a"), "admin": ("GET", "/api/v1/all")}
    for right, (method, path) in routes.items():
        answer = await asked(path, method=method, acts_as="*", rights=rights)
        assert answer.status_code == (200 if right in allowed else 403), right


async def test_what_a_key_may_not_do_is_said_before_whom_it_may_not_name(asked: Any) -> None:
    """Otherwise a key without the right could find out what it may name."""
    for user in ("alice", "bob"):
        assert (await asked(f"/api/v1/mine?user={user}", method="POST", user="alice", rights=["read"])).status_code == 403


@pytest.mark.parametrize("header", ["Authorization: bearer {}", "Authorization: Bearer   {}", "X-Api-Key: {}", "Api-Key: {}"])
async def test_a_key_may_come_as_other_clients_send_it(memory: AsyncMemory, header: str) -> None:
    new = await memory.create_key("test", user="alice")
    name, _, value = header.format(new.secret).partition(": ")
    async with client_of(memory, change=add_routes) as client:
        assert (await client.get("/api/v1/mine", headers={name: value})).json() == ["default", "alice"]


async def test_errors_of_the_openai_interface_have_its_shape(memory: AsyncMemory, asked: Any) -> None:
    refused = await asked("/v1/who?user=bob", user="alice")
    assert refused.status_code == 404
    assert refused.json()["error"]["type"] == "not_found_error"
    refused = await asked("/v1/who")
    assert refused.status_code == 401
    assert refused.json() == {"error": refused.json()["error"]}
    assert set(refused.json()["error"]) == {"message", "type", "param", "code"}


# --- limits -------------------------------------------------------------------------------------------------------------


async def test_a_key_is_good_for_so_many_requests_a_minute(memory: AsyncMemory) -> None:
    few, many = await memory.create_key("few", user="a", per_minute=3), await memory.create_key("many", user="a")
    async with client_of(memory, key=few.secret, change=add_routes) as client:
        assert [(await client.get("/api/v1/mine")).status_code for _ in range(5)] == [200, 200, 200, 429, 429]
        refused = await client.get("/api/v1/mine")
        assert 1 <= int(refused.headers["retry-after"]) <= 20
        other = {"Authorization": f"Bearer {many.secret}"}
        assert [(await client.get("/api/v1/mine", headers=other)).status_code for _ in range(10)] == [200] * 10


async def test_guesses_at_keys_are_slowed_down_and_valid_ones_are_not(memory: AsyncMemory) -> None:
    new = await memory.create_key("test", user="alice")
    async with client_of(memory, change=add_routes, refused_per_minute=3) as client:
        guesses = [await client.get("/api/v1/mine", headers={"Authorization": f"Bearer pf_a_{n}"}) for n in range(5)]
        assert [guess.status_code for guess in guesses] == [401, 401, 401, 429, 429]
        assert int(guesses[-1].headers["retry-after"]) >= 1
        assert (await client.get("/api/v1/mine")).status_code == 429
        assert (await client.get("/api/v1/mine", headers={"Authorization": f"Bearer {new.secret}"})).status_code == 200


# --- keys that come and go while the server runs ------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_a_revoked_key_is_noticed_within_a_second(memory: AsyncMemory) -> None:
    clock = Clock()
    ring = KeyRing(memory, clock)
    new = await memory.create_key("test", user="alice")
    assert await ring.find(new.secret) == new.key
    await memory.revoke_key(new.key.id)
    clock.now += 1.0
    assert await ring.find(new.secret) is None


async def test_a_new_key_is_noticed_within_a_second_and_known_at_once(memory: AsyncMemory) -> None:
    clock = Clock()
    ring = KeyRing(memory, clock)
    assert not await ring.needed()
    new = await memory.create_key("test", user="alice")
    assert await ring.find(new.secret) == new.key
    clock.now += 1.0
    assert await ring.needed()


async def test_to_revoke_the_last_key_does_not_open_a_server_that_runs(memory: AsyncMemory) -> None:
    clock = Clock()
    ring = KeyRing(memory, clock)
    new = await memory.create_key("test", user="alice")
    assert await ring.needed()
    await memory.revoke_key(new.key.id)
    clock.now += 60.0
    assert await ring.needed()


async def test_keys_are_not_looked_up_for_each_request(memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    find = memory.find_key

    async def counted(secret: str) -> Any:
        looked.append(secret)
        return await find(secret)

    monkeypatch.setattr(memory, "find_key", counted)
    ring = KeyRing(memory, Clock())
    new = await memory.create_key("test", user="alice")
    for _ in range(10):
        await ring.find(new.secret)
        await ring.find("pf_guess")
    assert len(looked) == 2


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.1", False),
        ("localhost.evil.com", False),
        ("127.0.0.1.evil.com", False),
        ("", False),
        ("example.com", False),
    ],
)
def test_what_means_this_machine_alone(host: str, own: bool) -> None:
    assert is_loopback_host(host) is own
