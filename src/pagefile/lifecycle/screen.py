"""What may be learnt from: messages go in, utterances come out, with all else blanked. Pure.

Who said it decides first. A user's own words can become facts about that user; those of another speaker are about that speaker; what the
assistant, tools, files and web pages say is kept apart (``quarantined``) until somebody confirms it; instructions of an application say
nothing. Then what is not its author's own statement is taken out: what came out of a memory (``recalled``), pasted things
(``pasted``), what is put like an instruction (``orders``), secrets, and, without consent, personal identifiers.

Questions, hypotheticals, jokes and reported speech stay in: the readers of sentences (``rules`` and ``extract``) judge them, with the words
around them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from functools import lru_cache

from pagefile.language.patterns import late_pattern, rare_pattern
from pagefile.language.personal import find_personal
from pagefile.language.secrets import find_secrets
from pagefile.language.small_talk import is_small_talk
from pagefile.language.text import fold
from pagefile.lifecycle.facts import ASSISTANT, USER, Utterance
from pagefile.lifecycle.orders import orders_of_others, orders_of_user
from pagefile.lifecycle.pasted import pasted
from pagefile.lifecycle.recalled import keys_of_shown, recalled, repeated
from pagefile.messages import Message, Origin, Role

Range = tuple[int, int]

#: Nobody types texts longer than this: they are pasted, and their author's own words stand before and behind. So only so many characters
#: of each end are read, which also bounds what one message can cost.
LONGEST_READ = 20_000
READ_AT_ENDS = 4_000
#: Names that clients give to the user of a chat in place of one.
_ANY_USER = frozenset({"user", "human", "me", "用户", "我"})
#: Tools that look into a memory: what they answer was known before.
_MEMORY_TOOL = late_pattern(r"memor|recall|conversation_search|记忆", re.IGNORECASE)
_UTC = timedelta(0)


def screen(
    messages: Sequence[Message],
    *,
    owner: Collection[str],
    zone: tzinfo,
    shown: Collection[str] = (),
    fresh_from: int = 0,
) -> tuple[Utterance, ...]:
    """What is left of each message to learn from, in the order given; a message of which nothing is left has no utterance.

    ``owner``: folded names under which the user of the scope speaks; a message without a speaker is the user's, too. ``zone``: the user's;
    a message that was given with another offset of its own keeps that (UTC is taken for a machine's clock, not for a place).
    ``shown``: texts of notes that a model was shown lately. ``fresh_from``: messages with a lower ``seq`` were learnt from before.
    """
    owners = frozenset(map(fold, owner)) | _ANY_USER
    keys = keys_of_shown(shown)
    tools = {call.id: call.name for message in messages for call in message.tool_calls}
    utterances = []
    for message in messages:
        if not _is_worth_reading(message, tools):
            continue
        author = _Author(message.role, message.origin, message.consent, _is_user(message, owners))
        # A few messages before the new ones are read with them, and were read just before.
        short = len(message.text) <= _SHORT
        text = _screened_before(message.text, author, keys) if short else _screened(message.text, author, keys)
        if text:
            utterances.append(_utterance(message, text, owners, zone, fresh=message.seq >= fresh_from))
    return tuple(utterances)


@dataclass(frozen=True, slots=True)
class _Author:
    """Whose words a text is, as far as it matters to what is taken out of it."""

    role: Role
    origin: Origin
    consent: bool
    #: See ``_is_user``.
    is_user: bool


def _utterance(message: Message, text: str, owners: Collection[str], zone: tzinfo, *, fresh: bool) -> Utterance:
    return Utterance(
        message=message.id,
        text=text,
        said_at=message.said_at,
        zone=_zone(message, zone),
        role=message.role,
        subject=_subject(message, owners),
        speaker=message.speaker,
        session=message.session,
        agent=message.agent,
        external_id=message.external_id,
        trust=message.trust,
        quarantined=message.role != "user" or message.origin != "said",
        consent=message.consent,
        fresh=fresh,
    )


def _zone(message: Message, zone: tzinfo) -> tzinfo:
    offset, own = message.said_at.utcoffset(), message.said_at.tzinfo
    usual = message.said_at.astimezone(zone).utcoffset()
    return zone if own is None or offset in (usual, _UTC) else own


def _is_user(message: Message, owners: Collection[str]) -> bool:
    """Whether these are the words of the user of the scope, said here."""
    return message.role == "user" and message.origin == "said" and (message.speaker is None or fold(message.speaker) in owners)


def _subject(message: Message, owners: Collection[str]) -> str:
    """Who "I" is."""
    if message.role == "assistant":
        return ASSISTANT
    if message.speaker is not None and fold(message.speaker) not in owners:
        return message.speaker
    if message.role == "user":
        # Of a file or web page that the user gives, too: it waits for him to confirm it.
        return USER
    # "I" in a result of a tool is nobody that is known.
    return message.origin if message.origin != "said" else message.role


# --- messages that say nothing -----------------------------------------------------------------------------------------------

_HEARTBEAT = late_pattern(
    r"\W*(?:heart[ _-]?beat(?:[_ ]ok)?|ping|pong|keep[ -]?alive|health ?check|no-?op|wake ?up|tick|poll|ack|cron(?: ?job)?"
    r"|scheduled (?:check|task|run|event)"
    r"|(?:session|conversation|chat) (?:start|end|started|ended|opened|closed|resumed)|login(?: event| successful)?|logout"
    r"|logged (?:in|out)|signed (?:in|out)"
    r"|(?:re)?connected|disconnected|online|offline|typing|(?:the )?user (?:has )?(?:joined|left|connected|disconnected|logged (?:in"
    r"|out)|signed (?:in|out)"
    r"|is (?:online|offline|typing))(?: (?:the )?(?:chat|session|room|channel|conversation))?"
    r"|\S{1,40}(?: \S{1,40})? (?:has )?(?:joined|left) the (?:chat|session|room|channel|group|conversation|call)"
    r"|心跳(?:检测|包)?|保活|定时任务|会话(?:开始|结束)|用户(?:已|已经)?(?:登录|登陆|登出|上线|下线|退出|进入|加入|离开)(?:了)?(?:聊天|会话|房间|群聊)?|登录成功|登出|已?(?:上线|下线|连接|断开)"
    r"|\S{1,20}(?:加入|退出|离开)了?(?:群聊|聊天|会话|房间))\W*",
    re.IGNORECASE,
)
#: Behind a mark such as "[heartbeat]" or "Login event:" comes nothing that somebody said.
_EVENT = rare_pattern(
    r"\s*(?:[\[(【<*]{1,2}\s*(?:heart[ _-]?beat|ping|keep[ -]?alive|cron|scheduled(?: \w+)?|system(?: \w+)?|event|login|status"
    r"|automated(?: \w+)?|auto-?reply"
    r"|health ?check|心跳|系统(?:消息|通知)?|登录|定时任务|自动(?:消息|回复))\s*[\])】>*:：]"
    r"|(?:heartbeat|login event|logout event|system event|cron job|automated message|系统消息|系统通知|登录事件)\s*[:：])"
    r"|[\s\S]{0,2000}\bHEARTBEAT_OK\b",
    re.IGNORECASE,
)
_REFUSAL = late_pattern(
    r"\W*(?:(?:i'?m|i am|we'?re) (?:really |very |so |truly )?sorry|sorry|apologies|i apologi[sz]e"
    r"|unfortunately)\b[^.!\n]{0,40}?\b(?:i|we)(?: am|'m)? ?(?:can'?t|cannot|can not|could not"
    r"|couldn'?t|unable|not able|won'?t|do not|don'?t|am not|was not|wasn'?t|must decline)\b"
    r"|\W*(?:i|we) (?:can'?t|cannot|can not|am unable to|'m unable to|am not able to|won'?t|must decline to) (?:help|assist|provide"
    r"|do that|comply|answer|fulfil|continue|discuss|share|create|support)"
    r"|\W*as an? (?:ai|artificial intelligence|language model|large language model)\b"
    r"|\W*(?:(?:很|非常|十分)?(?:抱歉|遗憾|对不起|不好意思))[^。！\n]{0,16}?(?:我|无法|不能|没法|没办法|做不到)[^。\n]{0,6}(?:无法|不能|没法|没办法|做不到|不可以|不会|帮不了|提供)?"
    r"|\W*作为(?:一个|一名)?(?:人工智能|AI|语言模型|大模型|智能助手)|\W*我(?:无法|不能|没办法)(?:提供|协助|帮助|回答|完成|满足|生成|讨论)",
    re.IGNORECASE,
)
_FAILURE = late_pattern(
    r"\s*(?:\[interrupted\]|\[回复中断\]|error\b|错误[:：]|traceback \(most|<!doctype html|<html|http(?:/\d\.\d)? ?[45]\d\d\b"
    r"|[45]\d\d (?:internal|bad|not|forbidden|unauthorized|too many|service|gateway)"
    r"|internal server error|rate limit|too many requests|bad gateway|service unavailable|gateway time-?out|request timed out"
    r"|connection (?:error|refused|reset)|timed? ?out\b"
    r"|\{\s*[\"']?error[\"']?\s*:|exception\b|null\s*$|undefined\s*$|none\s*$|n/a\s*$|请求(?:失败|超时)|服务(?:不可用|器错误)|网络(?:错误|异常))",
    re.IGNORECASE,
)


def _is_worth_reading(message: Message, tools: Mapping[str, str]) -> bool:
    if message.role == "system" or message.retired:
        return False
    if message.role == "tool" and _MEMORY_TOOL.search(tools.get(message.tool_call_id or "", "")):
        return False
    return not _says_nothing(message.text, message.role)


def _says_nothing(text: str, role: Role) -> bool:
    start = text[:2_100]
    if not _LETTER.search(text) or is_small_talk(text) or _EVENT.match(start) or (len(text) <= 120 and _HEARTBEAT.fullmatch(text)):
        return True
    # A user who is sorry and cannot eat nuts says something; an assistant that is sorry and cannot help does not.
    return role in ("assistant", "tool") and bool(_REFUSAL.match(start) or _FAILURE.match(start))


# --- what is taken out of the others -------------------------------------------------------------------------------------------

_INVISIBLE = late_pattern("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_LETTER = late_pattern(r"\w")
_VISIBLE = late_pattern(r"\S")
_SECRET_MARKER = late_pattern(r"\[secret: [a-z ]{3,12}\]")


def _screened(text: str, author: _Author, keys: frozenset[str]) -> str:
    """The text with blanks in place of all that may not be learnt from; empty if nothing is left."""
    middle = ""
    start = end = 0
    if len(text) > LONGEST_READ:
        # What came out of a memory may begin at one end and close in the middle.
        text = _blanked(text, _recalled(text))
        start, end = _middle(text)
        middle = _VISIBLE.sub(" ", text[start:end])
        text = f"{text[:start]}\n{text[end:]}"
    before = ""
    # What is taken out can make something else stand alone on its line, so it is looked at until nothing more goes.
    while text != before:
        before = text
        text = _blanked(text, _to_blank(text, author, keys))
        if _says_nothing(" ".join(text.split()), author.role):
            return ""
    return text[:start] + middle + text[start + 1 :] if middle else text


#: Messages longer than this are not kept.
_SHORT = 1_000
_screened_before = lru_cache(maxsize=32)(_screened)


def _recalled(text: str) -> Iterator[Range]:
    seen, places = _seen(text)
    return _as_given(recalled(seen), places)


def _to_blank(text: str, author: _Author, keys: Collection[str]) -> Iterator[Range]:
    seen, places = _seen(text)
    found = [*recalled(seen), *repeated(seen, keys, own_words=author.role == "user")]
    if author.role in ("user", "assistant") and author.origin in ("said", "imported"):
        found += pasted(seen)
    found += orders_of_user(seen) if author.is_user else orders_of_others(seen, person=author.role == "user" and author.origin == "said")
    found += ((start, end) for start, end, _ in find_secrets(seen))
    found += (match.span() for match in _SECRET_MARKER.finditer(seen))
    if not author.consent:
        found += ((one.start, one.end) for one in find_personal(seen))
    return _as_given(found, places)


def _as_given(ranges: Iterable[Range], places: Sequence[int] | None) -> Iterator[Range]:
    """Ranges of what is seen as ranges of the text."""
    for start, end in ranges:
        if end > start:
            yield (start, end) if places is None else (places[start], places[end - 1] + 1)


def _seen(text: str) -> tuple[str, list[int] | None]:
    """The text without characters that nobody sees, and where each of the others stands; None: where it did."""
    if text.isascii() or not _INVISIBLE.search(text):
        return text, None
    places = [place for place, character in enumerate(text) if not _INVISIBLE.match(character)]
    return "".join(text[place] for place in places), places


def _middle(text: str) -> Range:
    """All but the ends, cut at line ends where there are any near."""
    start = text.rfind("\n", READ_AT_ENDS // 2, READ_AT_ENDS)
    end = text.find("\n", len(text) - READ_AT_ENDS, len(text) - READ_AT_ENDS // 2)
    return (start if start >= 0 else READ_AT_ENDS), (end if end >= 0 else len(text) - READ_AT_ENDS)


def _blanked(text: str, ranges: Iterator[Range]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in sorted(ranges):
        if end <= at:
            continue
        start = max(start, at)
        # Line ends stay: what stood on lines of its own does not run together.
        pieces += (text[at:start], _VISIBLE.sub(" ", text[start:end]))
        at = end
    return "".join((*pieces, text[at:]))
