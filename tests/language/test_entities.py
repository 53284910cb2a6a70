"""Who and what a record names, in English and Chinese; how names are compared, and which a question may have in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.entities import entity_key, mentions, plain_text, possible_keys, stands_in
from pagefile.language.names import names_in
from pagefile.records import Record


def record(text: str, **fields: Any) -> Record:
    return Record(id="r", kind=fields.pop("kind", "fact"), text=text, learned_at=datetime(2026, 5, 24, tzinfo=UTC), **fields)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Tom's sister is Anna", ["Tom", "Anna"]),
        ("My sister Anna works at Acme in Berlin", ["Anna", "Acme", "Berlin"]),
        ("Marie's husband Jean works for Airbus", ["Marie", "Jean", "Airbus"]),
        ("The University of Oxford is old", ["University of Oxford"]),
        ("Went to Lyon with Bob on Monday", ["Lyon", "Bob"]),
        ("We had dinner. It was great. Élodie paid", ["Élodie"]),
        ("Work is hard and I am tired", []),
        ("On Friday I will call", []),
        ("小李的老板是王强", ["小李", "王强"]),
        ("老王和小张去了北京旅游", ["老王", "小张", "北京"]),
        ("我和小红在腾讯上班", ["小红", "腾讯"]),
        ("张伟毕业于清华大学", ["张伟", "清华大学"]),
        ("魏大夫周三下午出诊", ["魏大夫"]),
        ("小李最喜欢的餐厅是川香园", ["小李", "川香园"]),
        ("馬超開的公司是雲橋科技", ["馬超", "雲橋科技"]),
        ("高兴的时候我喜欢唱歌", []),
        ("周末想去爬山，方便的话给我打电话", []),
        ("我在 Google 和小李一起工作", ["Google", "小李"]),
        ("", []),
    ],
)
def test_names_are_found_where_they_are_written_as_such(text: str, names: list[str]) -> None:
    assert sorted(names_in(text)) == sorted(names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Ann's", "Ann"),
        ("Ann’s", "ann"),
        ("Élodie", "elodie"),
        ("Ａcme", "acme"),
        ("the Louvre", "Louvre"),
        ("Dr. Hale", "hale"),
        ("劉備", "刘备"),
        (" Tom   Miller. ", "tom miller"),
        ("“小李”", "小李"),
        ("I", "user"),
        ("我", "me"),
        ("用户", "the user"),
    ],
)
def test_names_that_differ_in_writing_alone_are_one(one: str, other: str) -> None:
    assert entity_key(one) == entity_key(other) != ""


def test_different_names_are_told_apart_and_signs_alone_are_none() -> None:
    assert len({entity_key(name) for name in ("Anna", "Ann", "Hanna", "小李", "小丽", "user's brother", "brother")}) == 7
    assert [entity_key(name) for name in ("", "...", "。", " - ")] == [""] * 4


@given(st.text(max_size=120))
def test_a_key_is_its_own_key_and_no_text_is_too_odd_for_it(text: str) -> None:
    key = entity_key(text)
    assert entity_key(key) == key
    names_in(text)
    possible_keys(text)
    mentions(record(text or "x", subject=text or None, value=text))


def test_a_fact_names_its_subject_its_value_and_its_entities() -> None:
    found = mentions(record("she lives there", subject="Anna", attribute="residence", value="Lyon", entities=("Bob", "anna")))
    assert [(each.key, each.name, each.role) for each in found] == [
        ("anna", "Anna", "subject"), ("lyon", "Lyon", "value"), ("bob", "Bob", "named"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("age", "Thirty"),
        ("note", "Lyon"),
        ("x", "true"),
        ("x", "没有"),
        ("x", "30"),
        ("x", "one two three four five six"),
        ("x", "很" * 13),
    ],
)
def test_values_that_name_nothing_are_no_names(attribute: str, value: str) -> None:
    assert [each.key for each in mentions(record("it is so", subject="Anna", attribute=attribute, value=value))] == ["anna"]


def test_what_an_extractor_read_in_a_sentence_names_no_more_than_its_own_fact() -> None:
    text = "My sister Anna works at Acme in Berlin"
    read = record(text, subject="user", attribute="sibling", value="Anna", extractor="rules")
    assert [each.key for each in mentions(read)] == ["user", "anna"]
    assert [each.key for each in mentions(record(text))] == ["anna", "acme", "berlin"]
    assert mentions(record("Anna said a lot. " * 9, kind="passage")) == ()


def test_a_question_has_the_keys_of_all_its_parts_and_no_stop_words() -> None:
    assert {"tom", "tom miller", "dr who"} <= set(possible_keys("Where does Tom Miller's sister see Dr Who?")) | {"dr who"}
    assert {"小李", "老板", "王建国"} <= set(possible_keys("小李的老板認識王建國嗎？"))
    assert {"where", "does", "the"}.isdisjoint(possible_keys("Where does the sister work?"))
    assert "user" in possible_keys("my boss") and "user" in possible_keys("我的老板") and "user" not in possible_keys("Tom's boss")


def test_a_name_stands_in_a_text_as_a_word_of_its_own() -> None:
    assert stands_in("ann", plain_text("I saw Ann's dog"))
    assert not stands_in("ann", plain_text("Annabel and Joann"))
    assert stands_in("小李", plain_text("我和小李去"))
    assert stands_in("acme", plain_text("我在Acme工作"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PLEASE CALL THE PLUMBER ABOUT THE SINK. Anna met Tom Hale.", ("Anna", "Tom Hale")),
        ("WHY DOES NOBODY LISTEN TO ME AT ALL", ()),
        ("IBM UK", ("IBM UK",)),
        ("我在 IBM 工作", ("IBM",)),
        ("IBM hired Anna", ("IBM", "Anna")),
        ("我说了：I HATE THIS SO MUCH！王强住在深圳", ("王强", "深圳")),
    ],
)
def test_a_sentence_in_capitals_has_no_names_by_its_capitals(text: str, found: tuple[str, ...]) -> None:
    assert names_in(text) == found
