"""A memory keeps each thing once, and nothing that was not said: however often it is repeated, echoed, retried or read again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import ConflictError, ModelUnavailable
from pagefile.learner import MOST_CLAIMS
from pagefile.models.scripted import ScriptedModel

from .homes import STORES, opened
from .talks import EVERY_STATUS, WAYS, Reader, fact, line, reply, talking

TABLES = {
    "english": [
        "I'm allergic to peanuts", "I live in Berlin", "My daughter is called Emma", "I work at Acme as a nurse", "I can't stand jazz",
    ],
    "中文": ["我对花生过敏", "我住在北京", "我女儿叫小雨", "我在腾讯上班", "我不喜欢爵士乐"],
}  # fmt: skip


# --- what is no statement of the user ------------------------------------------------------------------------------------

#: What stood in other people's memories. None of it was said by the user about himself.
JUNK: dict[str, dict[str, Any]] = {
    "system prompt": {"role": "system", "content": "You are Max. The user lives in Paris. I am a helpful assistant and I love jazz."},
    "developer": {"role": "developer", "content": "I live in Paris and work at Initech."},
    "系统提示": {"role": "system", "content": "你是小助手。用户住在巴黎。我喜欢爵士乐。"},
    "heartbeat": {"role": "user", "content": "HEARTBEAT"},
    "heartbeat ok": {"role": "assistant", "content": "HEARTBEAT_OK"},
    "heartbeat with text": {"role": "user", "content": "[heartbeat] check: I live in Paris"},
    "cron": {"role": "user", "content": "Scheduled task: daily summary"},
    "心跳": {"role": "user", "content": "心跳检测"},
    "acknowledged": {"role": "user", "content": "ok thanks!"},
    "好的": {"role": "user", "content": "好的，谢谢"},
    "boot text": {"role": "assistant", "content": "Session started. I live in Paris. I run on port 8080."},
    "assistant of itself": {"role": "assistant", "content": "I love jazz and I live in the cloud."},
    "助手自述": {"role": "assistant", "content": "我住在云端，我喜欢爵士乐。"},
    "memory block": {"role": "user", "content": "<memory>\n- The user lives in Paris\n- I love jazz\n</memory>\nWhat's the weather?"},
    "relevant memories": {"role": "user", "content": "Relevant memories:\n- I live in Paris\n- I love jazz\n\nWhat's the weather?"},
    "以下是相关记忆": {"role": "user", "content": "以下是相关的记忆：\n- 我住在巴黎\n- 我喜欢爵士乐\n\n今天天气怎么样？"},
    "context": {"role": "user", "content": "<context>I live in Paris. My name is Max.</context>\nHow are you?"},
    "architecture dump": {"role": "assistant", "content": "The service layer calls the repository; I use SQLite and live on port 5432."},
    "code": {"role": "user", "content": "```python\n# I live in Paris\nname = 'I love jazz'\n```"},
    "log": {"role": "user", "content": "2026-05-24 10:00:00 INFO worker started\n2026-05-24 10:00:01 ERROR I am out of memory"},
    "refusal": {"role": "assistant", "content": "I'm sorry, I can't help with that. As an AI I don't have preferences."},
    "拒绝": {"role": "assistant", "content": "很抱歉，我无法提供帮助。作为人工智能，我没有喜好。"},
    "error": {"role": "assistant", "content": "Error: 500 Internal Server Error. I am overloaded."},
    "fragment": {"role": "assistant", "content": "{\"facts\": [{\"subject\": \"user\", \"attribute\": \"residence\", \"value\": \"Par"},
    "think": {"role": "assistant", "content": "<think>The user said: I live in Paris</think>Nice!"},
    "a question": {"role": "user", "content": "Do I live in Paris? Am I allergic to nuts?"},
    "一个问题": {"role": "user", "content": "我住在巴黎吗？我对坚果过敏吗？"},
    "supposed": {"role": "user", "content": "Suppose I lived in Paris. What if I were allergic to nuts?"},
    "假设": {"role": "user", "content": "如果我住在巴黎会怎么样？假如我对坚果过敏呢？"},
    "a story": {"role": "user", "content": "Write a story in which a man says: \"I live in Paris and I love jazz.\""},
    "a quotation": {"role": "user", "content": "Translate into German: 'I live in Paris.'"},
    "翻译": {"role": "user", "content": "把这句话翻译成英文：“我住在巴黎”"},
}  # fmt: skip


@pytest.mark.parametrize("way", ["add", "chat", "import"])
@pytest.mark.parametrize("junk", JUNK)
async def test_what_the_user_did_not_state_becomes_no_current_fact_of_the_user(junk: str, way: str, tmp_path: Path) -> None:
    message = JUNK[junk]
    if way == "chat" and message["role"] != "user":
        return
    async with talking(tmp_path) as talk:
        await talk.tell(message if way != "chat" else message["content"], by=way)
        assert not [line(record) for record in await talk.records() if record.subject == "user"]


@pytest.mark.parametrize(
    "junk", ["system prompt", "系统提示", "heartbeat", "心跳", "acknowledged", "好的", "memory block", "以下是相关记忆", "refusal", "拒绝"]
)
async def test_junk_is_never_shown_to_the_model_that_extracts(junk: str, tmp_path: Path) -> None:
    model = Reader(reply())
    async with talking(tmp_path, model=model, learn="model") as talk:
        await talk.tell(JUNK[junk], "I have a cat called Tom", session="one")
        shown = "\n".join(re.split("The conversation:|对话：", prompt)[-1] for prompt in model.asked)
        assert "Tom" in shown
        assert not [word for word in ("Paris", "jazz", "巴黎", "爵士", "HEARTBEAT", "心跳", "sorry", "抱歉") if word in shown]


@pytest.mark.parametrize("learn", ["rules", "model"])
@pytest.mark.parametrize("language", TABLES)
async def test_what_is_recalled_and_shown_to_a_model_again_and_again_is_not_learnt_again(language: str, learn: str, tmp_path: Path) -> None:
    table = TABLES[language]
    async with talking(tmp_path, model=Reader(reply()), learn=learn) as talk:
        await talk.tell(*table)
        before = [(record.id, record.evidence_count) for record in await talk.records(*EVERY_STATUS)]
        assert len(before) >= len(table)
        for turn in range(10):
            question = ("What do you know about me?", "你知道我什么？", f"{table[turn % len(table)]}?")[turn % 3]
            window = await talk.user.context(question, session="loop")
            notes = str(window.messages[-2]["content"]) if window.hits else ""
            found = "\n".join(f"- {hit.text}" for hit in await talk.user.search(question, kinds=["fact"], floor=0.0))
            await talk.tell({"role": "user", "content": f"{notes}\n\n{question}"}, session="loop")
            await talk.tell({"role": "assistant", "content": f"You told me:\n{found}"}, session="loop")
            await talk.tell({"role": "tool", "content": found, "tool_call_id": f"call_{turn}"}, session="loop")
            await talk.tell({"role": "user", "content": f"Relevant memories:\n{found}\n\n{question}"}, session="loop")
        after = [(record.id, record.evidence_count) for record in await talk.records(*EVERY_STATUS)]
        assert after == before


async def test_one_message_gives_at_most_a_few_facts_however_much_is_pasted(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(" ".join(f"I like cheese number {number}." for number in range(200)))
        assert len(await talk.records(*EVERY_STATUS)) <= MOST_CLAIMS


@pytest.mark.parametrize("way", ["add", "chat", "import"])
async def test_each_fact_tells_who_read_it_out_of_which_message(way: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I have a cat called Tom. 我住在北京。", by=way)
        records = await talk.records()
        assert len(records) == 2
        for record in records:
            assert (record.extractor, record.session is not None) == ("rules", True)
            (quote,) = (await talk.user.why(record.id)).quotes
            assert quote.text.rstrip(".。") in record.text
            assert (await talk.user.history(record.id))[0].cause.actor == "worker"


# --- one thing, many times -----------------------------------------------------------------------------------------------

PARAPHRASES = {
    "english": (
        "I am badly allergic to peanuts",
        ["I am badly allergic to peanuts", "am badly allergic to peanuts", "badly allergic to peanuts", "allergic to peanuts"],
        "peanuts",
    ),
    "中文": ("我对花生过敏，挺严重的", ["我对花生过敏", "对花生过敏", "我对花生过敏，挺严重的", "花生过敏"], "花生"),
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("language", PARAPHRASES)
async def test_nine_wordings_of_one_fact_in_one_reply_are_one_record(language: str, store: str, tmp_path: Path) -> None:
    said, quotes, value = PARAPHRASES[language]
    names = ["allergy", "allergies", "allergic to", "过敏", "过敏源", "health allergy", "allergy", "allergen", "allergy"]
    facts = [fact(quotes[place % len(quotes)], name, value, text=f"{said} {place}") for place, name in enumerate(names)]
    async with talking(tmp_path, store, model=Reader(reply(*facts)), learn="model") as talk:
        await talk.tell(said)
        records = await talk.records(*EVERY_STATUS)
        assert [(record.attribute, record.value, record.evidence_count) for record in records] == [("allergy", value, 1)]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("wordings", [
    ["I live in Berlin", "I live in Berlin.", "i live in berlin", "I'm living in Berlin", "I live in Berlin!"],
    ["I'm allergic to peanuts", "I am allergic to peanuts", "I have a peanut allergy", "i'm allergic to Peanuts", "allergic to peanuts"],
    ["I like cats", "i like cats", "I really like cats", "I love cats", "I like cats a lot"],
    ["我住在北京", "我住在北京。", "我现在住在北京", "我住北京", "我住在北京！"],
    ["我对花生过敏", "我对花生过敏。", "我花生过敏", "我对花生过敏", "我对花生过敏！"],
    ["我喜欢猫", "我很喜欢猫", "我喜欢猫。", "我喜欢猫", "我非常喜欢猫"],
], ids=lambda wordings: wordings[0])  # fmt: skip
async def test_one_fact_in_five_sessions_is_one_row_with_five_pieces_of_evidence(
    wordings: Sequence[str], store: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell(*wordings)
        (record,) = await talk.records(*EVERY_STATUS)
        assert record.evidence_count == 5
        assert {source.message for source in record.sources} == {message.id for receipt in talk.said for message in receipt.messages}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("learn", ["rules", "model"])
async def test_a_fact_that_rules_and_a_model_read_in_many_ways_stays_one_row(store: str, learn: str, tmp_path: Path) -> None:
    model = Reader(lambda prompt: reply(fact("I live in Berlin", "place of residence" if len(prompt) % 2 else "lives in", "Berlin")))
    async with talking(tmp_path, store, model=model, learn=learn) as talk:
        await talk.tell("I live in Berlin", "Well, I live in Berlin", "As I said: I live in Berlin")
        for way in WAYS:
            await talk.tell("I live in Berlin", by=way)
        assert [line(record) for record in await talk.records(*EVERY_STATUS)] == ["user · residence: Berlin"]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("text", ["I live in Berlin", "我住在北京", "The vault code is kept by Ann"])
async def test_twenty_at_once_make_one_row(store: str, text: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        records = await asyncio.gather(*(talk.user.remember(text) for _ in range(20)))
        assert len({record.id for record in records}) == 1
        (record,) = await talk.records(*EVERY_STATUS)
        assert record.evidence_count == 20


class Slow(Reader):
    """Takes its time to answer, so that others come in between."""

    async def stream(self, request):  # type: ignore[no-untyped-def]  # as the base class has it
        await asyncio.sleep(0.05)
        async for event in super().stream(request):
            yield event


@pytest.mark.parametrize("store", STORES)
async def test_two_that_say_the_same_while_a_slow_model_reads_make_one_row(store: str, tmp_path: Path) -> None:
    model = Slow(reply(fact("Lisbon has become my home", "residence", "Lisbon")))
    async with talking(tmp_path, store, model=model, learn="model") as talk:
        await asyncio.gather(*(talk.user.add("Lisbon has become my home", session=f"s{number}") for number in range(4)))
        await asyncio.gather(talk.memory.flush(), talk.memory.flush())
        assert await talk.facts(*EVERY_STATUS) == ["user · residence: Lisbon"]
        (record,) = await talk.records()
        assert record.evidence_count == 4


async def test_two_programs_that_read_one_file_make_one_row(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as one, await opened("file", tmp_path) as other:
        await asyncio.gather(*(memory.scope("alice").add("I live in Berlin", session="s") for memory in (one, other)))
        await asyncio.gather(one.flush(), other.flush())
        await asyncio.gather(*(memory.scope("alice").remember("I have a cat called Tom") for memory in (one, other) for _ in range(5)))
        assert sorted(line(record) for record in (await one.scope("alice").list(statuses=EVERY_STATUS)).items) == [
            "user · pet: Tom",
            "user · residence: Berlin",
        ]


# --- sent again ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_a_call_that_is_sent_again_weeks_later_gives_the_first_receipt_and_adds_nothing(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        given = [{"role": "user", "content": "I live in Berlin"}, {"role": "user", "content": "我有一只猫叫小白"}]
        first = await talk.user.add(given, session="s", key="once")
        await talk.memory.flush()
        before = await talk.records(*EVERY_STATUS)
        talk.clock.advance(days=40)
        for again in await asyncio.gather(*(talk.user.add(given, session="s", key="once") for _ in range(5))):
            assert [message.id for message in again.messages] == [message.id for message in first.messages]
        await talk.memory.flush()
        assert await talk.records(*EVERY_STATUS) == before
        assert (await talk.user.messages()).total == 2
        with pytest.raises(ConflictError):
            await talk.user.add([*given, "and more"], session="s", key="once")


@pytest.mark.parametrize("store", STORES)
async def test_a_message_with_an_id_is_learnt_from_once_however_often_its_chat_is_sent_along(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        history = []
        for number, text in enumerate(["Hello!", *TABLES["english"], "你好"]):
            history.append({"role": "user", "content": text, "id": f"m{number}"})
            await talk.user.add(history, session="s")
            await talk.memory.flush()
        assert (await talk.user.messages()).total == 7
        assert {record.evidence_count for record in await talk.records(*EVERY_STATUS)} == {1}


async def test_a_chat_turn_that_is_sent_again_is_answered_as_before_and_learnt_from_once(tmp_path: Path) -> None:
    async with talking(tmp_path, model=ScriptedModel(["Berlin is nice."])) as talk:
        chat = talk.user.chat(session="s")
        for _ in range(3):
            assert await chat.turn({"role": "user", "content": "I live in Berlin", "id": "turn-1"}) == "Berlin is nice."
        await talk.memory.flush()
        (record,) = await talk.records(*EVERY_STATUS)
        assert (record.evidence_count, (await talk.user.messages()).total) == (1, 2)


# --- what is no fact -----------------------------------------------------------------------------------------------------

NO_FACTS = [
    "I'm sorry, I can't help with that.",
    "I cannot assist with this request.",
    "As an AI language model, I don't have access to personal data.",
    "很抱歉，我无法提供这些信息。",
    "作为人工智能语言模型，我不能这样做。",
    "Error: 429 Too Many Requests",
    "<html><body>502 Bad Gateway</body></html>",
    "",
    "…",
]


@pytest.mark.parametrize("answer", NO_FACTS)
async def test_what_a_model_says_in_place_of_facts_is_kept_by_nobody_and_told(answer: str, tmp_path: Path) -> None:
    model = Reader(answer)
    async with talking(tmp_path, model=model, learn="model") as talk:
        await talk.user.add("Lisbon has become my home", session="s")
        left = await talk.memory.flush()
        assert not await talk.records(*EVERY_STATUS)
        assert left >= 1
        talk.clock.advance(minutes=2)
        await talk.memory.flush()
        assert [job.error for job in (await talk.memory.jobs()).items if job.error]
        assert talk.memory.trouble
        talk.clock.advance(hours=2)
        model.found = reply(fact("Lisbon has become my home", "residence", "Lisbon"))
        assert await talk.memory.flush() == 0
        assert await talk.facts() == ["user · residence: Lisbon"]


@pytest.mark.parametrize("way", ["model fact", "value"])
async def test_a_refusal_inside_a_fact_is_refused(way: str, tmp_path: Path) -> None:
    text = "I'm sorry, I can't share that"
    facts = [fact(text, "note", text), fact("Lisbon has become my home", "residence", text)]
    async with talking(tmp_path, model=Reader(reply(facts[way == "value"])), learn="model") as talk:
        await talk.tell("Lisbon has become my home")
        assert not [record for record in await talk.records(*EVERY_STATUS) if "sorry" in record.text or "sorry" in (record.value or "")]


async def test_a_model_that_fails_in_a_turn_leaves_no_reply_and_no_fact(tmp_path: Path) -> None:
    async with talking(tmp_path, model=ScriptedModel([ModelUnavailable("down"), "Hello again."])) as talk:
        with pytest.raises(ModelUnavailable):
            await talk.user.chat(session="s").turn("I live in Berlin")
        await talk.memory.flush()
        assert [message.text for message in (await talk.user.messages()).items] == ["I live in Berlin"]
        assert await talk.facts() == ["user · residence: Berlin"]


# --- the window ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TABLES)
async def test_what_the_window_shows_does_not_come_back_as_a_memory(language: str, tmp_path: Path) -> None:
    async with talking(tmp_path, model=ScriptedModel(["I see."] * 20)) as talk:
        chat = talk.user.chat(session="now")
        for text in TABLES[language]:
            await chat.turn(text)
        await talk.memory.flush()
        question = f"What did I say? {' '.join(TABLES[language])}?"
        window = await talk.user.context(question, session="now")
        assert not window.hits
        for text in TABLES[language]:
            assert "\n".join(str(message["content"]) for message in window.messages).count(text) == 2  # as it was said, and in the question
        assert (await talk.user.context(question, session="another")).hits
