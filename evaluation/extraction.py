"""Extraction: learns from given conversations through the public API, and counts what came of them."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from rich.table import Table

from evaluation.conversations import Conversation, Turn
from evaluation.learning import Clock, Extractor, current, open_memory
from evaluation.learning_measures import KINDS
from pagefile import Record
from pagefile.ports import Embedder

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
#: Whoever is called so is the user of the memory, and no third person.
_USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What was known at the end of one conversation."""

    conversation: Conversation
    #: Turns that people said.
    turns: int
    records: tuple[Record, ...]
    #: To add all turns and learn from them.
    seconds: float

    @property
    def per_hundred(self) -> float:
        """Current facts for 100 turns of people."""
        return 100 * len(self.records) / self.turns if self.turns else float("nan")

    @property
    def dated(self) -> float:
        """Share of the facts that have a day of their own: in their words, or another one than that on which they were said."""
        return sum(map(_is_dated, self.records)) / len(self.records) if self.records else float("nan")

    @property
    def duplicates(self) -> int:
        """Facts whose value stands, but for case and signs, in that of another fact about the same."""
        return sum(_repeats(record, self.records) for record in self.records)

    @property
    def sessions(self) -> frozenset[str]:
        """Sessions from which something current was learnt."""
        return frozenset(record.session for record in self.records if record.session)

    @property
    def evidence(self) -> float:
        """Share of the sessions that answer a question from which something current was learnt; NaN if none is given."""
        wanted = {session for question in self.conversation.questions for session in _evidence(question.sessions, question.turns, self)}
        return len(wanted & self.sessions) / len(wanted) if wanted else float("nan")


async def run(
    conversation: Conversation,
    *,
    extractor: Extractor = "rules",
    embedder: Embedder | str | None = "none",
    progress: Callable[[str], None] = lambda doing: None,
) -> Learnt:
    """Learn from one conversation in a new memory."""
    clock = Clock(_moment(conversation.turns[0]))
    began = time.perf_counter()
    async with await open_memory(extractor, embedder=embedder, now=clock) as memory:
        scope = memory.scope(conversation.name)
        for session, said in groupby(conversation.turns, key=lambda turn: turn.session):
            turns = list(said)
            progress(f"{conversation.name}: session {session}")
            clock.set(max(map(_moment, turns)) + timedelta(minutes=1))
            await scope.add([_message(turn) for turn in turns], session=session)
            await memory.flush()
        records = tuple(record for record in await current(scope) if record.kind in KINDS)
    turns_of_people = sum(not _is_assistant(turn) for turn in conversation.turns)
    return Learnt(conversation=conversation, turns=turns_of_people, records=records, seconds=time.perf_counter() - began)


def table(learnt: Sequence[Learnt]) -> Table:
    """What was learnt, a conversation a row."""
    result = Table(title="facts learnt", title_justify="left")
    result.add_column("conversation")
    for column in ("turns", "facts", "per 100", "dated", "duplicates", "sessions", "evidence sessions", "seconds"):
        result.add_column(column, justify="right")
    for one in learnt:
        shares = (f"{one.per_hundred:.1f}", _share(one.dated), str(one.duplicates), str(len(one.sessions)), _share(one.evidence))
        result.add_row(one.conversation.name, str(one.turns), str(len(one.records)), *shares, f"{one.seconds:.1f}")
    return result


def details(learnt: Learnt) -> Iterator[str]:
    """The facts, a line each."""
    for record in learnt.records:
        sign = "+" if record.polarity == "positive" else "-"
        yield f"{learnt.conversation.name}: {record.subject} · {record.attribute} · {sign} {record.value}  “{record.text}”"


def _share(value: float) -> str:
    return "–" if value != value else f"{value:.2f}"


def _is_assistant(turn: Turn) -> bool:
    return turn.speaker.casefold() == "assistant"


def _message(turn: Turn) -> dict[str, str]:
    named = {"name": turn.speaker} if turn.speaker and turn.speaker.casefold() not in (_USER, "assistant") else {}
    role = "assistant" if _is_assistant(turn) else "user"
    return {"role": role, "content": turn.text, "id": turn.id, "said_at": _moment(turn).isoformat(), **named}


def _moment(turn: Turn) -> datetime:
    time = datetime.fromisoformat(turn.time)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _is_dated(record: Record) -> bool:
    said = record.said_at or record.learned_at
    begins_elsewhere = record.valid_from is not None and record.valid_from.astimezone(said.tzinfo).date() != said.date()
    return begins_elsewhere or _DAY.search(record.text) is not None


def _repeats(record: Record, records: Sequence[Record]) -> bool:
    ours = _bare(record.value or record.text)
    for other in records:
        about_the_same = (other.subject, other.attribute, other.polarity) == (record.subject, record.attribute, record.polarity)
        theirs = _bare(other.value or other.text)
        # Of two that are equal the later one is the repetition.
        if other.id != record.id and about_the_same and ours in theirs and (ours != theirs or other.id < record.id):
            return True
    return False


def _bare(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKC", text).casefold() if character.isalnum())


def _evidence(sessions: frozenset[str], turns: frozenset[str], learnt: Learnt) -> set[str]:
    return set(sessions) | {turn.session for turn in learnt.conversation.turns if turn.id in turns}
