"""What to do with one claim, in view of the records it can touch. Pure; the rules are told in ``reconcile``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal, TypeAlias

from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.ledger import EVENTS, Ledger, is_note, merged, said_at
from pagefile.lifecycle.standing import (
    AHEAD,
    competes,
    denies,
    ended,
    event_likeness,
    from_same_message,
    is_ahead,
    is_independent,
    own_time,
    same_property,
    same_reading,
    stands,
)
from pagefile.lifecycle.values import Likeness
from pagefile.records import Record, Trust

What: TypeAlias = Literal["added", "reinforced", "superseded", "pending", "confirmed", "ended", "kept as history", "passed over"]

#: "Not …" says nothing by itself of these, and of what has one value: that somebody is no doctor does not tell what he is.
_SAYS_LITTLE = frozenset({"parent", "relative", "friend", "colleague", "plan", "deadline", "goal", "experience", "visited"})
#: But that somebody is not married does.
_SAYS_ENOUGH = frozenset({"marital status", "partner"})
#: A correction in another session than what it corrects is one only within this time.
_CORRECTED_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one claim."""

    what: What
    #: The record that says it now; None if none does.
    record: str | None
    #: Records that it replaced or ended.
    replaced: tuple[str, ...] = ()
    #: One sentence for a person.
    why: str


