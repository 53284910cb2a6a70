"""True updates replace what was said, pairs that only look alike do not: from claims, and from the sentences by the rules alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import contradictions
import pytest
from reconciling import Mind, claim, day

from pagefile.lifecycle.facts import Claim, Utterance
from pagefile.lifecycle.rules import find_claims

#: What the rules must at least find and get right of the pairs of each kind.
LEAST_READ, LEAST_RIGHT = 0.75, 0.95

KINDS = {
    "English updates": contradictions.ENGLISH_UPDATES,
    "English compatible": contradictions.ENGLISH_COMPATIBLE,
    "Chinese updates": contradictions.CHINESE_UPDATES,
    "Chinese compatible": contradictions.CHINESE_COMPATIBLE,
}
_NOTATION = re.compile(
    r"(?:(?P<subject>[^=]+): )?(?P<signs>[-~!?]*)(?P<attribute>[^=]+)=(?P<value>[^#@;]+?(?:@here\.org)?)(?:#(?P<tag>[^@;]+))?"
    r"(?:@(?P<begins>-?\d+)\.\.(?P<ends>-?\d+))?"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements, with the claims in them."""

    first: str
    first_claims: str
    second: str
    second_claims: str


def pairs_of(kind: str) -> list[Pair]:
    return [Pair(*line.split("|")) for line in KINDS[kind].strip().splitlines()]


def written(notation: str, when: float, message: str) -> list[Claim]:
    """Claims in the notation of ``contradictions``."""
    claims = []
    for one in notation.split(";"):
        match = _NOTATION.fullmatch(one)
        assert match is not None, one
        signs, fields = match["signs"], {"message": message, "session": message}
        more: dict[str, Any] = {
            "polarity": "negative" if "-" in signs or "~" in signs else "positive",
            "ended": "~" in signs,
            "correction": "!" in signs,
            "certainty": "passing" if "?" in signs else "plain",
            "tags": (match["tag"],) if match["tag"] else (),
        }
        if match["subject"]:
            more["subject"] = match["subject"]
        if match["begins"]:
            more |= {"valid_from": day(int(match["begins"])), "valid_to": day(int(match["ends"]))}
        claims.append(claim(match["attribute"], match["value"], when, **fields, **more))
    return claims


def read(text: str, when: float, message: str) -> list[Claim]:
    """Claims that the rules find in a sentence."""
    said_at = day(when)
    assert said_at.tzinfo is not None
    return find_claims([Utterance(message=message, text=text, said_at=said_at, zone=said_at.tzinfo, session=message)])


def becomes(first: Sequence[Claim], second: Sequence[Claim]) -> str | None:
    """ "compatible" if what was claimed first is all still current after the second claims, "update" if something of it is not, None if
    none of it ever was."""
    mind = Mind()
    mind.learn(*first)
    before = {record.id for record in mind.records("current")}
    mind.learn(*second)
    return ("compatible" if before <= {record.id for record in mind.records("current")} else "update") if before else None


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_enough_pairs(kind: str) -> None:
    assert len(pairs_of(kind)) >= 60
    assert len(set(pairs_of(kind))) == len(pairs_of(kind))


@pytest.mark.parametrize(
    ("kind", "pair"), [pytest.param(kind, pair, id=f"{pair.first} {pair.second}") for kind in KINDS for pair in pairs_of(kind)]
)
def test_claims_of_a_pair_update_or_stand_beside_each_other(kind: str, pair: Pair) -> None:
    gap = timedelta(minutes=1) / timedelta(days=1)
    assert becomes(written(pair.first_claims, 0, "a"), written(pair.second_claims, gap, "b")) == kind.split()[1].removesuffix("s")


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_alone_tell_updates_from_pairs_that_are_both_true(kind: str) -> None:
    unread, wrong = [], []
    pairs = pairs_of(kind)
    for pair in pairs:
        first, second = read(pair.first, 0, "a"), read(pair.second, 0.001, "b")
        found = becomes(first, second) if second else None
        if found is None:
            unread.append(pair)
        elif found != kind.split()[1].removesuffix("s"):
            wrong.append(pair)
    assert len(unread) <= (1 - LEAST_READ) * len(pairs), unread
    assert len(wrong) <= (1 - LEAST_RIGHT) * (len(pairs) - len(unread)), wrong
