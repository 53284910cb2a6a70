"""An embedding model in a folder of the usual export: ``model*.onnx`` and ``tokenizer.json``."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pagefile.embedders.e5_weights import Floats
from pagefile.embedders.onnx_session import INSTALL, open_session
from pagefile.errors import EmbedderError, SettingsError

SETTINGS_FILE = "embedder.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What to do with a model's texts and outputs. ``embedder.json`` in the folder may set any of these fields."""

    #: The mean over the tokens, or the first one's vector ("cls").
    pooling: Literal["mean", "cls"] = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    #: Tokens; what is longer is cut.
    max_tokens: int = 512


#: Part of a folder's name → how its family of models was trained.
_FAMILIES = (
    ("bge-m3", Recipe(pooling="cls")),
    ("bge", Recipe(pooling="cls", query_prefix="Represent this sentence for searching relevant passages: ")),
    ("e5", Recipe(query_prefix="query: ", passage_prefix="passage: ")),
)
_CHINESE_BGE = Recipe(pooling="cls", query_prefix="为这个句子生成表示以用于检索相关文章：")


class OnnxFolder:
    """A folder that was found to hold a model. Raises SettingsError when it does not, or when its ``embedder.json`` is wrong."""

    def __init__(self, folder: Path) -> None:
        models = sorted(folder.glob("model*.onnx")) or sorted(folder.glob("onnx/model*.onnx"))
        self._tokenizer = folder / "tokenizer.json"
        if not models or not self._tokenizer.is_file():
            raise SettingsError(f"{folder} holds no embedding model: there must be a model*.onnx and a tokenizer.json in it")
        # The smallest, which is the quantised one: on a processor it is the fastest, and hardly worse.
        self._model = min(models, key=lambda path: path.stat().st_size)
        self.recipe = _recipe(folder)
        with self._model.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
        digest.update(self._tokenizer.read_bytes() + json.dumps(asdict(self.recipe), sort_keys=True).encode())
        self.id = f"{folder.resolve().name}/{digest.hexdigest()[:12]}"

    def open(self) -> OnnxEncoder:
        return OnnxEncoder(self._model, self._tokenizer, self.recipe)


class OnnxEncoder:
    """The network and its tokeniser. Raises EmbedderError."""

    def __init__(self, model: Path, tokenizer: Path, recipe: Recipe) -> None:
        try:
            from tokenizers import Tokenizer  # noqa: PLC0415  # only needed for models in folders
        except ImportError as error:
            raise EmbedderError(f"a model in a folder needs the package tokenizers ({error}); {INSTALL}") from error
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # the library raises nothing finer
            raise EmbedderError(f"cannot read {tokenizer}: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(recipe.max_tokens)
        self._recipe = recipe
        self._session = open_session(str(model), fused=False)
        self._inputs = {one.name for one in self._session.get_inputs()}
        self.dimension = len(self.encode("dimension", query=False))

    def encode(self, text: str, *, query: bool) -> Floats:
        """One vector, not normalised."""
        prefix = self._recipe.query_prefix if query else self._recipe.passage_prefix
        ids = np.array([self._tokenizer.encode(prefix + text).ids], dtype=np.int64)
        known: dict[str, Any] = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            output = self._session.run(None, {name: known[name] for name in self._inputs})[0][0]
        except Exception as error:  # onnxruntime's errors have no common class below Exception
            raise EmbedderError(f"the model failed on a text of {ids.size} tokens: {error!r}") from error
        if output.ndim == 1:  # pooled by the model itself
            return np.asarray(output, dtype=np.float32)
        return np.asarray(output[0] if self._recipe.pooling == "cls" else output.mean(axis=0), dtype=np.float32)


def _recipe(folder: Path) -> Recipe:
    name = folder.resolve().name.lower()
    recipe = next((recipe for part, recipe in _FAMILIES if part in name), Recipe())
    if "bge" in name and "-zh" in name:
        recipe = _CHINESE_BGE
    file = folder / SETTINGS_FILE
    if not file.is_file():
        return recipe
    try:
        recipe = replace(recipe, **json.loads(file.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        known = ", ".join(Recipe.__dataclass_fields__)
        raise SettingsError(f"cannot use {file}: {error}. It may set: {known}") from error
    if recipe.pooling not in ("mean", "cls"):
        raise SettingsError(f'cannot use {file}: pooling is {recipe.pooling!r}; it must be "mean" or "cls"')
    return recipe
