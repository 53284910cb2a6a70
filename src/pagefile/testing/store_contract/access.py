"""Keys of a server, and replies that are given again: kept as they are, of one scope alone, and gone when they should be."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from pagefile.access import MOST_REPLIES, ApiKey, KeptReply
from pagefile.errors import ConflictError, InputError, StoreError
from pagefile.ports import NewJob, Store
from pagefile.testing.fakes import START
from pagefile.testing.store_contract.base import ALICE, BOB, Contract, ids, say

DAY = timedelta(days=1)
CHINA = timezone(timedelta(hours=8))


def make_key(id: str = "one", **fields: Any) -> ApiKey:
    return ApiKey(
        **{"id": id, "name": f"key {id}", "hash": f"hash of {id}", "tenant": "acme", "user": "alice", "created_at": START, **fields}
    )


def make_reply(key: str = "k", body: str = '{"said": "tea"}', **fields: Any) -> KeptReply:
    return KeptReply(**{"key": key, "fingerprint": "f", "status": 201, "body": body, "expires_at": START + DAY, **fields})


class AccessContract(Contract):
    # --- keys ---

    async def test_a_key_is_found_by_the_hash_of_its_secret_as_it_was_kept(self, store: Store) -> None:
        bound = make_key(rights=frozenset({"read"}), per_minute=60, expires_at=START + DAY)
        wide = make_key("王", user=None, acts_as="团队-*", rights=frozenset({"read", "write", "admin"}), created_at=START.astimezone(CHINA))
        await store.put_key(bound)
        await store.put_key(wide)
        assert await store.key("hash of one") == bound
        assert await store.key("hash of 王") == wide
        assert await store.key("hash of on") is None
        assert await store.key("hash of o%") is None
        assert await store.key("") is None

    async def test_keys_are_listed_oldest_first_expired_ones_too(self, store: Store) -> None:
        newer, older = make_key("a", created_at=START + DAY), make_key("b", expires_at=START - DAY)
        await store.put_key(newer)
        await store.put_key(older)
        assert await store.keys() == (older, newer)

    async def test_a_key_whose_id_or_secret_is_taken_is_refused(self, store: Store) -> None:
        await store.put_key(make_key())
        for taken in (make_key(hash="another"), make_key("another", hash="hash of one")):
            with pytest.raises(ConflictError):
                await store.put_key(taken)
        assert await store.keys() == (make_key(),)

    async def test_a_revoked_key_is_gone_and_may_be_revoked_again(self, store: Store) -> None:
        await store.put_key(make_key())
        await store.put_key(make_key("two"))
        assert await store.drop_key("one")
        assert not await store.drop_key("one")
        assert not await store.drop_key("")
        assert await store.key("hash of one") is None
        assert ids(await store.keys()) == ["two"]

    async def test_a_key_makes_no_scope(self, store: Store) -> None:
        await store.put_key(make_key())
        assert (await store.scopes()).total == 0

    async def test_a_key_that_cannot_be_kept_faithfully_is_refused(self, store: Store) -> None:
        for fields in ({"name": "a\0b"}, {"user": "\ud800"}, {"created_at": datetime(2026, 1, 1)}, {"expires_at": datetime(2027, 1, 1)}):
            with pytest.raises(InputError):
                await store.put_key(make_key(**fields))
        assert await store.keys() == ()

    # --- replies ---

    async def test_a_reply_is_given_again_until_it_expires(self, store: Store) -> None:
        await say(store, "tea")
        await store.keep_reply(ALICE, make_reply(body='{"说": "茶"}'), now=START)
        assert await store.reply(ALICE, "k", now=START + DAY - timedelta(seconds=1)) == make_reply(body='{"说": "茶"}')
        assert await store.reply(ALICE, "k", now=START + DAY) is None
        assert await store.reply(ALICE, "K", now=START) is None

    async def test_of_two_replies_under_one_key_the_first_stays(self, store: Store) -> None:
        await say(store, "tea")
        await store.keep_reply(ALICE, make_reply(), now=START)
        await store.keep_reply(ALICE, make_reply(body="2", fingerprint="other"), now=START)
        assert await store.reply(ALICE, "k", now=START) == make_reply()

    async def test_what_is_being_done_is_begun_once_until_it_expires_or_is_given_up(self, store: Store) -> None:
        await say(store, "tea")
        minute = timedelta(minutes=1)
        mine = make_reply(status=0, body="一", expires_at=START + minute)
        other = replace(mine, body="two", expires_at=START + 2 * minute)
        assert await store.keep_reply(ALICE, mine, now=START) == mine
        assert await store.keep_reply(ALICE, other, now=START) == mine
        # Nothing was answered yet.
        assert await store.reply(ALICE, "k", now=START) is None
        longer = replace(mine, expires_at=START + 2 * minute)
        assert await store.keep_reply(ALICE, longer, now=START) == longer
        last = replace(other, expires_at=START + 3 * minute)
        assert await store.keep_reply(ALICE, last, now=START + 2 * minute) == last
        # Given up by whom it is not.
        await store.keep_reply(ALICE, replace(mine, expires_at=START), now=START + 2 * minute)
        assert await store.keep_reply(ALICE, mine, now=START) == last
        await store.keep_reply(ALICE, replace(last, expires_at=START + 2 * minute), now=START + 2 * minute)
        again = replace(mine, expires_at=START + 4 * minute)
        assert await store.keep_reply(ALICE, again, now=START + 2 * minute) == again

    async def test_what_is_done_takes_the_place_of_what_was_being_done(self, store: Store) -> None:
        await say(store, "tea")
        doing = make_reply(status=0, body="me")
        await store.keep_reply(ALICE, doing, now=START)
        assert await store.keep_reply(ALICE, make_reply(), now=START) == make_reply()
        assert await store.keep_reply(ALICE, doing, now=START) == make_reply()
        assert await store.reply(ALICE, "k", now=START) == make_reply()

    async def test_of_too_many_replies_of_a_scope_the_oldest_go_but_not_what_is_being_done(self, store: Store) -> None:
        await say(store, "tea")
        await say(store, "tea", scope=BOB)
        doing = make_reply("doing", status=0, body="me", expires_at=START + timedelta(seconds=5))
        await store.keep_reply(ALICE, doing, now=START)
        await store.keep_reply(BOB, make_reply(), now=START)
        for number in range(MOST_REPLIES + 2):
            await store.keep_reply(ALICE, make_reply(str(number), expires_at=START + DAY + timedelta(seconds=number)), now=START)
        kept = [number for number in range(MOST_REPLIES + 2) if await store.reply(ALICE, str(number), now=START)]
        assert kept == list(range(2, MOST_REPLIES + 2))
        assert await store.keep_reply(ALICE, replace(doing, body="other"), now=START) == doing
        assert await store.reply(BOB, "k", now=START) == make_reply()

    async def test_an_expired_reply_gives_way_to_another(self, store: Store) -> None:
        await say(store, "tea")
        await store.keep_reply(ALICE, make_reply(), now=START)
        later = replace(make_reply(body="2"), expires_at=START + 3 * DAY)
        await store.keep_reply(ALICE, later, now=START + 2 * DAY)
        assert await store.reply(ALICE, "k", now=START + 2 * DAY) == later

    async def test_replies_are_of_one_scope(self, store: Store) -> None:
        await say(store, "tea")
        await say(store, "tea", scope=BOB)
        await store.keep_reply(ALICE, make_reply(), now=START)
        await store.keep_reply(BOB, make_reply(body="bob"), now=START)
        assert await store.reply(ALICE, "k", now=START) == make_reply()
        assert await store.reply(BOB, "k", now=START) == make_reply(body="bob")

    async def test_a_scope_that_is_not_there_keeps_no_reply(self, store: Store) -> None:
        await store.keep_reply(ALICE, make_reply(), now=START)
        assert await store.reply(ALICE, "k", now=START) is None
        assert (await store.scopes()).total == 0

    async def test_every_erase_takes_the_replies_of_its_scope_along(self, store: Store) -> None:
        await say(store, "tea", scope=BOB)
        for what in ("item", "session", "all"):
            (message,) = await say(store, "tea", session=what)
            await store.keep_reply(ALICE, make_reply(body='"Zanzibar"'), now=START)
            await store.keep_reply(BOB, make_reply(), now=START)
            await store.erase(ALICE, ids=[message.id] if what == "item" else None, session=what if what == "session" else None)
            assert await store.reply(ALICE, "k", now=START) is None, what
            assert await store.occurrences(["Zanzibar"]) == (0,), what
            assert await store.reply(BOB, "k", now=START) == make_reply(), what

    async def test_a_reply_that_cannot_be_kept_faithfully_is_refused(self, store: Store) -> None:
        await say(store, "tea")
        for fields in ({"key": "a\0"}, {"body": "\ud800"}, {"expires_at": datetime(2027, 1, 1)}):
            with pytest.raises(InputError):
                await store.keep_reply(ALICE, make_reply(**fields), now=START)

    # --- how long work waits ---

    async def test_it_tells_since_when_the_oldest_job_waits_that_could_be_done(self, store: Store) -> None:
        now = datetime.now(UTC) + timedelta(minutes=1)
        assert await store.waiting_since(["tidy"], now=now) is None
        later = NewJob(kind="tidy", ready_at=now + timedelta(hours=1))
        (waits,) = await store.enqueue(ALICE, [later])
        assert await store.waiting_since(["tidy"], now=now) is None
        assert await store.waiting_since(["tidy"], now=now + 2 * DAY) == now + timedelta(hours=1)
        await store.enqueue(BOB, [NewJob(kind="tidy")])
        since = await store.waiting_since(["tidy", "other"], now=now)
        assert since is not None and now - timedelta(minutes=3) < since < now
        assert await store.waiting_since(["other"], now=now) is None
        await store.claim(["tidy"], now=now, lease_seconds=60)
        assert await store.waiting_since(["tidy"], now=now) is None
        await store.complete([waits])

    async def test_a_closed_store_has_no_keys_and_no_replies(self, store: Store) -> None:
        await store.put_key(make_key())
        await store.close()
        for asked in (store.keys, lambda: store.key("hash of one"), lambda: store.reply(ALICE, "k", now=START)):
            with pytest.raises(StoreError):
                await asked()
