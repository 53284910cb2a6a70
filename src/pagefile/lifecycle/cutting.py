"""Whether two readers of one message cut the same fact out of it in different places, or filed it under akin attributes. Pure.

Rules read "I can't do Saturdays" as a constraint in these words, a model as the constraint "Saturdays", denied.
"""

from __future__ import annotations

from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold
from pagefile.lifecycle.attributes import akin
from pagefile.lifecycle.facts import USER, Claim
from pagefile.lifecycle.grammar import negations, relations
from pagefile.lifecycle.ledger import EVENTS
from pagefile.lifecycle.quoting import find_quote
from pagefile.lifecycle.values import PHRASES, same_value
from pagefile.records import Record

#: Names, of which a part is another one.
_NAMES = frozenset({"name", "nickname"})
#: What stands between things of which each is a fact.
_JOINED = late_pattern(r"[,，、;；/&+]|\b(?:and|or|but|nor)\b|和|与|跟|及|或|还有|以及|但")


def cut_differently(claim: Claim, record: Record) -> bool:
    """Whether the value of the one stands in that of the other, and nowhere else in the words that both were read in."""
    value, known = claim.value, record.value or ""
    if not _of_one(claim, record):
        return False
    if same_value(value, known, claim.attribute):
        return claim.polarity == record.polarity or _turns(claim, record)
    if claim.attribute in _NAMES:
        return False
    short, long = sorted((value, known), key=len)
    if find_quote(long, short) is None:
        return False
    if claim.polarity != record.polarity and not (_is_phrase(claim, record) and negations(long)):
        return False
    return not are_several(claim, record)


def are_several(claim: Claim, record: Record) -> bool:
    """Whether a value that has the words of the other may be more than one thing: "coffee and cake", or tea beside "green tea"."""
    short, long = sorted((fold(claim.value), fold(record.value or "")), key=len)
    said = fold(claim.text if find_quote(claim.text, long) else record.text)
    joined = not _is_phrase(claim, record) and _JOINED.search(long) is not None
    return joined or said.count(short) > max(1, long.count(short))


def _is_phrase(claim: Claim, record: Record) -> bool:
    return not PHRASES.isdisjoint({claim.attribute, record.attribute or ""})


def _of_one(claim: Claim, record: Record) -> bool:
    """Whether both are about one property of one, as far as two readers agree on that."""
    attribute, subject = record.attribute or "", record.subject or ""
    if claim.attribute != attribute and attribute not in akin(claim.attribute):
        return False
    if claim.subject == subject:
        return True
    # "My sister's wedding" is a plan of his, and his sister's.
    one, other = (claim.subject, subject) if subject == USER else (subject, claim.subject)
    return other == USER and attribute in EVENTS and one in relations(claim.text)


def _turns(claim: Claim, record: Record) -> bool:
    """Whether they say the same although one says yes and the other no: to be allergic to peanuts, and not to eat them."""
    return "allergy" in (claim.attribute, record.attribute) and claim.attribute != record.attribute
