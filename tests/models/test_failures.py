from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.models.failures import Failure, back_off, failure_of, is_loopback, shown_url


class StatusError(Exception):
    def __init__(self, status: int, headers: dict[str, str]) -> None:
        super().__init__("no")
        self.status_code, self.body, self.response = status, "no", SimpleNamespace(headers=headers)


def failed(headers: dict[str, str]) -> Failure:
    return failure_of(StatusError(429, headers), url="http://host/v1", key=None)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 40))
def test_each_wait_is_longer_until_the_longest(attempt: int) -> None:
    wait = back_off(attempt, first=0.5, longest=30)
    assert 0.75 * min(30, 0.5 * 2**attempt) <= wait <= min(30, 0.5 * 2**attempt)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, 0.0),
    ],
)
def test_the_wait_that_an_endpoint_asks_for_is_read(headers: dict[str, str], wait: float | None) -> None:
    assert failed(headers).wait == wait


def test_the_wait_may_be_a_date() -> None:
    wait = failed({"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=60))}).wait
    assert wait is not None and 30 < wait < 61
    assert failed({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}).wait == 0.0


@pytest.mark.parametrize(
    ("url", "here"),
    [("http://localhost:1/v1", True), ("http://127.0.0.2:1/v1", True), ("http://[::1]:1", True), ("http://api.localhost", True),
     ("http://127.0.0.1.evil.com/v1", False), ("http://host.docker.internal:11434", False), ("https://api.openai.com/v1", False)],
)  # fmt: skip
def test_loopback_is_told_from_the_rest(url: str, here: bool) -> None:
    assert is_loopback(url) is here


def test_an_address_is_shown_without_its_secrets() -> None:
    assert shown_url("https://me:pass@host:8/v1?api-key=x#y") == "https://host:8/v1"
