"""What every store must do, as tests. To test a store of your own, say how to make one:

    import pytest
    from pagefile.testing.store_contract import StoreContract

    class TestMyStore(StoreContract):
        @pytest.fixture
        async def store(self, tmp_path):
            store = await MyStore.open(tmp_path / "memory.db")
            yield store
            await store.close()

The tests need pytest with anyio's plug-in, and hypothesis. For readable failures, put
``pytest.register_assert_rewrite("pagefile.testing.store_contract")`` into ``conftest.py``.
"""

from __future__ import annotations

from pagefile.testing.store_contract.access import AccessContract
from pagefile.testing.store_contract.cascade import CascadeContract
from pagefile.testing.store_contract.changes import ChangesContract
from pagefile.testing.store_contract.erasing import ErasingContract
from pagefile.testing.store_contract.filters import FiltersContract
from pagefile.testing.store_contract.history import HistoryContract
from pagefile.testing.store_contract.inputs import InputsContract
from pagefile.testing.store_contract.isolation import IsolationContract
from pagefile.testing.store_contract.jobs import JobsContract
from pagefile.testing.store_contract.journal import JournalContract
from pagefile.testing.store_contract.keys import KeysContract
from pagefile.testing.store_contract.names import NamesContract
from pagefile.testing.store_contract.once import OnceContract
from pagefile.testing.store_contract.progress import ProgressContract
from pagefile.testing.store_contract.records import RecordsContract
from pagefile.testing.store_contract.sequences import SequencesContract
from pagefile.testing.store_contract.tasks import TasksContract
from pagefile.testing.store_contract.tombstones import TombstonesContract
from pagefile.testing.store_contract.turns import TurnsContract
from pagefile.testing.store_contract.validity import ValidityContract
from pagefile.testing.store_contract.vectors import VectorsContract
from pagefile.testing.store_contract.words import WordsContract

__all__ = ["StoreContract"]


class StoreContract(
    JournalContract,
    ChangesContract,
    RecordsContract,
    WordsContract,
    FiltersContract,
    VectorsContract,
    JobsContract,
    TasksContract,
    TurnsContract,
    IsolationContract,
    ErasingContract,
    KeysContract,
    NamesContract,
    HistoryContract,
    ProgressContract,
    ValidityContract,
    OnceContract,
    CascadeContract,
    TombstonesContract,
    InputsContract,
    SequencesContract,
    AccessContract,
):
    """Every test of the contract. Override the ``store`` fixture."""
