"""Who may do what: every route of the app × every kind of key × own and foreign memory.

The routes are those of the app's own table, so that a new one cannot be forgotten: one that does not say which right it needs fails here.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from urllib.parse import quote

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts

from pagefile.access import NewKey, Right, speaks_for
from pagefile.memory import AsyncMemory
from pagefile.records import Scope
from pagefile.server.app import create_app
from pagefile.server.auth import is_open
from pagefile.server.caller import Scoped, declared, rights_in
from pagefile.settings import Settings
from pagefile.stores.memory import MemoryStore

pytestmark = pytest.mark.anyio

ALICE, BOB, NAMESAKE = Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme-corp", "alice")
#: Stands in the names of everything of Bob and of the other tenant's Alice, and nowhere else.
MARK = "Zanzibar"
#: Stands in their texts, and nobody gives it to any route.
SAID = "Quetzal"
#: Routes that are no FastAPI routes, and so say elsewhere what they need: nothing but a key, and then each tool its right.
BY_KEY_ALONE = {"/mcp": ("POST",)}
#: What they need with the bodies below, and those that need more of one body than of another with the body that is tried.
NEEDED_THERE: Mapping[str, tuple[str, ...]] = {
    "/mcp": ("read",),
    "/v1/chat/completions": ("read", "write"),
    "/api/v1/correct": ("read", "write"),
    "/api/v1/forget": ("read", "write"),
}
#: Routes without a query for it where headers name the user. Others of their kind have nothing to do with anybody's memory.
NAMED_BY_HEADERS = frozenset({"/mcp", "/v1/chat/completions"})
ALL_RIGHTS = frozenset(get_args(Right))


@dataclass(frozen=True)
class Route:
    """One method of one path."""

    method: str
    path: str
    #: What it needs: a right, or several of which each is needed; "key": any key; "nothing": not even that.
    needs: tuple[str, ...]
    #: Whether the query names the user; else headers do.
    by_query: bool
    #: The query parameters it has.
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def needs_there(self) -> tuple[str, ...]:
        """What it needs as it is tried here."""
        return NEEDED_THERE.get(self.path, self.needs)


def routes_of(app: FastAPI) -> Iterator[Route]:
    for context in iter_route_contexts(app.routes):
        path, needed = str(context.path), declared(context)
        methods = BY_KEY_ALONE.get(path) or sorted((context.methods or set()) - {"HEAD"})
        assert methods, path
        if needed is None and not is_open(path):
            assert path in BY_KEY_ALONE, f"{path} does not say which right it needs: give it Reader, Writer, Admin or Needs"
        for method in methods:
            yield Route(
                method,
                path,
                rights_in(needed.right) if needed else ("nothing",) if is_open(path) else ("key",),
                isinstance(needed, Scoped),
                queries(context),
            )


def queries(context: RouteContext) -> tuple[str, ...]:
    """The query parameters of a route and of what it depends on."""
    dependant = getattr(context, "dependant", None)
    waiting, found = [dependant] if dependant is not None else [], []
    while waiting:
        one = waiting.pop()
        found += [parameter.alias for parameter in one.query_params]
        waiting += one.dependencies
    return tuple(found)


# --- the world ----------------------------------------------------------------------------------------------------------


class WatchedStore:
    """A store that notes whose scope each call is about."""

    def __init__(self) -> None:
        self._store = MemoryStore()
        self.touched: set[Scope] = set()
        self.location = "memory"

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if not callable(method):
            return method

        def noted(*given: Any, **named: Any) -> Any:
            self.touched |= {value for value in (*given, *named.values()) if isinstance(value, Scope)}
            return method(*given, **named)

        return noted


@dataclass
class World:
    """An app over the memories of Alice, Bob, and an Alice of another tenant."""

    memory: AsyncMemory
    store: WatchedStore
    app: FastAPI
    client: httpx.AsyncClient
    routes: tuple[Route, ...]
    #: Path and method → an example of its body, from the OpenAPI document.
    examples: Mapping[tuple[str, str], Any]
    #: Names of parameters → ids of Bob's things.
    foreign: Mapping[str, list[str]]
    keys: dict[str, NewKey] = field(default_factory=dict)

    async def ask(self, route: Route, kind: str, *, who: Mapping[str, str], ids: Mapping[str, str] | None = None) -> httpx.Response:
        """Ask a route with a kind of key for the memory of ``who``; ``ids`` stand in the path, the query and the body."""
        ids = ids or {}
        named = {"user": "x-pagefile-user", "tenant": "x-pagefile-tenant"}
        headers = {"Accept": "application/json, text/event-stream"}
        if not route.by_query:
            headers |= {named[name]: quote(value) for name, value in who.items()}
        if secret := self.secret(kind):
            headers["Authorization"] = f"Bearer {secret}"
        path = "/".join(quote(ids.get(_name(part), "nothing"), safe="") if part.startswith("{") else part for part in route.path.split("/"))
        asked = {name: ids[name] for name in route.queries if name in ids and name not in {"user", "tenant"}}
        example = self.examples.get((route.path, route.method))
        body: dict[str, Any] = {}
        if isinstance(example, str):
            body = {"content": example.encode()}
            headers["Content-Type"] = "application/x-ndjson"
        elif route.method in {"POST", "PUT", "PATCH"}:
            body = {"json": _with_ids(example if example is not None else _OTHER_BODIES.get(route.path, {}), ids)}
        return await self.client.request(route.method, path, params={**(who if route.by_query else {}), **asked}, headers=headers, **body)

    def secret(self, kind: str) -> str | None:
        if kind == "no key":
            return None
        return "pf_aaaaaaaa_" + "b" * 52 if kind == "unknown" else self.keys[kind].secret


_OTHER_BODIES: Mapping[str, Any] = {
    "/v1/chat/completions": {"model": "offline", "messages": [{"role": "user", "content": "What do I know?"}]},
    "/v1/embeddings": {"model": "local", "input": "tea"},
    "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": "tea"}}},
}


def _name(part: str) -> str:
    return part.strip("{}").partition(":")[0]


def _with_ids(value: Any, ids: Mapping[str, str]) -> Any:
    if not isinstance(value, dict):
        return value
    lists = {"ids": "id"}
    changed = {name: ids.get(name, each) if isinstance(each, str) else each for name, each in value.items()}
    return changed | {name: [ids[one]] for name, one in lists.items() if name in value and one in ids}


#: Kind of key → how it is made. Dave is there to try ids that are not his.
KINDS: Mapping[str, Mapping[str, Any]] = {
    "expired": {"user": "alice", "expires": timedelta(microseconds=1)},
    "revoked": {"user": "alice"},
    "read only": {"user": "alice", "rights": ["read"]},
    "write only": {"user": "alice", "rights": ["write"]},
    "bound to Alice": {"user": "alice"},
    "for those that begin with al": {"acts_as": "al*"},
    "for all, without admin": {"acts_as": "*"},
    "admin alone": {"acts_as": "*", "rights": ["admin"]},
    "everything": {"acts_as": "*", "rights": ["read", "write", "admin"]},
    "bound to Carol": {"user": "carol"},
    "bound to Dave": {"user": "dave"},
    "another tenant's": {"acts_as": "*", "tenant": "nobody-inc", "rights": ["read", "write", "admin"]},
}
CLOSED = ("no key", "unknown", "expired", "revoked")
OPEN = tuple(kind for kind in KINDS if kind not in CLOSED)
#: What each may not name. Nobody may name Bob's namesakes elsewhere, and only keys for all may name Bob.
FOREIGN: Mapping[str, tuple[Mapping[str, str], ...]] = {
    kind: (
        {"user": "alice", "tenant": "acme-corp"},
        {"user": "nobody", "tenant": "acme-corp"},
        *([] if KINDS[kind].get("acts_as") == "*" else [{"user": "bob"}, {"user": "nobody"}]),
        *([{"user": "alice"}] if kind == "bound to Carol" else []),
        *([{"user": "alice", "tenant": "acme"}] if kind == "another tenant's" else []),
    )
    for kind in OPEN
}


async def fill(memory: AsyncMemory, scope: Scope, mark: str, said: str) -> dict[str, list[str]]:
    """Give somebody one of everything; returns the ids by the names that parameters have."""
    mine = memory.scope(scope.user, tenant=scope.tenant)
    receipt = await mine.add([{"role": "user", "content": f"My dog {said} sleeps.", "id": f"{mark} m1"}], session=f"{mark} talk")
    record = await mine.remember(f"{said} is the name of the dog", tags=[said], subject=mark, attribute=mark, value=said)
    await mine.merge_entities(f"{mark} alias", mark)
    await mine.edit(record.id, text=f"{said} is the name of the big dog")
    block = await mine.write_block(f"{mark} block", f"about {said}")
    await mine.put_task(f"{mark} task", {"step": said})
    await mine.checkpoint(f"{mark} talk", f"{mark} point", {"state": said})
    changes = await mine.changes()
    return {
        "id": [receipt.messages[0].id, record.id, *(change.id for change in changes.items[:2])],
        "session": [f"{mark} talk"],
        "label": [block.label],
        "key": [f"{mark} task", f"{mark} point"],
        "target": [record.id, f"block:{block.label}"],
        "attribute": [mark],
        "name": [mark],
        "alias": [f"{mark} alias"],
    }


@pytest.fixture(scope="module")
async def world() -> AsyncIterator[World]:
    store = WatchedStore()
    settings = Settings(timezone="UTC", tenant="acme", request_log="off", refused_per_minute=1_000_000)
    async with await AsyncMemory.open(store=store, embedder="none", learn="off", settings=settings) as memory:  # type: ignore[arg-type]
        for scope in (ALICE, Scope("acme", "carol"), Scope("acme", "dave"), Scope("nobody-inc", "alice")):
            await fill(memory, scope, "own", "tea")
        foreign = await fill(memory, BOB, MARK, SAID)
        await fill(memory, NAMESAKE, MARK, SAID)
        app = create_app(memory, settings)
        # Streams that go on for ever end at once.
        app.state.pagefile.closing.set()
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642", timeout=20) as client:
            made = World(memory, store, app, client, tuple(routes_of(app)), examples_of(app), foreign)
            for kind, fields in KINDS.items():
                made.keys[kind] = await memory.create_key(kind, **({"tenant": "acme"} | fields))
            await memory.revoke_key(made.keys["revoked"].key.id)
            yield made


def examples_of(app: FastAPI) -> dict[tuple[str, str], Any]:
    document = app.openapi()
    found: dict[tuple[str, str], Any] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                schema = content.get("schema", {})
                name = schema.get("$ref", "").rpartition("/")[2]
                given = content.get("example") or (document["components"]["schemas"][name] if name else schema).get("examples", [None])[0]
                # The document writes paths without their converters.
                for route in iter_route_contexts(app.routes):
                    if str(getattr(route, "path_format", "")) == path and given is not None:
                        found[str(route.path), method.upper()] = given
    return found


def own(kind: str) -> Mapping[str, str]:
    """Somebody whom a key of this kind may name."""
    return {"user": {"bound to Carol": "carol", "bound to Dave": "dave"}.get(kind, "alice")}


def told(answer: httpx.Response, *texts: str) -> tuple[int, str]:
    """Status and text of a reply, without what differs anyway."""
    text = answer.text
    for one in (answer.headers["x-request-id"], *texts):
        for form in {one, json.dumps(one)[1:-1], json.dumps(one, ensure_ascii=False)[1:-1], quote(one)}:
            text = text.replace(form, "…")
    return answer.status_code, text


# --- the matrix ---------------------------------------------------------------------------------------------------------


async def test_every_route_says_what_it_needs_and_there_are_some_of_each(world: World) -> None:
    assert {right for route in world.routes for right in route.needs} == {"nothing", "key", *ALL_RIGHTS}
    assert [str(route) for route in world.routes if "nothing" in route.needs and not is_open(route.path)] == []
    assert len(world.routes) == len({str(route) for route in world.routes})
    paths = {route.path for route in world.routes}
    assert {"/metrics", "/mcp", "/v1/chat/completions", "/api/v1/events", "/api/v1/export", "/api/v1/search"} <= paths


@pytest.mark.parametrize("kind", CLOSED)
async def test_without_a_key_that_counts_there_is_nothing_but_the_open_pages(world: World, kind: str) -> None:
    # Background work touches scopes, too.
    await world.memory.flush()
    world.store.touched.clear()
    for route in world.routes:
        answer = await world.ask(route, kind, who=own(kind))
        if "nothing" in route.needs:
            assert answer.status_code == 200, route
        else:
            assert answer.status_code == 401, route
            assert answer.headers["www-authenticate"].startswith("Bearer"), route
    assert not world.store.touched


@pytest.mark.parametrize("kind", OPEN)
async def test_a_key_may_do_what_it_has_the_right_for_with_memory_that_it_may_name(world: World, kind: str) -> None:
    rights = world.keys[kind].key.rights
    for route in world.routes:
        answer = await world.ask(route, kind, who=own(kind))
        if missing := [right for right in route.needs_there if right in ALL_RIGHTS and right not in rights and route.path != "/mcp"]:
            assert answer.status_code == 403, f"{route}: {answer.text}"
            assert any(right in answer.text.partition("it needs the right")[2].partition(",")[0] for right in missing), (
                f"{route}: {answer.text}"
            )
        else:
            # It may be there or not, or be asked in a wrong way: but not refused for who asks.
            assert answer.status_code not in {401, 403, 500}, f"{route}: {answer.text}"
            assert answer.status_code < 400 or "admin" not in route.needs, f"{route}: {answer.text}"


@pytest.mark.parametrize("kind", OPEN)
async def test_memory_that_a_key_may_not_name_is_as_if_it_were_not_there_and_is_not_even_looked_for(world: World, kind: str) -> None:
    key = world.keys[kind].key
    for route in world.routes:
        needs = set(route.needs_there)
        if not needs <= {"read", "write"} & key.rights:
            continue
        replies = set()
        for who in FOREIGN[kind]:
            world.store.touched.clear()
            answer = await world.ask(route, kind, who=who)
            asked = Scope(who.get("tenant", key.tenant), who["user"])
            assert {BOB, NAMESAKE, *([] if speaks_for(key, asked) else [asked])} & world.store.touched == set(), f"{route} for {who}"
            if route.by_query or route.path in NAMED_BY_HEADERS:
                assert answer.status_code == 404, f"{route} for {who}: {answer.text}"
                replies.add(told(answer, *who.values()))
        # Whether there is such a user or not.
        assert len(replies) <= 1, f"{route}: {replies}"


def made_up_for(value: str) -> str:
    """An id of the same form that nothing has."""
    return value.replace(MARK, "Nothing") if MARK in value else value[:-1] + ("0" if value[-1] != "0" else "1")


async def test_foreign_ids_are_as_if_there_were_none(world: World) -> None:
    """Ids of Bob's things in the path, the query and the body, asked with a key of Dave: the same reply as for made-up ones."""
    for route in world.routes:
        if {"nothing", "admin"} & set(route.needs):
            continue
        for name, values in world.foreign.items():
            for value in values:
                made_up = made_up_for(value)
                world.store.touched.clear()
                missing = await world.ask(route, "bound to Dave", who={}, ids={name: made_up})
                foreign = await world.ask(route, "bound to Dave", who={}, ids={name: value})
                assert {BOB, NAMESAKE} & world.store.touched == set(), route
                assert foreign.status_code == missing.status_code != 500, f"{route} {name}: {foreign.text} {missing.text}"
                if foreign.status_code >= 400:
                    assert told(foreign, value) == told(missing, made_up), f"{route} {name}"
                assert SAID not in foreign.text, f"{route} {name}: {foreign.text}"


