"""What claims make of what is known: a pure plan of changes. Decided by key and polarity, never by likeness of texts alone.

Which claim wins
    The better trusted one; of two that are trusted alike, the one that was said later. What loses for having been said earlier is kept as
    history; what loses for being trusted less stands beside as pending. A pending record becomes current when a person says the same in
    another message, and not in the very words in the same session; it replaces nothing before.
What is evidence
    A person's word in another message, unless the very words were said by the same speaker in the same session. The same message read again
    adds its span, a repetition its source; an echo of the assistant or a tool adds nothing.
What competes
    "single" attributes: other values that are meant for the same time. A period that was over when it was told does not compete with what
    goes on. "stance" and "many": the same value with the other polarity, what a correction is about, and a deadline that is moved.
More exact values
    "Google in London" takes the place of "Google" in whatever order they were said, as both are true; "Google" said after it is more
    evidence for it. Tastes are left beside each other.
Corrections
    What was wrong never held: its validity ends where it began, and the right value takes its beginning. Where a correction does not say
    what was wrong, it is what was said last about the same attribute in the same session, else within a day.
Denials
    "I no longer work at Acme" replaces the record it denies and stays current as a negative fact until a new value comes. Where it denies
    nothing that is known it is kept as current only if it says something by itself (tastes, diet, allergies, pets …), else as history
    without an end, so that an older claim that comes in later does not win.
Endings
    "I graduated" ends that somebody is a student, where that is known: such a claim takes away what it denies, puts nothing in its place
    and tells nothing otherwise. Of several events it means the last that is still to come; never what its own message says.
Pins
    A pinned record is replaced like any other; its successor is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pagefile.language.keys import record_known_by
from pagefile.lifecycle.attributes import attribute_of, canonical_subject
from pagefile.lifecycle.decision import Decision, Outcome
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.ledger import Ledger, claim_keys
from pagefile.messages import Message
from pagefile.records import Change, Indexing, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Changes in an order in which they can be applied in one transaction, and what became of each claim, in the order given."""

    changes: tuple[Change, ...]
    outcomes: tuple[Outcome, ...]


def settled(claim: Claim) -> Claim:
    """The claim under canonical names, with times that can be."""
    attribute = attribute_of(claim.attribute)
    first, last = claim.valid_from, claim.valid_to
    if attribute.name in ("experience", "visited") and first is not None and first > claim.said_at:
        # Nothing has happened tomorrow.
        first, last = claim.said_at, None
    if first is not None and last is not None and last < first:
        first = None
    if first is None and last is None:
        first = claim.said_at
    return replace(
        claim,
        subject=canonical_subject(claim.subject),
        attribute=attribute.name,
        polarity="negative" if attribute.negates or claim.ended else claim.polarity,
        valid_from=first,
        valid_to=last,
    )


def keys_of(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Which keys to look up before these claims are reconciled."""
    return tuple(dict.fromkeys(key for claim in claims for key in claim_keys(settled(claim))))


def marks_of(claim: Claim) -> tuple[str, ...]:
    """The marks of a record that says this, to ask the store whether it was erased. A claim that was said no later than that is dropped."""
    known = settled(claim)
    return record_known_by(known.text, known.subject, known.attribute, known.value, known.polarity)


def reconcile(
    claims: Sequence[Claim],
    known: Sequence[Record],
    *,
    now: datetime,
    new_id: Callable[[], str],
    actor: str,
    index: Callable[[Record], Indexing],
) -> Plan:
    """Decide what claims make of the records that are filed under their keys, whatever the status of these.

    Claims are taken in the order they were said, each with what the earlier ones made. ``index`` says how a new text is to be found.
    """
    ledger = Ledger(known, now=now, new_id=new_id, actor=actor, index=index)
    canonical = [settled(claim) for claim in claims]
    outcomes: dict[int, Outcome] = {}
    for place in _in_turn(canonical):
        outcomes[place] = Decision(ledger, canonical[place], canonical).outcome()
    return Plan(changes=tuple(ledger.changes), outcomes=tuple(outcomes[place] for place in range(len(canonical))))


def covered(message: Message, citing: Sequence[Record]) -> bool:
    """Whether what was learnt from a message no longer holds, so that it is hidden from recall.

    True if at least half of its letters are cited by records that were replaced or retired, and no current or pending one cites it.
    """
    if any(record.status in ("current", "pending") for record in citing):
        return False
    places = _cited(message, [record for record in citing if _is_lost(record)])
    letters = [place for place, character in enumerate(message.text) if character.isalnum()]
    return bool(letters) and 2 * sum(place in places for place in letters) >= len(letters)


def outdated(message: Message, citing: Sequence[Record]) -> tuple[tuple[int, int], ...]:
    """The parts of a message in which something is said that no longer holds, and nothing that does."""
    lost = _cited(message, [record for record in citing if _is_lost(record)])
    lost -= _cited(message, [record for record in citing if record.status in ("current", "pending")])
    ranges: list[tuple[int, int]] = []
    for place in sorted(lost):
        if ranges and ranges[-1][1] == place:
            ranges[-1] = (ranges[-1][0], place + 1)
        else:
            ranges.append((place, place + 1))
    # What is left over of a sentence at its borders, such as "and", says nothing.
    return tuple((start, end) for start, end in ranges if any(character.isalnum() for character in message.text[start:end]))


def _is_lost(record: Record) -> bool:
    # A denial that is kept as history has no end: it still holds.
    return record.status == "retired" or (record.status == "superseded" and record.valid_to is not None)


def _cited(message: Message, records: Sequence[Record]) -> set[int]:
    """Places of a message's text that these records cite."""
    spans = [source.span or (0, len(message.text)) for record in records for source in record.sources if source.message == message.id]
    return {place for start, end in spans for place in range(start, end)}


def _in_turn(claims: Sequence[Claim]) -> list[int]:
    """Places of claims in the order they were said.

    Of one message what holds comes before what is denied: "I left Acme, I'm at Bolt now" replaces the one by the other. Tastes keep their
    order: "I liked it, now I don't".
    """
    messages: dict[str, int] = {}
    turns = []
    for place, claim in enumerate(claims):
        message = messages.setdefault(claim.sources[0].message if claim.sources else "", len(messages))
        turns.append((claim.said_at, message, claim.polarity == "negative" and claim.attribute != "likes", place))
    return [place for *_, place in sorted(turns)]
