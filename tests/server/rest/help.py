"""What tests of REST share."""

from __future__ import annotations

from typing import Any

import httpx

API = "/api/v1"
JSON = {"content-type": "application/json"}


class Rest:
    """The API for one user."""

    def __init__(self, client: httpx.AsyncClient, user: str) -> None:
        self.client = client
        self.user = user

    async def call(self, method: str, path: str, *, expect: int | None = 200, headers: dict[str, str] | None = None, **given: Any) -> Any:
        """What is answered; ``expect``: with which status. ``given``: parameters of the query, and ``body`` or ``content``."""
        body, content = given.pop("body", None), given.pop("content", None)
        sent = {"json": body} if body is not None else {"content": content} if content is not None else {}
        reply = await self.client.request(method, f"{API}{path}", params={"user": self.user, **given}, headers=headers, **sent)
        assert expect in (None, reply.status_code), f"{method} {path}: {reply.status_code} {reply.text[:500]}"
        return reply if expect is None else reply.json() if reply.content else None

    async def say(self, *texts: str, session: str = "default") -> Any:
        """Add what a user says, and wait until it is learnt from."""
        return await self.call("POST", "/messages", expect=201, body={"messages": list(texts), "session": session}, wait=20)

    async def texts(self, **given: Any) -> set[str]:
        """What is held to be true."""
        return {record["text"] for record in (await self.call("GET", "/records", **given))["items"]}

    async def found(self, query: str, **given: Any) -> list[str]:
        return [hit["text"] for hit in (await self.call("POST", "/search", body={"query": query, **given}))["hits"]]
