from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pagefile import Memory
from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import InputError, SettingsError
from pagefile.retrieval.presets import PRESETS, effort
from pagefile.settings import Settings

NOW = datetime(2026, 5, 24, tzinfo=UTC)


@pytest.fixture
def memory() -> Memory:
    memory = Memory.open(":memory:", embedder=HashingEmbedder(), now=lambda: NOW)
    memory.scope("alice").add([{"role": "user", "content": text} for text in ("Rex the puppy ate my shoe", "我们在杭州租了房子")])
    memory.flush()
    return memory


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("question", "answer"), [("What did the puppy eat?", "Rex the puppy ate my shoe"), ("杭州的房子", "我们在杭州租了房子")]
)
def test_every_preset_finds_what_was_said(memory: Memory, preset: str, question: str, answer: str) -> None:
    with memory:
        assert memory.scope("alice").search(question, preset=preset)[0].text == answer  # type: ignore[arg-type]  # one of three


def test_fast_looks_by_words_alone_and_does_not_call_that_a_failure(memory: Memory) -> None:
    with memory:
        hits = memory.scope("alice").search("puppy", preset="fast")
        assert (hits.mode, hits.warnings) == ("words", ())
        assert memory.scope("alice").search("puppy").mode == "words+vectors"


def test_a_preset_that_is_none_is_refused(memory: Memory) -> None:
    with memory, pytest.raises(InputError, match="fast, balanced or thorough"):
        memory.scope("alice").search("puppy", preset="slow")  # type: ignore[arg-type]  # that is the point


def test_the_settings_say_which_preset_holds_where_none_is_given() -> None:
    settings = Settings(data=":memory:", preset="fast", embedder="hashing")
    with Memory.open(settings=settings) as memory:
        memory.scope("alice").add([{"role": "user", "content": "Rex the puppy ate my shoe"}])
        assert memory.scope("alice").search("puppy").mode == "words"
    with pytest.raises(SettingsError, match="preset must be"):
        Memory.open(settings=Settings(data=":memory:", preset="slow"))


def test_thorough_looks_at_more_and_fast_at_no_vectors() -> None:
    assert effort("thorough").pool > effort("balanced").pool
    assert effort("balanced").vectors
    assert not effort("fast").vectors
