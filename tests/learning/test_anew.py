"""What had expired or was put away holds again when it is said anew; what a page says holds once it is confirmed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pagefile.messages import Origin
from pagefile.records import Trust

from .minds import STORES, Clock, core, facts, of_user, opened, records, texts, user_said

WORDS = pytest.mark.parametrize(
    ("text", "fact"),
    [("I work at Acme.", of_user("employer", "Acme")), ("我住在上海。", of_user("residence", "上海"))],
    ids=["English", "Chinese"],
)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("by", ["remember", "add"])
@WORDS
async def test_what_expired_holds_again_when_it_is_said_anew(
    text: str, fact: tuple[str, str, str, str], by: str, store: str, tmp_path: Path
) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.remember(text, expires_at=clock.now + timedelta(days=1))
        clock.advance(days=2)
        assert texts(await alice.search(text, kinds=["fact"])) == []
        await (alice.remember(text) if by == "remember" else alice.add(text, session="new"))
        assert await facts(alice) == [fact]
        (record,) = await records(alice)
        assert record.expires_at is None
        assert texts(await alice.search(text, kinds=["fact"])) != []


async def test_what_expired_is_remembered_until_the_new_time_that_is_given(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for _ in range(2):
            until = clock.now + timedelta(days=1)
            record = await alice.remember("The voucher is in the drawer.", expires_at=until)
            assert record.expires_at == until
            clock.advance(days=2)


async def test_old_words_do_not_bring_back_what_expired_since(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice, then = memory.scope("alice"), clock.now
        await alice.remember("I work at Acme.", expires_at=then + timedelta(days=1))
        clock.advance(days=2)
        await alice.add(user_said("I work at Acme.", said_at=then + timedelta(hours=1)), session="import")
        assert await facts(alice) == []


@pytest.mark.parametrize("store", STORES)
@WORDS
async def test_what_was_tidied_away_holds_again_when_it_is_said_anew(
    text: str, fact: tuple[str, str, str, str], store: str, tmp_path: Path
) -> None:
    clock = Clock()
    async with await opened(store, tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        await alice.remember(text, expires_at=clock.now + timedelta(days=1))
        clock.advance(days=2)
        assert len((await alice.tidy()).retired) == 1
        assert (await alice.remember(text)).status == "current"
        assert await facts(alice) == [fact]


async def test_a_style_has_one_value_at_a_time(tmp_path: Path) -> None:
    clock = Clock()
    async with await opened("memory", tmp_path, clock=clock) as memory:
        alice = memory.scope("alice")
        for value in ("minimalist", "vintage"):
            await alice.remember(f"My style is {value}.", subject="user", attribute="style", value=value)
            clock.advance(days=30)
        assert [(record.value, record.status) for record in await alice.timeline("风格")] == [
            ("minimalist", "superseded"), ("vintage", "current"),
        ]  # fmt: skip


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("origin", ["web", "file"])
@WORDS
async def test_what_a_page_or_file_of_the_user_says_of_him_is_his_once_he_confirms_it(
    text: str, fact: tuple[str, str, str, str], origin: Origin, store: str, tmp_path: Path
) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        (message,) = (await alice.add(text, origin=origin)).messages
        assert await facts(alice) == []
        (pending,) = await records(alice, "pending")
        assert (core(pending), pending.trust) == (fact, Trust.TOOL_OUTPUT)
        await alice.confirm(pending.id)
        assert await facts(alice) == [fact]
        (quote,) = (await alice.why(pending.id)).quotes
        assert (quote.message.id, quote.message.origin) == (message.id, origin)


async def test_what_a_page_says_of_somebody_by_name_is_about_him(tmp_path: Path) -> None:
    async with await opened("memory", tmp_path) as memory:
        alice = memory.scope("alice")
        await alice.add("My brother Tom lives in Leeds.", origin="file")
        assert ("Tom", "residence", "Leeds", "positive") in await facts(alice, "pending")