class Decision:
    """What to do with one claim. The first step that has an answer gives the outcome."""

    def __init__(self, ledger: Ledger, claim: Claim, batch: Sequence[Claim]) -> None:
        self._ledger, self._claim, self._batch = ledger, claim, batch
        self._arity = attribute_of(claim.attribute).arity
        self._about = ledger.about(claim)
        self._standing: Mapping[str, Likeness] = {record.id: stands(claim, record) for record in self._about}
        self._same = [record for record in self._about if self._agrees(record) and self._standing[record.id] == "same"]
        self._current = [record for record in self._about if record.status == "current"]

    def outcome(self) -> Outcome:
        return (
            self._forgotten()
            or self._read_before()
            or self._filled()
            or self._ending()
            or self._said_before()
            or self._pending_before()
            or self._news()
        )

    # --- what is known already --------------------------------------------------------------------------------------------

    def _forgotten(self) -> Outcome | None:
        for record in self._about:
            if record.status != "retired" or record.retired_at is None or not self._agrees(record):
                continue
            if self._standing[record.id] in ("same", "refines", "vaguer") and self._claim.said_at <= record.retired_at:
                return Outcome(what="passed over", record=record.id, why="It was forgotten, and not said again since.")
        return None

    def _read_before(self) -> Outcome | None:
        """The message was read before, by this extractor or another one."""
        own = [record for record in self._same if from_same_message(self._claim, record)]
        own += [record for record in self._about if same_reading(self._claim, record)]
        if not own:
            return None
        record = min(own, key=lambda record: _ORDER[record.status])
        if record.status in ("superseded", "retired"):
            return Outcome(
                what="passed over", record=record.id, why="This message was learnt from before, and what it said was replaced since."
            )
        if record.status == "pending" and self._claim.trust >= Trust.USER_SAID > record.trust:
            return None
        record = self._read_as_worse(record)
        self._ledger.reinforce(record, self._claim, "The same message was read again.", counts=False, moves=False)
        what: What = "pending" if record.status == "pending" else "reinforced"
        return Outcome(what=what, record=record.id, why="The same message says it already.")

    def _read_as_worse(self, record: Record) -> Record:
        """The record as an allergy, if that is how its words were read this time: it is never lost to something milder."""
        claim = self._claim
        if claim.attribute != "allergy" or record.attribute == "allergy" or claim.polarity == "negative" or not self._believable:
            return record
        importance = max(record.importance, claim.importance)
        why = "The same words, read as an allergy."
        return self._ledger.edit(record, why, attribute="allergy", value=claim.value, polarity="positive", importance=importance)

    def _filled(self) -> Outcome | None:
        """The very words stand in a record that could not be reconciled yet, as it has no subject and value."""
        claim, why = self._claim, "The same words, now with subject and value."
        for record in self._current:
            if not record.value and not is_note(claim) and self._standing[record.id] == "same" and self._believable:
                record = self._ledger.edit(
                    record, why, subject=claim.subject, attribute=claim.attribute, value=claim.value, polarity=claim.polarity
                )
                self._ledger.reinforce(record, claim, why, counts=is_independent(claim, record))
                return Outcome(what="reinforced", record=record.id, why=why)
        return None

    def _ending(self) -> Outcome | None:
        """What it denies holds no more, and nothing stands in its place."""
        claim = self._claim
        if not claim.only_ends:
            return None
        denied = [record for record in self._rivals if said_at(record) <= claim.said_at and _weight(record.trust) <= _weight(claim.trust)]
        denied = [record for record in denied if not from_same_message(claim, record)]
        if claim.attribute in EVENTS:
            # One event is meant, and one that is still to come.
            denied = [record for record in denied if is_ahead(record, claim.said_at)][:1]
        if not denied or not self._believable:
            return Outcome(what="passed over", record=None, why="Nothing is known that it could end.")
        for record in denied:
            self._ledger.end(record, "It no longer holds.", valid_to=_end_of(record, claim.valid_from))
        # With its message it can be taken back, and older words do not overrule it.
        self._ledger.add(claim, "superseded", "It is kept as what ended something else.", valid_to=None)
        return Outcome(what="ended", record=None, replaced=_ids(denied), why="It no longer holds.")

    def _said_before(self) -> Outcome | None:
        """It is current, in these or other words."""
        for record in self._current:
            standing = self._standing[record.id]
            if not self._agrees(record) or self._is_over(record) or not (standing == "same" or self._is_vaguer(record)):
                continue
            if self._is_echo(record):
                return Outcome(what="passed over", record=record.id, why="It repeats what a person said, and is no evidence for it.")
            if record.expires_at is not None and record.expires_at <= self._claim.said_at:
                if not self._believable:
                    continue
                record = self._ledger.edit(record, "It was said anew after it had expired.", expires_at=None)
            counts = is_independent(self._claim, record)
            why = "It was said again." if counts else "It was repeated; that is no new evidence."
            self._ledger.reinforce(record, self._claim, why, counts=counts)
            return Outcome(what="reinforced", record=record.id, why=why)
        return None

    # --- what waits for a second signal -----------------------------------------------------------------------------------

    def _pending_before(self) -> Outcome | None:
        pending = next((record for record in self._same if record.status == "pending"), None)
        if pending is None:
            return None
        claim, confirms = self._claim, is_independent(self._claim, pending)
        if self._by_person and pending.trust < Trust.USER_SAID:
            # What others said of somebody is no first signal of his.
            pending, confirms = self._in_own_words(pending), self._believable
        rivals = self._rivals
        if not confirms or any(said_at(rival) > claim.said_at for rival in rivals):
            if not self._is_echo(pending):
                self._ledger.reinforce(pending, claim, "It was said again, but that confirms nothing.", counts=False, moves=False)
            return Outcome(what="pending", record=pending.id, why="It waits for a second, independent signal.")
        return self._confirmed(pending, rivals)

    def _confirmed(self, pending: Record, rivals: Sequence[Record]) -> Outcome:
        claim, why = self._claim, "A second message says the same."
        fields: dict[str, Any] = {"status": "current", "confidence": max(pending.confidence, claim.confidence)}
        if rivals:
            fields |= {"supersedes": rivals[0].id, "pinned": pending.pinned or any(rival.pinned for rival in rivals)}
        if pending.expires_at and pending.expires_at <= claim.said_at:
            fields["expires_at"] = None
        if pending.valid_from and pending.valid_from > claim.said_at:
            fields["valid_from"] = claim.valid_from
        for rival in rivals:
            self._ledger.end(rival, why, valid_to=_end_of(rival, claim.valid_from))
        pending = self._ledger.edit(pending, why, **fields)
        self._ledger.reinforce(pending, claim, why, counts=is_independent(claim, pending))
        return Outcome(what="confirmed", record=pending.id, replaced=_ids(rivals), why=why)

    def _in_own_words(self, pending: Record) -> Record:
        names = ("text", "value", "trust", "speaker", "session", "extractor", "valid_from", "valid_to", "said_at")
        fields = {name: getattr(self._claim, name) for name in names}
        # First those that the words come from: when they are erased, so are the words.
        sources = merged(self._claim.sources, pending.sources)
        return self._ledger.edit(pending, "The person says it himself.", **fields, sources=sources)

    # --- what is new ------------------------------------------------------------------------------------------------------

    def _news(self) -> Outcome:
        claim, rivals = self._claim, self._rivals
        if not self._believable:
            return self._kept_pending("It is a mood, a guess or not the person's own word; it waits for a second, independent signal.")
        newer = [rival for rival in rivals if said_at(rival) > claim.said_at and _weight(rival.trust) >= _weight(claim.trust)]
        if newer or self._replaced_since():
            return self._kept_as_history(newer)
        if any(_weight(rival.trust) > _weight(claim.trust) for rival in rivals):
            return self._kept_pending("It contradicts something that is trusted more.")
        if rivals and claim.attribute not in AHEAD and claim.valid_from is not None and claim.valid_from > claim.said_at:
            return self._kept_pending("It does not hold yet.")
        if vague := self._less_exact():
            return self._made_exact(vague, rivals)
        if rivals:
            return self._replacing(rivals)
        if claim.polarity == "negative" and (nothing := self._denied_nothing()):
            return nothing
        why = "Nothing like it was known."
        return Outcome(what="added", record=self._ledger.add(claim, "current", why).id, why=why)

    def _kept_pending(self, why: str) -> Outcome:
        return Outcome(what="pending", record=self._ledger.add(self._claim, "pending", why).id, why=why)

    def _less_exact(self) -> Record | None:
        """A current record that says the same, and less."""
        claim = self._claim
        for record in self._current:
            if (
                record.polarity == claim.polarity
                and self._standing[record.id] == "refines"
                and _weight(record.trust) <= _weight(claim.trust)
                and self._merges
            ):
                return record
        return None

    def _made_exact(self, record: Record, rivals: Sequence[Record]) -> Outcome:
        claim, why = self._claim, "It says the same more exactly."
        for rival in rivals:
            self._ledger.end(rival, why, valid_to=_end_of(rival, claim.valid_from))
        made = self._ledger.supersede(
            record,
            claim,
            why,
            valid_to=record.valid_from,
            valid_from=claim.valid_from if own_time(claim) else record.valid_from,
            said_at=max(claim.said_at, said_at(record)),
            sources=merged(record.sources, claim.sources),
            evidence_count=record.evidence_count + is_independent(claim, record),
            importance=max(record.importance, claim.importance),
        )
        return Outcome(what="superseded", record=made.id, replaced=(record.id, *_ids(rivals)), why=why)

    def _replacing(self, rivals: Sequence[Record]) -> Outcome:
        claim, (first, *others) = self._claim, rivals
        why = "What was said before was wrong." if claim.correction else "It no longer holds." if claim.ended else "It was said later."
        begins, turn = claim.valid_from, claim.valid_to if ended(claim, claim.said_at) else claim.valid_from
        if claim.correction:
            # What was wrong never held: the right value takes its place from its beginning on.
            begins = first.valid_from if first.valid_from and not own_time(claim) else claim.valid_from
            turn = None
        for other in others:
            self._ledger.end(other, why, valid_to=_end_of(other, turn))
        pinned = any(rival.pinned for rival in rivals)
        made = self._ledger.supersede(first, claim, why, valid_to=_end_of(first, turn), valid_from=begins, pinned=pinned)
        what: What = "ended" if claim.polarity == "negative" and self._arity != "stance" else "superseded"
        return Outcome(what=what, record=made.id, replaced=_ids(rivals), why=why)

    def _denied_nothing(self) -> Outcome | None:
        """What becomes of a denial of something that is not known; None: it is news by itself."""
        claim = self._claim
        replaced = {
            record.id for record in self._about if record.status == "superseded" and denies(claim, record, self._standing[record.id])
        }
        if any(record.supersedes in replaced and from_same_message(claim, record) for record in self._about):
            return Outcome(what="passed over", record=None, why="The same message says what holds instead.")
        if claim.attribute not in _SAYS_LITTLE and (self._arity != "single" or claim.attribute in _SAYS_ENOUGH):
            return None
        if self._arity == "single" and any(said_at(record) >= claim.said_at and self._is_of(record) for record in self._current):
            return Outcome(what="passed over", record=None, why="Something else is known to hold, said no earlier.")
        why = "It denies nothing that is known; it is kept so that older words do not overrule it."
        return Outcome(what="kept as history", record=self._ledger.add(claim, "superseded", why).id, why=why)

    # --- what was overruled before it came --------------------------------------------------------------------------------

    def _replaced_since(self) -> bool:
        """Whether the same was said before and replaced, or denied, by something that was said after the claim."""
        claim = self._claim
        gone = {record.id for record in self._same if record.status == "superseded"}
        later = [record for record in self._about if record.status in ("current", "superseded") and said_at(record) > claim.said_at]
        return any(
            record.supersedes in gone
            or (record.status == "superseded" and record.valid_to is None and denies(claim, record, self._standing[record.id]))
            for record in later
        )

    def _kept_as_history(self, newer: Sequence[Record]) -> Outcome:
        claim, why = self._claim, "Something else was said since."
        for record in self._same:
            if record.status == "superseded" and _within(record, claim.valid_from):
                self._ledger.reinforce(record, claim, why, counts=is_independent(claim, record))
                return Outcome(what="kept as history", record=record.id, why=why)
        believed = [record for record in self._about if record.status in ("current", "superseded") and self._is_of(record)]
        if self._arity != "single":
            believed = [record for record in believed if denies(claim, record, self._standing[record.id])]
        ends = [record.valid_from for record in (*newer, *believed) if _begins_after(record, claim)]
        ends.append(claim.valid_to)
        # If what was said since is said of the whole time, nothing is left.
        made = self._ledger.add(claim, "superseded", why, valid_to=min((end for end in ends if end), default=claim.valid_from))
        return Outcome(what="kept as history", record=made.id, why=why)

    # --- what cannot stand beside it --------------------------------------------------------------------------------------

    @cached_property
    def _rivals(self) -> list[Record]:
        """Current records that cannot stand beside the claim, the latest first."""
        found = [record for record in self._current if record.value and self._is_rival(record)]
        return sorted(found, key=said_at, reverse=True)

    def _is_rival(self, record: Record) -> bool:
        claim, standing = self._claim, self._standing[record.id]
        if denies(claim, record, standing):
            return True
        if claim.polarity == "negative" or not self._is_of(record):
            return False
        if record is self._antecedent or self._is_moved(record):
            return True
        if record.polarity == claim.polarity and (standing == "recounted" or self._is_over(record)):
            return True
        other = standing == "different" or (standing == "vaguer" and claim.correction)
        return self._arity == "single" and other and competes(claim, record)

    @cached_property
    def _antecedent(self) -> Record | None:
        """What a correction is about: the value it denies, else what was said last in the same session, else lately."""
        claim = self._claim
        if not claim.correction:
            return None
        candidates = [
            record
            for record in self._current
            if record.polarity == "positive"
            and self._is_of(record)
            and said_at(record) <= claim.said_at
            and self._standing[record.id] in ("different", "vaguer")
        ]
        denials = [each for each in self._batch if each.polarity == "negative" and _from_same(each, claim)]
        if denials:
            return next((record for record in candidates if any(denies(denial, record) for denial in denials)), None)
        near = [record for record in candidates if record.session == claim.session]
        near = near or [record for record in candidates if claim.said_at - said_at(record) <= _CORRECTED_WITHIN]
        return max(near, key=lambda record: (said_at(record), _place(record)), default=None)

    def _is_moved(self, record: Record) -> bool:
        """The same plan or deadline, put to another time before it came."""
        claim = self._claim
        if claim.attribute not in AHEAD & EVENTS or record.polarity != claim.polarity or not (own_time(claim) and own_time(record)):
            return False
        if not (claim.correction or claim.attribute == "deadline") or not is_ahead(record, claim.said_at):
            return False
        return self._standing[record.id] == "different" and event_likeness(claim, record) == "same"

    def _is_over(self, record: Record) -> bool:
        """The claim says of what a record takes to go on that it is over."""
        claim = self._claim
        over = ended(claim, claim.said_at) and not ended(record, claim.said_at) and claim.said_at >= said_at(record)
        return over and self._standing[record.id] == "same" and claim.polarity == "positive"

    def _is_vaguer(self, record: Record) -> bool:
        return self._standing[record.id] == "vaguer" and self._merges and not self._claim.correction

    def _is_of(self, record: Record) -> bool:
        return same_property(self._claim, record)

    def _is_echo(self, record: Record) -> bool:
        """What the assistant or a tool says after a person adds nothing, and is not to be cited: a record goes with a message it cites."""
        return not self._by_person and record.trust >= Trust.USER_SAID

    def _agrees(self, record: Record) -> bool:
        """Whether a record says yes or no as the claim does; one that is known by its text alone says it in its words."""
        return not record.value or record.polarity == self._claim.polarity

    @property
    def _merges(self) -> bool:
        """Whether a more exact value and a vaguer one are one fact. "Coffee with milk" is not all there is to coffee."""
        return self._arity != "stance" and self._claim.polarity == "positive"

    @property
    def _by_person(self) -> bool:
        return not self._claim.quarantined and self._claim.trust >= Trust.USER_SAID

    @property
    def _believable(self) -> bool:
        return self._by_person and self._claim.certainty == "plain"


