"""Search by words: BM25 with the statistics of one scope, neighbours, sessions, populations."""

from __future__ import annotations

import statistics
from datetime import timedelta
from typing import Any

import pytest

from pagefile.ports import Store
from pagefile.queries import ASKS, Item, Probe, Signals, Where
from pagefile.records import Indexing, Scope, Trust
from pagefile.stores.bm25 import rarity, term_score
from pagefile.testing.fakes import START, make_draft, make_record
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, by_id, embed, flag, found, learn, meaning, retire, say, words


def bm25(query: str, document: str, documents: list[str]) -> float:
    """The score written out, for words that are apart by blanks."""
    mean_length = statistics.mean(len(each.split()) for each in documents)
    terms, score = document.split(), 0.0
    for term in query.split():
        if term in terms:
            containing = sum(term in each.split() for each in documents)
            score += rarity(len(documents), containing) * term_score(terms.count(term), len(terms), mean_length)
    return score


class WordsContract(Contract):
    # --- scores ---

    async def test_scores_are_bm25_over_all_items_of_the_scope(self, store: Store) -> None:
        texts = ["tea tea with milk", "black tea", "coffee", "milk", "a long sentence about nothing at all"]
        messages = await say(store, *texts[:3])
        items: list[Item] = [*messages, *await learn(store, *texts[3:])]
        candidates = by_id(await store.search(ALICE, words("tea milk")))
        expected = {item.id: bm25("tea milk", item.text, texts) for item in items}
        assert {id: each.signals.words for id, each in candidates.items()} == {
            id: pytest.approx(score, rel=1e-4) for id, score in expected.items() if score
        }

    async def test_retired_and_filtered_items_stay_in_the_statistics(self, store: Store) -> None:
        messages = await say(store, "tea", "tea milk", "coffee")
        before = await store.search(ALICE, words("tea"))
        await retire(store, messages[1].id)
        after = await store.search(ALICE, words("tea"))
        assert by_id(after)[messages[0].id].signals == by_id(before)[messages[0].id].signals
        assert (after.words, after.filtered_out) == (before.words, 1)

    async def test_the_weight_of_a_term_multiplies_its_part(self, store: Store) -> None:
        (message, _) = await say(store, "tea milk", "coffee")
        once = await store.search(ALICE, Probe(terms={"tea": 1.0}))
        thrice = await store.search(ALICE, Probe(terms={"tea": 3.0}))
        assert by_id(thrice)[message.id].signals.words == pytest.approx(3 * by_id(once)[message.id].signals.words)

    async def test_what_an_item_covers_is_its_share_of_the_weight_of_the_terms(self, store: Store) -> None:
        (both, one) = await say(store, "tea milk", "tea tea tea")
        (fact,) = await learn(store, "milk")
        candidates = by_id(await store.search(ALICE, Probe(terms={"tea": 1.0, "milk": 2.0, "sugar": 1.0})))
        rare = {"tea": rarity(3, 2), "milk": 2 * rarity(3, 2), "sugar": rarity(3, 0)}
        shares = {both.id: rare["tea"] + rare["milk"], one.id: rare["tea"], fact.id: rare["milk"]}
        assert {id: each.covered for id, each in candidates.items()} == {
            id: pytest.approx(share / sum(rare.values())) for id, share in shares.items()
        }

    async def test_a_candidate_says_whether_it_was_indexed_as_a_question(self, store: Store) -> None:
        (asked,) = await say(store, "which tea", indexing=Indexing(terms={"which": 1, "tea": 1, ASKS: 1}))
        (said,) = await say(store, "black tea")
        (record,) = await learn(store, "likes tea")
        await embed(store, {said.id: (1.0, 0.0)})
        for probe in (words("tea", neighbours=1), meaning(1.0, 0.0, neighbours=1)):
            candidates = by_id(await store.search(ALICE, probe))
            assert candidates[asked.id].asks
            assert not candidates[said.id].asks
        assert not by_id(await store.search(ALICE, words("tea")))[record.id].asks

    async def test_other_scopes_do_not_change_a_score(self, store: Store) -> None:
        await say(store, "tea with milk", "coffee", "green tea")
        await learn(store, "likes tea")
        probe = words("tea milk", neighbours=1)
        before = await store.search(ALICE, probe)
        for other in (BOB, Scope("other", "alice")):
            await say(store, *(f"tea tea tea number {number}" for number in range(250)), scope=other)
        after = await store.search(ALICE, probe)
        assert (after.items, after.words, after.sessions) == (before.items, before.words, before.sessions)

    async def test_scores_are_right_again_after_edits_and_erasure(self, store: Store) -> None:
        await say(store, "tea with milk", "coffee")
        before = await store.search(ALICE, words("tea"))
        extra = await say(store, *(f"tea {number}" for number in range(10)))
        await store.erase(ALICE, ids=[message.id for message in extra])
        after = await store.search(ALICE, words("tea"))
        assert after.words.mean == pytest.approx(before.words.mean)
        assert [each.signals.words for each in after.items] == pytest.approx([each.signals.words for each in before.items])

    async def test_a_word_that_stands_nowhere_finds_nothing(self, store: Store) -> None:
        await say(store, "tea")
        assert (await store.search(ALICE, words("zebra"))).items == ()
        assert (await store.search(ALICE, Probe())).items == ()

    @pytest.mark.parametrize("term", ["腾讯云", "c盘", "🌶️", "it's", "x') OR 1=1 --", "%", "_", "*", '"', "a NEAR b", "t" * 1000, "-"])
    async def test_any_term_finds_exactly_itself(self, store: Store, term: str) -> None:
        (message,) = await say(store, "one", indexing=Indexing(terms={term: 1}))
        await say(store, "two")
        assert set(by_id(await store.search(ALICE, Probe(terms={term: 1.0}, neighbours=0)))) == {message.id}

    async def test_at_most_limit_candidates_and_those_are_the_best(self, store: Store) -> None:
        messages = await say(store, *("tea " * number + "filler " * (10 - number) for number in range(1, 10)))
        candidates = by_id(await store.search(ALICE, words("tea", limit=3)))
        assert set(candidates) == {message.id for message in messages[-3:]}

    # --- what a candidate tells ---

    async def test_a_candidate_tells_what_a_ranking_needs_of_a_message(self, store: Store) -> None:
        said_at = START + timedelta(days=1)
        (message,) = await say(store, "tea", session="monday", role="assistant", speaker="Zoë", agent="cook", said_at=said_at, tokens=17)
        (candidate,) = (await store.search(ALICE, words("tea"))).items
        assert (candidate.id, candidate.kind, candidate.session, candidate.seq) == (message.id, "message", "monday", 1)
        assert (candidate.role, candidate.speaker, candidate.time, candidate.tokens) == ("assistant", "Zoë", said_at, 17)

    async def test_a_candidate_tells_what_a_ranking_needs_of_a_record(self, store: Store) -> None:
        record = make_record(
            "tea",
            kind="event",
            valid_from=START,
            speaker="Zoë",
            session="monday",
            trust=Trust.USER_CONFIRMED,
            confidence=0.3,
            importance=0.7,
            use_count=5,
            pinned=True,
        )
        (kept,) = await learn(store, "tea", **{name: getattr(record, name) for name in record.__slots__ if name not in ("id", "text")})
        (candidate,) = (await store.search(ALICE, words("tea"))).items
        assert (candidate.id, candidate.kind, candidate.time) == (kept.id, "event", START)
        for name in ("speaker", "session", "confidence", "importance", "use_count"):
            assert getattr(candidate, name) == getattr(record, name), name
        assert (candidate.seq, candidate.role, candidate.before, candidate.after, candidate.session_words) == (None, None, None, None, 0.0)
        assert candidate.tokens > 0

    async def test_without_a_valid_from_a_records_time_is_when_it_was_learnt(self, store: Store) -> None:
        (record,) = await learn(store, "tea")
        (candidate,) = (await store.search(ALICE, words("tea"))).items
        assert candidate.time == record.learned_at

    @pytest.mark.parametrize(
        ("fields", "trust"),
        [
            ({"role": "user"}, Trust.USER_SAID),
            ({"role": "assistant"}, Trust.ASSISTANT_SAID),
            ({"role": "tool"}, Trust.TOOL_OUTPUT),
            ({"role": "user", "origin": "imported"}, Trust.IMPORTED),
        ],
        ids=str,
    )
    async def test_a_messages_trust_follows_from_its_role_and_origin(self, store: Store, fields: dict[str, Any], trust: Trust) -> None:
        (message,) = await say(store, "tea", **fields)
        assert message.trust == trust
        assert await found(store, "tea", min_trust=trust) == {message.id}
        assert trust == Trust.USER_SAID or not await found(store, "tea", min_trust=Trust(trust + 1))

    # --- neighbours and sessions ---

    async def test_the_turns_beside_a_candidate_are_candidates_too_with_signals_of_their_own(self, store: Store) -> None:
        one, two, three, four, _ = await say(store, "a milk", "b", "c tea", "d milk", "e")
        candidates = by_id(await store.search(ALICE, words("tea", neighbours=1)))
        assert set(candidates) == {two.id, three.id, four.id}
        assert candidates[two.id].signals == Signals(0.0, None)
        both = by_id(await store.search(ALICE, words("tea milk", neighbours=1)))
        assert both[three.id].before == Signals(0.0, None) == both[two.id].signals
        assert both[three.id].after == both[four.id].signals
        assert both[two.id].before == both[one.id].signals
        assert both[two.id].after == both[three.id].signals

    async def test_neighbours_are_fetched_as_far_as_asked_and_not_across_sessions(self, store: Store) -> None:
        first = await say(store, "a", "b", "c", "tea", session="one")
        await say(store, "d", "e", session="two")
        candidates = by_id(await store.search(ALICE, words("tea", neighbours=2)))
        assert set(candidates) == {message.id for message in first[1:]}
        assert candidates[first[3].id].after is None

    async def test_what_was_written_without_indexing_is_never_a_candidate(self, store: Store) -> None:
        drafts = [make_draft("tea"), make_draft("tea again", indexing=Indexing()), make_draft("milk")]
        await store.append(ALICE, "s1", drafts)
        candidates = by_id(await store.search(ALICE, words("tea", neighbours=2)))
        assert set(candidates) == {drafts[0].id, drafts[2].id}

    async def test_no_neighbours_are_fetched_when_none_are_asked_for(self, store: Store) -> None:
        _, message, _ = await say(store, "a", "tea", "b")
        assert set(by_id(await store.search(ALICE, words("tea", neighbours=0)))) == {message.id}

    async def test_neighbours_pass_the_same_filters(self, store: Store) -> None:
        (before,) = await say(store, "a milk", speaker="Bob")
        (message,) = await say(store, "tea", speaker="Alice")
        await say(store, "b", speaker="Bob")
        candidates = by_id(await store.search(ALICE, words("tea milk", neighbours=1, where=Where(speaker="Alice"))))
        assert set(candidates) == {message.id}
        # What the other one said just before still tells something of this turn.
        everything = by_id(await store.search(ALICE, words("tea milk")))
        assert candidates[message.id].before == everything[before.id].signals

    @pytest.mark.parametrize("hide", [retire, flag], ids=["retired", "superseded"])
    async def test_a_turn_out_of_recall_lifts_nothing_beside_it(self, store: Store, hide: Any) -> None:
        (hidden, message) = await say(store, "tea secret", "tea")
        await hide(store, hidden.id)
        candidates = by_id(await store.search(ALICE, words("tea secret", neighbours=1)))
        assert set(candidates) == {message.id}
        assert candidates[message.id].before is None

    async def test_a_session_is_scored_as_one_document(self, store: Store) -> None:
        sessions = {"one": ["tea", "with milk"], "two": ["tea tea", "and more tea"], "three": ["coffee"]}
        for session, texts in sessions.items():
            await say(store, *texts, session=session)
        await learn(store, "tea")
        documents = [" ".join(texts) for texts in sessions.values()]
        candidates = (await store.search(ALICE, words("tea milk"))).items
        scores = {candidate.session: candidate.session_words for candidate in candidates if candidate.kind == "message"}
        assert scores == {
            "one": pytest.approx(bm25("tea milk", documents[0], documents), rel=1e-4),
            "two": pytest.approx(bm25("tea milk", documents[1], documents), rel=1e-4),
        }
        assert [candidate.session_words for candidate in candidates if candidate.kind == "fact"] == [0.0]

    # --- populations ---

    async def test_populations_are_over_everything_that_was_searched(self, store: Store) -> None:
        texts = ["tea tea", "milk", "tea and coffee", "water"]
        messages = await say(store, *texts[:2], session="one") + await say(store, *texts[2:], session="two")
        await embed(store, {message.id: (1.0, float(index)) for index, message in enumerate(messages)})
        probe = Probe(terms={"tea": 1.0}, vector=meaning(1.0).vector, embedder="model-a", limit=1, neighbours=0)
        candidates = await store.search(ALICE, probe)
        expected = [bm25("tea", text, texts) for text in texts]
        assert candidates.words.count == 4
        assert candidates.words.mean == pytest.approx(statistics.mean(expected), rel=1e-4)
        assert candidates.words.deviation == pytest.approx(statistics.pstdev(expected), rel=1e-4)
        cosines = [(1 + index**2) ** -0.5 for index in range(4)]
        assert candidates.cosines.count == 4
        assert candidates.cosines.mean == pytest.approx(statistics.mean(cosines), abs=1e-3)
        assert candidates.cosines.deviation == pytest.approx(statistics.pstdev(cosines), abs=1e-3)
        documents = ["tea tea milk", "tea and coffee water"]
        sessions = [bm25("tea", document, documents) for document in documents]
        assert candidates.sessions.count == 2
        assert candidates.sessions.mean == pytest.approx(statistics.mean(sessions), rel=1e-4)
        assert candidates.sessions.deviation == pytest.approx(statistics.pstdev(sessions), rel=1e-4)

    async def test_populations_do_not_depend_on_filters(self, store: Store) -> None:
        await say(store, "tea", "milk", "tea and milk", session="one")
        await say(store, "tea", session="two")
        everything = await store.search(ALICE, words("tea"))
        filtered = await store.search(ALICE, words("tea", where=Where(sessions=("two",))))
        assert (filtered.words, filtered.sessions) == (everything.words, everything.sessions)
        assert (len(filtered.items), filtered.filtered_out) == (1, 2)

    async def test_an_empty_scope_has_empty_answers(self, store: Store) -> None:
        assert (await store.search(ALICE, words("tea"))).items == ()
        assert await found(store, "tea") == set()
