"""The replaceable parts of one memory, its clock and how it learns, handed from the conductors to each other as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal, TypeAlias

from pagefile.ports import Embedder, Model, Store

#: "rules": plain statements are learnt from, without a model. "model": a model reads the conversation too. "off": nothing is learnt,
#: and what is said meanwhile is not learnt from later either.
LearnBy: TypeAlias = Literal["rules", "model", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSettings:
    """How facts are learnt from what is said, and what that may cost."""

    by: LearnBy = "rules"
    #: Calls of a model, and tokens read and written in them, for one user on one day; 0: none.
    calls_a_day: int = 200
    tokens_a_day: int = 200_000
    #: A model reads the conversation when nothing was said for so long …
    idle_seconds: float = 20.0
    #: … or when so many tokens were said.
    batch_tokens: int = 800
    #: Tokens of core memory, all blocks of a conversation together, above which a model writes the longest ones anew. 0: never.
    block_tokens: int = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """How much of the operations log of one user is kept; the nightly upkeep drops the rest."""

    days: int = 90
    lines: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a memory is put together from."""

    store: Store
    #: None: nothing is found by meaning, only by words.
    embedder: Embedder | None
    model: Model
    #: The time now, with a zone. Read once per operation.
    now: Callable[[], datetime]
    #: A new uuid7, as text.
    new_id: Callable[[], str]
    #: The zone of times that are given without one, and of times that are shown.
    zone: tzinfo
    learning: LearnSettings = LearnSettings()
    #: How much work a search does where it does not say: "fast", "balanced" or "thorough".
    preset: str = "balanced"
    #: A Markdown file of rules that hold in every conversation, where none is named for it.
    rules: str | None = None
    log: LogSettings = LogSettings()
