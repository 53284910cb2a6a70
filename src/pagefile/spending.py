"""What background work may ask of a model, within the budget of a day."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from pagefile.costs import Spent
from pagefile.errors import ModelUnavailable
from pagefile.events import Usage
from pagefile.parts import Parts
from pagefile.ports import Model
from pagefile.records import Scope

_NOTHING = Spent()


class Spending:
    """The model of a memory, for work that nobody waits for."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def model(self, scope: Scope) -> Model | None:
        """What can write; None: the model only echoes a memory, or may cost no more today."""
        learning = self._parts.learning
        if self._parts.model.echoes_memory:
            return None
        spent = await self._spend(scope, _NOTHING)
        return self._parts.model if spent.calls < learning.calls_a_day and spent.tokens < learning.tokens_a_day else None

    @contextlib.asynccontextmanager
    async def one_call(self, scope: Scope) -> AsyncIterator[Callable[[Usage], None]]:
        """One call of the model: what it is told of the usage is counted. A model that cannot be reached costs nothing."""
        usage = Usage()

        def told(of: Usage) -> None:
            nonlocal usage
            usage = of

        # Before it is made: a call that this program does not live to see the end of is paid for too.
        await self._spend(scope, Spent(calls=1))
        try:
            yield told
        except ModelUnavailable:
            await self._spend(scope, Spent(calls=-1))
            raise
        finally:
            await self._spend(scope, replace(Spent.of(usage), calls=0))

    async def _spend(self, scope: Scope, spent: Spent) -> Spent:
        today = self._parts.now().astimezone(self._parts.zone).date()
        return await self._parts.store.spend(scope, today, spent)
