"""Readers of tool calls that models spell out in their text, each of one form. Pure.

A text is read as calls only if it is nothing but calls of known tools. What holds a call (tags, fences) is the business of ``marks``.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pagefile.language.json_text import object_text
from pagefile.language.loose_json import read_loose
from pagefile.language.patterns import late_pattern
from pagefile.models.marks import folded, past_noise

_DECODER = json.JSONDecoder()
#: Names of the keys a call can begin with. A JSON text that begins with another key is an answer.
CALL_KEYS = frozenset(
    (
        *("name", "function", "function_name", "tool", "tool_name", "action", "arguments", "parameters", "args", "type", "id"),
        *("tool_calls", "tool_call", "tool_call_id"),
    )
)
_NAMES = ("name", "tool_name", "function_name", "tool", "function", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
_LISTS = ("tool_calls", "tool_call", "calls")

_QUOTE = "[\"'“”‘’]"
_FIRST_KEY = late_pattern(rf"\s*(?:\[\s*)?[{{｛]{{1,2}}\s*{_QUOTE}?([\w ]*?){_QUOTE}?\s*[:：]")
_FIRST_NAME = late_pattern(
    rf"\s*(?:\[\s*)?[{{｛]{{1,2}}\s*{_QUOTE}?(?:tool_|function_)?name{_QUOTE}?\s*[:：]\s*{_QUOTE}([^\"'“”‘’]*){_QUOTE}"
)
#: After its bracket comes what begins neither a call nor a list of calls.
_NO_KEY = late_pattern(r"\s*(?:\[\s*)?[{｛]{1,2}\s*[^\s\"'“‘\w{｛]|\s*(?:\[\s*)?[{｛]{3}")
_DOUBLED = late_pattern(rf"[^{{]*\{{\{{\s*{_QUOTE}")
_LIST = late_pattern(r"\s*\[\s*(?=[^\s{｛])")
_BEFORE_NAME = late_pattern(r"(?:call:|print\(|functions?\.|default_api\.|tools?\.)*", re.IGNORECASE)
#: What a name that stands before its arguments may begin with.
_LEADING = ("call:", "print(", "function", "default_api.", "tool", "to=functions.")
_FIRST_ARGUMENT = late_pattern(rf"\s*,\s*{_QUOTE}(?:arguments|parameters){_QUOTE}\s*:\s*[{{\"]\s*{_QUOTE}")
#: Somebody shows how a call is written.
_DOTS = late_pattern(r"[{\[:]\s*(?:\.\.\.|…)")
_ARGUMENTS_BEGUN = late_pattern(rf"\s*,\s*{_QUOTE}(?:arguments|parameters|args){_QUOTE}\s*:\s*[{{\"](?!.*[}}\]]\s*\S)", re.DOTALL)
_NAME = late_pattern(r"\s*(?:call:)?[\"'`]?([^\s\"'`{}()\[\]<>|,]+?)(?::\d+)?[\"'`]?\s*(?=[{｛\[<`])")

_TAG = late_pattern(r"<(?:function|invoke)(?:\s*=\s*|\s+name\s*=\s*)[\"']?([^>\"'\s]+)[\"']?\s*>", re.IGNORECASE)
_TAG_END = late_pattern(r"(</(?:function|invoke)>)|(?=<(?:function|invoke)[=\s])|\Z", re.IGNORECASE)
_PARAMETER = late_pattern(
    r"<param(?:eter)?(?:\s*=\s*|\s+name\s*=\s*)[\"']?([^>\"'\s]+)[\"']?(?:\s+\w+\s*=\s*\"[^\"]*\")*\s*>(.*?)"
    r"(?:</param(?:eter)?>|(?=<param(?:eter)?[=\s])|(\Z))",
    re.DOTALL | re.IGNORECASE,
)
_NAMED_TAGS = late_pattern(r"<name>\s*([^<]+?)\s*</name>\s*<(arguments|parameters)>(.*?)</\2>", re.DOTALL)
_KEYED = late_pattern(r"\s*([^\s<>{}\[\]()\"'`]+)\s*((?:<arg_key>.*?</arg_key>\s*<arg_value>.*?</arg_value>\s*)*)", re.DOTALL)
_PAIR = late_pattern(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_ESCAPES = late_pattern(r"<escape>|<\|\"\|>")
_PLAIN_QUOTES = str.maketrans("“”‘’（），", "\"\"''(),")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}

Tools = Mapping[str, Mapping[str, Any]]


class SpelledCall(NamedTuple):
    """A tool call that a model wrote as text. ``arguments`` is the text of a JSON object, or of the beginning of one that was cut."""

    name: str
    arguments: str


def tools_of(known: Collection[str]) -> Tools:
    """Each known tool with the JSON schema of its arguments; an empty one where only the names are given."""
    return known if isinstance(known, Mapping) else {name: {} for name in known}


def can_begin(text: str, tools: Tools) -> bool:
    """Whether a text begins as a call of a known tool does, as far as it goes. Once false, it stays so however the text goes on."""
    text = text.lstrip()
    if (listed := _LIST.match(text)) is not None:
        return _can_name(text[listed.end() :], tools)
    if text.startswith(("{", "[", "｛")):
        key, name = _FIRST_KEY.match(text), _FIRST_NAME.match(text)
        if _NO_KEY.match(text) or (key and key[1] not in CALL_KEYS and key[1] not in tools):
            return False
        return name is None or _known(name[1], tools) is not None
    return text.startswith(("<", "|", "`")) or _can_name(text, tools)


def _can_name(text: str, tools: Tools) -> bool:
    small = folded(text).lstrip("\"'")
    return any(small[: len(word)] == word[: len(small)] for word in (*_LEADING, *map(folded, tools)))


def read_calls(text: str, tools: Tools, *, marked: bool) -> list[SpelledCall]:
    """The calls in a text that is nothing but calls of known tools, one after another; else none. One that is cut at its end is left
    out behind whole ones: nobody can do anything with it. ``marked``: so clearly that the name alone is a call."""
    text = _ESCAPES.sub('"', text.replace("｜DSML｜", "").replace("|DSML|", ""))
    if _DOUBLED.match(text):
        # Some templates show a call in the braces of the language they are written in, and models write what they are shown.
        text = text.replace("{{", "{").replace("}}", "}")
    for read in (_in_json, _in_tags, _in_named_tags, _in_keys if marked else _in_pairs, _in_python):
        if calls := read(text, tools):
            return calls
    return []


def leading_calls(text: str, tools: Tools) -> tuple[list[SpelledCall], int]:
    """The calls that a text begins with and goes on behind, and their length."""
    for bracket in ("[", "{"):
        try:
            end = _DECODER.raw_decode(text, text.index(bracket))[1]
        except (ValueError, RecursionError):
            continue
        if calls := read_calls(text[:end], tools, marked=True):
            return calls, end
    return [], 0


def broken_call(text: str, tools: Tools) -> SpelledCall | None:
    """The call of a known tool that stands between its marks, but whose arguments nobody can read."""
    named = _FIRST_NAME.match(text, past_noise(folded(text), 0))
    rest = text[named.end() :] if named else ""
    name = _known(named[1], tools) if named else None
    return SpelledCall(name, "{" + rest) if name and _FIRST_ARGUMENT.match(rest) and not _DOTS.search(rest) else None


def cut_call(text: str, tools: Tools, *, marked: bool) -> SpelledCall | None:
    """The call of a known tool that a text begins with and does not end: without a mark, only one whose arguments have begun."""
    at = past_noise(folded(text), 0)
    if _DOTS.search(text):
        return None
    if (named := _FIRST_NAME.match(text, at)) is not None:
        name, rest = _known(named[1], tools), text[named.end() :]
        return SpelledCall(name, "{" + rest) if name and (marked or _ARGUMENTS_BEGUN.match(rest)) else None
    if not marked:
        return None
    if (tag := _TAG.match(text, at)) is not None:
        name = _known(tag[1], tools)
        return SpelledCall(name, "{" + text[tag.end() :]) if name else None
    start = _BEFORE_NAME.match(text, at)
    rest = text[start.end() if start else at :]
    name = next((name for name in sorted(tools, key=len, reverse=True) if rest.startswith(name)), None)
    return SpelledCall(name, "{" + rest[len(name) :]) if name and not rest[len(name) : len(name) + 1].isalnum() else None


def _known(written: str, tools: Tools) -> str | None:
    """The tool that a model means by a name."""
    name = written.strip(" \t\r\n\"'`")
    bare = re.sub(r":\d+$", "", name[found.end() :] if (found := _BEFORE_NAME.match(name)) else name)
    return next((one for one in (name, bare) if one in tools), None)


# --- JSON, also with the name before it -----------------------------------------------------------------------------------------


def _in_json(text: str, tools: Tools) -> list[SpelledCall]:
    """``{"name": …, "arguments": {…}}``, lists of these, ``name{…}``, one after another."""
    small, at = folded(text), 0
    calls: list[SpelledCall] = []
    while (at := past_noise(small, at)) < len(text):
        if calls and not text[at:].strip(" \t\r\n}]｝］"):
            break
        name = None
        if text[at] not in "{[｛":
            found = _NAME.match(text, at)
            name = _known(found[1], tools) if found else None
            if found is None or name is None:
                return []
            at = past_noise(small, found.end())
        values, end = _decoded(text, at)
        if not values and calls and name is None and can_begin(text[at:], tools):
            break  # cut
        made = [_as_call(value, tools) if name is None else _named(name, value) for value in values]
        if not made or None in made:
            return []
        calls += [call for call in made if call is not None]
        at = end
    return calls


def _decoded(text: str, at: int) -> tuple[list[Any], int]:
    """The JSON value that stands there, a list's one by one, and its end. The last of a text is read even if it is not quite JSON."""
    for lost in ("", "}", "}}", "]", "}]", "}}]"):
        try:
            value, end = _DECODER.raw_decode(text.rstrip() + lost if lost else text, at)
        except (ValueError, RecursionError):
            continue
        return (value if isinstance(value, list) else [value]), min(end, len(text))
    rest = text[at:].rstrip(" \t\r\n`;")
    if _DOTS.search(rest):
        return [], at
    # Where the text ends in words, it goes on behind its JSON.
    if not rest.endswith(tuple("}]｝］\"'”’")):
        return [], at
    loose = read_loose(rest)
    values = [one for root in loose.containers for one in (root if isinstance(root, list) else [root])]
    return ([], at) if loose.cut else (values, len(text))


