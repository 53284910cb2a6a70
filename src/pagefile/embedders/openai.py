"""Embeds at any endpoint with the OpenAI form of ``/v1/embeddings``: OpenAI, Ollama, vLLM, LM Studio, llama.cpp, Qwen …"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import anyio
import numpy as np
from anyio.lowlevel import RunVar

from pagefile.embedders.texts import clean, unit_rows
from pagefile.errors import EmbedderError, InvalidVector
from pagefile.language.tokens import count
from pagefile.ports import Vectors

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI_URL = "https://api.openai.com/v1"
#: A placeholder such as "x" is no secret, and hiding it would make errors unreadable.
_SHORTEST_SECRET = 8
#: What one request carries at most. Endpoints that take less say so, and get less.
_BATCH_TEXTS = 64
_BATCH_CHARACTERS = 200_000
#: A text that is refused as too long even at this many characters is refused for another reason.
_SHORTEST = 16
_TOO_MUCH = re.compile(
    r"(?i)context[_ -]?(length|window|size)|maximum|max_|too (long|large|many)|batch|exceed|larger than|less than .* tokens|physical batch|"
    r"长度|超过"
)


class OpenAIEmbedder:
    """An embedding model at an OpenAI-compatible endpoint. Makes no request before the first use.

    ``base_url``: default OpenAI's. ``api_key``: sent to that endpoint only; local servers need none. ``dimensions``: ask the model for
    shorter vectors, where it can. ``query_prefix``, ``passage_prefix``: what the model's card wants before questions and texts.
    ``max_tokens``: longer texts are cut for embedding; if the endpoint takes less, that is found out. ``timeout``: seconds for a request;
    ``query_timeout``: for a question in all, retries included, because somebody waits for it. Raises EmbedderError.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        max_tokens: int = 8_000,
        timeout: float = 60.0,
        query_timeout: float = 20.0,
        retries: int = 3,
    ) -> None:
        self.id = f"openai:{model}@{dimensions or 'default'}"
        self.model = model
        self.base_url = (base_url or OPENAI_URL).rstrip("/")
        self.sends_to: str | None = self._shown_url
        self._key = api_key
        self._asked_dimensions = dimensions
        self._prefixes = {True: query_prefix, False: passage_prefix}
        self._max_tokens = max_tokens
        self._batch_texts = _BATCH_TEXTS
        self._timeout, self._query_timeout, self._retries = timeout, query_timeout, retries
        self._dimension = dimensions
        # A client's connections belong to one event loop.
        self._clients: RunVar[AsyncOpenAI] = RunVar(f"pagefile_openai_embedder_{id(self)}")

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, base_url={self._shown_url!r})"

    async def dimension(self) -> int:
        """Of the first answer; asks for one when there was none yet."""
        if self._dimension is None:
            await self.embed(["dimension"])
        assert self._dimension is not None
        return self._dimension

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if not texts:
            return np.empty((0, await self.dimension()), dtype=np.float32)
        prepared = [self._prepared(text, query) for text in texts]
        rows: list[Vectors] = []
        try:
            with anyio.fail_after(self._query_timeout if query else None):
                for batch in self._batches(prepared):
                    rows += await self._fitted(batch)
        except TimeoutError as error:
            raise EmbedderError(
                f"{self._shown_url} gave no vector of a question within {self._query_timeout:g} seconds; is it overloaded?"
            ) from error
        return np.stack(rows)

    async def close(self) -> None:
        """End the connections of this event loop. A later request opens new ones."""
        try:
            client = self._clients.get()
        except LookupError:
            return
        await client.close()
        self._clients = RunVar(f"pagefile_openai_embedder_{id(self)}")

    def _prepared(self, text: str, query: bool) -> str:
        # An empty input is an error to most endpoints; a full stop says as little.
        text = clean(self._prefixes[query] + (text if text.strip() else "."), 8 * self._max_tokens)
        while len(text.encode()) > self._max_tokens and (tokens := count(text, self.model)) > self._max_tokens:
            text = text[: min(len(text) - 1, len(text) * self._max_tokens // tokens)]
        return text

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        size = 0
        for text in texts:
            if batch and (len(batch) >= self._batch_texts or size + len(text) > _BATCH_CHARACTERS):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += len(text)
        yield batch

    async def _fitted(self, texts: list[str]) -> list[Vectors]:
        """The vectors of a batch. When the endpoint says that it is too much, half of it is tried, down to half of a text."""
        try:
            return list(await self._request(texts))
        except _TooMuch as refusal:
            if len(texts) == 1 and len(texts[0]) < _SHORTEST:
                raise refusal.error from refusal.__cause__
        if len(texts) > 1:
            half, longest = len(texts) // 2, self._max_tokens
            made = [*await self._fitted(texts[:half]), *await self._fitted(texts[half:])]
            if self._max_tokens == longest:  # no text had to be cut, so it was their number
                self._batch_texts = max(1, min(self._batch_texts, half))
            return made
        shorter = texts[0][: len(texts[0]) // 2]
        made = await self._fitted([shorter])
        self._max_tokens = min(self._max_tokens, max(_SHORTEST, count(shorter, self.model)))
        return made

    async def _request(self, texts: list[str]) -> Vectors:
        body: dict[str, Any] = {"model": self.model, "input": texts}
        if self._asked_dimensions is not None:
            body["dimensions"] = self._asked_dimensions
        try:
            answer = await self._client().post("/embeddings", cast_to=object, body=body)
        # Wide, but nothing is swallowed: what a broken connection raises differs with the client's version (of httpx, httpx2 or its own).
        except Exception as error:
            raise self._translated(error, texts) from (None if self._key and self._key in f"{error} {error.__cause__}" else error)
        vectors = unit_rows(self._rows(answer, len(texts)), dimension=self._dimension, source=f"{self.model} at {self._shown_url}")
        self._dimension = vectors.shape[1]
        return vectors

    def _rows(self, answer: object, wanted: int) -> Vectors:
        """The vectors of an answer, in the order of the texts."""
        data = answer.get("data") if isinstance(answer, Mapping) else None
        if not isinstance(data, list) or not all(isinstance(one, Mapping) and "embedding" in one for one in data):
            raise EmbedderError(f"{self._shown_url} gave no embeddings: {str(answer)[:200]!r}. Is it an OpenAI-compatible endpoint?")
        places = [one.get("index", at) for at, one in enumerate(data)]
        if sorted(places) != list(range(wanted)):
            raise EmbedderError(
                f"{self._shown_url} gave {len(data)} vectors (of texts {places[:10]}) for {wanted} texts; it cannot be used"
            )
        rows = [_numbers(one["embedding"]) for _, one in sorted(zip(places, data, strict=True), key=lambda pair: pair[0])]
        if len({row.shape for row in rows}) > 1 or rows[0].ndim != 1:
            raise InvalidVector(f"{self._shown_url} gave vectors of different sizes; is {self.model} an embedding model?")
        return np.stack(rows)

    def _client(self) -> AsyncOpenAI:
        try:
            return self._clients.get()
        except LookupError:
            import openai  # noqa: PLC0415  # a second of import time, so at first use

        host = (urlsplit(self.base_url).hostname or "").lower()
        # A proxy cannot reach the loopback of this machine; a redirect could carry the texts to a host nobody configured.
        loopback = host in {"localhost", "::1"} or host.startswith("127.")
        http = openai.DefaultAsyncHttpxClient(timeout=self._timeout, trust_env=not loopback, follow_redirects=False)
        client = openai.AsyncOpenAI(
            base_url=self.base_url, api_key=self._key or "none", timeout=self._timeout, max_retries=self._retries, http_client=http
        )
        if not re.search(r"(^|\.)openai\.com$", host):
            # The client takes these from the environment, whatever the endpoint is.
            client.organization = client.project = None
        self._clients.set(client)
        return client

    def _translated(self, error: Exception, texts: list[str]) -> Exception:
        status = getattr(error, "status_code", None)
        words = str(error) if status else str(error.__cause__ or error)
        secret = self._key if self._key and len(self._key) >= _SHORTEST_SECRET else None
        words = " ".join((words.replace(secret, "[key]") if secret else words).split())[:400]
        if status is None:
            hint = "Is the server running? Inside a container, localhost is the container itself (try host.docker.internal)"
            return EmbedderError(f"could not get embeddings from {self._shown_url}: {words}. {hint}")
        told = EmbedderError(
            f"{self._shown_url} refused to embed {len(texts)} texts with {self.model}, HTTP {status}: {words}. {_hint(status)}"
        )
        return _TooMuch(told) if status in {400, 413, 422, 500} and _TOO_MUCH.search(words) else told

    @property
    def _shown_url(self) -> str:
        """For people: without a user, password or query, which may hold secrets."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], f"{parts.path}/embeddings", "", ""))


class _TooMuch(Exception):
    """The endpoint says that a request is too long or has too many texts. Never leaves this file."""

    def __init__(self, error: EmbedderError) -> None:
        super().__init__(str(error))
        self.error = error


def _numbers(embedding: object) -> Vectors:
    """One vector, as a list of numbers or as base64 of 32-bit floats."""
    try:
        if isinstance(embedding, str):
            return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        return np.asarray(embedding, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise InvalidVector(f"an embedding is no list of numbers: {str(embedding)[:80]!r}") from error


def _hint(status: int) -> str:
    return {
        401: "Check the API key",
        403: "Check the API key and what it may use",
        404: "Check the name of the model (for Ollama: `ollama pull` it first), and that the base URL is right (most end in /v1)",
        429: "Check the account's quota, or try again later",
    }.get(status, "Check the model and its settings")
