"""Writes into a store's file and says what was acknowledged: the process that ``test_durability.py`` kills, and of which it runs several.

Run with ``serve``, it forks a writer for each line it reads (JSON: path, session). With ``load PATH threads|tasks SECONDS NAME``, eight
writers work at once, and what they were told was kept is printed. With ``read PATH``, the texts of all messages are printed. With
``decide PATH TIMES NAME``, the same fact is learnt so many times.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from functools import partial

from pagefile.errors import StaleRevision
from pagefile.language.keys import fact_key
from pagefile.messages import Draft
from pagefile.ports import NewJob, NewVector
from pagefile.records import Add, Edit, Reinforce, Scope, Supersede
from pagefile.stores.sqlite import SqliteStore
from pagefile.testing.fakes import START, hash_of, indexing_of, make_cause, make_draft, make_record, make_vector

SCOPE = Scope("acme", "alice")
EMBEDDER = "model-a"
#: What ``decide`` learns.
KEY = fact_key("user", "residence")
_FACT = partial(make_record, "lives in York", subject="user", attribute="residence", value="York")


def word() -> str:
    """A word that stands nowhere else."""
    return f"w{uuid.uuid4().hex}"


def draft(text: str) -> Draft:
    # Ids must differ between processes; the builders' own count from one in each.
    return make_draft(text, id=str(uuid.uuid4()), external_id=text)


# --- killed at any moment -----------------------------------------------------------------------------------------------


async def write_until_killed(path: str, session: str) -> None:
    store = await SqliteStore.open(path)
    for turn in itertools.count():
        drafts = [draft(word()) for _ in range(1 + turn % 3)]
        learn = NewJob(kind="learn", payload={"words": [each.text for each in drafts]})
        appended = await store.append(SCOPE, session, drafts, jobs=[learn], key=drafts[0].id, fingerprint="f")
        for each in appended:
            acknowledge("message", id=each.message.id, word=each.message.text, session=session, seq=each.message.seq)
        vector = NewVector(id=drafts[0].id, hash=hash_of(drafts[0].text), vector=make_vector(1.0, 0.5))
        await store.put_vectors(SCOPE, EMBEDDER, [vector])
        acknowledge("vector", id=drafts[0].id)
        await write_records(store)


async def write_records(store: SqliteStore) -> None:
    """Two records in one call; one is edited, the other replaced, in another."""
    one, two, new = (make_record(word(), id=str(uuid.uuid4())) for _ in range(3))
    await store.apply(SCOPE, [Add(item=each, cause=make_cause(), indexing=indexing_of(each.text)) for each in (one, two)])
    for record in (one, two):
        acknowledge("record", id=record.id, word=record.text, status="current", version=1)
    edited = word()
    await store.apply(
        SCOPE,
        [
            Edit(target=one.id, fields={"text": edited}, cause=make_cause(), indexing=indexing_of(edited)),
            Supersede(target=two.id, item=new, cause=make_cause(), indexing=indexing_of(new.text)),
        ],
    )
    acknowledge("record", id=one.id, word=edited, status="current", version=2)
    acknowledge("record", id=two.id, word=two.text, status="superseded", version=2)
    acknowledge("record", id=new.id, word=new.text, status="current", version=1)


def acknowledge(what: str, **fields: object) -> None:
    # One short write to a pipe is never torn, not even by a kill.
    os.write(1, (json.dumps({"what": what, **fields}) + "\n").encode())


def serve() -> None:
    """A new writer for each line read: forked, so that a round costs no start of Python."""
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            acknowledge("started", pid=os.getpid())
            asyncio.run(write_until_killed(order["path"], order["session"]))
        os.waitpid(pid, 0)
        acknowledge("ended", pid=pid)


async def read(path: str) -> None:
    store = await SqliteStore.open(path)
    json.dump([message.text for message in (await store.messages(SCOPE, None, limit=1000)).items], sys.stdout)
    await store.close()


# --- many at once -------------------------------------------------------------------------------------------------------


def turns(deadline: float) -> Iterator[int]:
    for turn in itertools.count():
        if time.monotonic() > deadline:
            return
        yield turn


async def write_for(store: SqliteStore, name: str, deadline: float, kept: dict[str, list[str]]) -> None:
    """Write, read and work on jobs as a busy application does, and note what was acknowledged."""
    for turn in turns(deadline):
        own, shared = draft(word()), draft(word())
        await store.append(SCOPE, name, [own], jobs=[NewJob(kind="learn")])
        await store.append(SCOPE, "shared", [shared])
        record = make_record(word(), id=str(uuid.uuid4()))
        await store.apply(SCOPE, [Add(item=record, cause=make_cause(), indexing=indexing_of(record.text))])
        kept["messages"] += [own.id, shared.id]
        kept["records"].append(record.id)
        kept["vectors"] += [own.id]
        await store.put_vectors(SCOPE, EMBEDDER, [NewVector(id=own.id, hash=hash_of(own.text), vector=make_vector(1.0, turn % 7))])
        jobs = await store.claim(["learn"], now=START, lease_seconds=3600)
        kept["claimed"] += [job.id for job in jobs]
        if turn % 5 == 0:
            assert (await store.messages(SCOPE, name, limit=1, newest_first=True)).items[0].id == own.id
            await store.complete([job.id for job in jobs])


def load(path: str, kind: str, seconds: float, name: str) -> None:
    deadline = time.monotonic() + seconds
    kept: dict[str, list[str]] = {"messages": [], "records": [], "vectors": [], "claimed": [], "errors": []}

    async def one_writer(number: int) -> None:
        # Closed and opened again all the time, as by applications that come and go.
        while time.monotonic() < deadline:
            store = await SqliteStore.open(path)
            await write_for(store, f"{name}-{number}", min(deadline, time.monotonic() + 0.5), kept)
            await store.close()

    async def eight_writers() -> None:
        store = await SqliteStore.open(path)
        await asyncio.gather(*(write_for(store, f"{name}-{number}", deadline, kept) for number in range(8)))
        await store.close()

    def in_thread(number: int) -> None:
        try:
            asyncio.run(one_writer(number))
        except BaseException as error:  # a thread's error would be lost otherwise: the test reads it here
            kept["errors"].append(repr(error))

    if kind == "threads":
        threads = [threading.Thread(target=in_thread, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        asyncio.run(eight_writers())
    json.dump(kept, sys.stdout)


# --- many decide at once --------------------------------------------------------------------------------------------------


async def decide(store: SqliteStore, id: str) -> None:
    """Learn one fact as the learner does: what is known decides, and it is decided anew when that changed in between."""
    while True:
        known = await store.keyed(SCOPE, [KEY])
        change = Reinforce(target=known.records[0].id, cause=make_cause()) if known.records else Add(item=_FACT(id=id), cause=make_cause())
        try:
            await store.apply(SCOPE, [change], revision=known.revision)
        except StaleRevision:
            continue
        return


async def decide_often(path: str, times: int, name: str) -> None:
    store = await SqliteStore.open(path)
    for number in range(times):
        await decide(store, f"{name}-{number}")
    await store.close()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            serve()
        case ["read", path]:
            asyncio.run(read(path))
        case ["load", path, kind, seconds, name]:
            load(path, kind, float(seconds), name)
        case ["decide", path, times, name]:
            asyncio.run(decide_often(path, int(times), name))
