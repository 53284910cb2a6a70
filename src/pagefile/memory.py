"""AsyncMemory: puts the parts together. The front door for asynchronous programs; ``pagefile.Memory`` is the same without await."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import TracebackType

import uuid_utils

import pagefile.apikeys as apikeys
import pagefile.arguments as arguments
from pagefile.access import ApiKey, NewKey, Right
from pagefile.costs import DaySpent
from pagefile.embedders import find_embedder
from pagefile.embedders.cache import CachedEmbedder
from pagefile.errors import SettingsError
from pagefile.indexer import Reindexed
from pagefile.models.offline import OfflineModel
from pagefile.parts import LearnBy, LearnSettings, LogSettings, Parts
from pagefile.ports import Embedder, Job, Model, Store
from pagefile.queries import Page
from pagefile.receipts import StoreStats
from pagefile.records import Scope
from pagefile.scoped import AsyncScopedMemory
from pagefile.settings import Settings, load_settings
from pagefile.stores.memory import MemoryStore
from pagefile.stores.sqlite import SqliteStore
from pagefile.worker import Worker

logger = logging.getLogger(__name__)


class AsyncMemory:
    """A memory that lasts. Make one with ``await AsyncMemory.open()``, give each user a scope, close it at the end."""

    def __init__(self, parts: Parts, warnings: tuple[str, ...] = ()) -> None:
        """Put a memory together from parts of your own; ``open`` does it for you."""
        self._parts = parts
        self._worker = Worker(parts)
        self._worker.start()
        #: Sentences for a person about what was noticed while opening.
        self.warnings = warnings

    @classmethod
    async def open(
        cls,
        location: str | Path | None = None,
        *,
        embedder: Embedder | str | None = None,
        model: Model | None = None,
        learn: LearnBy | None = None,
        store: Store | None = None,
        settings: Settings | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> AsyncMemory:
        """Open the memory at ``location``, making it if it is not there.

        ``location``: a file, a folder, or ``":memory:"`` for one that ends with the program. Default: ``PAGEFILE_DATA``, else the user's
        data folder. ``embedder``: a name as in ``PAGEFILE_EMBEDDER``, or an object. ``model``: what ``chat`` talks to; default: answers
        from memory alone. ``learn``: what facts are learnt by: "rules" (the default), "model" (``model`` reads the conversation too, within
        the budget of the settings) or "off". ``store``: another implementation of ``pagefile.ports.Store``. ``now``: a clock, for tests.
        Nothing is loaded or contacted before it is needed. Raises StoreError, SettingsError.
        """
        settings = settings or load_settings()
        settings = replace(settings, data=location) if location is not None else settings
        settings = replace(settings, learn=learn) if learn is not None else settings
        learning, warnings = _learning(settings, model)
        zone = settings.zone()
        chosen = _embedder(embedder, settings)
        opened = store or await _open_store(settings.path())
        parts = Parts(
            store=opened,
            embedder=chosen,
            model=model or OfflineModel(),
            now=now or (lambda: datetime.now(zone)),
            new_id=lambda: str(uuid_utils.uuid7()),
            zone=zone,
            learning=learning,
            preset=settings.search_preset(),
            log=LogSettings(days=settings.log_days, lines=settings.log_lines),
            rules=settings.rules,
        )
        warnings = (*settings.warnings, *warnings, *await _embedder_warnings(opened, chosen))
        for warning in warnings:
            logger.warning(warning)
        return cls(parts, warnings)

    def scope(self, user: str, *, tenant: str = "default", actor: str | None = None) -> AsyncScopedMemory:
        """The memory of one user. Nothing of another user or tenant can be seen or changed through it.

        ``actor``: who stands in the history as the one who changed records through it, if that is not the user, such as "mcp".
        """
        return AsyncScopedMemory(self._parts, self._worker, Scope(tenant, user), actor)

    async def scopes(self, *, after: str | None = None, limit: int = 100, tenant: str | None = None) -> Page[Scope]:
        """Whose memories there are, of all or of one tenant."""
        return await self._parts.store.scopes(after=after, limit=limit, tenant=arguments.optional(tenant, "tenant"))

    async def flush(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Wait until what was written is learnt from and findable by meaning too; returns how many jobs are still waiting (0 unless the
        embedder or the model fails).

        ``progress`` is called with how many vectors were made, of how many.
        """
        return await self._worker.flush(progress)

    async def reindex(self, progress: Callable[[int, int], None] | None = None) -> Reindexed:
        """Make the missing vectors of the current embedder and drop those of others, and note anew what records name. It can be stopped and
        run again.

        ``progress`` is called with how many are done, of how many. Raises EmbedderError, keeping what was done.
        """
        return await self._worker.reindex(progress)

    async def jobs(self, *, state: str | None = None, after: str | None = None, limit: int = 100) -> Page[Job]:
        """Background work that waits (``queued``), runs (``running``) or was given up (``dead``), oldest first."""
        return await self._parts.store.jobs(state=state, after=after, limit=limit)

    async def revive(self, ids: Sequence[str]) -> int:
        """Try again the jobs that were given up; returns how many of the ids are such jobs."""
        return await self._parts.store.revive(ids, now=self._parts.now())

    async def occurrences(self, texts: Sequence[str]) -> tuple[int, ...]:
        """How often the bytes of each text stand in what is kept on disk: after an erase it must be 0. It reads the whole file."""
        return await self._parts.store.occurrences(texts)

    async def costs(self, *, since: date | str | None = None, until: date | str | None = None) -> tuple[DaySpent, ...]:
        """What models cost for all users, by day, scope and purpose ("chat", "learn"); ``since`` and ``until`` are days, both included."""
        await self._worker.behind.flush()
        return await self._parts.store.costs(since=arguments.day(since, "since"), until=arguments.day(until, "until"))

    async def stats(self) -> StoreStats:
        """Counts over everything that is kept."""
        return await self._parts.store.stats()

    async def lag(self) -> float:
        """For how many seconds the oldest background work waits that could be done at once; 0.0: none does. Raises StoreUnavailable if
        the store takes no writes."""
        # A write that finds nothing to change takes the store's lock as any other does.
        await self._parts.store.drop_key("")
        now = self._parts.now()
        since = await self._parts.store.waiting_since(self._worker.kinds, now=now)
        return 0.0 if since is None else max(0.0, (now - since).total_seconds())

    async def create_key(
        self,
        name: str,
        *,
        tenant: str = "default",
        user: str | None = None,
        acts_as: str | None = None,
        rights: Sequence[Right] = ("read", "write"),
        expires: datetime | timedelta | None = None,
        per_minute: int | None = None,
    ) -> NewKey:
        """Make an API key for a server on this memory. Its secret is in the answer and nowhere else: only a hash of it is kept.

        It speaks either for one ``user``, or for those of ``acts_as``: an id, the beginning of ids and ``*``, or ``*`` for every user of
        the tenant. ``rights``: "read", "write", "admin" (of the whole tenant: with ``acts_as="*"`` only); none includes another.
        ``expires``: when, or after how long. ``per_minute``: requests it is good for. Raises InputError.
        """
        return await apikeys.create(
            self._parts,
            name,
            tenant=tenant,
            user=user,
            acts_as=acts_as,
            rights=rights,
            expires=expires,
            per_minute=per_minute,
        )

    async def keys(self) -> tuple[ApiKey, ...]:
        """The API keys there are, oldest first, expired ones too; never their secrets."""
        return await self._parts.store.keys()

    async def find_key(self, secret: str) -> ApiKey | None:
        """The API key with this secret, expired or not; None: there is none."""
        return await apikeys.find(self._parts.store, secret)

    async def revoke_key(self, id: str) -> bool:
        """Revoke an API key; servers that run notice within a second. False: there is none with this id."""
        return await apikeys.revoke(self._parts.store, id)

    @property
    def location(self) -> str:
        """Where the data is."""
        return self._parts.store.location

    @property
    def embedder(self) -> Embedder | None:
        """What turns texts into vectors; None: things are found by words alone."""
        return self._parts.embedder

    @property
    def model(self) -> Model:
        """What ``chat`` talks to."""
        return self._parts.model

    @property
    def trouble(self) -> str | None:
        """Why background work fails at present; None: it does not."""
        return self._worker.trouble

    async def close(self) -> None:
        """Stop background work, close the model and the store. What was acknowledged is on disk already; missing vectors are made later."""
        await self._worker.stop()
        await self._parts.model.close()
        if isinstance(self._parts.embedder, CachedEmbedder):
            await self._parts.embedder.close()
        await self._parts.store.close()

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()


