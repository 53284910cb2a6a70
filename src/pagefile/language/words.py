"""Words of a text, for finding it: English, Chinese and their neighbours.

What is indexed
    Spaced scripts: words without accents, case and width, English ones stemmed; of compounds such as ``gen-itgc`` or ``v2.3.1``
    the whole and its parts. Chinese, Japanese, Korean: characters and pairs of characters, traditional ones as simplified, so that
    a query of one or two characters always hits, whatever a segmenter takes for words. Thai and its neighbours: pairs. Emoji. No
    segmenter has a part in the index, so it is the same on every machine.
What is asked
    The same terms with weights: stop words go (unless nothing else is left; negations never do), Chinese words count more than
    pairs that merely touch, and evidence that overlaps (a compound and its parts) is weighed down instead of counted twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from itertools import islice
from math import hypot
from operator import add
from typing import TypeAlias

from pagefile.language import stopwords
from pagefile.language.chinese_forms import simplified
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify

#: Terms with the weight they have in a query; 0 marks a stop word.
_Weighted: TypeAlias = tuple[tuple[str, float], ...]

# --- how text is cut into pieces -----------------------------------------------------------------------------------------

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA_HANGUL = "\u1100-\u11ff\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u318e\u31a0-\u31ff\ua960-\ua97c\uac00-\ud7fb"
#: Thai, Lao, Tibetan, Burmese, Khmer: written without spaces between words.
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0f40-\u0fbc\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
#: Scripts of India: their vowel signs are marks, which \w does not know, so all of the range makes words.
_INDIC = "\u0900-\u0963\u0971-\u0de5\u0df2-\u0dff"
#: Without skin tones, so that they do not count.
_EMOJI = "\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"


def _word(letter: str) -> str:
    """Pattern of a word, or words joined by one mark as names of things are: can't, gen-itgc, v2.3.1, me@here.org, 1,000, C++, C#."""
    return rf"{letter}+(?:(?:['.\-_@]|(?<=\d),(?=\d{{3}}(?!\d))){letter}+)*(?:\+\+|\#(?!{letter}))?"


_ASCII_WORD = late_pattern(_word(r"[^\W_]"), re.ASCII)
_SPACED_WORD = _word(f"[^\\W_{_HAN}{_KANA_HANGUL}{_UNSPACED}{_INDIC}]")
_PIECE = late_pattern(
    f"(?P<word>{_SPACED_WORD})|(?P<run>[{_HAN}{_KANA_HANGUL}]+)|(?P<unspaced>[{_UNSPACED}]+)|(?P<indic>[{_INDIC}]+)"
    f"|(?P<emoji>[\U0001f1e6-\U0001f1ff]{{1,2}}|[{_EMOJI}])"
)
_RUN_START = late_pattern(f"[{_HAN}{_KANA_HANGUL}]")
_HAN_RUN = late_pattern(f"[{_HAN}]+")

_JOINT = late_pattern(r"[-.,'@_+#]+")
_CAMEL_PARTS = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DIGITS_OR_NOT = late_pattern(r"\d+|\D+")
_ACRONYM = late_pattern(r"(?:[^\W\d_]\.)+[^\W\d_]")
_ORDINAL = late_pattern(r"(\d{1,2})(?:st|nd|rd|th)")
_SHORTENED_VERB = late_pattern(r"(?:'(?:s|re|ll|ve|d|m))+$", re.IGNORECASE)
#: Contractions typed without their apostrophe, and what is left of an irregular one before n't.
_VERBS = ("do", "does", "did", "is", "are", "was", "were", "have", "has", "had", "could", "would", "should", "must")
_BARE_CONTRACTIONS = {f"{verb}nt": verb for verb in _VERBS} | {
    "cant": "can",
    "cannot": "can",
    "wont": "will",
    "aint": "is",
}
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}

_DIGITS = "零一二三四五六七八九"
_CHINESE_DATE = late_pattern("((?:[二三]?十)?[一二三四五六七八九]|[二三]?十)(月|日|号)")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)

_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "sir", "madam"})
_FAMILY_AND_GIVEN = late_pattern(f"[{_HAN}]{{3,4}}|[\uac00-\ud7a3]{{3}}")
_PLAIN_WORD = late_pattern(rf"[^\W_{_HAN}{_KANA_HANGUL}]+")

