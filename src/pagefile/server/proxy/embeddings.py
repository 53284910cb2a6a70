"""Vectors by the memory's own embedder, in the form of the Embeddings API, where no endpoint makes them."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pagefile.adding import off_loop
from pagefile.errors import InputError
from pagefile.language.tokens import count
from pagefile.ports import Embedder

#: Texts in one request, and characters of one: what OpenAI takes, and more than an embedder reads.
_MOST_TEXTS, _LONGEST = 2_048, 200_000
_TOGETHER = 64


async def embedded(embedder: Embedder, body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request. Raises InputError, EmbedderError."""
    texts = _texts(body.get("input"))
    form = body.get("encoding_format", "float")
    if form not in ("float", "base64"):
        raise InputError(f"encoding_format is {form!r:.40}; use float or base64")
    dimension = await embedder.dimension()
    if body.get("dimensions") not in (None, dimension):
        raise InputError(f"dimensions is {body.get('dimensions')!r:.40}, but {embedder.id} makes vectors of {dimension}; leave it out")
    data: list[dict[str, Any]] = []
    for start in range(0, len(texts), _TOGETHER):
        vectors = await embedder.embed(texts[start : start + _TOGETHER])
        data += [
            {"object": "embedding", "index": start + place, "embedding": _packed(vector) if form == "base64" else vector.tolist()}
            for place, vector in enumerate(vectors)
        ]
    tokens = await off_loop(sum(len(text) for text in texts), _counted, texts)
    model = str(body.get("model") or embedder.id)
    return {"object": "list", "data": data, "model": model, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}


def _counted(texts: Sequence[str]) -> int:
    return sum(count(text[:20_000]) for text in texts)


def _packed(vector: np.ndarray[Any, np.dtype[np.float32]]) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")


def _texts(given: Any) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        raise InputError("input must be a text or a list of texts, none of them empty; tokens cannot be read here")
    if len(texts) > _MOST_TEXTS or any(len(text) > _LONGEST for text in texts):
        raise InputError(f"input may have {_MOST_TEXTS:,} texts of {_LONGEST:,} characters; send less at once")
    return texts