async def _open_store(location: str) -> Store:
    if location == ":memory:":
        return MemoryStore()
    if "://" in location:
        raise SettingsError(f"the store {location.split('://')[0]}://… is of a kind that is not supported; give a file or a folder")
    return await SqliteStore.open(location)


def _learning(settings: Settings, model: Model | None) -> tuple[LearnSettings, tuple[str, ...]]:
    """How facts are learnt, and what a person should know about it. What answers from memory alone cannot read a conversation."""
    by = settings.learn_by()
    nobody_reads = by == "model" and (model is None or isinstance(model, OfflineModel))
    warnings = ("learn is set to model, but no model was given that could read: facts are learnt by rules alone",) if nobody_reads else ()
    budget = LearnSettings(by=by, calls_a_day=settings.learn_calls, tokens_a_day=settings.learn_tokens, block_tokens=settings.block_tokens)
    return (replace(budget, by="rules") if nobody_reads else budget), warnings


def _embedder(given: Embedder | str | None, settings: Settings) -> Embedder | None:
    if given is not None and not isinstance(given, str):
        return CachedEmbedder(given)
    found = find_embedder(given or settings.embedder, base_url=settings.openai_base_url, api_key=settings.openai_api_key)
    return CachedEmbedder(found) if found is not None else None


async def _embedder_warnings(store: Store, embedder: Embedder | None) -> tuple[str, ...]:
    """Vectors of another embedder are never compared with; say so instead of finding less in silence."""
    vectors = (await store.stats()).vectors
    other = {name: number for name, number in vectors.items() if embedder is None or name != embedder.id}
    if not other:
        return ()
    kept = ", ".join(f"{number} of {name}" for name, number in other.items())
    if embedder is None:
        return (f"the store has vectors ({kept}) but there is no embedder now: things are found by words alone",)
    return (
        f"the store has vectors of another embedder ({kept}; now it is {embedder.id}): run `pagefile reindex` to find by meaning again",
    )
