"""Opens the memory for ``pagefile mcp``. What it imports takes most of a second, so ``serving`` imports it in the background."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import pagefile.records as records
from pagefile.memory import AsyncMemory
from pagefile.server.mcp.doing import MemoryDoing
from pagefile.settings import Settings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """A memory that is open, and what can be done with it."""

    memory: AsyncMemory
    doing: MemoryDoing

    async def close(self) -> None:
        """Close the memory."""
        await self.memory.close()


async def open_memory(settings: Settings) -> Opened:
    """Open the memory of the settings, for their user alone. Raises StoreError, SettingsError."""
    scope = records.Scope(settings.tenant, settings.user)
    memory = await AsyncMemory.open(settings=settings, learn="rules" if settings.learn_by() == "model" else settings.learn_by())
    logger.info("the memory at %s is open", memory.location)
    return Opened(memory, MemoryDoing(memory, lambda context, right: scope, settings, settings.wording()))
