"""Whatever a model wrote or a program handed over, what is sent on can be read again."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.json_text import object_text, sound_value

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])) | st.binary(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(st.characters(exclude_categories=[])) | st.integers(), inside),
    max_leaves=10,
)


@pytest.mark.parametrize("written", ['{"a": 1}', '{ "query":"早报" }', "{}", '{"a": {"b": [1.5, null, true]}}', '{"a": "\\ud83d\\ude00"}'])
def test_an_object_stays_as_it_was_written(written: str) -> None:
    assert object_text(written) == written


@pytest.mark.parametrize(
    "broken",
    [
        '{"a":',
        '{"a": 1}}',
        "null",
        "[1]",
        '"x"',
        "",
        None,
        7,
        [1],
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a":' * 100_000,
        f'{{"a": {"9" * 5_000}}}',
    ],
)
def test_what_is_no_object_becomes_an_empty_one(broken: object) -> None:
    assert object_text(broken) == "{}"


def test_what_cannot_be_read_again_is_mended() -> None:
    assert object_text('{"a": "\\ud800"}') == '{"a": "\ufffd"}'
    assert object_text('{"a": 1e999}') == '{"a": null}'
    assert object_text({"吃": ("辣", math.nan)}) == '{"吃": ["辣", null]}'


def test_a_value_that_holds_itself_becomes_an_empty_object() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    assert object_text(endless) == "{}"


@given(anything)
def test_any_value_becomes_json(value: Any) -> None:
    json.dumps(sound_value(value), ensure_ascii=False, allow_nan=False).encode("utf-8")
    text = object_text({"value": value})
    assert json.loads(text).keys() == {"value"}
    assert object_text(text) == text
