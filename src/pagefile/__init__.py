"""Virtual memory for language models: a memory that lasts, stays true, and can say why it believes something.

from pagefile import Memory

memory = Memory.open()
alice = memory.scope("alice")
alice.add("I can't eat spicy food.")
alice.search("any dietary restrictions?")
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagefile.errors import (
        ConflictError,
        EmbedderError,
        InputError,
        ModelError,
        NotFound,
        PagefileError,
        SettingsError,
        StoreError,
    )
    from pagefile.memory import AsyncMemory
    from pagefile.messages import Message, Receipt
    from pagefile.queries import Hit, Hits, Page
    from pagefile.records import Block, Record, Scope, Trust
    from pagefile.remote import connect
    from pagefile.scoped import AsyncScopedMemory
    from pagefile.sync import Memory, ScopedMemory
    from pagefile.tools import Tool
    from pagefile.window import ChatSettings

    __version__: str

__all__ = [
    "AsyncMemory",
    "AsyncScopedMemory",
    "Block",
    "ChatSettings",
    "ConflictError",
    "EmbedderError",
    "Hit",
    "Hits",
    "InputError",
    "Memory",
    "Message",
    "ModelError",
    "NotFound",
    "Page",
    "PagefileError",
    "Receipt",
    "Record",
    "Scope",
    "ScopedMemory",
    "SettingsError",
    "StoreError",
    "Tool",
    "Trust",
    "connect",
]

#: Where each name comes from. It is loaded when it is first asked for: what answers before it can do anything, as ``pagefile mcp`` does,
#: must not wait for all of it.
_HOMES = {
    "AsyncMemory": "pagefile.memory",
    "AsyncScopedMemory": "pagefile.scoped",
    "Block": "pagefile.records",
    "ChatSettings": "pagefile.window",
    "ConflictError": "pagefile.errors",
    "EmbedderError": "pagefile.errors",
    "Hit": "pagefile.queries",
    "Hits": "pagefile.queries",
    "InputError": "pagefile.errors",
    "Memory": "pagefile.sync",
    "Message": "pagefile.messages",
    "ModelError": "pagefile.errors",
    "NotFound": "pagefile.errors",
    "Page": "pagefile.queries",
    "PagefileError": "pagefile.errors",
    "Receipt": "pagefile.messages",
    "Record": "pagefile.records",
    "Scope": "pagefile.records",
    "ScopedMemory": "pagefile.sync",
    "SettingsError": "pagefile.errors",
    "StoreError": "pagefile.errors",
    "Tool": "pagefile.tools",
    "Trust": "pagefile.records",
    "connect": "pagefile.remote",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        found: Any = importlib.import_module("importlib.metadata").version(__name__)
    elif name in _HOMES:
        found = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
