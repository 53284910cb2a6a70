"""What memory does with a request: whose it is, which conversation goes on, what is added, and what is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest

from pagefile.memory import AsyncMemory
from pagefile.testing.openai_server import say
from tests.server.proxy.conftest import Between, assistant, user

OSLO = "I live in Oslo with my sister Anna."
ASKED = [user("Where does my sister live?")]


def sent(on: Between, place: int = -1) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = on.endpoint.chats[place]["messages"]
    return messages


@pytest.mark.parametrize(
    ("mode", "recalled", "kept", "learnt"),
    [
        (None, True, True, True),
        ("recall+learn", True, True, True),
        ("recall", True, True, False),
        ("learn", False, True, True),
        ("incognito", True, False, False),
        ("off", False, False, False),
    ],
)
@pytest.mark.parametrize("by", ["header", "metadata"])
def test_a_mode_says_what_is_used_and_what_is_kept(
    between: Callable[..., Between], mode: str | None, recalled: bool, kept: bool, learnt: bool, by: str
) -> None:
    on = between([say("In Oslo.")], endpoint={"strict": False})
    on.tell(OSLO)
    question = "My name is Kim. Where does my sister Anna live?"
    fields: dict[str, Any] = {}
    if mode is not None:
        fields = {"headers": {"X-Pagefile-Mode": mode}} if by == "header" else {"metadata": {"pagefile_mode": mode}}
    assert on.chat([user(question)], **fields).status_code == 200
    assert ("Oslo" in json.dumps(sent(on))) is recalled
    assert ([("user", question), ("assistant", "In Oslo.")] == on.kept()[1:]) is kept
    assert any("Kim" in record.text for record in on.learnt()) is learnt
    if not kept:
        assert on.kept() == [("user", OSLO)]


def test_a_mode_can_be_that_of_the_server(between: Callable[..., Between]) -> None:
    on = between([say("Yes."), say("Yes.")], proxy_mode="incognito")
    on.chat([user("Is it?")])
    assert on.kept() == []
    on.chat([user("Is it?")], headers={"X-Pagefile-Mode": "learn"})
    assert on.kept() == [("user", "Is it?"), ("assistant", "Yes.")]


def test_what_was_said_incognito_is_not_kept_when_the_history_is_sent_again(between: Callable[..., Between]) -> None:
    on = between([say("Hello."), say("I see."), say("Nice.")])
    talk = [user("Hello, I am here"), assistant("Hello."), user("I have a secret illness"), assistant("I see."), user("I like tea")]
    on.chat(talk[:1])
    on.chat(talk[:3], headers={"X-Pagefile-Mode": "incognito"})
    on.chat(talk)
    said = [("user", "Hello, I am here"), ("assistant", "Hello."), ("user", "I like tea"), ("assistant", "Nice.")]
    assert sorted(on.kept()) == sorted(said)


def test_an_unknown_mode_is_refused_in_the_form_of_openais_errors(between: Callable[..., Between]) -> None:
    on = between()
    reply = on.chat(ASKED, headers={"X-Pagefile-Mode": "sometimes"})
    assert reply.status_code == 400
    assert "recall+learn" in reply.json()["error"]["message"]
    assert on.endpoint.chats == []


def test_the_clients_instructions_stay_and_ours_stand_behind_them_the_same_each_turn(between: Callable[..., Between]) -> None:
    on = between([say("Oslo."), say("Anna."), say("Yes.")])
    on.tell(OSLO)
    system = {"role": "system", "content": "You are a pirate.\n Speak so.  "}
    talk = [system, user("Where do I live?"), assistant("Oslo."), user("With whom do I live there?"), assistant("Anna."), user("Thanks!")]
    for end in (2, 4, 6):
        on.chat(talk[:end])
    first, second, third = (sent(on, place) for place in range(3))
    assert first[0]["content"].startswith(system["content"])
    assert first[0] == second[0] == third[0]
    # The notes stand before the newest message, and nowhere else; what stands before them is the same as before.
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user", "user"]
    assert "<memory_notes>" in second[3]["content"]
    assert second[-1] == talk[3]
    assert second[1:3] == talk[1:3]
    assert third[1:] == talk[1:]


def test_the_notes_stay_the_same_while_calls_of_tools_are_answered(between: Callable[..., Between]) -> None:
    on = between([say("Let me see."), say("Oslo.")])
    on.tell(OSLO)
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
    on.chat(ASKED, tools=tools)
    on.tell("My sister Anna lives in Bergen now.")
    after = [
        *ASKED,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "rain"},
    ]
    on.chat(after, tools=tools)
    assert sent(on, 1)[: len(sent(on, 0))] == sent(on, 0)
    assert sent(on, 1)[-2:] == after[-2:]


def test_core_memory_stands_behind_the_instructions_and_changes_only_when_it_does(between: Callable[..., Between]) -> None:
    on = between([say("Yes.")] * 3)

    async def write(memory: AsyncMemory) -> None:
        await memory.scope("me").write_block("human", "Kim, a baker.")

    on.chat([user("Is it so?")])
    on.server.call(write)
    on.chat([user("Is it so?"), assistant("Yes."), user("Is it really so?")])
    on.chat([user("Is it so?"), assistant("Yes."), user("Is it really so?"), assistant("Yes."), user("And so on?")])
    assert "Kim, a baker." not in sent(on, 0)[0]["content"]
    assert "Kim, a baker." in sent(on, 1)[0]["content"]
    assert sent(on, 1)[0] == sent(on, 2)[0]


@pytest.mark.parametrize(
    ("headers", "fields", "who"),
    [
        ({}, {}, "me"),
        ({}, {"user": "alice"}, "alice"),
        ({}, {"metadata": {"user_id": "bob"}, "user": "alice"}, "bob"),
        ({"X-Pagefile-User": "carol"}, {"metadata": {"user_id": "bob"}, "user": "alice"}, "carol"),
        ({"X-Pagefile-User": quote("王小明")}, {}, "王小明"),
        ({"X-Pagefile-User": "a%2Fb%25"}, {}, "a/b%"),
        ({"X-OpenWebUI-User-Id": "u-7"}, {}, "u-7"),
    ],
)
def test_who_speaks_is_told_by_header_metadata_or_user(
    between: Callable[..., Between], headers: dict[str, str], fields: dict[str, Any], who: str
) -> None:
    on = between([say("Yes.")], endpoint={"strict": False})
    assert on.chat([user("I like tea.")], headers=headers, **fields).status_code == 200
    assert on.kept(who) == [("user", "I like tea."), ("assistant", "Yes.")]
    assert who == "me" or on.kept("me") == []


def test_a_header_in_utf8_is_understood_and_one_in_another_code_refused(between: Callable[..., Between]) -> None:
    on = between([say("Yes.")])
    raw = [(b"X-Pagefile-User", "王".encode()), (b"Content-Type", b"application/json")]
    body = json.dumps({"model": "m", "messages": [user("I like tea.")]}).encode()
    assert httpx.post(f"{on.url}/chat/completions", content=body, headers=raw).status_code == 200
    assert on.kept("王")[0] == ("user", "I like tea.")
    wrong = [(b"X-Pagefile-User", "王".encode("gbk")), (b"Content-Type", b"application/json")]
    assert httpx.post(f"{on.url}/chat/completions", content=body, headers=wrong).status_code == 400


@pytest.mark.parametrize("name", ["monday", "会话/1", "100%", "a~2"])
def test_a_named_conversation_is_kept_under_its_name(between: Callable[..., Between], name: str) -> None:
    on = between([say("Hi."), say("Yes.")])
    for end in (1, 3):
        talk = [user("Hello you there"), assistant("Hi."), user("Is it so?")][:end]
        reply = on.chat(talk, headers={"X-Pagefile-Session": quote(name, safe="")})
        assert reply.status_code == 200
        assert unquote(reply.headers["x-pagefile-session"]) == name
    assert on.sessions() == [name]
    assert len(on.kept(session=name)) == 4


def test_two_users_who_speak_at_once_never_see_each_others_memory(between: Callable[..., Between]) -> None:
    on = between([say("So it is.")] * 80)
    on.tell("My sister Anna lives in Oslo.", user="alice")
    on.tell("My sister Berta lives in Rome.", user="bob")
    others = {"alice": ("Rome", "Berta"), "bob": ("Oslo", "Anna")}

    async def speak(client: httpx.AsyncClient, who: str, turn: int) -> None:
        body = {"model": who, "messages": [user(f"Where does my sister live? I ask for the time number {turn}.")], "stream": bool(turn % 2)}
        reply = await client.post(f"{on.url}/chat/completions", json=body, headers={"X-Pagefile-User": who})
        assert reply.status_code == 200

    async def everybody() -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            await asyncio.gather(*(speak(client, who, turn) for turn in range(20) for who in others))

    asyncio.run(everybody())
    shown = {who: [json.dumps(body["messages"]) for body in on.endpoint.chats if body["model"] == who] for who in others}
    for who, words in others.items():
        assert len(shown[who]) == 20
        assert not any(word in text for text in shown[who] for word in words)
        assert sum(role == "user" for role, _ in on.kept(who)) == 21


def test_two_requests_of_one_conversation_at_once_are_both_kept(between: Callable[..., Between]) -> None:
    on = between([say("Hello."), say("One.", delay=0.2), say("Two.", delay=0.2)])
    on.chat([user("Hello, I am here")], headers={"X-Pagefile-Session": "x"})
    before = [user("Hello, I am here"), assistant("Hello.")]

    async def both() -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            bodies = [{"model": "m", "messages": [*before, user(text)]} for text in ("The first thing I say", "The second thing I say")]
            await asyncio.gather(
                *(client.post(f"{on.url}/chat/completions", json=body, headers={"X-Pagefile-Session": "x"}) for body in bodies)
            )

    asyncio.run(both())
    said = [text for _, text in on.kept()]
    assert sorted(said) == sorted(["Hello, I am here", "Hello.", "The first thing I say", "The second thing I say", "One.", "Two."])


def test_a_key_that_is_bound_to_a_user_speaks_for_that_user_alone(between: Callable[..., Between]) -> None:
    on = between([say("Yes.")] * 3)
    bound = on.server.key("bound", user="alice")
    reading = on.server.key("reading", user="alice", rights=("read",))
    headers = {"Authorization": f"Bearer {bound}"}
    assert on.chat([user("I like tea.")], headers=headers).status_code == 200
    assert on.kept("alice")[0] == ("user", "I like tea.")
    foreign = on.chat([user("I like tea.")], headers=headers, user="bob")
    assert foreign.status_code == 404
    assert "error" in foreign.json()
    assert on.chat([user("I like tea.")]).status_code == 401
    assert on.chat([user("I like tea.")], headers={"Authorization": f"Bearer {reading}"}).status_code == 403
    assert len(on.endpoint.chats) == 1
    assert "authorization" not in on.endpoint.requests[0].headers


@pytest.mark.parametrize("tenant", ["acme", "王府"])
def test_a_header_names_the_tenant_where_the_key_allows_it(between: Callable[..., Between], tenant: str) -> None:
    on = between([say("Yes.")] * 4)
    named = {"X-Pagefile-Tenant": quote(tenant), "X-Pagefile-User": "kim"}
    assert on.chat([user("I like tea.")], headers=named).status_code == 200

    async def kept(memory: AsyncMemory, of: str) -> list[str]:
        return [one.text for one in (await memory.scope("kim", tenant=of).messages(limit=10)).items]

    assert on.server.call(lambda memory: kept(memory, tenant)) == ["I like tea.", "Yes."]
    assert on.server.call(lambda memory: kept(memory, "default")) == []
    # A key is of one tenant.
    key = on.server.key(acts_as="*", tenant=tenant)
    assert on.chat([user("I like rye.")], headers={**named, "Authorization": f"Bearer {key}"}).status_code == 200
    foreign = on.chat([user("I like it.")], headers={**named, "X-Pagefile-Tenant": "another", "Authorization": f"Bearer {key}"})
    assert foreign.status_code == 404
    assert "another" not in foreign.text
    assert len(on.server.call(lambda memory: kept(memory, tenant))) == 4


@pytest.mark.parametrize("depth", [110, 900, 100_000])
@pytest.mark.parametrize("where", ["content", "part", "beside", "metadata"])
@pytest.mark.parametrize("path", ["chat/completions", "responses"])
def test_what_is_nested_without_end_is_refused(between: Callable[..., Between], depth: int, where: str, path: str) -> None:
    on = between()
    deep = "[" * depth + "1" + "]" * depth
    message = {
        "content": f'{{"role": "user", "content": {deep}}}',
        "part": f'{{"role": "user", "content": [{{"type": "image", "data": {deep}}}]}}',
        "beside": f'{{"role": "user", "content": "I live in Oslo.", "more": {deep}}}',
        "metadata": '{"role": "user", "content": "I live in Oslo."}',
    }[where]
    metadata = deep if where == "metadata" else "{}"
    body = f'{{"model": "m", "messages": [{message}], "input": [{message}], "metadata": {metadata}}}'
    reply = httpx.post(f"{on.url}/{path}", content=body, headers={"Content-Type": "application/json"}, timeout=30)
    assert reply.status_code == 422
    assert "nested" in reply.json()["error"]["message"]
    assert not on.endpoint.requests
    assert on.kept() == []
