"""Records over REST: one write path, whatever the verb; nothing is lost, and the past can be asked about."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.rest.help import JSON, Rest

pytestmark = pytest.mark.anyio


async def remembered(one: Rest, text: str, **fields: Any) -> Any:
    return await one.call("POST", "/records", expect=201, body={"text": text, **fields})


@pytest.mark.parametrize(
    ("old", "new", "query"), [("I love Chinese food", "I hate Chinese food", "Chinese food"), ("我喜欢咖啡", "我不喜欢咖啡了", "咖啡")]
)
async def test_one_fact_is_left_when_somebody_changes_their_mind_and_the_past_is_told(alice: Rest, old: str, new: str, query: str) -> None:
    first = await remembered(alice, old)
    await remembered(alice, new)
    assert await alice.texts() == {new}
    assert await alice.found(query) == [new]
    assert set(await alice.found(query, history=True)) == {old, new}
    assert await alice.texts(history=True) == {old, new}
    assert await alice.texts(known_at=first["learned_at"]) == {old}
    gone = await alice.call("GET", f"/records/{first['id']}")
    assert gone["status"] == "superseded"
    assert [entry["change"] for entry in await alice.call("GET", f"/records/{first['id']}/history")] == ["add", "supersede"]


async def test_an_edit_runs_into_the_same_check_as_a_new_record(alice: Rest) -> None:
    lyon = await remembered(alice, "I live in Lyon")
    other = await remembered(alice, "I play chess")
    edited = await alice.call("PATCH", f"/records/{other['id']}", body={"text": "I live in Berlin"})
    assert (edited["id"], edited["version"]) == (other["id"], 2)
    assert await alice.texts() == {"I live in Berlin"}
    assert (await alice.call("GET", f"/records/{lyon['id']}"))["status"] == "superseded"


async def test_an_edit_keeps_id_and_history_and_changes_only_what_is_sent(alice: Rest) -> None:
    made = await remembered(alice, "Her dog is called Rex", tags=["pets"], pinned=True, expires_at="2999-01-01")
    edited = await alice.call("PATCH", f"/records/{made['id']}", body={"tags": ["dogs"], "expires_at": None, "reason": "it is a dog"})
    assert (edited["text"], edited["tags"], edited["pinned"], edited["expires_at"]) == (made["text"], ["dogs"], True, None)
    history = await alice.call("GET", f"/records/{made['id']}/history")
    assert (history[-1]["before"]["tags"], history[-1]["cause"]["reason"]) == (["pets"], "it is a dog")


@pytest.mark.parametrize("by", ["id", "query", "neither"])
async def test_correcting_by_id_by_query_or_by_text_alone_does_the_same(alice: Rest, by: str) -> None:
    old = await remembered(alice, "I live in Berlin")
    how = {"id": {"id": old["id"]}, "query": {"query": "where I live"}, "neither": {}}[by]
    done = await alice.call("POST", "/correct", body={"text": "I live in Lyon", **how})
    assert done["superseded"] == [old["id"]]
    assert await alice.texts() == {"I live in Lyon"}


async def test_what_is_forgotten_by_id_or_query_is_gone_from_recall_and_comes_back(alice: Rest) -> None:
    made = await remembered(alice, "Her dog is called Rex")
    looked = await alice.call("POST", "/forget", body={"query": "the dog called Rex", "dry_run": True})
    assert ([item["id"] for item in looked["items"]], looked["entries"]) == ([made["id"]], [])
    assert await alice.found("dog") == ["Her dog is called Rex"]
    await alice.call("POST", "/forget", body={"ids": [made["id"]]})
    assert (await alice.found("dog"), await alice.texts()) == ([], set())
    assert (await alice.call("POST", "/restore", body={"id": made["id"]}))["change"] == "restore"
    assert await alice.found("dog") == ["Her dog is called Rex"]


async def test_an_erased_record_is_nowhere(alice: Rest) -> None:
    made = await remembered(alice, "The code word is marzipan")
    receipt = await alice.call("DELETE", f"/records/{made['id']}")
    assert (receipt["records"], receipt["history"]) == (1, 1)
    await alice.call("GET", f"/records/{made['id']}", expect=404)
    await alice.call("DELETE", f"/records/{made['id']}", expect=404)
    assert (await alice.found("code word marzipan"), (await alice.call("GET", "/changes"))["total"]) == ([], 0)


async def test_a_pending_record_becomes_current_when_it_is_confirmed(alice: Rest) -> None:
    made = await remembered(alice, "Her favourite colour is teal", trust="tool_output")
    assert (made["status"], await alice.texts()) == ("pending", set())
    assert (await alice.call("POST", f"/records/{made['id']}/confirm"))["trust"] == "user_confirmed"
    assert await alice.texts() == {"Her favourite colour is teal"}


@pytest.mark.parametrize(("said", "quote"), [("I live in Berlin.", "Berlin"), ("我住在上海。", "上海")])
async def test_why_quotes_the_words_that_a_record_rests_on(alice: Rest, said: str, quote: str) -> None:
    await alice.say(said)
    (record,) = (await alice.call("GET", "/records"))["items"]
    why = await alice.call("GET", f"/records/{record['id']}/why")
    assert quote in why["quotes"][0]["text"]
    assert why["history"][0]["change"] == "add"


async def test_a_timeline_tells_what_was_so_when(alice: Rest) -> None:
    await remembered(alice, "I live in Berlin", valid_from="2020-01-01")
    await remembered(alice, "I live in Lyon", valid_from="2024-01-01")
    line = await alice.call("GET", "/timeline", attribute="residence")
    assert [(record["value"], record["valid_from"][:4]) for record in line] == [("Berlin", "2020"), ("Lyon", "2024")]
    assert await alice.texts(as_of="2021-06-01") == {"I live in Berlin"}


async def test_a_record_has_an_etag_that_changes_with_what_it_says(alice: Rest) -> None:
    path = f"/records/{(await remembered(alice, 'I play chess'))['id']}"
    first = await alice.call("GET", path, expect=None)
    tag = first.headers["etag"]
    same = await alice.call("GET", path, expect=None, headers={"If-None-Match": f"W/{tag}"})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    edited = await alice.call("PATCH", path, expect=None, body={"tags": ["games"]}, headers={"If-Match": tag})
    assert edited.status_code == 200
    assert edited.headers["etag"] != tag
    await alice.call("PATCH", path, expect=412, body={"tags": ["late"]}, headers={"If-Match": tag})
    await alice.call("PATCH", path, expect=412, body={"tags": ["weak"]}, headers={"If-Match": f"W/{edited.headers['etag']}"})
    assert (await alice.call("GET", path, headers={"If-None-Match": tag}))["tags"] == ["games"]
    await alice.call("PATCH", path, body={"tags": ["any"]}, headers={"If-Match": "*"})


async def test_a_search_says_how_far_what_it_found_can_be_believed(alice: Rest) -> None:
    await remembered(alice, "Her favourite colour is teal", trust="user_confirmed")
    found = await alice.call("POST", "/search", body={"query": "favourite colour", "explain": True, "min_trust": "user_confirmed"})
    (hit,) = found["hits"]
    assert 0 < hit["score"] <= 1
    assert (hit["trust"], found["mode"]) == ("user_confirmed", "words")
    assert hit["why"]


async def test_filters_are_values_and_never_parts_of_a_statement(alice: Rest) -> None:
    await remembered(alice, "I play chess", tags=["games"])
    assert await alice.texts(tag="games") == {"I play chess"}
    for evil in ("x') OR 1=1 --", "%", "_____", '"', "games%"):
        assert await alice.texts(tag=evil) == set()
        assert (await alice.call("GET", "/messages", session=evil))["total"] == 0
        assert await alice.found("chess", tags=[evil]) == []
    await alice.call("GET", "/records", expect=422, status="current' OR '1'='1")
    await alice.call("GET", "/records", expect=400, after="1; DROP TABLE items")


@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        ("POST", "/records", b'{"text": ""}'),
        ("POST", "/records", b'{"text": "  "}'),
        ("POST", "/records", b'{"text": "x", "confidence": 2}'),
        ("POST", "/records", b'{"text": "x", "valid_from": "someday"}'),
        ("POST", "/records", b'{"text": "x", "id": "mine"}'),
        ("POST", "/records", b'{"text": "x", "status": "current"}'),
        ("POST", "/records", b'{"text": "my card is 4111 1111 1111 1111"}'),
        ("POST", "/forget", b"{}"),
        ("POST", "/forget", b'{"ids": ["a"], "query": "b"}'),
        ("POST", "/search", b'{"query": "\\u0000"}'),
        ("POST", "/search", b'{"query": "x", "since": "soonish"}'),
        ("POST", "/restore", b'{"id": "a\\u0000"}'),
        ("PATCH", "/records/nothing%00", b'{"text": "x"}'),
    ],
)
async def test_fields_that_make_no_sense_are_refused(alice: Rest, method: str, path: str, content: bytes) -> None:
    reply = await alice.call(method, path, expect=None, content=content, headers=JSON)
    assert reply.status_code in (400, 404, 422) or (path == "/search" and reply.status_code == 200)
    assert await alice.texts() == set()


async def test_nul_in_a_record_is_dropped_and_the_rest_kept(alice: Rest) -> None:
    reply = await alice.call("POST", "/records", expect=201, content=b'{"text": "Acme moved\\u0000 to Shenzhen"}', headers=JSON)
    assert reply["text"] == "Acme moved to Shenzhen"
