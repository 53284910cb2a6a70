"""The server as a program of its own: what the proxy adds to a model's time, many clients at once, kills, and memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

import benchmarks.clients as clients
from benchmarks.filling import Pool, remember, settle
from benchmarks.fresh import USER
from benchmarks.measure import SEED, Cell, Setting, Table, at_most, percentile
from benchmarks.search import ask, both_languages
from benchmarks.texts import LANGUAGES, Writer
from benchmarks.upstream import AT_ONCE, THINKS
from benchmarks.vectors import VectorSpace
from pagefile.embedders import find_embedder
from pagefile.memory import AsyncMemory
from pagefile.records import Scope
from pagefile.settings import Settings
from pagefile.stores.sqlite import SqliteStore

RECORDS = 2_000
TURNS = 200
CLIENTS = 32
LOAD_SECONDS = 120.0
#: Between two requests of a client, on average.
PAUSE_SECONDS = 1.0
KILLS = 20
#: From a start under load to its end.
_UNDER_LOAD = 2.0
_BETWEEN_TURNS = 0.15
_PATIENCE = 60.0


async def run(setting: Setting) -> list[Table]:
    path = setting.folder / "server.db"
    questions = await _fill(setting, path)
    with _upstream() as upstream:
        latency = await _latency(setting, path, upstream, questions)
        load = await _load(setting, path, upstream, questions)
        kills = await _kills(setting, path, upstream, questions)
    return [latency, load, kills]


# --- what the proxy adds ------------------------------------------------------------------------------------------------


async def _latency(setting: Setting, path: Path, upstream: str, questions: Sequence[str]) -> Table:
    turns = setting.size(TURNS, least=5)
    direct, through, processor = list[tuple[float, float]](), list[tuple[float, float]](), list[float]()
    async with _serving(setting, path, upstream) as served:
        idle = await _idle(served, questions[:20])
        async with httpx.AsyncClient(timeout=_PATIENCE) as client:
            for turn in range(-3, turns):
                question = f"{questions[turn % len(questions)]} ({turn})"
                body = {"model": AT_ONCE, "messages": [{"role": "user", "content": question}]}
                one = await clients.first_and_last(client, upstream, body)
                before = served.processor()
                other = await clients.first_and_last(client, f"{served.url}/v1", {**body, "user": USER})
                if turn >= 0:
                    direct.append(one)
                    through.append(other)
                    processor.append((served.processor() - before) * 1_000)
                # What is learnt from a turn is learnt behind it, and nobody says the next thing at once.
                await asyncio.sleep(_BETWEEN_TURNS)
        after = await _idle(served)
    rows: list[tuple[Cell, ...]] = []
    for name, place in (("first word", 0), ("whole reply", 1)):
        added: dict[float, float] = {}
        for share in (0.5, 0.95):
            ways = [percentile([each[place] for each in way], share) for way in (direct, through)]
            added[share] = ways[1] - ways[0]
        target = f"{at_most(15, added[0.5], ' ms')}; {at_most(40, added[0.95], ' ms')}" if place == 0 else ""
        rows.append((f"{name}, added p50 / p95", f"{added[0.5]:.1f} / {added[0.95]:.1f} ms", target))
    rows += [
        ("first word straight from the endpoint, p50", f"{percentile([each[0] for each in direct], 0.5):.1f} ms", ""),
        ("processor time of the server until then, mean", f"{sum(processor) / len(processor):.1f} ms", ""),
        ("memory of the idle server, embedder loaded", f"{idle:.0f} MB", at_most(350, idle, " MB")),
        ("… after these turns", f"{after:.0f} MB", ""),
    ]
    note = (
        f"{turns} streamed turns, each asked straight and through the proxy; {setting.size(RECORDS, least=20):,} records of the user. "
        f"{_BETWEEN_TURNS:g} s between them, in which what was said is learnt and embedded."
    )
    return Table("server: what the proxy adds", ("what", "figure", "target"), tuple(rows), note)


async def _idle(served: _Served, questions: Sequence[str] = ()) -> float:
    """Megabytes once these questions were searched for, and there is nothing left to do."""
    async with httpx.AsyncClient(timeout=_PATIENCE) as client:
        for question in questions:
            await client.post(f"{served.url}/api/v1/search", params={"user": USER}, json={"query": question})
        for _ in range(100):
            waits = (await client.get(f"{served.url}/readyz")).json()["oldest_job_seconds"]
            await asyncio.sleep(0.2)
            if not waits:
                break
    return float(psutil.Process(served.process.pid).memory_info().rss) / 1e6


# --- many clients -------------------------------------------------------------------------------------------------------


async def _load(setting: Setting, path: Path, upstream: str, questions: list[str]) -> Table:
    seconds = setting.seconds(LOAD_SECONDS)
    rows: list[tuple[Cell, ...]] = []
    for name, pause, share in (("paced", PAUSE_SECONDS, 1.0), ("as fast as they can", 0.0, 0.25)):
        async with _serving(setting, path, upstream) as served:
            before = served.processor()
            done = await clients.run(
                served.url, clients=CLIENTS, seconds=seconds * share, pause=pause, model=THINKS, user=USER, questions=questions, name=name
            )
            busy = (served.processor() - before) / (seconds * share)
        lost = len(done.promised - await _kept(path))
        search = done.took["search"] or [float("nan")]
        rows.append(
            (
                name,
                done.requests,
                round(done.requests / (seconds * share), 1),
                len(done.errors) + done.broken,
                lost,
                percentile(search, 0.5),
                percentile(search, 0.95),
                round(busy, 2),
                f"{at_most(0, len(done.errors) + done.broken)}; {at_most(0, lost)}; {at_most(100, percentile(search, 0.95), ' ms')}"
                if pause
                else "",
            )
        )
        for error in done.errors[:3]:
            print(f"  {error}", file=sys.stderr)
    columns = ("clients", "requests", "a second", "errors", "lost", "search p50 ms", "p95 ms", "cores used", "target: errors; lost; p95")
    shares = ", ".join(f"{kind} {share:.0%}" for kind, share in clients.SHARES.items())
    note = (
        f"{CLIENTS} clients for {seconds:.0f} s ({seconds / 4:.0f} s without pauses): {shares}. Paced: each waits {PAUSE_SECONDS:g} s on "
        "average between requests; a reply takes the endpoint half a second. Clients, endpoint and server share the cores."
    )
    return Table(f"server: {CLIENTS} clients at once", columns, tuple(rows), note)


# --- killed -------------------------------------------------------------------------------------------------------------


async def _kills(setting: Setting, path: Path, upstream: str, questions: list[str]) -> Table:
    kills = setting.size(KILLS, least=1)
    promised: set[str] = set()
    starts, ready = list[float](), list[float]()
    errors: list[str] = []
    for number in range(kills):
        async with _serving(setting, path, upstream, kill=True) as served:
            starts.append(served.started)
            ready.append(served.ready)
            name = f"k{number}"
            load = clients.run(
                served.url, clients=CLIENTS, seconds=_UNDER_LOAD + 1, pause=0.0, model=AT_ONCE, user=USER, questions=questions, name=name
            )
            working = asyncio.create_task(load)
            await asyncio.sleep(_UNDER_LOAD)
            served.process.kill()
            done = await working
            promised |= done.promised
            errors += done.errors
    lost = len(promised - await _kept(path))
    rows: tuple[tuple[Cell, ...], ...] = (
        ("messages acknowledged", len(promised), ""),
        ("of these lost", lost, at_most(0, lost)),
        ("errors but for broken connections", len(errors), at_most(0, len(errors))),
        ("start until it answers, median s", round(percentile(starts, 0.5), 2), ""),
        ("start until it answers, slowest s", round(max(starts), 2), at_most(3, max(starts), " s")),
        ("start until it has warmed up, median s", round(percentile(ready, 0.5), 2), ""),
    )
    return Table(
        f"server: killed {kills} times under load", ("what", "figure", "target"), rows, f"{CLIENTS} clients without pauses, kill -9."
    )


# --- the programs -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Served:
    process: subprocess.Popen[bytes]
    url: str
    #: Seconds until it answered, and until it had warmed up.
    started: float
    ready: float

    def processor(self) -> float:
        """Seconds of processor time so far."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)


