"""A memory on a server and one that is here are the same to whoever uses them: each test runs on both."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from pagefile.errors import BlockFull, ConflictError, InputError, InvalidIdentifier, ModelUnavailable, NotFound
from pagefile.events import TextDelta, TurnFinished, TurnStarted
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.records import Source, Trust
from pagefile.remote import AsyncRemoteMemory
from pagefile.remote.scoped import AsyncRemoteScopedMemory
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.app import create_app
from pagefile.settings import Settings

pytestmark = pytest.mark.anyio

#: Names that are easily spoilt on the way.
NAMES = ["monday", "周一/会议", "a b%2F?x=1#y", "..", "…"]


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(["Ada it is", ModelUnavailable("the endpoint does not answer"), "and more"])


@pytest.fixture(params=["here", "on a server"])
async def memory(request: pytest.FixtureRequest, model: ScriptedModel) -> AsyncIterator[AsyncMemory]:
    settings = Settings(timezone="UTC")
    async with await AsyncMemory.open(":memory:", embedder="none", model=model, settings=settings) as opened:
        if request.param == "here":
            yield opened
            return
        transport = httpx.ASGITransport(create_app(opened, settings), client=("127.0.0.1", 50_000))
        async with await AsyncRemoteMemory.connect("http://127.0.0.1:8642", transport=transport) as remote:
            yield remote


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScopedMemory:
    return memory.scope("alice/小雨 %")


@pytest.fixture
def bob(memory: AsyncMemory) -> AsyncScopedMemory:
    return memory.scope("bob", tenant="other")


@pytest.mark.parametrize(("remote", "here"), [(AsyncRemoteMemory, AsyncMemory), (AsyncRemoteScopedMemory, AsyncScopedMemory)])
def test_every_method_is_the_servers_and_takes_the_same_arguments(remote: type, here: type) -> None:
    for name, member in inspect.getmembers(here):
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        assert name in vars(remote), f"{name} would work on parts that are not there"
        if inspect.isfunction(member):
            assert list(inspect.signature(vars(remote)[name]).parameters.values()) == list(inspect.signature(member).parameters.values()), (
                name
            )


async def test_what_is_said_is_kept_learnt_from_and_found(alice: AsyncScopedMemory, bob: AsyncScopedMemory) -> None:
    said_at = datetime(2026, 5, 24, 10, tzinfo=UTC)
    given: list[Any] = ["I can't eat spicy food.", {"role": "user", "content": "我住在上海。", "id": "m2", "said_at": said_at}]
    receipt = await alice.add(given, session="周一")
    assert (receipt.stored, receipt.messages[1].external_id, receipt.messages[1].said_at) == (2, "m2", said_at)
    assert await alice.flush(seconds=20) == 0
    assert {record.value for record in (await alice.list()).items} >= {"上海"}
    (hit, *_) = await alice.search("spicy food", explain=True)
    assert "spicy" in hit.text
    assert hit.why
    assert (await alice.session("周一")).messages == (await alice.messages("周一")).total == 2
    assert (await bob.messages()).total == 0
    assert not await bob.search("spicy food")


async def test_how_many_hits_did_not_belong_to_the_answer_is_told(alice: AsyncScopedMemory) -> None:
    for text in ("My favourite player is Messi.", "My brother's favourite player is Ronaldo."):
        await alice.remember(text)
    hits = await alice.search("Who is my favourite player?")
    assert ([hit.text for hit in hits], hits.left_out) == (["My favourite player is Messi."], 1)


async def test_a_receipt_tells_what_was_refused_stored_before_and_taken_out(alice: AsyncScopedMemory) -> None:
    secret = "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    receipt = await alice.add([{"role": "king", "content": "x"}, {"role": "user", "content": secret, "id": "a"}])
    assert ([one.index for one in receipt.refused], receipt.stored, receipt.redacted) == ([0], 1, 1)
    none = await alice.add([{"role": "king", "content": "x"}, {"role": "user", "content": None}])
    assert ([one.index for one in none.refused], none.stored) == ([0, 1], 0)
    assert "king" in none.refused[0].reason
    again = await alice.add({"role": "user", "content": secret, "id": "a"})
    assert (again.stored, again.duplicates) == (0, 1)
    assert (await alice.add([])).messages == ()
    with pytest.raises(InvalidIdentifier):
        await alice.add("x", session="a\0b")


async def test_a_key_makes_a_call_happen_once(alice: AsyncScopedMemory) -> None:
    first = await alice.add(["a", "b"], key="import-7")
    again = await alice.add(["a", "b"], key="import-7")
    assert [message.id for message in again.messages] == [message.id for message in first.messages]
    with pytest.raises(ConflictError):
        await alice.add(["c"], key="import-7")
    assert (await alice.messages()).total == 2


async def test_many_messages_come_in_pages(alice: AsyncScopedMemory) -> None:
    assert (await alice.add([f"note {number}" for number in range(1_100)], session="s")).stored == 1_100
    page = await alice.messages("s", limit=1_000)
    rest = await alice.messages("s", limit=1_000, after=page.cursor)
    assert [message.text for message in (*page.items, *rest.items)] == [f"note {number}" for number in range(1_100)]
    assert (page.total, rest.cursor) == (1_100, None)


async def test_records_are_remembered_edited_corrected_and_looked_back_at(alice: AsyncScopedMemory) -> None:
    expires = datetime(2999, 1, 1, tzinfo=UTC)
    made = await alice.remember("I live in Berlin", tags=["home"], importance=0.9, expires_at=expires, valid_from="2020-01-01")
    assert (made.expires_at, made.importance, made.tags, made.trust) == (expires, 0.9, ("home",), Trust.USER_SAID)
    edited = await alice.edit(made.id, tags=("homes",), expires_at=None, expected_version=made.version)
    assert (edited.tags, edited.expires_at, edited.version) == (("homes",), None, made.version + 1)
    with pytest.raises(ConflictError):
        await alice.edit(made.id, tags=("late",), expected_version=made.version)
    with pytest.raises(InputError):
        await alice.edit(made.id)
    done = await alice.correct("I live in Lyon", query="where I live")
    assert done.superseded == (made.id,)
    assert [record.text for record in (await alice.list()).items] == ["I live in Lyon"]
    assert [record.value for record in await alice.timeline("residence")] == ["Berlin", "Lyon"]
    assert [record.text for record in (await alice.list(known_at=edited.learned_at)).items] == ["I live in Berlin"]
    assert [entry.change for entry in await alice.history(made.id)] == ["add", "edit", "supersede"]
    got = await alice.get(made.id)
    assert (got.id, getattr(got, "status", None)) == (made.id, "superseded")


async def test_why_cites_the_messages_a_record_rests_on(alice: AsyncScopedMemory) -> None:
    (message,) = (await alice.add("Rex is her dog's name")).messages
    record = await alice.remember("Her dog is called Rex", sources=[Source(message=message.id, span=(0, 3))])
    why = await alice.why(record.id)
    assert [quote.text for quote in why.quotes] == ["Rex"]
    assert await alice.get(message.id) == (await alice.messages()).items[0]


async def test_entities_are_told_of_merged_and_split(alice: AsyncScopedMemory, bob: AsyncScopedMemory) -> None:
    for fact in ("Tom's sister is Anna", "Anna works at Siemens", "小李的老板是王强", "王强住在深圳"):
        await alice.remember(fact, valid_from="2020-01-01")
    assert [entity.name for entity in (await alice.entities(limit=2)).items] == ["Anna", "王强"]
    assert [fact.text for fact in (await alice.entity("王强")).current] == ["王强住在深圳", "小李的老板是王强"]
    assert [(near.name, near.hops) for near in await alice.neighbours("Tom", hops=2)] == [("Anna", 1), ("Siemens", 2)]
    (first, last) = await alice.path("小李", "深圳", as_of="2021-01-01")
    assert (first.text, last.attribute, last.since) == ("小李的老板是王强", "residence", datetime(2020, 1, 1, tzinfo=UTC))
    assert [line.text for line in await alice.entity_timeline("Anna", since="2019-01-01", until="2021-01-01")] == [
        "Tom's sister is Anna",
        "Anna works at Siemens",
    ]
    made = await alice.merge_entities("a/b %", "Anna", reason="the same")
    assert ((await alice.entity("a/b %")).entity.aliases, made.cause.reason) == (("a/b %",), "the same")
    assert await alice.merge_entities("a/b %", "Anna") == made
    with pytest.raises(ConflictError):
        await alice.merge_entities("Anna", "ANNA")
    assert (await alice.split_entity("a/b %")).before == made.after
    for missing in (alice.split_entity, bob.entity, bob.neighbours, bob.entity_timeline):
        with pytest.raises(NotFound):
            await missing("Anna")
    assert (await bob.entities()).total == 0


async def test_forgetting_restoring_undoing_reverting_and_erasing(alice: AsyncScopedMemory) -> None:
    made = await alice.remember("Her dog is called Rex")
    assert (await alice.forget(query="the dog called Rex", dry_run=True)).entries == ()
    await alice.forget(made.id)
    assert (await alice.list()).total == 0
    assert (await alice.restore(made.id)).change == "restore"
    newest = (await alice.changes(limit=1)).items[0]
    await alice.undo(newest.id)
    assert (await alice.list()).total == 0
    await alice.add("I live in Berlin.", session="s")
    await alice.flush()
    await alice.revert(session="s")
    assert (await alice.list()).total == 0
    assert (await alice.erase(made.id)).records == 1
    assert (await alice.erase(session="s")).messages == 1
    with pytest.raises(NotFound):
        await alice.erase(made.id)
    await alice.add("more")
    assert (await alice.erase()).messages == 1
    assert (await alice.stats()).messages == 0


async def test_a_pending_record_is_confirmed(alice: AsyncScopedMemory) -> None:
    made = await alice.remember("Her favourite colour is teal", trust=Trust.TOOL_OUTPUT)
    assert made.status == "pending"
    assert (await alice.confirm(made.id)).trust is Trust.USER_CONFIRMED
    assert [hit.text for hit in await alice.search("favourite colour", min_trust=Trust.USER_CONFIRMED)] == [made.text]


@pytest.mark.parametrize("label", NAMES)
async def test_blocks_and_tasks_are_found_under_any_name(alice: AsyncScopedMemory, label: str) -> None:
    made = await alice.write_block(label, "小雨", token_limit=50, expected_version=0)
    assert (made.label, await alice.block(label), made.token_limit) == (label, made, 50)
    with pytest.raises(ConflictError):
        await alice.write_block(label, "again", expected_version=0)
    await alice.write_block(label, "later", expected_version=made.version)
    with pytest.raises(BlockFull):
        await alice.write_block(label, "far too long " * 100)
    assert [block.text for block in await alice.blocks()] == ["later"]
    await alice.put_task(label, {"a": [1, None, "二"]}, step=3)
    task = await alice.task(label)
    assert task is not None
    assert (task.value, task.step) == ({"a": [1, None, "二"]}, 3)
    assert await alice.tasks() == (task,)
    assert (await alice.drop_task(label), await alice.drop_task(label), await alice.task(label)) == (True, False, None)


@pytest.mark.parametrize("session", NAMES)
async def test_sessions_are_saved_loaded_and_gone_on_with(
    alice: AsyncScopedMemory, bob: AsyncScopedMemory, session: str, tmp_path: Path
) -> None:
    await alice.add(["I like tea", "我喜欢茶"], session=session)
    await alice.checkpoint(session, session, {"at": 1})
    saved = await alice.save_session(session, tmp_path / "saved.json")
    loaded = await bob.load_session(tmp_path / "saved.json")
    assert (loaded.session, loaded.stored, loaded.checkpoints) == (session, 2, (session,))
    assert (await bob.load_session(saved)).known == 2
    found = await bob.resume(session)
    assert found is not None
    assert (found.state, found.messages_since) == ({"at": 1}, 0)
    assert (await bob.checkpoints(), await bob.resume("nothing")) == ((found,), None)
    with pytest.raises(NotFound):
        await alice.save_session("nothing")


async def test_everything_is_exported_and_loaded(alice: AsyncScopedMemory, bob: AsyncScopedMemory) -> None:
    await alice.add(["I live in Berlin."], session="s")
    await alice.remember("Her dog is called Rex")
    lines = [line async for line in alice.export()]
    done = await bob.load(lines)
    assert (done.messages, done.failed, done.complete) == (1, 0, True)
    assert "Her dog is called Rex" in [record.text for record in (await bob.list(statuses=("pending",))).items]
    with pytest.raises(InputError):
        await bob.load(["{}"])


async def test_texts_with_line_ends_of_every_kind_come_through(memory: AsyncMemory, alice: AsyncScopedMemory, model: ScriptedModel) -> None:
    text = "one\u2028two\u2029three\x85four\r\nfive 九"
    await alice.write_block("human", text)
    lines = [line async for line in alice.export()]
    assert [line["text"] for line in lines if line["type"] == "block" and line["label"] == "human"] == [text]
    model.replies[0] = text
    assert await memory.scope("carol").chat(session="s").turn(text) == text


async def test_windows_reports_and_the_state_of_the_work(alice: AsyncScopedMemory) -> None:
    await alice.write_block("human", "小雨 likes tea")
    window = await alice.context("Which tea?", budget=4_000)
    assert window.messages[-1] == {"role": "user", "content": "Which tea?"}
    assert window.tokens <= 4_000
    assert (await alice.context_report(message="Which tea?"))["blocks"].used > 0
    await alice.update_status(known="预算是五千", progress=["read"])
    assert (await alice.status()).known == ("预算是五千",)


async def test_a_turn_is_streamed_and_its_errors_are_errors(alice: AsyncScopedMemory) -> None:
    events = [event async for event in alice.chat(session="s").stream("Who am I?")]
    assert isinstance(events[0], TurnStarted)
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Ada it is"
    assert isinstance(events[-1], TurnFinished)
    with pytest.raises(ModelUnavailable):
        await alice.chat(session="s").turn("again")
    with pytest.raises(InputError):
        await alice.chat(session="s").turn("")
    assert await alice.chat(session="s").turn("and now?") == "and more"
    assert [message.role for message in (await alice.messages("s")).items] == ["user", "assistant", "user", "user", "assistant"]


async def test_what_is_not_there_is_said_in_the_same_way(alice: AsyncScopedMemory) -> None:
    for missing in (
        alice.get,
        alice.why,
        alice.history,
        alice.confirm,
        alice.restore,
        alice.forget,
        alice.undo,
        alice.block,
        alice.session,
    ):
        with pytest.raises(NotFound):
            await missing("nothing")
    with pytest.raises(InvalidIdentifier):
        await alice.get("")
    with pytest.raises(InputError):
        await alice.search("x", since="soonish")


async def test_counts_and_logs_and_whose_memories_there_are(alice: AsyncScopedMemory, bob: AsyncScopedMemory, memory: AsyncMemory) -> None:
    await alice.add("I like tea")
    await bob.add("I like tea")
    await alice.search("tea")
    assert {line.kind for line in (await alice.operations()).items} >= {"recall", "add"}
    assert (await alice.stats()).messages == 1
    assert await alice.costs(since="2026-01-01") == ()
    assert (await alice.spent()).calls == 0
    assert {job.scope for job in (await alice.jobs()).items} <= {alice.scope}
    assert await alice.revive(["1"]) == 0
    assert (await alice.tidy(dry_run=True)).retired == ()
    assert (await alice.consolidate(dry_run=True)).diffs == ()
    assert (await alice.sessions()).items[0].session == "default"
    assert set((await memory.scopes()).items) == {alice.scope, bob.scope}
    assert (await memory.scopes(tenant="other")).items == (bob.scope,)
