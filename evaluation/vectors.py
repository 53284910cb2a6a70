"""Vectors that are made once for all that is compared in a run, and can be kept for the next run."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from pagefile.embedders.choose import find_embedder
from pagefile.ports import Embedder, Vectors
from pagefile.settings import load_settings

#: Texts that are embedded at a time, between two words of progress.
_PORTION = 64


class SharedEmbedder:
    """Another embedder that makes no vector twice."""

    def __init__(self, embedder: Embedder, file: Path | None = None) -> None:
        self.id = embedder.id
        self.sends_to = embedder.sends_to
        self._embedder = embedder
        self._file = file
        self._vectors: dict[str, Vectors] = {}
        self._kept = 0
        #: Texts that were embedded, and how long that took.
        self.made = 0
        self.seconds = 0.0
        if file is not None and file.exists():
            with np.load(file) as kept:
                self._vectors = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))
            self._kept = len(self._vectors)

    async def dimension(self) -> int:
        return await self._embedder.dimension()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        keys = [_key(text, query) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
        if missing or not texts:
            began = time.perf_counter()
            made = await self._embedder.embed(list(missing.values()), query=query)
            self.seconds += time.perf_counter() - began
            self.made += len(missing)
            if not texts:
                return made
            self._vectors.update(zip(missing, made, strict=True))
        return np.stack([self._vectors[key] for key in keys])

    async def prepare(self, texts: Sequence[str], progress: Callable[[str], object]) -> None:
        """Make the vectors of texts that are going to be remembered."""
        for start in range(0, len(texts), _PORTION):
            progress(f"vectors {start + 1} to {min(start + _PORTION, len(texts))} of {len(texts)}")
            await self.embed(texts[start : start + _PORTION])

    def save(self) -> None:
        """Keep what is new in the file, if there is one. What another process has kept there meanwhile is not lost."""
        if self._file is None or len(self._vectors) == self._kept:
            return
        if self._file.exists():
            with np.load(self._file) as kept:
                self._vectors = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True)) | self._vectors
        beside = self._file.with_name(f".{self._file.stem}-{os.getpid()}.npz")
        np.savez(beside, keys=np.array(list(self._vectors)), vectors=np.stack(list(self._vectors.values())))
        beside.replace(self._file)
        self._kept = len(self._vectors)


class Embedders:
    """The embedders of a run, by name. ``folder``: where their vectors are kept between runs; None: nowhere."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._found: dict[str | None, SharedEmbedder | None] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def find(self, name: str | None) -> SharedEmbedder | None:
        """The embedder of a name as in ``PAGEFILE_EMBEDDER``; None: that of the settings. The answer None: there is none, words alone are
        used. Raises SettingsError, EmbedderError."""
        if name not in self._found:
            settings = load_settings()
            found = find_embedder(name or settings.embedder, base_url=settings.openai_base_url, api_key=settings.openai_api_key)
            shared = next((one for one in self._found.values() if one is not None and found is not None and one.id == found.id), None)
            self._found[name] = shared if shared is not None or found is None else SharedEmbedder(found, self._file(found.id))
        return self._found[name]

    def save(self) -> None:
        """Keep all vectors for the next run."""
        for embedder in self._found.values():
            if embedder is not None:
                embedder.save()

    def _file(self, id: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', id)}.npz"


def _key(text: str, query: bool) -> str:
    kind = "q" if query else "p"
    return kind + hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