#: Base64 and what looks like it: one long run, or lines of one length as mails have them.
_BLOB = late_pattern(r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{400,}|(?:[A-Za-z0-9+/]{60,76}\r?\n){4,}[A-Za-z0-9+/]*)=*")

_RUNS_AT_ONCE = 5_000
_LONGEST_TERM = 64
_LONGEST_WORD = 256
#: A short word that touches Chinese makes one word with the next character: C盘, T恤, 5月, 2023年.
_LONGEST_TOUCHING_WORD = 4
#: A hash has more changes between digits and letters than this, and nobody asks for its parts.
_MOST_PARTS = 4
#: Of a longer question only the beginning and the end are looked at.
_LONGEST_QUERY = 8_000

# --- weights in a query: recall@10 over four conversation sets, two English and two Chinese, is flat around these --------

_PART = 0.5  # of a compound, beside the whole
_CHARACTER = 0.5  # a Chinese word of one character
_INSIDE = 0.6  # a pair inside a longer Chinese word
_ACROSS = 0.2  # a pair across two Chinese words
_UNSEGMENTED = 0.6  # a pair of Japanese, Korean or Thai characters


def terms(text: str) -> dict[str, int]:
    """Index terms of a text → how often each occurs. Never raises; no term is empty or longer than 64 characters.

    Of a run of base64 and the like only the beginning is indexed: nobody asks for what is inside. A megabyte takes a fifth of a second.
    """
    text = _BLOB.sub(lambda match: f"{match[0][:_LONGEST_TERM]} ", text)
    # Each different word is worked out once: a long text has few of them.
    if text.isascii():
        plain: dict[str, int] = {}
        for word, times in Counter(_ASCII_WORD.findall(text)).items():
            for term, _ in _spaced(word):
                plain[term] = plain.get(term, 0) + times
        return plain
    found: Counter[str] = Counter()
    others: Counter[tuple[str, str]] = Counter()
    runs: list[str] = []
    for piece in _pieces(text):
        if piece[0] == "run":
            runs.append(piece[1])
        else:
            others[piece] += 1
    # Many runs are counted in one go, with a line end between them, which is in no term.
    for start in range(0, len(runs), _RUNS_AT_ONCE):
        together = "\n".join(runs[start : start + _RUNS_AT_ONCE])
        for each in (together, _pairs(together), _chinese_dates(together)):
            found.update(each)
    for (kind, word), times in others.items():
        for term, _ in _terms_of(kind, word):
            found[term] += times
    return dict(found) if len(runs) < 2 else {term: times for term, times in found.items() if "\n" not in term}


def query_terms(text: str) -> dict[str, float]:
    """Terms to look for → weight (1.0 is a plain word). Stop words are left out unless nothing else would be left."""
    if len(text) > _LONGEST_QUERY:
        text = f"{text[: _LONGEST_QUERY // 2]}\n{text[-_LONGEST_QUERY // 2 :]}"
    found: dict[str, float] = {}
    stopped: dict[str, float] = {}
    for kind, piece in _pieces(_lower_first(text)):
        for term, weight in _query_run(piece) if kind == "run" else _terms_of(kind, piece):
            if weight:
                # What is said n times weighs √n: in a long question its subject comes again and again.
                found[term] = hypot(found.get(term, 0.0), weight)
            else:
                stopped[term] = 1.0
    return found or stopped


def date_terms(when: datetime, languages: tuple[str, ...] = ("en", "zh")) -> dict[str, int]:
    """Index terms that say a date, so that "in May 2023", "8 May", 2023年5月8日 or 五月 finds what was said then.

    No weekday: it does not pay.
    """
    found = {str(when.year): 1}
    if "en" in languages:
        found |= {_month_term(when.month): 1, str(when.day): 1}
    if "zh" in languages:
        found |= {f"{when.year}年": 1, f"{when.month}月": 1, f"{when.day}日": 1}
    return found


@lru_cache(maxsize=12)
def _month_term(month: int) -> str:
    # Kept: it is asked for with every message, and stemming it takes as long as all of a short message.
    return _stem(_MONTHS[month - 1])


