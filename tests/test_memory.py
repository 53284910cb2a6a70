"""The front door: what a developer does with a memory, on one file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import BlockFull, ConflictError, EmbedderError, Erased, InputError, InvalidIdentifier, NotFound, SettingsError
from pagefile.memory import AsyncMemory
from pagefile.messages import Message
from pagefile.ports import Vectors
from pagefile.records import Record, Scope
from pagefile.settings import Settings


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="hashing", settings=Settings(timezone="Asia/Shanghai")) as opened:
        yield opened


async def test_what_was_said_is_found_the_moment_add_returns(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    receipt = await alice.add([{"role": "user", "content": "用户服务器部署在腾讯云国内节点", "id": "m1"}], session="monday")
    (hit, *_) = await alice.search("腾讯云")
    assert hit.id == receipt.messages[0].id
    assert (hit.session, hit.sources[0].external_id) == ("monday", "m1")
    assert 0 < hit.score <= 1


async def test_what_was_said_is_there_after_closing_and_opening_again(tmp_path: Path) -> None:
    for expected in (0, 1):
        async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as memory:
            alice = memory.scope("alice")
            assert len(await alice.search("spicy food")) == expected
            await alice.add({"role": "user", "content": "I can't eat spicy food.", "id": "m1"})


@pytest.mark.parametrize(
    ("one", "other"),
    [("john-doe", "john_doe"), ("test_user", "test_user1"), ("a", "%"), ("a", "_"), ("alice", "Alice"), ("x') OR 1=1 --", "x")],
)
async def test_no_user_sees_another(memory: AsyncMemory, one: str, other: str) -> None:
    await memory.scope(one).add("the secret word is xylophone")
    stranger = memory.scope(other)
    assert not await stranger.search("secret word xylophone")
    assert (await stranger.messages()).total == 0
    assert (await memory.scope(one, tenant="other").messages()).total == 0
    assert len(await memory.scope(one).search("xylophone")) == 1


async def test_an_id_of_another_user_is_not_found_on_any_verb(memory: AsyncMemory) -> None:
    record = await memory.scope("alice").remember("Alice likes tea")
    bob = memory.scope("bob")
    for attempt in (
        bob.get(record.id),
        bob.history(record.id),
        bob.edit(record.id, text="x"),
        bob.forget(record.id),
        bob.restore(record.id),
        bob.erase(id=record.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert (await memory.scope("alice").get(record.id)).text == "Alice likes tea"


async def test_identifiers_are_stripped_and_normalised_the_same_everywhere(memory: AsyncMemory) -> None:
    await memory.scope(" cafe\u0301 ").add("hello there", session=" s ")
    assert (await memory.scope("caf\u00e9").messages("s")).total == 1


@pytest.mark.parametrize("user", ["", "  ", "x" * 257, "a\nb", "a\x00b", "\ud800"])
async def test_unusable_identifiers_are_refused(memory: AsyncMemory, user: str) -> None:
    with pytest.raises(InvalidIdentifier):
        memory.scope(user)
    with pytest.raises(InvalidIdentifier):
        await memory.scope("alice").add("x", session=user)


async def test_a_message_with_an_id_is_kept_once_a_session(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    message = {"role": "user", "content": "hello", "id": "m1"}
    first = await alice.add(message)
    again = await alice.add([message, {"role": "user", "content": "other", "id": "m1"}])
    assert (first.stored, again.stored, again.duplicates) == (1, 0, 1)
    assert again.messages[0].id == first.messages[0].id
    assert again.refused[0].index == 1
    assert "m1" in again.refused[0].reason


async def test_a_bad_message_is_refused_and_the_others_are_stored(memory: AsyncMemory) -> None:
    receipt = await memory.scope("alice").add(
        [{"role": "user", "content": "a"}, {"role": "wizard", "content": "b"}, {"role": "user", "content": "c"}]
    )
    assert (receipt.stored, [one.index for one in receipt.refused]) == (2, [1])
    assert "wizard" in str(receipt)


async def test_a_repeated_call_under_a_key_gives_the_same_receipt_and_another_one_is_refused(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    first = await alice.add(["a", "b"], key="k1")
    assert await alice.add(["a", "b"], key="k1") == first
    with pytest.raises(ConflictError):
        await alice.add(["a", "c"], key="k1")
    assert (await alice.messages()).total == 2


async def test_remembering_the_same_again_reinforces_one_record(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    first = await alice.remember("I like cats")
    again = await alice.remember("i like cats")
    assert (again.id, again.evidence_count) == (first.id, 2)
    assert (await alice.list()).total == 1


async def test_remembering_the_same_at_once_still_makes_one_record(memory: AsyncMemory) -> None:
    alice, twin = memory.scope("alice"), memory.scope("alice")
    await asyncio.gather(*((alice, twin)[number % 2].remember("I like cats") for number in range(20)))
    (record,) = (await alice.list()).items
    assert record.evidence_count == 20


async def test_an_edit_keeps_the_id_and_moves_what_finds_it(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    record = await alice.remember("works at Acme")
    edited = await alice.edit(record.id, text="works at Beta Corp", tags=["job"])
    assert (edited.id, edited.version, edited.tags) == (record.id, 2, ("job",))
    assert [hit.id for hit in await alice.search("Beta Corp")] == [record.id]
    assert not await alice.search("Acme")
    added, changed = await alice.history(record.id)
    assert (added.change, changed.change) == ("add", "edit")
    assert (changed.before["text"], changed.after["text"]) == ("works at Acme", "works at Beta Corp")


async def test_an_edit_of_an_older_version_is_refused(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    record = await alice.remember("works at Acme")
    await alice.edit(record.id, text="works at Beta", expected_version=1)
    with pytest.raises(ConflictError):
        await alice.edit(record.id, text="works at Gamma", expected_version=1)


@pytest.mark.parametrize("fields", [{}, {"status": "current"}, {"text": ""}, {"nonsense": 1}])
async def test_an_edit_that_cannot_be_is_refused(memory: AsyncMemory, fields: dict[str, object]) -> None:
    alice = memory.scope("alice")
    record = await alice.remember("works at Acme")
    with pytest.raises(InputError):
        await alice.edit(record.id, **fields)


async def test_what_was_said_cannot_be_edited_but_forgotten_restored_and_erased(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    (message,) = (await alice.add("my locker code is ninety")).messages
    with pytest.raises(InputError, match="forget"):
        await alice.edit(message.id, text="x")
    await alice.forget(message.id, reason="asked to")
    assert not await alice.search("locker code")
    await alice.restore(message.id)
    assert await alice.search("locker code")
    receipt = await alice.erase(id=message.id)
    assert receipt.messages == 1
    with pytest.raises(NotFound):
        await alice.get(message.id)


async def test_erasing_a_user_leaves_nothing_in_the_file_and_others_whole(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="hashing") as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add("the marker is quokkaquokka")
        record = await alice.remember("alice adores quokkaquokka")
        await alice.edit(record.id, text="alice likes quokkaquokka")
        await alice.write_block("human", "quokkaquokka")
        await bob.add("bob says hello")
        await memory.flush()
        receipt = await alice.erase()
        assert (receipt.messages, receipt.records, receipt.blocks) == (1, 1, 1)
        assert not await alice.search("quokkaquokka")
        assert len(await bob.search("hello")) == 1
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert b"quokka" not in kept


async def test_filters_hold_and_words_can_give_the_time(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.add([
        {"role": "user", "content": "coffee with Ann", "name": "Ann", "said_at": "2026-05-04T10:00:00+08:00"},
        {"role": "user", "content": "coffee with Bob", "name": "Bob", "said_at": "2026-05-20T23:30:00+08:00"},
    ], session="s")  # fmt: skip
    assert [hit.speaker for hit in await alice.search("coffee", speaker="Bob")] == ["Bob"]
    assert [hit.speaker for hit in await alice.search("coffee", since="2026-05-20", until="2026-05-20")] == ["Bob"]
    assert [hit.speaker for hit in await alice.search("coffee", until="2026年5月4日")] == ["Ann"]
    nothing = await alice.search("coffee", session="other")
    assert (len(nothing), nothing.filtered_out) == (0, 2)
    with pytest.raises(InputError):
        await alice.search("coffee", since="when the moon was blue")


@pytest.mark.parametrize("limit", [0, -1, "ten", None, 2.5])
async def test_a_limit_that_is_none_is_refused(memory: AsyncMemory, limit: object) -> None:
    with pytest.raises(InputError):
        await memory.scope("alice").search("x", limit=limit)  # type: ignore[arg-type]  # what users send


async def test_a_huge_limit_gives_what_there_is(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.add([f"tea number {number}" for number in range(30)])
    assert len(await alice.search("tea", limit=10**6, floor=0.0)) == 30


async def test_nothing_is_found_for_nonsense_and_the_result_says_so(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.add(["I moved to Berlin in May", "My sister is called Eva"])
    assert not await alice.search("zzqq nonsense")
    assert not await alice.search("hi")


class Down(HashingEmbedder):
    """An embedder whose endpoint does not answer until it is up."""

    def __init__(self) -> None:
        super().__init__()
        self.up = False

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if not self.up and not query:
            raise EmbedderError("the endpoint http://127.0.0.1:9 does not answer; start it")
        return await super().embed(texts, query=query)


class Deaf(HashingEmbedder):
    """An embedder that takes no questions."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if query:
            raise EmbedderError("the endpoint http://127.0.0.1:9 does not answer; start it")
        return await super().embed(texts, query=query)


