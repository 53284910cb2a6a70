"""How a text is to be found: its terms and what is embedded for it. Pure; used when it is written and again when it is reindexed."""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b

from pagefile.language.asked import ASKED
from pagefile.language.patterns import late_pattern
from pagefile.language.small_talk import is_small_talk
from pagefile.language.words import date_terms, terms
from pagefile.messages import Message
from pagefile.queries import ASKS
from pagefile.records import Indexing, Record

#: Characters of a text whose words are indexed. What is longer is output of a tool or a pasted file, found by its beginning.
MAX_INDEXED = 500_000
#: Characters of a text that are embedded: about what an embedder of this size reads (512 tokens).
MAX_EMBEDDED = 2_000
#: Characters at the end of a text in which a question is looked for.
_MAX_ENDING = 40
#: A text that leaves the word to the other: with a mark, or with 吗 or 呢.
_ENDS_IN_A_QUESTION = late_pattern(r"[?？吗呢][\s\"'”’」』)）~～!！.。…]*$")
#: Instructions to a model are no memory.
_NEVER_FOUND = frozenset({"system"})
#: Output of tools is found by its words; its vectors would crowd out what people said.
_FOUND_BY_WORDS_ALONE = frozenset({"tool"})


def message_indexing(*, role: str, speaker: str | None, text: str, said_at: datetime) -> Indexing:
    """Terms of "speaker: text" and of the date it was said on, so that "what did Ann say in May" finds it by words.

    What ends in a question has the term ``ASKS`` too, so that a ranking knows the answer by it. System messages and empty texts are not
    indexed. Messages of tools and small talk are, but they are not embedded: they are found
    by who looks for their very words.
    """
    if role in _NEVER_FOUND or not text.strip():
        return Indexing()
    said = _said(speaker, text)
    found = _with_date(terms(said[:MAX_INDEXED]), said_at)
    if asks(text):
        found[ASKS] = 1
    return Indexing(
        terms=found,
        embedding_hash="" if role in _FOUND_BY_WORDS_ALONE or is_small_talk(text) else embedding_hash(said[:MAX_EMBEDDED]),
    )


def record_indexing(record: Record) -> Indexing:
    """Terms of all that a record says, of the words it is asked for in, who said it, its tags and its date: ``valid_from``, else
    ``learned_at``."""
    if not record.text.strip():
        return Indexing()
    fields = (record.speaker, record.subject, record.attribute, record.value, *record.tags, *record.entities)
    # A field that the text says already is not counted twice.
    added = [field for field in fields if field and field not in record.text]
    words = "\n".join([record.text[:MAX_INDEXED], *added, ASKED.get(record.attribute or "", "")])
    return Indexing(
        terms=_with_date(terms(words), record.valid_from or record.learned_at),
        embedding_hash=embedding_hash(embedding_text(record)),
    )


def asks(text: str) -> bool:
    """Whether a text ends in a question, in English or Chinese."""
    return _ENDS_IN_A_QUESTION.search(text[-_MAX_ENDING:]) is not None


def embedding_text(item: Message | Record) -> str:
    """What is embedded for an item: of a message "speaker: text", of a record its text; trimmed."""
    said = _said(item.speaker, item.text) if isinstance(item, Message) else item.text
    return said[:MAX_EMBEDDED]


def embedding_hash(text: str) -> str:
    """Names an embedded text: 32 hexadecimal digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _said(speaker: str | None, text: str) -> str:
    return f"{speaker}: {text}" if speaker else text


def _with_date(found: dict[str, int], day: datetime) -> dict[str, int]:
    for term, count in date_terms(day).items():
        found[term] = found.get(term, 0) + count
    return found
