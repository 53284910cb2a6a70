"""What people ask in chat logs that bears on how much has to be remembered. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagefile.advise.logs import Log
from pagefile.advise.references import reference, shown
from pagefile.language.words import query_terms
from pagefile.messages import Message
from pagefile.models.offline import intent_of
from pagefile.retrieval.gate import Remark, decide
from pagefile.retrieval.likeness import ALIKE, likeness

#: Messages before a turn that the gate is shown, and characters of a message that are looked at.
_SEEN = 16
_LOOKED_AT = 2_000
#: A question is compared with so many earlier ones, those that share most of its words; a word of more questions than this tells nothing.
_COMPARED = 12
_COMMON = 200
#: Examples that are shown of a kind.
_EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What was counted in chat logs."""

    conversations: int
    messages: int
    turns: int
    longest_turns: int
    questions: int
    #: Questions that were asked before: in the same conversation, or in an earlier one.
    repeated_here: int
    repeated_elsewhere: int
    #: Turns that refer to what was said before, or ask for something that was ("as I told you", 上次你说的).
    past: int
    #: Turns for which memory would be searched.
    searched: int
    #: Conversations that begin with the same instructions as another one, and their tokens.
    same_instructions: int
    instruction_tokens: int
    #: Messages of tools, or that call them.
    of_tools: int
    past_examples: tuple[str, ...] = ()
    repeated_examples: tuple[str, ...] = ()


def signs_of(logs: Sequence[Log]) -> tuple[Signs, list[list[bool]]]:
    """What stands in the logs, and for each turn of each of them whether memory would be searched."""
    searches: list[list[bool]] = []
    past: list[str] = []
    for log in logs:
        searches.append([_searches(log, place) for place in log.turns])
        past += [found for place in log.turns if (found := reference(log.messages[place].text))]
    questions = [
        (number, log.messages[place].text) for number, log in enumerate(logs) for place in log.turns if _asks(log.messages[place].text)
    ]
    here, elsewhere = _repeated(questions)
    instructions = Counter(_instructions(log) for log in logs)
    shared = {text: times for text, times in instructions.items() if text and times > 1}
    signs = Signs(
        conversations=len(logs),
        messages=sum(len(log.messages) for log in logs),
        turns=sum(len(log.turns) for log in logs),
        longest_turns=max((len(log.turns) for log in logs), default=0),
        questions=len(questions),
        repeated_here=len(here),
        repeated_elsewhere=len(elsewhere),
        past=len(past),
        searched=sum(map(sum, searches)),
        same_instructions=sum(shared.values()),
        instruction_tokens=max((_tokens(log) for log in logs if _instructions(log) in shared), default=0),
        of_tools=sum(message.role == "tool" for log in logs for message in log.messages),
        past_examples=tuple(dict.fromkeys(past))[:_EXAMPLES],
        repeated_examples=_examples([*elsewhere, *here]),
    )
    return signs, searches


def _searches(log: Log, place: int) -> bool:
    message = log.messages[place]
    before = log.messages[max(0, place - _SEEN) : place]
    age, remarks = 1, list[Remark]()
    for one in reversed(before):
        remarks.append(Remark(role=one.role, text=one.text[:_LOOKED_AT], age=age))
        age += one.role == "user"
    return decide(message.text[:_LOOKED_AT], window=remarks, now=message.said_at).search


def _asks(text: str) -> bool:
    return intent_of(text[:_LOOKED_AT]) == "question"


def _repeated(questions: Sequence[tuple[int, str]]) -> tuple[list[str], list[str]]:
    """The questions that were asked before: in the same conversation, and in an earlier one."""
    here: list[str] = []
    elsewhere: list[str] = []
    asked_with: defaultdict[str, list[int]] = defaultdict(list)
    for number, (conversation, text) in enumerate(questions):
        terms = query_terms(text[:_LOOKED_AT])
        shared = Counter(earlier for term in terms if len(asked_with[term]) <= _COMMON for earlier in asked_with[term])
        before = {questions[earlier][0] for earlier, _ in shared.most_common(_COMPARED) if likeness(text, questions[earlier][1]) >= ALIKE}
        if before:
            (here if before == {conversation} else elsewhere).append(text)
        for term in terms:
            asked_with[term].append(number)
    return here, elsewhere


def _instructions(log: Log) -> str:
    return "\n".join(message.text for message in _system(log))


def _tokens(log: Log) -> int:
    return sum(message.tokens for message in _system(log))


def _system(log: Log) -> list[Message]:
    """The instructions at the beginning."""
    return [message for message in log.messages[: log.turns[0]] if message.role == "system"]


def _examples(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(shown, texts)))[:_EXAMPLES]
