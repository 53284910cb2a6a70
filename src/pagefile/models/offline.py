"""No model is configured: answers from memory alone, with the words that were said, their date and their source. Deterministic."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import anyio.lowlevel

from pagefile.events import TextDelta, Usage
from pagefile.language.about_oneself import asks_for_all
from pagefile.language.text import fold, language_of
from pagefile.language.words import query_terms, terms
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest
from pagefile.prompts import WORDINGS, Wording, sections, words
from pagefile.queries import Hit

Intent: TypeAlias = Literal["greeting", "help", "thanks", "farewell", "question", "request", "statement"]

#: Notes that are quoted at most, and how near to the best one they must be.
MOST_NOTES = 3
#: Of all that is known of who asks for that.
MOST_TOLD = 10
NEAR_THE_BEST = 0.6
#: What was said is answered with an older note only if that is surely about the same.
RELATED_SCORE = 0.6
LONGEST_QUOTE = 280
#: Characters of one text that are looked at.
LONGEST_READ = 50_000
#: Which share of a question's words an earlier message must have to answer it.
SHARED_WORDS = 0.4

# Not strftime, whose names change with the locale of the process.
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")

_PIECE = re.compile(r"\s*[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]{1,4}|\s*\S{1,12}|\s+")
_SENTENCE = re.compile(r"[^.!?。！？\n]*[^.!?。！？\s][.!?。！？]*")
_SMALL_TALK: dict[Intent, re.Pattern[str]] = {
    "greeting": re.compile(
        r"(hi|hello|hey|hallo|good (morning|afternoon|evening))( there)?|你好|您好|嗨|哈喽|早|早上好|下午好|晚上好|在吗"
    ),
    "help": re.compile(
        r"|help( me)?|(who|what) are you|what (can|do) you do|what is this|how does this work|"
        r"帮助|你是谁|你能(做|干)什么|你会什么|这是什么|怎么用"
    ),
    "thanks": re.compile(r"(many |ok,? )?thanks?( you)?( (very|so) much| a lot)?|谢谢你?|多谢|感谢"),
    "farewell": re.compile(r"(good ?)?bye( ?bye)?|see you( later| soon)?|good ?night|再见|拜拜|晚安|回头见"),
}
_KEEP = re.compile(r"(please )?(remember|note|keep in mind) (that|this|:)|请?(帮我)?(记住|记下|记一下|记得)(?!.*[吗？?])")
_ASKS = re.compile(
    r"[?？]|^(and |so |but |ok(ay)?,? |please |hey,? |hi,? )?("
    r"(what|when|where|who|whom|whose|why|how|which)\b|what's|who's|where's|when's|"
    r"(do|does|did|is|are|was|were|am|can|could|will|would|should|have|has) (i|you|we|he|she|it|they|there|the|my|our|this|that|any\w*)\b|"
    r"(tell|show|give|list|find|search|look up|recall|repeat)\b|remind me (?!to\b))|"
    r"吗$|呢$|什么|啥|谁|哪|几[点号个岁时天月年次]|多少|多大|多久|多高|怎么|怎样|如何|为何|何时|是否|"
    r"(是不是|有没有|能不能|会不会|要不要|可不可以|喜不喜欢|还记得|记不记得|对不对)|^请?(你)?(告诉我|提醒我|列出|说说|回忆|查|找|搜)"
)
#: Question words that ask nothing: "没什么忌口" (no particular …), "什么都吃" (eats anything).
_ASKS_NOTHING = re.compile(r"[没不无](有)?(什么|怎么|谁)|(什么|谁|哪里|哪儿|怎么)都")
_REQUESTS = re.compile(
    r"^(please |can you |could you )?(write|book|make|plan|recommend|suggest|translate|explain|help|draft|order|draw|calculate|compute|"
    r"summari[sz]e|create|send|buy|set|remind me to|read|open|call|cook|play|sing)\b|"
    r"^请|^(麻烦)?(你)?(帮|替|给)我(?!.*(什么|怎么|哪|谁|多少|吗))|^(写|翻译|推荐|预订|订|安排|画|算|总结|解释|唱|讲|播放|提醒我)"
)


class OfflineModel:
    """Answers a question with the best of ``request.notes``, quoted; says that it keeps a statement; and says once what it is."""

    name = "offline"
    context_window = 32_768
    supports_tools = False
    echoes_memory = True

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """The answer in pieces of a few characters. No call is counted: no model was asked."""
        for piece in _PIECE.findall(answer(request)):
            await anyio.lowlevel.checkpoint()  # so that a cancel can come between the pieces
            yield TextDelta(text=piece)
        yield ModelFinished(reason="stop", usage=Usage())

    async def close(self) -> None:
        """Nothing to close."""


def answer(request: ModelRequest) -> str:
    """What there is to say to the last message of the user, in its language."""
    told = [text for message in request.messages if message.get("role") == "user" and not _is_ours(text := _text(message))]
    said = told.pop() if told else ""
    languages = [language_of(text) for text in (said, *reversed(told))]  # a lone “🙂” is answered in the language before it
    wording: Wording = "zh" if next((language for language in languages if language != "other"), "en") == "zh" else "en"
    intent = intent_of(said)
    reply = words("offline", intent, wording)
    if intent in {"question", "request", "statement"}:
        reply = _from_memory(intent, said, told, request.notes, wording)
    return reply if _was_introduced(request.messages) else f"{reply}\n\n{words('offline', 'notice', wording)}"


def intent_of(text: str) -> Intent:
    """What a message wants, told by its form. A statement unless it looks like something else."""
    if asks_for_all(text):
        return "question"
    folded = fold(text).strip()
    bare = folded.strip(" \t\r\n.!?。~,、")
    for intent, pattern in _SMALL_TALK.items():
        if pattern.fullmatch(bare):
            return intent
    if _KEEP.match(folded):
        return "statement"
    if _REQUESTS.search(folded) and not folded.startswith(("请问", "请告诉", "请列", "请找", "请查")):
        return "request"
    return "question" if _ASKS.search(_ASKS_NOTHING.sub("", folded.rstrip(" .!。~"))) else "statement"


def _from_memory(intent: Intent, said: str, told: Sequence[str], notes: Sequence[Hit], wording: Wording) -> str:
    if intent == "statement":
        related = [note for note in _quotable(notes, {_bare(said), *map(_bare, told)}) if note.score >= RELATED_SCORE][:1]
        opening, quotes = "statement related" if related else "statement", [_quote(note, said, wording) for note in related]
    else:
        here = _in_this_conversation(told, said)
        found = _quotable(notes, {_bare(said)}, most=MOST_TOLD if asks_for_all(said) else MOST_NOTES)
        # Memory first: it knows what still holds of what was said here.
        quotes = [_quote(note, said, wording) for note in found]
        quotes = quotes or [words("offline", "note here", wording, text=_excerpt(text, said)) for text in here]
        opening = intent if quotes else f"{intent} nothing"
    most = MOST_TOLD if asks_for_all(said) else MOST_NOTES
    return "\n".join([words("offline", opening, wording), *([""] if quotes else []), *quotes[:most]])


def _in_this_conversation(told: Sequence[str], said: str) -> list[str]:
    """What the window still shows and shares enough words with the question: it is not among the notes, as a model would see it."""
    wanted = query_terms(said)
    sought = sum(wanted.values())
    shares: dict[str, float] = {}
    for text in told:
        if sought and _bare(text) != _bare(said) and _says_something(text):
            there = terms(text[:LONGEST_READ])
            shares[text] = sum(weight for term, weight in wanted.items() if term in there) / sought
    newest_first = reversed(shares)
    return sorted((text for text in newest_first if shares[text] >= SHARED_WORDS), key=lambda text: -shares[text])[:2]


def _says_something(text: str) -> bool:
    """Whether any sentence of it is a statement: a question that was asked before is no answer."""
    return any(intent_of(sentence) == "statement" for sentence in _SENTENCE.findall(text[:LONGEST_READ]))


def _quotable(notes: Sequence[Hit], shown: Collection[str], *, most: int = MOST_NOTES) -> list[Hit]:
    """The best notes that say something new: nothing that was ``shown``, no question asked before, no earlier answer of this model."""
    found: list[Hit] = []
    seen = set(shown)
    for note in sorted(notes, key=lambda note: -note.score):
        bare = _bare(note.text)
        if not bare or bare in seen or (note.role == "user" and not _says_something(note.text)):
            continue
        if note.role == "assistant" and _is_own(note.text):
            continue
        seen.add(bare)
        found.append(note)
    return [note for note in found if note.score >= NEAR_THE_BEST * found[0].score][:most]


def _quote(note: Hit, said: str, wording: Wording) -> str:
    day = note.time
    date = f"{day.year}年{day.month}月{day.day}日" if wording == "zh" else f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    role = {"user": "you", "assistant": "assistant", "tool": "tool"}.get(note.role or "", "record")
    who = note.speaker or words("offline", f"who {role}", wording)
    # The document's sections have no blanks at their borders; the blank before an English source is put here.
    source = words("offline", "source", wording, session=note.session) if note.session else ""
    source = f" {source}" if source and wording == "en" else source
    return words("offline", "note", wording, date=date, who=who, text=_excerpt(note.text, said), source=source)


def _excerpt(text: str, question: str) -> str:
    """The text, or of a long one the part that shares most with the question."""
    flat = " ".join(text[:LONGEST_READ].split())
    if len(flat) <= LONGEST_QUOTE:
        return flat
    asked = _grams(question)
    ends = [match.end() for match in re.finditer(r"[.!?。！？；;]\s*", flat)]
    sentences = list(pairwise([0, *ends, len(flat)]))
    start = max(sentences, key=lambda part: (len(asked & _grams(flat[part[0] : min(part[1], part[0] + LONGEST_QUOTE)])), -part[0]))[0]
    quoted = flat[start : start + LONGEST_QUOTE].rstrip()
    return f"{'…' if start else ''}{quoted}{'…' if start + LONGEST_QUOTE < len(flat) or len(text) > LONGEST_READ else ''}"


def _grams(text: str) -> set[str]:
    """Words, and for scripts without blanks pairs of characters."""
    found = set(re.findall(r"[^\W\u3400-\u9fff]{3,}", fold(text)))
    return found | {a + b for run in re.findall(r"[\u3400-\u9fff]+", text) for a, b in pairwise(run)}


def _bare(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalnum())


def _is_own(text: str) -> bool:
    return any(phrase in text for wording in WORDINGS for phrase in _own_phrases(wording))


def _is_ours(text: str) -> bool:
    """Whether a message of role "user" was put there by the window and not said by anybody."""
    heads = [sections("window", wording)[head].partition("\n")[0] for wording in WORDINGS for head in ("trailing", "summary", "beginning")]
    return text.startswith(tuple(heads))


def _own_phrases(wording: Wording) -> list[str]:
    """How the answers of this model begin: they are in the journal too, and quoting them would quote quotes."""
    intents = [*_SMALL_TALK, "statement", "statement related", "question", "question nothing", "request", "request nothing"]
    return [sections("offline", wording)[intent] for intent in intents]


def _was_introduced(messages: Sequence[Mapping[str, Any]]) -> bool:
    notices = [words("offline", "notice", wording) for wording in WORDINGS]
    return any(notice in _text(message) for message in messages if message.get("role") == "assistant" for notice in notices)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return " ".join(str(part.get("text", "")) for part in content or () if isinstance(part, Mapping)).strip()
