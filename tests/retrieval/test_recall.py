from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import EmbedderError, InputError
from pagefile.messages import Draft
from pagefile.models.offline import OfflineModel
from pagefile.parts import Parts
from pagefile.ports import Embedder, NewVector, Vectors
from pagefile.queries import Hits, Where
from pagefile.records import Add, Cause, Record, Scope, Source
from pagefile.retrieval.indexing import embedding_hash, embedding_text, message_indexing, record_indexing
from pagefile.retrieval.recall import recall
from pagefile.stores.memory import MemoryStore

NOW = datetime(2026, 5, 24, 10, tzinfo=UTC)
ALICE, BOB = Scope("default", "alice"), Scope("default", "bob")
LINES = (
    "I adopted a puppy called Rex",
    "What a lovely name",
    "My sister moved to Shenzhen in spring",
    "我对花生过敏",
    "The meeting about the budget is on Friday",
    "服务器部署在腾讯云国内节点",
)


class Broken:
    """An embedder that cannot be reached."""

    id = "broken"

    async def dimension(self) -> int:
        return 4

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        raise EmbedderError("could not connect to http://localhost:1/v1")


class Useless(Broken):
    """An embedder that answers with zeros."""

    id = "useless"

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return np.zeros((len(texts), 4), dtype=np.float32)


def make_parts(embedder: Embedder | None) -> Parts:
    ids = (f"{number:08}" for number in itertools.count(1))
    return Parts(store=MemoryStore(), embedder=embedder, model=OfflineModel(), now=lambda: NOW, new_id=lambda: next(ids), zone=UTC)


async def say(parts: Parts, *lines: str, scope: Scope = ALICE, session: str = "monday", **fields: Any) -> None:
    drafts = []
    for number, line in enumerate(lines):
        said = NOW - timedelta(hours=1) + timedelta(seconds=number)
        indexing = message_indexing(role="user", speaker=None, text=line, said_at=said)
        made = {
            "id": parts.new_id(),
            "external_id": f"{session}:{number}",
            "said_at": said,
            "recorded_at": NOW,
            "tokens": len(line) // 3 + 1,
        }
        drafts.append(Draft(role="user", text=line, indexing=indexing, **(made | fields)))
    await parts.store.append(scope, session, drafts)
    await embed(parts)


async def embed(parts: Parts) -> None:
    if isinstance(parts.embedder, HashingEmbedder):
        waiting = (await parts.store.unembedded(parts.embedder.id)).items
        vectors = await parts.embedder.embed([embedding_text(one.item) for one in waiting])
        for one, vector in zip(waiting, vectors, strict=True):
            assert one.hash == embedding_hash(embedding_text(one.item))
            await parts.store.put_vectors(one.scope, parts.embedder.id, [NewVector(id=one.item.id, hash=one.hash, vector=vector)])


async def remember(parts: Parts, text: str, **fields: Any) -> Record:
    record = Record(id=parts.new_id(), kind="fact", text=text, learned_at=NOW, **fields)
    cause = Cause(actor="user:alice", reason="test", at=NOW)
    await parts.store.apply(ALICE, [Add(item=record, cause=cause, indexing=record_indexing(record))])
    await embed(parts)
    return record


@pytest.fixture
async def parts() -> Parts:
    made = make_parts(HashingEmbedder())
    await say(made, *LINES)
    return made


def texts(hits: Hits) -> list[str]:
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    ("question", "line"),
    [("What is my puppy called?", 0), ("Where did my sister move?", 2), ("花生", 3), ("什么时候 budget meeting", 4), ("腾讯云", 5)],
)
async def test_what_was_said_is_found(parts: Parts, question: str, line: int) -> None:
    hits = await recall(parts, ALICE, question)
    assert texts(hits)[0] == LINES[line]
    assert hits.mode == "words+vectors"
    assert not hits.warnings


async def test_a_hit_names_its_message_and_the_callers_own_id(parts: Parts) -> None:
    hit = (await recall(parts, ALICE, "puppy called Rex"))[0]
    assert hit.sources == (Source(message=hit.id, external_id="monday:0"),)
    assert (hit.kind, hit.session, hit.role) == ("message", "monday", "user")


async def test_a_record_is_found_beside_messages_and_names_its_sources(parts: Parts) -> None:
    cited = (Source(message="m1", span=(0, 4)),)
    record = await remember(parts, "Alice keeps bees", sources=cited)
    hit = (await recall(parts, ALICE, "who keeps bees?"))[0]
    assert (hit.id, hit.kind, hit.sources) == (record.id, "fact", cited)


@pytest.mark.parametrize("nonsense", ["zzqq blorp", "hi", "哈哈", "good morning"])
async def test_small_talk_and_nonsense_find_nothing(parts: Parts, nonsense: str) -> None:
    hits = await recall(parts, ALICE, nonsense)
    assert not hits
    assert hits.below_floor


async def test_a_floor_of_0_returns_the_nearest_however_far(parts: Parts) -> None:
    assert len(await recall(parts, ALICE, "zzqq blorp", floor=0)) == len(LINES)