@contextlib.asynccontextmanager
async def _serving(setting: Setting, path: Path, upstream: str, *, kill: bool = False) -> AsyncIterator[_Served]:
    """A server on the file, with its log in a file beside it. ``kill``: whoever uses it ends it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = {"DATA": str(path), "EMBEDDER": setting.embedder, "MODEL": f"{AT_ONCE}@{upstream}", "PORT": str(port), "CONFIG": os.devnull}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PAGEFILE_", "OPENAI_"))}
    environment |= {f"PAGEFILE_{name}": value for name, value in own.items()}
    began = time.perf_counter()
    with (setting.folder / "server.log").open("a", encoding="utf-8") as log:
        command = [sys.executable, "-m", "pagefile", "serve"]
        process = await asyncio.to_thread(subprocess.Popen, command, env=environment, stdout=log, stderr=log)
        try:
            took = list[float]()
            for probe in ("/healthz", "/readyz"):
                await _until(probe, process, f"http://127.0.0.1:{port}", Path(log.name))
                took.append(time.perf_counter() - began)
            yield _Served(process, f"http://127.0.0.1:{port}", *took)
        finally:
            if not kill:
                process.terminate()
            await asyncio.to_thread(process.wait, _PATIENCE)


async def _until(probe: str, process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    async with httpx.AsyncClient(timeout=_PATIENCE) as client:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                if (await client.get(f"{url}{probe}")).status_code == 200:
                    return
            await asyncio.sleep(0.01)
            if process.poll() is not None:
                raise RuntimeError(f"the server ended by itself with {process.returncode}; the end of its log: {_end_of(log)}")
    raise RuntimeError("the server did not become ready")


def _end_of(log: Path) -> str:
    return log.read_text(encoding="utf-8")[-500:]


@contextlib.contextmanager
def _upstream() -> Iterator[str]:
    with subprocess.Popen([sys.executable, "-m", "benchmarks.upstream"], stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def _fill(setting: Setting, path: Path) -> list[str]:
    """Give the user records, each with a vector; returns questions about them."""
    writers = [Writer(language, SEED) for language in LANGUAGES]
    number = setting.size(RECORDS, least=20)
    prepared = both_languages([Pool(writer, number) for writer in writers], number)
    embedder = find_embedder(setting.embedder)
    vectors = None if embedder is None else VectorSpace(await embedder.dimension(), clusters=100).draw(number)
    store = await SqliteStore.open(path)
    await remember(store, Scope("default", USER), prepared, embedder=embedder.id if embedder else "", vectors=vectors)
    await settle(store)
    await store.close()
    return list(ask(writers, 100))


async def _kept(path: Path) -> set[str]:
    """Every text in the journals of the clients."""
    texts: set[str] = set()
    async with await AsyncMemory.open(path, embedder="none", learn="off", settings=Settings()) as memory:
        page = await memory.scopes(limit=10_000)
        for scope in page.items:
            after: str | None = None
            while True:
                messages = await memory.scope(scope.user, tenant=scope.tenant).messages(after=after, limit=10_000)
                texts |= {message.text for message in messages.items}
                after = messages.cursor
                if after is None:
                    break
    return texts