def _as_call(value: Any, tools: Tools) -> SpelledCall | None:
    if not isinstance(value, dict):
        return None
    for key in _LISTS:
        held = value.get(key)
        if isinstance(held, list) and len(held) == 1:
            return _as_call(held[0], tools)
        if isinstance(held, dict):
            return _as_call(held, tools)
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    written = next((inner[key] for key in _NAMES if isinstance(inner.get(key), str)), None)
    if written is None and len(value) == 1:
        # {"name_of_the_tool": {…}}
        ((written, arguments),) = value.items()
        return _named(written, arguments) if written in tools else None
    name = _known(written, tools) if written is not None else None
    if name is None:
        return None
    # Some write the arguments beside the name.
    wanted = tools[name].get("properties") or {}
    beside = {key: one for key, one in inner.items() if key in wanted and key not in _NAMES}
    return _named(name, next((inner[key] for key in _ARGUMENTS if key in inner), beside))


def _named(name: str, arguments: Any) -> SpelledCall | None:
    """The call; None if the arguments are none: what only shows how a call is written has dots there, or a word."""
    if isinstance(arguments, str) and arguments.strip():
        loose = read_loose(arguments)
        arguments = json.loads(arguments) if object_text(arguments) != "{}" else next(iter(loose.containers), arguments)
    if isinstance(arguments, dict):
        return SpelledCall(name, object_text(arguments))
    return None if arguments else SpelledCall(name, "{}")


