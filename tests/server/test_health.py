"""Whether the server lives and can work, and figures of what it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from pagefile.costs import Spent
from pagefile.errors import StoreUnavailable
from pagefile.memory import AsyncMemory
from pagefile.ports import NewJob
from pagefile.records import Scope
from pagefile.server.health import Readiness
from pagefile.settings import Settings
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeClock

from .conftest import Running, client_of


async def test_it_says_that_it_lives_and_can_work(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok"}
    ready = await client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json() == {"status": "ok", "store": "ok", "embedder": "none", "oldest_job_seconds": 0.0}


def test_a_real_server_answers(running_server: Callable[..., Running]) -> None:
    running = running_server()
    assert httpx.get(f"{running.url}/healthz").json() == {"status": "ok"}


class FullStore(MemoryStore):
    async def drop_key(self, id: str) -> bool:
        raise StoreUnavailable("writing '/home/alice/pagefile.db': the disk is full")


async def test_it_is_not_ready_when_the_store_takes_no_writes_but_it_lives() -> None:
    async with await AsyncMemory.open(store=FullStore(), embedder="none") as memory, client_of(memory) as client:
        ready = await client.get("/readyz")
        assert ready.status_code == 503
        assert ready.json() == {"status": "unavailable", "store": "StoreUnavailable"}
        assert (await client.get("/healthz")).status_code == 200


async def test_it_tells_how_long_the_oldest_job_waits() -> None:
    store, clock = MemoryStore(), FakeClock(datetime.now(UTC) + timedelta(days=1))
    async with await AsyncMemory.open(store=store, embedder="none", learn="off", now=clock) as memory:
        await store.enqueue(Scope("acme", "alice"), [NewJob(kind=memory._worker.kinds[0], ready_at=clock.now)])
        clock.advance(90)
        assert 80 < await memory.lag() < 100


@pytest.fixture
async def figures(memory: AsyncMemory) -> str:
    """The figures after some requests."""
    mine = memory.scope("Zanzibar", tenant="acme")
    await mine.add("I live in Berlin.", session="s")
    await memory._parts.store.spend(mine.scope, datetime.now(UTC).date(), Spent(calls=2, input_tokens=100, output_tokens=7), purpose="chat")
    async with client_of(memory) as client:
        for path in ("/healthz", "/healthz", "/nothing?user=Zanzibar"):
            await client.get(path)
        answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text


async def test_the_figures_tell_of_requests_jobs_and_tokens(figures: str) -> None:
    def value(line: str) -> float:
        found = re.search(rf"^{re.escape(line)} (\S+)$", figures, flags=re.MULTILINE)
        assert found, line
        return float(found[1])

    assert value('pagefile_requests_total{method="GET",route="/healthz",status="200"}') == 2
    assert value('pagefile_requests_total{method="GET",route="none",status="404"}') == 1
    assert value('pagefile_request_seconds_count{method="GET",route="/healthz"}') == 2
    assert value('pagefile_model_calls_today{purpose="chat"}') == 2
    assert value('pagefile_tokens_today{direction="read",purpose="chat"}') == 100
    assert value('pagefile_jobs{state="dead"}') == 0
    assert value("pagefile_oldest_job_seconds") >= 0
    assert value("pagefile_store_bytes") == 0


async def test_the_figures_name_nobody(figures: str) -> None:
    assert "Zanzibar" not in figures
    assert "acme" not in figures


async def test_the_figures_need_the_right_to_administer(memory: AsyncMemory) -> None:
    plain, admin = await memory.create_key("a", acts_as="*"), await memory.create_key("b", acts_as="*", rights=["admin"])
    async with client_of(memory) as client:
        for secret, status in ((plain.secret, 403), (admin.secret, 200)):
            assert (await client.get("/metrics", headers={"Authorization": f"Bearer {secret}"})).status_code == status
        assert (await client.get("/metrics")).status_code == 401


async def test_an_administrator_of_another_tenant_sees_the_tokens_of_that_one_alone(memory: AsyncMemory) -> None:
    for tenant, tokens in (("default", 100), ("acme", 7)):
        mine = memory.scope("alice", tenant=tenant)
        await mine.add("I live in Berlin.", session="s")
        await memory._parts.store.spend(mine.scope, datetime.now(UTC).date(), Spent(calls=1, input_tokens=tokens), purpose="chat")
    seen = {}
    for tenant in ("default", "acme", "other"):
        key = await memory.create_key(tenant, tenant=tenant, acts_as="*", rights=["admin"])
        async with client_of(memory, key=key.secret) as client:
            seen[tenant] = (await client.get("/metrics")).text
    line = 'pagefile_tokens_today{direction="read",purpose="chat"}'
    assert f"{line} 107.0" in seen["default"]
    assert f"{line} 7.0" in seen["acme"]
    assert line not in seen["other"]
    for name in ("pagefile_jobs", "pagefile_oldest_job_seconds", "pagefile_store_bytes"):
        assert [tenant for tenant, text in seen.items() if name in text] == ["default"]


class CountingStore(MemoryStore):
    looks = 0

    async def drop_key(self, id: str) -> bool:
        self.looks += 1
        return await super().drop_key(id)


async def test_asking_often_whether_it_is_ready_takes_the_lock_of_the_store_once_a_second() -> None:
    store = CountingStore()
    async with await AsyncMemory.open(store=store, embedder="none") as memory, client_of(memory) as client:
        for _ in range(5):
            assert (await client.get("/readyz")).status_code == 200
        assert store.looks == 1


async def test_after_a_second_it_looks_anew_whether_it_is_ready() -> None:
    store, now = CountingStore(), [10.0]
    async with await AsyncMemory.open(store=store, embedder="none") as memory:
        readiness = Readiness(memory, lambda: now[0])
        for second in (10.0, 10.9, 11.0):
            now[0] = second
            assert (await readiness.look())[0] == 200
    assert store.looks == 2


async def test_a_store_that_was_closed_is_not_ready(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none", settings=Settings(timezone="UTC")) as memory:
        async with client_of(memory) as client:
            assert (await client.get("/readyz")).status_code == 200
        await memory.close()
        async with client_of(memory) as client:
            assert (await client.get("/readyz")).status_code == 503
