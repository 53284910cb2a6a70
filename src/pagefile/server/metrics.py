"""Figures for Prometheus, where the extra ``metrics`` is installed: requests, their time, jobs, tokens. Nothing names a user."""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any

from pagefile.costs import Spent
from pagefile.receipts import StoreStats
from pagefile.server.requests import Answered

try:
    import prometheus_client
    from prometheus_client import multiprocess
except ImportError:  # the extra is not installed
    prometheus_client = None  # type: ignore[assignment]

#: Seconds, from a search to a long reply.
_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts what one process answers; where several serve, they share a folder, and any of them tells the figures of all."""

    def __init__(self, *, shared: bool = False) -> None:
        """``shared``: the processes of one server share their figures (see ``settings.share_metrics``)."""
        self._shared = shared
        self.available = prometheus_client is not None
        if not self.available:
            return
        self._registry = prometheus_client.CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = prometheus_client.Counter("pagefile_requests", "Requests answered", labels, registry=self._registry)
        self._seconds = prometheus_client.Histogram(
            "pagefile_request_seconds", "Until the reply ended", ("method", "route"), buckets=_BUCKETS, registry=self._registry
        )
        self._first = prometheus_client.Histogram(
            "pagefile_first_byte_seconds", "Until the reply began", ("method", "route"), buckets=_BUCKETS, registry=self._registry
        )

    def answered(self, done: Answered) -> None:
        """Count a request."""
        if not self.available:
            return
        self._requests.labels(done.method, done.route, str(done.status)).inc()
        self._seconds.labels(done.method, done.route).observe(done.ms / 1_000)
        self._first.labels(done.method, done.route).observe(done.first_ms / 1_000)

    def text(self, *, stats: StoreStats | None, oldest: float, spent: Mapping[str, Spent]) -> bytes:
        """Everything in Prometheus's form. ``stats``: of the whole store; None: it is not told, nor ``oldest``, the seconds that the oldest
        job waits. ``spent``: today, by purpose."""
        counted: Any = self._registry
        if self._shared:
            counted = prometheus_client.CollectorRegistry()
            multiprocess.MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        return bytes(prometheus_client.generate_latest(counted) + _gauges(stats, oldest, spent))


def _gauges(stats: StoreStats | None, oldest: float, spent: Mapping[str, Spent]) -> bytes:
    """What is read from the store when it is asked for."""
    registry = prometheus_client.CollectorRegistry()
    if stats is not None:
        waiting = prometheus_client.Gauge("pagefile_jobs", "Background work", ("state",), registry=registry)
        for state, number in collections.ChainMap(dict(stats.jobs), {"queued": 0, "running": 0, "dead": 0}).items():
            waiting.labels(state).set(number)
        prometheus_client.Gauge("pagefile_oldest_job_seconds", "How long the oldest job waits that is ready", registry=registry).set(oldest)
        prometheus_client.Gauge("pagefile_store_bytes", "Size of the store", registry=registry).set(stats.bytes)
    tokens = prometheus_client.Gauge("pagefile_tokens_today", "Tokens of models today", ("purpose", "direction"), registry=registry)
    calls = prometheus_client.Gauge("pagefile_model_calls_today", "Calls of models today", ("purpose",), registry=registry)
    for purpose, one in spent.items():
        calls.labels(purpose).set(one.calls)
        tokens.labels(purpose, "read").set(one.input_tokens)
        tokens.labels(purpose, "written").set(one.output_tokens)
    return bytes(prometheus_client.generate_latest(registry))
