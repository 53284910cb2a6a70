"""What a memory holds to be true: remembered, edited, corrected, confirmed and accounted for. ``scoped.py`` is its front."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pagefile.errors import ConflictError, Erased, InputError
from pagefile.items import record_of
from pagefile.language.keys import fact_key, record_keys
from pagefile.language.personal import find_personal
from pagefile.language.secrets import redact, redact_values
from pagefile.lifecycle.attributes import attribute_of, canonical_subject
from pagefile.lifecycle.facts import USER, Claim, Utterance
from pagefile.lifecycle.rivals import rivals, superseded
from pagefile.lifecycle.rules import find_claims
from pagefile.lifecycle.written import readings
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.receipts import Keyed
from pagefile.recorder import Recorded, Recorder
from pagefile.records import Cause, Change, Edit, HistoryEntry, Record, Scope, Supersede, Trust
from pagefile.retrieval.indexing import record_indexing

#: The attribute of a record that is no fact about a property, but a sentence worth keeping.
NOTE = "note"
#: Messages of a session, or records, that are read at once.
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What ``correct`` did."""

    record: Record
    #: Ids of the records that it replaced.
    superseded: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The words of a message that a record rests on."""

    message: Message
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a record is believed."""

    record: Record
    quotes: tuple[Quote, ...]
    #: Messages that it cites and that were erased since.
    missing: tuple[str, ...]
    history: tuple[HistoryEntry, ...]


