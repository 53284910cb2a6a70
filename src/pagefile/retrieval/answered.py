"""Does the answer to a question stand in a text that the model sees anyway? Told by words alone, and only where it is plain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pagefile.language.asked import ASKED
from pagefile.language.patterns import late_pattern
from pagefile.language.words import query_terms
from pagefile.retrieval.needs import PERSON, kin
from pagefile.retrieval.plain import plain

_ANYBODYS = ("partner", "child", "parent", "sibling", "relative", "friend", "colleague", "pet")


def _same_property() -> Mapping[str, frozenset[str]]:
    """A word of a question → the words in which its answer can be told."""
    result: dict[str, frozenset[str]] = {}
    for attribute, line in ASKED.items():
        if attribute not in _ANYBODYS:
            words = frozenset(term for word in line.split() for term in query_terms(word))
            for word in words:
                result[word] = result.get(word, frozenset()) | words
    return result


_WEIGHTY = 0.5  # what weighs less is a pair of characters across two words
_MOST = 4_000  # characters of a text that are looked at
_SENTENCE = late_pattern(r"[^.!?。！？;；\n]+(?:[.](?=\S)[^.!?。！？;；\n]*)*[.!?。！？;；]*")
_ASKS = late_pattern(r"[?？]|[吗呢]\W*$|什么|多少|哪|谁|怎么|^\W*(?:who|what|when|where|why|how|which|do|does|did|is|are|can|should)\b")
_DENIES = late_pattern(
    r"\b(?:not|never|no longer|nor|don't|doesn't|didn't|isn't|wasn't|any ?more)\b|[不没]|(?<![特分个区级类性差识离告])别(?!的|人)"
)
_WHO = late_pattern(r"^\W*who(?: is|'s)\b|是谁")
#: What a question asks for → what then stands in its answer, and the words of the question that only ask.
_NUMBER = late_pattern(
    r"\d|[一二三四五六七八九十百千]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)\b"
)
_TIME = late_pattern(
    r"\d"
    r"|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|noon|midnight|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|spring|summer|autumn|winter|next|christmas|easter)\b|周[一二三四五六日末]|星期|礼拜"
    "|[一二三四五六七八九十]+[月号日点年]|[今明后]天|下个?[周月]|春节|中秋|国庆|除夕"
)
_ASKS_FOR = (
    (late_pattern(r"\bwhen\b|\bwhat (?:time|day|date)\b|什么时候|几[点号月]|哪[天年月]|何时|多会儿"), _TIME),
    (late_pattern(r"\bhow (?:old|many|much|long|tall|far)\b|\bnumber\b|多大|几岁|几个|多少|多[久长高远]|号码"), _NUMBER),
)
_ONLY_ASKING = """
old time day date number many much long tall far when kind type sort
时候 几岁 多大 几点 几号 哪天 多少 几个 哪里 哪个 做 名 天 谁 最 当 想 看 看到 号码
"""
_ASKING_WORDS = frozenset(_ONLY_ASKING.split())


def answered(question: str, sentences: Iterable[str], *, own: bool) -> bool:
    """Whether one of these sentences tells what is asked: it has every word of the question (or one for the same property), something
    besides, a number or a time where such is asked for, no other relative or friend, and no denial.

    ``own``: the sentences are the speaker's, so one that answers a question about "me" has to speak of "me" too.
    """
    low = plain(question)
    wanted = _wanted(question)
    if not wanted or _DENIES.search(low):
        return False
    shapes = [value for asks, value in _ASKS_FOR if asks.search(low)]
    about_me = own and PERSON.search(low) is not None
    relatives, asks_who = kin(low), _WHO.search(low) is not None
    for sentence in sentences:
        told, said = _told(sentence)
        if (
            told
            and len(told - wanted) > 0
            and all(word in told or not told.isdisjoint(_alike(word)) for word in wanted)
            and not (about_me and not PERSON.search(said))
            and (asks_who or kin(said) <= relatives)
            and all(value.search(said) for value in shapes)
        ):
            return True
    return False


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text that state something: no question."""
    return _statements(text[:_MOST])


@lru_cache(maxsize=256)
def _statements(text: str) -> tuple[str, ...]:
    return tuple(match[0].strip() for match in _SENTENCE.finditer(text) if not _ASKS.search(plain(match[0])))


@lru_cache(maxsize=512)
def _told(sentence: str) -> tuple[frozenset[str], str]:
    """The words of a sentence, none if it denies something, and its plain form."""
    said = plain(sentence)
    return (frozenset() if _DENIES.search(said) else frozenset(query_terms(said))), said


def _wanted(question: str) -> frozenset[str]:
    words = {word for word, weight in query_terms(plain(question)).items() if weight >= _WEIGHTY}
    return frozenset(words - _ASKING_WORDS) or frozenset(words)


def _alike(word: str) -> frozenset[str]:
    return _properties().get(word, frozenset())


@lru_cache(maxsize=1)
def _properties() -> Mapping[str, frozenset[str]]:
    # Late: it cuts Chinese into words, and importing must not.
    return _same_property()
