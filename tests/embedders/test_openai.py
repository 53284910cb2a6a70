from __future__ import annotations

import base64
import itertools
from collections.abc import AsyncIterator, Callable

import numpy as np
import pytest

from pagefile.embedders.openai import OpenAIEmbedder
from pagefile.errors import EmbedderError, InvalidVector
from pagefile.testing.openai_server import OpenAIServer, Raw, hash_vector, refuse

Embed = Callable[[list[str]], "list[list[float]] | Raw"]


def counted(texts: list[str]) -> list[list[float]]:
    """The length of a text can be read off its vector."""
    return [[float(len(text)), 1.0, 0.0] for text in texts]


def data(*entries: object) -> Raw:
    return Raw(body={"object": "list", "data": list(entries), "model": "m"})


@pytest.fixture
async def opened() -> AsyncIterator[Callable[..., tuple[OpenAIServer, OpenAIEmbedder]]]:
    """Starts a server that answers by a function, and an embedder that asks it."""
    servers: list[OpenAIServer] = []
    embedders: list[OpenAIEmbedder] = []

    def start(embed: Embed | None = None, **options: object) -> tuple[OpenAIServer, OpenAIEmbedder]:
        servers.append(OpenAIServer(embed=embed).__enter__())
        embedders.append(OpenAIEmbedder("m", **({"base_url": servers[-1].url, "retries": 0} | options)))  # type: ignore[arg-type]  # free options
        return servers[-1], embedders[-1]

    yield start
    for embedder in embedders:
        await embedder.close()
    for server in servers:
        server.__exit__(None, None, None)


async def test_vectors_come_back_normalised_and_in_order(opened) -> None:
    server, embedder = opened()
    vectors = await embedder.embed(["tea", "茶", ""])
    expected = np.array([hash_vector(text) for text in ("tea", "茶", ".")])
    assert vectors == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)
    assert server.requests[0].body == {"model": "m", "input": ["tea", "茶", "."]}


async def test_the_dimension_is_asked_for_once(opened) -> None:
    server, embedder = opened()
    assert [await embedder.dimension() for _ in range(3)] == [8, 8, 8]
    assert len(server.requests) == 1
    assert (await embedder.embed([])).shape == (0, 8)


async def test_the_first_answer_tells_the_dimension(opened) -> None:
    server, embedder = opened()
    await embedder.embed(["tea"])
    assert await embedder.dimension() == 8
    assert len(server.requests) == 1


async def test_wished_dimensions_are_sent_and_are_part_of_the_id(opened) -> None:
    server, embedder = opened(lambda texts: [[1.0, 2.0] for _ in texts], dimensions=2)
    await embedder.embed(["tea"])
    assert (embedder.id, await embedder.dimension()) == ("openai:m@2", 2)
    assert server.requests[0].body["dimensions"] == 2


async def test_prefixes_stand_before_questions_and_texts(opened) -> None:
    server, embedder = opened(query_prefix="query: ", passage_prefix="passage: ")
    await embedder.embed(["tea"], query=True)
    await embedder.embed(["tea"])
    assert [request.body["input"] for request in server.requests] == [["query: tea"], ["passage: tea"]]


async def test_the_key_goes_into_the_header(opened) -> None:
    server, embedder = opened(api_key="sk-secret")
    await embedder.embed(["tea"])
    assert server.requests[0].headers["authorization"] == "Bearer sk-secret"


async def test_many_texts_go_in_several_requests(opened) -> None:
    server, embedder = opened(counted)
    vectors = await embedder.embed(["x" * (number % 9 + 1) for number in range(150)])
    assert [len(request.body["input"]) for request in server.requests] == [64, 64, 22]
    assert np.argmax(vectors[:, 0]) % 9 == 8
    assert vectors.shape == (150, 3)


async def test_an_endpoint_with_small_batches_gets_small_batches(opened) -> None:
    def at_most_ten(texts: list[str]) -> list[list[float]] | Raw:
        return refuse(400, "batch size is invalid, it should not be larger than 10") if len(texts) > 10 else counted(texts)

    server, embedder = opened(at_most_ten)
    assert (await embedder.embed(["tea"] * 70)).shape == (70, 3)
    asked = len(server.requests)
    await embedder.embed(["tea"] * 16)
    assert [len(request.body["input"]) for request in server.requests[asked:]] == [8, 8]


async def test_one_text_that_is_too_long_does_not_make_later_batches_small(opened) -> None:
    def short_only(texts: list[str]) -> list[list[float]] | Raw:
        return refuse(413, "input is too large") if max(map(len, texts)) > 500 else counted(texts)

    server, embedder = opened(short_only)
    await embedder.embed(["tea"] * 20 + ["word " * 200] + ["tea"] * 20)
    asked = len(server.requests)
    await embedder.embed(["tea"] * 60)
    assert len(server.requests) == asked + 1


@pytest.mark.parametrize("text", ["word " * 6_000, "文" * 30_000])
async def test_a_text_that_is_too_long_for_the_endpoint_is_halved_until_it_fits(opened, text: str) -> None:
    def short_only(texts: list[str]) -> list[list[float]] | Raw:
        longest = max(map(len, texts))
        return refuse(400, f"the input length exceeds the context length ({longest})") if longest > 2_000 else counted(texts)

    server, embedder = opened(short_only)
    vectors = await embedder.embed(["tea", text, "milk"])
    assert vectors.shape == (3, 3)
    assert vectors[0] == pytest.approx(np.array([3, 1, 0]) / np.sqrt(10))
    asked = len(server.requests)
    await embedder.embed([text])
    assert len(server.requests) == asked + 1, "what the endpoint takes is learnt"


