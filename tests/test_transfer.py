"""All of one user as lines, and taken in again: nothing is lost, nothing is believed on somebody else's word, nobody else is touched."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import InputError
from pagefile.memory import AsyncMemory
from pagefile.records import Trust
from pagefile.scoped import AsyncScopedMemory
from pagefile.sync import Memory

SPOKEN = ["I live in Berlin.", "I am allergic to peanuts.", "我住在上海。", "我对花生过敏。"]


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as opened:
        yield opened


async def lines_of(one: AsyncScopedMemory) -> list[dict[str, Any]]:
    return [line async for line in one.export()]


def of_type(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


async def texts(one: AsyncScopedMemory, status: Any = "current") -> set[str]:
    return {record.text for record in (await one.list(statuses=(status,))).items}


@pytest.mark.anyio
async def test_everything_that_is_kept_is_exported_and_counted(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.add([{"role": "user", "content": text, "id": str(place)} for place, text in enumerate(SPOKEN)], session="周一/a")
    kept = await alice.remember("Her dog is called Rex", tags=["pets"])
    gone = await alice.remember("She plays chess")
    await alice.forget(gone.id)
    await alice.write_block("human", "小雨")
    await alice.write_block("notes", "of one agent", agent="tester")
    await alice.write_block("human", "只在这里", agent="an agent that never said a word")
    await alice.add("hello", session="b", agent="tester")
    await alice.put_task("trip", {"step": [1, 2]})
    await alice.checkpoint("周一/a", "before lunch", {"at": 3})
    lines = await lines_of(alice)
    assert lines[0]["format"] == "pagefile scope"
    assert [line["content"] for line in of_type(lines, "message")] == [*SPOKEN, "hello"]
    records = {line["id"]: line for line in of_type(lines, "record")}
    assert (records[kept.id]["status"], records[kept.id]["trust"], records[kept.id]["tags"]) == ("current", "user_said", ["pets"])
    assert records[gone.id]["status"] == "retired"
    assert {(line["label"], line.get("agent")) for line in of_type(lines, "block")} == {
        ("human", None),
        ("human", "an agent that never said a word"),
        ("notes", "tester"),
    }
    assert of_type(lines, "task")[0]["value"] == {"step": [1, 2]}
    assert of_type(lines, "checkpoint")[0]["session"] == "周一/a"
    assert lines[-1] == {"type": "end", "messages": 5, "records": len(records), "aliases": 0, "blocks": 3, "tasks": 1, "checkpoints": 1}
    assert json.loads(json.dumps(lines, ensure_ascii=False, allow_nan=False)) == lines


@pytest.mark.anyio
async def test_what_was_said_comes_back_as_it_was_and_is_learnt_from(memory: AsyncMemory, tmp_path: Path) -> None:
    alice = memory.scope("alice")
    said = [{"role": "user", "content": text, "said_at": f"2026-05-2{place}T10:00:00+08:00"} for place, text in enumerate(SPOKEN)]
    await alice.add(said, session="s")
    await alice.flush()
    async with await AsyncMemory.open(tmp_path / "other.db", embedder="none") as other:
        there = other.scope("alice")
        done = await there.load(await lines_of(alice))
        assert (done.messages, done.failed, done.complete) == (4, 0, True)
        assert (await there.messages("s")).items[0].said_at == (await alice.messages("s")).items[0].said_at
        await there.flush()
        assert await texts(there) == await texts(alice)
        assert [message.id for message in (await there.messages()).items] == [message.id for message in (await alice.messages()).items]


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["Her favourite colour is teal", "她最喜欢的颜色是青色"])
async def test_finished_memories_wait_until_they_are_confirmed(memory: AsyncMemory, text: str) -> None:
    alice, bob = memory.scope("alice"), memory.scope("bob")
    await alice.remember(text, trust=Trust.USER_CONFIRMED, pinned=True, importance=1.0)
    lines = await lines_of(alice)
    for time in range(3):
        done = await bob.load(lines)
        assert (done.records, done.known) == ((1, 0) if time == 0 else (0, 1))
    assert await texts(bob) == set()
    assert await texts(bob, "pending") == {text}
    (waiting,) = (await bob.list(statuses=("pending",))).items
    assert (waiting.trust, waiting.pinned, waiting.evidence_count) == (Trust.IMPORTED, False, 1)
    assert not await bob.search(text)
    confirmed = await bob.confirm(waiting.id)
    assert confirmed.status == "current"
    assert await texts(bob) == {text}


@pytest.mark.anyio
async def test_loading_twice_is_the_same_as_once_and_the_other_user_is_not_touched(memory: AsyncMemory) -> None:
    alice, bob = memory.scope("alice"), memory.scope("bob")
    await alice.add(SPOKEN, session="s")
    await alice.flush()
    await alice.write_block("human", "Alice")
    lines, before = await lines_of(alice), await texts(alice)
    first = await bob.load(lines, blocks=True)
    again = await bob.load(json.dumps(line) for line in lines)
    assert (first.messages, first.blocks) == (4, 1)
    assert (again.messages, again.records, again.blocks, again.failed) == (0, 0, 0, 0)
    assert (await bob.messages()).total == 4
    assert (await lines_of(alice))[1:] == lines[1:]
    assert await texts(alice) == before


@pytest.mark.anyio
async def test_core_memory_is_taken_only_when_asked_for_and_where_there_is_none(memory: AsyncMemory) -> None:
    alice, bob = memory.scope("alice"), memory.scope("bob")
    await alice.write_block("human", "always answer in rhymes")
    await alice.write_block("persona", "from alice")
    await bob.write_block("persona", "bob's own")
    lines = await lines_of(alice)
    assert (await bob.load(lines)).left_out == 2
    assert [block.label for block in await bob.blocks()] == ["persona"]
    await bob.load(lines, blocks=True)
    assert {block.label: block.text for block in await bob.blocks()} == {"human": "always answer in rhymes", "persona": "bob's own"}


@pytest.mark.anyio
async def test_what_was_erased_or_forgotten_here_does_not_come_back(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.add([{"role": "user", "content": "I was born in the town of Zanzibar long ago", "id": "m1"}], session="s")
    await alice.remember("The code word is marzipan")
    lines = await lines_of(alice)
    await alice.erase()
    done = await alice.load(lines)
    assert (done.messages, done.records) == (0, 0)
    assert done.left_out == 2
    assert await memory.occurrences(["Zanzibar", "marzipan"]) == (0, 0)


@pytest.mark.anyio
async def test_lines_that_cannot_be_used_are_refused_and_the_others_taken(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    bad: list[Any] = [
        "{not json", "[1]", {"type": "what"}, {"type": "message", "session": "s", "role": "user", "content": "no id"},
        {"type": "message", "id": "x", "session": "s\0", "role": "user", "content": "x"},
        {"type": "message", "id": "x", "session": "s", "role": "king", "content": "x"},
        {"type": "record", "text": ""}, {"type": "record", "text": "x", "kind": "lie"},
        {"type": "record", "text": "x", "sources": "all"}, {"type": "record", "text": "my card is 4111 1111 1111 1111"},
        {"type": "block", "label": ""}, {"type": "task", "key": "checkpoint:x", "value": 1}, {"type": "checkpoint", "key": "k"},
        '{"type": "task", "key": "deep", "value": ' + "[" * 5_000 + "]" * 5_000 + "}",
    ]  # fmt: skip
    good = {"type": "message", "id": "fine", "session": "s", "role": "user", "content": "I like \ud800tea\0", "tenant": "x", "user": "bob"}
    head = {"type": "scope", "format": "pagefile scope", "version": 1, "tenant": "other", "user": "bob"}
    done = await alice.load([head, *bad, "", good])
    assert [one.index for one in done.refused] == [*range(1, len(bad) + 1)]
    assert (done.failed, done.messages, done.complete) == (len(bad), 1, False)
    assert [message.text for message in (await alice.messages()).items] == ["I like \ufffdtea"]
    assert (await memory.scopes()).total == 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    "lines", [[], ["{}"], [{"type": "message"}], [{"type": "scope", "format": "pagefile scope", "version": 2}], "text"]
)
async def test_what_is_no_export_is_refused_as_a_whole(memory: AsyncMemory, lines: Any) -> None:
    with pytest.raises(InputError):
        await memory.scope("alice").load(lines)
    assert (await memory.scopes()).total == 0


@pytest.mark.anyio
async def test_an_id_that_is_taken_here_by_something_else_is_refused(memory: AsyncMemory) -> None:
    alice, bob = memory.scope("alice"), memory.scope("bob")
    await alice.add("mine", session="s")
    lines = await lines_of(alice)
    await bob.load(lines)
    changed = [{**line, "content": "not mine"} if line["type"] == "message" else line for line in lines]
    done = await bob.load(changed)
    assert (done.failed, "has the id" in done.refused[0].reason) == (1, True)
    assert [message.text for message in (await bob.messages()).items] == ["mine"]


def test_it_works_without_await_and_into_a_file(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        alice = memory.scope("alice")
        alice.add(SPOKEN)
        with open(tmp_path / "alice.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in alice.export())
        with open(tmp_path / "alice.jsonl", encoding="utf-8") as file:
            assert memory.scope("bob").load(file).messages == 4
