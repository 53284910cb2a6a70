"""Virtual memory for language models: a memory that lasts, stays true, and can say why it believes something.

from pagefile import Memory

memory = Memory.open()
alice = memory.scope("alice")
alice.add("I can't eat spicy food.")
alice.search("any dietary restrictions?")
"""

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
from pagefile.scoped import AsyncScopedMemory
from pagefile.sync import Memory, ScopedMemory
from pagefile.window import ChatSettings

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
    "Trust",
]
