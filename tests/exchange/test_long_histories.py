"""However long a history is, and however often its messages are sent again: it costs little, and holds up nobody else."""

from __future__ import annotations

import sys
import threading
from collections import Counter

import pytest

import pagefile.exchange.places as places
import pagefile.exchange.said as reading
from pagefile.exchange.said import Reader, without_thoughts
from pagefile.messages import Message
from tests.exchange.clients import exchange, messages, open_memory, talk, user


async def test_a_long_history_in_other_words_is_looked_for_once_and_off_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: Counter[str] = Counter()
    threads: set[threading.Thread] = set()
    hash_of = places.identity_of

    def counted(message: Message) -> str:
        hashed[message.id] += 1
        threads.add(threading.current_thread())
        return hash_of(message)

    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await alice.add(talk(*(f"message {turn} about the garden, the weather and the people there" for turn in range(400))), session="x")
        monkeypatch.setattr(places, "identity_of", counted)
        await exchange(alice, talk(*(f"other words {turn} in another form" for turn in range(601))), None, session="x", mode="incognito")
    assert 0 < max(hashed.values()) <= 2
    assert threading.main_thread() not in threads


async def test_the_end_of_a_long_history_is_found_behind_words_that_come_again_and_again() -> None:
    said = ["ok", "Yes."] * 40 + ["The dog ate it", "Oh dear."]
    async with await open_memory() as memory:
        alice = memory.scope("alice")
        await alice.add(talk(*said), session="x")
        await exchange(alice, talk("In short: much was agreed", *said[-3:], "What now?"), "Nothing.", session="x")
        assert [one.text for one in await messages(alice, "x")] == [*said, "What now?", "Nothing."]


def test_a_reader_is_asked_by_several_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST_READ", 3)
    reader, failed = Reader(), list[Exception]()

    def read() -> None:
        for _ in range(1_500):
            try:
                reader.talk([user(f"text {place}") for place in range(5)])
            except Exception as error:
                failed.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=read) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(before)
    assert failed == []


def test_a_reader_holds_few_bytes_and_no_secret_however_much_it_reads() -> None:
    reader = Reader()
    key = "sk-abcdefghijklmnopqrstuvwx1234"
    for turn in range(100):
        reader.talk([user(f"{turn} my key is {key} {'word ' * 20_000}"), user(f"{turn} {'other ' * 20_000}")])
    held = [one for one in reader._read.values() if one is not None]
    assert sum(len(one.text or "") for one in held) <= 4_000_000
    assert key not in repr(held)
    again = {"role": "user", "content": f"99 my key is {key} {'word ' * 20_000}"}
    (first,), (second,) = Reader().talk([again]), reader.talk([again])
    assert (first.text, first.identity, first.given) == (second.text, second.identity, second.given)


@pytest.mark.parametrize(
    "thought", ["<think>Hm.</think>", "[THINK]嗯。[/THINK]", "<seed:think>Hm.</seed:think>", "◁think▷嗯。◁/think▷", "Hm.[/THINK]"]
)
def test_thoughts_are_no_words_of_a_reply_however_they_are_marked(thought: str) -> None:
    assert without_thoughts(f"{thought}\n\n很高兴。") == "很高兴。"
