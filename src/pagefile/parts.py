"""The replaceable parts of one memory and its clock, handed from the conductors to each other as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from pagefile.ports import Embedder, Model, Store


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
