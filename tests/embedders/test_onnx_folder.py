from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from pagefile.embedders.local import LocalEmbedder
from pagefile.errors import EmbedderError, SettingsError

WORDS = {"[CLS]": 0, "[UNK]": 1, "tea": 2, "milk": 3, "query": 4, "茶": 5}


def write_model(folder: Path, *, inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids")) -> Path:
    """A model whose token vectors are rows of the identity matrix, so that pooling can be read off."""
    folder.mkdir(exist_ok=True)
    table = numpy_helper.from_array(np.eye(len(WORDS), dtype=np.float32), "table")
    taken = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    given = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", len(WORDS)])
    graph = helper.make_graph([helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])], "tiny", taken, [given], [table])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model_quantized.onnx")
    tokenizer = Tokenizer(models.WordLevel(WORDS, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 0)])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


async def test_a_folder_is_pooled_by_the_mean_if_nothing_else_is_known(tmp_path: Path) -> None:
    embedder = LocalEmbedder(write_model(tmp_path / "tiny", inputs=("input_ids",)))
    (vector,) = await embedder.embed(["tea milk"])
    assert await embedder.dimension() == 6
    assert vector == pytest.approx(np.array([1, 0, 1, 1, 0, 0]) / np.sqrt(3))


async def test_a_model_of_the_bge_family_is_pooled_by_its_first_token(tmp_path: Path) -> None:
    (vector,) = await LocalEmbedder(write_model(tmp_path / "bge-tiny")).embed(["tea milk"])
    assert vector.tolist() == [1, 0, 0, 0, 0, 0]


async def test_embedder_json_sets_pooling_prefixes_and_length(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "tiny")
    plain = LocalEmbedder(folder).id
    (folder / "embedder.json").write_text(json.dumps({"query_prefix": "query ", "max_tokens": 3}))
    embedder = LocalEmbedder(folder)
    (asked,) = await embedder.embed(["tea milk 茶"], query=True)
    assert np.flatnonzero(asked).tolist() == [0, 2, 4]
    assert embedder.id != plain, "another recipe is another space"


@pytest.mark.parametrize("text", ['{"pooling": "max"}', '{"poolin": "cls"}', "[]", "{"])
def test_a_wrong_embedder_json_is_refused(tmp_path: Path, text: str) -> None:
    folder = write_model(tmp_path / "tiny")
    (folder / "embedder.json").write_text(text)
    with pytest.raises(SettingsError, match=r"cannot use .*embedder\.json"):
        LocalEmbedder(folder)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"model\*\.onnx and a tokenizer\.json"):
        LocalEmbedder(tmp_path)


async def test_a_broken_model_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "tiny")
    (folder / "model_quantized.onnx").write_bytes(b"broken")
    with pytest.raises(EmbedderError, match=r"cannot open .*model_quantized\.onnx"):
        await LocalEmbedder(folder).embed(["tea"])
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbedderError, match=r"cannot read .*tokenizer\.json"):
        await LocalEmbedder(folder).embed(["tea"])
