"""Small things that the tests of the SQLite store share."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from pagefile.messages import Draft
from pagefile.ports import NewVector, Vectors
from pagefile.queries import Probe
from pagefile.records import Cause, Indexing, Scope

ALICE = Scope("default", "alice")
BOB = Scope("default", "bob")
START = datetime(2026, 5, 1, 10, tzinfo=UTC)
CAUSE = Cause(actor="test", reason="a test", at=START)

_numbers = itertools.count(1)


def indexing(text: str) -> Indexing:
    return Indexing(terms=dict(Counter(text.split())), embedding_hash=f"hash of {text}")


def draft(text: str, *, id: str | None = None, external_id: str | None = None, said_at: datetime | None = None) -> Draft:
    number = next(_numbers)
    return Draft(
        id=id or f"m{number:06d}",
        role="user",
        text=text,
        said_at=said_at or START + timedelta(minutes=number),
        recorded_at=START + timedelta(minutes=number),
        tokens=len(text.split()),
        external_id=external_id,
        indexing=indexing(text),
    )


def new_vector(draft: Draft, vector: Sequence[float] | Vectors) -> NewVector:
    return NewVector(id=draft.id, hash=draft.indexing.embedding_hash, vector=np.asarray(vector, dtype=np.float32))


def words(text: str) -> Probe:
    return Probe(terms=dict.fromkeys(text.split(), 1.0), neighbours=0)


def near(vector: Sequence[float] | Vectors, *, limit: int = 10) -> Probe:
    return Probe(vector=np.asarray(vector, dtype=np.float32).tolist(), embedder="e", limit=limit, neighbours=0)


def random_units(rows: int, dimension: int, seed: int = 1) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def occurrences(path: Path, text: str) -> int:
    """How often a text stands in the file and in all that lies beside it, but for backups."""
    files = [each for each in path.parent.iterdir() if each.name.startswith(path.name) and not each.name.endswith(".backup")]
    return sum(each.read_bytes().count(text.encode()) for each in files)
