"""What is new evidence and what only sounds like it; who is believed; what stays forgotten."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from reconciling import ALICE, Mind, claim, confirmed, day

from pagefile.errors import StaleRevision
from pagefile.language.keys import known_by
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.reconcile import keys_of, marks_of, reconcile
from pagefile.records import Source, Trust
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import FakeIds, indexing_of, make_record

# --- the same again --------------------------------------------------------------------------------------------------------


def test_the_same_fact_in_five_sessions_is_one_record_with_five_pieces_of_evidence() -> None:
    mind = Mind()
    for number in range(5):
        mind.learn(claim("likes", "cats", number))
    record = mind.only()
    assert (record.evidence_count, len(record.sources), record.said_at) == (5, 5, day(4))


@pytest.mark.parametrize(
    ("attribute", "wordings"),
    [
        pytest.param("diet", ["spicy food", "Spicy foods", "the spicy food", "辣", "辣的食物", "吃辣"], id="diet"),
        pytest.param("occupation", ["a nurse", "nurse", "Nurse", "护士", "an nurse"], id="occupation"),
        pytest.param("residence", ["臺北", "台北", "台北市", "Taipei", "ＴＡＩＰＥＩ"], id="residence"),
        pytest.param("habit", ["running every morning", "runs in the morning", "run every morning", "to run every morning"], id="habit"),
    ],
)
def test_paraphrases_in_one_batch_make_one_record_with_all_sources(attribute: str, wordings: list[str]) -> None:
    mind = Mind()
    mind.learn(*(claim(attribute, value, place) for place, value in enumerate(wordings)))
    record = mind.only()
    assert (record.value, record.evidence_count, len(record.sources)) == (wordings[0], len(wordings), len(wordings))


def test_nine_near_identical_sentences_from_one_message_are_one_piece_of_evidence() -> None:
    mind = Mind()
    wordings = ["在安静的咖啡馆工作", "安静的咖啡馆里工作", "在安静咖啡馆工作", "在安静的咖啡馆里工作", "于安静的咖啡馆工作"] * 2
    claims = [claim("likes", value, 0, message="m", text=f"用户喜欢{value} {place}") for place, value in enumerate(wordings[:9])]
    mind.learn(*claims)
    assert (len(mind.records()), mind.only().evidence_count, len(mind.only().sources)) == (1, 1, 1)


def test_things_that_are_listed_in_one_clause_stay_apart() -> None:
    mind = Mind()
    for extractor in ("rules", "model:tiny"):
        mind.learn(*(claim("likes", value, 0, message="m", extractor=extractor) for value in ("tea", "coffee", "red wine", "white wine")))
    assert mind.values("likes") == {"tea", "coffee", "red wine", "white wine"}
    assert {record.evidence_count for record in mind.records()} == {1}


@pytest.mark.parametrize(("rules", "model"), [("two cats", "cats"), ("Acme", "Acme Ltd in Leeds"), ("跑步", "每天早上跑步")])
def test_the_same_words_read_by_another_extractor_are_no_new_evidence(rules: str, model: str) -> None:
    mind = Mind()
    mind.learn(claim("owns", rules, 0, message="m", span=(0, 20)))
    mind.learn(claim("owns", model, 0, message="m", span=(5, 30), extractor="model:tiny"))
    assert (mind.only().evidence_count, len(mind.only().sources)) == (1, 2)


def test_a_verbatim_repetition_in_the_same_session_is_no_new_evidence() -> None:
    mind = Mind()
    for number in range(4):
        mind.learn(claim("allergy", "nuts", 0, message=f"m{number}", speaker="Ben", subject="Ben"))
    assert (mind.only().evidence_count, len(mind.only().sources)) == (1, 4)
    mind.learn(claim("allergy", "nuts", 0, message="m9", subject="Ben", speaker="Ann"))
    assert mind.only().evidence_count == 2


@pytest.mark.parametrize("trust", [Trust.ASSISTANT_SAID, Trust.TOOL_OUTPUT, Trust.IMPORTED])
def test_an_echo_of_the_assistant_or_a_tool_is_no_evidence_and_confirms_nothing(trust: Trust) -> None:
    mind = Mind()
    mind.learn(claim("likes", "cats", 0), claim("likes", "dogs", 0, certainty="passing"))
    echoes = [claim("likes", value, 1, trust=trust, quarantined=True) for value in ("cats", "dogs")]
    assert [outcome.what for outcome in mind.learn(*echoes)] == ["passed over", "pending"]
    for record in mind.records():
        assert (record.evidence_count, record.said_at, len(record.sources)) == (1, day(0), 1)


def test_a_more_exact_value_takes_the_place_and_a_vaguer_one_is_more_evidence() -> None:
    for order in ([0, 1], [1, 0]):
        said = [claim("employer", "Google", 0), claim("employer", "Google in London", 5)]
        mind = Mind()
        for place in order:
            mind.learn(said[place])
        record = mind.only()
        assert (record.value, record.evidence_count, len(record.sources), record.said_at) == ("Google in London", 2, 2, day(5))


def test_a_named_pet_takes_the_place_of_one_without_a_name() -> None:
    mind = Mind()
    mind.learn(claim("pet", "a dog", 0), claim("pet", "Rex", 1, tags=("dog",)), claim("pet", "dog", 2))
    assert mind.values("pet") == {"Rex"}
    assert mind.only().evidence_count == 3


def test_a_new_count_replaces_the_old_one() -> None:
    mind = Mind()
    mind.learn(claim("pet", "two cats", 0), claim("pet", "three cats", 9))
    assert mind.values("pet") == {"three cats"}
    assert mind.only("superseded").valid_to == day(9)


def test_words_that_stood_in_a_note_get_subject_and_value() -> None:
    mind = Mind(make_record("I can't eat spicy food.", trust=Trust.USER_CONFIRMED))
    mind.learn(claim("diet", "spicy food", 0, text="I can't eat spicy food", polarity="negative"))
    record = mind.only()
    assert (record.subject, record.attribute, record.value, record.polarity) == ("user", "diet", "spicy food", "negative")
    assert record.trust is Trust.USER_CONFIRMED


def test_the_same_text_twice_is_one_note() -> None:
    mind = Mind()
    mind.learn(claim("note", "", 0, text="The blue folder is in the attic."), claim("note", "", 1, text="the blue folder is in the attic"))
    assert mind.only().evidence_count == 2


def test_notes_of_one_batch_in_the_same_words_but_another_order_are_one() -> None:
    mind = Mind()
    texts = ("The user works best in quiet cafés.", "user works in quiet cafes best", "用户在安静的咖啡馆里工作", "用户在安静咖啡馆里工作")
    mind.learn(*(claim("note", "", place, text=text) for place, text in enumerate(texts)))
    assert [record.text for record in mind.records("current")] == [texts[0], texts[2]]


# --- who is believed -------------------------------------------------------------------------------------------------------


def test_a_passing_remark_waits_and_replaces_nothing() -> None:
    mind = Mind()
    mind.learn(claim("likes", "running", 0))
    (outcome,) = mind.learn(claim("likes", "running", 1, polarity="negative", certainty="passing"))
    assert outcome.what == "pending"
    assert mind.values("likes") == {"running"}


@pytest.mark.parametrize(
    ("again", "what"),
    [
        pytest.param({"when": 3.01, "message": "n", "text": "I not likes running"}, "pending", id="the very words, same session"),
        pytest.param({"when": 3, "message": "m", "text": "no more running"}, "pending", id="same message"),
        pytest.param({"when": 3.01, "message": "n", "text": "no more running"}, "confirmed", id="other words, same session"),
        pytest.param({"when": 9, "message": "n", "text": "I not likes running"}, "confirmed", id="the very words another day"),
        pytest.param(
            {"when": 9, "message": "n", "text": "x", "trust": Trust.ASSISTANT_SAID, "quarantined": True}, "pending", id="assistant"
        ),
    ],
)
def test_a_second_signal_confirms_only_if_it_is_independent(again: dict[str, object], what: str) -> None:
    mind = Mind()
    mind.learn(claim("likes", "running", 0))
    mood = {"polarity": "negative", "certainty": "passing", "session": None}
    mind.learn(claim("likes", "running", 3, message="m", **mood))
    when = again.pop("when")
    assert isinstance(when, int | float)
    (outcome,) = mind.learn(claim("likes", "running", when, **(mood | {"session": None if when < 4 else "other"} | again)))
    assert outcome.what == what
    assert mind.values("likes") == ({"not running"} if what == "confirmed" else {"running"})
    if what == "confirmed":
        assert mind.only("superseded").valid_to == day(when)
        assert (mind.only().supersedes, mind.only().evidence_count) == (mind.only("superseded").id, 2)


def test_what_the_assistant_said_becomes_true_in_the_words_of_the_user() -> None:
    mind = Mind()
    mind.learn(claim("residence", "York", 0, trust=Trust.ASSISTANT_SAID, quarantined=True, text="You live in York."))
    assert mind.values("residence") == set()
    (outcome,) = mind.learn(claim("residence", "York", 1, text="Yes, I live in York."))
    assert outcome.what == "confirmed"
    assert (mind.only().text, mind.only().trust) == ("Yes, I live in York.", Trust.USER_SAID)


def test_what_the_user_confirmed_is_overruled_by_nothing_older_and_by_his_own_newer_word() -> None:
    known = confirmed("residence", "Leeds", 10)
    mind = Mind(known)
    older, mood = mind.learn(claim("residence", "York", 5), claim("residence", "Bath", 15, certainty="passing"))
    assert (older.what, mood.what) == ("kept as history", "pending")
    assert mind.values("residence") == {"Leeds"}
    (newer,) = mind.learn(claim("residence", "Rome", 20))
    assert (newer.what, newer.replaced) == ("superseded", (known.id,))
    assert mind.values("residence") == {"Rome"}


# --- what was forgotten ----------------------------------------------------------------------------------------------------


def test_forgotten_facts_return_only_when_they_are_said_anew() -> None:
    mind = Mind()
    mind.learn(claim("employer", "Acme", 0))
    mind.forget(mind.only().id, 10)
    outcomes = mind.learn(claim("employer", "Acme", 5), claim("employer", "Acme in Leeds", 6), claim("employer", "Acme", 0))
    assert [outcome.what for outcome in outcomes] == ["passed over"] * 3
    assert mind.records("current", "pending") == []
    (outcome,) = mind.learn(claim("employer", "Acme", 11))
    assert outcome.what == "added"


def test_a_forgotten_note_does_not_come_back_as_a_fact() -> None:
    mind = Mind(make_record("I don't eat liver"))
    mind.forget(mind.only().id, 10)
    (outcome,) = mind.learn(claim("diet", "liver", 5, polarity="negative", text="I don't eat liver."))
    assert (outcome.what, mind.records("current")) == ("passed over", [])


def test_the_marks_of_a_claim_are_those_of_the_record_it_makes() -> None:
    mind, said = Mind(), claim("works_at", "Acme", 0, subject="the user")
    mind.learn(said)
    assert marks_of(said) == known_by(mind.only())


def test_a_message_that_is_read_again_does_not_bring_back_what_was_replaced() -> None:
    mind = Mind()
    first = claim("residence", "Leeds", 0)
    mind.learn(first)
    mind.learn(claim("residence", "York", 5))
    assert [outcome.what for outcome in mind.learn(first)] == ["passed over"]
    assert mind.values("residence") == {"York"}


# --- what a record carries -------------------------------------------------------------------------------------------------


def test_a_record_carries_all_that_the_claim_says() -> None:
    mind = Mind()
    said = claim(
        "pet",
        "Rex",
        3,
        tags=("dog",),
        entities=("Rex",),
        privacy="sensitive",
        agent="helper",
        speaker="Alice",
        confidence=0.7,
        importance=0.9,
        sources=(Source(message="m", span=(3, 9), external_id="x"),),
    )
    plan = mind.plan([said])
    record = mind.only()
    names = ("kind", "text", "value", "tags", "entities", "privacy", "session", "agent", "speaker", "trust", "extractor", "said_at")
    assert all(getattr(record, name) == getattr(said, name) for name in (*names, "valid_from", "confidence", "importance", "sources"))
    assert record.learned_at == mind.clock
    assert (plan.changes[0].cause.actor, plan.changes[0].cause.reason) == ("worker", "Nothing like it was known.")


def test_facts_of_two_people_in_one_message_stay_with_their_spans() -> None:
    mind = Mind()
    mind.learn(
        claim("likes", "tea", 0, subject="Anna", message="m", span=(0, 14), text="Anna loves tea"),
        claim("likes", "tea", 0, subject="Ben", message="m", span=(19, 33), text="Ben hates tea", polarity="negative"),
    )
    assert [(record.subject, record.polarity, record.sources[0].span) for record in mind.records("current")] == [
        ("Anna", "positive", (0, 14)),
        ("Ben", "negative", (19, 33)),
    ]


# --- at the same time ------------------------------------------------------------------------------------------------------


async def test_learners_that_decide_at_the_same_time_make_one_record() -> None:
    store, new_id = MemoryStore(), FakeIds()
    claims = [claim("likes", "cats", number) for number in range(20)]

    async def learn(said: Claim) -> None:
        while True:
            keyed = await store.keyed(ALICE, keys_of([said]))
            await asyncio.sleep(0)
            plan = reconcile([said], keyed.records, now=day(30), new_id=new_id, actor="worker", index=lambda one: indexing_of(one.text))
            with contextlib.suppress(StaleRevision):
                await store.apply(ALICE, plan.changes, revision=keyed.revision)
                return

    await asyncio.gather(*(learn(said) for said in claims))
    (record,) = (await store.records(ALICE)).items
    assert (record.evidence_count, len(record.sources)) == (20, 20)
