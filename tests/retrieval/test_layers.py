"""What is looked for first comes first: records before the journal, or the journal before records, and nothing is left out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.queries import Hit, ItemKind
from pagefile.records import Trust
from pagefile.retrieval.gate import decide
from pagefile.retrieval.layers import FACTS_FIRST, Layer, layer_of, layered

SAID_FIRST: tuple[Layer, ...] = ("journal", "records")


def hit(kind: ItemKind, score: float, id: str = "") -> Hit:
    time = datetime(2026, 6, 1, tzinfo=UTC)
    return Hit(
        id=id or f"{kind} {score}",
        kind=kind,
        text="text",
        score=score,
        time=time,
        session=None,
        speaker=None,
        role=None,
        sources=(),
        trust=Trust.USER_SAID,
        tokens=3,
    )


def test_records_that_answer_well_enough_come_before_the_journal_and_weak_ones_do_not() -> None:
    hits = [hit("message", 0.9), hit("message", 0.85), hit("fact", 0.8), hit("message", 0.6), hit("event", 0.55), hit("fact", 0.3)]
    assert [one.score for one in layered(hits, FACTS_FIRST)] == [0.8, 0.9, 0.85, 0.6, 0.55, 0.3]
    assert layered([hit("message", 0.3), hit("fact", 0.28)], FACTS_FIRST)[0].kind == "message"


def test_who_asks_for_what_was_said_gets_the_journal_first() -> None:
    hits = [hit("fact", 0.9), hit("message", 0.8), hit("fact", 0.7)]
    assert [one.kind for one in layered(hits, SAID_FIRST)] == ["message", "fact", "fact"]
    assert [one.kind for one in layered(hits, FACTS_FIRST)] == ["fact", "fact", "message"]


def test_where_the_first_layer_does_not_answer_the_nearest_comes_first() -> None:
    hits = [hit("message", 0.33), hit("fact", 0.32)]
    assert layered(hits, FACTS_FIRST) == tuple(hits)
    assert layered(hits, ()) == tuple(hits)
    assert layered([], FACTS_FIRST) == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("What did I tell you about the ferry last time?", "journal"),
        ("我上次跟你说的渡轮几点开？", "journal"),
        ("What should I cook for my sister?", "core"),
        ("我该给妹妹做什么菜？", "core"),
    ],
)
def test_the_gate_says_where_to_look_first(text: str, first: Layer) -> None:
    assert decide(text, now=datetime(2026, 6, 1, tzinfo=UTC)).layers[0] == first


KINDS = st.sampled_from(["message", "fact", "event", "procedure", "passage", "summary"])


@given(st.lists(st.tuples(KINDS, st.integers(0, 100)), max_size=12), st.sampled_from([FACTS_FIRST, SAID_FIRST, ("records", "journal")]))
def test_no_hit_is_lost_and_each_layer_stays_in_its_order(found: list[tuple[ItemKind, int]], layers: tuple[Layer, ...]) -> None:
    hits = sorted((hit(kind, score / 100, f"{place}") for place, (kind, score) in enumerate(found)), key=lambda one: -one.score)
    made = layered(hits, layers)
    assert sorted(one.id for one in made) == sorted(one.id for one in hits)
    for layer in ("records", "journal"):
        assert [one.id for one in made if layer_of(one) == layer] == [one.id for one in hits if layer_of(one) == layer]