@pytest.mark.parametrize("kind", [kind for kind in OPEN if KINDS[kind].get("acts_as") != "*" and kind != "bound to Dave"])
async def test_no_reply_to_anybody_else_has_a_word_of_bob(world: World, kind: str) -> None:
    for route in world.routes:
        for who in (own(kind), {}, *FOREIGN[kind]):
            world.store.touched.clear()
            answer = await world.ask(route, kind, who=who)
            assert MARK not in answer.text, f"{route} for {who}: {answer.text}"
            assert SAID not in answer.text, f"{route} for {who}: {answer.text}"
            assert {BOB, NAMESAKE} & world.store.touched == set(), f"{route} for {who}"


async def test_who_administers_a_tenant_hears_of_no_other(world: World) -> None:
    for route in world.routes:
        if "admin" in route.needs:
            answer = await world.ask(route, "admin alone", who={})
            assert answer.status_code == 200, route
            assert "acme-corp" not in answer.text, route
            other = await world.ask(route, "another tenant's", who={})
            assert not {"bob", "carol", "acme"} & set(json.dumps(other.text).replace('\\"', " ").split()), route
            for key in ("everything", "admin alone"):
                foreign = await world.ask(route, key, who={"tenant": "acme-corp"})
                assert "acme-corp" not in foreign.text, route


async def test_bob_has_everything_that_he_had(world: World) -> None:
    """After all that was tried above."""
    for scope in (BOB, NAMESAKE):
        mine = world.memory.scope(scope.user, tenant=scope.tenant)
        stats = await mine.stats()
        assert (stats.messages, stats.records, stats.blocks) == (1, 1, 1)
        (record,) = (await mine.list()).items
        assert record.text == f"{SAID} is the name of the big dog"
        assert record.status == "current"
        (block,) = await mine.blocks()
        assert (block.version, block.text) == (1, f"about {SAID}")
        assert datetime.now(UTC) - record.learned_at < timedelta(minutes=30)