class Beliefs:
    """The records of one scope."""

    def __init__(self, parts: Parts, recorder: Recorder, scope: Scope, actor: str | None = None) -> None:
        """``actor``: who makes the changes, if it is not the user."""
        self._parts = parts
        self._store = parts.store
        self._recorder = recorder
        self._scope = scope
        self._named = actor

    # --- remembering ---------------------------------------------------------------------------------------------------

    async def remember(
        self,
        record: Record,
        *,
        given: Collection[str],
        reason: str,
        consent: bool,
        actor: str | None = None,
        judged: Callable[[Claim], Claim] = lambda claim: claim,
    ) -> Record:
        """Bring a record that somebody wrote in line with what is known; returns the record that says it now. ``given``: names of the
        fields that were given and not left to what we make of the text. ``actor``: who wrote it, if not the user; ``judged``: how far
        he is to be believed."""
        record = _screened(record, consent=consent)
        claim = judged(await asyncio.to_thread(self._claim, record))
        own = {name: getattr(record, name) for name in {*given} & {"pinned", "importance", "expires_at", "confidence"}}
        fields = {"confidence": record.confidence, "learned_at": record.learned_at, **own, **_of_note(claim, record)}
        actor = actor or self._actor()
        recorded = await self._recorder.believe(self._scope, [claim], actor=actor, made=lambda made: replace(made, **fields))
        kept = await self._kept(record, recorded)
        # It was known already: what its keeper wants of it besides is changed in place.
        own |= {"tags": tuple(dict.fromkeys((*kept.tags, *record.tags)))}
        wanted = {name: value for name, value in own.items() if getattr(kept, name) != value}
        return await self.edit(kept.id, wanted, reason=reason, expected_version=None, consent=consent, actor=actor) if wanted else kept

    async def _kept(self, record: Record, recorded: Recorded) -> Record:
        """The record that says now what was written. Raises ConflictError if none does."""
        outcome = recorded.outcomes[0] if recorded.outcomes else None
        if outcome is None or outcome.record is None:
            raise ConflictError(f"{record.text[:80]!r} was not kept: {outcome.why if outcome else 'it was erased'}")
        return await record_of(self._store, self._scope, outcome.record)

    def _claim(self, record: Record) -> Claim:
        """What a written record states. Its own fields win over what the rules read in its text."""
        record, said_at = _canonical(record), record.said_at or record.learned_at
        read = self._read(record.text, said_at) if record.kind == "fact" and record.subject is None else None
        read = read or Claim(subject=USER, attribute=NOTE, value=record.text, text=record.text, sources=(), said_at=said_at, extractor="")
        return replace(
            read,
            subject=record.subject or read.subject,
            attribute=record.attribute or read.attribute,
            value=record.value or read.value,
            polarity=record.polarity if record.polarity == "negative" else read.polarity,
            kind=record.kind,
            text=record.text,
            sources=record.sources,
            valid_from=record.valid_from or read.valid_from,
            valid_to=record.valid_to or read.valid_to,
            certainty="plain",
            speaker=record.speaker,
            trust=record.trust,
            quarantined=record.trust <= Trust.TOOL_OUTPUT,
            session=record.session,
            agent=record.agent,
            tags=record.tags or read.tags,
            entities=record.entities or read.entities,
            privacy=record.privacy,
        )

    def _read(self, text: str, said_at: datetime) -> Claim | None:
        """The one fact that a sentence states, if it states one."""
        for words in readings(text):
            # Whoever writes a personal identifier down has consented to that: it is checked before.
            utterance = Utterance(message="", text=words, said_at=said_at, zone=self._parts.zone, consent=True)
            claims = [claim for claim in find_claims([utterance]) if not claim.only_ends]
            if claims:
                return claims[0] if len(claims) == 1 else None
        return None

    async def edit(
        self,
        id: str,
        fields: dict[str, Any],
        *,
        reason: str,
        expected_version: int | None,
        consent: bool,
        actor: str | None = None,
        tries: int = 10,
    ) -> Record:
        """Change a record in place, and supersede what it contradicts from then on."""
        for _ in range(tries):
            record = await record_of(self._store, self._scope, id)
            made = await asyncio.to_thread(self._edited, record, fields, consent=consent)
            try:
                await self._put(record, made, self._cause(reason, actor), expected_version=expected_version)
            except ConflictError as error:
                if expected_version is not None or isinstance(error, Erased):
                    raise
                continue
            return await record_of(self._store, self._scope, id)
        raise ConflictError(f"the record {id!r} is changed by others all the time; try again")

    def _edited(self, record: Record, fields: dict[str, Any], *, consent: bool) -> Record:
        made = _screened(_canonical(replace(record, **fields)), consent=consent, known=record)
        if all(getattr(made, name) == getattr(record, name) for name in _SAYS):
            return made
        # It is said anew by whoever edits it: words that were erased before may be written again.
        made = replace(made, said_at=self._parts.now())
        if made.text == record.text or {"subject", "attribute", "value"} & set(fields):
            return made
        # What it states is read again: under its old value it would be found where it no longer belongs.
        read = self._read(made.text, self._parts.now()) if record.kind == "fact" else None
        entities = tuple(each for each in record.entities if each in made.text) if read is None else read.entities
        made = replace(made, entities=fields.get("entities", entities))
        if read is None:
            return made if record.value is None else replace(made, value=made.text)
        return replace(made, subject=read.subject, attribute=read.attribute, value=read.value, polarity=read.polarity)

    async def _put(self, record: Record, made: Record, cause: Cause, *, expected_version: int | None = None) -> None:
        """Write a record as it is to be, in place, together with what follows for others."""
        changed = {name: value for name in _FIELDS if (value := getattr(made, name)) != getattr(record, name)}
        edit = Edit(
            target=record.id,
            fields=changed,
            cause=cause,
            indexing=record_indexing(made),
            # What finds the record is made of all its fields: it is good only for the version it was made of.
            expected_version=record.version if expected_version is None else expected_version,
        )
        await self._recorder.change(self._scope, lambda known: ([edit, *rivals(made, known.records, cause)], ()), keys=record_keys(made))

    async def correct(self, record: Record, targets: Sequence[str], *, reason: str, consent: bool) -> Correction:
        """Put a record in the place of others."""
        record = _screened(record, consent=consent)
        olds = [await record_of(self._store, self._scope, id) for id in targets]
        standing = [old for old in olds if old.status in ("current", "pending")]
        if olds and not standing:
            raise ConflictError(f"{targets[0]!r} is {olds[0].status} already; correct the record that is current")
        if record.trust < Trust.USER_SAID:
            if own := next((old for old in standing if old.pinned or old.trust >= Trust.USER_SAID), None):
                raise ConflictError(
                    f"{own.id!r} is the person's own word; what is trusted less cannot take its place: remember it beside it"
                )
            record = replace(record, status="pending")
        if not standing:
            return await self._corrected_by_key(record, reason=reason)
        first, *rest = standing
        made = await asyncio.to_thread(self._successor, record, first)
        cause = self._cause(reason)

        def decide(known: Keyed) -> tuple[list[Change], tuple[()]]:
            losers = [superseded(old, old.valid_from or cause.at, cause) for old in rest]
            gone = {old.id for old in standing}
            others = [rival for rival in rivals(made, known.records, cause) if rival.target not in gone]
            ends = first.valid_from or cause.at
            first_goes = Supersede(target=first.id, item=made, cause=cause, indexing=record_indexing(made), valid_to=ends)
            return [first_goes, *losers, *others], ()

        recorded = await self._recorder.change(self._scope, decide, keys=record_keys(made))
        return Correction(record=await record_of(self._store, self._scope, made.id), superseded=_superseded(recorded.changes))

    def _successor(self, record: Record, old: Record) -> Record:
        """The new record; what it does not say itself it takes from the one it replaces, which never held."""
        # The text was screened: what is personal in it may be kept.
        read, claim = self._edited(old, {"text": record.text}, consent=True), self._claim(record)
        names = ("subject", "attribute", "value", "tags", "entities", "session", "agent")
        kept = {name: getattr(record, name) or getattr(read, name) for name in names}
        has_own_time = claim.valid_from is not None and claim.valid_from != claim.said_at
        valid_from = claim.valid_from if has_own_time else old.valid_from
        made = replace(record, **kept, polarity=read.polarity, kind=old.kind, pinned=old.pinned, importance=old.importance)
        return replace(made, valid_from=valid_from, valid_to=claim.valid_to)

    async def _corrected_by_key(self, record: Record, *, reason: str) -> Correction:
        claim = await asyncio.to_thread(self._claim, record)
        # Whoever corrects overrules what was confirmed before, too. Of several values at a time nothing tells which one was wrong: "I speak
        # German" takes no other language away.
        if record.trust >= Trust.USER_SAID:
            claim = replace(claim, correction=attribute_of(claim.attribute).arity == "single", trust=Trust.USER_CONFIRMED)
        fields = {"trust": record.trust, "confidence": 1.0, **_of_note(claim, record)}
        recorded = await self._recorder.believe(self._scope, [claim], actor=self._actor(), made=lambda made: replace(made, **fields))
        return Correction(record=await self._kept(record, recorded), superseded=_superseded(recorded.changes))

    async def confirm(self, id: str, *, reason: str) -> Record:
        """Believe a record on the user's own word."""
        record = await record_of(self._store, self._scope, id)
        if record.status in ("superseded", "retired"):
            raise ConflictError(f"{id!r} is {record.status}; restore it, if it holds again")
        made = replace(record, status="current", trust=Trust.USER_CONFIRMED, confidence=1.0, retired_at=None)
        await self._put(record, made, self._cause(reason))
        return await record_of(self._store, self._scope, id)

    # --- accounting ----------------------------------------------------------------------------------------------------

    async def why(self, id: str) -> Why:
        """What a record rests on."""
        record = await record_of(self._store, self._scope, id)
        found = await self._store.get(self._scope, [source.message for source in record.sources])
        quotes: list[Quote] = []
        missing: list[str] = []
        for source, message in zip(record.sources, found, strict=True):
            if isinstance(message, Message):
                start, end = source.span or (0, len(message.text))
                quotes.append(Quote(message=message, text=message.text[start:end]))
            else:
                missing.append(source.message)
        history = await self._store.history(self._scope, id)
        return Why(record=record, quotes=tuple(quotes), missing=tuple(missing), history=history)

    async def timeline(self, attribute: str, subject: str) -> tuple[Record, ...]:
        """What was so when, oldest first: what was believed of one property of somebody, current and superseded."""
        key = fact_key(canonical_subject(subject), attribute_of(attribute).name)
        known = (await self._store.keyed(self._scope, [key])).records
        held = [record for record in known if record.status in ("current", "superseded")]
        return tuple(sorted(held, key=lambda record: (record.valid_from or record.learned_at, record.learned_at)))

    def _actor(self) -> str:
        return self._named or f"user:{self._scope.user}"

    def _cause(self, reason: str, actor: str | None = None) -> Cause:
        return Cause(actor=actor or self._actor(), reason=reason, at=self._parts.now())


