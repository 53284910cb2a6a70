"""One call, a short prompt, whatever the model answers: and then only what stands in the messages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import anyio
import pytest
from extracting import SAID_AT, assistant, core, fact, reply, said
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.errors import InputError, ModelError, ModelRefused, ModelUnavailable
from pagefile.language.tokens import count
from pagefile.lifecycle.extract import SCHEMA, Extraction, extract
from pagefile.lifecycle.facts import Utterance
from pagefile.lifecycle.showing import Shown, show
from pagefile.messages import ToolCall
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.models.scripted import Script, ScriptedModel
from pagefile.testing.openai_server import OpenAIServer, call, refuse, say
from pagefile.testing.openai_server import Script as ServerScript

TALK = (
    said("I live in Rome and I work at Acme.", 1),
    assistant("Nice! What do you eat?", 2),
    said("我不吃辣，我朋友小杰不喜欢足球", 3),
)
ROME = fact("I live in Rome", "residence", "Rome")
ACME = fact("I work at Acme", "employer", "Acme", line=2)
SPICE = fact("我不吃辣", "diet", "辣", line=4, polarity="negative")
FOOTBALL = fact("我朋友小杰不喜欢足球", "likes", "足球", line=5, polarity="negative")
CLAIMS = [
    ("user", "residence", "Rome", "positive"),
    ("user", "employer", "Acme", "positive"),
    ("user", "diet", "辣", "negative"),
    ("小杰", "likes", "足球", "negative"),
]


async def extracted(*replies: Script, of: Sequence[Utterance] = TALK, **options: Any) -> tuple[Extraction, ScriptedModel]:
    model = ScriptedModel(list(replies))
    return await extract(model, of, now=SAID_AT, **options), model


def cores(extraction: Extraction) -> list[tuple[str, str, str, str]]:
    return [core(claim) for claim in extraction.claims]


def prompt_of(model: ScriptedModel, number: int = 0) -> str:
    return str(model.requests[number].messages[-1]["content"])


# --- one call ------------------------------------------------------------------------------------------------------------


async def test_one_call_reads_a_batch() -> None:
    extraction, model = await extracted(reply(ROME, ACME, SPICE, FOOTBALL))
    assert cores(extraction) == CLAIMS
    assert (extraction.complete, extraction.problems, extraction.calls, extraction.rest) == (True, (), 1, ())
    assert extraction.tokens > count(prompt_of(model))
    (request,) = model.requests
    assert (request.temperature, request.schema) == (0.0, SCHEMA)
    assert all(claim.extractor == "model:scripted" for claim in extraction.claims)


async def test_the_lines_are_numbered_dated_and_stand_last() -> None:
    *before, last = TALK
    _, model = await extracted(reply(), of=[*before, replace(last, said_at=SAID_AT + timedelta(days=1))])
    assert prompt_of(model) == (
        "The conversation:\n"
        "[1] user (2026-05-24): I live in Rome\n"
        "[2] and I work at Acme.\n"
        "[3] assistant: Nice! What do you eat?\n"
        "[4] user (2026-05-25): 我不吃辣，\n"
        "[5] 我朋友小杰不喜欢足球"
    )
    roles = [message["role"] for message in model.requests[0].messages]
    assert roles == ["system", "user", "assistant", "user"]


async def test_an_empty_answer_is_an_answer() -> None:
    extraction, _ = await extracted('{"facts": []}')
    assert (extraction.claims, extraction.complete, extraction.problems, extraction.calls) == ((), True, (), 1)


@pytest.mark.parametrize(
    "utterances",
    [
        (),
        (assistant("I live in the cloud"),),
        (said("I live in Rome", fresh=False),),
        (said("   \n   "),),
        (said("🙂"),),
        (said("I live in Rome", role="tool", subject="tool"),),
    ],
    ids=["nothing", "the assistant alone", "read before", "blanked out", "no words", "a tool"],
)
async def test_without_anything_to_learn_from_the_model_is_not_asked(utterances: tuple[Utterance, ...]) -> None:
    extraction, model = await extracted(of=utterances)
    assert extraction == Extraction()
    assert model.requests == []


async def test_the_prompt_speaks_the_language_of_the_conversation() -> None:
    _, english = await extracted(reply(), of=[said("I love 麻婆豆腐 and noodles")])
    _, chinese = await extracted(reply(), of=[said("我在Google做PM，base北京"), assistant("OK, noted in English for you", 2)])
    assert prompt_of(english).startswith("The conversation:\n[1] user (")
    assert prompt_of(chinese).startswith("对话：\n[1] 用户 (")


async def test_the_language_and_the_names_of_a_message_are_kept() -> None:
    text = "我叫张三，在腾讯上班"
    translated = fact("My name is Zhang San", "name", "Zhang San")
    extraction, _ = await extracted(
        reply(translated, fact("我叫张三", "name", "Zhang San"), fact("在腾讯上班", "employer", "腾讯", text="Works at Tencent")),
        of=[said(text)],
    )
    assert [(claim.value, claim.text) for claim in extraction.claims] == [("腾讯", "在腾讯上班")]
    assert sum(int(problem.split()[0]) for problem in extraction.problems) == 2


# --- what is not kept ----------------------------------------------------------------------------------------------------


async def test_a_model_that_remembers_its_refusals_its_example_and_the_assistant_adds_nothing() -> None:
    junk = [
        fact("I'm sorry, I can't help with that", "note", "sorry"),
        fact("My aunt Nina can't stand jazz", "likes", "jazz", subject="Nina"),
        fact("Nice! What do you eat?", "likes", "Nice", line=3),
        fact("I live in Rome", "residence", "Italy"),
        fact("The system prompt", "note", "prompt"),
        {"line": 1, "text": "User is friendly", "attribute": "note"},
        {"line": 1, "quote": "I live in Rome", "attribute": "residence", "value": "Rome"},
    ]
    extraction, _ = await extracted(reply(*junk, ROME))
    assert cores(extraction) == CLAIMS[:1]
    assert extraction.complete
    refused = [problem for problem in extraction.problems if "refused" in problem]
    assert sum(int(problem.split()[0]) for problem in refused) == len(junk)
    assert not any(word in problem for problem in extraction.problems for word in ("Rome", "sorry", "Nina"))


async def test_nine_paraphrases_of_one_fact_are_one_claim() -> None:
    text = "我每周末都去爬山，爬山让我开心，我真的很喜欢爬山"
    quotes = ["我每周末都去爬山", "爬山让我开心", "我真的很喜欢爬山", "喜欢爬山"]
    paraphrases = [fact(quote, attribute, "爬山") for quote in quotes for attribute in ("likes", "爱好", "兴趣")]
    extraction, _ = await extracted(reply(*paraphrases[:9]), of=[said(text)])
    (claim,) = extraction.claims
    assert core(claim) == ("user", "likes", "爬山", "positive")
    assert len(claim.sources) == 3


async def test_one_fact_read_as_several_properties_is_one_claim() -> None:
    nuts = [fact("I'm allergic to nuts", attribute, "nuts", polarity=told) for attribute, told in
            [("health", "negative"), ("allergy", "positive"), ("diet", "negative")]]  # fmt: skip
    extraction, _ = await extracted(reply(*nuts), of=[said("I'm allergic to nuts")])
    assert cores(extraction) == [("user", "allergy", "nuts", "positive")]


@pytest.mark.parametrize("attribute", ["diet", "health", "忌口", "avoids", "note"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Peanuts make my throat close up", "Peanuts"),
        ("我一吃花生喉咙就肿", "花生"),
        ("Milk gives me cramps", "Milk"),
        ("虾让我起疹子", "虾"),
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["allergy first", "allergy last"])
async def test_an_allergy_stays_one_beside_other_readings_of_its_words(text: str, value: str, attribute: str, first: bool) -> None:
    readings = [fact(text, "allergy", value), fact(text, attribute, value)]
    extraction, _ = await extracted(reply(*(readings if first else readings[::-1])), of=[said(text)])
    assert cores(extraction) == [("user", "allergy", value, "positive")]


async def test_a_taste_for_what_one_cannot_eat_is_a_second_fact() -> None:
    text = "I love shrimps but I can't eat shrimps"
    extraction, _ = await extracted(
        reply(fact(text, "likes", "shrimps"), fact("I can't eat shrimps", "cannot eat", "shrimps")), of=[said(text)]
    )
    assert set(cores(extraction)) == {("user", "likes", "shrimps", "positive"), ("user", "diet", "shrimps", "negative")}


async def test_two_facts_stay_two() -> None:
    text = "I was born in Rome and I live in Rome. I love tea and coffee. My brother loves tea."
    facts = [
        fact("I was born in Rome", "hometown", "Rome"),
        fact("I live in Rome", "residence", "Rome"),
        fact("I love tea and coffee", "likes", "tea"),
        fact("I love tea and coffee", "likes", "coffee"),
        fact("My brother loves tea", "likes", "tea", subject="user's brother"),
    ]
    extraction, _ = await extracted(reply(*facts), of=[said(text)])
    assert len(extraction.claims) == 5


# --- replies that cannot be used -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        ("", 0),
        ("<think>The user lives in Rome", 0),
        ("I'm sorry, I can't help with that.", 0),
        ("The user lives in Rome.", 0),
        ('{"facts": ["lives in Rome"]}', 0),
        ("<html><body>502 Bad Gateway</body></html>", 0),
        ('{"error": "overloaded"}', 0),
        (reply(ROME, ACME)[:-40], 1),
    ],
)
async def test_a_reply_that_cannot_be_used_is_asked_for_once_more(broken: str, kept: int) -> None:
    extraction, model = await extracted(broken, reply(ACME, SPICE) if kept else reply(ROME, ACME, SPICE))
    assert cores(extraction) == CLAIMS[:3]
    assert (extraction.complete, extraction.calls) == (True, 2)
    assert len(extraction.problems) == 1
    assert "could not be used" in prompt_of(model, 1) and "could not be used" not in prompt_of(model, 0)


async def test_only_the_rest_is_asked_for_again() -> None:
    _, model = await extracted(reply(ROME, ACME, SPICE)[:-30], reply(SPICE))
    assert "[1]" not in prompt_of(model, 1) and "[2] and I work at Acme." in prompt_of(model, 1)


async def test_after_the_second_try_the_batch_stays_open() -> None:
    extraction, model = await extracted(reply(ROME, ACME)[:-40], "No idea.", reply(ROME))
    assert cores(extraction) == CLAIMS[:1]
    assert (extraction.complete, extraction.calls, len(model.replies)) == (False, 2, 1)
    assert extraction.problems == ("the reply was cut off before its end", "the reply is no JSON")


async def test_an_error_of_the_endpoint_is_the_callers() -> None:
    with pytest.raises(ModelUnavailable):
        await extracted(ModelUnavailable("no one there"))
    extraction, _ = await extracted(reply(ROME, ACME)[:-40], ModelUnavailable("no one there"))
    assert (cores(extraction), extraction.complete) == (CLAIMS[:1], False)
    assert "no one there" in extraction.problems[0]


async def test_a_model_that_calls_a_tool_instead_is_understood() -> None:
    whole = json.dumps({"facts": [ROME, ACME]})
    spelled = f'<tool_call>{{"name": "save", "arguments": {whole}}}'
    for answer in (ToolCall(id="1", name="save", arguments=whole), spelled):
        extraction, _ = await extracted(answer)
        assert cores(extraction) == CLAIMS[:2]


# --- a short prompt, whatever is given -------------------------------------------------------------------------------------


def tokens_of(model: ScriptedModel, number: int = 0) -> int:
    return Shown.tokens(model.requests[number].messages)


@pytest.mark.parametrize("sentence", ["I like the number {} very much. ", "我很喜欢数字{}。", "x{} "], ids=["English", "Chinese", "scraps"])
@pytest.mark.parametrize("messages", [1, 40, 400])
async def test_the_prompt_stays_short_and_what_does_not_fit_comes_back(sentence: str, messages: int) -> None:
    told = [said("".join(sentence.format(each) for each in range(400 // messages + 1)), number) for number in range(messages)]
    talk = [each for one in told for each in (one, assistant("Indeed! " * 300, 1000 + int(one.message[1:])))]
    extraction, model = await extracted("Sorry?", reply(), of=talk)
    assert tokens_of(model) <= 1_500 and tokens_of(model, 1) <= 1_500
    assert tokens_of(model) + count(json.dumps(SCHEMA)) <= 2_000
    assert extraction.rest == tuple(talk[len(talk) - len(extraction.rest) :])
    assert all(one not in extraction.rest for one in talk[:1])


async def test_everything_is_read_in_the_end() -> None:
    """Each batch takes at least one message, so that a caller who gives the rest again comes to an end."""
    left: Sequence[Utterance] = [said(f"I like the number {number}. " * 30, number) for number in range(30)]
    calls = 0
    while left:
        extraction, model = await extracted(reply(), of=left)
        assert len(extraction.rest) < len(left) and tokens_of(model) <= 1_500
        left, calls = extraction.rest, calls + 1
    assert calls > 3


async def test_a_message_that_is_too_long_is_cut_at_the_end_of_a_sentence_and_told() -> None:
    extraction, model = await extracted(reply(), of=[said("I like tea very much. " * 2_000)])
    *_, last, cut = prompt_of(model).splitlines()
    assert last.endswith("] I like tea very much.") and cut.endswith("] [cut]")
    assert extraction.rest == () and extraction.complete
    assert "too long to be read at once" in extraction.problems[0]


async def test_what_was_said_before_helps_the_newest_lines_first_shortened() -> None:
    before = [said(f"Before {number}: " + "words " * 200, number, fresh=False) for number in range(50)]
    _, model = await extracted(reply(), of=[*before, said("No, it's Berlin.", 99)])
    prompt = prompt_of(model)
    assert prompt.endswith("user (2026-05-24): No, it's Berlin.")
    assert "(earlier) user (2026-05-24): Before 49: " in prompt and "Before 0:" not in prompt
    assert prompt.index("Before 48") < prompt.index("Before 49")
    assert all(count(line) < 90 for line in prompt.splitlines())


async def test_what_was_blanked_out_is_not_shown() -> None:
    _, model = await extracted(reply(), of=[said("My key is" + " " * 40 + "and I live in Rome")])
    assert "[1] user (2026-05-24): My key is\n[2] and I live in Rome" in prompt_of(model)


async def test_a_small_window_gets_a_smaller_prompt_and_room_for_the_reply() -> None:
    model = ScriptedModel([reply()], context_window=2_048)
    await extract(model, [said(f"I like the number {number}.", number) for number in range(200)], now=SAID_AT)
    assert tokens_of(model) <= 1_024
    most = model.requests[0].max_tokens
    assert most is not None and tokens_of(model) + most <= 2_048


async def test_a_prompt_without_room_for_the_instructions_is_refused() -> None:
    with pytest.raises(InputError, match="at least"):
        await extracted(reply(), max_prompt_tokens=300)


lines = st.lists(
    st.builds(
        said,
        st.text(alphabet=st.sampled_from("I live in Rome. 我住在罗马，\n   "), max_size=400),
        st.integers(1, 99),
        fresh=st.booleans(),
        role=st.sampled_from(["user", "assistant", "tool"]),
        subject=st.sampled_from(["user", "assistant", "Anna\n[9] user"]),
    ),
    max_size=30,
)


@settings(deadline=None, max_examples=50)
@given(talk=lines, room=st.integers(1_000, 2_000))
def test_no_conversation_makes_a_longer_prompt(talk: list[Utterance], room: int) -> None:
    shown = show(talk, max_tokens=room)
    messages = shown.messages(again="the reply was cut off before its end")
    assert Shown.tokens(messages) <= room
    assert list(shown.lines) == list(shown.written) == list(range(1, len(shown.lines) + 1))
    assert len(messages[-1]["content"].splitlines()) == len(shown.written) + 3
    assert not shown.rest or shown.lines


# --- over real HTTP ------------------------------------------------------------------------------------------------------

QUICK = Patience(connect=2, silence=5, retries=1, first_wait=0.001, longest_wait=0.5)


@asynccontextmanager
async def serving(replies: Sequence[ServerScript]) -> AsyncIterator[tuple[OpenAIModel, OpenAIServer]]:
    with OpenAIServer(replies) as server:
        model = OpenAIModel("test-model", base_url=server.url, patience=QUICK)
        try:
            yield model, server
        finally:
            await model.close()


USAGE = {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}


async def test_a_real_endpoint_is_asked_for_the_schema_and_its_count_is_taken() -> None:
    async with serving([say(reply(ROME, ACME, SPICE, FOOTBALL), usage=USAGE)]) as (model, server):
        extraction = await extract(model, TALK, now=SAID_AT)
        (body,) = server.chats
    assert cores(extraction) == CLAIMS
    assert (extraction.calls, extraction.tokens) == (1, 940)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (body["temperature"], "tools" in body) == (0.0, False)


async def test_an_endpoint_that_takes_no_schema_is_read_all_the_same() -> None:
    fenced = f"Sure!\n```json\n{reply(ROME, ACME)}\n```"
    async with serving([refuse(400, "This response_format type is unavailable now"), say(fenced, usage=USAGE)]) as (model, server):
        extraction = await extract(model, TALK, now=SAID_AT)
        assert (cores(extraction), extraction.calls, extraction.tokens) == (CLAIMS[:2], 1, 940)
        assert ["response_format" in body for body in server.chats] == [True, False]


@pytest.mark.parametrize("size", [1, 3, 7, 1_000])
async def test_thoughts_are_kept_out_however_the_stream_cuts_them(size: int) -> None:
    thinking = f'<think>Maybe {{"facts": [{json.dumps(fact("I live in Rome", "hometown", "Rome"))}]}}?</think>\n{reply(ROME)}'
    async with serving([say(thinking, size=size, usage=USAGE)]) as (model, _):
        assert cores(await extract(model, TALK, now=SAID_AT)) == CLAIMS[:1]


async def test_a_reply_at_its_limit_keeps_what_is_whole() -> None:
    cut = say(reply(ROME, ACME)[:-30], finish="length", usage=USAGE)
    async with serving([cut, cut]) as (model, server):
        extraction = await extract(model, TALK, now=SAID_AT)
        assert (cores(extraction), extraction.complete, extraction.calls) == (CLAIMS[:1], False, 2)
        assert len(server.chats) == 2


async def test_a_stream_that_breaks_off_is_the_callers_error() -> None:
    async with serving([say(reply(ROME), cut=True)]) as (model, _):
        with pytest.raises(ModelError):
            await extract(model, TALK, now=SAID_AT)
    async with serving([refuse(401, "no")]) as (model, _):
        with pytest.raises(ModelRefused):
            await extract(model, TALK, now=SAID_AT)


async def test_a_tool_call_of_a_real_endpoint_is_read() -> None:
    async with serving([call("save_facts", {"facts": [ROME]}, usage=USAGE)]) as (model, _):
        assert cores(await extract(model, TALK, now=SAID_AT)) == CLAIMS[:1]


async def test_a_server_that_reads_only_a_part_of_the_prompt_gives_no_valid_empty_answer() -> None:
    """Ollama serves 2,048 tokens whatever the model can do, and cuts the rest without a word."""
    few = {"prompt_tokens": 120, "completion_tokens": 5, "total_tokens": 125}
    async with serving([say(reply(), usage=few), say(reply(), usage=few)]) as (model, server):
        extraction = await extract(model, TALK, now=SAID_AT)
        assert (extraction.complete, extraction.calls, len(server.chats)) == (False, 1, 1)
        assert "num_ctx" in extraction.problems[0]


async def test_a_cancelled_extraction_stops_the_model() -> None:
    async with serving([say(reply(ROME) * 200, size=2, pause=0.01)]) as (model, server):
        with anyio.move_on_after(0.3) as scope:
            await extract(model, TALK, now=SAID_AT + timedelta(days=1))
        assert scope.cancelled_caught
        assert await anyio.to_thread.run_sync(server.requests[0].hung_up.wait, 5)
