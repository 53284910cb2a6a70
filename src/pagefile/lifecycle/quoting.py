"""Where a quotation stands in a text: word for word, whatever its blanks, case, width, accents and punctuation. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify

#: What the screen blanked out. No quotation reaches across it.
_BLANKED = late_pattern(r" {3,}")
#: Stands for it where texts are compared.
_GAP = "\0"
_SPACED = late_pattern(r"[^\W\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_ELLIPSIS = late_pattern(r"^(?:\.{3}|…)+|(?:\.{3}|…)+$")


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text as it is compared, and where each of its characters came from."""

    text: str
    places: tuple[int, ...]


def find_quote(text: str, quote: str, start: int = 0) -> tuple[int, int] | None:
    """The first place of a quotation in a text, from ``start`` on, as a span of the text; None: these words do not stand there.

    Whole words only: "art" does not stand in "party".
    """
    quote = _ELLIPSIS.sub("", quote.strip()).strip()
    if not quote:
        return None
    at = text.find(quote, start)
    while at >= 0:
        if _whole(text, at, at + len(quote)) and not _BLANKED.search(quote):
            return at, at + len(quote)
        at = text.find(quote, at + 1)
    haystack, needle = _plain(text), _plain(quote).text
    if not needle or _GAP in needle:
        return None
    at = haystack.text.find(needle)
    while at >= 0:
        begin, end = haystack.places[at], haystack.places[at + len(needle) - 1] + 1
        if begin >= start and _whole(text, begin, end):
            return begin, end
        at = haystack.text.find(needle, at + 1)
    return None


#: Quotation marks that differ, and those that do not: these stand beside a blank, a colon or the like, unlike an apostrophe. One left open
#: reaches to the end of its line.
_SPEECH = late_pattern(
    r"“(?P<curly>[^”\n]*)”?|「(?P<corner>[^」\n]*)」?|『(?P<white>[^』\n]*)』?|«(?P<angle>[^»\n]*)»?|‘(?P<single>[^\n]{0,400}?)’(?!\w)"
    r"|(?<![\w\"])\"(?P<straight>[^\"\n]*)\"?|(?<=[\u3000-\u9fff：，])\"(?P<joined>[^\"\n]*)\"?|(?<![\w'])'(?=\w)(?P<plain>[^\n']{0,400}(?:'\w[^\n']{0,400}){0,8})'(?!\w)"
)


def spoken_around(text: str, begin: int, end: int) -> tuple[int, int] | None:
    """The words between quotation marks, as a span of the text, that hold what stands at ``begin`` to ``end``; None: it is in none."""
    for marks in _SPEECH.finditer(text):
        first, last = marks.span(marks.lastgroup or 0)
        if first >= end:
            break
        if first <= begin and end <= last:
            return first, last
    return None


def same_words(one: str, other: str) -> bool:
    """Whether two texts say the same, word for word."""
    return _plain(one).text == _plain(other).text


def _whole(text: str, begin: int, end: int) -> bool:
    """Whether no word is torn at the ends of a span."""
    before = begin > 0 and _SPACED.match(text[begin - 1]) and _SPACED.match(text[begin])
    after = end < len(text) and _SPACED.match(text[end - 1]) and _SPACED.match(text[end])
    return not before and not after


@lru_cache(maxsize=256)
def _plain(text: str) -> _Plain:
    letters: list[str] = []
    places: list[int] = []
    gaps = {gap.start() for gap in _BLANKED.finditer(text)}
    for place, character in enumerate(text):
        if place in gaps:
            folded = _GAP
        elif character.isascii() and character.isalnum():
            folded = character.lower()
        elif _says_nothing(text, place):
            continue
        else:
            folded = fold(simplify(simplified(character)))
        letters.append(folded)
        places.extend([place] * len(folded))
    return _Plain("".join(letters), tuple(places))


def _says_nothing(text: str, place: int) -> bool:
    """Blanks and punctuation, but for marks between figures (3.5, 10:30) and signs that belong to names (C++, C#, @home)."""
    character = text[place]
    if character.isalnum() or character in "+#@%&$€£¥":
        return False
    if character.isspace() or not 0 < place < len(text) - 1:
        return character.isspace() or character.isascii() or not _is_sign(character)
    between = text[place - 1].isdigit() and text[place + 1].isdigit()
    return not between and (character.isascii() or not _is_sign(character))


def _is_sign(character: str) -> bool:
    """Emoji and the like are words of their own."""
    return character >= "\u2190" and not "\u2e80" <= character <= "\u303f" and not "\ufe00" <= character <= "\uffef"
