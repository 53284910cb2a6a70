"""Does a message refer to what the two said to each other before, or ask for something that was? Told by words, English and Chinese. Pure.

Narrower than what the gate searches for: whoever tells of last week ("I went hiking") or asks how somebody has been needs no memory.
"""

from __future__ import annotations

from string import ascii_letters
from unicodedata import east_asian_width

from pagefile.language.patterns import late_pattern
from pagefile.retrieval.courtesy import kernel
from pagefile.retrieval.plain import plain

#: Cells of a terminal that are shown of a message, and characters of it before the reference.
_SHOWN, _BEFORE_IT = 72, 24
_LETTERS = f"{ascii_letters}'"
#: Of a longer message the beginning and the end are looked at; what stands between was mostly pasted.
_END = 250

_HAVE = r"(?:'ve|'d| have| had| just| already| also| both| explicitly| clearly| once| even| originally)*"
_BEFORE = r"(?:above|before|earlier|previously|last (?:time|session|conversation|chat))"
#: Words that are said of talk between two.
_TALK = (
    # as I said, like we agreed
    rf"\b(?:as|like|what) (?:i|we|you){_HAVE} (?:said|told|mentioned|discussed|agreed|explained|described|promised|requested|asked"
    r"|talked about|suggested|recommended|outlined|sent|gave)\b"
    # I told you, I asked for it before
    rf"|\bi{_HAVE} (?:told|asked|sent|gave|showed|shared with|explained to|mentioned to) (?:you|u)\b(?! (?:to|if|whether)\b)"
    rf"|\b(?:i|we|you){_HAVE} (?:said|mentioned|asked|sent|gave|wrote|shared|provided|requested|listed)\b[^.?!\n]{{0,40}}\b{_BEFORE}\b"
    # we discussed it
    rf"|\bwe{_HAVE} (?:discussed|agreed|established|debated|settled on|decided(?: on| to| that)?|landed on|went (?:over|through)|covered"
    r"|brainstormed|came up with|worked out|mapped out|laid out|set up|booked|finali[sz]ed|locked in|put together"
    r"|(?:talk|spok|chat)\w* about)\b"
    # you said, you gave me
    rf"|\byou{_HAVE} (?:said|told me|recommended|suggested|promised|wrote|mentioned|gave me|sent me|showed me|helped me|made me|set up"
    r"|came up with|put together|created|drafted|outlined|proposed|listed|provided|presented|reminded me)\b"
    r"|\byour (?:last|previous|earlier) (?:answer|message|reply|response|suggestion|idea|advice|recommendation|draft|version)\b"
    r"|\b(?:the|my|our) (?:\w+ ){0,3}(?:i|we|you)(?:'ve| have)? (?:mentioned|discussed|talked about|agreed on|asked for|suggested)\b"
    r"|\b(?:did|have|had)(?:n'?t)? (?:i|we) (?:already |ever |not |just )*(?:say|tell|mention|discuss|agree|promise|told|said|mentioned"
    r"|discussed|agreed|talk(?:ed)? about)\b|\bdid(?:n'?t)? you (?:already |ever |not |just )*(?:say|mention|promise|tell me|recommend)\b"
)
_MEMORY = (
    r"|\b(?:do|did|don'?t|didn'?t|can|can'?t) (?:you|u) (?:still |even |not )?(?:remember|recall)\b(?! (?:any|feeling|being|having)\b)"
    r"|(?:^|[.!?,;:—-]\s*|\bso )remember (?:the|that|when|how|our|my|what|where|who|we|i|me|last)\b|\bremember\s*[?]"
    r"|(?:^|[.!?,;:]\s*|\b(?:can|could|would|will|please|pls|you|just|to) )(?:remind me|refresh my memory)\b"
    r"(?! (?:to|in|at|on|tomorrow|every|daily|later)\b|[.!])"
    r"|\b(?:pick(?:ing|ed)? (?:it |this )?(?:back )?up|continu\w+|going?) (?:from )?where (?:we|i|you)\b|\b(?:we|i|you)(?:'d)? left off\b"
    r"|\blast time\b(?! i (?:checked|looked)\b)|(?<!since )(?<!since our )(?<!since the )"
    r"\b(?:last|previous|prior|earlier|past) (?:conversations?|chats?|sessions?|discussions?)\b"
    r"|\b(?:mentioned|discussed|sent|written|shared|given|stated|said) (?:above|before|earlier|previously|last time)\b"
    r"|\bthe (?:usual|same)(?: one| thing| order)? as (?:last time|before|always|usual)\b"
)
#: "What did I order last week?", "what was his name again?"
_ASKED_FOR = (
    r"|\b(?:what|where|when|which|who|how (?:much|many|long|often))\b[^.?!\n]{0,30}\b(?:did|was|were|have|had) (?:i|we|my|our)\b"
    r"[^.?!\n]*[?]|\bwh(?:o|at|ere|en|ich)(?:'s| is| was| were| did)\b[^.?!\n]*\bagain\s*[?]"
)
_ENGLISH = late_pattern(f"{_TALK}{_MEMORY}{_ASKED_FOR}")

