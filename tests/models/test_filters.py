"""Thoughts and spelled-out tool calls never reach the text, however the pieces cut them; everything else does, unchanged."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.models.filters import CallFilter, ThinkFilter

CALL = {"name": "memory_search", "arguments": {"query": "吃什么 {} ``` </x>"}}
CALL_TEXT = json.dumps(CALL, ensure_ascii=False)


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces = []
    for size in sizes:
        pieces.append(text[:size])
        text = text[size:]
    return [*pieces, text]


def thought_away(text: str, sizes: list[int], *, opened: bool = False) -> str:
    thinking = ThinkFilter(opened=opened)
    return "".join(thinking.feed(piece) for piece in cut(text, sizes)) + thinking.finish()


def called(text: str, sizes: list[int]) -> tuple[str, list[str]]:
    calling = CallFilter({"memory_search", "memory_append"})
    shown = "".join(calling.feed(piece) for piece in cut(text, sizes)) + calling.finish()
    return shown, [call.name for call in calling.calls]


sizes = st.lists(st.integers(0, 9), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain 文字", "plain 文字"),
        ("<think>a\nb</think>\n\nanswer", "answer"),
        ("\n<think>a</think>答", "答"),
        ("<think></think>answer", "answer"),
        ("<thinking>a <think> b</thinking>answer", "answer"),
        ("<think>a</think>one<think>b</think> two", "one two"),
        ("1 < 2 and <th> is a tag", "1 < 2 and <th> is a tag"),
        ("<think>cut off in the thou", ""),
        ("a model writes <think> before it answers", "a model writes <think> before it answers"),
        ("left over</think> answer", "left over answer"),
        ("<Think>a</Think>b <THINKING>c</THINKING>d", "b d"),
        ("[THINK]嗯[/THINK]好", "好"),
        ("◁think▷嗯◁/think▷好", "好"),
        ("one\n<think>\ncut off in the second thou", "one\n"),
        ("the tags are:\n<think> and nothing else", "the tags are:\n<think> and nothing else"),
        ("`<think>` 和 `</think>` 之间是思考", "`<think>` 和 `</think>` 之间是思考"),
        (
            "So:\n```\n<think>\nhm\n</think>\n答\n```\n<think>\nwas that right?</think>Done",
            "So:\n```\n<think>\nhm\n</think>\n答\n```\nDone",
        ),
        ("a ``` in a line\n<think>\nhm</think>b", "a ``` in a line\nb"),
    ],
)
@settings(deadline=None, max_examples=30)
@given(sizes=sizes)
def test_thoughts_are_taken_out(text: str, shown: str, sizes: list[int]) -> None:
    assert thought_away(text, sizes) == shown


@settings(deadline=None, max_examples=30)
@given(text=st.text(alphabet="ab<>/ \n想"), sizes=sizes)
def test_a_text_without_thoughts_is_not_changed(text: str, sizes: list[int]) -> None:
    assert thought_away(text, sizes) == text.lstrip()


@settings(deadline=None, max_examples=30)
@given(sizes=sizes)
def test_a_thought_that_the_prompt_opened_is_taken_out(sizes: list[int]) -> None:
    assert thought_away("so, the user wants …</think>\nanswer", sizes, opened=True) == "answer"
    assert thought_away("it did not think", sizes, opened=True) == "it did not think"


def test_text_is_given_out_as_soon_as_it_can_be_no_tag() -> None:
    thinking = ThinkFilter()
    assert [thinking.feed(piece) for piece in ("Hel", "lo <", "th", "ree", "")] == ["Hel", "lo ", "", "<three", ""]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"<tool_call>{CALL_TEXT}</tool_call>", ""),
        (f"<tool_call>\n{CALL_TEXT}\n</tool_call>\n", ""),
        (f"<tool_call>{CALL_TEXT[:-1]}", ""),
        ('{"name": "memory_search"', ""),
        (f"<tool_call>{CALL_TEXT[:-2]}</tool_call>", ""),
        (CALL_TEXT, ""),
        (f"\n [{CALL_TEXT}]", ""),
        (f"I will look.\n<tool_call>{CALL_TEXT}</tool_call>", "I will look.\n"),
        ('```json\n{"name": "memory_search", "arguments": {"query": "food"}}\n```', ""),
        ('```\n{"name": "memory_search", "parameters": {"query": "food"}}\n```\n', ""),
        ('Let me see:\n```json\n{"type": "function", "function": {"name": "memory_search", "arguments": "{}"}}\n```', "Let me see:\n"),
    ],
)
@settings(deadline=None, max_examples=30)
@given(sizes=sizes)
def test_calls_of_known_tools_are_taken_out(text: str, shown: str, sizes: list[int]) -> None:
    assert called(text, sizes) == (shown, ["memory_search"])


@pytest.mark.parametrize(
    "text",
    [
        "plain 文字",
        '<tool_call>{"name": "rm", "arguments": {}}</tool_call>',
        "<tool_call>what is that?</tool_call>",
        "<tool_",
        '{"name": "Alice"}',
        '{"name": "memory_sea',
        '{"city": "北京"} is JSON',
        "```python\nprint({})\n```\ndone",
        '```json\n{"name": "Alice", "age": 3}\n```\nThat is her.',
        '```json\n{"name": "memory_search", "arguments": ',
        "[1, 2] and `code` and ``` alone",
        "{" * 50,
    ],
)
@settings(deadline=None, max_examples=30)
@given(sizes=sizes)
def test_what_is_no_call_of_a_known_tool_is_given_back_unchanged(text: str, sizes: list[int]) -> None:
    assert called(text, sizes) == (text, [])


@settings(deadline=None, max_examples=30)
@given(text=st.text(alphabet='a`{}[]"<> \njson_tolcame:'), sizes=sizes)
def test_no_text_is_lost(text: str, sizes: list[int]) -> None:
    assert called(text, sizes) == (text.lstrip(), [])


def test_an_answer_in_json_is_not_held_back() -> None:
    calling = CallFilter({"memory_search"})
    assert calling.feed('{"city": ') == '{"city": '


def test_two_calls_of_one_text_are_both_found() -> None:
    block = f"<tool_call>{CALL_TEXT}</tool_call>"
    assert called(f"{block}\n{block}", [])[1] == ["memory_search", "memory_search"]
    assert called(f"[{CALL_TEXT}, {CALL_TEXT}]", [])[1] == ["memory_search", "memory_search"]


@pytest.mark.parametrize("between", ["\n", "\n\n", ", ", ";\n", ""])
@pytest.mark.parametrize("frame", ["{}", "<tool_call>{}</tool_call>", "```json\n{}\n```"])
def test_calls_that_follow_one_another_are_all_found(between: str, frame: str) -> None:
    text = '{"name": "memory_search", "arguments": {"query": "吃什么"}}'
    assert called(frame.format(between.join([text] * 3)), []) == ("", ["memory_search"] * 3)


@settings(deadline=None, max_examples=30)
@given(length=st.integers(len('{"name"'), len(CALL_TEXT) - 1), sizes=sizes)
def test_a_last_call_that_is_cut_costs_neither_the_calls_before_it_nor_is_it_shown(length: int, sizes: list[int]) -> None:
    shown, calls = called(f"{CALL_TEXT}\n{CALL_TEXT[:length]}", sizes)
    assert shown == ""
    # The last one is found too where only its braces are lost.
    assert calls in (["memory_search"], ["memory_search"] * 2)


def test_a_call_with_an_unknown_one_or_an_answer_behind_it_is_text() -> None:
    for text in (f'{CALL_TEXT}\n{{"name": "rm", "arguments": {{}}}}', f"{CALL_TEXT}\nThat is how it is called.", f"{CALL_TEXT}\n[1, 2]"):
        assert called(text, []) == (text, [])


def test_brackets_without_end_are_text() -> None:
    assert called("[" * 5_000, []) == ("[" * 5_000, [])


def test_without_tools_everything_is_text() -> None:
    calling = CallFilter(())
    assert calling.feed(CALL_TEXT) + calling.finish() == CALL_TEXT
