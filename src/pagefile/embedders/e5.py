"""multilingual-e5-small: one space for English, Chinese and a hundred other languages (Wang et al. 2024, MIT licence)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pagefile.embedders.e5_weights import LONGEST, WIDTH, E5Weights, Floats
from pagefile.embedders.onnx_graph import e5_graph
from pagefile.embedders.onnx_session import INSTALL, open_session
from pagefile.embedders.unigram import Unigram
from pagefile.errors import EmbedderError

#: Weights / their bits, the bits of the arithmetic / version of what is done with them. Change the version when vectors change.
ID = "multilingual-e5-small/q4-int8/1"


class E5Encoder:
    """The network, its vocabulary and its word vectors; the last stay packed in the mapped file. Raises EmbedderError."""

    dimension = WIDTH

    def __init__(self, path: Path) -> None:
        self._weights = E5Weights(path)
        self._vocabulary = Unigram(self._weights.vocabulary(), LONGEST)
        try:
            graph = e5_graph(self._weights)
        except ImportError as error:
            raise EmbedderError(f"the local embedder needs the package onnx ({error}); {INSTALL}") from error
        self._session = open_session(graph, fused=True)

    def encode(self, text: str, *, query: bool) -> Floats:
        """One vector, not normalised. The model was trained with these prefixes; without them it ranks visibly worse."""
        ids = self._vocabulary.ids(f"query: {text}" if query else f"passage: {text}")
        tokens = self._weights.embedded(np.array(ids, dtype=np.int64))
        vector: Floats = self._session.run(None, {"tokens": tokens[None]})[0][0]
        return vector
