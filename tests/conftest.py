"""Shared by all tests."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("pagefile.testing.store_contract")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests under load for a minute each, not for seconds")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether ``--long`` was given."""
    return bool(request.config.getoption("--long"))
