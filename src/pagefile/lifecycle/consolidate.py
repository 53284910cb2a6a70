"""Keeping many records and old conversations short: facts that say the same become one, old episodes a summary. Nothing is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from pagefile.events import Usage
from pagefile.language.text import language_of
from pagefile.language.tokens import PER_MESSAGE, PER_REQUEST, count
from pagefile.lifecycle.attributes import attribute_of, canonical_subject
from pagefile.lifecycle.excerpts import Sentence, central, sentences
from pagefile.lifecycle.shorter import answer_of, is_usable
from pagefile.lifecycle.values import likeness
from pagefile.lifecycle.values import words as words_of
from pagefile.messages import Message
from pagefile.ports import Model, ModelRequest
from pagefile.prompts import Wording, words
from pagefile.records import Cause, Change, Edit, Indexing, Record, Source, Supersede

#: So few values of one property are compared each with each.
_FEW = 20

#: Tokens of a prompt that asks for a summary, and of the summary, at most; an episode of fewer tokens is as short as its summary.
PROMPT_TOKENS = 1_500
SUMMARY_TOKENS = 240
LEAST_TOKENS = 120
#: Tokens a model may write. What thinks aloud first needs more than the summary has.
_REPLY_TOKENS = 1_000
#: How much is believed of words that a model found.
_MODEL_CONFIDENCE = 0.7
_IMPORTANCE = 0.4

Group: TypeAlias = list[Record]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What one merge makes of some records, for a person to look at."""

    before: tuple[Record, ...]
    after: Record
    #: A sentence.
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merges:
    """Changes that merge records, in an order in which they can be applied together, and what each merge does."""

    changes: tuple[Change, ...] = ()
    diffs: tuple[Diff, ...] = ()


def plan_merges(
    records: Iterable[Record],
    *,
    now: datetime,
    new_id: Callable[[], str],
    actor: str,
    index: Callable[[Record], Indexing] = lambda record: Indexing(),
) -> Merges:
    """Merge current facts about one property of one person that say the same, or of which one says more than the other.

    The words of the better believed, more exact, newer one stay; the sources of all are cited, and how often they were said adds up. A
    fact that others make more exact in different ways stays as it is. The old records are superseded, so each merge can be taken back.
    ``index``: how a record is found, see ``retrieval.indexing``.
    """
    changes: list[Change] = []
    diffs: list[Diff] = []
    for group in _groups(records):
        for cluster in _clusters(group):
            if len(cluster) > 1:
                diff = _merge(cluster, now=now, id=new_id())
                diffs.append(diff)
                changes += _changes(diff, Cause(actor=actor, reason=diff.reason, at=now), index)
    return Merges(changes=tuple(changes), diffs=tuple(diffs))


def _groups(records: Iterable[Record]) -> list[Group]:
    """Facts that can be the same one: about the same, equally signed, held by the same agent, and true at the same time."""
    found: dict[tuple[object, ...], Group] = {}
    for record in records:
        if record.status != "current" or not (record.subject and record.attribute and record.value):
            continue
        # What happened, and what is over, is one thing with its time: two visits to one city are two.
        times = (record.valid_from, record.valid_to) if record.kind == "event" or record.valid_to is not None else ()
        attribute = attribute_of(record.attribute).name
        key = (canonical_subject(record.subject), attribute, record.polarity, record.kind, record.agent, record.expires_at, *times)
        found.setdefault(key, []).append(record)
    return [group for group in found.values() if len(group) > 1]


def _clusters(group: Group) -> list[Group]:
    """The records of a group, those together that are one fact. The first of each is the one whose words stay."""
    attribute = attribute_of(group[0].attribute or "")
    clusters: list[Group] = []
    index = _Index(attribute.name)
    for record in sorted(group, key=_rank, reverse=True):
        value = record.value or ""
        same = next(
            (place for place in index.near(value) if likeness(clusters[place][0].value or "", value, attribute.name) == "same"), None
        )
        if same is not None:
            clusters[same].append(record)
        else:
            index.add(len(clusters), value)
            clusters.append([record])
    # Tastes stand beside each other: who likes green tea may like others as well.
    return clusters if attribute.arity == "stance" else _with_refined(clusters, index, attribute.name)