async def test_a_dead_embedder_loses_nothing_says_so_and_heals(tmp_path: Path) -> None:
    embedder = Down()
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder) as memory:
        alice = memory.scope("alice")
        await alice.add("I can't eat spicy food")
        assert await memory.flush() == 2, "for the message and for what was learnt from it"
        assert "does not answer" in str(memory.trouble)
        found = await alice.search("spicy food")
        assert (len(found), found.mode) == (1, "words")
        embedder.up = True
        done = await memory.reindex()
        assert (done.embedded, done.left) == (2, 0)
        assert (await alice.search("spicy food")).mode == "words+vectors"


async def test_a_question_that_cannot_be_embedded_is_answered_by_words_and_the_result_says_so(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=Deaf()) as memory:
        await memory.scope("alice").add("I can't eat spicy food")
        found = await memory.scope("alice").search("spicy food")
        assert (len(found), found.mode) == (1, "words")
        assert "does not answer" in found.warnings[0]


async def test_a_change_of_embedder_is_noticed_and_mended(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=HashingEmbedder()) as memory:
        await memory.scope("alice").add(["one thing", "another thing"])
        await memory.flush()
        assert not memory.warnings
    steps: list[tuple[int, int]] = []
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=HashingEmbedder(salt="new")) as memory:
        assert "reindex" in memory.warnings[0]
        assert (await memory.scope("alice").search("thing")).without_vector == 2
        await memory.reindex(lambda done, total: steps.append((done, total)))
        assert steps == [(2, 2)]
        assert list((await memory.stats()).vectors.values()) == [2]
    async with await AsyncMemory.open(tmp_path / "m.db", embedder="none") as memory:
        assert "words alone" in memory.warnings[0]


