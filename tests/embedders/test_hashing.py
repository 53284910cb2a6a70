from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.embedders.hashing import HashingEmbedder
from pagefile.ports import Embedder


async def test_it_is_an_embedder_of_the_dimension_it_was_made_with() -> None:
    embedder: Embedder = HashingEmbedder(64)
    assert await embedder.dimension() == 64
    assert (await embedder.embed([])).shape == (0, 64)
    assert (await embedder.embed(["a", "b"])).dtype == np.float32


@given(st.text(st.characters(codec=None), max_size=60))
async def test_any_text_has_a_vector_of_length_one(text: str) -> None:
    (vector,) = await HashingEmbedder(32).embed([text])
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("spicy food allergy", "an allergy to spicy foods", "the train to Leeds was late"),
        ("腾讯云服务器", "用户服务器部署在腾讯云国内节点", "早上八点的火车晚点了"),
    ],
)
async def test_texts_that_share_words_are_near(question: str, near: str, far: str) -> None:
    embedder = HashingEmbedder()
    (asked,) = await embedder.embed([question], query=True)
    close, distant = await embedder.embed([near, far]) @ asked
    assert close > distant + 0.2


async def test_the_same_text_has_the_same_vector_in_another_process() -> None:
    program = (
        "import anyio; from pagefile.embedders.hashing import HashingEmbedder as H; print(anyio.run(H(8).embed, ['早报 news'])[0].tolist())"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == str((await HashingEmbedder(8).embed(["早报 news"]))[0].tolist())


async def test_another_salt_is_another_space_with_another_id() -> None:
    plain, salted, long = HashingEmbedder(), HashingEmbedder(salt="b"), HashingEmbedder(salt="b" * 40)
    assert len({plain.id, salted.id, long.id, HashingEmbedder(128).id}) == 4
    vectors = [(await embedder.embed(["tea"]))[0] for embedder in (plain, salted, long)]
    assert abs(vectors[0] @ vectors[1]) < 0.9
    assert abs(vectors[1] @ vectors[2]) < 0.9
