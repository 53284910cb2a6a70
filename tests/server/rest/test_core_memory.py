"""Blocks, status, tasks, checkpoints and sessions over REST."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

import pytest

from tests.server.rest.help import JSON, Rest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("label", ["human", "用户", "a/b c", "100%", "?x=1#y", "..."])
async def test_a_block_is_written_read_and_its_history_told_whatever_it_is_called(alice: Rest, label: str) -> None:
    path = f"/blocks/{quote(label, safe='')}"
    await alice.call("GET", path, expect=404)
    made = await alice.call("PUT", path, body={"text": "小雨 lives in Shanghai", "token_limit": 50})
    assert (made["label"], made["version"]) == (label, 1)
    assert await alice.call("GET", path) == made
    again = await alice.call("PUT", path, body={"text": "小雨 moved"})
    assert (again["version"], again["token_limit"]) == (2, 50)
    history = await alice.call("GET", f"/block-history/{quote(label, safe='')}")
    assert await alice.call("GET", "/history", target=history[0]["target"]) == history
    assert [entry["after"].get("text") for entry in history] == ["小雨 lives in Shanghai", "小雨 moved"]


async def test_a_write_under_a_condition_is_refused_when_somebody_wrote_in_between(alice: Rest) -> None:
    new = {"If-None-Match": "*"}
    assert (await alice.call("PUT", "/blocks/human", body={"text": "a"}, headers=new))["version"] == 1
    await alice.call("PUT", "/blocks/human", expect=412, body={"text": "b"}, headers=new)
    read = await alice.call("GET", "/blocks/human", expect=None)
    tag = read.headers["etag"]
    assert (await alice.call("GET", "/blocks/human", expect=None, headers={"If-None-Match": tag})).status_code == 304
    await alice.call("PUT", "/blocks/human", expect=412, body={"text": "c"}, headers={"If-None-Match": tag})
    await alice.call("PUT", "/blocks/human", body={"text": "c"}, headers={"If-Match": tag})
    for late in (tag, '"1"'):
        await alice.call("PUT", "/blocks/human", expect=412, body={"text": "d"}, headers={"If-Match": late})
    await alice.call("PUT", "/blocks/nobody", expect=412, body={"text": "d"}, headers={"If-Match": "*"})
    assert (await alice.call("GET", "/blocks/human"))["text"] == "c"


async def test_a_block_that_was_erased_and_written_anew_is_another_one(alice: Rest) -> None:
    await alice.call("PUT", "/blocks/human", body={"text": "小雨 lives in Shanghai"})
    tag = (await alice.call("GET", "/blocks/human", expect=None)).headers["etag"]
    await alice.call("DELETE", "/scope", confirm="alice")
    for other in ({"text": "小雨 lives in Lyon"}, {"text": "小雨 lives in Shanghai", "description": "where"}):
        assert (await alice.call("PUT", "/blocks/human", body=other))["version"] == 1
        read = await alice.call("GET", "/blocks/human", expect=None, headers={"If-None-Match": tag})
        assert (read.status_code, read.json()["text"]) == (200, other["text"])
        await alice.call("PUT", "/blocks/human", expect=412, body={"text": "x"}, headers={"If-Match": tag})
        await alice.call("DELETE", "/scope", confirm="alice")


async def test_of_many_who_write_at_once_on_one_version_one_wins(alice: Rest) -> None:
    await alice.call("PUT", "/blocks/human", body={"text": "start"})
    given = {"expect": None, "headers": {"If-Match": '"1"'}}
    replies = await asyncio.gather(*(alice.call("PUT", "/blocks/human", body={"text": f"by {number}"}, **given) for number in range(8)))
    assert sorted(reply.status_code for reply in replies) == [200, *[412] * 7]
    (won,) = [reply.json() for reply in replies if reply.status_code == 200]
    assert await alice.call("GET", "/blocks/human") == won


async def test_a_block_over_its_limit_is_refused_and_an_agents_own_is_apart(alice: Rest) -> None:
    await alice.call("PUT", "/blocks/human", body={"text": "short", "token_limit": 5})
    problem = await alice.call("PUT", "/blocks/human", expect=409, body={"text": "far too long " * 20})
    assert problem["type"].endswith("block-full")
    await alice.call("PUT", "/blocks/human", body={"text": "its own"}, agent="tester")
    assert [block["text"] for block in await alice.call("GET", "/blocks")] == ["short"]
    assert [block["text"] for block in await alice.call("GET", "/blocks", agent="tester")] == ["its own"]


async def test_the_status_of_the_work_is_said_and_read(alice: Rest) -> None:
    await alice.call("PUT", "/status", body={"known": ["预算是五千"], "progress": ["read the brief"]})
    await alice.call("PUT", "/status", body={"progress": ["asked"]})
    assert await alice.call("GET", "/status") == {"known": ["预算是五千"], "progress": ["asked"]}


async def test_a_change_of_a_block_or_record_is_undone_by_its_id(alice: Rest) -> None:
    await alice.call("PUT", "/blocks/human", body={"text": "before"})
    await alice.call("PUT", "/blocks/human", body={"text": "after"})
    newest = (await alice.call("GET", "/changes", limit=1))["items"][0]
    await alice.call("POST", f"/changes/{newest['id']}/undo")
    assert (await alice.call("GET", "/blocks/human"))["text"] == "before"
    await alice.call("POST", "/changes/999999/undo", expect=404)
    await alice.call("POST", "/changes/x/undo", expect=404)


async def test_what_a_session_taught_is_reverted(alice: Rest) -> None:
    await alice.say("I live in Berlin.", session="a")
    await alice.say("I live in Lyon now.", session="b")
    await alice.call("POST", "/revert", body={"session": "b"})
    assert await alice.texts() == {"I live in Berlin"}
    await alice.call("POST", "/revert", expect=400, body={})


async def test_changes_come_in_pages_in_both_directions(alice: Rest) -> None:
    for number in range(5):
        await alice.call("PUT", f"/blocks/b{number}", body={"text": "x"})
    newest = await alice.call("GET", "/changes", limit=2)
    assert (newest["total"], [entry["target"] for entry in newest["items"]]) == (5, ["block:b4", "block:b3"])
    since = await alice.call("GET", "/changes", newest_first=False, after=newest["items"][-1]["id"])
    assert [entry["target"] for entry in since["items"]] == ["block:b4"]


async def test_tasks_hold_any_json_and_are_never_memory(alice: Rest) -> None:
    value = {"done": ["订机票"], "next": {"hotel": None, "nights": 3, "rate": 0.5}}
    assert (await alice.call("PUT", "/tasks/trip%2F1", body={"value": value, "step": 2}))["value"] == value
    assert (await alice.call("GET", "/tasks/trip%2F1"))["step"] == 2
    assert [task["key"] for task in await alice.call("GET", "/tasks")] == ["trip/1"]
    assert (await alice.found("hotel"), await alice.texts()) == ([], set())
    assert await alice.call("DELETE", "/tasks/trip%2F1") == {"dropped": True}
    assert await alice.call("DELETE", "/tasks/trip%2F1") == {"dropped": False}
    await alice.call("GET", "/tasks/trip%2F1", expect=404)


@pytest.mark.parametrize("value", ["[" * 65 + "]" * 65, "[" * 100_000 + "]" * 100_000, "1e999", "NaN", "9" * 40, '"\\ud800"', ""])
async def test_values_that_other_programs_could_not_read_are_refused_or_mended(alice: Rest, value: str) -> None:
    reply = await alice.call("PUT", "/tasks/t", expect=None, content=f'{{"value": {value}}}'.encode(), headers=JSON)
    if reply.status_code == 200:
        assert reply.json()["value"] == "\ufffd"
        reply = await alice.call("GET", "/tasks/t", expect=None)
        assert reply.json()["value"] == "\ufffd"
    else:
        assert reply.status_code in (400, 422)


async def test_a_checkpoint_says_where_to_go_on(alice: Rest) -> None:
    await alice.say("hello", session="trip")
    await alice.call("POST", "/checkpoints", expect=201, body={"session": "trip", "key": "订房前", "state": {"hotel": None}})
    await alice.say("and then?", session="trip")
    found = await alice.call("GET", "/checkpoints/订房前")
    assert (found["session"], found["state"], found["messages_since"]) == ("trip", {"hotel": None}, 1)
    assert [one["key"] for one in await alice.call("GET", "/checkpoints")] == ["订房前"]
    await alice.call("GET", "/checkpoints/other", expect=404)


@pytest.mark.parametrize("session", ["monday", "周一/会议", "a b%2F"])
async def test_a_session_is_listed_saved_loaded_elsewhere_and_erased(alice: Rest, bob: Rest, session: str) -> None:
    name = quote(session, safe="")
    await alice.say("I live in Berlin.", "我有一只猫。", session=session)
    assert [one["session"] for one in (await alice.call("GET", "/sessions"))["items"]] == [session]
    assert (await alice.call("GET", f"/sessions/{name}"))["messages"] == 2
    document = await alice.call("GET", f"/saved-sessions/{name}")
    loaded = await bob.call("POST", "/saved-sessions", body={"document": document, "session": "from alice"}, wait=20)
    assert (loaded["session"], loaded["stored"]) == ("from alice", 2)
    assert await bob.texts() == await alice.texts()
    receipt = await alice.call("DELETE", f"/sessions/{name}")
    assert receipt["messages"] == 2
    await alice.call("GET", f"/sessions/{name}", expect=404)
    await alice.call("DELETE", f"/sessions/{name}", expect=404)
    assert (await alice.texts(), (await bob.call("GET", "/messages"))["total"]) == (set(), 2)


async def test_a_window_and_a_report_are_made_for_an_application_with_its_own_model(alice: Rest) -> None:
    await alice.call("PUT", "/blocks/human", body={"text": "小雨 likes tea"})
    await alice.say("I can't eat spicy food.", session="monday")
    window = await alice.call("POST", "/context", body={"messages": "Which food should I book?", "session": "new", "budget": 4000})
    assert window["messages"][0]["role"] == "system"
    assert window["messages"][-1] == {"role": "user", "content": "Which food should I book?"}
    assert "小雨 likes tea" in window["messages"][0]["content"]
    assert any("spicy" in str(message["content"]) for message in window["messages"][1:])
    assert window["tokens"] <= 4000
    report = await alice.call("POST", "/context-report", body={"session": "new", "message": "Which food?"})
    assert {part["name"] for part in report["parts"]} >= {"instructions", "blocks", "recalled", "reply"}
    await alice.call("POST", "/context", expect=400, body={"messages": "x", "budget": 3})


async def test_counts_costs_operations_and_jobs_are_this_users(alice: Rest, bob: Rest) -> None:
    await alice.say("I live in Berlin.")
    await alice.found("Berlin")
    assert (await alice.call("GET", "/stats"))["messages"] == 1
    assert (await bob.call("GET", "/stats"))["messages"] == 0
    kinds = {line["kind"] for line in (await alice.call("GET", "/operations"))["items"]}
    assert {"add", "recall"} <= kinds
    assert (await bob.call("GET", "/operations"))["total"] == 0
    assert await alice.call("GET", "/costs", since="2026-01-01") == []
    await alice.call("GET", "/costs", expect=422, since="yesterday")
    mine = (await alice.call("GET", "/jobs"))["items"]
    assert {job["scope"]["user"] for job in mine} <= {"alice"}
    assert (await bob.call("POST", "/jobs/revive", body={"ids": [job["id"] for job in mine] or ["1"]})) == {"revived": 0}
    assert (await alice.call("POST", "/tidy", dry_run=True))["retired"] == []
    assert (await alice.call("POST", "/consolidate", dry_run=True))["diffs"] == []
