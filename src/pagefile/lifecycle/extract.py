"""Let a model read facts out of a batch of messages: one call, a short prompt, and nothing is taken that does not stand in a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import anyio

from pagefile.errors import ModelError
from pagefile.events import TextDelta, Usage
from pagefile.language.tokens import count
from pagefile.lifecycle.facts import Claim, Utterance
from pagefile.lifecycle.merging import merged
from pagefile.lifecycle.replies import Reply, read_reply
from pagefile.lifecycle.showing import Shown, show
from pagefile.lifecycle.verify import Batch, Refusal, claim_of
from pagefile.messages import ToolCall
from pagefile.ports import Model, ModelEvent, ModelFinished, ModelRequest

#: The form of a reply, for endpoints that can enforce one: small and flat, so that small models manage.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "line": {"type": "integer"},
                    "quote": {"type": "string"},
                    "subject": {"type": "string"},
                    "attribute": {"type": "string"},
                    "value": {"type": "string"},
                    "polarity": {"enum": ["positive", "negative"]},
                    "when": {"type": ["string", "null"]},
                    "certainty": {"enum": ["plain", "passing"]},
                    "correction": {"type": "boolean"},
                    "ended": {"type": "boolean"},
                    "text": {"type": "string"},
                },
                "required": ["line", "quote", "subject", "attribute", "value"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}

#: The longest reply, thoughts included. A small model that repeats itself stops here.
MOST_REPLY = 4_000
#: A model's window is used up to this share by the prompt.
_PROMPT_SHARE = 0.5
#: An endpoint that reports fewer tokens read than this share of our count has cut what it was sent; counts differ by less.
_LEAST_READ = 0.4
#: No endpoint has a smaller window: who reports fewer tokens does not count them.
_LEAST_WINDOW = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a model found in some utterances, and what came of asking it."""

    claims: tuple[Claim, ...] = ()
    #: Its answer was read to the end. False: there may be more facts in these utterances.
    complete: bool = True
    #: What was left out and why, as sentences for people.
    problems: tuple[str, ...] = ()
    #: What asking the model took: 0, 1 or 2 calls.
    usage: Usage = Usage()
    #: What did not fit the prompt, in order: to be given another time. The first utterance to learn from always fits, cut if it must be.
    rest: tuple[Utterance, ...] = ()

    @property
    def calls(self) -> int:
        return self.usage.calls

    @property
    def tokens(self) -> int:
        """Read and written by the model."""
        return self.usage.input_tokens + self.usage.output_tokens


async def extract(model: Model, utterances: Sequence[Utterance], *, now: datetime, max_prompt_tokens: int = 1_500) -> Extraction:
    """Ask a model, once, for the facts that these utterances state; a second time, for the rest, if the reply could not be used.

    ``max_prompt_tokens``: of a whole request, by our count, which is an upper bound; default 1,500, whatever is given. The schema comes
    on top where an endpoint puts it into the prompt. Without anything to learn from, the model is not asked. Raises ModelError for the
    first call (that of the second one is a problem), and InputError if ``max_prompt_tokens`` has no room for the instructions.
    """
    room = min(max_prompt_tokens, max(1_000, int(model.context_window * _PROMPT_SHARE)))
    shown = show(utterances, max_tokens=room)
    if not shown.lines:
        return Extraction(rest=shown.rest)
    answer = await _ask(model, shown)
    answers, problems = [answer], list(shown.notes)
    if answer.cut_short:
        problems.append(answer.cut_short)
    elif not answer.reply.complete:
        try:
            answers.append(await _ask(model, shown, after=answer.reply))
        except ModelError as error:
            problems.append(f"the model could not be asked for the rest: {error}")
    last = answers[-1]
    problems += [each.reply.problem for each in answers if each.reply.problem]
    batch = Batch(lines=shown.lines, extractor=f"model:{model.name}", now=now)
    claims, refused = _verified([fact for each in answers for fact in each.reply.items], batch)
    return Extraction(
        claims=merged(claims),
        # Whoever found something in the conversation, which stands last, has read it.
        complete=last.reply.complete and (not last.cut_short or bool(claims)),
        problems=(*problems, *refused),
        usage=Usage(
            calls=len(answers),
            input_tokens=sum(each.usage.input_tokens for each in answers),
            output_tokens=sum(each.usage.output_tokens for each in answers),
            cached_tokens=sum(each.usage.cached_tokens for each in answers),
        ),
        rest=shown.rest,
    )


def _verified(facts: Sequence[dict[str, Any]], batch: Batch) -> tuple[list[Claim], list[str]]:
    """The claims that stand in the messages, and why the others do not."""
    claims: list[Claim] = []
    refused: Counter[str] = Counter()
    for fact in facts:
        try:
            claims.append(claim_of(fact, batch))
        except Refusal as refusal:
            refused[str(refusal)] += 1
    return claims, [f"{times} of {len(facts)} facts refused: {reason}" for reason, times in refused.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    reply: Reply
    #: As the endpoint reported it, or by our own counts.
    usage: Usage
    #: The endpoint read only a part of the prompt: in words; else empty.
    cut_short: str


async def _ask(model: Model, shown: Shown, *, after: Reply | None = None) -> _Answer:
    messages = shown.messages() if after is None else shown.messages(again=after.problem or "", begin=_last_line(after))
    sent = shown.tokens(messages)
    room = model.context_window - sent
    request = ModelRequest(messages=messages, schema=SCHEMA, temperature=0.0, max_tokens=max(256, min(MOST_REPLY, room)))
    text, usage = await _answered(model, request)
    read = usage.input_tokens + usage.cached_tokens
    cut_short = ""
    if not usage.estimated and _LEAST_WINDOW <= read < _LEAST_READ * sent:
        cut_short = (
            f"the endpoint read only {read} of about {sent} tokens: it cuts what it is sent; raise its context window (Ollama: num_ctx)"
        )
    return _Answer(
        reply=read_reply(text),
        usage=replace(usage, input_tokens=usage.input_tokens or sent, output_tokens=usage.output_tokens or count(text)),
        cut_short=cut_short,
    )


async def _answered(model: Model, request: ModelRequest) -> tuple[str, Usage]:
    """The whole text of a reply, and what it cost."""
    said: list[str] = []
    usage = Usage(estimated=True)
    events = model.stream(request)
    try:
        async for event in events:
            said.append(_words(event))
            usage = event.usage if isinstance(event, ModelFinished) else usage
    finally:
        # At once, also when this is cancelled: the model stops then.
        close = getattr(events, "aclose", None)
        if close is not None:
            with anyio.CancelScope(shield=True):
                await close()
    return "".join(said), usage


def _words(event: ModelEvent) -> str:
    """The text of an event. A model that makes a call instead of a reply writes the facts into its arguments."""
    if isinstance(event, ToolCall):
        return f"\n{event.arguments}\n"
    return event.text if isinstance(event, TextDelta) else ""


def _last_line(reply: Reply) -> int:
    """The line that a reply had come to."""
    return int(reply.items[-1].get("line", 0)) if reply.items else 0