async def test_a_text_over_the_limit_is_cut_before_it_is_sent(opened) -> None:
    server, embedder = opened(max_tokens=50)
    await embedder.embed(["word " * 500_000, "茶" * 500_000, "short"])
    sent = server.requests[0].body["input"]
    assert [60 < len(sent[0]) < 300, 20 < len(sent[1]) < 60, sent[2] == "short"] == [True] * 3


async def test_a_refusal_that_shorter_texts_do_not_mend_is_an_error(opened) -> None:
    _, embedder = opened(lambda texts: refuse(400, "input too long"))
    with pytest.raises(EmbedderError, match=r"HTTP 400.*input too long"):
        await embedder.embed(["tea " * 1000])


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_passing_failures_are_tried_again(opened, status: int) -> None:
    calls = itertools.count()

    def second_time(texts: list[str]) -> list[list[float]] | Raw:
        return refuse(status, "later", retry_after=0.01) if next(calls) == 0 else counted(texts)

    server, embedder = opened(second_time, retries=2)
    assert (await embedder.embed(["tea"])).shape == (1, 3)
    assert len(server.requests) == 2


async def test_an_error_names_the_url_and_what_to_do_and_never_the_key(opened) -> None:
    server, embedder = opened(lambda texts: refuse(401, "bad key sk-secret"), api_key="sk-secret")
    with pytest.raises(EmbedderError) as failure:
        await embedder.embed(["tea"])
    assert f"127.0.0.1:{server.port}/v1/embeddings" in str(failure.value)
    assert "Check the API key" in str(failure.value)
    shown: BaseException | None = failure.value
    while shown is not None:
        assert "sk-secret" not in str(shown)
        shown = shown.__cause__


async def test_an_endpoint_that_is_not_there_is_named() -> None:
    embedder = OpenAIEmbedder("m", base_url="http://user:pa55@127.0.0.1:9/v1?token=t0ken", retries=0)
    with pytest.raises(EmbedderError, match=r"http://127\.0\.0\.1:9/v1/embeddings.*Is the server running") as failure:
        await embedder.embed(["tea"])
    assert "pa55" not in str(failure.value)
    assert "t0ken" not in str(failure.value)
    await embedder.close()


async def test_a_question_is_not_waited_for_longer_than_its_time(opened) -> None:
    _, embedder = opened(lambda texts: Raw(body={}, delay=5.0), query_timeout=0.1)
    with pytest.raises(EmbedderError, match=r"within 0\.1 seconds"):
        await embedder.embed(["tea"], query=True)


async def test_vectors_are_put_in_the_order_of_their_index(opened) -> None:
    _, embedder = opened(lambda texts: data({"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 0]}))
    assert (await embedder.embed(["a", "b"])).tolist() == [[1, 0], [0, 1]]


async def test_vectors_may_come_packed_in_base64(opened) -> None:
    packed = base64.b64encode(np.array([0, 4], dtype="<f4").tobytes()).decode()
    _, embedder = opened(lambda texts: data({"index": 0, "embedding": packed}))
    assert (await embedder.embed(["a"])).tolist() == [[0, 1]]


@pytest.mark.parametrize(
    "answer",
    [
        data({"index": 0, "embedding": [0.0, 0.0]}, {"index": 1, "embedding": [1.0, 0.0]}),
        Raw(body='{"data": [{"index": 0, "embedding": [NaN, 1]}, {"index": 1, "embedding": [1, 1]}]}'),
        data({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 0.0]}),
        data({"index": 0, "embedding": "not base64!"}, {"index": 1, "embedding": "AAAA"}),
        data({"index": 0, "embedding": {"a": 1}}, {"index": 1, "embedding": [1.0, 0.0]}),
        data({"index": 0, "embedding": []}, {"index": 1, "embedding": []}),
        data({"index": 0, "embedding": [[1.0]]}, {"index": 1, "embedding": [[1.0]]}),
    ],
    ids=["zero", "nan", "ragged", "no base64", "no numbers", "empty", "nested"],
)
async def test_vectors_that_mean_nothing_are_refused(opened, answer: Raw) -> None:
    _, embedder = opened(lambda texts: answer)
    with pytest.raises(InvalidVector):
        await embedder.embed(["a", "b"])


async def test_a_dimension_that_changes_is_refused(opened) -> None:
    sizes = itertools.count(2)
    _, embedder = opened(lambda texts: [[1.0] * size for size in [next(sizes)] for _ in texts])
    await embedder.embed(["a"])
    with pytest.raises(InvalidVector, match="3 dimensions where 2 were expected"):
        await embedder.embed(["b"])


@pytest.mark.parametrize(
    "answer",
    [data({"index": 0, "embedding": [1.0]}), data(), Raw(body={"error": "no"}), Raw(body="<html>", headers={"Content-Type": "text/html"})],
    ids=["too few", "none", "another object", "a web page"],
)
async def test_an_answer_that_does_not_fit_the_question_is_refused(opened, answer: Raw) -> None:
    _, embedder = opened(lambda texts: answer)
    with pytest.raises(EmbedderError, match=r"127\.0\.0\.1"):
        await embedder.embed(["a", "b"])


async def test_odd_texts_reach_the_endpoint(opened) -> None:
    server, embedder = opened()
    assert (await embedder.embed(["a\0b", "\ud800", " \n", "😀"])).shape == (4, 8)
    assert server.requests[0].body["input"] == ["a b", "?", ".", "😀"]