#: Fields of a record that an edit can change.
_FIELDS = (
    "kind", "text", "status", "subject", "attribute", "value", "polarity", "tags", "entities", "confidence", "importance",
    "valid_from", "valid_to", "retired_at", "said_at", "trust", "expires_at", "privacy", "pinned",
)  # fmt: skip


#: Fields that make up what a record says.
_SAYS = ("text", "subject", "attribute", "value", "polarity")


def _canonical(record: Record) -> Record:
    """The record under the names by which facts are filed: what somebody "dislikes" is what he does not like."""
    subject = None if record.subject is None else canonical_subject(record.subject)
    if record.attribute is None:
        return replace(record, subject=subject)
    attribute = attribute_of(record.attribute)
    return replace(record, subject=subject, attribute=attribute.name, polarity="negative" if attribute.negates else record.polarity)


def _superseded(changes: Sequence[Change]) -> tuple[str, ...]:
    """Ids of the records that these changes replaced."""
    return tuple(
        change.target
        for change in changes
        if isinstance(change, Supersede) or (isinstance(change, Edit) and change.fields.get("status") == "superseded")
    )


def _of_note(claim: Claim, record: Record) -> dict[str, Any]:
    """Fields of a record that is known by its text alone."""
    if claim.attribute != NOTE or record.attribute is not None:
        return {}
    return {"subject": None, "attribute": None, "value": None, "extractor": None}


def _screened(record: Record, *, consent: bool, known: Record | None = None) -> Record:
    """The record without secrets. Raises InputError for personal identifiers that nobody consented to keep, but for those that stand in
    the record as it is ``known``."""
    text = redact(record.text).text
    names = {name: tuple(redact(each).text for each in getattr(record, name)) for name in ("tags", "entities")}
    fields = {name: None if (value := getattr(record, name)) is None else redact(value).text for name in ("subject", "attribute", "value")}
    # What stands under a name such as "password" is judged by it.
    fields["value"], _ = redact_values(fields["value"], record.attribute or "")
    record = replace(record, text=text, **names, **fields)  # type: ignore[arg-type]  # each of the kind its name has
    personal = _personal(record)
    new = personal - (_personal(known) if known is not None else set())
    if new and not consent:
        kinds = ", ".join(sorted({kind for kind, _ in new}))
        raise InputError(f'there is a personal identifier in it ({kinds}); to keep it, give consent="explicit". Nothing was stored')
    return replace(record, privacy="sensitive") if personal else record


def _personal(record: Record) -> set[tuple[str, str]]:
    """The personal identifiers in a record, with their kinds."""
    texts = (record.text, record.subject, record.attribute, record.value, *record.tags, *record.entities)
    return {(each.kind, text[each.start : each.end]) for text in texts if text for each in find_personal(text)}
