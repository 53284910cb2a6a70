"""Knows when somebody is being served, so that background work can give way."""

from __future__ import annotations

import asyncio
import math
import time

#: Nobody is being served when nothing was asked for so long.
QUIET_SECONDS = 0.01
#: Under a load that never ends, background work gets one part in so many of the time.
SHARE = 10


class Foreground:
    """What is done for people who wait, as seen by what is done for nobody."""

    def __init__(self) -> None:
        self._last = -math.inf

    def busy(self) -> None:
        """Say that somebody is being served."""
        self._last = time.monotonic()

    async def give_way(self, worked: float) -> None:
        """Return when nobody is being served, or after so many times the seconds just ``worked`` that all work gets done in the end."""
        until = time.monotonic() + (SHARE - 1) * worked
        while time.monotonic() < min(until, self._last + QUIET_SECONDS):  # noqa: ASYNC110  # quiet is when nothing happens: no event tells it
            await asyncio.sleep(QUIET_SECONDS)
