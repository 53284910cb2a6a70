"""Finds an embedder by its name in the settings."""

from __future__ import annotations

import difflib

from pagefile.embedders import local
from pagefile.embedders.hashing import HashingEmbedder
from pagefile.embedders.local import BUNDLED, LocalEmbedder
from pagefile.embedders.openai import OpenAIEmbedder
from pagefile.errors import SettingsError
from pagefile.ports import Embedder

CHOICES = ("local", *(f"local:{name}" for name in BUNDLED), "local:/path/to/model", "openai:MODEL", "hashing", "none")

#: What stands before a colon → how to write it.
_KINDS = {"local": "local", "openai": "openai:MODEL", "hashing": "hashing", "none": "none"}


def find_embedder(name: str | None = None, *, base_url: str | None = None, api_key: str | None = None) -> Embedder | None:
    """The embedder of a name: one of ``CHOICES``. None as the answer: things are found by words alone.

    Without a name it is the local one if its packages are installed. ``base_url``, ``api_key``: of the endpoint for "openai:MODEL".
    Raises SettingsError for an unknown name or a path without a model, EmbedderError for a package that is missing.
    """
    if name is None:
        return LocalEmbedder() if local.is_available() else None
    kind, _, rest = name.strip().partition(":")
    kind, rest = kind.strip().lower(), rest.strip()
    if kind == "local":
        return LocalEmbedder(rest or None)
    if kind == "openai" and rest:
        return OpenAIEmbedder(rest, base_url=base_url, api_key=api_key)
    if kind == "hashing" and not rest:
        return HashingEmbedder()
    if kind == "none" and not rest:
        return None
    near = difflib.get_close_matches(kind, _KINDS, n=1, cutoff=0.5)
    hint = f" Did you mean {_KINDS[near[0]]}?" if near else ""
    raise SettingsError(f"there is no embedder {name!r}.{hint} Choices: {', '.join(CHOICES)}")
