"""What a key may see through the proxy that may write, and not read: no notes, and no model that was shown any."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from pagefile.testing.openai_server import say

from .conftest import Between, user

#: What is known, and a question that it answers.
KNOWN = [
    ("The gate code of the allotment is four swans", "What is the gate code of the allotment?"),
    ("菜园大门的暗号是四只天鹅", "菜园大门的暗号是什么？"),
]


def asked(on: Between, path: str, question: str, headers: dict[str, str]) -> httpx.Response:
    what = {"messages": [user(question)]} if path == "chat/completions" else {"input": question}
    return httpx.post(f"{on.url}/{path}", json={"model": "test-model", **what}, headers=headers, timeout=30)


@pytest.mark.parametrize(("known", "question"), KNOWN)
@pytest.mark.parametrize("path", ["chat/completions", "responses"])
@pytest.mark.parametrize("mode", [None, "recall+learn", "recall", "incognito"])
def test_modes_that_show_the_model_something_need_the_right_to_read(
    between: Callable[..., Between], mode: str | None, path: str, known: str, question: str
) -> None:
    on = between([say("Four swans. 四只天鹅。")])
    on.server.call(lambda memory: memory.scope("alice").remember(known))
    key = on.server.key("writer", user="alice", rights=("write",))
    headers = {"Authorization": f"Bearer {key}", **({} if mode is None else {"X-Pagefile-Mode": mode})}
    answer = asked(on, path, question, headers)
    assert answer.status_code == 403
    error = answer.json()["error"]
    assert error["type"] == "permission_error"
    assert "needs the right read" in error["message"]
    assert "X-Pagefile-Mode: learn" in error["message"]
    assert on.endpoint.requests == []
    assert on.kept("alice") == []


@pytest.mark.parametrize(("known", "question"), KNOWN)
@pytest.mark.parametrize(("mode", "kept"), [("learn", 2), ("off", 0)])
def test_modes_that_show_nothing_need_no_right_to_read(
    between: Callable[..., Between], mode: str, kept: int, known: str, question: str
) -> None:
    on = between([say("I could not say.")])
    on.server.call(lambda memory: memory.scope("alice").remember(known))
    key = on.server.key("writer", user="alice", rights=("write",))
    answer = asked(on, "chat/completions", question, {"Authorization": f"Bearer {key}", "X-Pagefile-Mode": mode})
    assert answer.status_code == 200
    assert known not in str(on.endpoint.chats)
    assert len(on.kept("alice")) == kept


@pytest.mark.parametrize("mode", [None, "recall", "learn", "incognito", "off"])
def test_a_key_that_may_only_read_may_not_chat(between: Callable[..., Between], mode: str | None) -> None:
    on = between([say("Hello.")])
    key = on.server.key("reader", user="alice", rights=("read",))
    headers = {"Authorization": f"Bearer {key}", **({} if mode is None else {"X-Pagefile-Mode": mode})}
    answer = asked(on, "chat/completions", "Hello, I am here", headers)
    assert answer.status_code == 403
    assert "needs the right write" in answer.json()["error"]["message"]
    assert on.endpoint.requests == []


def test_an_id_of_the_endpoint_with_a_secret_in_it_is_replaced(between: Callable[..., Between]) -> None:
    secret = "ghp_" + "Qq4rSt7uVw1xYz8aBc3dEf6gHi9jKl2mNo5p"
    on = between([say("Hello.", headers={"x-request-id": secret})])
    answer = on.chat([user("Hello, I am here")])
    assert answer.status_code == 200
    assert answer.headers["x-request-id"]
    assert secret not in str(answer.headers)
