"""A model that reads facts out of a script's turns as its key has them, with the noise that real models add.

For measuring what is made of a good extractor's replies. It sees no more than the prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from evaluation.learning_measures import fold
from evaluation.learning_scripts import Pattern, Script
from pagefile.events import TextDelta, Usage
from pagefile.language.dates import find_times
from pagefile.models.offline import OfflineModel
from pagefile.ports import ModelEvent, ModelFinished, ModelRequest

Fact: TypeAlias = dict[str, Any]

#: "[3] user (2026-05-24): …"
_LINE = re.compile(r"^\[(\d+)\]\s*([^\n:：]*)[:：]", re.MULTILINE)
#: A rule that is said as a ban.
_DENIES = re.compile(r"\b(?:no|not|never|stop|can't|don't)\b|[不别別没沒]", re.IGNORECASE)
#: How lines are marked that were learnt from before.
_EARLIER = ("(earlier)", "（之前）")


class KeyModel:
    """Answers each extraction prompt with the key's facts whose words stand in it; anything else as the offline model does.

    ``noisy``: its replies are fenced and have prose around them, a fact that nobody stated, an assistant's words as the user's, and what
    is noise in the key as a passing remark.
    """

    name = "key"
    context_window = 32_768
    supports_tools = False
    echoes_memory = True

    def __init__(self, script: Script, *, noisy: bool = True) -> None:
        self._script, self._noisy = script, noisy
        self._offline = OfflineModel()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """The reply, whole. No call is counted: no model was asked."""
        if request.schema is None:
            async for event in self._offline.stream(request):
                yield event
            return
        yield TextDelta(text=reply(self._script, request, noisy=self._noisy))
        yield ModelFinished(reason="stop", usage=Usage())

    async def close(self) -> None:
        """Nothing to close."""


def reply(script: Script, request: ModelRequest, *, noisy: bool) -> str:
    """The facts that the key has for one extraction prompt, as JSON."""
    prompt = "\n".join(str(message.get("content", "")) for message in request.messages if message.get("role") == "user")
    lines = [line for line in _lines(prompt) if not any(mark in line[1] for mark in _EARLIER)]
    at = script.sessions[-1].at
    facts = [fact for number, who, text in lines if not _is_assistant(who) for fact in _of_line(script, number, text, at)]
    if not noisy:
        return json.dumps({"facts": facts}, ensure_ascii=False)
    facts += [fact for line in lines for fact in _noise(script, *line)]
    whole = json.dumps({"facts": facts}, ensure_ascii=False, indent=1)
    return f"Here are the facts I found:\n```json\n{whole}\n```\nLet me know if you need more!"


def _lines(prompt: str) -> list[tuple[int, str, str]]:
    found = list(_LINE.finditer(prompt))
    ends = [match.start() for match in found[1:]] + [len(prompt)]
    return [(int(match[1]), match[2], prompt[match.end() : end].strip()) for match, end in zip(found, ends, strict=True)]


def _is_assistant(who: str) -> bool:
    return fold(who).startswith(("assistant", "助手", "ai"))


def _of_line(script: Script, number: int, text: str, at: datetime) -> Iterator[Fact]:
    for fact in (*script.gone, *script.facts):
        if fact.said and fact.said in text:
            either = "negative" if _DENIES.search(fact.said) else "positive"
            yield _fact(number, fact, fact.said, either if fact.polarity == "either" else fact.polarity, at)
        if fact.ended and fact.ended in text:
            other = "negative" if fact.polarity == "positive" else "positive"
            yield {**_fact(number, fact, fact.ended, other, at), "ended": other == "negative"}


def _fact(number: int, fact: Pattern, quote: str, polarity: str, at: datetime) -> Fact:
    value = next((value for value in fact.value if fold(value) in fold(quote)), fact.value[0])
    times = find_times(quote, reference=at) if fact.on else []
    return {
        "line": number,
        "quote": quote,
        "subject": fact.subject[0],
        "attribute": fact.attribute[0],
        "value": value.removeprefix("="),
        "polarity": polarity,
        "when": times[0].text if times else None,
        "certainty": "plain",
        "correction": fact.correction,
        "ended": False,
        "text": quote,
    }


def _noise(script: Script, number: int, who: str, text: str) -> Iterator[Fact]:
    invented: Mapping[str, Any] = {"line": number, "subject": "user", "polarity": "positive", "when": None, "ended": False}
    yield {**invented, "quote": "I own a castle", "attribute": "owns", "value": "castle", "text": "I own a castle", "certainty": "plain"}
    if _is_assistant(who):
        yield {**invented, "quote": text, "attribute": "note", "value": text, "text": text, "certainty": "plain"}
        return
    for word in _standing(script.noise, text):
        yield {**invented, "quote": word, "attribute": "note", "value": word, "text": word, "certainty": "passing"}


def _standing(words: Sequence[str], text: str) -> list[str]:
    return [word for word in words if word in text]
