"""Keys of the server: how they are made, what is kept of them, what they may be for."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pagefile.access import ApiKey, speaks_for
from pagefile.errors import InputError
from pagefile.memory import AsyncMemory
from pagefile.records import Scope
from pagefile.sync import Memory


async def test_a_key_is_found_by_its_secret_of_which_only_a_hash_is_kept(memory: AsyncMemory) -> None:
    new = await memory.create_key("laptop", user="alice")
    prefix, id, rest = new.secret.split("_")
    assert (prefix, id) == ("pf", new.key.id)
    assert len(rest) >= 50
    assert new.key.hash == hashlib.sha256(new.secret.encode()).hexdigest()
    assert await memory.find_key(new.secret) == new.key
    assert await memory.keys() == (new.key,)
    assert rest not in repr(await memory.keys()) + repr(new)


@pytest.mark.parametrize("wrong", ["", "pf_", "sk-1", "pf_x_y", "pf_" + "x" * 10_000, "pf_\udc80", "密钥", "pf_密钥", "pf_\0"])
async def test_what_is_no_key_is_not_found(memory: AsyncMemory, wrong: str) -> None:
    new = await memory.create_key("laptop", user="alice")
    assert await memory.find_key(wrong) is None
    assert await memory.find_key(new.secret[:-1]) is None
    assert await memory.find_key(new.secret + "a") is None
    assert await memory.find_key(new.secret.upper()) is None
    assert await memory.find_key(new.key.hash) is None


async def test_two_keys_are_never_the_same(memory: AsyncMemory) -> None:
    made = [await memory.create_key("same", user="alice") for _ in range(50)]
    assert len({new.secret for new in made}) == len({new.key.id for new in made}) == 50


@pytest.mark.parametrize("how", ["id", "secret"])
async def test_a_key_is_revoked_by_its_id_or_its_secret(memory: AsyncMemory, how: str) -> None:
    new, other = await memory.create_key("one", user="alice"), await memory.create_key("two", user="alice")
    assert await memory.revoke_key(new.key.id if how == "id" else new.secret)
    assert not await memory.revoke_key(new.key.id)
    assert await memory.find_key(new.secret) is None
    assert await memory.keys() == (other.key,)


async def test_a_key_expires_after_a_span_or_at_a_time(memory: AsyncMemory) -> None:
    span = (await memory.create_key("span", user="a", expires=timedelta(days=30))).key
    assert span.expires_at == span.created_at + timedelta(days=30)
    then = datetime.now(UTC) + timedelta(hours=1)
    assert (await memory.create_key("time", user="a", expires=then)).key.expires_at == then


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "one user or for several"),
        ({"user": "alice", "acts_as": "*"}, "one user or for several"),
        ({"acts_as": "a*b"}, "not at its end"),
        ({"acts_as": "**"}, "not at its end"),
        ({"user": "alice", "rights": ()}, "rights"),
        ({"user": "alice", "rights": ("read", "root")}, "root"),
        ({"user": "alice", "rights": ("admin",)}, "every user of the tenant"),
        ({"acts_as": "team-*", "rights": ("read", "admin")}, "every user of the tenant"),
        ({"user": "alice", "per_minute": 0}, "a minute"),
        ({"user": "alice", "expires": timedelta(0)}, "is over"),
        ({"user": "alice", "expires": datetime(2999, 1, 1)}, "no zone"),
        ({"user": " "}, "empty"),
        ({"user": "a\0"}, "control"),
        ({"user": "alice", "tenant": ""}, "empty"),
    ],
)
async def test_a_key_that_would_not_mean_anything_is_refused(memory: AsyncMemory, fields: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        await memory.create_key("x", **fields)
    assert await memory.keys() == ()


def key(**fields: Any) -> ApiKey:
    return ApiKey(**({"id": "x", "name": "x", "hash": "x", "tenant": "acme", "created_at": datetime.now(UTC)} | fields))


@pytest.mark.parametrize(
    ("fields", "user", "may"),
    [
        ({"user": "alice"}, "alice", True),
        ({"user": "alice"}, "alice2", False),
        ({"user": "alice"}, "Alice", False),
        ({"user": "*"}, "bob", False),
        ({"acts_as": "team-*"}, "team-1", True),
        ({"acts_as": "team-*"}, "team-", True),
        ({"acts_as": "team-*"}, "team", False),
        ({"acts_as": "team-*"}, "my-team-1", False),
        ({"acts_as": "john_doe"}, "john-doe", False),
        ({"acts_as": "%*"}, "anybody", False),
        ({"acts_as": "团队/*"}, "团队/小王", True),
        ({"acts_as": "团队/*"}, "团/小王", False),
        ({"acts_as": "*"}, "anybody", True),
        ({}, "anybody", False),
    ],
)
def test_whom_a_key_speaks_for_is_matched_exactly_or_by_the_beginning(fields: dict[str, Any], user: str, may: bool) -> None:
    assert speaks_for(key(**fields), Scope("acme", user)) is may
    assert not speaks_for(key(**fields), Scope("acme-corp", user))


def test_the_same_without_await() -> None:
    with Memory.open(":memory:", embedder="none") as memory:
        new = memory.create_key("laptop", acts_as="*", rights=["read"])
        assert memory.find_key(new.secret) == memory.keys()[0] == new.key
        assert memory.revoke_key(new.key.id)
        assert memory.lag() == 0.0
