"""Claims of one batch that say the same: a model that writes nine sentences about one fact has found one fact. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.values import likeness
from pagefile.records import Source

#: What may hurt somebody if it is forgotten, the worst first.
_SAFETY = ("allergy", "diet")


def merged(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, those that say the same of the same subject made one, with all of their sources. The reconciler does the rest."""
    kept: list[Claim] = []
    for claim in claims:
        for place, other in enumerate(kept):
            if (one := _merged(other, claim)) is not None:
                kept[place] = one
                break
        else:
            kept.append(claim)
    return tuple(kept)


def _merged(first: Claim, second: Claim) -> Claim | None:
    """Both as one, the better of them with the sources of both; None: they are two."""
    if (first.subject, first.speaker, first.ended, first.correction) != (second.subject, second.speaker, second.ended, second.correction):
        return None
    together = any(_overlap(one, other) for one in first.sources for other in second.sources)
    if first.attribute == second.attribute:
        like = likeness(first.value, second.value, first.attribute)
        if first.polarity != second.polarity or not (like == "same" or (together and like != "different")):
            return None
        better = second if like == "vaguer" and together else first
    else:
        # The same words read as two properties: an allergy is also a matter of health and of diet. One of them says it best.
        arities = {attribute_of(first.attribute).arity, attribute_of(second.attribute).arity}
        if not together or arities == {"single"} or likeness(first.value, second.value, first.attribute) != "same":
            return None
        if None not in (stances := {_bears(first), _bears(second)}) and len(stances) == 2:
            return None  # "I love shrimps but can't eat them" says two things
        better = min(first, second, key=_rank)
    plain = first.certainty if first.certainty == "plain" else second.certainty
    return replace(
        better,
        sources=tuple(dict.fromkeys((*first.sources, *second.sources))) if not together else _widest(first, second),
        certainty=plain,
        confidence=max(first.confidence, second.confidence),
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        entities=tuple(dict.fromkeys((*first.entities, *second.entities))),
    )


def _bears(claim: Claim) -> bool | None:
    """Whether a claim speaks for or against its value; None: neither."""
    if claim.attribute == "allergy":
        return claim.polarity == "negative"
    return claim.polarity == "positive" if claim.attribute in ("diet", "likes") else None


def _rank(claim: Claim) -> tuple[int, float]:
    """What a claim is worth beside another reading of its words, the least first: an allergy is never lost to something milder."""
    return _SAFETY.index(claim.attribute) if claim.attribute in _SAFETY else len(_SAFETY), -claim.importance


def _overlap(one: Source, other: Source) -> bool:
    if one.message != other.message:
        return False
    return one.span is None or other.span is None or (one.span[0] < other.span[1] and other.span[0] < one.span[1])


def _widest(first: Claim, second: Claim) -> tuple[Source, ...]:
    """The sources of both; of those that overlap, the first one only."""
    kept = list(first.sources)
    kept += [source for source in second.sources if not any(_overlap(source, other) for other in kept)]
    return tuple(kept)
