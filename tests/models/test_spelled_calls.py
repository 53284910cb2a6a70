"""Calls of known tools are read in every form in which models spell them out, and never shown; talk about such forms is shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.models.filters import CallFilter

QUERY = "她最爱吃什么 {food}?"
ARGUMENTS = json.dumps({"query": QUERY}, ensure_ascii=False)
CALL = f'{{"name": "memory_search", "arguments": {ARGUMENTS}}}'
SCHEMAS = {
    "memory_search": {"type": "object", "properties": {"query": {"type": "string"}, "page": {"type": "integer"}}, "required": ["query"]},
    "memory_list": {"type": "object", "properties": {}},
}


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces = []
    for size in sizes:
        pieces.append(text[:size])
        text = text[size:]
    return [*pieces, text]


def called(text: str, sizes: list[int]) -> tuple[str, list[tuple[str, str]]]:
    calling = CallFilter(SCHEMAS)
    shown = "".join(calling.feed(piece) for piece in cut(text, sizes)) + calling.finish()
    return shown, [(call.name, call.arguments) for call in calling.calls]


def read(text: str, sizes: list[int]) -> tuple[str, list[tuple[str, object]]]:
    shown, calls = called(text, sizes)
    return shown, [(name, json.loads(arguments)) for name, arguments in calls]


sizes = st.lists(st.integers(0, 9), max_size=90) | st.just([1] * 400)

#: One call of memory_search, and nothing but that.
FORMS = {
    "Hermes": f"<tool_call>\n{CALL}\n</tool_call>",
    "Hermes, capitals": f"<TOOL_CALL>{CALL}</TOOL_CALL>",
    "Hermes, closing lost": f"<tool_call>{CALL}",
    "Hermes, closed by its opening": f"<tool_call>\n{CALL}\n<tool_call>",
    "Hermes, last brace lost": f"<tool_call>{CALL[:-1]}</tool_call>",
    "Hermes, a brace too many": f"<tool_call>{CALL}}}</tool_call>",
    "Hermes, in a fence": f"```xml\n<tool_call>\n{CALL}\n</tool_call>\n```",
    "Hermes, a fence inside": f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>",
    "Hermes, a list": f"<tool_call>[{CALL}]</tool_call>",
    "several in one": f"<tool_calls>\n<tool_call>{CALL}</tool_call>\n</tool_calls>",
    "end of the turn left": f"<tool_call>{CALL}</tool_call><|im_end|>",
    "function_call": f"<function_call>{CALL}</function_call>",
    "functioncall": f"<functioncall> {CALL}",
    "tools": f"<tools>\n{CALL}\n</tools>",
    "name before the arguments": f"<tool_call>memory_search\n{ARGUMENTS}\n</tool_call>",
    "name and arguments in tags": f"<tool_call><name>memory_search</name><arguments>{ARGUMENTS}</arguments></tool_call>",
    "Qwen-Coder": f"<tool_call>\n<function=memory_search>\n<parameter=query>\n{QUERY}\n</parameter>\n</function>\n</tool_call>",
    "Qwen-Coder, opening lost": f"<function=memory_search>\n<parameter=query>\n{QUERY}\n</parameter>\n</function>\n</tool_call>",
    "Qwen-Coder, end of the parameter lost": f"<tool_call><function=memory_search><parameter=query>{QUERY}</function></tool_call>",
    "invoke": f'<function_calls>\n<invoke name="memory_search">\n<parameter name="query">{QUERY}</parameter>\n</invoke>\n</function_calls>',
    "invoke alone": f'<invoke name="memory_search"><parameter name="query">{QUERY}</parameter></invoke>',
    "GLM": f"<tool_call>memory_search\n<arg_key>query</arg_key>\n<arg_value>{QUERY}</arg_value>\n</tool_call>",
    "GLM, one line": f"<tool_call>memory_search <arg_key>query</arg_key><arg_value>{QUERY}</arg_value></tool_call>",
    "Llama": f"<function=memory_search>{ARGUMENTS}</function>",
    "Llama, closing lost": f"<function=memory_search>{ARGUMENTS}",
    "Llama, Python mark": f'<|python_tag|>{{"name": "memory_search", "parameters": {ARGUMENTS}}}',
    "Llama, Python mark and end": f'<|python_tag|>{{"name": "memory_search", "parameters": {ARGUMENTS}}}<|eom_id|>',
    "Llama, built in": f'<|python_tag|>memory_search.call(query="{QUERY}")',
    "Llama, list of calls": f'[memory_search(query="{QUERY}")]',
    "Mistral": f"[TOOL_CALLS][{CALL}]",
    "Mistral, a blank": f"[TOOL_CALLS] [{CALL}]",
    "Mistral, name first": f"[TOOL_CALLS]memory_search{ARGUMENTS}",
    "Mistral, all marks": f"[TOOL_CALLS]memory_search[CALL_ID]a1b2c3d4e[ARGS]{ARGUMENTS}",
    "DeepSeek": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>memory_search\n```json\n{ARGUMENTS}\n```"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "DeepSeek, newer": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>memory_search<｜tool▁sep｜>{ARGUMENTS}"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "DeepSeek, plain marks": f"<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>memory_search\n{ARGUMENTS}<|tool_call_end|>",
    "DeepSeek, inner mark alone": f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>memory_search\n```json\n{ARGUMENTS}\n```<｜tool▁call▁end｜>",
    "DeepSeek, newest": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="memory_search">\n'
    f'<｜DSML｜parameter name="query" string="true">{QUERY}'
    "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.memory_search:0<|tool_call_argument_begin|>"
    f"{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>",
    "LM Studio": f"[TOOL_REQUEST]{CALL}[END_TOOL_REQUEST]",
    "Granite": f"<|tool_call|>[{CALL}]",
    "Liquid": f'<|tool_call_start|>[memory_search(query="{QUERY}")]<|tool_call_end|>',
    "Command": f'<|START_ACTION|>[{{"tool_call_id": "0", "tool_name": "memory_search", "parameters": {ARGUMENTS}}}]<|END_ACTION|>',
    "OpenAI's open models": f"<|channel|>commentary to=functions.memory_search <|constrain|>json<|message|>{ARGUMENTS}<|call|>",
    "arguments beside the name": f'<tool_call>{{"name": "memory_search", "query": "{QUERY}"}}</tool_call>',
    "action": f'<tool_call>{{"action": "memory_search", "action_input": {ARGUMENTS}}}</tool_call>',
    "Gemma, full-width": f"```tool_code\nmemory_search（query=“{QUERY}”）\n```",
    "Gemma": f'```tool_code\nmemory_search(query="{QUERY}")\n```',
    "Gemma, printed": f'```tool_code\nprint(default_api.memory_search(query="{QUERY}"))\n```',
    "Gemma, place": f'```tool_code\nmemory_search("{QUERY}")\n```',
    "Gemma, small": f"<start_function_call>call:memory_search{{query:<escape>{QUERY}<escape>}}<end_function_call>",
    "fence": f"```json\n{CALL}\n```",
    "fence, tool_call": f"```tool_call\n{CALL}\n```",
    "fence, closing lost": f"```json\n{CALL}\n",
    "bare": CALL,
    "bare list": f"[{CALL}]",
    # As Qwen-Coder writes it: its template shows a call in doubled braces.
    "bare, braces twice": f"{{{CALL}}}",
    "Hermes, braces twice": f"<tool_call>\n{{{CALL}}}\n</tool_call>",
    "fence, braces twice": f"```json\n{{{CALL}}}\n```",
    "fence, all braces twice": f"```json\n{CALL.replace('{', '{{').replace('}', '}}')}\n```",
    "bare, single quotes": f"{{'name': 'memory_search', 'arguments': {{'query': '{QUERY}'}}}}",
    "single quotes": f"<tool_call>{{'name': 'memory_search', 'arguments': {{'query': '{QUERY}'}}}}</tool_call>",
    "trailing commas": f'<tool_call>{{"name": "memory_search", "arguments": {{"query": "{QUERY}",}},}}</tool_call>',
    "full-width quotes": f"<tool_call>{{“name”: “memory_search”, “arguments”: {{“query”: “{QUERY}”}}}}</tool_call>",
    "full-width marks": f"<tool_call>｛“name”：“memory_search”，“arguments”：｛“query”：“{QUERY}”｝｝</tool_call>",
    "keys without quotes": f'<tool_call>{{name: "memory_search", arguments: {{query: "{QUERY}"}}}}</tool_call>',
    "arguments as text": f"<tool_call>{json.dumps({'name': 'memory_search', 'arguments': ARGUMENTS})}</tool_call>",
    "name with its place": f'<tool_call>{{"name": "functions.memory_search", "arguments": {ARGUMENTS}}}</tool_call>',
    "the whole API form": f'{{"tool_calls": [{{"id": "1", "type": "function", "function": {CALL}}}]}}',
    "the name as key": f'```json\n{{"memory_search": {ARGUMENTS}}}\n```',
}


@pytest.mark.parametrize("before", ["", "Let me look that up.\n", "我来查一下：\n\n"])
@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, max_examples=10)
@given(sizes=sizes)
def test_a_call_is_read_in_every_form_and_never_shown(form: str, before: str, sizes: list[int]) -> None:
    assert read(before + FORMS[form], sizes) == (before, [("memory_search", {"query": QUERY})])


#: Forms that say where they end, so that an answer can stand behind them.
_OPEN_ENDED = (
    "lost",
    "closed by",
    "bare",
    "Python mark",
    "built in",
    "list of calls",
    "name first",
    "all marks",
    "plain marks",
    "functioncall",
    "Granite",
    "API form",
)


@pytest.mark.parametrize("form", [form for form in FORMS if not any(word in form for word in _OPEN_ENDED)])
@settings(deadline=None, max_examples=10)
@given(sizes=sizes)
def test_what_stands_behind_a_call_is_shown(form: str, sizes: list[int]) -> None:
    behind = "好的，我查到了。 Done <b>it</b>."
    assert read(f"{FORMS[form]}\n\n{behind}", sizes) == (behind, [("memory_search", {"query": QUERY})])


@pytest.mark.parametrize(
    "form", [form for form in FORMS if not any(word in form for word in ("bare", "list of calls", "API form", "lost"))]
)
def test_two_calls_are_both_read(form: str) -> None:
    assert read(f"{FORMS[form]}\n{FORMS[form]}", [7] * 200) == ("", [("memory_search", {"query": QUERY})] * 2)


@pytest.mark.parametrize("form", FORMS)
def test_a_call_of_an_unknown_tool_is_shown(form: str) -> None:
    text = FORMS[form].replace("memory_search", "get_weather")
    for sizes in ([], [1] * 400):
        assert called(text, sizes) == (text, [])


def test_two_bare_calls_in_doubled_braces_are_both_read() -> None:
    text = f"{{{CALL}}}\n{{{CALL}}}"
    for sizes in ([], [1] * 300):
        assert read(text, sizes) == ("", [("memory_search", {"query": QUERY})] * 2)


def test_values_in_tags_become_what_the_tool_wants() -> None:
    for text in (
        "<tool_call><function=memory_search><parameter=query>2026</parameter><parameter=page>2</parameter></function></tool_call>",
        "<tool_call>memory_search<arg_key>query</arg_key><arg_value>2026</arg_value><arg_key>page</arg_key><arg_value>2</arg_value></tool_call>",
    ):
        assert read(text, []) == ("", [("memory_search", {"query": "2026", "page": 2})])


def test_a_call_whose_arguments_nobody_can_read_is_not_shown_and_stays_broken() -> None:
    for sizes in ([], [1] * 200):
        shown, calls = called('<tool_call>{"name": "memory_search", "arguments": {"query": "吃}}</tool_call> 好', sizes)
        assert (shown, [name for name, _ in calls]) == ("好", ["memory_search"])
        with pytest.raises(ValueError):
            json.loads(calls[0][1])


def test_lines_of_a_value_are_kept() -> None:
    text = "<function=memory_search>\n<parameter=query>\n  first\n\nsecond “<b>”\n</parameter>\n</function>"
    assert read(text, [3] * 40) == ("", [("memory_search", {"query": "  first\n\nsecond “<b>”"})])


def test_a_name_alone_calls_a_tool_without_arguments_where_a_mark_says_so() -> None:
    assert read("<tool_call>memory_list\n</tool_call>", []) == ("", [("memory_list", {})])
    for text in ("<tool_call>memory_search</tool_call>", "```\nmemory_list\n```", "memory_list"):
        assert called(text, []) == (text, [])


def test_a_closing_in_a_string_does_not_end_a_call() -> None:
    query = "what is </tool_call> and ``` and </function>?"
    arguments = json.dumps({"query": query})
    for frame in ("<tool_call>{}</tool_call> ok", "```json\n{}\n``` ok"):
        text = frame.format(f'{{"name": "memory_search", "arguments": {arguments}}}')
        for sizes in ([], [1] * 400):
            assert read(text, sizes) == ("ok", [("memory_search", {"query": query})])
    assert read(f"<function=memory_search>{arguments}</function> ok", [2] * 200) == ("ok", [("memory_search", {"query": query})])


@pytest.mark.parametrize(
    "text", [f"[TOOL_CALLS][{CALL}]\n\nOne moment.", f"<tool_call>{CALL}\n\nOne moment.", f"<|python_tag|>{CALL}\nOne moment."]
)
@settings(deadline=None, max_examples=10)
@given(sizes=sizes)
def test_an_answer_behind_a_call_whose_end_is_lost_is_shown(text: str, sizes: list[int]) -> None:
    assert read(text, sizes) == ("One moment.", [("memory_search", {"query": QUERY})])


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "memory_search", "arguments": {"query": "foo',
        "<tool_call>\n<function=memory_search>\n<parameter=query>\nfoo",
        "<tool_call>memory_search\n<arg_key>query</arg_key>\n<arg_value>foo",
        '<function=memory_search>{"query": "foo',
        '[TOOL_CALLS]memory_search{"query": "foo',
        '[TOOL_CALLS][{"name": "memory_search", "arguments": {"query": "foo',
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>memory_search\n```json\n{"query": "foo',
        '```json\n{"name": "memory_search", "arguments": {"query": "foo',
        '{"name": "memory_search", "arguments": {"query": "foo',
    ],
)
@settings(deadline=None, max_examples=10)
@given(sizes=sizes)
def test_a_call_that_is_cut_is_not_shown_and_cannot_be_taken_for_a_whole_one(text: str, sizes: list[int]) -> None:
    shown, calls = called(f"Let me see.\n{text}", sizes)
    assert (shown, [name for name, _ in calls]) == ("Let me see.\n", ["memory_search"])
    with pytest.raises(ValueError):
        json.loads(calls[0][1])


#: Answers of people's questions about tools, tags and code.
TALK = [
    '调用时写 <tool_call>{"name": "memory_search", "arguments": {...}}</tool_call>。',
    '<tool_call>{"name": "memory_search", "arguments": …}</tool_call> is the form.',
    '<tool_call>{"name": "memory_search", "arguments": <args-json-object>}</tool_call>',
    '```json\n{"name": "memory_search", "arguments": {…}}\n```',
    "Qwen writes <tool_call> before a call and </tool_call> after it.",
    "通义千问在调用工具前写 <tool_call>，之后写 </tool_call>。",
    'A call looks like this: <tool_call>{"name": …, "arguments": …}</tool_call>.',
    '工具调用的格式是：\n```xml\n<tool_call>\n{"name": "函数名", "arguments": {"参数": "值"}}\n</tool_call>\n```\n明白了吗？',
    "My tools are memory_search and memory_list.",
    "我的工具有 memory_search(query) 和 memory_list()。",
    "```\nmemory_search\nmemory_list\n```",
    "I would write `<tool_call>" + CALL + "</tool_call>` for that.",
    "`<function=memory_search>{}</function>` 是 Llama 的写法。",
    "Use <function=name> with <parameter=x>; <tools> lists them, <|python_tag|> runs code.",
    "[TOOL_CALLS] is Mistral's mark, [TOOL_REQUEST] LM Studio's.",
    "[链接](https://example.com) 在这里。\n[memory_search](#memory_search) is described below.",
    "<｜tool▁calls▁begin｜> 是 DeepSeek 的标记。",
    "```python\nmemory_search(query='food')\n```",
    "```python\nprint({'name': 'x'})\n```\n好了",
    '```json\n{"name": "小雨", "arguments": ["钢琴"]}\n```',
    '{"name": "Alice", "parameters": {"age": 3}}',
    "{'name': '小雨'}",
    "[1, 2, 3]",
    '["memory_search", "memory_list"]',
    "<tool_call>memory_search is a tool of mine.</tool_call>",
    "<tool_call>",
    "a < b && c > d <",
    "``` and `` and `",
    "````\n```json\n{}\n```\n````",
    '<tools>\n{"type": "function", "function": {"name": "get_weather"}}\n</tools>',
    "“name”: “memory_search”",
    'The first step:\n{"step": 1, "name": "memory_search"}',
    "｛“name”：“小雨”｝",
]


@pytest.mark.parametrize("text", TALK)
@settings(deadline=None, max_examples=20)
@given(sizes=sizes)
def test_talk_about_calls_is_shown_unchanged(text: str, sizes: list[int]) -> None:
    assert called(text, sizes) == (text, [])


_PIECES = [
    "<tool_call>",
    "</tool_call>",
    "<function=memory_search>",
    "<parameter=query>",
    "</parameter>",
    "</function>",
    "```",
    "json\n",
    "tool_code\n",
    CALL,
    CALL[:-1],
    ARGUMENTS,
    "memory_search",
    "(query='x')",
    "[",
    "]",
    "{",
    "}",
    "\n",
    " ",
    "好的",
    "a",
    '"',
    "'",
    "`",
    "[TOOL_CALLS]",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<|python_tag|>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "\\",
    "<tools>",
    "<TOOL_CALL>",
    '{"name": ',
    "get_weather",
    ",",
    ":",
    "<|im_end|>",
]


@settings(deadline=None, max_examples=300)
@given(pieces=st.lists(st.sampled_from(_PIECES), max_size=14), sizes=sizes)
def test_any_text_is_read_the_same_however_it_is_cut(pieces: list[str], sizes: list[int]) -> None:
    text = "".join(pieces)
    whole = called(text, [])
    assert called(text, sizes) == whole == called(text, [1] * len(text))


@settings(deadline=None, max_examples=100)
@given(pieces=st.lists(st.sampled_from([piece for piece in _PIECES if "memory" not in piece]), max_size=14), sizes=sizes)
def test_no_text_is_lost_without_a_known_name(pieces: list[str], sizes: list[int]) -> None:
    text = "".join(pieces)
    assert called(text, sizes) == (text.lstrip(), [])


@pytest.mark.parametrize("text", ["Plain words, 中文, code_like.names and 3 * 4 = 12.", "See [a list](x), {a} and f(x)."])
def test_plain_text_is_never_held_back(text: str) -> None:
    calling = CallFilter(SCHEMAS)
    held = 0
    for at, character in enumerate(text):
        held += 1 - len(calling.feed(character))
        # A bracket that may begin a mark waits for one more character.
        assert held <= (1 if character == "[" else 0), text[: at + 1]


def test_talk_about_a_mark_is_shown_at_once() -> None:
    calling = CallFilter(SCHEMAS)
    assert calling.feed("The mark <tool_call> is") == "The mark <tool_call> is"
    assert calling.feed(" Qwen's. ```python\nx = 1") == " Qwen's. ```python\nx = 1"
    assert calling.feed('\n{"city": ') == '\n{"city": '


def test_a_text_that_is_too_long_for_a_call_is_shown() -> None:
    for text in (
        f"<tool_call>{CALL[:-2]}" + "x" * 9_000,
        f'<tool_call>{{"name": "memory_search", "arguments": {{"query": "{"长" * 9_000}"}}}}</tool_call>',
    ):
        for sizes in ([], [100] * 200, [7_000, 1_300, 30, 5]):
            assert called(text, sizes) == (text, [])
