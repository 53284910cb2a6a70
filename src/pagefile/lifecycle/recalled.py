"""What came out of a memory and is no new statement: our own notes, blocks and summaries, and those of other systems. Pure.

A model that is shown what was learnt says it again, applications put it into the messages they send, and people copy it. Learnt from once
more it would confirm itself, so it is recognised by its form (fences, heads of notes, our own sentences), also cut, indented, quoted or
flattened to one line; and by its words, where it is known what was shown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache

from pagefile.language.keys import text_key
from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.prompts import WORDINGS, sections

Range = tuple[int, int]

_TAG = late_pattern(
    r"(?:[<＜‹]|&lt;)[ \t]{0,3}(?P<close>[/／])?[ \t]{0,3}(?P<name>[A-Za-z][\w:.-]{0,40})(?P<rest>[^<>＜＞\n]{0,400}?)(?:[>＞›]|&gt;)"
)
#: A tag with one of these words in its name fences off what a system put there.
_FENCE_WORDS = frozenset(
    (
        *(
            "memory",
            "memories",
            "block",
            "notes",
            "recall",
            "recalled",
            "retrieved",
            "retrieval",
            "context",
            "contexts",
            "reminder",
            "system",
        ),
        *(
            "background",
            "knowledge",
            "document",
            "documents",
            "history",
            "observation",
            "observations",
            "profile",
            "facts",
            "episodes",
            "think",
        ),
        *("thinking", "untrusted", "results", "result", "response", "instructions", "summary", "memo", "memos"),
    )
)
#: Tags of web pages that have one of these names.
_NO_FENCE = frozenset(("summary", "result", "response"))
_NAME_PARTS = late_pattern(r"[A-Z]?[a-z]+|[A-Z]+")

#: Head of a note, ``- 2026-05-24 10:00 +08:00 · fact · user · session x: …``; its date may have been cut off.
_NOTE = rare_pattern(r"(?:\d{4}-\d\d-\d\d[ T]{1,2})?\d\d:\d\d {0,2}[+−-]\d\d:?\d\d {0,2}[·•・] {0,2}\S")
_BEFORE_NOTE = late_pattern(r"[\s>＞|*•·\d.)-]*")
_CONTINUED = late_pattern(r"(?:[ \t]*[>＞][ \t]?)*(?:[ \t]{2,}\S|[ \t]+$)")

_HEADINGS = late_pattern(
    r"^[\W_]{0,8}(?:(?:here (?:are|is)|these are|this is|the following (?:are|is)|below (?:are|is))[ \t]+)?(?:(?:the|some|your"
    r"|user'?s?)[ \t]+){0,2}"
    r"(?:relevant|related|retrieved|recalled|long[- ]term|previous|past|stored|saved|known|user|existing|core|background"
    r"|conversation)[ \t]+"
    r"(?:(?!my)\w+[ \t]+){0,2}?(?:memor(?:y|ies)|facts|notes|context|conversations?|history|knowledge|preferences|profile|summary"
    r"|information)\b"
    r"[^\n:：]{0,60}[:：]"
    r"|^[\W_]{0,8}(?:summary of (?:the|our|previous|earlier|past)[^\n:：]{0,40}|what (?:i|we) (?:know|remember) about[^\n:：]{0,40}"
    r"|facts about (?:the )?user)[ \t]{0,2}[:：]"
    r"|^[\W_]{0,8}(?:以下是|下面是|这是|這是)?(?:与[^\n:：]{0,12}?)?(?:相关|有关|检索到|召回|长期|已知|用户|使用者|过往|以往|历史"
    r"|之前){1,3}的?"
    r"(?:记忆|回忆|笔记|背景资料|上下文|信息|事实|画像|偏好|对话|资料|摘要|总结)[^\n:：]{0,20}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
#: People write these before their own words, too: a system's only alone on a line, with a list under it.
_BARE_HEADINGS = late_pattern(
    r"^[\W_]{0,8}(?:memory|memories|context|background|notes|facts|summary|记忆|背景|上下文|笔记|摘要)"
    r"[\W_]{0,3}[:：][ \t*_]*\n(?=[ \t]*(?:[-*•]"
    r"|\d{1,3}[.)、]))",
    re.IGNORECASE | re.MULTILINE,
)
#: Marked as a heading, with no colon: "[Recalled notes]", "## User facts", 【相关记忆】. With no word that says whose, only above a list.
_MARKED_HEADINGS = late_pattern(
    r"^[ \t]*(?P<mark>[\[【［〔(（{<*#=~_-]{1,6})[ \t]*(?:(?:begin(?:ning)?|start)(?: of)? )?(?:(?:the|your|my|some) )?"
    r"(?:(?P<whose>(?:(?:relevant|related|retrieved|recalled|long[- ]term|previous|past|stored|saved|known|user(?:['’]?s)?|core"
    r"|background|injected"
    r"|conversation|chat|memory|assistant) ){1,3})?(?:memor(?:y|ies)|facts|notes|context|history|knowledge|preferences|profile"
    r"|summary|information|blocks?)"
    r"|(?P<wessen>(?:相关|有关|检索到|召回|回忆|长期|已知|用户|使用者|过往|以往|历史|之前|相關|檢索到|用戶|歷史|已保存|保存){1,3}的?)?"
    r"(?:记忆|記憶|回忆|笔记|筆記|背景资料|上下文|信息|事实|画像|偏好|对话|资料|摘要|总结))[ \t]*"
    r"(?(whose)(?:[\]】］〕)）}>]|[*#=~_-]{1,6}[ \t]*$|[ \t]*$)|(?(wessen)(?:[\]】］〕)）}>]|[*#=~_-]{1,6}[ \t]*$|[ \t]*$)"
    r"|[\]】］〕)）}>*#=~_ \t-]{0,6}\n(?=[ \t]*(?:[-*•]|\d{1,3}[.)、]))))",
    re.IGNORECASE | re.MULTILINE,
)
_ITEM = late_pattern(r"[ \t>＞]*(?:[-*•·]|\d{1,3}[.)、]|\[\d)")
_INDENTED = late_pattern(r"[ \t]{2,}\S")

#: Sections of our prompts that stand among messages or in results of tools.
_OUR_SECTIONS = {
    "window": (
        "summary",
        "trailing",
        "notes",
        "pressure",
        "beginning",
        "left out",
        "interrupted call",
        "instructions",
        "instructions for tools",
    ),
    "tools": ("found", "more", "saved", "unchanged", "nothing", "block full"),
}
_LEAST_SENTENCE = 8


def recalled(text: str) -> Iterator[Range]:
    """Where text stands that came out of a memory, whoever wrote the message."""
    yield from _fences(text)
    yield from _notes(text)
    yield from _lists(text)
    for sentence in _our_sentences():
        at = text.find(sentence)
        while at >= 0:
            yield at, at + len(sentence)
            at = text.find(sentence, at + len(sentence))


@lru_cache(maxsize=1)
def _our_sentences() -> tuple[str, ...]:
    texts = (sections(document, wording)[name] for document, names in _OUR_SECTIONS.items() for name in names for wording in WORDINGS)
    pieces = (piece.strip() for text in texts for line in text.splitlines() for piece in re.split(r"\$\w+", line))
    # What is left of a template between two values can be a single word; only what nobody else writes is ours.
    return tuple(
        dict.fromkeys(piece for piece in pieces if len(piece) >= (_LEAST_SENTENCE if not piece.isascii() else 3 * _LEAST_SENTENCE))
    )


# --- fences ---------------------------------------------------------------------------------------------------------------


def _fences(text: str) -> Iterator[Range]:
    tags = [match for match in _TAG.finditer(text) if _is_fence(match["name"])]
    closing: dict[str, list[int]] = defaultdict(list)
    for match in reversed(tags):
        if match["close"]:
            closing[match["name"].lower()].append(match.end())
    done = 0
    for match in tags:
        if match.start() < done:
            continue
        line_start = text.rfind("\n", 0, match.start()) + 1
        alone = not text[line_start : match.start()].strip(" \t>＞|*-•") and not match["close"]
        if match["close"]:
            # Its beginning was cut off: all before it on a line of its own, else that line.
            own_line = not text[line_start : match.start()].strip(" \t>＞|*-•")
            yield (done if own_line else max(done, line_start)), match.end()
            done = match.end()
            continue
        ends = closing[match["name"].lower()]
        while ends and ends[-1] <= match.start():
            ends.pop()
        # Cut off at its end: from a line of its own to the end of the text; a mention in a sentence is only that.
        done = ends.pop() if ends else len(text) if alone else match.end()
        yield match.start(), done


def _is_fence(name: str) -> bool:
    parts = {part.lower() for part in _NAME_PARTS.findall(name)}
    return bool(parts & _FENCE_WORDS) and name.lower() not in _NO_FENCE


# --- notes and lists ------------------------------------------------------------------------------------------------------


def _notes(text: str) -> Iterator[Range]:
    for match in _NOTE.finditer(text):
        line_start = text.rfind("\n", 0, match.start()) + 1
        start = line_start if _BEFORE_NOTE.fullmatch(text, line_start, match.start()) else match.start()
        yield start, _end_of_continued(text, match.end())


def _end_of_continued(text: str, at: int) -> int:
    end = _line_end(text, at)
    while end < len(text) and _CONTINUED.match(text, end + 1, _line_end(text, end + 1)):
        end = _line_end(text, end + 1)
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _lists(text: str) -> Iterator[Range]:
    """ "Relevant memories:" and what is listed under it."""
    for pattern in (_HEADINGS, _BARE_HEADINGS, _MARKED_HEADINGS):
        done = 0
        for match in pattern.finditer(text):
            if match.start() >= done:
                done = _end_of_list(text, match.end() - 1 if text[match.end() - 1] == "\n" else match.end())
                yield match.start(), done


def _end_of_list(text: str, at: int) -> int:
    end = _line_end(text, at)
    in_items = bool(_ITEM.match(text, end + 1))
    while end < len(text):
        start, stop = end + 1, _line_end(text, end + 1)
        if not text[start:stop].strip():
            # A blank line ends it, unless the list goes on.
            following = _line_end(text, stop + 1)
            if not (stop < len(text) and _ITEM.match(text, stop + 1, following)):
                return end
            stop = following
        elif in_items and not _ITEM.match(text, start, stop) and not _INDENTED.match(text, start, stop):
            return end
        end = stop
    return end


# --- what is known to have been shown --------------------------------------------------------------------------------------

_SENTENCE = late_pattern(r"(?:[^.!?。！？\n]|[.](?=\S))+[.!?。！？]*")
_QUOTED = late_pattern(r"[“\"「『]([^“”\"「」『』\n]{4,400})[”\"」』]")
#: What notes look like when they are passed on: a list item, or words behind "you said:".
_NOTED = late_pattern(
    r"^[ \t>＞]*(?:(?:[-*•·]|\d{1,3}[.)、])[ \t]*|\[?\d{4}-\d\d-\d\d[^\n:：]{0,40}[:：\]][ \t]*|[^\n:：“\"]{1,60}[:：][ \t]*)([^\n]+)",
    re.MULTILINE,
)
_LEAST_SHOWN = 5


def keys_of_shown(shown: Collection[str]) -> frozenset[str]:
    """Keys of the notes that a model was shown: of each as a whole, and of its lines and sentences."""
    pieces = (piece for text in shown for piece in (text, *text.splitlines(), *_SENTENCE.findall(text)))
    return frozenset(key for key in map(text_key, pieces) if len(key) >= len("text\x1f") + _LEAST_SHOWN)


def may_repeat(text: str) -> bool:
    """Whether the text of a user has anything in it that could be a note passed on: a quotation, or what looks like a note."""
    return _QUOTED.search(text) is not None or _NOTED.search(text) is not None


def repeated(text: str, keys: Collection[str], *, own_words: bool) -> Iterator[Range]:
    """Where a message repeats what was shown. ``own_words``: its author can state the same anew, so only quotations and notes count."""
    if not keys:
        return
    if own_words:
        places = [*(match.span(1) for match in _QUOTED.finditer(text)), *(match.span(1) for match in _NOTED.finditer(text))]
    else:
        places = [match.span() for match in _SENTENCE.finditer(text)]
        places += [match.span() for match in re.finditer(r"[^\n]+", text)]
        places += [match.span(1) for match in (*_QUOTED.finditer(text), *_NOTED.finditer(text))]
    yield from ((start, end) for start, end in places if text_key(text[start:end]) in keys)