def mentions(text: str, name: str) -> bool:
    """Whether a text names this person: by the whole name or the first name, as words, whatever the case; a Chinese, Japanese or
    Korean name anywhere in a sentence, also without its family name (雅静 for 宋雅静). False for an empty name."""
    spaced, unspaced = _name_forms(name)
    if unspaced and any(form in simplified(fold(text)) for form in unspaced):
        return True
    if not spaced:
        return False
    words = _plain_words(text)
    folded = [fold(word) for word in words]
    size = len(spaced)
    places = (start for start in range(len(folded) - size + 1) if tuple(folded[start : start + size]) == spaced)
    if size == 1 and spaced[0] in stopwords.ENGLISH:
        return any(words[start][0].isupper() for start in places)  # Will, May
    return any(True for _ in places)


@lru_cache(maxsize=256)
def _name_forms(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of a name: the words that must follow each other, and the strings of which one must stand in the text."""
    folded = simplified(fold(simplify(name)))
    run = "".join(_RUN_START.findall(folded))
    if run:
        return (), (run, run[-2:]) if _FAMILY_AND_GIVEN.fullmatch(folded) else (run,)
    words = tuple(fold(word) for word in _plain_words(name))
    if any(character.isdigit() or character in "_@" for character in folded):
        return words, ()  # a handle such as user_42: all of it
    return next(((word,) for word in words if len(word) > 1 and word not in _TITLES), words), ()


@lru_cache(maxsize=64)
def _plain_words(text: str) -> list[str]:
    return _PLAIN_WORD.findall(simplified(simplify(text)))


# --- pieces to terms -----------------------------------------------------------------------------------------------------


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each piece: a "word"; a short word that is "touching" East Asian text, with the character it touches; a "run" of
    that text; one of an "unspaced" script; a word of an "indic" one; an "emoji"."""
    if text.isascii():
        yield from (("word", match[0]) for match in _ASCII_WORD.finditer(text))
        return
    text = simplified(simplify(text))
    for match in _PIECE.finditer(text):
        piece, kind, end = match[0], match.lastgroup or "", match.end()
        if kind == "word" and len(piece) <= _LONGEST_TOUCHING_WORD and _RUN_START.match(text, end):
            yield "touching", piece + text[end]
        else:
            yield kind, piece


def _terms_of(kind: str, piece: str) -> Iterable[tuple[str, float]]:
    """Terms of a piece that is no run."""
    if kind == "word":
        return _spaced(piece)
    if kind == "touching":
        return _touching(piece[:-1], piece[-1])
    if kind == "unspaced" and len(piece) > 1:
        return ((pair, _UNSEGMENTED) for pair in _pairs(piece))
    return ((piece[:_LONGEST_TERM], 1.0),)


def _touching(word: str, character: str) -> _Weighted:
    """Terms of a short word and the East Asian character right after it."""
    if word.isdigit():
        word = word.lstrip("0") or "0"
        character = "日" if character == "号" else character
    parts = ((term, weight * _PART) for term, weight in _expand(word))
    return ((word.casefold() + character, 1.0), *parts)


def _pairs(run: str) -> Iterator[str]:
    return map(add, run, islice(run, 1, None))


def _chinese_dates(run: str) -> Iterator[str]:
    """五月 and 八号 as 5月 and 8日."""
    for numeral, unit in _CHINESE_DATE.findall(run):
        tens, ten, ones = numeral.rpartition("十")
        number = (_DIGITS.index(tens) if tens else 1) * 10 * bool(ten) + (_DIGITS.index(ones) if ones else 0)
        yield f"{number}{'日' if unit == '号' else unit}"


def _query_run(run: str) -> Iterator[tuple[str, float]]:
    for date in _chinese_dates(run):
        yield date, 1.0
    if len(run) <= 2:
        yield run, 0.0 if run in stopwords.CHINESE else 1.0
        return
    weights = dict.fromkeys(_pairs(run), _UNSEGMENTED)
    for han in _HAN_RUN.findall(run):
        weights.update(dict.fromkeys(_pairs(han), _ACROSS))
    for han in _HAN_RUN.findall(run):
        for word in _segmenter()(han):
            stop = word in stopwords.CHINESE
            if len(word) <= 2:
                weights[word] = 0.0 if stop else 1.0 if len(word) == 2 else _CHARACTER
            else:
                weights.update(dict.fromkeys(_pairs(word), 0.0 if stop else _INSIDE))
    yield from weights.items()


def _spaced(word: str) -> _Weighted:
    """Terms of a word of a spaced script; of a chain that is too long for the name of a thing, those of its links."""
    if len(word) <= _LONGEST_WORD:
        return _expand(word)
    return tuple(term for link in _JOINT.split(word) if link for term in _expand(link[:_LONGEST_WORD]))


@lru_cache(maxsize=1 << 15)
def _expand(word: str) -> _Weighted:
    folded = word.casefold()
    return _simple(word, folded) if folded.isalpha() else _compound(word, folded)


def _simple(word: str, folded: str) -> _Weighted:
    if folded in _BARE_CONTRACTIONS:
        return ((_BARE_CONTRACTIONS[folded], 0.0), ("not", 1.0))
    if folded in stopwords.ENGLISH:
        return ((folded, 1.0 if word[0].isupper() and folded in stopwords.ALSO_NAMES else 0.0),)
    whole = _stem(folded)
    if word.islower() or word.isupper() or word.istitle() or len(word) > _LONGEST_TERM:
        return ((whole, 1.0),)
    parts = {_stem(part.casefold()): _PART for part in _CAMEL_PARTS.findall(word) if len(part) > 2}
    return tuple((parts | {whole: 1.0}).items())


def _compound(word: str, folded: str) -> _Weighted:
    if folded.endswith("n't") and len(folded) > 3:
        return (*_expand(_IRREGULAR.get(folded[:-3], folded[:-3])), ("not", 1.0))
    if ending := _SHORTENED_VERB.search(word):
        return _expand(word[: ending.start()])
    word, folded = (form.replace(",", "").replace("'", "") for form in (word, folded))
    if folded.isalpha():
        return ((_stem(folded), 1.0),)
    if ordinal := _ORDINAL.fullmatch(folded):
        folded = ordinal[1]
    if folded.isdigit():
        return (((folded.lstrip("0") or "0") if len(folded) <= 2 else folded[:_LONGEST_TERM], 1.0),)
    pieces = [piece for piece in _JOINT.split(word) if piece]
    whole = folded[:_LONGEST_TERM]
    if len(pieces) == 1:
        pieces = [piece for piece in _DIGITS_OR_NOT.findall(pieces[0]) if piece.isdigit() or len(piece) > 1]
        if len(pieces) > _MOST_PARTS or pieces == [word]:
            pieces = []
    elif _ACRONYM.fullmatch(word):
        return (("".join(pieces).casefold(), 1.0),)  # U.S.A.
    elif "".join(pieces).isalpha() and set("".join(re.findall(r"\W", word))) == {"-"}:
        whole = _stem("".join(pieces).casefold())  # e-mail is email
    parts: dict[str, float] = {}
    for piece in pieces:
        for term, weight in _expand(piece):
            parts[term] = max(parts.get(term, 0.0), weight * _PART)
    return tuple((parts | {whole: 1.0}).items())


def _stem(word: str) -> str:
    if len(word) > _LONGEST_TERM:
        return word[:_LONGEST_TERM]
    if len(word) < 3 or word in stopwords.ENGLISH or not word.isascii():
        return word
    return _stemmer()(word)


def _lower_first(text: str) -> str:
    """A question's first word without its capital, where it could be taken for a name: "Will she …", "May I …"."""
    head = text.lstrip()
    first = head.split(maxsplit=1)[0] if head else ""
    return head[0].lower() + head[1:] if first.lower() in stopwords.ALSO_NAMES else text


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    # Lazy: not every process indexes.
    import Stemmer  # noqa: PLC0415

    # Without a cache of its own, one may be used by several threads: each call holds the interpreter.
    stem: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord
    return stem


@lru_cache(maxsize=1)
def _segmenter() -> Callable[[str], list[str]]:
    """Cuts a Chinese text into words: rjieba, else jieba, else not at all (then every pair in it counts the same).

    Dictionary words only: guessed ones (我别, 我非) swallow negations, and rank worse.
    """
    # Lazy: the dictionary takes 0.2 s and 30 MB, and not everybody asks in Chinese.
    try:
        import rjieba  # noqa: PLC0415
    except ImportError:
        try:
            import jieba  # noqa: PLC0415
        except ImportError:
            return lambda han: [han]
        words: Callable[..., list[str]] = jieba.lcut
        return lambda han: words(han, HMM=False)
    return lambda han: rjieba.cut(han, hmm=False)
