"""What is shown in part is told to the person, once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pagefile.events import Event, Warned
from pagefile.records import Add, Block
from pagefile.testing.fakes import make_cause

from .chats import ALICE, Chat


def warnings(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Warned)]


@pytest.mark.parametrize(
    ("said", "line", "told"), [("Hello", "Likes jazz. ", "blocks of core memory"), ("你好", "喜欢爵士乐。", "核心记忆的 block")]
)
async def test_blocks_that_are_shown_in_part_are_told_once_in_a_conversation(said: str, line: str, told: str) -> None:
    chat = Chat(*["Yes."] * 4, context_window=4_000)
    block = Block(label="human", text=line * 400, token_limit=10_000)
    await chat.store.apply(ALICE, [Add(item=block, cause=make_cause())])
    session = chat.session()
    first = [event async for event in session.stream(f"{said} 1")]
    second = [event async for event in session.stream(f"{said} 2")]
    assert [told in text for text in warnings(first)] == [True]
    assert warnings(second) == []
    assert [told in text for text in warnings([event async for event in chat.session("other").stream(said)])] == [True]


async def test_blocks_that_have_room_are_no_cause_for_a_warning() -> None:
    chat = Chat("Yes.", context_window=4_000)
    await chat.store.apply(ALICE, [Add(item=Block(label="human", text="Likes jazz."), cause=make_cause())])
    assert warnings(await chat.say("Hello")) == []