_ORDER = {"current": 0, "pending": 1, "superseded": 2, "retired": 3}


def _ids(records: Sequence[Record]) -> tuple[str, ...]:
    return tuple(record.id for record in records)


def _end_of(record: Record, turn: datetime | None) -> datetime | None:
    """When a record ceased to hold: at the turn, not before it began."""
    if turn is None or record.valid_from is None:
        return turn or record.valid_from
    return max(turn, record.valid_from)


def _within(record: Record, when: datetime | None) -> bool:
    if when is None or record.valid_from is None or record.valid_to is None:
        return False
    return record.valid_from <= when <= record.valid_to


def _begins_after(record: Record, claim: Claim) -> bool:
    return record.valid_from is not None and claim.valid_from is not None and record.valid_from > claim.valid_from


def _from_same(first: Claim, second: Claim) -> bool:
    """Whether two claims are about one property, and come from one message."""
    if (first.subject, first.attribute) != (second.subject, second.attribute):
        return False
    return not {source.message for source in first.sources}.isdisjoint(source.message for source in second.sources)


def _place(record: Record) -> int:
    return max((source.span[0] for source in record.sources if source.span), default=0)


def _weight(trust: Trust) -> Trust:
    """How much a word weighs against another one. What somebody confirmed yesterday he can change today by saying so."""
    return min(trust, Trust.USER_SAID)
