"""Text as it is kept and as it is compared: cleaning, folding, and the language it is written in."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["zh", "ja", "ko", "en", "other"]

_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u31f0-\u31ff\uff66-\uff9d]")
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_OTHER_LETTERS = re.compile("[\u0370-\u10ff\u1200-\u1cff]")
#: How much of a long text is looked at to tell its language.
_SAMPLE = 2_000

_APOSTROPHES_AND_HYPHENS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-"})
#: What people leave out when they type: Hebrew points, Arabic vowels, variation selectors, joiners, soft hyphens.
_OPTIONAL_MARKS = re.compile("[\u0591-\u05c7\u064b-\u065f\u0670\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")
_ACCENTED = re.compile("[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]")
#: After a Latin letter only: й and が keep theirs, which make another letter.
_ACCENT = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_NOT_DECOMPOSED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i"}
)


def clean(text: str) -> str:
    """The text as it is stored: surrogate pairs joined, lone surrogates made U+FFFD, control characters (NUL and the rest of C0 but
    tab and line ends) dropped. Everything else stays as it is. Idempotent."""
    if not _UNWANTED.search(text):
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _UNWANTED.sub("", joined)


def fold(text: str) -> str:
    """The text as it is compared: case and width do not count (NFKC and Unicode case folding). Idempotent."""
    if text.isascii():
        return text.lower()
    # Folding can undo the normal form (ᾳ, ﬃ), and the form can bring back capitals (ℋ): one more round settles both.
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", text)


def simplify(text: str) -> str:
    """The text as people type it in a hurry: full width made half, accents of Latin letters and optional marks left out, plain
    apostrophes and hyphens. Case stays."""
    if text.isascii():
        return text
    text = _OPTIONAL_MARKS.sub("", unicodedata.normalize("NFKC", text)).translate(_APOSTROPHES_AND_HYPHENS)
    if _ACCENTED.search(text):
        text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text))).translate(_NOT_DECOMPOSED)
    return text


def language_of(text: str) -> Language:
    """The language a text is written in, told by its script alone: Latin counts as "en"; without letters it is "other".

    A Chinese character says about as much as three letters, and Chinese text has more English in it than the other way round,
    so one character outweighs six letters.
    """
    if text.isascii():
        return "en" if _LATIN.search(text) else "other"
    text = text[:_SAMPLE]
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    latin, other = (len(script.findall(text)) for script in (_LATIN, _OTHER_LETTERS))
    east_asian = 6 * (han + kana + hangul)
    if not latin + other + east_asian:
        return "other"
    if east_asian < max(latin, other):
        return "en" if latin >= other else "other"
    if hangul > max(han, kana):
        return "ko"
    # Japanese always has kana; a の on a Chinese shop sign does not make it Japanese.
    return "ja" if kana * 5 > han else "zh"