def _with_refined(clusters: list[Group], index: _Index, attribute: str) -> list[Group]:
    """The clusters, each put into the one that says all it says and more, if there is just one."""
    values = [cluster[0].value or "" for cluster in clusters]
    exact = [
        {place for place in index.near(value) if place != own and likeness(values[place], value, attribute) == "refines"}
        for own, value in enumerate(values)
    ]
    left = set(range(len(clusters)))
    merging = True
    while merging:
        merging = False
        for own in sorted(left):
            # One that went into another one stands in nobody's way any more.
            over = exact[own] & left
            # Words that are less believed do not take the place of others.
            if len(over) == 1 and clusters[place := next(iter(over))][0].trust >= clusters[own][0].trust:
                clusters[place] += clusters[own]
                left.remove(own)
                merging = True
    return [clusters[place] for place in sorted(left)]


class _Index:
    """Finds, of many values, those that have a word in common with another one: comparing each with each would take minutes."""

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute
        self._places: dict[str, list[int]] = {}
        self._all: list[int] = []

    def add(self, place: int, value: str) -> None:
        self._all.append(place)
        for word in set(words_of(value, self._attribute)):
            self._places.setdefault(word, []).append(place)

    def near(self, value: str) -> list[int]:
        """Places of all values if they are few, else of those that have the rarest word of this one, by which they are told apart."""
        words = words_of(value, self._attribute)
        if len(self._all) <= _FEW or not words:
            return self._all
        return min((self._places.get(word, []) for word in words), key=len)


def _rank(record: Record) -> tuple[int, datetime, str]:
    return record.trust, record.said_at or record.learned_at, record.id


def _merge(cluster: Group, *, now: datetime, id: str) -> Diff:
    best = cluster[0]
    said = Counter(source.message for record in cluster for source in record.sources)
    # Not None where one has none: the new record is learnt now, and would hold only from now on.
    begins = [record.valid_from or record.learned_at for record in cluster]
    used = [record.last_used_at for record in cluster if record.last_used_at is not None]
    after = replace(
        best,
        id=id,
        sources=tuple(dict.fromkeys(source for record in cluster for source in record.sources)),
        # A message that several records cite is one piece of evidence.
        evidence_count=max(1, sum(record.evidence_count for record in cluster) - sum(times - 1 for times in said.values())),
        use_count=sum(record.use_count for record in cluster),
        last_used_at=max(used, default=None),
        confidence=max(record.confidence for record in cluster),
        importance=max(record.importance for record in cluster),
        tags=tuple(dict.fromkeys(tag for record in cluster for tag in record.tags)),
        entities=tuple(dict.fromkeys(entity for record in cluster for entity in record.entities)),
        valid_from=min(begins),
        learned_at=now,
        said_at=max(record.said_at or record.learned_at for record in cluster),
        privacy="sensitive" if any(record.privacy == "sensitive" for record in cluster) else "normal",
        pinned=any(record.pinned for record in cluster),
        extractor="merge",
        supersedes=best.id,
        version=1,
    )
    others = "another record says" if len(cluster) == 2 else f"{len(cluster) - 1} other records say"
    return Diff(before=tuple(cluster), after=after, reason=f"{others} the same, or less exactly the same")


def _changes(diff: Diff, cause: Cause, index: Callable[[Record], Indexing]) -> list[Change]:
    best, *others = diff.before
    # The new record holds over the whole time; that of the old ones ends where it begins, so that no past moment has the fact twice.
    changes: list[Change] = [
        Supersede(target=best.id, item=diff.after, cause=cause, indexing=index(diff.after), valid_to=best.valid_from or best.learned_at)
    ]
    for record in others:
        ended = {"status": "superseded", "retired_at": cause.at, "valid_to": record.valid_from or record.learned_at}
        changes.append(Edit(target=record.id, fields=ended, cause=cause, expected_version=record.version))
    return changes


# --- episodes --------------------------------------------------------------------------------------------------------------


