from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pagefile.language.words import query_terms, terms
from pagefile.queries import ASKS
from pagefile.records import Indexing, Record
from pagefile.retrieval.indexing import MAX_EMBEDDED, MAX_INDEXED, asks, embedding_hash, embedding_text, message_indexing, record_indexing

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def index(text: str, *, role: str = "user", speaker: str | None = None) -> Indexing:
    return message_indexing(role=role, speaker=speaker, text=text, said_at=SAID)


def record(text: str, **fields: object) -> Record:
    return Record(id="r1", kind="fact", text=text, learned_at=SAID, **fields)  # type: ignore[arg-type]  # any field


@pytest.mark.parametrize("question", ["lunch", "What did Ann eat?", "in May 2023", "五月", "2023年5月8日"])
def test_a_message_is_found_by_its_words_its_speaker_and_its_date(question: str) -> None:
    assert set(query_terms(question)) & set(index("we had lunch", speaker="Ann").terms)


@pytest.mark.parametrize("question", ["腾讯", "腾讯云", "张三", "itgc"])
def test_chinese_and_the_ascii_inside_it_are_found(question: str) -> None:
    assert set(query_terms(question)) & set(index("重跑gen-itgc后，服务器部署在腾讯云", speaker="张三").terms)


def test_a_system_message_is_not_indexed() -> None:
    assert index("You are a helpful assistant", role="system") == Indexing()


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_not_indexed_not_even_by_its_date(text: str) -> None:
    assert index(text, speaker="Ann") == Indexing()


@pytest.mark.parametrize(
    "text",
    [
        "What did you eat?",
        "我们吃什么？",
        "你吃了吗",
        "她呢…",
        'He said "really?"',
        "Lovely! And you? 😊"[:-2],
        "Who's there?)",
        "真的吗？！",
    ],
)
def test_what_ends_in_a_question_is_marked(text: str) -> None:
    assert asks(text)
    assert index(text).terms[ASKS] == 1


@pytest.mark.parametrize("text", ["We had lunch.", "我们吃了午饭。", "Why? Because I was hungry.", "你问为什么？因为我饿了。", "吗啡", ""])
def test_what_tells_is_not(text: str) -> None:
    assert not asks(text)
    assert ASKS not in index(text).terms


@pytest.mark.parametrize("text", ["What? Why?", "什么？", "?", "a ? b ?? c", "C++?"])
def test_no_words_are_taken_for_that_mark(text: str) -> None:
    assert ASKS not in query_terms(text)
    assert ASKS not in terms(text)


def test_output_of_a_tool_is_found_by_words_and_not_embedded() -> None:
    indexing = index("ls: no such file", role="tool")
    assert indexing.terms
    assert not indexing.embedding_hash


def test_a_huge_text_is_indexed_by_its_beginning() -> None:
    indexing = index("beginning " + "x " * MAX_INDEXED + " ending")
    assert set(query_terms("beginning")) <= set(indexing.terms)
    assert not set(query_terms("ending")) & set(indexing.terms)


def test_the_hash_changes_with_what_is_embedded_and_with_nothing_else() -> None:
    assert index("lunch", speaker="Ann").embedding_hash == embedding_hash("Ann: lunch")
    assert index("lunch", speaker="Bob").embedding_hash != index("lunch", speaker="Ann").embedding_hash
    assert index("x" * 3000).embedding_hash == index("x" * 4000).embedding_hash
    assert len(embedding_hash("午饭 \ud800")) == 32


def test_the_hash_of_a_record_is_that_of_its_embedding_text() -> None:
    fact = record("Ann is allergic to nuts", speaker="Ann", tags=("health",))
    assert record_indexing(fact).embedding_hash == embedding_hash(embedding_text(fact))
    assert len(embedding_text(record("x" * 5000))) == MAX_EMBEDDED


def test_a_record_is_found_by_its_tags_entities_and_value() -> None:
    indexing = record_indexing(
        record("She can't eat them", subject="Ann", attribute="allergy", value="nuts", tags=("health",), entities=("Bob",))
    )
    for word in ("Ann", "allergy", "nuts", "health", "Bob", "eat"):
        assert set(query_terms(word)) <= set(indexing.terms)


def test_what_a_record_says_already_is_not_counted_twice() -> None:
    plain, with_subject = record_indexing(record("Ann likes tea")), record_indexing(record("Ann likes tea", subject="Ann", value="tea"))
    assert plain.terms == with_subject.terms


def test_a_record_without_text_is_not_indexed() -> None:
    assert record_indexing(record(" ")) == Indexing()


@pytest.mark.parametrize(
    ("attribute", "value", "text", "question"),
    [
        ("residence", "York", "I moved to York", "where do I live?"),
        ("residence", "深圳", "搬到深圳了", "我住在哪里？"),
        ("occupation", "nurse", "I'm a nurse", "what is my job?"),
        ("occupation", "护士", "我是护士", "我是做什么工作的？"),
    ],
    ids=["en home", "zh home", "en job", "zh job"],
)
def test_a_fact_is_found_by_the_words_it_is_asked_for_in(attribute: str, value: str, text: str, question: str) -> None:
    asked = {term for term, weight in query_terms(question).items() if weight >= 0.5}
    fact = record(text, subject="user", attribute=attribute, value=value)
    assert record_indexing(fact).terms.keys() & asked
