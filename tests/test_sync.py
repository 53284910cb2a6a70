"""Memory is AsyncMemory without await: the same verbs, from any thread, and in notebooks."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pagefile.errors import ModelUnavailable, NotFound, StoreUnavailable
from pagefile.events import TextDelta, TurnFinished
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.scoped import AsyncScopedMemory
from pagefile.sync import Memory, ScopedMemory


def public(kind: type) -> dict[str, object]:
    own = [vars(one) for one in reversed(kind.__mro__) if one.__module__.startswith("pagefile.")]
    return {name: member for each in own for name, member in each.items() if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "core"), [(Memory, AsyncMemory), (ScopedMemory, AsyncScopedMemory)])
def test_both_forms_have_the_same_methods_with_the_same_arguments(sync: type, core: type) -> None:
    mine, theirs = public(sync), public(core)
    assert set(mine) == set(theirs) - {"warnings"} | ({"warnings"} & set(mine))
    for name, member in theirs.items():
        if inspect.isfunction(member):
            assert list(inspect.signature(member).parameters.values()) == list(inspect.signature(mine[name]).parameters.values()), name  # type: ignore[arg-type]


def test_it_works_without_an_event_loop_and_inside_one(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        memory.scope("alice").add("I like tea")

        async def notebook() -> int:
            return len(memory.scope("alice").search("tea"))

        assert asyncio.run(notebook()) == 1


def test_many_threads_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory, ThreadPoolExecutor(8) as threads:
        alice = memory.scope("alice")
        list(threads.map(lambda number: alice.add(f"note {number}"), range(80)))
        messages = alice.messages("default", limit=100).items
        assert [message.seq for message in messages] == list(range(1, 81))
        assert {message.text for message in messages} == {f"note {number}" for number in range(80)}


def test_errors_reach_the_caller(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", embedder="none") as memory, pytest.raises(NotFound):
        memory.scope("alice").get("nothing")


def test_a_turn_streams_and_leaving_early_keeps_what_was_said(tmp_path: Path) -> None:
    model = ScriptedModel(["one two three", "four five six seven eight nine ten"])
    with Memory.open(tmp_path / "m.db", embedder="none", model=model) as memory:
        chat = memory.scope("alice").chat(session="s")
        assert isinstance(list(chat.stream("hello"))[-1], TurnFinished)
        stream = chat.stream("again")
        said = next(event.text for event in stream if isinstance(event, TextDelta))
        stream.close()
        last = memory.scope("alice").messages("s").items[-1]
        assert last.role == "assistant"
        assert last.text.startswith(said.strip())
        assert len(last.text) < len("four five six seven eight nine ten") + 40


def test_an_error_in_the_middle_of_a_stream_reaches_the_caller(tmp_path: Path) -> None:
    model = ScriptedModel([ModelUnavailable("the endpoint does not answer; start it")])
    with Memory.open(tmp_path / "m.db", embedder="none", model=model) as memory:
        with pytest.raises(ModelUnavailable):
            list(memory.scope("alice").chat(session="s").stream("hello"))
        assert [message.text for message in memory.scope("alice").messages("s").items] == ["hello"]


def test_a_program_that_forgets_to_close_still_ends_and_keeps_everything(tmp_path: Path) -> None:
    program = "from pagefile import Memory; Memory.open('m.db', embedder='none').scope('alice').add('I like tea')"
    subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=tmp_path, timeout=30, check=True)
    with Memory.open(tmp_path / "m.db", embedder="none") as memory:
        assert memory.scope("alice").messages().total == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_is_told_to_open_anew_instead_of_waiting_for_ever(tmp_path: Path) -> None:
    program = (
        "import os, sys, warnings\n"
        "from pagefile import Memory, StoreError\n"
        "memory = Memory.open('m.db', embedder='none')\n"
        "if os.fork() == 0:\n"
        "    try:\n"
        "        memory.scope('alice').add('x')\n"
        "    except StoreError as error:\n"
        "        os._exit(7 if 'fork' in str(error) else 8)\n"
        "    os._exit(9)\n"
        "child = os.waitstatus_to_exitcode(os.wait()[1])\n"
        "memory.scope('alice').add('y')\n"
        "memory.close()\n"
        "sys.exit(child)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=60, check=False).returncode == 7


def test_a_closed_memory_says_so(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "m.db", embedder="none")
    memory.close()
    memory.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        memory.scope("alice").add("x")
