"""Users of a server without a network between."""

from __future__ import annotations

import httpx
import pytest

from tests.server.rest.help import Rest


@pytest.fixture
def alice(client: httpx.AsyncClient) -> Rest:
    return Rest(client, "alice")


@pytest.fixture
def bob(client: httpx.AsyncClient) -> Rest:
    return Rest(client, "bob")