async def summarise(
    model: Model | None,
    messages: Sequence[Message],
    *,
    now: datetime,
    new_id: Callable[[], str],
    prompt_tokens: int = PROMPT_TOKENS,
    told: Callable[[Usage], None] = lambda usage: None,
) -> Record | None:
    """A summary of an old episode, which cites all messages it covers; None if there is nothing to be made shorter.

    ``messages``: of one session, oldest first. What people and the assistant said is covered; system and tool messages, files, pages
    and what was forgotten or holds no more are not. At least one must be the user's. The summary is believed no more than its least
    believed source, and has at most 240 tokens and half of what it covers.
    Without a model it is made of the sentences nearest to what the whole is about, word for word, dated. With one, of a single call with a
    prompt of at most ``prompt_tokens``; a reply that is a refusal, an error, cut, too long, in another language, or has numbers that
    nobody said is not used, and the sentences are taken. ``told`` is told what the call cost. Raises ModelError.
    """
    covered = [message for message in messages if _is_covered(message)]
    size = sum(count(message.text) for message in covered)
    if size < LEAST_TOKENS or not any(message.role == "user" for message in covered):
        return None
    limit = min(SUMMARY_TOKENS, size // 2)
    said = sentences(covered)
    wording: Wording = "zh" if language_of("\n".join(message.text for message in covered if message.role == "user")) == "zh" else "en"
    text, extractor, confidence = None, "excerpts", 1.0
    if model is not None:
        text = await _written(model, said, wording, limit=limit, prompt_tokens=prompt_tokens, told=told)
    if text is not None and model is not None:
        extractor, confidence = f"model:{model.name}", _MODEL_CONFIDENCE
    else:
        text = _lines(central(said, limit, lambda one: count(_line(one, wording)) + 1), wording)
    if not text or count(text) > limit:
        return None
    return _summary(text, covered, now=now, id=new_id(), extractor=extractor, confidence=confidence)


def _is_covered(message: Message) -> bool:
    spoken = message.role in ("user", "assistant") and message.origin == "said" and bool(message.text.strip())
    return spoken and not message.retired and not message.superseded


def _summary(text: str, covered: Sequence[Message], *, now: datetime, id: str, extractor: str, confidence: float) -> Record:
    sessions, agents = {message.session for message in covered}, {message.agent for message in covered}
    return Record(
        id=id,
        kind="summary",
        text=text,
        confidence=confidence,
        importance=_IMPORTANCE,
        valid_from=min(message.said_at for message in covered),
        learned_at=now,
        said_at=max(message.said_at for message in covered),
        extractor=extractor,
        trust=min(message.trust for message in covered),
        sources=tuple(Source(message=message.id, external_id=message.external_id) for message in covered),
        session=sessions.pop() if len(sessions) == 1 else None,
        agent=agents.pop() if len(agents) == 1 else None,
    )


async def _written(
    model: Model, said: Sequence[Sentence], wording: Wording, *, limit: int, prompt_tokens: int, told: Callable[[Usage], None]
) -> str | None:
    """What the model makes of an episode; None: nothing that could be used."""
    # A token of ours is about three quarters of an English word, and about one Chinese character.
    instructions = words("consolidate", "instructions", wording, words=limit if wording == "zh" else limit * 3 // 4)
    frame = count(instructions) + count(words("consolidate", "conversation", wording, lines="")) + 2 * PER_MESSAGE + PER_REQUEST
    shown = central(said, prompt_tokens - frame, lambda one: count(_line(one, wording)) + 2)
    if not shown:
        return None
    lines = _lines(shown, wording, of=len(said))
    asked = words("consolidate", "conversation", wording, lines=lines)
    messages = [{"role": "system", "content": instructions}, {"role": "user", "content": asked}]
    text, usage = await answer_of(model, ModelRequest(messages=messages, max_tokens=_REPLY_TOKENS, temperature=0.0))
    told(usage)
    return text if text is not None and count(text) <= limit and is_usable(text, lines) else None


def _lines(chosen: Sequence[Sentence], wording: Wording, *, of: int | None = None) -> str:
    """Sentences in their order, those of one message on one line; with ``of`` (how many there were) what is left out is marked."""
    lines: list[str] = []
    before: Sentence | None = None
    for one in chosen:
        if before is not None and before.message is one.message:
            gap = " … " if one.place != before.place + 1 else " "
            lines[-1] += gap + one.text
        else:
            lines.append(_line(one, wording))
        before = one
    mark = ["…"] if of is not None and len(chosen) < of else []
    return "\n".join([*lines, *mark])


def _line(one: Sentence, wording: Wording) -> str:
    who = one.message.speaker or words("consolidate", one.message.role, wording)
    return words("consolidate", "line", wording, date=one.message.said_at.date().isoformat(), who=who, text=one.text)
