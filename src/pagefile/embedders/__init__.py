"""Embedders: they turn texts into vectors, so that things are found by meaning. Importing this loads no model and no model library."""

from __future__ import annotations

from pagefile.embedders.cache import CachedEmbedder
from pagefile.embedders.choose import find_embedder
from pagefile.embedders.hashing import HashingEmbedder
from pagefile.embedders.local import LocalEmbedder
from pagefile.embedders.openai import OpenAIEmbedder

__all__ = ["CachedEmbedder", "HashingEmbedder", "LocalEmbedder", "OpenAIEmbedder", "find_embedder"]
