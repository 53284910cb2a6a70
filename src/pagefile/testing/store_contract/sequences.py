"""Any sequence of writes: the store agrees with a model that is a list of texts, and with the store in memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagefile.errors import InputError
from pagefile.language.keys import text_key
from pagefile.ports import Store
from pagefile.queries import Candidates, Item, Probe, Where
from pagefile.records import Add, Change, Edit, HistoryEntry, Record, Reinforce, Restore, Retire, Scope, Source, Supersede
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import indexing_of, make_cause, make_draft, make_record, make_vector
from pagefile.testing.store_contract.base import EVERY_STATUS, Contract, by_id, embed

_numbers = itertools.count(1)

WORDS = ("tea", "milk", "no", "茶")
texts = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
sessions = st.sampled_from(["one", "two"])
#: Which of the items made so far, counted from the newest.
choices = st.integers(0, 5)

steps = st.one_of(
    st.tuples(st.just("append"), sessions, st.lists(texts, min_size=1, max_size=3)),
    st.tuples(st.just("learn"), texts, choices),
    st.tuples(st.sampled_from(["rewrite", "supersede"]), choices, texts),
    st.tuples(st.sampled_from(["retire", "restore", "embed", "erase"]), choices),
    st.tuples(st.just("reinforce"), choices, choices),
    st.tuples(st.sampled_from(["hide", "show"]), choices),
    st.tuples(st.just("erase session"), sessions),
    st.tuples(st.just("fail"), texts),
)


@dataclass
class Model:
    """What a scope should hold: text by id."""

    messages: dict[str, str] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    #: Messages that each record cites, in the order they came.
    cited: dict[str, list[str]] = field(default_factory=dict)
    #: Records that an extractor read in the first of these.
    read: set[str] = field(default_factory=set)

    def pick(self, choice: int, *, among: Iterable[str] | None = None) -> str | None:
        known = sorted([*self.messages, *self.records]) if among is None else [*among]
        return known[-1 - choice % len(known)] if known else None

    def sources(self, choice: int) -> tuple[Source, ...]:
        """One message, if there is any."""
        message = self.pick(choice, among=self.messages)
        return () if message is None else (Source(message=message),)

    def forget(self, id: str) -> None:
        """And what was read in it first, or rests on it alone."""
        self.messages.pop(id, None)
        self.records.pop(id, None)
        for record in [record for record in self.records if id in self.cited[record]]:
            left = [each for each in self.cited[record] if each != id]
            if not left or (record in self.read and self.cited[record][0] == id):
                del self.records[record]
            self.cited[record] = left

    def follow(self, change: Change) -> None:
        match change:
            case Add(item=Record() as record) | Supersede(item=record):
                self.records[record.id] = record.text
                self.cited[record.id] = [source.message for source in record.sources]
                self.read |= {record.id} if record.extractor else set()
            case Edit() if "text" in change.fields:
                self.records[change.target] = change.fields["text"]
            case Reinforce():
                self.cited[change.target] += [
                    source.message for source in change.sources if source.message not in self.cited[change.target]
                ]
            case _:
                pass  # the text stays


class SequencesContract(Contract):
    @settings(
        max_examples=40,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.differing_executors],
    )
    @given(sequence=st.lists(steps, max_size=14), probe=texts)
    async def test_after_any_sequence_of_writes_store_and_model_agree(self, store: Store, sequence: list[Any], probe: str) -> None:
        scope, reference, model = Scope("sequences", str(next(_numbers))), MemoryStore(), Model()
        for name, *arguments in sequence:
            outcomes = await perform((store, reference), scope, model, name, arguments)
            assert outcomes[0] == outcomes[1], name
        everything = Where(statuses=EVERY_STATUS)
        for each in (store, reference):
            messages = (await each.messages(scope, None, where=everything)).items
            assert {message.id: message.text for message in messages} == model.messages
            records = (await each.records(scope, where=everything)).items
            assert {record.id: record.text for record in records} == model.records
        assert await summary(store, scope) == await summary(reference, scope)
        for statuses in (("current",), EVERY_STATUS):
            vector = make_vector(1.0, 0.5).tolist()
            look = Probe(
                terms=dict.fromkeys(indexing_of(probe).terms, 1.0), vector=vector, embedder="model-a", where=Where(statuses=statuses)
            )
            assert_alike(await store.search(scope, look), await reference.search(scope, look))


async def perform(stores: tuple[Store, ...], scope: Scope, model: Model, name: str, arguments: list[Any]) -> list[Any]:
    """Do one step in every store and in the model; returns what came of it in each store."""
    if name == "append":
        session, said = arguments
        drafts = [make_draft(text) for text in said]
        model.messages |= {draft.id: draft.text for draft in drafts}
        model.sessions |= {draft.id: session for draft in drafts}
        return [await store.append(scope, session, drafts) for store in stores]
    if name == "erase session":
        for id, session in model.sessions.items():
            if session == arguments[0]:
                model.forget(id)
        return [await store.erase(scope, session=arguments[0]) for store in stores]
    if name in ("embed", "erase"):
        return await _perform_on_item(stores, scope, model, name, arguments[0])
    changes = _changes(model, name, arguments)
    outcomes = [await _outcome(store, scope, changes) for store in stores]
    if outcomes[0][0] == "done":
        for change in changes:
            model.follow(change)
    return outcomes


async def _perform_on_item(stores: tuple[Store, ...], scope: Scope, model: Model, name: str, choice: int) -> list[Any]:
    id = model.pick(choice)
    if id is None:
        return [None, None]
    if name == "embed":
        return [await embed(store, {id: (1.0, float(choice))}, scope) for store in stores]
    model.forget(id)
    # How many jobs go is the store's own affair: a job may be about several items.
    return [replace(await store.erase(scope, ids=[id]), jobs=0) for store in stores]


def _changes(model: Model, name: str, arguments: list[Any]) -> list[Change]:
    cause = make_cause(name)
    if name in ("learn", "fail"):
        extractor = "rules" if arguments[0] in model.messages.values() else None
        record = make_record(arguments[0], sources=model.sources(arguments[1]) if name == "learn" else (), extractor=extractor)
        add = Add(item=record, cause=cause, indexing=indexing_of(record.text))
        return [add] if name == "learn" else [add, Retire(target="nobody", cause=cause)]
    targets = {"hide": model.messages, "show": model.messages} | dict.fromkeys(("reinforce", "rewrite", "supersede"), model.records)
    target = model.pick(arguments[0], among=targets.get(name))
    if target is None:
        return []
    if name in ("hide", "show"):
        return [Edit(target=target, fields={"superseded": name == "hide"}, cause=cause)]
    if name == "reinforce":
        return [Reinforce(target=target, cause=cause, sources=model.sources(arguments[1]))]
    if name == "rewrite":
        return [Edit(target=target, fields={"text": arguments[1]}, cause=cause, indexing=indexing_of(arguments[1]))]
    if name == "supersede":
        return [Supersede(target=target, item=make_record(arguments[1]), cause=cause, indexing=indexing_of(arguments[1]))]
    return [Retire(target=target, cause=cause) if name == "retire" else Restore(target=target, cause=cause)]


async def _outcome(store: Store, scope: Scope, changes: list[Change]) -> tuple[str, Any]:
    try:
        entries = await store.apply(scope, changes)
    except InputError as error:
        return type(error).__name__, None
    return "done", _without_ids(entries)


def _without_ids(entries: tuple[HistoryEntry, ...]) -> list[HistoryEntry]:
    return [replace(entry, id="") for entry in entries]


async def summary(store: Store, scope: Scope) -> dict[str, Any]:
    """All that a scope holds, but for what each store names in its own way."""
    everything = Where(statuses=EVERY_STATUS)
    messages = (await store.messages(scope, None, where=everything)).items
    records = (await store.records(scope, where=everything)).items
    items: list[Item] = [*messages, *records]
    return {
        "messages": messages,
        "records": records,
        "sessions": {info.session: info for info in (await store.sessions(scope)).items},
        "windows": [await store.window(scope, session) for session in ("one", "two")],
        "history": [_without_ids(await store.history(scope, item.id)) for item in items],
        "changes": _without_ids((await store.changes(scope)).items),
        "keyed": (await store.keyed(scope, [text_key(item.text) for item in items])).records,
        "named": await store.named(scope),
        "citing": await store.citing(scope, [message.id for message in messages]),
        "unembedded": {(each.item.id, each.hash) for each in (await store.unembedded("model-a", scope=scope)).items},
        "counts": replace(await store.stats(scope), jobs={}, bytes=0),
    }


def assert_alike(one: Candidates, other: Candidates) -> None:
    """The same candidates with the same scores, but for rounding."""
    assert by_id(one).keys() == by_id(other).keys()
    for population in ("words", "cosines", "sessions"):
        assert astuple(getattr(one, population)) == pytest.approx(astuple(getattr(other, population)), abs=1e-3), population
    assert (one.filtered_out, one.without_vector) == (other.filtered_out, other.without_vector)
    for id, candidate in by_id(one).items():
        expected = by_id(other)[id]
        for signals in ("signals", "before", "after"):
            mine, reference = getattr(candidate, signals), getattr(expected, signals)
            assert (mine is None) == (reference is None), signals
            if mine is not None:
                assert mine.words == pytest.approx(reference.words, abs=1e-3)
                assert mine.cosine == (None if reference.cosine is None else pytest.approx(reference.cosine, abs=1e-3))
        assert candidate.session_words == pytest.approx(expected.session_words, abs=1e-3)
        assert candidate.covered == pytest.approx(expected.covered, abs=1e-3)
        same = replace(candidate, signals=expected.signals, before=expected.before, after=expected.after, covered=expected.covered)
        assert replace(same, session_words=expected.session_words) == expected
