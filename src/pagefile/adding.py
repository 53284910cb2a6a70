"""Takes messages into the journal: a portion at a time, with a receipt that tells what became of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pagefile.arguments as arguments
from pagefile.errors import ConflictError, Erased, InputError
from pagefile.intake import ASKED_BEFORE, draft, fingerprint, former_fingerprint, name_to_keep, without_answers
from pagefile.learner import learning_jobs
from pagefile.messages import Appended, Draft, Origin, Receipt, Refused
from pagefile.operations import added
from pagefile.parts import Parts
from pagefile.ports import NewJob
from pagefile.records import Scope
from pagefile.worker import Worker

T = TypeVar("T")

#: Messages written in one transaction, so that a large import leaves room for others and is embedded while it goes on.
_PORTION = 64
#: Characters of text that are worked on elsewhere than on the event loop.
LARGE = 20_000

_CONFLICT = "a message with the id {!r} and other content stands in this session; give it another id"
_ERASED = "the same message was erased before; it is not stored again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What ``add`` was given."""

    messages: Sequence[Mapping[str, Any] | str]
    session: str
    agent: str | None
    key: str | None
    origin: Origin
    consent: bool


@dataclass(slots=True)
class _Taken:
    """What was done so far."""

    outcomes: list[Appended] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    redacted: int = 0


async def add(parts: Parts, worker: Worker, scope: Scope, given: Given) -> Receipt:
    """Write messages to the end of a session. Under a key all of them are one transaction."""
    portion = _PORTION if given.key is None else max(1, len(given.messages))
    taken = _Taken()
    for start in range(0, len(given.messages) if given.key is None else 1, portion):
        messages = given.messages[start : start + portion]
        size = sum(400 + _length(one) for one in messages)
        drafts, refused = await off_loop(size, _drafts, messages, start, parts, given)
        heard = await without_answers(parts, scope, given.session, [one for _, one in drafts])
        answers = [index for (index, one), other in zip(drafts, heard, strict=True) if one.text != other.text]
        drafts = [(index, one) for (index, _), one in zip(drafts, heard, strict=True)]
        jobs = learning_jobs(parts, given.session, heard)
        if given.key is None:
            outcomes = await parts.store.append(scope, given.session, heard, jobs=jobs)
        else:
            outcomes = await _append_once(parts, scope, given, heard, jobs, answers)
        _note(taken, drafts, refused, outcomes)
        worker.wrote(scope, sum(one.outcome == "stored" for one in outcomes))
        if jobs:
            worker.said(scope)
    kept = [one for one in taken.outcomes if one.outcome in ("stored", "duplicate")]
    stored = sum(one.outcome == "stored" for one in kept)
    receipt = Receipt(
        session=given.session,
        messages=tuple(one.message for one in kept),
        stored=stored,
        duplicates=len(kept) - stored,
        refused=tuple(sorted(taken.refused, key=lambda one: one.index)),
        redacted=taken.redacted,
    )
    worker.note(scope, added(receipt, at=parts.now()))
    return receipt


async def _append_once(
    parts: Parts, scope: Scope, given: Given, drafts: Sequence[Draft], jobs: Sequence[NewJob], answers: Sequence[int]
) -> tuple[Appended, ...]:
    """Write messages under a key. ``answers``: places of those that are nothing but a secret, by what was said before them."""
    conflict: ConflictError | None = None
    for known_by in _fingerprints(given, answers):
        try:
            return await parts.store.append(scope, given.session, drafts, jobs=jobs, key=given.key, fingerprint=known_by)
        except Erased:
            raise
        except ConflictError as error:
            # The key is known. The same may have been given before another question, or to an earlier version.
            conflict = conflict or error
    assert conflict is not None, "there is a fingerprint"
    raise conflict


def _fingerprints(given: Given, answers: Sequence[int]) -> Iterator[str]:
    """What the same messages may have been known by, first of all what they are known by now."""
    session, messages = given.session, given.messages
    yield fingerprint(session, messages, answers)
    # Only the first of them depend on what is not among them.
    for place in range(min(ASKED_BEFORE, len(messages))):
        yield fingerprint(session, messages, set(answers) ^ {place})
    yield former_fingerprint(session, messages)


def _drafts(
    messages: Sequence[Mapping[str, Any] | str], start: int, parts: Parts, given: Given
) -> tuple[list[tuple[int, Draft]], list[Refused]]:
    drafts: list[tuple[int, Draft]] = []
    refused: list[Refused] = []
    for index, message in enumerate(messages, start):
        try:
            made = draft(message, parts=parts, agent=given.agent, origin=given.origin)
            drafts.append((index, replace(made, consent=True) if given.consent else made))
        except InputError as error:
            refused.append(Refused(index=index, reason=str(error)))
    return drafts, refused


def _note(taken: _Taken, drafts: Sequence[tuple[int, Draft]], refused: Sequence[Refused], outcomes: Sequence[Appended]) -> None:
    taken.outcomes += outcomes
    taken.refused += refused
    # A replay leaves out what was erased since; its answers then stand at no known place.
    places = [index for index, _ in drafts] if len(drafts) == len(outcomes) else [-1] * len(outcomes)
    for place, one in zip(places, outcomes, strict=True):
        if one.outcome in ("conflict", "erased"):
            reason = _ERASED if one.outcome == "erased" else _CONFLICT.format(one.message.external_id)
            taken.refused.append(Refused(index=place, reason=reason))
    taken.redacted += sum(one.redacted for _, one in drafts)


def checked(
    messages: Sequence[Mapping[str, Any] | str] | Mapping[str, Any] | str,
    *,
    session: str,
    agent: str | None,
    key: str | None,
    origin: Origin,
    consent: str | None,
) -> Given:
    """The arguments of ``add``. Raises InputError."""
    return Given(
        messages=[messages] if isinstance(messages, Mapping | str) else arguments.listed(messages, "messages"),
        session=name_to_keep(session, "session"),
        agent=None if agent is None else name_to_keep(agent, "agent"),
        key=None if key is None else name_to_keep(key, "key"),
        origin=arguments.one_of(origin, "origin", arguments.ORIGINS),
        consent=arguments.consent(consent),
    )


def _length(message: Mapping[str, Any] | str) -> int:
    content = message.get("content") if isinstance(message, Mapping) else message
    return len(content) if isinstance(content, str | list) else 0


async def off_loop(size: int, work: Callable[..., T], *given: Any) -> T:
    """Do work on text of ``size`` characters: much of it in a thread, since it would hold up everybody else on this event loop."""
    return await asyncio.to_thread(work, *given) if size > LARGE else work(*given)
