"""Whatever form a small model gives its answer, the whole facts in it are read, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.lifecycle.replies import read_reply

ROME = {"line": 1, "quote": "I live in Rome", "subject": "user", "attribute": "residence", "value": "Rome"}
SPICE = {"line": 2, "quote": "我不吃辣", "subject": "user", "attribute": "diet", "value": "辣", "polarity": "negative"}
FIRST, SECOND = json.dumps(ROME), json.dumps(SPICE, ensure_ascii=False)
WHOLE = f'{{"facts": [{FIRST}, {SECOND}]}}'

FORMS = {
    "plain": WHOLE,
    "escaped": json.dumps({"facts": [ROME, SPICE]}),
    "fence": f"```json\n{WHOLE}\n```",
    "tildes": f"~~~\n{WHOLE}\n~~~",
    "fence without an end": f"```json\n{WHOLE}",
    "fence without a start": f"{WHOLE}\n```",
    "prose around": f"Sure! Here are the facts [as you asked]:\n\n{WHOLE}\n\nLet me know if you need more.",
    "中文说明": f"好的，提取结果如下：\n{WHOLE}\n以上。",
    "a mark of a line before": f"Line [1] and line [2] state facts: {WHOLE}",
    "byte order mark": f"\ufeff{WHOLE}",
    "thought": f"<think>The user {{lives}} in Rome?</think>\n\n{WHOLE}",
    "thought that was opened by the prompt": f"So [1] is about Rome.\n</think>\n{WHOLE}",
    "thought whose opening was cut": f"think>hm</think>{WHOLE}",
    "thinking": f"<thinking>hm</thinking>{WHOLE}",
    "thought in bars": f"<|thinking|>hm<|/thinking|>{WHOLE}",
    "thought in brackets": f"[THINK]hm[/THINK]{WHOLE}",
    "thought in triangles": f"◁think▷hm◁/think▷{WHOLE}",
    "thought in words": f"Thinking...\nhm\n...done thinking.\n\n{WHOLE}",
    "thought in a thought": f"<think>a <think>b</think> c</think>{WHOLE}",
    "channels": f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{WHOLE}",
    "thought left open after the answer": f"{WHOLE}\n<think>was that all?",
    "trailing commas": f'{{"facts": [{FIRST[:-1]},}}, {SECOND},],}}',
    "Python": str({"facts": [ROME, SPICE, None]}).replace("None", "None, True"),
    "single quotes": WHOLE.replace('"', "'"),
    "no quotes": "{facts: [{line: 1, quote: I live in Rome, subject: user, attribute: residence, value: Rome},"
    "{line: 2, quote: 我不吃辣, subject: user, attribute: diet, value: 辣, polarity: negative}]}",
    "full width": WHOLE.translate(str.maketrans({"{": "｛", "}": "｝", "[": "［", "]": "］", ",": "，", ":": "："}))
    .replace('"，', "”，")
    .replace('"：', "”：")
    .replace('"｝', "”｝")
    .replace('"', "“"),
    "comments": f'{{ // the facts\n "facts": [ /* one */ {FIRST}, # two\n {SECOND} ] }}',
    "lost commas": f'{{"facts": [{FIRST.replace(", ", chr(10))} {SECOND}]}}',
    "lost last brace": WHOLE[:-1],
    "lost brace between": f'{{"facts": [{FIRST[:-1]}, {SECOND}]}}',
    "lost bracket": WHOLE.replace("]}", "}"),
    "bare list": f"[{FIRST}, {SECOND}]",
    "lines of JSON": f"{FIRST}\n{SECOND}\n",
    "several blocks": f"```json\n{FIRST}\n```\nand\n```json\n{SECOND}\n```",
    "the same block twice": f"{WHOLE}\n\n{WHOLE}",
    "memories": WHOLE.replace("facts", "memories"),
    "results in data": f'{{"data": {{"results": [{FIRST}, {SECOND}]}}}}',
    "事实": WHOLE.replace("facts", "事实"),
    "numbered": f'{{"1": {FIRST}, "2": {SECOND}}}',
    "one key again and again": f'{{"fact": {FIRST}, "fact": {SECOND}}}',
    "objects as strings": json.dumps({"facts": [FIRST, SECOND]}),
    "all of it a string": json.dumps(WHOLE),
    "tool call": f'<tool_call>{{"name": "save_facts", "arguments": {WHOLE}}}</tool_call>',
    "tool call without its last brace": f'<tool_call>{{"name": "save_facts", "arguments": {WHOLE}</tool_call>',
    "arguments as text": json.dumps({"name": "save_facts", "arguments": WHOLE}),
    "filled-in emptiness": WHOLE.replace("]}", ', {"line": 3, "quote": "", "subject": "", "attribute": "", "value": null}]}'),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_the_facts_are_read_whatever_form_they_have(text: str) -> None:
    reply = read_reply(text)
    assert [item["value"] for item in reply.items] == ["Rome", "辣"]
    assert [item["quote"] for item in reply.items] == ["I live in Rome", "我不吃辣"]
    assert [item["line"] for item in reply.items] == [1, 2]
    assert (reply.complete, reply.problem) == (True, None)


def test_an_object_instead_of_a_list_is_one_fact() -> None:
    assert read_reply(FIRST).items == (ROME,)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"行": 1, "原文": "I live in Rome", "主语": "user", "属性": "residence", "值": "Rome"}, ROME),
        ({"lineNumber": "[1]", "evidence": "I live in Rome", "person": "user", "predicate": "residence", "object": "Rome"}, ROME),
        ({"source": "line 1", "quote": "I live in Rome", "Who": "user", "relation": "residence", "Value": "Rome"}, ROME),
        ({**ROME, "source": "somewhere else", "tags": ["a"], "when": None, "mood": "fine"}, ROME),
        ({**ROME, "negated": True}, ROME | {"polarity": "negative"}),
        ({**ROME, "polarity": "否定"}, ROME | {"polarity": "negative"}),
        ({**ROME, "polarity": "POSITIVE", "certainty": 0.3}, ROME | {"polarity": "positive", "certainty": "passing"}),
        ({**ROME, "correction": "true", "ended": "no"}, ROME | {"correction": True, "ended": False}),
        ({**ROME, "line": float("nan")}, {key: value for key, value in ROME.items() if key != "line"}),
        ({**ROME, "value": 3}, ROME | {"value": "3"}),
        ({**ROME, "value": 'I don\'t like it, "he" said'}, ROME | {"value": 'I don\'t like it, "he" said'}),
    ],
)
def test_other_keys_and_other_words_mean_the_same(written: dict[str, Any], read: dict[str, Any]) -> None:
    assert read_reply(json.dumps({"facts": [written]}, ensure_ascii=False)).items == (read,)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (FIRST.replace("Rome", "R\\u00f3me", 1), "I live in Róme"),
        (FIRST.replace("Rome", "R\\u00 \\uZZZZ", 1), "I live in R\\u00 \\uZZZZ"),
        (FIRST.replace("Rome", "\\ud83d\\ude00 \\ud83d", 1), "I live in 😀 �"),
        (FIRST.replace("live in", "live\nin", 1), "I live in Rome"),
        (FIRST.replace("live in", 'said "live" in', 1), 'I said "live" in Rome'),
        (FIRST.replace("live in", r"\live in", 1), r"I \live in Rome"),
        (FIRST.replace("live in", "[image] {x} in", 1), "I [image] {x} in Rome"),
        (FIRST.replace("live in", "</think> in", 1), "I </think> in Rome"),
    ],
)
def test_strings_are_read_as_they_were_meant(text: str, quote: str) -> None:
    assert [item["quote"] for item in read_reply(text).items] == [quote]


EMPTY = [
    '{"facts": []}',
    "[]",
    "{}",
    "```json\n[]\n```",
    '{"facts": null}',
    '{"facts": "none"}',
    '{"facts": [{}]}',
    '{"facts": [{"line": 1, "quote": "", "subject": "", "attribute": "", "value": ""}]}',
    '<think>Only small talk.</think>{"facts": []}',
    "No facts.",
    "There are no lasting facts in this conversation.",
    "None",
    "没有",
    "没有事实。",
    "这段对话中没有可提取的事实",
]


@pytest.mark.parametrize("text", EMPTY)
def test_an_empty_answer_is_an_answer(text: str) -> None:
    reply = read_reply(text)
    assert (reply.items, reply.complete, reply.problem) == ((), True, None)


REFUSED = {
    "": "is empty",
    "  \n": "is empty",
    "<think>The user lives in": "thought",
    "I'm sorry, I can't help with that request.": "refusal",
    "As an AI language model, I cannot store personal data.": "refusal",
    "抱歉，我无法处理这个请求。": "refusal",
    "作为一个人工智能，我不能这样做": "refusal",
    "Error: connection refused": "error",
    "500 Internal Server Error": "error",
    '{"error": {"message": "model overloaded", "code": 503}}': "error",
    '{"detail": "Not Found"}': "error",
    "请求失败，请稍后再试": "error",
    f"<!DOCTYPE html><html><script>var facts = [{FIRST}]</script></html>": "web page",
    "The user lives in Rome and does not eat spicy food.": "no JSON",
    '{"facts": ["The user lives in Rome", "The user likes tea"]}': "has no facts",
    '["The user lives in Rome"]': "has no facts",
    '{"answer": 42}': "has no facts",
}


@pytest.mark.parametrize(("text", "why"), REFUSED.items(), ids=[text[:20] for text in REFUSED])
def test_refusals_errors_and_talk_are_no_facts_and_no_empty_answer(text: str, why: str) -> None:
    reply = read_reply(text)
    assert (reply.items, reply.complete) == ((), False)
    assert reply.problem and why in reply.problem


def test_what_is_no_fact_among_facts_is_told() -> None:
    reply = read_reply(f'{{"facts": [{FIRST}, {{"text": "nice"}}, "chatty"]}}')
    assert (reply.items, reply.complete) == ((ROME,), True)
    assert reply.problem == "not all entries of the reply are facts (2 of 3 are not)"


def test_words_of_a_fact_are_never_read_as_facts() -> None:
    """Somebody may paste such JSON into a conversation."""
    said = ROME | {"quote": SECOND, "value": f"[{SECOND}]", "text": WHOLE}
    assert read_reply(json.dumps({"facts": [said]})).items == (said,)


words = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\"\\{}[],:/#`'“”<>\n 我a1")), max_size=20)
facts = st.lists(
    st.fixed_dictionaries(
        {"line": st.integers(0, 99), "subject": st.just("user"), "attribute": st.just("note"), "value": words.map(lambda text: f"v{text}")},
        optional={"quote": words, "text": words, "ended": st.booleans(), "when": st.none() | words},
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=200)
@given(said=facts, bare=st.booleans(), indent=st.sampled_from([None, 2]), ascii=st.booleans(), share=st.floats(0, 1))
def test_a_reply_that_is_cut_gives_what_came_before_the_cut(
    said: list[Any], bare: bool, indent: int | None, ascii: bool, share: float
) -> None:
    text = json.dumps(said if bare else {"facts": said}, ensure_ascii=ascii, indent=indent)
    whole, part = read_reply(text), read_reply(text[: round(share * len(text))])
    assert whole.complete
    assert len(whole.items) == len({json.dumps(item, sort_keys=True) for item in whole.items})
    assert part.items == whole.items[: len(part.items)]
    assert part.items == whole.items or not part.complete


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet=st.sampled_from("{}[]\"\\:,，：“”'`~<>/*# \nfactslinevalue1我think"), max_size=200))
def test_no_text_is_too_odd_to_be_read(text: str) -> None:
    reply = read_reply(text)
    assert reply.complete or reply.problem


@pytest.mark.parametrize(
    "text",
    ["[" * 50_000, '{"a":' * 50_000, '"' * 50_000, '{"facts": [' + '"\n' * 50_000, "<think>" * 20_000, "/*" * 50_000, "[`" * 50_000,
     '[{"a": "' + 'x", ' * 30_000, "{" + "\n" * 50_000, f'{{"facts": [{FIRST}' + "}" * 50_000, "没有" * 30_000, "[\\" * 50_000],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_long_nonsense_is_read_in_linear_time(text: str) -> None:
    """Quadratic reading would take minutes here and run into the time limit of a test."""
    assert not read_reply(text).items or text.startswith('{"facts": [{"line"')