_SAID = "(?:说|聊|提(?!交|醒|前|升)|讲|谈|讨论|商量|推荐|建议|答应|告诉|教|约|给|发|列|写|做|定|决定|分享|问)"
_CHINESE = late_pattern(
    # 上次说的, 你之前推荐的, 我们刚才讨论
    rf"(?:上一?[次回]|之前|以前|先前|前几天|前两天|那天|昨[天晚]|上周|上个?(?:月|星期)|刚才|刚刚)(?:我们?|你|您|咱们?)(?:[跟和给对](?:你|您|我)们?)?"
    rf"{_SAID}|(?:我们?|你|您|咱们?)(?:上一?[次回]|之前|以前|先前|前几天|前两天|那天|刚才)(?:[跟和给对](?:你|您|我)们?)?{_SAID}"
    rf"|上一?[次回](?:说|聊|提(?!交|醒|前|升)|讲|谈|讨论|商量|推荐|建议|约)"
    # 跟你说过, 我提过, 你推荐过
    r"|(?:[跟和对给]|告诉)(?:你|您)[^，。！？\n]{0,4}过|(?:我们?|你|您|咱们?)(?:不是)?(?:说|提|讲|聊|谈|讨论|推荐|建议|教)过(?!来)"
    r"|(?:你|您|还)(?:还)?记得(?!给|要|带|买|吃)|[不没]记得了?吗|记不记得|我不是(?:说|告诉|提)"
    r"|接着(?:上[次回]|之前|刚才|昨天)|(?:接着|继续)(?:聊|说|讲)(?:上[次回]|之前|刚才|那)|(?:像|如|按)(?:我|你|我们)?(?:上[次回]|之前|刚才)"
    r"|(?:叫|是)(?:什么|啥|谁|哪)[^，。\n]{0,6}来着|来着[?？]|老样子|照旧|老规矩"
    # 我上周点了什么？
    r"|我(?:们)?(?:上一?[次回]|之前|上周|上个?(?:月|星期)|昨[天晚]|前几天|去年)[^，。！？\n]{0,12}(?:什么|哪|谁|多少|几|吗)[^，。！\n]{0,6}[?？]?"
)


def reference(text: str) -> str | None:
    """The part of a message that refers to what was said before, or asks for something that was; None: it does neither."""
    start, end = kernel(text)
    said, low = text[start:end], plain(text[start:end])
    # Places stay: the plain form is as long as the text.
    ends = [(0, len(said))] if len(said) <= 2 * _END else [(0, _END), (len(said) - _END, len(said))]
    for begin, last in ends:
        found = [match.start() for each in (_ENGLISH, _CHINESE) if (match := each.search(low, begin, last))]
        if found:
            first = max(0, min(found) - _BEFORE_IT)
            # Not from the middle of an English word.
            first += len(said[first:]) - len(said[first:].lstrip(_LETTERS)) if first else 0
            return f"{'…' if first else ''}{shown(said[first:])}"
    return None


def shown(text: str) -> str:
    """The beginning of a text on one line that a narrow terminal has room for, with … where there is more."""
    line, cells = " ".join(text[: 2 * _SHOWN].split()), 0
    for place, character in enumerate(line):
        cells += 2 if east_asian_width(character) in "WF" else 1
        if cells > _SHOWN:
            return f"{line[:place]}…"
    return line if len(text) <= 2 * _SHOWN else f"{line}…"
