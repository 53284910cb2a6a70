from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.errors import ModelUnavailable
from pagefile.events import TextDelta, Usage
from pagefile.language.tokens import count
from pagefile.lifecycle.consolidate import LEAST_TOKENS, PROMPT_TOKENS, SUMMARY_TOKENS, Merges, plan_merges, summarise
from pagefile.messages import Message
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Model, ModelFinished, ModelRequest
from pagefile.queries import Where
from pagefile.records import Add, Record, Scope, Source, Trust
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import START, FakeIds, indexing_of, make_cause, make_record, numbered_id

ALICE = Scope("default", "alice")
DAY = timedelta(days=1)
NOW = START + 100 * DAY


def fact(attribute: str, value: str, message: str = "", /, **fields: Any) -> Record:
    """A current fact about the user; any field can be given."""
    sources = (Source(message=message, span=(0, 9)),) if message else ()
    defaults: dict[str, Any] = {"subject": "user", "attribute": attribute, "value": value, "sources": sources}
    return make_record(f"{attribute}: {value}", **(defaults | fields))


def merged(*records: Record) -> Merges:
    return plan_merges(records, now=NOW, new_id=FakeIds(900_000), actor="worker", index=lambda record: indexing_of(record.text))


# --- merging -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (fact("occupation", "a nurse"), fact("occupation", "Nurse")),
        (fact("likes", "spicy food"), fact("likes", "spicy foods")),
        (fact("allergy", "花生"), fact("allergy", "花生", text="我对花生过敏")),
        (fact("pet", "咪咪", subject="我"), fact("pet", "咪咪", subject="用户")),
        (fact("employer", "Acme"), fact("workplace", "Acme")),
    ],
    ids=["article and case", "plural", "Chinese", "names of the user", "names of the attribute"],
)
def test_facts_that_say_the_same_become_one(first: Record, second: Record) -> None:
    (diff,) = merged(first, second).diffs
    assert {record.id for record in diff.before} == {first.id, second.id}
    assert diff.reason


def test_the_more_exact_fact_stays_and_cites_the_sources_of_both() -> None:
    vague, exact = fact("employer", "Google", "m1", evidence_count=2), fact("employer", "Google in London", "m2", use_count=3)
    (diff,) = merged(vague, exact).diffs
    assert (diff.after.value, diff.after.text) == (exact.value, exact.text)
    assert {source.message for source in diff.after.sources} == {"m1", "m2"}
    assert (diff.after.evidence_count, diff.after.use_count, diff.after.extractor) == (3, 3, "merge")


def test_one_message_is_one_piece_of_evidence() -> None:
    (diff,) = merged(fact("pet", "Rex", "m1"), fact("pet", "rex", "m1")).diffs
    assert diff.after.evidence_count == 1


def test_a_fact_that_two_others_make_more_exact_differently_stays() -> None:
    vague, london, zurich = fact("employer", "Google"), fact("employer", "Google in London"), fact("employer", "Google in Zurich")
    assert not merged(vague, london, zurich).changes


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (fact("likes", "tea"), fact("likes", "coffee")),
        (fact("likes", "tea"), fact("likes", "tea", polarity="negative")),
        (fact("likes", "tea"), fact("likes", "green tea")),
        (fact("likes", "tea"), fact("likes", "tea", subject="Tom")),
        (fact("residence", "北京"), fact("residence", "南京")),
        (fact("visited", "Paris", kind="event", valid_from=START), fact("visited", "Paris", kind="event", valid_from=START + 400 * DAY)),
        (fact("employer", "Acme"), fact("employer", "Acme", valid_to=START - DAY, valid_from=START - 9 * DAY)),
        (fact("pet", "Rex"), fact("pet", "Rex", agent="butler")),
        (fact("pet", "Rex"), fact("pet", "Rex", status="pending")),
        (fact("pet", "Rex"), fact("pet", "Rex", status="superseded")),
        (fact("employer", "Google", trust=Trust.USER_CONFIRMED), fact("employer", "Google in London")),
    ],
    ids=["values", "polarity", "tastes", "subject", "names", "two visits", "over", "agent", "pending", "superseded", "less believed"],
)
def test_facts_that_may_differ_stay_apart(first: Record, second: Record) -> None:
    assert not merged(first, second).changes


@pytest.mark.parametrize("attribute", ["owns", "likes"])
def test_among_many_facts_about_one_property_those_that_say_the_same_are_found(attribute: str) -> None:
    others = [fact(attribute, f"book number {number}") for number in range(200)]
    plan = merged(*others, fact(attribute, "the Book number 7"), fact(attribute, "三本书"), fact(attribute, "三本书"))
    assert sorted(diff.after.value or "" for diff in plan.diffs) == ["the Book number 7", "三本书"]


def test_a_pin_and_a_secret_are_kept() -> None:
    (diff,) = merged(fact("pet", "Rex", pinned=True), fact("pet", "Rex", privacy="sensitive")).diffs
    assert (diff.after.pinned, diff.after.privacy) == (True, "sensitive")