async def test_scores_fall_and_lie_between_0_and_1(parts: Parts) -> None:
    scores = [hit.score for hit in await recall(parts, ALICE, "puppy Rex", floor=0)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


async def test_another_user_finds_nothing_of_it(parts: Parts) -> None:
    assert not await recall(parts, BOB, "puppy Rex", floor=0)


async def test_limit_cuts_and_a_huge_limit_returns_what_there_is(parts: Parts) -> None:
    assert len(await recall(parts, ALICE, "puppy Rex", limit=1)) == 1
    assert len(await recall(parts, ALICE, "puppy Rex", limit=10**6, floor=0)) == len(LINES)


@pytest.mark.parametrize("limit", [0, -1, "ten", 2.5, True, None])
async def test_a_limit_that_is_no_positive_number_is_refused(parts: Parts, limit: Any) -> None:
    with pytest.raises(InputError, match="limit"):
        await recall(parts, ALICE, "puppy", limit=limit)


@pytest.mark.parametrize("floor", [-0.1, 1.5, "high", float("nan"), True])
async def test_a_floor_outside_0_to_1_is_refused(parts: Parts, floor: Any) -> None:
    with pytest.raises(InputError, match="floor"):
        await recall(parts, ALICE, "puppy", floor=floor)


@pytest.mark.parametrize("query", ["", " \n\t", "\x00", None, 7])
async def test_a_query_without_text_is_refused(parts: Parts, query: Any) -> None:
    with pytest.raises(InputError, match="query"):
        await recall(parts, ALICE, query)


async def test_max_tokens_is_kept_and_what_did_not_fit_is_counted(parts: Parts) -> None:
    every = await recall(parts, ALICE, "puppy Rex", floor=0)
    some = await recall(parts, ALICE, "puppy Rex", floor=0, max_tokens=20)
    assert sum(hit.tokens for hit in some) <= 20
    assert some.over_budget == len(every) - len(some) > 0
    assert some[0] == every[0]


@pytest.mark.parametrize("max_tokens", [0, -1, "many"])
async def test_a_budget_that_is_no_positive_number_is_refused(parts: Parts, max_tokens: Any) -> None:
    with pytest.raises(InputError, match="max_tokens"):
        await recall(parts, ALICE, "puppy", max_tokens=max_tokens)


async def test_explain_says_what_a_score_is_made_of(parts: Parts) -> None:
    assert (await recall(parts, ALICE, "puppy Rex"))[0].why is None
    why = (await recall(parts, ALICE, "puppy Rex", explain=True))[0].why
    assert why is not None
    assert {"words", "meaning", "neighbours", "confidence"} <= set(why)


@pytest.mark.parametrize("embedder", [Broken(), Useless()])
async def test_a_failing_embedder_leaves_words_and_says_so(embedder: Embedder) -> None:
    parts = make_parts(embedder)
    await say(parts, *LINES)
    hits = await recall(parts, ALICE, "puppy Rex")
    assert texts(hits)[0] == LINES[0]
    assert hits.mode == "words"
    assert "words alone" in hits.warnings[0]


async def test_without_an_embedder_words_are_all_there_is() -> None:
    parts = make_parts(None)
    await say(parts, *LINES)
    hits = await recall(parts, ALICE, "花生过敏")
    assert texts(hits)[0] == LINES[3]
    assert (hits.mode, hits.warnings) == ("words", ())
    assert not await recall(parts, ALICE, "zzqq blorp")


async def test_what_has_no_vector_yet_is_found_by_its_words_and_counted(parts: Parts) -> None:
    indexing = message_indexing(role="user", speaker=None, text="The piano tuner comes on Tuesday", said_at=NOW)
    fields = {"id": parts.new_id(), "said_at": NOW, "recorded_at": NOW, "tokens": 8}
    await parts.store.append(ALICE, "monday", [Draft(role="user", text="The piano tuner comes on Tuesday", indexing=indexing, **fields)])  # type: ignore[arg-type]
    hits = await recall(parts, ALICE, "when does the piano tuner come?")
    assert texts(hits)[0] == "The piano tuner comes on Tuesday"
    assert hits.without_vector == 1


async def test_filters_come_before_the_ranking_and_say_how_much_they_took_out(parts: Parts) -> None:
    await say(parts, "Rex the puppy ate my shoe", session="tuesday")
    hits = await recall(parts, ALICE, "puppy Rex", where=Where(sessions=("tuesday",)))
    assert texts(hits) == ["Rex the puppy ate my shoe"]
    assert hits.filtered_out


async def test_a_record_that_has_expired_is_not_found(parts: Parts) -> None:
    await remember(parts, "Alice keeps bees", expires_at=NOW - timedelta(days=1))
    assert "Alice keeps bees" not in texts(await recall(parts, ALICE, "who keeps bees?", floor=0))


async def test_of_a_huge_query_the_beginning_and_the_end_count(parts: Parts) -> None:
    filler = "lorem ipsum dolor sit amet " * 20_000
    for query in (f"puppy Rex {filler}", f"{filler} puppy Rex"):
        assert LINES[0] in texts(await recall(parts, ALICE, query, floor=0))[:2]


@pytest.mark.parametrize("query", ["100% OR 1=1 --", "'; DROP TABLE messages", "_%", "\ud83d\ude00", "a\x00b", "。。。", "?"])
async def test_odd_characters_are_only_characters(parts: Parts, query: str) -> None:
    assert isinstance(await recall(parts, ALICE, query), Hits)


async def test_a_time_in_the_question_brings_what_was_said_then() -> None:
    parts = make_parts(HashingEmbedder())
    await say(parts, "We talked about the garden", session="old", said_at=NOW - timedelta(days=20))
    await say(parts, "We talked about the garden", session="new", said_at=NOW - timedelta(days=1))
    for question in ("What did we say about the garden yesterday?", "昨天 the garden"):
        assert (await recall(parts, ALICE, question))[0].session == "new"
    assert (await recall(parts, ALICE, "What did we say about the garden three weeks ago?", floor=0))[0].session is not None
