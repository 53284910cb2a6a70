"""Programs that use a server at once: they chat through the proxy, search and add, and keep count of what they were promised."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import httpx

from benchmarks.measure import SEED

#: How often each is done, of all that is done.
SHARES = {"proxy": 0.4, "search": 0.4, "add": 0.2}
_PATIENCE = httpx.Timeout(60)


@dataclass
class Outcome:
    """What came of the requests of all clients."""

    #: Kind → milliseconds.
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    #: Texts that the server said were kept, or to which it gave a whole reply.
    promised: set[str] = field(default_factory=set)
    #: What went wrong, in short; broken connections apart, as a killed server breaks them.
    errors: list[str] = field(default_factory=list)
    broken: int = 0

    @property
    def requests(self) -> int:
        return sum(len(each) for each in self.took.values())


async def first_and_last(client: httpx.AsyncClient, url: str, body: dict[str, Any]) -> tuple[float, float]:
    """Milliseconds until the first word of a streamed reply, and until its end. Raises RuntimeError if it is not whole."""
    began, first, ended = time.perf_counter(), 0.0, False
    async with client.stream("POST", f"{url}/chat/completions", json={**body, "stream": True}) as answer:
        if answer.status_code != 200:
            raise RuntimeError(f"{answer.status_code} {(await answer.aread())[:200]!r}")
        async for line in answer.aiter_lines():
            if not first and line.startswith("data: {") and json.loads(line[6:])["choices"][0]["delta"].get("content"):
                first = time.perf_counter() - began
            ended = ended or line == "data: [DONE]"
    if not ended or not first:
        raise RuntimeError("the reply was cut")
    return first * 1_000, (time.perf_counter() - began) * 1_000


async def run(
    url: str, *, clients: int, seconds: float, pause: float, model: str, user: str, questions: list[str], name: str = ""
) -> Outcome:
    """Have so many clients at work for so long; each waits up to twice ``pause`` seconds between requests.

    ``user``: whose memory is searched.
    """
    done, until = Outcome(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx.AsyncClient(timeout=_PATIENCE, limits=limits) as client:
        work = [_work(client, url, done, until, pause, model, user, questions, f"{name}-{number}") for number in range(clients)]
        await asyncio.gather(*work)
    return done


async def _work(
    client: httpx.AsyncClient, url: str, done: Outcome, until: float, pause: float, model: str, user: str, questions: list[str], name: str
) -> None:
    chance = random.Random(f"{SEED} {name}")
    number = 0
    await asyncio.sleep(chance.uniform(0, pause))
    while time.monotonic() < until:
        number += 1
        kind = chance.choices(list(SHARES), list(SHARES.values()))[0]
        text = f"Client {name} says number {number}: {chance.choice(questions)}"
        began = time.perf_counter()
        try:
            await _one(client, url, kind, text, model, user, f"client {name}")
        except httpx.TransportError:
            done.broken += 1
            if done.broken > 10 * 32:
                return
            continue
        except RuntimeError as error:
            done.errors.append(f"{kind}: {error}")
            continue
        done.took[kind].append((time.perf_counter() - began) * 1_000)
        if kind != "search":
            done.promised.add(text)
        await asyncio.sleep(chance.uniform(0, 2 * pause))


async def _one(client: httpx.AsyncClient, url: str, kind: str, text: str, model: str, user: str, own: str) -> None:
    if kind == "proxy":
        await first_and_last(client, f"{url}/v1", {"model": model, "user": own, "messages": [{"role": "user", "content": text}]})
        return
    if kind == "add":
        body: dict[str, Any] = {"messages": [{"role": "user", "content": text}], "session": "added"}
        answer = await client.post(f"{url}/api/v1/messages", params={"user": own}, json=body)
    else:
        answer = await client.post(f"{url}/api/v1/search", params={"user": user}, json={"query": text.partition(": ")[2], "limit": 5})
    if answer.status_code >= 300:
        raise RuntimeError(f"{answer.status_code} {answer.text[:200]}")
