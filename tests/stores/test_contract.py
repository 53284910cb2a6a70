"""Both stores do what every store must."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pagefile.ports import Store
from pagefile.stores.memory import MemoryStore
from pagefile.stores.sqlite import SqliteStore
from pagefile.testing.store_contract import StoreContract

#: A folder in memory, where there is one: hundreds of new files are made here, and what a disk does is test_durability's affair.
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None


class TestMemoryStore(StoreContract):
    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        store = MemoryStore()
        yield store
        await store.close()


class TestSqliteStore(StoreContract):
    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        with tempfile.TemporaryDirectory(dir=FAST) as folder:
            store = await SqliteStore.open(Path(folder) / "memory.db")
            yield store
            await store.close()
