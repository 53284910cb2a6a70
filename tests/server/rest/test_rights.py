"""What a key that may write, and not read, gets to see: what it writes, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from pagefile.memory import AsyncMemory
from tests.server.conftest import client_of
from tests.server.rest.help import Rest

pytestmark = pytest.mark.anyio

#: A record that is there, a question that means it, and what would replace it.
KEPT = [
    ("The spare key hangs behind the boiler", "Where does the spare key hang?", "The spare key hangs in the shed"),
    ("备用钥匙挂在锅炉后面", "备用钥匙挂在哪里？", "备用钥匙挂在车库里"),
]


@pytest.fixture
async def writer(memory: AsyncMemory) -> AsyncIterator[Rest]:
    key = await memory.create_key("writer", user="alice", rights=("write",))
    async with client_of(memory, key=key.secret) as client:
        yield Rest(client, "alice")


async def refused(writer: Rest, path: str, body: dict[str, Any] | None, **given: Any) -> None:
    reply = await writer.call("POST", path, expect=None, body=body, **given)
    assert reply.status_code == 403, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    assert "needs the right read" in reply.json()["detail"]


@pytest.mark.parametrize(("text", "question", "other"), KEPT)
async def test_what_recalls_or_shows_what_is_kept_needs_the_right_to_read_as_well(
    memory: AsyncMemory, writer: Rest, text: str, question: str, other: str
) -> None:
    mine = memory.scope("alice")
    made = await mine.remember(text)
    change = (await mine.changes(limit=1)).items[0]
    await refused(writer, "/chat", {"message": question})
    await refused(writer, "/chat", {"message": question, "incognito": True, "stream": False})
    await refused(writer, "/wake", {"event": "reminder", "text": question})
    await refused(writer, "/forget", {"query": question})
    await refused(writer, "/forget", {"query": question, "dry_run": True})
    await refused(writer, "/forget", {"ids": [made.id], "dry_run": True})
    await refused(writer, "/correct", {"text": other, "query": question})
    await refused(writer, f"/changes/{change.id}/undo", None)
    await refused(writer, "/revert", {"session": "monday"})
    await refused(writer, "/tidy", None, dry_run=True)
    await refused(writer, "/consolidate", None, dry_run=True)
    status = await writer.call("PUT", "/status", expect=403, body={})
    assert "needs the right read" in status["detail"]
    # Nothing was done, and nothing was written down.
    assert [record.text for record in (await mine.list()).items] == [text]
    assert (await mine.messages()).items == ()


@pytest.mark.parametrize(("text", "question", "other"), KEPT)
async def test_who_may_only_write_adds_changes_and_erases_by_id(writer: Rest, text: str, question: str, other: str) -> None:
    made = await writer.call("POST", "/records", expect=201, body={"text": text})
    assert (await writer.call("PATCH", f"/records/{made['id']}", body={"tags": ["home"]}))["tags"] == ["home"]
    forgotten = await writer.call("POST", "/forget", body={"ids": [made["id"]]})
    assert [item["text"] for item in forgotten["items"]] == [text]
    await writer.call("POST", "/restore", body={"id": made["id"]})
    corrected = (await writer.call("POST", "/correct", body={"text": other, "id": made["id"]}))["record"]
    await writer.call("DELETE", f"/records/{corrected['id']}")
    await writer.call("POST", "/messages", expect=201, body={"messages": [question]})
    assert (await writer.call("POST", "/erase", body={"session": "default"}))["messages"] == 1


async def test_who_may_read_and_write_does_all_of_it(memory: AsyncMemory) -> None:
    key = await memory.create_key("both", user="alice")
    async with client_of(memory, key=key.secret) as client:
        alice = Rest(client, "alice")
        await alice.call("POST", "/records", expect=201, body={"text": KEPT[0][0]})
        assert (await alice.call("POST", "/forget", body={"query": KEPT[0][1], "dry_run": True}))["items"]
        assert (await alice.call("POST", "/correct", body={"text": KEPT[0][2], "query": KEPT[0][1]}))["superseded"]
        await alice.call("POST", "/chat", body={"message": KEPT[0][1], "stream": False})


@pytest.mark.parametrize(("text", "question", "other"), KEPT)
async def test_an_answer_that_was_kept_shows_no_more_to_a_key_than_a_new_one(
    memory: AsyncMemory, writer: Rest, text: str, question: str, other: str
) -> None:
    mine = memory.scope("alice")
    key = await memory.create_key("both", user="alice")
    once = {"Idempotency-Key": "7"}
    async with client_of(memory, key=key.secret) as client:
        both = Rest(client, "alice")
        for path, body in (
            ("/forget", {"query": question, "dry_run": True}),
            ("/correct", {"text": other, "query": question}),
            ("/chat", {"message": question, "stream": False}),
        ):
            await mine.remember(text)
            headers = {"Idempotency-Key": path}
            await both.call("POST", path, body=body, headers=headers)
            await refused(writer, path, body, headers=headers)
    made = await mine.remember(text)
    for _ in range(2):
        assert (await writer.call("POST", "/forget", body={"ids": [made.id], "query": None}, headers=once))["entries"]
