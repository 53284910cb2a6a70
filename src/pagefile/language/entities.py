"""Who and what a record names, and what a question may name: how names are compared. Pure.

Of a fact its subject, its value and its ``entities`` count, and in its text what is written as a name is. So the same record names the same
on every machine, and an index of it can be made again at any time.
"""

from __future__ import annotations

import re

from pagefile.entities import ME, Mention
from pagefile.language.chinese_forms import simplified
from pagefile.language.names import names_in
from pagefile.language.patterns import late_pattern
from pagefile.language.stopwords import ALSO_NAMES, CHINESE, ENGLISH
from pagefile.language.text import fold, simplify
from pagefile.records import Record

#: Characters of a text in which names are looked for, and names of a record that count.
_MOST_TEXT = 600
MOST_NAMES = 24
#: The longest name, in characters, in words, and in Chinese characters of a value.
_LONGEST = 80
_MOST_WORDS = 5
#: Words of a value that may be a name though it does not begin with a capital: "spicy food".
_FEW_WORDS = 2
_MOST_HAN = 8
#: The longest names that are looked for in a question.
_LONGEST_HAN_ASKED = 8


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SPACES = re.compile(r"\s+")
_EDGES = " \t\n.,;:!?\"'()[]{}<>“”‘’。，、；：！？「」『』《》（）【】·-_"
#: Articles, and titles: whoever is called Dr. Hale is called Hale.
_BEFORE = re.compile(r"(?:(?:the|an?|mr|mrs|ms|miss|dr|prof|professor)\.? (?=\S))+")
_POSSESSIVE = re.compile(r"(?:'s|(?<=s)')$")
_HAS_LETTER = re.compile(r"[^\W\d_]")
_HAN = late_pattern(r"[\u3400-\u9fff]")
#: What says something of somebody, and names nothing.
_SAYS = late_pattern(r"[的了着过不没]")

_ONESELF = _words("user me i myself 我 用户 本人 自己 俺 咱") | {"the user"}
#: Values that name nothing.
_NO_NAMES = _words("yes no true false none unknown nothing something somebody someone it them 是 否 有 无 没有 未知 不知道")
#: Properties whose values name nothing: figures, dates, moods, sentences.
_UNNAMED = _words(
    """
    note age birthday birth_date anniversary height weight salary income phone email address mood health plan goal style language_style
    answer_style rule instruction date time duration price amount count number schedule routine
    """
)


def entity_key(name: str) -> str:
    """How a name is compared: case, width, accents, script, articles, titles, possessives and outer marks do not count. "I", "me", 我 and
    "user" are one. Empty if nothing is left."""
    text = _SPACES.sub(" ", simplified(fold(simplify(name)))).strip(_EDGES)
    text = _POSSESSIVE.sub("", text[len(before[0]) :] if (before := _BEFORE.match(text)) else text).strip(_EDGES)
    return ME if text in _ONESELF else text[:_LONGEST].strip(_EDGES)


def plain_text(text: str) -> str:
    """A text as keys are written, to look for them in it with ``stands_in``."""
    return simplified(fold(simplify(text)))


def stands_in(key: str, plain: str) -> bool:
    """Whether a name stands in a text (see ``plain_text``), and not as a part of a longer word of letters."""
    place = plain.find(key)
    while place >= 0:
        end = place + len(key)
        before, after = plain[place - 1 : place] if place else "", plain[end : end + 1]
        if not (_joined(before, key[0]) or _joined(key[-1], after)):
            return True
        place = plain.find(key, place + 1)
    return False


def _joined(one: str, other: str) -> bool:
    """Whether two characters make one word: those of Chinese stand by themselves."""
    return one.isalnum() and other.isalnum() and not (_HAN.match(one) or _HAN.match(other))


def name_mark(key: str) -> str:
    """What an alias is known by after it was erased."""
    return f"name\x1f{key}"


def mentions(record: Record) -> tuple[Mention, ...]:
    """What a record names, each once: the subject first, then the value of a fact, then all else in the order it stands."""
    found: dict[str, Mention] = {}

    def note(name: str, role: str) -> None:
        key = entity_key(name)
        if key and key not in found and len(found) < MOST_NAMES and _HAS_LETTER.search(key):
            found[key] = Mention(key=key, name=ME if key == ME else _shown(name), role=role)

    if record.subject:
        note(record.subject, "subject")
    if record.value and record.attribute not in _UNNAMED and record.kind in ("fact", "event"):
        for name in _names_of_value(record.value, record.text):
            note(name, "value")
    for name in record.entities:
        note(name, "named")
    # What an extractor read of a sentence is one of several facts, and the others name the rest of it.
    read = record.extractor and record.subject and record.value
    if record.kind in ("fact", "event") and not read:
        for name in names_in(record.text[:_MOST_TEXT]):
            note(name, "named")
    return tuple(found.values())


def _shown(name: str) -> str:
    bare = _SPACES.sub(" ", name).strip(_EDGES)
    return _POSSESSIVE.sub("", bare.replace("’", "'"))[:_LONGEST]


def _names_of_value(value: str, text: str) -> tuple[str, ...]:
    """The value, if it names something itself; of a longer one the names in it."""
    value = value.strip()
    if value == text or entity_key(value) in _NO_NAMES:
        return ()
    words = value.split()
    begins = next((word for word in words if word.lower() not in ("the", "a", "an")), "")
    short = len(words) <= _FEW_WORDS or (len(words) <= _MOST_WORDS and begins[:1].isupper())
    if short and len(value) <= _LONGEST and len(_HAN.findall(value)) <= _MOST_HAN and not _SAYS.search(value):
        return (value,)
    return names_in(value[:_MOST_TEXT])


# --- names in a question -----------------------------------------------------------------------------------------------

_WORD = late_pattern(r"[^\W_]+(?:[.'&-][^\W_]+)*")
_HAN_RUN = late_pattern(r"[\u3400-\u9fff·]+")


def possible_keys(question: str) -> tuple[str, ...]:
    """The key of every part of a question that may be a name: runs of up to five words, and of two to eight Chinese characters, longest
    first. Of a long question the beginning and the end are looked at, where people put what they ask. What of it is a name, a store's
    index of names tells."""
    half = _MOST_TEXT // 2
    looked_at = question if len(question) <= _MOST_TEXT else f"{question[:half]}\n{question[-half:]}"
    text = simplified(fold(simplify(looked_at)))
    words = [_POSSESSIVE.sub("", match[0]) for match in _WORD.finditer(text)]
    keys: dict[str, None] = {}
    for size in range(_MOST_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if not {run[0], run[-1]} & ENGLISH or (size == 1 and run[0] in ALSO_NAMES):
                keys[entity_key(" ".join(run))] = None
    for match in _HAN_RUN.finditer(text):
        for size in range(min(_LONGEST_HAN_ASKED, len(match[0])), 1, -1):
            keys |= dict.fromkeys(
                part for start in range(len(match[0]) - size + 1) if (part := match[0][start : start + size]) not in CHINESE
            )
    if _ASKS_OF_ONESELF.search(text):
        keys[ME] = None
    return tuple(key for key in keys if key)


_ASKS_OF_ONESELF = late_pattern(r"\b(?:i|me|my|mine|myself)\b|我|俺|咱")
