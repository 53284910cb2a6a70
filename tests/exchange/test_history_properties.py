"""Whatever a client sends again, changes, asks anew or leaves out: each message stands once in the journal of its fork."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exchange.clients import Path, exchange, messages, open_memory, paths

#: Few and short, so that the same words come again in other places.
SAID = ("hi", "ok", "I like tea", "好的", "我喜欢茶", "What now?")
REPLIES = ("Yes.", "No.", "好。")


@dataclass
class Client:
    """A chat client that shows one branch of a conversation and sends all of it with each request."""

    shown: list[tuple[str, str]] = field(default_factory=list)
    #: Every branch that was shown at any time, as all of its beginnings.
    said: set[Path] = field(default_factory=set)
    branches: list[list[tuple[str, str]]] = field(default_factory=list)

    def history(self) -> list[dict[str, Any]]:
        return [{"role": role, "content": text} for role, text in self.shown]

    def note(self) -> None:
        self.said |= {tuple(self.shown[:end]) for end in range(1, len(self.shown) + 1)}
        self.branches.append(list(self.shown))


#: say something; ask the last question again; change the question at a place and ask that; show another branch and go on there.
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from(SAID), st.sampled_from(REPLIES)),
        st.tuples(st.just("again"), st.just(0), st.sampled_from(REPLIES)),
        st.tuples(st.just("edit"), st.tuples(st.integers(0, 5), st.sampled_from(SAID)), st.sampled_from(REPLIES)),
        st.tuples(st.just("fail"), st.sampled_from(SAID), st.sampled_from(REPLIES)),
        st.tuples(st.just("show"), st.integers(0, 20), st.just("")),
    ),
    min_size=1,
    max_size=12,
)


def _act(client: Client, step: tuple[Any, Any, str], *, named: bool) -> bool:
    """Change what the client shows; returns whether it asks. A conversation that has a name is not begun anew under this name: one message
    alone may be all that the client sends of it."""
    kind, what, _ = step
    if kind == "show":
        if client.branches:
            client.shown = list(client.branches[what % len(client.branches)])
        return False
    if kind == "again":
        while client.shown and client.shown[-1][0] != "user":
            client.shown.pop()
        return bool(client.shown)
    if kind == "edit":
        place, text = what
        questions = [at for at, (role, _) in enumerate(client.shown) if role == "user"][1 if named else 0 :]
        if not questions:
            return False
        client.shown = [*client.shown[: questions[place % len(questions)]], ("user", text)]
        return True
    client.shown.append(("user", what))
    return True


async def _serve(steps: list[tuple[Any, Any, str]], session: str | None) -> tuple[Client, list[Path]]:
    client = Client()
    async with await open_memory() as memory:
        mine = memory.scope("alice")
        for step in steps:
            if not _act(client, step, named=session is not None):
                continue
            if step[0] == "fail":
                await exchange(mine, client.history(), None, session=session)
                client.said |= {tuple(client.shown[:end]) for end in range(1, len(client.shown) + 1)}
            await exchange(mine, client.history(), step[2], session=session)
            client.shown.append(("assistant", step[2]))
            client.note()
        return client, await paths(mine)


@pytest.mark.parametrize("session", [None, "x"])
@settings(max_examples=120, deadline=None)
@given(STEPS)
def test_each_message_of_each_branch_stands_once_behind_what_was_said_before_it(
    session: str | None, steps: list[tuple[Any, Any, str]]
) -> None:
    client, stands = asyncio.run(_serve(steps, session))
    assert Counter(stands) == Counter(client.said)


#: What a client does to the history before it sends it.
MANGLING = st.sampled_from(["whole", "last six", "no replies", "cut replies", "newest alone", "first and last", "blanks", "swapped"])


def _mangled(history: list[dict[str, Any]], how: str) -> list[dict[str, Any]]:
    *before, newest = history
    if how == "last six":
        return history[-7:]
    if how == "no replies":
        return [one for one in history if one["role"] == "user"]
    if how == "cut replies":
        return [*({**one, "content": one["content"][:-3]} if one["role"] == "assistant" else one for one in before), newest]
    if how == "newest alone":
        return [newest]
    if how == "first and last":
        return [*before[:2], *before[-2:], newest] if len(before) > 4 else history
    if how == "blanks":
        return [{**one, "content": f"  {one['content']}\n"} for one in history]
    if how == "swapped" and len(before) > 3:
        return [*before[2:4], *before[:2], *before[4:], newest]
    return history


@settings(max_examples=120, deadline=None)
@given(st.lists(MANGLING, min_size=1, max_size=9))
def test_a_history_in_any_form_is_learnt_from_once(how: list[str]) -> None:
    async def run() -> list[tuple[str, bool]]:
        async with await open_memory() as memory:
            mine = memory.scope("alice")
            history: list[dict[str, Any]] = []
            for turn, one in enumerate(how):
                history.append({"role": "user", "content": f"This is the question number {turn} of this long talk"})
                await exchange(mine, _mangled(history, one), f"And this is the answer number {turn}, which is rather long", session="x")
                history.append({"role": "assistant", "content": f"And this is the answer number {turn}, which is rather long"})
            return [(message.text.strip(), message.learnable) for message in await messages(mine) if message.role == "user"]

    said = asyncio.run(run())
    assert {text for text, _ in said} == {f"This is the question number {turn} of this long talk" for turn in range(len(how))}
    assert max(Counter(text for text, learnable in said if learnable).values()) == 1