values = st.sampled_from(["Rex", "rex", "REX.", "a cat", "cat", "cat called Tom", "two cats", "狗", "一只狗", "金毛狗"])
facts = st.builds(
    fact,
    st.sampled_from(["pet", "likes", "employer"]),
    values,
    st.sampled_from(["", "m1", "m2", "m3"]),
    polarity=st.sampled_from(["positive", "negative"]),
    trust=st.sampled_from(list(Trust)),
    learned_at=st.sampled_from([START, START + DAY]),
    said_at=st.sampled_from([None, START + 2 * DAY]),
    valid_from=st.sampled_from([None, START - DAY, START + 3 * DAY]),
)


async def _applied(records: Sequence[Record], plan: Merges) -> list[Record]:
    store = MemoryStore()
    await store.apply(ALICE, [Add(item=record, cause=make_cause()) for record in records])
    await store.apply(ALICE, plan.changes)
    return list((await store.records(ALICE, where=Where(), limit=100)).items)


@given(st.lists(facts, max_size=8))
def test_merging_applies_loses_no_source_and_is_done_at_once(given_facts: list[Record]) -> None:
    records = [replace(record, id=numbered_id(place)) for place, record in enumerate(given_facts)]
    plan = merged(*records)
    left = asyncio.run(_applied(records, plan))
    assert {source for record in left for source in record.sources} == {source for record in records for source in record.sources}
    assert {record.attribute for record in left} == {record.attribute for record in records}
    assert len(left) == len(records) - sum(len(diff.before) - 1 for diff in plan.diffs)
    assert not merged(*left).changes
    for diff in plan.diffs:
        assert diff.after.trust == max(record.trust for record in diff.before)


# --- summaries -----------------------------------------------------------------------------------------------------------

ENGLISH = (
    ("user", "We are planning the kitchen again. The old kitchen has no light, so the new kitchen needs a second window."),
    ("assistant", "A second window is a good idea. Ask the builder whether the wall carries weight."),
    ("user", "The builder says the wall is fine. Thanks!"),
    ("user", "I decided on oak for the kitchen doors because my sister has oak and it looks warm."),
    ("assistant", "Oak doors fit a bright kitchen well. Shall I compare three oak suppliers for you?"),
    ("user", "The budget for the kitchen is 14000 euros and the builder starts on 4 May. What is the weather like today?"),
    ("assistant", "It is sunny and 20 degrees. I noted the budget of 14000 euros for the kitchen and the start of the builder on 4 May."),
)
CHINESE = (
    ("user", "我们又在规划厨房。旧厨房没有光，所以新厨房要再开一扇窗。"),
    ("assistant", "再开一扇窗是个好主意。先问问施工队那面墙是不是承重墙。"),
    ("user", "施工队说那面墙没问题。谢谢！"),
    ("user", "厨房的柜门我决定用橡木，因为我姐姐家用的就是橡木，看着很温暖。"),
    ("assistant", "橡木柜门很适合明亮的厨房。要不要我帮您比较三家橡木供应商？"),
    ("user", "厨房的预算是14000元，施工队5月4日开工。今天天气怎么样？"),
    ("assistant", "今天晴，20度。厨房预算14000元和5月4日开工都已经记下了。"),
)
both_languages = pytest.mark.parametrize("said", [ENGLISH, CHINESE], ids=["en", "zh"])


def episode(said: Sequence[tuple[str, str]], **fields: Any) -> list[Message]:
    defaults: dict[str, Any] = {"session": "kitchen", "recorded_at": START, "tokens": 9}
    return [
        Message(id=numbered_id(place), seq=place + 1, role=role, text=text, said_at=START + place * DAY, **(defaults | fields))  # type: ignore[arg-type]
        for place, (role, text) in enumerate(said)
    ]


def summary_of(messages: Sequence[Message], model: Model | None = None, **options: Any) -> Record | None:
    return asyncio.run(summarise(model, messages, now=NOW, new_id=lambda: numbered_id(77), **options))


def require(record: Record | None) -> Record:
    assert record is not None
    return record


@both_languages
def test_without_a_model_a_summary_is_dated_sentences_word_for_word(said: Sequence[tuple[str, str]]) -> None:
    messages = episode(said)
    record = require(summary_of(messages))
    for line in record.text.splitlines():
        date, words = line[1:11], line[13:].replace("：", ":", 1).partition(":")[2]
        (source,) = [message for message in messages if message.said_at.date().isoformat() == date]
        assert all(part.strip() in source.text for part in words.split(" … "))
    assert record.extractor == "excerpts"


@both_languages
def test_a_summary_cites_all_messages_and_is_believed_as_its_least_believed(said: Sequence[tuple[str, str]]) -> None:
    record = require(summary_of(episode(said)))
    assert record.kind == "summary"
    assert [source.message for source in record.sources] == [numbered_id(place) for place in range(len(said))]
    assert (record.trust, record.session, record.subject) == (Trust.ASSISTANT_SAID, "kitchen", None)
    assert (record.valid_from, record.said_at, record.learned_at) == (START, START + 6 * DAY, NOW)
    alone = require(summary_of(episode([one for one in said if one[0] == "user"] * 2)))
    assert alone.trust == Trust.USER_SAID


