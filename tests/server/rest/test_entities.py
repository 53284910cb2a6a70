"""Entities over REST: lists, cards, neighbours, paths, time lines, merges and splits."""

from __future__ import annotations

import pytest

from tests.server.rest.help import Rest

pytestmark = pytest.mark.anyio


@pytest.fixture
async def known(alice: Rest) -> Rest:
    for text in ("Tom's sister is Anna", "Anna works at Siemens", "小李的老板是王强", "王强住在深圳", "A/B Labs hired Anna"):
        await alice.call("POST", "/records", body={"text": text}, expect=201)
    return alice


async def test_entities_are_listed_and_told_of(known: Rest) -> None:
    page = await known.call("GET", "/entities", limit=2)
    assert ([one["name"] for one in page["items"]], page["cursor"]) == (["Anna", "王强"], "2")
    assert [one["name"] for one in (await known.call("GET", "/entities", query="sie"))["items"]] == ["Siemens"]
    card = await known.call("GET", "/entities/card", name="王强")
    assert [fact["text"] for fact in card["current"]] == ["王强住在深圳", "小李的老板是王强"]
    assert (await known.call("GET", "/entities/card", name="nobody", expect=404))["type"].endswith("not-found")
    assert len((await known.call("GET", "/entities/card", name="王强", limit=1))["current"]) == 1
    assert (await known.call("GET", "/entities/card", name="user"))["entity"]["records"] == 0
    await known.call("GET", "/entities/card", expect=422)
    await known.call("GET", "/entities/card", name="王强", limit=0, expect=422)


async def test_what_is_near_and_how_it_hangs_together(known: Rest) -> None:
    near = await known.call("GET", "/entities/neighbours", name="Tom", hops=2)
    assert (near[0]["name"], near[0]["hops"]) == ("Anna", 1)
    assert ("Siemens", 2) in [(one["name"], one["hops"]) for one in near]
    path = await known.call("GET", "/entities/path", start="小李", end="深圳")
    assert [edge["text"] for edge in path] == ["小李的老板是王强", "王强住在深圳"]
    assert await known.call("GET", "/entities/path", start="小李", end="Tom") == []
    assert {one["kind"] for one in await known.call("GET", "/entities/timeline", name="Anna")} == {"record"}
    await known.call("GET", "/entities/neighbours", name="Tom", hops=9, expect=422)
    await known.call("GET", "/entities/neighbours", name="Tom", as_of="soonish", expect=400)


async def test_names_are_merged_and_split(known: Rest) -> None:
    made = await known.call("POST", "/entities/merge", body={"name": "Annie/小安", "into": "Anna", "reason": "a nickname"})
    assert (made["change"], made["after"], made["cause"]["reason"]) == ("merge", {"name": "Annie/小安", "into": "Anna"}, "a nickname")
    assert (await known.call("GET", "/entities/card", name="annie/小安"))["entity"]["aliases"] == ["Annie/小安"]
    assert (await known.call("POST", "/entities/merge", body={"name": "Annie/小安", "into": "Anna"}))["id"] == made["id"]
    await known.call("POST", "/entities/merge", body={"name": "Anna", "into": "ANNA"}, expect=409)
    assert (await known.call("POST", "/entities/split", body={"alias": "Annie/小安"}))["change"] == "split"
    await known.call("POST", "/entities/split", body={"alias": "Annie/小安"}, expect=404)
    assert await known.call("POST", f"/changes/{made['id']}/undo") == []


async def test_nothing_of_another_user_is_told(known: Rest, bob: Rest) -> None:
    await known.call("POST", "/entities/merge", body={"name": "Annie", "into": "Anna"})
    assert (await bob.call("GET", "/entities"))["total"] == 0
    for path in ("/entities/card", "/entities/neighbours", "/entities/timeline"):
        told = await bob.call("GET", path, name="Anna", expect=404)
        assert "Siemens" not in str(told)
    await bob.call("GET", "/entities/path", start="Anna", end="Tom", expect=404)
    await bob.call("POST", "/entities/split", body={"alias": "Annie"}, expect=404)