# --- tags ---------------------------------------------------------------------------------------------------------------------


def _in_tags(text: str, tools: Tools) -> list[SpelledCall]:
    """``<function=name><parameter=key>value</parameter></function>``, ``<function=name>{…}</function>``, ``<invoke name="…">``."""
    small, calls, at = folded(text), [], 0
    while (at := past_noise(small, at)) < len(text):
        found = _TAG.match(text, at)
        name = _known(found[1], tools) if found else None
        if found is None or name is None:
            return []
        body = text[found.end() :]
        if body.lstrip().startswith(("{", "｛")):
            values, length = _decoded(body, len(body) - len(body.lstrip()))
            if len(values) != 1 or not isinstance(values[0], dict):
                return []
            calls.append(SpelledCall(name, object_text(values[0])))
            end = _TAG_END.match(text, past_noise(small, found.end() + length))
            at = end.end() if end else found.end() + length
            continue
        end = _TAG_END.search(body)
        body = body[: end.start()] if end else body
        parameters = list(_PARAMETER.finditer(body))
        if _PARAMETER.sub("", body).strip():
            return []
        arguments = {one[1]: _typed(one[2], one[1], tools[name]) for one in parameters}
        cut = bool(parameters) and parameters[-1][3] is not None and not (end and end[1])
        calls.append(SpelledCall(name, json.dumps(arguments, ensure_ascii=False)[: -1 if cut else None]))
        at = found.end() + (end.end() if end else len(body))
    return calls


