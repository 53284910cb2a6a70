"""How a claim stands to a record of the same subject and attribute: the same, more exact, opposed, or beside it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from pagefile.language.dates import find_times
from pagefile.language.keys import text_key
from pagefile.language.text import fold
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.cutting import are_several, cut_differently
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.ledger import EVENTS, is_note, said_at
from pagefile.lifecycle.values import Likeness, is_generic, likeness, resembles, same_value
from pagefile.records import Record, Source, Trust

#: Attributes that are about what is still to come.
AHEAD = frozenset({"plan", "deadline", "goal"})
#: How people name all that an attribute can have, in words of a note.
_ALL_OF: Mapping[str, tuple[str, ...]] = {
    "pet": ("宠物", "animal", "动物"),
    "child": ("kid", "孩子", "小孩", "子女"),
    "sibling": ("兄弟姐妹", "brothers or sisters", "brothers and sisters"),
    "allergy": ("过敏", "food allergies"),
    "friend": ("朋友",),
    "employer": ("job", "工作"),
}
_MOMENT = timedelta(microseconds=1)
#: Only where the words of time stand is asked for.
_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def stands(claim: Claim, record: Record) -> Likeness:
    """How what is claimed stands to what a record says, whatever their polarities."""
    if is_note(claim) or not record.value or not record.attribute:
        same = text_key(claim.text) == text_key(record.text) or (is_note(claim) and same_value(claim.text, record.text, "note"))
        return "same" if same else "different"
    if not same_property(claim, record):
        return "different"
    if claim.attribute in EVENTS:
        found = event_likeness(claim, record)
        return _in_time(found, claim, record) if found != "different" else found
    found = likeness(claim.value, record.value, claim.attribute)
    if found == "different":
        found = _by_kind(claim, record) if claim.attribute in _NAMED else "different"
    return "different" if found != "different" and _another_period(claim, record) else found


def same_property(claim: Claim, record: Record) -> bool:
    """Whether they are about one property of one subject, also where somebody wrote a record under other names."""
    if (claim.subject, claim.attribute) == (record.subject, record.attribute):
        return True
    return fold(claim.subject) == fold(record.subject or "") and attribute_of(record.attribute or "").name == claim.attribute


def event_likeness(claim: Claim, record: Record) -> Likeness:
    """How the words for two events stand to each other, whenever these were. What the words say of the time counts only where no time was
    read out of them."""
    first, second = claim.value, record.value or ""
    if own_time(claim) and own_time(record):
        first, second = _timeless(first), _timeless(second)
    return likeness(first, second, claim.attribute)


def denies(claim: Claim, record: Record, standing: Likeness | None = None) -> bool:
    """Whether the two cannot both be true because one says no to the other. ``standing``: what ``stands`` says, if it is known."""
    if claim.polarity == record.polarity:
        return False
    found = standing or stands(claim, record)
    if found == "same":
        return True
    if claim.polarity == "positive":
        # "I run every morning" refutes "I do not run"; that somebody likes coffee at breakfast does not refute that he dislikes coffee.
        # Whoever has a son no longer has no children.
        return (found == "refines" and claim.attribute != "likes") or (same_property(claim, record) and _means_all(record))
    return found == "vaguer" or (same_property(claim, record) and _means_all(claim))


#: Of these the value is a name, and what or who it names stands in the tags.
_NAMED = frozenset({"pet", "partner", "child", "parent", "sibling", "relative", "friend", "colleague"})


def competes(claim: Claim, record: Record) -> bool:
    """Whether two values of an attribute that has one value at a time are meant for the same time."""
    if ended(claim, claim.said_at) != ended(record, said_at(record)):
        return False
    if not ended(claim, claim.said_at):
        return True
    if not (claim.valid_from and claim.valid_to and record.valid_from and record.valid_to):
        return False
    return claim.valid_from < record.valid_to and record.valid_from < claim.valid_to


def ended(item: Claim | Record, when: datetime) -> bool:
    """Whether it says of a state that it was over by then."""
    return item.attribute not in EVENTS and item.valid_to is not None and item.valid_to <= when


def is_ahead(record: Record, when: datetime) -> bool:
    """Whether what a record says is still to come at that time."""
    last = record.valid_to or record.valid_from
    return last is not None and last > when


def own_time(item: Claim | Record) -> bool:
    """Whether it has a time of its own, and not just that of the message."""
    said = item.said_at if isinstance(item, Claim) else said_at(item)
    return item.valid_from is not None and (item.valid_to is not None or item.valid_from != said)


def same_reading(claim: Claim, record: Record) -> bool:
    """Whether a record was made of the very words that the claim comes from, and says about the same."""
    across = claim.extractor != record.extractor
    if not claim.value or not record.value or not _overlap(claim.sources, record.sources, exact=not across):
        return False
    if across and cut_differently(claim, record):
        return True
    alike = (claim.subject, claim.attribute, claim.polarity) == (record.subject, record.attribute, record.polarity)
    return alike and resembles(claim.value, record.value, claim.attribute, loosely=across and not are_several(claim, record))


def from_same_message(claim: Claim, record: Record) -> bool:
    """Whether a record cites a message that the claim comes from."""
    return not {source.message for source in claim.sources}.isdisjoint(source.message for source in record.sources)


def is_independent(claim: Claim, record: Record) -> bool:
    """Whether a claim is new evidence for a record: said by a person in another message, and no repetition of the very words in the
    same session by the same speaker. What an application writes down without a source is a statement of its own each time."""
    if claim.quarantined or claim.trust < Trust.USER_SAID or from_same_message(claim, record):
        return False
    if not claim.sources:
        return True
    repeated = text_key(claim.text) == text_key(record.text)
    return not (repeated and claim.session == record.session and claim.speaker == record.speaker)


def _by_kind(claim: Claim, record: Record) -> Likeness:
    """A value that only says what it is ("dog") beside one that has a name ("Rex", tagged "dog")."""
    attribute = claim.attribute
    assert record.value is not None
    if any(same_value(record.value, tag, attribute) for tag in claim.tags) and not is_generic(claim.value, attribute):
        return "refines"
    if any(same_value(claim.value, tag, attribute) for tag in record.tags) and not is_generic(record.value, attribute):
        return "vaguer"
    if attribute == "partner":
        bare, known = is_generic(claim.value, attribute), is_generic(record.value, attribute)
        return "vaguer" if bare and not known else "refines" if known and not bare else "different"
    return "different"


def _in_time(found: Likeness, claim: Claim, record: Record) -> Likeness:
    """Events of the same words are the same event unless they were at different times."""
    mine, theirs = own_time(claim), own_time(record)
    if not mine or not theirs:
        # With a time it is more exact; a record without one takes it.
        return "refines" if mine and found == "same" else found
    return found if _meet(claim, record) else "different"


@lru_cache(maxsize=1_024)
def _timeless(value: str) -> str:
    """The words for an event without those for its time; if they are all it has, these."""
    kept, begin = [], 0
    for found in find_times(value, reference=_ANY_TIME):
        kept.append(value[begin : found.span[0]])
        begin = found.span[1]
    shorter = " ".join([*kept, value[begin:]])
    return shorter if any(character.isalnum() for character in shorter) else value


def _meet(claim: Claim, record: Record) -> bool:
    assert claim.valid_from is not None and record.valid_from is not None
    # What has no end is taken for a moment.
    mine, theirs = claim.valid_to or claim.valid_from + _MOMENT, record.valid_to or record.valid_from + _MOMENT
    return claim.valid_from < theirs and record.valid_from < mine


def _another_period(claim: Claim, record: Record) -> bool:
    """Whether the one tells of a time that was over when the other began: worked there, left, came back."""
    if record.status == "superseded":
        return False  # its end is when it was replaced
    over, past = ended(claim, claim.said_at), ended(record, said_at(record))
    if over and past:
        return not competes(claim, record) and claim.valid_to != record.valid_to
    return past and claim.said_at >= said_at(record)


def _means_all(item: Claim | Record) -> bool:
    """Whether a value is all that the attribute can have: "no pets" is about every one, "not a dog" is not."""
    attribute, value = item.attribute or "", item.value or ""
    return any(same_value(value, name, "note") for name in (attribute, *_ALL_OF.get(attribute, ())))


def _overlap(first: Iterable[Source], second: Iterable[Source], *, exact: bool) -> bool:
    seconds = tuple(second)
    for one in first:
        for other in seconds:
            if one.message != other.message:
                continue
            if one.span is None or other.span is None or one.span == other.span:
                return True
            if not exact and one.span[0] < other.span[1] and other.span[0] < one.span[1]:
                return True
    return False