@pytest.mark.parametrize("number", ["Call me about the kitchen at +1 415 555 2671.", "厨房的事请打我的手机13800138000。"], ids=["en", "zh"])
def test_a_summary_and_its_prompt_have_no_personal_identifier_without_consent(number: str) -> None:
    said = [*ENGLISH, *[("user", number)] * 3] if number.isascii() else [*CHINESE, *[("user", number)] * 3]
    digits = number.rstrip(".。")[-4:]
    assert digits not in require(summary_of(episode(said))).text
    for consent in (False, True):
        model = ScriptedModel(["I can't help with that."])
        summary_of(episode(said, consent=consent), model)
        assert (digits in str(model.requests[0].messages)) is consent


@both_languages
def test_a_summary_is_at_most_half_as_long_as_what_it_covers(said: Sequence[tuple[str, str]]) -> None:
    for times in (1, 3, 40):
        record = require(summary_of(episode([*said] * times)))
        assert count(record.text) <= min(SUMMARY_TOKENS, sum(count(text) for _, text in said) * times // 2)


def test_what_the_whole_is_about_is_in_it_and_small_talk_is_not() -> None:
    text = require(summary_of(episode(ENGLISH))).text
    assert "kitchen" in text
    assert "weather" not in text
    assert "Thanks" not in text


@pytest.mark.parametrize(
    "messages",
    [
        [],
        episode(ENGLISH[:1]),
        episode([("assistant", text) for _, text in ENGLISH]),
        episode(ENGLISH, retired=True),
        episode(ENGLISH, superseded=True),
        episode(ENGLISH, origin="web"),
        episode([("tool", text) for _, text in ENGLISH]),
        episode([("system", text) for _, text in ENGLISH]),
        episode([("user", "?! … 🙂 " * 200)]),
    ],
    ids=["nothing", "short", "no user", "forgotten", "outdated", "a page", "tools", "system", "no words"],
)
def test_there_is_no_summary_without_words_of_the_user_that_can_be_made_shorter(messages: list[Message]) -> None:
    assert summary_of(messages) is None


@both_languages
def test_a_model_is_asked_once_with_a_short_prompt(said: Sequence[tuple[str, str]]) -> None:
    spent: list[Usage] = []
    reply = "The kitchen gets oak doors." if said is ENGLISH else "厨房用橡木柜门。"
    for times in (1, 60):
        model = ScriptedModel([reply])
        record = require(summary_of(episode([*said] * times), model, told=spent.append))
        assert (record.text, record.extractor) == (reply, "model:scripted")
        assert len(record.sources) == len(said) * times
        (request,) = model.requests
        assert sum(count(message["content"]) for message in request.messages) <= PROMPT_TOKENS
        assert "oak" in str(request.messages) or "橡木" in str(request.messages)
    assert [one.calls for one in spent] == [1, 1]


def test_the_opening_of_a_reply_is_no_part_of_the_summary() -> None:
    model = ScriptedModel(["Here is the summary:\nThe kitchen gets oak doors."])
    assert require(summary_of(episode(ENGLISH), model)).text == "The kitchen gets oak doors."


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I'm sorry, I can't help with that.",
        "As an AI language model I cannot summarise private conversations.",
        "抱歉，我无法处理这段对话。",
        "Error: 502 Bad Gateway",
        "<html><body>502 Bad Gateway</body></html>",
        json.dumps({"summary": "The kitchen gets oak doors."}),
        "The kitchen costs 15000 euros.",
        "厨房用橡木柜门。",
        "<think>The user wants a summary",
        "The kitchen gets oak doors. " * 60,
    ],
    ids=["empty", "refusal", "as an AI", "Chinese refusal", "error", "page", "JSON", "number", "language", "thought", "long"],
)
def test_a_reply_that_is_no_summary_is_not_used(reply: str) -> None:
    record = require(summary_of(episode(ENGLISH), ScriptedModel([reply])))
    assert record.extractor == "excerpts"
    assert record.text == require(summary_of(episode(ENGLISH))).text


class _CutModel(ScriptedModel):
    async def stream(self, request: ModelRequest) -> Any:
        yield TextDelta(text="The kitchen gets oak")
        yield ModelFinished(reason="length", usage=Usage(calls=1))


def test_a_reply_that_was_cut_is_not_used() -> None:
    assert require(summary_of(episode(ENGLISH), _CutModel())).extractor == "excerpts"


def test_a_model_that_fails_is_told_of() -> None:
    with pytest.raises(ModelUnavailable):
        summary_of(episode(ENGLISH), ScriptedModel([ModelUnavailable("no route")]))


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=300)), max_size=8))
def test_any_episode_is_covered_or_left(said: list[tuple[str, str]]) -> None:
    record = summary_of(episode(said))
    size = sum(count(text) for _, text in said if text.strip())
    if record is not None:
        assert size >= LEAST_TOKENS
        assert count(record.text) <= size // 2
        dates = [line[1:11] for line in record.text.splitlines() if line.startswith("[20")]
        assert all(first <= second for first, second in pairwise(dates))