def _in_named_tags(text: str, tools: Tools) -> list[SpelledCall]:
    """``<name>…</name><arguments>{…}</arguments>``."""
    found = list(_NAMED_TAGS.finditer(text))
    calls = [_named(name, one[3]) for one in found if (name := _known(one[1], tools))]
    whole = len(calls) == len(found) and past_noise(folded(_NAMED_TAGS.sub("", text)), 0) == len(_NAMED_TAGS.sub("", text))
    return [call for call in calls if call] if whole else []


def _in_pairs(text: str, tools: Tools) -> list[SpelledCall]:
    """The same with arguments."""
    return _in_keys(text, tools) if "<arg_key>" in text else []


def _in_keys(text: str, tools: Tools) -> list[SpelledCall]:
    """``name<arg_key>key</arg_key><arg_value>value</arg_value>``; ``name`` alone for a tool that needs no arguments."""
    small, calls, at = folded(text), [], 0
    while (at := past_noise(small, at)) < len(text):
        found = _KEYED.match(text, at)
        name = _known(found[1], tools) if found else None
        if found is None or name is None or (not found[2] and tools[name].get("required")):
            return []
        at = found.end()
        arguments = {pair[1]: _typed(pair[2], pair[1], tools[name]) for pair in _PAIR.finditer(found[2])}
        calls.append(SpelledCall(name, json.dumps(arguments, ensure_ascii=False)))
    return calls


def _typed(written: str, key: str, schema: Mapping[str, Any]) -> Any:
    """The value of a tag: a text, unless the tool wants something else there."""
    written = written.removeprefix("\n").removesuffix("\n")
    properties = schema.get("properties")
    wanted = properties.get(key) if isinstance(properties, Mapping) else None
    kinds = _kinds(wanted) if isinstance(wanted, Mapping) else set()
    if "string" in kinds:
        return written
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        return _WORDS.get(written.strip().lower(), written) if kinds else written
    return value if kinds or isinstance(value, dict | list) else written


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema lets through, as far as it says them."""
    said = schema.get("type")
    kinds = set(said) if isinstance(said, list) else {said} if isinstance(said, str) else set()
    for way in ("anyOf", "oneOf"):
        for one in schema.get(way) or ():
            kinds |= _kinds(one)
    return kinds


# --- Python -------------------------------------------------------------------------------------------------------------------


def _in_python(text: str, tools: Tools) -> list[SpelledCall]:
    """``name(key="value")``, in a list, in ``print(…)``, one after another."""
    small = folded(text)
    source = text[past_noise(small, 0) :].rstrip(" \t\r\n`;")
    if not set("\"'") & set(source):
        source = source.translate(_PLAIN_QUOTES)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # a backslash in what a model writes is nobody's mistake
            statements = ast.parse(source).body
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    calls: list[SpelledCall] = []
    for statement in statements:
        value = statement.value if isinstance(statement, ast.Expr) else None
        for one in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
            call = _python_call(one, tools)
            if call is None:
                return []
            calls.append(call)
    return calls


def _python_call(node: ast.expr | None, tools: Tools) -> SpelledCall | None:
    if not isinstance(node, ast.Call):
        return None
    written = ast.unparse(node.func).removesuffix(".call")
    if written == "print" and len(node.args) == 1 and not node.keywords:
        return _python_call(node.args[0], tools)
    name = _known(written, tools)
    if name is None:
        return None
    try:
        given = [_literal(argument) for argument in node.args]
        arguments = {keyword.arg: _literal(keyword.value) for keyword in node.keywords if keyword.arg}
    except (ValueError, TypeError, RecursionError):
        return None
    if len(given) == 1 and isinstance(given[0], dict) and not arguments:
        return SpelledCall(name, object_text(given[0]))
    places = list(tools[name].get("properties") or ())
    if len(given) > len(places) or len(arguments) < len(node.keywords):
        return None
    return SpelledCall(name, object_text({**dict(zip(places, given, strict=False)), **arguments}))


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    return ast.literal_eval(node)