async def test_a_block_over_its_limit_is_refused_and_nothing_is_written(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    await alice.write_block("human", "likes tea", token_limit=10)
    with pytest.raises(BlockFull, match="10"):
        await alice.write_block("human", "word " * 50)
    assert [(block.label, block.text) for block in await alice.blocks()] == [("human", "likes tea")]
    await alice.write_block("human", "likes coffee")
    assert [entry.change for entry in await alice.history("block:human")] == ["add", "edit"]


async def test_get_gives_messages_and_records(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    (message,) = (await alice.add("hello")).messages
    record = await alice.remember("likes tea")
    assert isinstance(await alice.get(message.id), Message)
    assert isinstance(await alice.get(record.id), Record)


async def test_scopes_and_counts_tell_what_is_there(memory: AsyncMemory) -> None:
    await memory.scope("alice").add(["a", "b"])
    await memory.scope("bob", tenant="acme").add("c")
    assert set((await memory.scopes()).items) == {Scope("default", "alice"), Scope("acme", "bob")}
    assert ((await memory.stats()).messages, (await memory.scope("alice").stats()).messages) == (3, 2)


async def test_a_store_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(SettingsError, match="redis"):
        await AsyncMemory.open("redis://localhost/1")


async def test_a_memory_without_a_file_ends_with_the_program() -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        await memory.scope("alice").add("hello")
        assert memory.location == "memory"


async def test_one_bad_message_does_not_sink_the_others_whatever_is_wrong_with_it(memory: AsyncMemory) -> None:
    bad = {"role": "user", "content": [{"type": "x", "v": float("nan")}]}
    receipt = await memory.scope("alice").add(["good", bad, 5], key="k")  # type: ignore[list-item]  # what programs send
    assert (receipt.stored, [one.index for one in receipt.refused]) == (1, [1, 2])
    assert await memory.scope("alice").add(["good", bad, 5], key="k") == receipt  # type: ignore[list-item]


@pytest.mark.parametrize(
    "call",
    [
        lambda alice: alice.add(None),
        lambda alice: alice.add(5),
        lambda alice: alice.context(None),
        lambda alice: alice.context("x", budget="8000"),
        lambda alice: alice.remember("x", sources=5),
        lambda alice: alice.remember("x", tags="food"),
        lambda alice: alice.remember("x", pinned="no"),
        lambda alice: alice.remember("x", subject=5),
        lambda alice: alice.remember("x", importance=float("nan")),
        lambda alice: alice.remember("x", valid_from="9999-12-31T23:00:00Z"),
        lambda alice: alice.search("x", session=5),
        lambda alice: alice.search("x", kinds="fact"),
        lambda alice: alice.search("x", kinds=["dream"]),
        lambda alice: alice.search("x", statuses=["gone"]),
        lambda alice: alice.search("x", min_trust="user_said"),
        lambda alice: alice.search("x", since="before May"),
        lambda alice: alice.search("x", until="since March"),
        lambda alice: alice.write_block("human", 5),
        lambda alice: alice.write_block("human", "x", token_limit="5"),
        lambda alice: alice.write_block("human", "x", agent=""),
    ],
)
async def test_arguments_of_the_wrong_kind_are_refused_by_name(memory: AsyncMemory, call: Callable[[Any], Awaitable[Any]]) -> None:
    with pytest.raises(InputError):
        await call(memory.scope("alice"))
    assert (await memory.stats()).messages == (await memory.stats()).records == 0


async def test_edits_of_other_fields_at_once_all_hold_and_what_they_say_is_found(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    record = await alice.remember("works at Acme")
    for number in range(10):
        text, tag = f"works at place{number}", f"tag{number}"
        await asyncio.gather(alice.edit(record.id, text=text), alice.edit(record.id, tags=[tag]))
        (hit,) = await alice.search(f"place{number}")
        assert hit.text == text
        assert (await alice.search("works", tags=[tag]))[0].id == record.id


async def test_forgetting_or_restoring_twice_is_the_same_as_once(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    record = await alice.remember("likes tea")
    once, twice = await alice.forget(record.id), await alice.forget(record.id)
    assert [entry.change for entry in once.entries] == ["retire"]
    assert twice.entries == ()
    assert await alice.restore(record.id) == await alice.restore(record.id)


async def test_several_items_are_erased_in_one_call(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    messages = (await alice.add(["one", "two", "three"])).messages
    assert (await alice.erase([messages[0].id, messages[1].id])).messages == 2
    with pytest.raises(NotFound):
        await alice.erase(messages[0].id)


async def test_a_repeated_call_does_not_bring_back_what_was_erased_and_another_one_may_have_the_key(memory: AsyncMemory) -> None:
    alice = memory.scope("alice")
    messages = (await alice.add(["one", "two"], key="k")).messages
    await alice.erase(messages[0].id)
    with pytest.raises(Erased):
        await alice.add(["one", "two"], key="k")
    assert (await alice.add(["three"], key="k")).stored == (await alice.add(["one"], key="l")).stored == 1
    assert [one.text for one in (await alice.messages()).items] == ["two", "three", "one"]


class Shrunk(HashingEmbedder):
    """Keeps its name and changes its size."""

    def __init__(self, dimension: int) -> None:
        super().__init__(dimension)
        self.id = "shrunk"


async def test_a_query_vector_of_another_size_is_no_error_but_words_alone(tmp_path: Path) -> None:
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=Shrunk(64)) as memory:
        await memory.scope("alice").add("likes green tea")
        await memory.flush()
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=Shrunk(32)) as memory:
        found = await memory.scope("alice").search("green tea")
        assert (len(found), found.mode) == (1, "words")
        assert found.warnings


class Nan(HashingEmbedder):
    """Fails at one text."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        vectors = await super().embed(texts, query=query)
        for place, text in enumerate(texts):
            if "cursed" in text:
                vectors[place] = float("nan")
        return vectors


async def test_one_bad_vector_costs_one_text_its_vector_and_no_other(tmp_path: Path) -> None:
    embedder = Nan()
    async with await AsyncMemory.open(tmp_path / "m.db", embedder=embedder) as memory:
        await memory.scope("alice").add([f"good number {number}" for number in range(20)] + ["a cursed text"])
        await memory.flush()
        assert (await memory.stats()).vectors == {embedder.id: 20}
        assert len(await memory.scope("alice").search("cursed")) == 1


async def test_learning_by_a_model_without_a_model_goes_by_rules_and_says_so() -> None:
    async with await AsyncMemory.open(":memory:", embedder="none", learn="model") as memory:
        assert any("by rules alone" in warning for warning in memory.warnings)
        alice = memory.scope("alice")
        await alice.add("我有一只猫，叫咪咪。")
        assert await memory.flush() == 0
        assert [record.value for record in (await alice.list()).items] == ["咪咪"]
        assert (await alice.spent()).calls == 0


async def test_a_way_of_learning_that_is_not_known_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="learn"):
        await AsyncMemory.open(tmp_path / "m.db", learn="by heart")  # type: ignore[arg-type]  # what a caller may get wrong
    assert not (tmp_path / "m.db").exists()
